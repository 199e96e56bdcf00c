// The turn track, the phase strip and the history scrubber.

import { $, copied } from "./dom.js";
import { table } from "./api.js";
import { advance } from "./ready.js";
import { live, lookAt, past, phaseName, shown, store, subscribe } from "./store.js";
import { fill, html } from "./ui.js";

const LETTERS = ["Sp", "Su", "F", "W"];
const NAMES = ["Spring", "Summer", "Fall", "Winter"];

/** A moment ahead that can be gone to by a press; whoever may not is told why. */
const goTo = (to, props, text) => html`<button ...${props} onclick=${() => advance(to)}>${text}</button>`;

/** A year start that seats still read stands before the spring it opens. */
const readYear = (view) => (!past() && view.year_start?.waits ? view.year_start : null);

function year(y, clock, mayGo, reading) {
  const cells = [];
  const read = reading?.year === y;
  if (read)
    cells.push(html`<button class="now year-start" data-goto="yearstart" data-year=${y}
      title=${`The ${y} year start; open its sheet`}>Year start</button>`);
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
    cells.push(ahead
      ? goTo(`${NAMES[season]} ${y}, Axis`, { className: kind + due, title: `${title}; go on to it` }, text)
      : html`<span class=${kind + due} title=${title}>${text}</span>`);
  }
  if (!cells.length) return null;
  return html`<div class=${`year${y === clock.year ? " now" : ""}${cells.length < 3 ? " short" : ""}`}>
    <span>${y}</span>
    <div class="cells">${cells}</div>
  </div>`;
}

/** The strip of phases: whose turn, then each step with how it stands and what a press on it does. */
const strip = (sides, steps) => html`
  <div class="sides">${sides.map(([text, now]) => html`<span class=${now ? "now" : ""}>${text}</span>`)}</div>
  <ol class="steps" aria-label="Phases">
    ${steps.map((it) => html`<li key=${it.text} class=${it.state + (it.automatic ? " auto" : "")} title=${it.title}
      aria-current=${it.state === "now" ? "step" : null}>
      ${it.go
        ? goTo(it.go, { class: "go", title: `Go on to ${it.text.toLowerCase()}` }, it.text)
        : html`<span>${it.text}</span>`}
    </li>`)}
  </ol>
  <div class="phase-ticks" aria-hidden="true">${steps.map((it) => html`<i class=${it.state} />`)}</div>
`;

/** The steps of a year start, all of them counted, then the word of the seats; the spring comes after. */
const yearPhases = ({ steps, year: y }) =>
  strip([["Year start", true]], [
    ...steps.map((name) => ({ text: phaseName(name), state: "done" })),
    { text: "Confirm", state: "now" },
    { text: `Spring ${y}, Axis turn`, state: "later" },
  ]);

function phases(clock, mayGo) {
  const parts =
    clock.part === "year start"
      ? { "year start": `Year start ${clock.year}` }
      : { axis: "Axis turn", allied: "Allied turn" };
  const step = ({ step: at, name, automatic }) => ({
    text: phaseName(name),
    title: name,
    automatic,
    state: at === clock.step ? "now" : at < clock.step ? "done" : "later",
    go: mayGo && at > clock.step ? name : "",
  });
  return strip(
    Object.entries(parts).map(([part, text]) => [text, part === clock.part]),
    clock.steps.filter((it) => !it.automatic || it.step === clock.step).map(step),
  );
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
  const said = "The link to this moment is in the address bar and on the clipboard.";
  $("#history-link").addEventListener("click", () => copied(location.href, said));
  subscribe((now) => {
    const view = shown(now);
    const clock = view.position.clock;
    const years = [];
    const reading = readYear(view);
    const mayGo = live() && view.position.may_advance && !reading;
    for (let y = clock.years[0]; y <= Math.max(clock.years[1], clock.year); y++) years.push(year(y, clock, mayGo, reading));
    fill($("#track"), years);
    fill($("#phases"), reading ? yearPhases(reading) : phases(clock, mayGo));
    inSight($("#phases .steps"));
    slider.max = view.head;
    if (wantedMoment === null) slider.value = view.position.move;
    slider.setAttribute("aria-valuetext", `move ${view.position.move}, ${clock.text}`);
    $("#history-at").textContent = slider.value;
    $("#history-tools").hidden = $("#past").hidden = !past();
    $("#past-at").textContent = `${clock.text}, after move ${store.at}`;
    $("#moment").textContent = `${clock.text}${past() ? `, as it was after move ${store.at}` : ""}`;
    document.title = `${clock.turn_name}, ${phaseName(clock.phase)} · ${view.table.title}`;
  });
}

/** Open a copy of a moment as a table of one's own. */
export async function whatIf(at) {
  const made = await table.post("/what-if", at === null ? {} : { at });
  location.href = made.url;
}
