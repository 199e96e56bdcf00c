// What the page knows: the view of the table, the moment looked at, and who wants to hear of changes.

import { table, Trouble } from "./api.js";
import { learn, toast } from "./dom.js";

const listeners = [];
export const store = { view: null, at: null, previous: null };

export const live = () => store.at === null;
export const position = () => store.view.position;
export const me = () => store.view.me;
export const power = (id) => position().powers.find((p) => p.power === id);

export function subscribe(listener) {
  listeners.push(listener);
  if (store.view) listener(store.view, null);
}

let loading = null;
let again = false;

/** Fetch the view and tell everybody. Calls while one is under way are answered by one more. */
export async function load() {
  if (loading) {
    again = true;
    return loading;
  }
  loading = (async () => {
    do {
      again = false;
      const view = await table.get("", { at: store.at });
      const before = store.view;
      store.view = view;
      learn(view);
      for (const listener of listeners) listener(view, before);
    } while (again);
  })();
  try {
    await loading;
  } catch (error) {
    if (error instanceof Trouble) toast(error.message, true);
    else throw error;
  } finally {
    loading = null;
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
