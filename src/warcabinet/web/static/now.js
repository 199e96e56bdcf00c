// What now: every order of this seat with what is left, the next step, and what is not possible, why, and when it is.

import { attackChosen } from "./battle.js";
import { $, capital, lower, nameOf, several, these, toast } from "./dom.js";
import { cited, table } from "./api.js";
import { titleOf } from "./commands.js";
import { openOrder } from "./order.js";
import { showRefusal, tellTrouble } from "./refusal.js";
import { lookAt, me, perform, position, store, subscribe } from "./store.js";
import { phaseName, whatIf } from "./timebar.js";
import { ordersGiven } from "./log.js";
import { phoneFigures } from "./rail.js";
import { readyCard } from "./ready.js";
import { openView } from "./topbar.js";
import { chip, draw, h, seal } from "./ui.js";
import { confirmYear } from "./year-start.js";

const open = new Set();

/** One line: how far the order may go and by which clauses, or what it is for. */
const leftOver = (offer) =>
  offer.room ? [`${offer.room} `, ...(offer.by ?? []).map((c) => chip(c))] : [offer.text];

const actorOf = (offer) => offer.known.power ?? offer.known.by ?? "";
const markOf = (offer) =>
  actorOf(offer) ? seal(actorOf(offer)) : h("span", { className: "glyph", "aria-hidden": "true" }, offer.family === "ruling" ? "§" : "•");

const keyOf = (offer) => [offer.command, ...Object.values(offer.known)].join(" ");

/** The order to be thought of first: with what it is for, and how far it may go. */
function orderCard(offer, key) {
  return h(
    "div",
    { className: "offer next", key: keyOf(offer), dataset: { command: offer.command, power: actorOf(offer) } },
    markOf(offer),
    h("strong", {}, titleOf(offer)),
    h(
      "button",
      { type: "button", className: "link go", onclick: () => openOrder(offer) },
      "Open ",
      h("span", { className: "sr-only" }, titleOf(offer)),
      key ? h("kbd", { "aria-hidden": "true" }, key) : null,
    ),
    h("span", { className: "text" }, leftOver(offer)),
  );
}

/** An order in a line; the same order of several powers has one line, with a seal to press for each. */
function orderLine(offers, key) {
  const [first] = offers;
  const id = keyOf(first);
  const shared = offers.length > 1;
  const press = (offer, ...said) =>
    h(
      "span",
      { key: keyOf(offer), dataset: { command: offer.command, power: actorOf(offer) } },
      h("button", { type: "button", className: "link go", title: titleOf(offer), "aria-label": `Open ${titleOf(offer)}`, onclick: () => openOrder(offer) }, ...said),
    );
  return h(
    "div",
    { className: `offer line${shared ? " many" : ""}`, key: id },
    shared ? h("span", { className: "glyph", "aria-hidden": "true" }, "•") : markOf(first),
    h(
      "button",
      { type: "button", className: "unfold", "aria-expanded": String(open.has(id)), onclick: () => toggle(id) },
      shared ? first.label : titleOf(first),
      first.meets?.length ? h("em", {}, " owed") : null,
    ),
    shared
      ? h("span", { className: "presses" }, offers.map((o) => press(o, seal(actorOf(o)))))
      : press(first, "Open ", key ? h("kbd", { "aria-hidden": "true" }, key) : null),
    open.has(id) ? offers.map((o) => h("span", { className: "text", key: keyOf(o) }, shared ? `${nameOf(actorOf(o))}: ` : "", leftOver(o))) : null,
  );
}

/** Orders in lines, those of one kind for several powers together. */
const orderLines = (offers, key = "") =>
  [...Map.groupBy(offers, (o) => (o.known.country ? keyOf(o) : o.command)).values()].map((all, i) => orderLine(all, i ? "" : key));

const toggle = (id) => {
  open.has(id) ? open.delete(id) : open.add(id);
  show(store.view);
};

function deniedCard(offer) {
  const first = offer.refusals[0];
  const power = offer.known.power;
  // The list says why in a line; asked for by itself, an order also says when its limits would let it pass.
  const why = async () => {
    const form = await table.post("/narrow", { command: offer.command, known: offer.known }).catch(() => null);
    showRefusal({
      sentence: power ? `${nameOf(power)}: ${lower(offer.label)}` : offer.label,
      command: offer.command,
      refusals: form?.refusals.length ? form.refusals : offer.refusals,
      checked: [],
    });
  };
  return h(
    "div",
    { className: "offer no", key: `no ${keyOf(offer)}`, dataset: { command: offer.command, power: power ?? "" } },
    h("span", { className: "glyph", "aria-hidden": "true" }, "⊘"),
    h("strong", {}, power ? `${offer.label}: ${nameOf(power)}` : offer.label),
    h(
      "button",
      {
        type: "button",
        className: "link go deny",
        onclick: why,
        "aria-label": `Why not ${offer.label}${power ? `, ${nameOf(power)}` : ""}?`,
      },
      "Why not?",
    ),
    h(
      "span",
      { className: "text" },
      `${capital(first.text)}. `,
      first.next ? `Next chance: ${first.next}. ` : "",
      chip(first.clause, true),
    ),
  );
}

/** The way on: where the sequence leads next, and what a hand-over means. */
function advanceCard(view, next) {
  const clock = view.position.clock;
  const words = clock.next ? `Close ${phaseName(clock.phase).toLowerCase()}` : "End the player turn";
  if (view.ready && !view.ready.alone) return readyCard(view, words);
  const to = clock.next ? `On to ${phaseName(clock.next)}.` : "The other side’s turn: undo then needs consent.";
  const go = () => advance("");
  return h(
    "div",
    { className: `offer${next ? " next" : ""}`, key: "advance", dataset: { command: "advance" } },
    h("span", { className: "glyph", "aria-hidden": "true" }, "→"),
    h("strong", {}, words),
    h(
      "button",
      { type: "button", className: "link go", id: "next-step", onclick: go },
      "Next ",
      h("kbd", { "aria-hidden": "true" }, "N"),
    ),
    h(
      "span",
      { className: "text" },
      to,
      " ",
      h(
        "button",
        { type: "button", className: "link small", onclick: nextDecision, title: "Phases with nothing to decide pass" },
        "On to my next decision ",
        h("kbd", { "aria-hidden": "true" }, "G"),
      ),
    ),
  );
}

export const advance = (to) => perform("/advance", { to, seq_seen: store.view.seq }).catch((error) => tellTrouble(error));

const MOVE = ["✥", "M", () => document.dispatchEvent(new Event("take-up"))];
const ATTACK = ["⚔", "A", () => attackChosen()];
const POOL = ["✥", "B", () => document.dispatchEvent(new Event("open-pool"))];
/** What hands do in a phase: how, by which key, and what it means. The first is what one comes for. */
const BY_HAND = {
  movement: [
    ["Move your units", "Drag a counter or a stack to a hex, or choose its hex and press M.", MOVE],
    ["Attack", "Drag stacks and aircraft onto an enemy, or choose his hex and press A: the battle sheet opens.", ATTACK],
  ],
  combat: [
    ["Attack and advance", "Drag stacks and aircraft onto an enemy, or choose his hex and press A: the battle sheet opens.", ATTACK],
    ["Move your units", "Those that advance or retreat: drag them, or choose their hex and press M.", MOVE],
  ],
  "unit construction": [["Build by hand", "Drag counters from the force pool to the map, then give the orders together.", POOL]],
  redeployment: [
    ["Redeploy your units", "Drag a counter to where it goes, a box included, or choose its hex and press M.", MOVE],
  ],
};
const byHand = (view) =>
  view.position.moving.length && store.at === null && !view.position.waits.length ? BY_HAND[view.position.clock.phase] : null;

/** What players do with their hands in the phases of movement and combat, and what is reported of it. */
function handCards(view) {
  const cards = byHand(view);
  if (!cards) return [];
  const card = ([name, said, [mark, key, run]], i) =>
    h(
      "div",
      { className: `offer hand${i ? "" : " next"}`, key: name },
      h("span", { className: "glyph", "aria-hidden": "true" }, mark),
      h("strong", {}, name),
      h("button", { type: "button", className: "link go", onclick: run }, "by hand ", h("kbd", { "aria-hidden": "true" }, key)),
      h("span", { className: "text" }, said, i ? null : h("span", { className: "given" }, ordersGiven())),
    );
  const reports = ["report_control", "report_loss"]
    .map((command) => view.position.offers.find((o) => o.command === command && o.available))
    .filter(Boolean);
  return [
    cards.map(card),
    cards.length < 2
      ? null
      : h(
          "div",
          { className: "hand-reports" },
          reports.map((o) =>
            h("button", { type: "button", className: "small", onclick: () => openOrder(o) }, REPORTS[o.command]),
          ),
        ),
  ];
}
const REPORTS = {
  report_control: "A hex was taken",
  report_loss: "Units were lost",
};

/** Own units that stand alone in an enemy's hex: they hold it only when that is reported, by one press. */
function captures(view) {
  if (store.at !== null) return [];
  return view.position.unreported
    .filter((it) => me().referee || me().powers.includes(it.taker))
    .map((it) =>
      h(
        "div",
        { className: "offer capture", key: it.place, dataset: { place: it.place } },
        seal(it.taker),
        h("strong", {}, `${it.called} is yours to take`),
        h("button", { type: "button", className: "link go", onclick: () => report(it) }, "Take it ", h("span", { className: "sr-only" }, it.called)),
        h("span", { className: "text" }, `Only units of ${nameOf(it.taker)} stand there; ${nameOf(it.holder)} still holds it.`),
      ),
    );
}

const report = (it) =>
  perform("/do", { do: "report_control", places: [it.place], by: it.taker, seq_seen: store.view.seq }).catch((error) => tellTrouble(error));

/** A group of orders behind a word. */
function fold(id, text, cards) {
  if (!cards.length) return [null, null];
  const button = h("button", { type: "button", key: id, id: `fold-${id}`, "aria-expanded": String(open.has(id)), onclick: () => toggle(id) }, text);
  return [button, open.has(id) ? h("div", { className: "folded", key: id }, cards) : null];
}

function consent(view) {
  const asked = view.undo.asked;
  if (!asked) return null;
  const seat = view.seats.find((s) => s.id === asked.seat)?.title ?? asked.seat;
  const answer = async (agree) => {
    await perform("/consent", { agree }).catch((e) => toast(e.message, true));
  };
  return h(
    "div",
    { className: "consent", role: "status" },
    h("strong", {}, asked.mine ? "You asked to undo the last move" : `${seat} asks to undo the last move`),
    `: ${asked.reason}.`,
    asked.waits_for_me || (me().referee && !me().player && !asked.mine)
      ? h(
          "div",
          { className: "row" },
          h("button", { type: "button", className: "small main", onclick: () => answer(true) }, "Agree"),
          h("button", { type: "button", className: "small", onclick: () => answer(false) }, "Do not agree"),
        )
      : h("div", { className: "quiet" }, "Waiting for the others."),
  );
}

/** What is under way and waits for a reply: mine to give, or somebody else's to wait for. */
function waitCard(it) {
  const who = it.waits_for.map((p) => p.name).join(" and ");
  return h(
    "div",
    { className: `waits${it.mine ? " mine" : ""}`, role: "status", dataset: { operation: it.id } },
    h("strong", {}, it.mine ? `${it.title}: your reply is awaited` : `${it.title}: the table waits for ${who}`),
    h("div", {}, `${it.asks.charAt(0).toUpperCase()}${it.asks.slice(1)}. `, chip(it.clause)),
    h(
      "ul",
      {},
      it.lines.map((line) => h("li", {}, line)),
    ),
  );
}

/** A year start that stands before the table: read it, confirm it. */
function yearCard(view) {
  const now = view.year_start;
  if (!now || store.at !== null || (!now.waits && !now.mine)) return null;
  const missing = these(now.missing);
  return h(
    "div",
    { className: `offer year${now.mine ? " next" : ""}`, dataset: { year: now.year } },
    h("span", { className: "glyph", "aria-hidden": "true" }, "§"),
    h("strong", {}, `${now.year} year start`),
    h("button", { type: "button", className: "link go", dataset: { goto: "yearstart", year: now.year } }, "Open the sheet"),
    h(
      "span",
      { className: "text" },
      now.mine ? "Counted: read it and confirm it. " : `You have confirmed. `,
      now.waits ? `Spring ${now.year} opens when every seat has; it waits for ${missing}. ` : "",
      chip(cited("unspent lapses")),
    ),
    now.mine
      ? h(
          "button",
          { type: "button", className: "small main confirm", onclick: () => confirmYear(now.year) },
          "Confirm ",
          now.waits ? h("kbd", { "aria-hidden": "true" }, "N") : null,
        )
      : null,
  );
}

function pastNote() {
  return h(
    "div",
    { className: "history-note" },
    h("strong", {}, `You look at the position after move ${store.at}.`),
    h(
      "div",
      { className: "row" },
      h("button", { type: "button", className: "small main", onclick: () => lookAt(null) }, "Back to now"),
      h("button", { type: "button", className: "small", onclick: () => whatIf(store.at) }, "Try from here: what if?"),
    ),
  );
}

/** What should be done now, as the server ranks it: replies that are awaited, duties, the orders of this phase. */
const firstOrders = (view) => view.position.offers.filter((o) => o.rank).sort((a, b) => a.rank - b.rank);

/** Whose decision is next, in two words. */
function whoseMove(view, mine) {
  const [wait] = view.position.waits;
  if (wait) return wait.mine ? "your reply" : `waits for ${wait.waits_for.map((p) => p.name).join(", ")}`;
  if (view.position.clock.part === "year start") return "Year start";
  return mine ? "your turn" : me().player ? "the other side’s turn" : "looking on";
}

/** What a steward would do, at any decision of mine. */
function suggestion(view) {
  const [wait] = view.position.waits;
  const due = firstOrders(view).map((o) => o.known.power ?? o.known.by);
  const asked = wait ? wait.waits_for.map((p) => p.power) : [...due, ...view.position.moving];
  const whose = asked.find((p) => me().powers.includes(p));
  return whose && store.at === null ? h("button", { type: "button", className: "link", id: "suggest-now", onclick: () => openView("plans", whose) }, "Suggest") : null;
}

/** So many lines are in sight; the others are folded. */
const LINES = 5;

function show(view) {
  const { offers, waits, clock, moving } = view.position;
  const can = offers.filter((o) => o.available && o.family === "order" && o.command !== "advance");
  const [first] = moving;
  const others = offers
    .filter((o) => !o.available && o.command !== "advance")
    .sort((a, b) => Number(b.known.power === first) - Number(a.known.power === first));
  const advanceOffer = offers.find((o) => o.command === "advance");
  // Orders without which the game cannot go on come first, then those that belong to this phase; what can be given at
  // any time comes after the way on, and where armies move it is folded.
  const special = firstOrders(view);
  const hands = byHand(view);
  const general = can.filter((o) => !special.includes(o) && !o.final && actorOf(o));
  const kinds = new Set(general.map((o) => o.command));
  const seen = [...kinds].slice(0, hands && clock.phase !== "unit construction" ? 0 : Math.max(2, LINES - special.length));
  const shown = general.filter((o) => seen.includes(o.command));
  const rest = can.filter((o) => !special.includes(o) && !shown.includes(o));
  const lead = !hands && special.length ? special[0] : null;
  const of = (family) => offers.filter((o) => o.available && o.family === family && !(family === "report" && o.replies_to));
  const groups = [
    fold("more", several(orderLines(rest).length, "more order"), orderLines(rest)),
    fold("reports", "Report an outcome", orderLines(of("report"))),
    fold("rulings", "Referee", orderLines(of("ruling"))),
    waits.length ? [null, null] : fold("denied", `${others.length} not possible now`, others.map(deniedCard)),
  ];
  const reading = store.at === null && view.year_start?.waits;
  $("#now-where").textContent = `${whoseMove(view, moving.length > 0)} · ${phaseName(clock.phase).toLowerCase()}`;
  draw(
    $("#now"),
    phoneFigures(view),
    store.at === null ? null : pastNote(),
    consent(view),
    yearCard(view),
    waits.map(waitCard),
    captures(view),
    handCards(view),
    lead ? orderCard(lead, "B") : null,
    orderLines(special.filter((o) => o !== lead)),
    view.position.may_advance && !reading && advanceOffer
      ? advanceOffer.available
        ? advanceCard(view, !special.length && !hands)
        : waits.length
          ? null
          : deniedCard(advanceOffer)
      : null,
    orderLines(shown, special.length ? "" : "B"),
    offers.length
      ? h("div", { className: "now-groups" }, groups.map((g) => g[0]), suggestion(view))
      : store.at === null
        ? h("p", { className: "quiet" }, me().player ? "Nothing to decide now." : "You look on; orders are the players’.")
        : null,
    groups.map((g) => g[1]),
    phoneTools(),
  );
}

/** On a phone the top bar is the clock; what it holds elsewhere stands under the orders. */
function phoneTools() {
  const press = (id, text) => h("button", { type: "button", onclick: () => $(id).click() }, text);
  const view = (name, text) => h("button", { type: "button", dataset: { goto: name } }, text);
  return h(
    "div",
    { className: "phone-tools" },
    h("button", { type: "button", className: "type-order", onclick: typeOrder }, "Type an order"),
    press("#undo", "Undo"),
    $("#redo").hidden ? null : press("#redo", "Redo"),
    press("#talk", "Talk"),
    press("#people", "Seats"),
    press("#theme", "Light or dark"),
    view("forecast", "Forecast"),
    view("plans", "Plans"),
    h("a", { className: "button", href: $("#rules-link").href }, "Rules"),
    view("countries", "Countries"),
    view("aid", "Aid"),
    view("pacific", "Pacific"),
    view("europe", "Europe"),
  );
}

/** On a phone the command line comes when it is asked for, over the map. */
function typeOrder() {
  document.body.dataset.typing = "yes";
  const line = $("#command");
  // A press on a completion leaves the line for a moment before it is taken.
  const left = () => setTimeout(() => document.activeElement !== line && delete document.body.dataset.typing, 250);
  line.addEventListener("blur", left, { once: true });
  line.focus();
}

/** On to the next phase in which this seat has something to decide. */
export const nextDecision = () => advance("my next decision");

export function startNow() {
  subscribe((view) => show(view));
  document.addEventListener("log", () => store.view && show(store.view));
  document.addEventListener("go-on", (event) => advance(event.detail));
}

/** For the keys: the first order, and the list of reports. */
export const firstOrder = () => {
  const offer =
    firstOrders(store.view)[0] ??
    position().offers.find((o) => o.available && o.known.power && o.family === "order");
  if (offer) openOrder(offer);
};
export const showReports = () => {
  open.add("reports");
  show(store.view);
  $("#now .folded button")?.focus();
};
