// What now: every order of this seat with what is left, the next step, and what is not possible, why, and when it is.

import { $, $$, capital, lower, nameOf, several, these } from "./dom.js";
import { advised, forgetAdvice, suggest } from "./advice.js";
import { attempt, cited, table } from "./api.js";
import { attackChosen } from "./battle.js";
import { advance, readyCard } from "./ready.js";
import { titleOf } from "./commands.js";
import { map } from "./map/map.js";
import { openOrder } from "./order.js";
import { openPool } from "./pool.js";
import { showRefusal, tellTrouble } from "./refusal.js";
import { load, lookAt, me, perform, phaseName, position, store, subscribe } from "./store.js";
import { whatIf } from "./timebar.js";
import { openView } from "./topbar.js";
import { ordersGiven } from "./log.js";
import { phoneFigures } from "./rail.js";
import { momentCards } from "./moment.js";
import { chip, chosen, html, panel, seal } from "./ui.js";

const open = chosen();

/** One line: how far the order may go and by which clauses, or what it is for. */
const leftOver = (offer) =>
  offer.room ? [`${offer.room} `, ...(offer.by ?? []).map((c) => chip(c))] : [offer.text];

const actorOf = (offer) => offer.known.power ?? offer.known.by ?? "";
const markOf = (offer) => actorOf(offer)
  ? seal(actorOf(offer))
  : html`<span class="glyph" aria-hidden="true">${offer.family === "ruling" ? "§" : "•"}</span>`;

const keyOf = (offer) => [offer.command, ...Object.values(offer.known)].join(" ");

/** The order to be thought of first: with what it is for, and how far it may go. */
const orderCard = (offer, key) => html`<div class="offer next" key=${keyOf(offer)} data-command=${offer.command} data-power=${actorOf(offer)}>
  ${markOf(offer)}<strong>${titleOf(offer)}</strong>
  <button class="link go" onclick=${() => openOrder(offer)}>
    Open <span class="sr-only">${titleOf(offer)}</span>${key && html`<kbd aria-hidden="true">${key}</kbd>`}
  </button>
  <span class="text">${leftOver(offer)}</span>
</div>`;

/** An order in a line; the same order of several powers has one line, with a seal to press for each. */
function orderLine(offers, key) {
  const [first] = offers;
  const id = keyOf(first);
  const shared = offers.length > 1;
  const press = (offer, ...said) => html`<span key=${keyOf(offer)} data-command=${offer.command}
    data-power=${actorOf(offer)}>
    <button class="link go" title=${titleOf(offer)} aria-label=${`Open ${titleOf(offer)}`}
      onclick=${() => openOrder(offer)}>${said}</button>
  </span>`;
  return html`<div class=${`offer line${shared ? " many" : ""}`} key=${id}>
    ${shared ? html`<span class="glyph" aria-hidden="true">•</span>` : markOf(first)}
    <button class="unfold" aria-expanded=${open.has(id)} onclick=${() => open.turn(id)}>
      ${shared ? first.label : titleOf(first)}${first.meets?.length > 0 && html`<em> owed</em>`}
    </button>
    ${shared
      ? html`<span class="presses">${offers.map((o) => press(o, seal(actorOf(o))))}</span>`
      : press(first, "Open ", key ? html`<kbd aria-hidden="true">${key}</kbd>` : null)}
    ${open.has(id) && offers.map((o) => html`<span class="text" key=${keyOf(o)}>${shared ? `${nameOf(actorOf(o))}: ` : ""}${leftOver(o)}</span>`)}
  </div>`;
}

/** Orders in lines, those of one kind for several powers together. */
const orderLines = (offers, key = "") =>
  [...Map.groupBy(offers, (o) => (o.known.country || o.known.theater ? keyOf(o) : o.command)).values()].map((all, i) => orderLine(all, i ? "" : key));

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
  return html`<div class="offer no" key=${`no ${keyOf(offer)}`} data-command=${offer.command} data-power=${power ?? ""}>
    <span class="glyph" aria-hidden="true">⊘</span>
    <strong>${titleOf(offer)}</strong>
    <button class="link go deny" onclick=${why} aria-label=${`Why not ${titleOf(offer)}?`}>Why not?</button>
    <span class="text">
      ${capital(first.text)}. ${first.next ? `Next chance: ${first.next}. ` : ""}${chip(first.clause, true)}
    </span>
  </div>`;
}

/** A steward that only shows has orders: one press gives them, another looks at them first. */
const stewardCard = (power) => html`<div class="offer next steward" key=${`shows ${power}`} data-power=${power}>
  ${seal(power)}<strong>${nameOf(power)}’s steward has orders to show</strong>
  <button class="link go" onclick=${() => attempt(() => table.post(`/minders/${power}/give`))}>Give them</button>
  <span class="text"><button class="link small" onclick=${() => ask(power)}>Look at them first</button></span>
</div>`;

/** The way on: where the sequence leads next, and what a hand-over means. */
function advanceCard(view, next) {
  const clock = view.position.clock;
  const words = clock.close;
  if (view.ready && !view.ready.alone) return readyCard(view, words);
  const to = clock.next ? `On to ${phaseName(clock.next)}.` : "The other side’s turn: undo then needs consent.";
  const go = () => advance("");
  return html`<div class=${`offer${next ? " next" : ""}`} key="advance" data-command="advance">
    <span class="glyph" aria-hidden="true">→</span>
    <strong>${words}</strong>
    <button class="link go" id="next-step" onclick=${go}>Next <kbd aria-hidden="true">N</kbd></button>
    <span class="text">
      ${to}${" "}
      <button class="link small" onclick=${nextDecision} title="Phases with nothing to decide pass">
        On to my next decision <kbd aria-hidden="true">G</kbd>
      </button>
    </span>
  </div>`;
}

/** What hands do: a mark, a key and what it starts. */
const DEEDS = { move: ["✥", "M", () => map.hands.takeUp()], attack: ["⚔", "A", () => attackChosen()], build: ["✥", "B", () => openPool()] };
const byHand = ({ position: { by_hand: deeds, moving, waits } }) => (deeds.length && moving.length && store.at === null && !waits.length ? deeds : null);

/** What players do with their hands in the phases of movement and combat, and what is reported of it. */
function handCards(view) {
  const cards = byHand(view);
  if (!cards) return [];
  const card = ({ deed, name, text }, i) => html`<div class=${`offer hand${i ? "" : " next"}`} key=${name}>
    <span class="glyph" aria-hidden="true">${DEEDS[deed][0]}</span><strong>${name}</strong>
    <button class="link go" onclick=${DEEDS[deed][2]}>by hand <kbd aria-hidden="true">${DEEDS[deed][1]}</kbd></button>
    <span class="text">${text}${!i && html`<span class="given">${ordersGiven()}</span>`}</span>
  </div>`;
  const reports = view.position.offers.filter((o) => ["report_control", "report_loss"].includes(o.command) && o.available);
  return [cards.map(card), cards.length > 1 && html`<div class="hand-reports">
    ${reports.map((o) => html`<button class="small" onclick=${() => openOrder(o)}>${o.label}</button>`)}
  </div>`];
}

/** Hexes on the way of a march, an enemy's and empty: those that are left ticked are taken by one press. */
const left = chosen();
const marches = (view) => store.at !== null ? [] : view.marched.filter((it) => me().referee || me().powers.includes(it.taker)).map((it) => {
  const places = it.places.filter((key) => !left.has(key));
  return html`<div class="offer marched" key=${it.places.join(" ")}>${seal(it.taker)}<strong>Marched through</strong>
    <button class="link go" disabled=${!places.length} onclick=${() => take(places, it.taker)}>Take ${places.length}</button>
    <span class="text">${it.text}. ${it.places.map((key, i) => html`<label><input type="checkbox" checked=${!left.has(key)} onchange=${() => left.turn(key)} /> ${it.called[i]}</label> `)}</span></div>`;
});

/** Own units that stand alone in an enemy's hex: they hold it only when that is reported, by one press. */
function captures(view) {
  if (store.at !== null) return [];
  return view.position.unreported.filter((it) => me().referee || me().powers.includes(it.taker)).map((it) => html`<div class="offer capture"
    key=${it.place} data-place=${it.place}>
    ${seal(it.taker)}<strong>${it.called} is yours to take</strong>
    <button class="link go" onclick=${() => take([it.place], it.taker)}>Take it <span class="sr-only">${it.called}</span></button>
    <span class="text">Only units of ${nameOf(it.taker)} stand there; ${nameOf(it.holder)} still holds it.</span>
  </div>`);
}

const take = (places, by) => perform("/do", { do: "report_control", places, by }).catch(tellTrouble);

/** A group of orders behind a word. */
function fold(id, text, cards) {
  if (!cards.length) return [null, null];
  const button = html`<button key=${id} id=${`fold-${id}`} aria-expanded=${open.has(id)} onclick=${() => open.turn(id)}>${text}</button>`;
  return [button, open.has(id) ? html`<div class="folded" key=${id}>${cards}</div>` : null];
}

function consent(view) {
  const asked = view.undo.asked;
  if (!asked) return null;
  const seat = view.seats.find((s) => s.id === asked.seat)?.title ?? asked.seat;
  const answer = (agree) => attempt(() => perform("/consent", { agree }));
  return html`<div class="consent" role="status">
    <strong>${asked.mine ? "You asked to undo the last move" : `${seat} asks to undo the last move`}</strong>:${" "}
    ${asked.reason}.
    ${asked.waits_for_me || (me().referee && !me().player && !asked.mine)
      ? html`<div class="row">
        <button class="small main" onclick=${() => answer(true)}>Agree</button>
        <button class="small" onclick=${() => answer(false)}>Do not agree</button>
      </div>`
      : html`<div class="quiet">Waiting for the others.</div>`}
  </div>`;
}

/** What is under way and waits for a reply: mine to give, or somebody else's to wait for. */
function waitCard(it) {
  const who = it.waits_for.map((p) => p.name).join(" and ");
  return html`<div class=${`waits${it.mine ? " mine" : ""}`} role="status" data-operation=${it.id}>
    <strong>${it.mine ? `${it.title}: your reply is awaited` : `${it.title}: the table waits for ${who}`}</strong>
    <div>${capital(it.asks)}. ${chip(it.clause)}</div>
    <ul>${it.lines.map((line) => html`<li>${line}</li>`)}</ul>
  </div>`;
}

/** Confirm the year start that stands before the table, or let its spring begin. */
export const answerYear = (path, year) => attempt(() => table.post(`/year-start/${path}`, { year }).then(() => load()));

/** Whoever is here when a year start is counted is led to it; whoever comes later finds it among the orders. */
export function startYears() {
  let told = store.view?.year_start?.move ?? 0;
  subscribe(({ year_start: now }) => {
    if (!now || now.move === told || store.at !== null) return;
    told = now.move;
    openView("yearstart", now.year);
  });
}

/** A year start that stands before the table: read it, confirm it. */
function yearCard(view) {
  const now = view.year_start;
  if (!now || store.at !== null || (!now.waits && !now.mine)) return null;
  const missing = these(now.missing);
  return html`<div class=${`offer year${now.mine ? " next" : ""}`} data-year=${now.year}>
    <span class="glyph" aria-hidden="true">§</span><strong>${now.year} year start</strong>
    <button class="link go" data-goto="yearstart" data-year=${now.year}>Open the sheet</button>
    <span class="text">
      ${now.mine ? "Counted: read it and confirm it. " : `You have confirmed. `}
      ${now.waits ? `Spring ${now.year} opens when every seat has; it waits for ${missing}. ` : ""}
      ${chip(cited("unspent lapses"))}
    </span>
    ${now.mine && html`<button class="small main confirm" onclick=${() => answerYear("confirm", now.year)}>
      Confirm ${now.waits && html`<kbd aria-hidden="true">N</kbd>`}
    </button>`}
  </div>`;
}

const pastNote = () => html`<div class="history-note">
  <strong>You look at the position after move ${store.at}.</strong>
  <div class="row">
    <button class="small main" onclick=${() => lookAt(null)}>Back to now</button>
    <button class="small" onclick=${() => whatIf(store.at)}>Try from here: what if?</button>
  </div>
</div>`;

/** What should be done now, as the server ranks it: replies that are awaited, duties, the orders of this phase. */
const firstOrders = (view) => {
  const ranked = view.position.offers.filter((o) => o.rank).sort((a, b) => a.rank - b.rank);
  // The same order of another power stands in the same line.
  const kin = (o) => !o.rank && o.available && !o.final && !o.known.country && ranked.some((it) => it.command === o.command);
  return [...ranked, ...view.position.offers.filter(kin)];
};

/** Whose decision is next, in two words. */
function whoseMove(view, mine) {
  const [wait] = view.position.waits;
  if (wait) return wait.mine ? "your reply" : `waits for ${wait.waits_for.map((p) => p.name).join(", ")}`;
  if (view.position.clock.part === "year start") return "Year start";
  return mine ? "your turn" : me().player ? "the other side’s turn" : "looking on";
}

/** Ask what the stewards of powers would do; it is told here. */
const ask = (...powers) => attempt(() => suggest(powers));

/** What a steward would do, at any decision of mine. */
function suggestion(view) {
  const [wait] = view.position.waits;
  const due = firstOrders(view).map((o) => o.known.power ?? o.known.by);
  const asked = wait ? wait.waits_for.map((p) => p.power) : [...due, ...view.position.moving];
  const whose = asked.filter((p) => me().powers.includes(p));
  return whose.length && store.at === null ? html`<button class="link" id="suggest-now" onclick=${() => ask(...whose)}>Suggest</button>` : null;
}

/** So many lines are in sight; the others are folded. */
const LINES = 5;

function draw() {
  const { view } = store;
  if (!view) return null;
  const { offers, waits, clock, moving } = view.position;
  const can = offers.filter((o) => o.available && o.family === "order" && o.command !== "advance");
  const [first] = moving;
  // Of those who wait for the other side's turn to end it is told in their own.
  const others = offers
    .filter((o) => !o.available && o.command !== "advance" && (!first || !o.known.power || moving.includes(o.known.power)))
    .sort((a, b) => Number(b.known.power === first) - Number(a.known.power === first));
  const advanceOffer = offers.find((o) => o.command === "advance");
  // Orders without which the game cannot go on come first, then those that belong to this phase; what can be given at
  // any time comes after the way on, and where armies move it is folded.
  const special = firstOrders(view);
  const hands = byHand(view);
  const general = can.filter((o) => !special.includes(o) && !o.final && actorOf(o));
  const kinds = new Set(general.map((o) => o.command));
  const seen = [...kinds].slice(0, hands && hands[0].deed !== "build" ? 0 : Math.max(2, LINES - special.length));
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
  $("#now-where").textContent = `${whoseMove(view, moving.length > 0)} · ${lower(phaseName(clock.phase))}`;
  return html`
    ${phoneFigures(view)}${store.at === null ? null : pastNote()}${consent(view)}${yearCard(view)}${momentCards(view)}${waits.map(waitCard)}
    ${captures(view)}${marches(view)}${handCards(view)}${lead && orderCard(lead, "B")}
    ${orderLines(special.filter((o) => o !== lead))}
    ${store.at === null && view.showing.map(stewardCard)}
    ${view.position.may_advance && !reading && advanceOffer
      ? advanceOffer.available
        ? advanceCard(view, !special.length && !hands)
        : waits.length ? null : deniedCard(advanceOffer)
      : null}
    ${orderLines(shown, special.length ? "" : "B")}
    ${offers.length
      ? html`<div class="now-groups">${groups.map((g) => g[0])}${suggestion(view)}</div>`
      : store.at === null
        ? html`<p class="quiet">${me().player ? "Nothing to decide now." : "You look on; orders are the players’."}</p>`
        : null}
    ${advised()}${groups.map((g) => g[1])}
  `;
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
  panel($("#now"), draw);
  subscribe((view, before) => before?.head !== view.head && forgetAdvice());
  $("#type-order").addEventListener("click", typeOrder);
  for (const it of $$("[data-press]")) it.addEventListener("click", () => $(it.dataset.press).click());
}

/** For the keys: the first order, and the list of reports. */
export const firstOrder = () => {
  const offer =
    firstOrders(store.view)[0] ??
    position().offers.find((o) => o.available && o.known.power && o.family === "order");
  if (offer) openOrder(offer);
};
export const showReports = () => {
  open.turn("reports", true);
  $("#now .folded button")?.focus();
};
