// The position that is being laid out: kept in this browser, changed by the server, undone step by step.

import { hall, Trouble } from "../api.js";
import { toast } from "../dom.js";
import { know, store } from "../store.js";
import { state } from "../ui.js";

const KEPT = "warcabinet-setup";
const MOST = 200; // steps that can be undone

export const UNNAMED = "Our campaign";
export const draft = state({ view: null }, { title: UNNAMED, named: false, first: null, past: [], future: [], when: 0 });
/** What a press on the map does: place, paint, erase, look; and the board that is open. */
export const desk = state({ mode: "place", board: "europe" });

let last = Promise.resolve();
const inTurn = (work) => (last = last.then(work, work));

/** Show a desk that the server made; the map reads it as it reads a table. */
function show(view) {
  draft.first ??= view;
  const powers = view.powers.map((p) => ({ ...p, mine: true }));
  know({ head: (store.view?.head ?? 0) + 1, me: { referee: true, powers: [] }, position: { ...view, powers, moving: [] } });
  draft.view = view;
}

function keep() {
  draft.when = Date.now();
  try {
    localStorage.setItem(KEPT, JSON.stringify({ title: draft.title, named: draft.named, position: draft.view.position, when: draft.when }));
  } catch {
    /* a browser that keeps nothing: the file still does */
  }
}

/** A name that somebody typed; none typed: the next position that is opened brings its own. */
export function rename(title) {
  Object.assign(draft, { title: title || UNNAMED, named: Boolean(title) });
  keep();
}

/** What this browser kept of the last time. */
export function keptDraft() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Put another position on the desk: nothing before it can be undone to. Files and tables bring the names that people
 * gave them; what a scenario is called does not displace a name that was typed.
 */
async function begin(title, asked, named) {
  const view = await asked;
  Object.assign(draft, { title: named || !draft.named ? title : draft.title, named: named || draft.named, first: null, past: [], future: [] });
  show(view);
  keep();
  for (const text of view.left_out) toast(`Not carried over: ${text}`, true);
}
export const beginWith = (title, position) => begin(title, hall.post("/setup", { position }), false);
export const beginFile = (title, text) => begin(title, hall.post("/setup", { text }), true);
export const beginTable = (title, id, named = true) => begin(title, hall.get(`/tables/${id}/setup`), named);

/**
 * Change something. `edits` are figures and their values, or a function of the view that gives them: it is asked when
 * everything before it is done, so that quick presses all count. `moment` may move turn, player and phase.
 */
export const change = (edits, moment = {}) => inTurn(async () => {
  const wanted = typeof edits === "function" ? edits(draft.view) : edits;
  if (!wanted) return false;
  const before = draft.view.position;
  try {
    const view = await hall.post("/setup", { position: before, edits: wanted, ...moment });
    draft.past.push(before);
    draft.past.splice(0, draft.past.length - MOST);
    draft.future = [];
    show(view);
    keep();
    return true;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
    draft.view = { ...draft.view }; // what was typed goes back to what holds
    return false;
  }
});

/** Say where a figure comes from; none: it is assumed again. */
export function source(path, text) {
  const sources = { ...draft.view.position.sources, [path]: text };
  if (!text) delete sources[path];
  return replacing({ ...draft.view.position, sources });
}

/** Another position instead of this one, to which undo leads back. */
const replacing = (position) => inTurn(async () => {
  const before = draft.view.position;
  show(await hall.post("/setup", { position }));
  draft.past.push(before);
  draft.future = [];
  keep();
});

const step = (from, to) =>
  inTurn(async () => {
    const position = from.pop();
    if (!position) return;
    to.push(draft.view.position);
    show(await hall.post("/setup", { position }));
    keep();
  });
export const undo = () => step(draft.past, draft.future);
export const redo = () => step(draft.future, draft.past);

/** The position as a file, with every change that was made before. */
export const asFile = () => inTurn(() => hall.post("/setup/file", { position: draft.view.position }));
export const errors = () => draft.view.findings.filter((f) => f.kind === "error");
