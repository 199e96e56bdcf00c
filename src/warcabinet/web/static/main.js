// The table's page: everything is fetched, nothing is known beforehand.

import { startBattle } from "./battle.js";
import { startBottomSheet } from "./bottom-sheet.js";
import { $ } from "./dom.js";
import { showCompare, startCompare } from "./compare.js";
import { startConvoy } from "./convoy.js";
import { startCommandLine } from "./command-line.js";
import { startDice } from "./dice.js";
import { startDue } from "./due.js";
import { startExplain } from "./explain.js";
import { startDock } from "./dock.js";
import { startHandSheet } from "./hand-sheet.js";
import { openHex, startHexCard } from "./hexcard.js";
import { startKeys } from "./keys.js";
import { showLog, startLog } from "./log.js";
import { map, startMap } from "./map/map.js";
import { showMoment, startMoment } from "./moment.js";
import { startNow } from "./now.js";
import { startOrders } from "./order.js";
import { startPool } from "./pool.js";
import { startPeople } from "./people.js";
import { startRail } from "./rail.js";
import { startReady } from "./ready.js";
import { startStory } from "./story.js";
import { load, lookAt, store, subscribe } from "./store.js";
import { listen } from "./stream.js";
import { forgetTalk, heard, startTalk } from "./talk.js";
import { startSealed } from "./sealed.js";
import { startTimebar } from "./timebar.js";
import { startWalk } from "./walk.js";
import { startTurn } from "./turn.js";
import { showYearStart, startYearStart } from "./year-start.js";
import { onView, openTab, openView, startTopbar } from "./topbar.js";

// What is not looked at by everybody comes when it is first opened.
const SHEETS = {
  powers: async () => (await import("./powers-sheet.js")).showPowers,
  countries: async () => (await import("./countries.js")).showCountries,
  aid: async () => (await import("./aid.js")).showAid,
  compare: () => showCompare,
  forecast: async () => (await import("./forecast.js")).showForecast,
  plans: async () => (await import("./plans.js")).showPlans,
  yearstart: () => showYearStart,
  moment: () => showMoment,
  log: () => showLog,
};

let shown = "";
async function show(view, ...more) {
  const fresh = view !== shown;
  shown = view;
  if (fresh) {
    // A sheet of its own for each view: one that comes late finds its own and not another's.
    const own = $("#sheet").cloneNode();
    $("#sheet").replaceWith(own);
  }
  const sheet = $("#sheet");
  const board = view === "europe" || view === "pacific";
  $("#map").hidden = !board && (view !== "moment" || innerWidth < 1200);
  sheet.hidden = board;
  if (board) return map.open(view);
  const draw = await SHEETS[view]();
  if (shown !== view) return;
  await draw(sheet, ...more);
  // Whoever fills in a form meanwhile is left alone.
  if (fresh && $("#order").hidden && !sheet.contains(document.activeElement)) $("h2", sheet)?.focus({ preventScroll: true });
}

/** Between a phone and a desk there is room for the folded rail only; either can still be changed by hand. */
function startWidth() {
  const narrow = matchMedia("(min-width: 56.25rem) and (max-width: 79.99rem)");
  const fit = () => {
    document.body.dataset.rail = narrow.matches ? "folded" : "";
    document.body.dataset.side = narrow.matches ? "open" : "";
  };
  narrow.addEventListener("change", fit);
  fit();
}

/** What is there before the table is known, in this order: who comes first is told of a view first. */
const STARTS = [
  startWidth, startDock, startTopbar, startTimebar, startRail, startReady, startConvoy, startBattle, startNow, startDue,
  startDice, startCompare, startSealed, startLog, startTalk, startPeople, startHexCard, startHandSheet, startOrders,
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
  startMap(openHex);
  startYearStart(openView);
  startMoment();
  startWalk();
  listen({ talk: heard, resync: forgetTalk });
  startTurn();
  subscribe((view, before) => {
    if (before && before.head !== view.head && shown in SHEETS && shown !== "log") show(shown);
  });
  document.dispatchEvent(new Event("ready"));
  performance.mark("ready");
  document.body.dataset.ready = store.view ? "yes" : "no";
  await startStory();
}

start();
