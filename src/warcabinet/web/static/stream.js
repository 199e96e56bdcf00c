// News from the server: another seat's move is on this screen as soon as it is made.
//
// Every event bears an id. After a break, whatever answered meanwhile (a proxy without a server, a server that is busy or
// starts anew), the page comes back with the last id it heard, and gets what it missed.

import { table } from "./api.js";
import { toast } from "./dom.js";
import { load, store } from "./store.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30000;

export function listen({ talk, resync }) {
  let source = null;
  let last = "";
  let wait = FIRST_PAUSE;
  let gone = false;
  // Whether what was said is fetched anew: the first answers were no stream, so that there was no id to come back with.
  let unheard = false;

  const on = (kind, work) =>
    source.addEventListener(kind, (event) => {
      if (event.lastEventId) last = event.lastEventId;
      work(event.data ? JSON.parse(event.data) : {});
    });

  function open() {
    source = table.events(last);
    // One's own move has come with its answer by then.
    on("move", (news) => load(news.id));
    on("talk", talk);
    on("seats", () => load());
    on("resync", () => {
      resync();
      load();
    });
    on("hello", (news) => {
      wait = FIRST_PAUSE;
      if (unheard) resync();
      unheard = false;
      if (store.view && news.head > store.view.head) load(news.head);
    });
    on("gone", () => {
      gone = true;
      source.close();
      toast("Your seat at this table was vacated.", true);
    });
    source.addEventListener("error", () => {
      // A browser comes back by itself after a broken line, but never after an answer that is not a stream.
      if (source.readyState !== EventSource.CLOSED || gone) return;
      unheard ||= !last;
      setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, LONGEST_PAUSE);
    });
  }

  open();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted && !gone) open();
  });
}
