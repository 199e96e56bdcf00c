// The top bar: which view is open, what is held, undo, theme.

import { $, $$, capital, lower, toast } from "./dom.js";
import { attempt, base } from "./api.js";
import { past, perform, phaseName, shown, store, subscribe } from "./store.js";
import { setSheet } from "./bottom-sheet.js";
import { findPlace, loadBoard } from "./map/atlas.js";
import { map } from "./map/map.js";
import { effect, fill, html, panel, seal, signal, untracked } from "./ui.js";

/** Which view is open, a board or a sheet, and at what of it; which panel of a phone. */
const opened = signal([""]);
const tab = signal("now");

export const openView = (...view) => (opened.value = view);
export const onBoard = () => ["europe", "pacific"].includes(opened.value[0]);

/** Show a place by name or hex id on its board. */
export async function jump(text) {
  await Promise.all([loadBoard("europe"), loadBoard("pacific")]);
  const found = findPlace(text);
  if (!found) return;
  openView(found.board);
  await map.open(found.board);
  map.show(found.hex, 46);
}

/** Do something with every view that is opened. */
export const onView = (work) =>
  effect(() => {
    const view = opened.value;
    if (view[0]) untracked(() => work(...view));
  });

export function openTab(name) {
  tab.value = name;
  if (document.body.dataset.sheet === "peek" && name !== "map") setSheet("half");
  if (!onBoard()) openView("europe");
  dispatchEvent(new Event("resize"));
}

/** What is open is marked; no tab of a phone while a sheet covers what it opened. */
function mark() {
  const [view] = opened.value;
  Object.assign(document.body.dataset, { view, tab: tab.value });
  const current = (buttons, is) => {
    for (const it of $$(buttons)) is(it.dataset) ? it.setAttribute("aria-current", "page") : it.removeAttribute("aria-current");
  };
  current(".views button", (it) => it.view === view);
  current(".phone-tabs button", (it) => onBoard() && it.tab === tab.value);
}

export const undo = (again) =>
  attempt(async () => {
    const done = await perform(again ? "/redo" : "/undo");
    const said = again ? "Done again." : "Undone. The move stays in the log.";
    toast(done.done ? said : "The others are asked: this undo needs consent.");
  });

function holds(view) {
  const powers = view.me.powers;
  const names = view.me.seats.filter((s) => s.role !== "spectator").map((s) => s.title);
  const text =
    powers.length === 8
      ? "all powers"
      : powers.length > 3
        ? names[0]
        : powers.map((p) => view.position.powers.find((it) => it.power === p).name).join(", ");
  const clock = view.position.clock;
  const reading = !past() && view.year_start?.waits;
  const phone = html`<span class="phone-now">
    ${reading ? String(view.year_start.year) : clock.turn_name}
    ${reading
      ? html`<small> Year start · <b>confirm</b></small>`
      : html`<small>${" "}${capital(clock.part)} · <b>${lower(phaseName(clock.phase))}</b></small>`}
  </span>`;
  // So many seals do not fit: then the words stand for them, and stay where the bar is narrow.
  const many = powers.length > 5;
  const held = powers.length ? (many ? `You hold ${text}` : "You hold") : view.me.referee ? "You referee" : "You look on";
  return html`
    ${phone}<span class="words">${held}</span>${many ? [] : powers.map((p) => seal(p))}
    ${!many && html`<strong>${text}</strong>`}
  `;
}

/** The band by which a copy is known as one. */
function copyBand() {
  const { title, parent, parent_move: move } = store.view?.table ?? {};
  document.body.toggleAttribute("data-copy", Boolean(parent));
  return parent && html`
    <strong>A copy</strong><span>${title}, from move ${move} on. It counts for nothing.</span>
    <button class="small" id="compare-copy" onclick=${() => openView("compare", parent)}>Side by side with the game</button>
    <a href=${`${base}/tables/${parent}`}>To the game</a>
  `;
}

export function startTopbar() {
  effect(mark);
  panel($("#copy-band"), copyBand);
  for (const button of $$(".views button")) button.addEventListener("click", () => openView(button.dataset.view));
  for (const button of $$(".phone-tabs button")) button.addEventListener("click", () => openTab(button.dataset.tab));
  $("#undo").addEventListener("click", (event) => undo(event.shiftKey));
  $("#redo").addEventListener("click", () => undo(true));
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-goto]");
    if (target) openView(target.dataset.goto, ...(target.dataset.year ? [Number(target.dataset.year)] : []));
  });
  subscribe((view) => {
    // While a year start is read, it stands where its forecast stood.
    const reading = Boolean(view.year_start && (view.year_start.waits || view.year_start.mine));
    $(".views [data-view=yearstart]").hidden = !reading;
    $(".views [data-view=forecast]").hidden = reading;
    fill($("#holds"), holds(shown(view)));
    $("#undo").disabled =
      store.at !== null || !view.undo.possible || !(view.me.player || view.me.referee);
    $("#redo").hidden = $("[data-press='#redo']").hidden = store.at !== null || !view.undo.redo || !(view.me.player || view.me.referee);
    $("#undo").title = view.undo.free
      ? "Undo (U); with Shift: redo"
      : view.undo.reason
        ? `Undo needs consent: ${view.undo.reason}`
        : "Nothing to undo";
  });
}
