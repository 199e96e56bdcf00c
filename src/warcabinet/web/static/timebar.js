// The turn track, the phase strip and the history scrubber.

import { $, fill, h } from "./dom.js";
import { table } from "./api.js";
import { lookAt, store, subscribe } from "./store.js";
import { toast } from "./dom.js";

const LETTERS = ["Sp", "Su", "F", "W"];
const NAMES = ["Spring", "Summer", "Fall", "Winter"];
const SHORT = {
  "start of player turn": "Mobilization",
  "diplomatic phase": "Diplomacy",
  "end of diplomatic phase": "BRP adjustments",
  "set-up of attacked minors": "Set-up",
  "initial supply determination": "Initial supply",
  "end of combat phase": "Losses",
  "post-combat supply determination": "Post-combat supply",
  "end of player turn": "End of turn",
  allotments: "Diplomatic and research points",
};
export const phaseName = (name) => SHORT[name] ?? name.replace(/^./, (c) => c.toUpperCase());

/** A moment ahead that can be gone to by a press; whoever may not is told why. */
const goTo = (to, props, text) =>
  h(
    "button",
    {
      type: "button",
      ...props,
      onclick: () => document.dispatchEvent(new CustomEvent("go-on", { detail: to })),
    },
    text,
  );

/** A year start that seats still read stands before the spring it opens. */
const readYear = (view) => (store.at === null && view.year_start?.waits ? view.year_start : null);

function year(y, clock, mayGo, reading) {
  const cells = [];
  const read = reading?.year === y;
  if (read)
    cells.push(
      h(
        "button",
        { type: "button", className: "now year-start", dataset: { goto: "yearstart", year: y }, title: `The ${y} year start; open its sheet` },
        "Year start",
      ),
    );
  for (let season = 0; season < 4; season++) {
    const turn = y * 4 + season;
    if (turn < clock.start) continue;
    const now = turn === clock.turn && !read;
    const kind = now ? "now" : turn < clock.turn ? "past" : "";
    const comes = turn < clock.turn ? "" : clock.arrivals.find((it) => it.turn === turn)?.text;
    const due = (clock.due.includes(turn) ? " due" : "") + (comes ? " arrives" : "");
    const marks = [clock.due.includes(turn) ? "something falls due" : "", comes ? `into the force pools: ${comes}` : ""].filter(Boolean);
    const title = [`${NAMES[season]} ${y}`, marks.join("; ")].filter(Boolean).join(": ");
    const text = now ? NAMES[season] : LETTERS[season];
    const ahead = mayGo && turn > clock.turn && turn <= clock.turn + 8;
    cells.push(
      ahead
        ? goTo(`${NAMES[season]} ${y}, Axis`, { className: kind + due, title: `${title}; go on to it` }, text)
        : h("span", { className: kind + due, title }, text),
    );
  }
  if (!cells.length) return null;
  return h(
    "div",
    { className: `year${y === clock.year ? " now" : ""}${cells.length < 3 ? " short" : ""}` },
    h("span", {}, String(y)),
    h("div", { className: "cells" }, cells),
  );
}

/** The steps of a year start, all of them counted, then the word of the seats; the spring comes after. */
function yearPhases(reading) {
  const steps = [...reading.steps.map((name) => [phaseName(name), "done"]), ["Confirm", "now"], [`Spring ${reading.year}, Axis turn`, "later"]];
  return [
    h("div", { className: "sides" }, h("span", { className: "now" }, "Year start")),
    h(
      "ol",
      { className: "steps", "aria-label": "Phases" },
      steps.map(([name, state]) => h("li", { className: state, "aria-current": state === "now" ? "step" : null }, h("span", {}, name))),
    ),
    h("div", { className: "phase-ticks", "aria-hidden": "true" }, steps.map(([, state]) => h("i", { className: state }))),
  ];
}

function phases(clock, mayGo) {
  const side = (part, text) => h("span", { className: clock.part === part ? "now" : "" }, text);
  const sides =
    clock.part === "year start"
      ? [side("year start", `Year start ${clock.year}`)]
      : [side("axis", "Axis turn"), side("allied", "Allied turn")];
  const shown = clock.steps.filter((s) => !s.automatic || s.step === clock.step);
  const state = (s) => (s.step === clock.step ? "now" : s.step < clock.step ? "done" : "later");
  return [
    h("div", { className: "sides" }, sides),
    h(
      "ol",
      { className: "steps", "aria-label": "Phases" },
      shown.map((s) =>
        h(
          "li",
          {
            className: state(s) + (s.automatic ? " auto" : ""),
            "aria-current": s.step === clock.step ? "step" : null,
            title: s.name,
          },
          mayGo && s.step > clock.step
            ? goTo(s.name, { className: "go", title: `Go on to ${phaseName(s.name).toLowerCase()}` }, phaseName(s.name))
            : h("span", {}, phaseName(s.name)),
        ),
      ),
    ),
    h(
      "div",
      { className: "phase-ticks", "aria-hidden": "true" },
      shown.map((s) => h("i", { className: state(s) })),
    ),
  ];
}

/** Where the strip is too narrow for all phases, the one that is now stands in its middle. */
function inSight(steps) {
  const now = $(".now", steps);
  if (now) steps.scrollLeft = now.offsetLeft - steps.offsetLeft - (steps.clientWidth - now.offsetWidth) / 2;
}

let wantedMoment = null;
let fetching = false;

/** Look at a moment; while one is being fetched only the latest wish is kept, and none of the presses is lost. */
async function wantMoment(move) {
  wantedMoment = move;
  if (fetching) return;
  fetching = true;
  try {
    while (wantedMoment !== null) {
      const next = wantedMoment;
      await lookAt(next);
      if (wantedMoment === next) wantedMoment = null;
    }
  } finally {
    fetching = false;
  }
}

export function startTimebar() {
  const slider = $("#history");
  // Every press counts: the slider goes ahead of the positions, which are fetched one at a time, the last one wanted.
  slider.addEventListener("input", () => {
    $("#history-at").textContent = slider.value;
    wantMoment(Number(slider.value));
  });
  $("#history-live").addEventListener("click", () => lookAt(null));
  $("#past-live").addEventListener("click", () => lookAt(null));
  $("#history-copy").addEventListener("click", () => whatIf(store.at));
  $("#history-link").addEventListener("click", async () => {
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    toast("The link to this moment is in the address bar and on the clipboard.");
  });
  subscribe((view) => {
    const clock = view.position.clock;
    const years = [];
    const reading = readYear(view);
    const mayGo = store.at === null && view.position.may_advance && !reading;
    for (let y = clock.years[0]; y <= Math.max(clock.years[1], clock.year); y++) years.push(year(y, clock, mayGo, reading));
    fill($("#track"), years);
    fill($("#phases"), reading ? yearPhases(reading) : phases(clock, mayGo));
    inSight($("#phases .steps"));
    slider.max = view.head;
    if (wantedMoment === null) slider.value = view.position.move;
    slider.setAttribute("aria-valuetext", `move ${view.position.move}, ${clock.text}`);
    $("#history-at").textContent = slider.value;
    $("#history-tools").hidden = store.at === null;
    $("#past").hidden = store.at === null;
    $("#past-at").textContent = `${clock.text}, after move ${store.at}`;
    $("#moment").textContent = `${clock.text}${store.at === null ? "" : `, as it was after move ${store.at}`}`;
    document.title = `${clock.turn_name}, ${phaseName(clock.phase)} · ${view.table.title}`;
  });
}

/** Open a copy of a moment as a table of one's own. */
export async function whatIf(at) {
  const made = await table.post("/what-if", at === null ? {} : { at });
  location.href = made.url;
}
