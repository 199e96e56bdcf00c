// What the page knows: the view of the table, the moment looked at, and who wants to hear of changes.
//
// The view is fetched whole once. From then on the page names the mark of the view it shows and receives what changed:
// with the answer to its own move, or by asking when the stream tells of another's.

import { table, Trouble } from "./api.js";
import { merged, whole } from "./changes.js";
import { commandsKnown } from "./commands.js";
import { learn, toast } from "./dom.js";

const listeners = [];
export const store = { view: null, at: null };

export const live = () => store.at === null;
export const position = () => store.view.position;
export const me = () => store.view.me;
export const power = (id) => position().powers.find((p) => p.power === id);

/** Whether this seat takes up a nation's counters. */
export const mine = (nation) => position().nations[nation]?.mine ?? false;

/** Whether a power is this seat's, where it does not hold all of them: what it holds is marked. */
export const held = (id) => me().powers.length < 8 && me().powers.includes(id);

/** Hear of every view, with the one before and the lines of the log that came with it (null: all may be other). */
export function subscribe(listener) {
  listeners.push(listener);
  if (store.view) listener(store.view, null, null);
}

// What changes the view is done in turn, so that each answer is about the view that is shown.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

/** Show what came: a whole view, or what changed since the one that is shown. */
function take(update) {
  const before = store.view;
  const { changes, log, ...view } = { ...update };
  view.position = changes ? merged(before.position, changes) : whole(view.position);
  store.view = view;
  learn(view);
  for (const listener of listeners) listener(view, before, log ?? null);
}

async function renew() {
  const since = store.view?.mark;
  const [update] = await Promise.all([
    since ? table.get("/changes", { since, at: store.at }) : table.get("", { at: store.at }),
    commandsKnown(),
  ]);
  take(update);
}

let waiting = null;
let wanted = 0;

/** Bring the view up to date, or only up to a move: then nothing is fetched where that has come already. */
export async function load(upto = Infinity) {
  wanted = Math.max(wanted, upto);
  waiting ??= inTurn(async () => {
    const needed = wanted;
    waiting = null;
    wanted = 0;
    if (!store.view || needed > store.view.head) await renew();
  });
  try {
    await waiting;
  } catch (error) {
    if (error instanceof Trouble) toast(error.message, true);
    else throw error;
  }
}

/** Do something at the table. Its answer brings what changed by it, so that nothing need be fetched after it. */
export async function perform(path, body) {
  try {
    return await inTurn(async () => {
      const since = live() ? store.view.mark : "";
      const done = await table.once(path, { seq_seen: store.view.seq, ...body }, { since });
      if (done.update) take(done.update);
      else await renew();
      return done;
    });
  } catch (error) {
    // Something happened meanwhile that the stream has not told of yet.
    if (error instanceof Trouble && error.status === 409) await load();
    throw error;
  }
}

/** Look at the position after a move; null is the present. */
export async function lookAt(at) {
  store.at = at === null || at >= (store.view?.head ?? Infinity) ? null : at;
  const url = new URL(location.href);
  if (store.at === null) url.searchParams.delete("at");
  else url.searchParams.set("at", store.at);
  history.replaceState(null, "", url);
  document.body.toggleAttribute("data-history", store.at !== null);
  await load();
}
