// Single keys, where no field has the focus. They can be turned off.

import { $ } from "./dom.js";
import { clauseInFocus, closeExplain, whyInFocus } from "./explain.js";
import { closeHex } from "./hexcard.js";
import { advance, firstOrder, showReports } from "./now.js";
import { closeOrder } from "./order.js";
import { showHelp } from "./people.js";
import { closeTalk, openTalk } from "./talk.js";
import { me, position, store } from "./store.js";
import { openView, undo } from "./topbar.js";
import { map } from "./map/map.js";

const typing = (el) =>
  el &&
  (el.matches("input:not([type=radio]):not([type=checkbox]):not([type=range]), textarea, select") ||
    el.isContentEditable);

function fold(name) {
  const now = document.body.dataset[name];
  if (innerWidth < 1280 && name === "side") document.body.dataset.side = now === "open" ? "folded" : "open";
  else document.body.dataset[name] = now === "folded" ? "" : "folded";
  dispatchEvent(new Event("resize"));
}

export const KEYS = {
  "/": () => $("#command").focus(),
  "?": showHelp,
  n: () => {
    if (store.at === null) advance("");
  },
  b: () => {
    if (me().player) firstOrder();
  },
  r: showReports,
  e: () => openView("europe"),
  p: () => openView("pacific"),
  m: () => {
    if (!["europe", "pacific"].includes(document.body.dataset.view)) openView("europe");
    map.grid.focus();
  },
  f: () => $("#log-filters input")?.focus(),
  h: () => $("#history").focus(),
  u: () => undo(false),
  U: () => undo(true),
  t: openTalk,
  w: whyInFocus,
  c: clauseInFocus,
  ".": () => {
    if (map.places) map.grid.nextLegal();
  },
  "[": () => fold("rail"),
  "]": () => fold("side"),
  "+": () => map.zoom(1.25),
  "-": () => map.zoom(0.8),
  0: () => map.fit(),
};

export function startKeys() {
  $("#side-toggle").addEventListener("click", () => fold("side"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !$("dialog[open]")) {
      if (closeExplain() || closeOrder() || closeHex() || closeTalk()) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || $("dialog[open]")) return;
    if (localStorage.getItem("warcabinet-keys") === "off") return;
    const power = /^[1-8]$/.test(event.key) ? position()?.powers[Number(event.key) - 1] : null;
    const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
    const act = power ? () => $(`#card-${power.power} .number`)?.focus() : KEYS[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
