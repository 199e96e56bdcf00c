// Single keys, where no field has the focus. They can be turned off.

import { $ } from "./dom.js";
import { attackChosen, battleKey, closeBattle } from "./battle.js";
import { clauseInFocus, closeExplain, whyInFocus } from "./explain.js";
import { closeHandSheet } from "./hand-sheet.js";
import { closeHex } from "./hexcard.js";
import { momentKey } from "./moment.js";
import { answerYear, firstOrder, nextDecision, showReports } from "./now.js";
import { closeOrder } from "./order.js";
import { builds, closePool, openPool, mayLeave, takeLast } from "./pool.js";
import { showHelp } from "./people.js";
import { readyOrOn } from "./ready.js";
import { closeTalk, openTalk } from "./talk.js";
import { me, position, store } from "./store.js";
import { replay } from "./story.js";
import { onBoard, openView, undo } from "./topbar.js";
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
    const year = store.view.year_start;
    if (store.at !== null) return;
    if (year?.waits && year.mine) answerYear("confirm", year.year);
    else if (mayLeave()) readyOrOn();
  },
  g: () => {
    if (store.at === null) nextDecision();
  },
  b: () => {
    if (!me().player) return;
    if (builds()) openPool();
    else firstOrder();
  },
  a: () => {
    if (me().player && store.at === null) attackChosen();
  },
  l: () => $("#hex-card:not([hidden]) [data-act=losses]")?.click(),
  s: () => $("#hex-card:not([hidden]) [data-act=line]")?.click(),
  r: showReports,
  e: () => openView("europe"),
  p: () => openView("pacific"),
  m: () => {
    if (!onBoard()) openView("europe");
    map.hands.takeUp();
  },
  f: () => $("#log-filters input")?.focus(),
  h: () => replay(0),
  u: () => {
    if (!takeLast()) undo(false);
  },
  U: () => undo(true),
  t: openTalk,
  w: whyInFocus,
  c: clauseInFocus,
  ".": () => {
    if (map.places || map.hands.manner?.next) map.grid.nextLegal();
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
      if (closeHandSheet() || map.hands.putBack() || map.fan.close() || closeBattle() || closeExplain() || closeOrder() || closeHex() || closePool() || closeTalk()) event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || $("dialog[open]")) return;
    if (localStorage.getItem("warcabinet-keys") === "off") return;
    if (battleKey(event.key.toLowerCase()) || momentKey(event.key)) return event.preventDefault();
    const power = /^[1-8]$/.test(event.key) ? position()?.powers[Number(event.key) - 1] : null;
    const key = event.key.length === 1 && !event.shiftKey ? event.key.toLowerCase() : event.key;
    const act = power ? () => $(`#card-${power.power} .number`)?.focus() : KEYS[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
