// News from the server: another seat's move is on this screen as soon as it is made.

import { table } from "./api.js";
import { toast } from "./dom.js";
import { load } from "./store.js";

export function listen({ talk }) {
  const source = table.events();
  source.addEventListener("move", (event) => {
    // One's own move has come with its answer by then.
    load(JSON.parse(event.data).id);
  });
  source.addEventListener("talk", (event) => talk(JSON.parse(event.data)));
  source.addEventListener("seats", () => load());
  source.addEventListener("resync", () => load());
  source.addEventListener("gone", () => {
    source.close();
    toast("Your seat at this table was vacated.", true);
  });
  let broken = false;
  source.addEventListener("error", () => {
    broken = true;
  });
  source.addEventListener("hello", () => {
    // After a break something may have been missed.
    if (broken) load();
    broken = false;
  });
  addEventListener("pagehide", () => source.close());
}
