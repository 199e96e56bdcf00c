// A hex or box that was chosen: what it is, who holds it, what may be ordered there, and why the rest may not.

import { $, capital, conceal, counted, isPower, nameOf, pileWords, reveal, several } from "./dom.js";
import { table } from "./api.js";
import { attackChosen } from "./battle.js";
import { described } from "./commands.js";
import { placeNames } from "./map/atlas.js";
import { counter, onCanvas } from "./map/counters.js";
import { foreseen } from "./map/hands.js";
import { openHandSheet } from "./hand-sheet.js";
import { map } from "./map/map.js";
import { openCommand, openOrder, takePlace } from "./order.js";
import { whyNot } from "./refusal.js";
import { served } from "./served.js";
import { live, mine, position, store, subscribe } from "./store.js";
import { Asked, chip, fill, html, seal } from "./ui.js";

/** What the server says can be ordered here: in the past nothing can. */
const ordersHere = (key) => (live() ? table.get("/orders", { key }) : { orders: [], units: [] });

const asOffer = (order) => ({ ...described(order), available: !order.refusals.length });

function openFrom(offer, given) {
  closeHex();
  openOrder(offer, given);
}

function offerLine(offer, given) {
  const about = Object.values(given)
    .flat()
    .map((v) => (String(v).includes("/") ? "" : nameOf(v)))
    .filter(Boolean)
    .join(", ");
  const name = `${offer.label}${offer.known.power ? `: ${nameOf(offer.known.power)}` : ""}${about ? `, ${about}` : ""}`;
  if (!offer.available) {
    return html`<div class="offer no">
      <span class="glyph">⊘</span><strong>${name}</strong>
      <button class="link go deny"
        onclick=${() => whyNot(name, offer.refusals)}>Why not?</button>
      <span class="text">${capital(offer.refusals[0].text)} ${chip(offer.refusals[0].clause, true)}</span>
    </div>`;
  }
  return html`<div class="offer">
    <span class="glyph">•</span><strong>${name}</strong>
    <button class="link go" onclick=${() => openFrom(offer, given)}>Open</button>
    <span class="text">${offer.text}</span>
  </div>`;
}

/** A counter as it lies on the map, with its count. */
const drawn = (pile) => onCanvas(44, 3, (ctx) => counter(ctx, 1, 8, 34, pile, pile.count - 1, 0), "counter");

/** Both sides' piles by nation, each with its key; one's own are taken up by a press, to be put down on the map. */
function piles(key, stack) {
  const nations = [...new Set(stack.map((p) => p.nation))];
  let index = 0;
  return nations.map((nation) => {
    const own = stack.filter((p) => p.nation === nation);
    return html`<div class="piles">
      <p>
        ${isPower(nation) && seal(nation)}<strong> ${nameOf(nation)}</strong>
        <span class="quiet"> ${several(own.reduce((n, p) => n + p.count, 0), "counter")}</span>
      </p>
      <div class="pile-row">
        ${own.map((p) => {
          const may = live() && mine(p.nation);
          const number = may ? ++index : 0;
          return html`<button class="pile-card" disabled=${!may} data-unit=${p.unit} data-nation=${p.nation}
            aria-label=${`${pileWords(p)}${may ? ": take up" : ""}`}
            onclick=${(event) => map.hands.lift(key, [event.shiftKey ? { ...p, count: 1 } : p], null)}>
            ${number && number < 10 ? html`<kbd aria-hidden="true">${number}</kbd>` : null}${drawn(p)}
            <span><strong>${p.count}</strong>${counted(p.count, p.unit, "")}</span>
          </button>`;
        })}
      </div>
    </div>`;
  });
}

/** A side without units here, and where its nearest stand. */
const absent = ({ side, text }) => html`<p class="absent"><strong>${side} here</strong><span class="quiet">${text}</span></p>`;

function stackLines(place, stack, units) {
  const { key } = place;
  if (!stack.length) return place.absent?.map(absent) ?? html`<p class="quiet">No units stand here.</p>`;
  const orders = (p) => units.find((u) => u.nation === p.nation && u.unit === p.unit)?.orders ?? [];
  const lines = stack.filter((p) => orders(p).length).map((p) => html`<div class="fact stack">
    <span>${isPower(p.nation) ? seal(p.nation) : ""} ${nameOf(p.nation)}</span><span>${p.unit}</span>
    <strong>× ${p.count}</strong>
    <span class="unit-orders">
      ${orders(p).map((order) => {
        const offer = asOffer(order);
        return html`<button class="link small" aria-label=${`${offer.label}: ${nameOf(p.nation)} ${p.unit}`}
          onclick=${() => openFrom(offer, order.given)}>${offer.label}</button>`;
      })}
    </span>
  </div>`);
  return [
    piles(key, stack),
    place.absent?.map(absent),
    lines.length ? html`<details><summary>Orders and reports for these units</summary>${lines}</details>` : null,
  ];
}

/** "Germany takes this hex", with what would follow shown before it is pressed. */
function takeAction(hex, power) {
  const order = { do: "report_control", places: [hex.key], by: power };
  return html`<div class="take">
    <button data-act="take" data-power=${power} onclick=${() => map.hands.give({ piles: [] }, hex.key, [order])}>
      ${nameOf(power)} takes this hex
    </button>
    ${foreseen(order)}
  </div>`;
}

/** The deeds of movement and combat that start from this hex. */
function actions(hex, stack) {
  const own = stack.filter((p) => mine(p.nation));
  const [first] = own;
  const attackable = hex.enemies?.some((it) => position().moving.includes(it));
  const press = (text, run, key, act) => html`<button onclick=${run} data-act=${act}>${text} <kbd aria-hidden="true">${key}</kbd></button>`;
  return html`<div class="hex-actions">
    ${first && press("Move to…", () => map.hands.lift(hex.key, [first], null), "M", "move")}
    ${(first || attackable) && press(attackable ? "Attack" : "Attack from here", () => attackChosen(hex), "A", "attack")}
    ${first && isPower(first.nation) && press("Report losses", () => openCommand("report_loss", { power: first.nation, at: hex.key }), "L", "losses")}
    ${hex.id && stack.length > 1 && press("Fan out", () => map.fan.open(hex), "Space", "fan")}
    ${hex.takers?.filter((it) => position().moving.includes(it)).map((power) => takeAction(hex, power))}
  </div>`;
}

function drawLine(line) {
  map.line = line;
  map.moved();
}

/** While the layer of supply is on: the line to this hex, drawn and told. */
function supplyFact(hex) {
  const power = map.supplyPower();
  const ask = async () => {
    const { line } = await table.get("/supply", { board: map.board.name, power, to: hex.key, at: store.at });
    drawLine(line);
    return line;
  };
  const show = (line) => html`<p class="small" role="status">${line ? (line.error ?? `${nameOf(power)}: ${line.said}.`) : "…"}</p>`;
  return html`<${Asked} key=${`${power} ${hex.key}`} ask=${ask} show=${show} />`;
}

/** While the layer of China is on: whose land it is, and which units of that war may go there now. */
function chinaFact(hex) {
  const { china } = map;
  const fact = (label, value, extra) => value && html`<div class="fact"><span>${label}</span><span>${value}</span>${extra ?? html`<span />`}</div>`;
  const land = china.nationalists.includes(hex.id)
    ? "Nationalist China"
    : china.communists.includes(hex.id)
      ? "Communist China"
      : "";
  return [
    fact("China", land),
    china.going.map((g) => fact(g.name, g.hexes.includes(hex.id) ? "may go here" : "not here", chip(g.clause))),
  ];
}

/** Ask for a way over land to another place, and draw it. */
function lineForm(from) {
  const ask = async (event) => {
    const form = event.target;
    const say = (text) => ($("output", form).textContent = text);
    try {
      const found = await table.get("/line", { start: from, end: form.elements.end.value, at: store.at });
      drawLine(found);
      say(found.said);
    } catch (error) {
      say(error.message);
    }
  };
  return html`<form class="line-form" onsubmit=${ask}>
    <label for="line-end">Supply line over land to</label>
    <div class="row">
      <input type="text" id="line-end" name="end" required list="line-places" placeholder="a city or hex" />
      <button type="submit" class="small">Trace</button>
    </div>
    <datalist id="line-places">${placeNames().map((it) => html`<option value=${it} />`)}</datalist>
    <output class="small" role="status" />
  </form>`;
}

function show(title, subtitle, facts, stack, here, place) {
  const card = $("#hex-card");
  const [can, cannot] = [true, false].map((able) =>
    here.orders.filter((it) => !it.refusals.length === able).map((it) => offerLine(asOffer(it), it.given)),
  );
  const held = !card.hidden && again?.key === place.key;
  document.body.dataset.inspects = "yes";
  fill(card, html`
    <header>
      <div><h2 tabIndex="-1">${title}</h2><span class="quiet">${subtitle}</span></div>
      ${place.line && html`<button class="link small push" data-act="line" onclick=${() => drawLine(map.line ? null : place.line)}>
        Show line <kbd aria-hidden="true">S</kbd>
      </button>`}
      <button class="close" aria-label="Close" onclick=${closeHex}>×</button>
    </header>
    <div class="body">
      ${place.land === undefined ? null : facts}
      <h3>Units</h3>
      ${stackLines(place, stack, here.units)}${place.land === undefined && facts}
      ${live() && actions(place, stack)}
      ${place.land && html`<details class="line"><summary>Trace a supply line</summary>${lineForm(place.key)}</details>`}
      <h3>What is legal here</h3>
      ${can}
      ${cannot.length > 0 && html`<details><summary>${cannot.length} not possible here or now</summary>${cannot}</details>`}
      ${!here.orders.length && html`<p class="quiet">
        ${store.at === null ? "No order names this place now." : "This is the past: nothing can be ordered."}
      </p>`}
    </div>
  `);
  reveal(card);
  if (!held) $("h2", card).focus({ preventScroll: true });
}

/** What is inspected, to be looked at again when something has changed. */
let again = null;

export async function openHex(hex) {
  map.select(hex);
  if (takePlace(hex.key) || openHandSheet(hex)) return;
  await inspect(hex);
}

/** All that is known of a hex, beside the map. */
export async function inspect(hex, wanted = () => true) {
  const [found, here] = await Promise.all([table.get("/hex/page", { key: hex.key, at: store.at }), ordersHere(hex.key)]);
  if (!wanted()) return;
  const layers = hex.land && [
    map.layers.supply && supplyFact(hex),
    map.layers.china && map.china && map.board.name === "pacific" && chinaFact(hex),
  ];
  const under = `${hex.id} · ${map.board.name === "europe" ? "Europe" : "Pacific"}`;
  show(found.title, under, [served(found.drawn), layers], map.made.stacks.get(hex.key) ?? [], here, { ...hex, ...found });
  again = { key: hex.key, look: () => inspect(hex, () => again?.key === hex.key && hex.key.startsWith(map.board.name)) };
}

export async function openBox(box) {
  if (!takePlace(box.key)) await inspectBox(box);
}

async function inspectBox({ key, name, clause }, wanted = () => true) {
  const [found, here] = await Promise.all([table.get("/box", { key, at: store.at }), ordersHere(key)]);
  if (!wanted()) return;
  const told = found.told.map((it) => html`<p class="small">${it.text} ${chip(it.clause)}</p>`);
  show(name, "a box beside the board", [html`<div>${chip(clause)}</div>`, ...told], map.made.stacks.get(key) ?? [], here, { key });
  again = { key, look: () => inspectBox({ key, name, clause }, () => again?.key === key) };
}

export function closeHex() {
  if (!conceal($("#hex-card"))) return false;
  again = null;
  delete document.body.dataset.inspects;
  drawLine(null);
  return true;
}

export function startHexCard() {
  subscribe((view, before) => before && before.head !== view.head && !$("#hex-card").hidden && again?.look());
}
