// The table's page: everything is fetched, nothing is known beforehand.

import { startBattle } from "./battle.js";
import { startBottomSheet } from "./bottom-sheet.js";
import { $ } from "./dom.js";
import { startCommandLine } from "./command-line.js";
import { startDice } from "./dice.js";
import { startDue } from "./due.js";
import { startExplain } from "./explain.js";
import { startDock } from "./dock.js";
import { startHandSheet } from "./hand-sheet.js";
import { openBox, openHex, startHexCard } from "./hexcard.js";
import { startKeys } from "./keys.js";
import { sheet as log, startLog } from "./log.js";
import { map, startMap } from "./map/map.js";
import { showMoment, startMoment } from "./moment.js";
import { startNow, startYears } from "./now.js";
import { startOrders } from "./order.js";
import { startPool } from "./pool.js";
import { startPeople } from "./people.js";
import { startRail } from "./rail.js";
import { startReady } from "./ready.js";
import { startStory } from "./story.js";
import { load, lookAt, store } from "./store.js";
import { listen } from "./stream.js";
import { forgetTalk, heard, startTalk } from "./talk.js";
import { startSealed } from "./sealed.js";
import { startTimebar } from "./timebar.js";
import { startTurn } from "./turn.js";
import { onBoard, onView, openTab, openView, startTopbar } from "./topbar.js";
import { attempt } from "./api.js";
import { effect, fill, signal } from "./ui.js";

// What is not looked at by everybody comes when it is first opened.
const SHEETS = {
  powers: async () => (await import("./powers-sheet.js")).sheet,
  countries: async () => (await import("./countries.js")).sheet,
  aid: async () => (await import("./aid.js")).sheet,
  compare: async () => (await import("./compare.js")).sheet,
  forecast: async () => (await import("./forecast.js")).sheet,
  plans: async () => (await import("./plans.js")).sheet,
  yearstart: async () => (await import("./year-start.js")).sheet,
  moment: () => ({ go: (id) => showMoment($("#sheet"), id) }),
  log: () => log,
};

let shown = "";
let follows = [];

/** Open a view. A sheet may `go` to one of its parts, `ask` the server for what it shows, and `draw` that. */
async function show(view, ...more) {
  const fresh = view !== shown;
  shown = view;
  $("#map").hidden = !onBoard() && (view !== "moment" || innerWidth < 1200);
  $("#sheet").hidden = onBoard();
  if (fresh) {
    for (const stop of follows) stop();
    follows = [];
    fill($("#sheet"), null);
  }
  if (onBoard()) return map.open(view);
  const sheet = await SHEETS[view]();
  if (shown !== view) return;
  sheet.go?.(...more);
  if (fresh && sheet.draw) follows = follow($("#sheet"), sheet);
}

/** Ask whenever what the question reads has changed, and with every move; draw whenever the answer or what is read has. */
function follow(el, { ask, draw }) {
  const found = signal(ask ? undefined : true);
  let [turn, drawn] = [0, false];
  const asking = () => {
    const mine = store.head && ++turn;
    attempt(async () => {
      const it = await ask();
      if (mine === turn) found.value = it;
    });
  };
  const drawing = () => {
    if (found.value === undefined) return;
    fill(el, draw(found.value));
    // Whoever fills in a form meanwhile is left alone.
    if (!drawn && $("#order").hidden && !el.contains(document.activeElement)) $("h2", el)?.focus({ preventScroll: true });
    drawn = true;
  };
  return [...(ask ? [effect(asking)] : []), effect(drawing)];
}

/** Between a phone and a desk there is room for the folded rail, and for the right column beside a map only. */
function startWidth() {
  const narrow = matchMedia("(min-width: 56.25rem) and (max-width: 79.99rem)");
  const fit = () => {
    document.body.dataset.rail = narrow.matches ? "folded" : "";
    document.body.dataset.side = narrow.matches ? (onBoard() ? "open" : "folded") : "";
  };
  narrow.addEventListener("change", fit);
  fit();
  let was = true;
  onView(() => {
    if (narrow.matches && was !== onBoard()) document.body.dataset.side = onBoard() ? "open" : "folded";
    was = onBoard();
  });
}

/** What is there before the table is known, in this order: who comes first is told of a view first. */
const STARTS = [
  startWidth, startDock, startTopbar, startTimebar, startRail, startReady, startBattle, startNow, startDue,
  startDice, startSealed, startLog, startTalk, startPeople, startHexCard, startHandSheet, startOrders,
  startPool, startBottomSheet, startCommandLine, startKeys,
];

async function start() {
  for (const begin of STARTS) begin();
  onView(show);
  const at = Number(new URL(location.href).searchParams.get("at")) || null;
  if (at) await lookAt(at);
  else await load();
  startExplain();
  const hash = location.hash.slice(1);
  openView("europe");
  openTab("now");
  if (hash === "pacific" || hash in SHEETS) openView(hash);
  startMap({ hex: openHex, box: openBox });
  startYears();
  startMoment();
  listen({ talk: heard, resync: forgetTalk });
  startTurn();
  $("#walk-again").addEventListener("click", async () => (await import("./walk.js")).walkAgain());
  if (new URL(location.href).searchParams.has("walk")) (await import("./walk.js")).begin();
  performance.mark("ready");
  document.body.dataset.ready = store.view ? "yes" : "no";
  await startStory();
}

start();
