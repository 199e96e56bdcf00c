// What the page knows, in one signal: the view of the table and the moment looked at. Whatever reads it is drawn again.
//
// The view is fetched whole once. From then on the page names the mark of the view it shows and receives what changed:
// with the answer to its own move, or by asking when the stream tells of another's.

import { table, Trouble } from "./api.js";
import { merged, whole } from "./changes.js";
import { commandsKnown } from "./commands.js";
import { capital, learn, toast } from "./dom.js";
import { computed, effect, signal, untracked } from "./vendor/signals.js";

/** The view, the one before, the lines of the log that came with it (null: all may be other), the moment (null: now). */
const known = signal({ view: null, before: null, news: null, at: null });
const at = computed(() => known.value.at);
const head = computed(() => known.value.view?.head);
export const store = {
  get view() {
    return known.value.view;
  },
  get at() {
    return at.value;
  },
  /** The last move of the view that is shown. */
  get head() {
    return head.value;
  },
  /** The position of the present, while scenes of the past go by on the map. */
  present: null,
};
/** What clock and powers show of a view; and whether a moment of the past is looked at, other than in scenes. */
export const shown = (view) => (store.present ? { ...view, position: store.present } : view);
export const past = () => store.at !== null && !store.present;
/** Which moment is wanted: it is shown as soon as its view has come. */
let wantedAt = null;

/** Know this view from now on. */
export function know(view, news = null, at = null) {
  learn(view);
  known.value = { view, before: known.peek().view, news, at };
}

export const live = () => store.at === null;
export const position = () => store.view.position;
export const me = () => store.view.me;
export const power = (id) => position().powers.find((p) => p.power === id);

/** Whether this seat takes up a nation's counters. */
export const mine = (nation) => position().nations[nation]?.mine ?? false;

/** Whether a power is this seat's, where it does not hold all of them: what it holds is marked. */
export const held = (id) => me().powers.length < 8 && me().powers.includes(id);

/** What a phase is called. */
export const phaseName = (name) => position().clock.called[name] ?? capital(name);

/** Do something with every view that comes, the one before it and its news. */
export const subscribe = (work) =>
  effect(() => {
    const { view, before, news } = known.value;
    if (view) untracked(() => work(view, before, news));
  });

// What changes the view is done in turn, so that each answer is about the view that is shown.
let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

/** Show what came: a whole view, or what changed since the one that is shown. */
function take(update, at) {
  // A whole view has neither.
  const { changes, log, ...view } = { ...update };
  know({ ...view, position: changes ? merged(store.view.position, changes) : whole(view.position) }, log, at);
}

async function renew() {
  const [since, at] = [store.view?.mark, wantedAt];
  const asked = since ? table.get("/changes", { since, at }) : table.get("", { at });
  const [update] = await Promise.all([asked, commandsKnown()]);
  take(update, at);
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
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
    wantedAt = store.at;
  }
}

/** Do something at the table. Its answer brings what changed by it, so that nothing need be fetched after it. */
export async function perform(path, body) {
  try {
    return await inTurn(async () => {
      const since = live() ? store.view.mark : "";
      const done = await table.once(path, { seq_seen: store.view.seq, ...body }, { since });
      if (done.update) take(done.update, null);
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
  wantedAt = at === null || at >= (store.view?.head ?? Infinity) ? null : at;
  const url = new URL(location.href);
  if (wantedAt === null) url.searchParams.delete("at");
  else url.searchParams.set("at", wantedAt);
  history.replaceState(null, "", url);
  await load();
  document.body.toggleAttribute("data-history", past());
}

/** Something happened while scenes of the past go by. */
export const renewPresent = async () => (store.present &&= whole((await table.get("")).position));
