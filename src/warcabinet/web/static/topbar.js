// The top bar: which view is open, what is held, undo, theme.

import { $, $$, capital, toast } from "./dom.js";
import { attempt } from "./api.js";
import { perform, store, subscribe } from "./store.js";
import { setSheet } from "./bottom-sheet.js";
import { phaseName } from "./timebar.js";
import { fill, html, seal } from "./ui.js";

const watchers = [];
export const onView = (watcher) => watchers.push(watcher);

/** Open one of the views: a board, or a sheet. */
export function openView(view, ...more) {
  document.body.dataset.view = view;
  for (const button of $$(".views button")) button.toggleAttribute("aria-current", button.dataset.view === view);
  const current = $(`.views button[data-view="${view}"]`);
  if (current) current.setAttribute("aria-current", "page");
  markTab();
  for (const watcher of watchers) watcher(view, ...more);
}

const onBoard = () => ["europe", "pacific"].includes(document.body.dataset.view);

/** Which tab of a phone is shown as open: none while a sheet covers what it opened. */
function markTab() {
  for (const button of $$(".phone-tabs button")) {
    if (onBoard() && button.dataset.tab === document.body.dataset.tab) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  }
}

export function openTab(tab) {
  document.body.dataset.tab = tab;
  if (document.body.dataset.sheet === "peek" && tab !== "map") setSheet("half");
  if (!onBoard()) openView("europe");
  markTab();
  dispatchEvent(new Event("resize"));
}

export const undo = (again) =>
  attempt(async () => {
    const done = await perform(again ? "/redo" : "/undo");
    toast(
      done.done
        ? again
          ? "Done again."
          : "Undone. The move stays in the log."
        : "The others are asked: this undo needs consent.",
    );
  });

export function toggleTheme() {
  const dark = document.documentElement.dataset.theme !== "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.setItem("warcabinet-theme", dark ? "dark" : "light");
  document.dispatchEvent(new Event("theme"));
}

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
  const reading = store.at === null && view.year_start?.waits;
  const phone = html`<span class="phone-now">
    ${reading ? String(view.year_start.year) : clock.turn_name}
    ${reading
      ? html`<small> Year start · <b>confirm</b></small>`
      : html`<small>${" "}${capital(clock.part)} · <b>${phaseName(clock.phase).toLowerCase()}</b></small>`}
  </span>`;
  // So many seals do not fit: then the words stand for them, and stay where the bar is narrow.
  const many = powers.length > 5;
  const held = powers.length ? (many ? `You hold ${text}` : "You hold") : view.me.referee ? "You referee" : "You look on";
  return html`
    ${phone}<span class="words">${held}</span>${many ? [] : powers.map((p) => seal(p))}
    ${!many && html`<strong>${text}</strong>`}
  `;
}

export function startTopbar() {
  for (const button of $$(".views button")) button.addEventListener("click", () => openView(button.dataset.view));
  for (const button of $$(".phone-tabs button")) button.addEventListener("click", () => openTab(button.dataset.tab));
  $("#undo").addEventListener("click", (event) => undo(event.shiftKey));
  $("#redo").addEventListener("click", () => undo(true));
  $("#theme").addEventListener("click", toggleTheme);
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-goto]");
    if (target) openView(target.dataset.goto, ...(target.dataset.year ? [Number(target.dataset.year)] : []));
  });
  subscribe((view) => {
    // While a year start is read, it stands where its forecast stood.
    const reading = Boolean(view.year_start && (view.year_start.waits || view.year_start.mine));
    $(".views [data-view=yearstart]").hidden = !reading;
    $(".views [data-view=forecast]").hidden = reading;
    fill($("#holds"), holds(view));
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
