// Typed orders with completion: "spend germany 12 unit construction", a place to jump to, a clause to open.

import { $, nameOf, toast } from "./dom.js";
import { table } from "./api.js";
import { openClause } from "./explain.js";
import { described } from "./commands.js";
import { openOrder } from "./order.js";
import { advance } from "./ready.js";
import { position, store, subscribe } from "./store.js";
import { jump, openView } from "./topbar.js";
import { effect, fill, html, state } from "./ui.js";

/** What the line could become, for which line that was found, and which of it is chosen. */
const its = state({ found: [], of: "", at: -1 });

/** Open the order that a line means. What was typed stays open to change; only whose order it is, is settled. */
function order({ command, given }) {
  const fits = (o) => o.command === command && Object.entries(o.known).every(([k, v]) => given[k] === v);
  openOrder(position().offers.find(fits) ?? described({ command, known: {} }), given);
}

/** A word that means nothing stays in the line and is pointed out. */
function wrong({ at: [word], start, note }) {
  const input = $("#command");
  input.focus();
  input.setSelectionRange(start, start + word.length);
  toast(`“${word}” is not understood: ${note}`, true);
}

/** What a choice does: some leave the line as it is, or change it; after the others it is empty. */
const STAYS = {
  wrong,
  fill: ({ text }) => {
    $("#command").value = text;
    renew();
  },
  nothing: () => toast(`“${$("#command").value.trim()}” is no order, place or clause. Orders begin with a verb: mobilize, build, spend.`, true),
};
const DOES = {
  order,
  go: ({ at: [to] }) => advance(to),
  place: ({ at: [place] }) => jump(place),
  country: ({ at: [id] }) => openView("countries", id),
  power: ({ at }) => openView("powers", ...at),
  clause: ({ at: [clause] }) => openClause(clause, $("#command")),
};

function draw() {
  const { found, at } = its;
  const input = $("#command");
  $("#completions").hidden = !found.length;
  input.ariaExpanded = String(!!found.length);
  const press = (it) => (e) => {
    e.preventDefault();
    take(it);
  };
  fill($("#completions"), found.map((it, i) => html`<li role="option" id=${`completion-${i}`}
    class=${it.does === "wrong" ? "wrong" : ""} aria-selected=${i === at} onpointerdown=${press(it)}>
    <span>${it.text}</span><span>${it.note}</span>
  </li>`));
  if (at < 0) return input.removeAttribute("aria-activedescendant");
  input.setAttribute("aria-activedescendant", `completion-${at}`);
  $(`#completion-${at}`)?.scrollIntoView({ block: "nearest" });
}

const close = () => Object.assign(its, { found: [], of: "", at: -1 });

function take(it) {
  if (it.does in STAYS) return STAYS[it.does](it);
  clear();
  DOES[it.does](it);
}

function clear() {
  $("#command").value = "";
  close();
  $("#command").blur();
}

async function renew() {
  const line = $("#command").value;
  const found = line.trim() ? await table.post("/complete", { line }).catch(() => []) : [];
  if ($("#command").value === line) Object.assign(its, { found, of: line, at: found.length ? 0 : -1 });
}

async function key(event) {
  const input = event.target;
  const fills = (it) => it?.does === "fill";
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const does = by ? () => (its.at = Math.max(0, Math.min(its.found.length - 1, its.at + by)))
    : event.key === "Tab" && its.found.some(fills) ? () => take(fills(its.found[its.at]) ? its.found[its.at] : its.found.find(fills))
    : event.key === "Enter" ? () => its.found[its.at] && take(its.found[its.at])
    : event.key === "Escape" ? clear : null;
  if (!does) return;
  event.preventDefault();
  if (event.key === "Escape") event.stopPropagation();
  if (event.key === "Enter" && its.of !== input.value) await renew();
  does();
}

export function startCommandLine() {
  const input = $("#command");
  effect(draw);
  input.addEventListener("input", renew);
  // A press on a completion leaves the line for a moment before it is taken.
  input.addEventListener("blur", () => setTimeout(() => document.activeElement === input || close(), 120));
  input.addEventListener("keydown", key);
  subscribe(() => {
    const [power] = store.view.me.powers;
    $("#command-hint").textContent = power ? `build ${nameOf(power).toLowerCase()} infantry` : "Berlin";
  });
}
