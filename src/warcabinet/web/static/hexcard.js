// A hex or box that was chosen: what it is, who holds it, what may be ordered there, and why the rest may not.

import { attackChosen } from "./battle.js";
import { $, capital, chip, fill, h, hide, isPower, nameOf, returningFocus, seal, several } from "./dom.js";
import { table } from "./api.js";
import { described } from "./commands.js";
import { placeNames } from "./map/atlas.js";
import { counter, onCanvas } from "./map/counters.js";
import { mine } from "./map/hands.js";
import { openHandSheet } from "./hand-sheet.js";
import { map } from "./map/map.js";
import { openCommand, openOrder, takePlace } from "./order.js";
import { showRefusal } from "./refusal.js";
import { live, lookAt, position, store, subscribe } from "./store.js";

let giveBack = null;

const ROLES = {
  key_area: "key economic area",
  key_city: "key city",
  ic_site: "industrial center",
  supply_unlimited: "unlimited supply source",
  supply_limited: "limited supply source",
  air_base: "air base",
  oil_center: "oil center",
};
const role = (r) => `${ROLES[r.role] ?? r.role}${r.of ? ` of ${nameOf(r.of)}` : ""}`;

/** What the server says can be ordered here: in the past nothing can. */
const ordersHere = (key) => (live() ? table.get("/orders", { key }) : { orders: [], units: [] });

const asOffer = (order) => ({ ...described(order), available: !order.refusals.length });

function offerLine(offer, given) {
  const about = Object.values(given)
    .flat()
    .map((v) => (String(v).includes("/") ? "" : nameOf(v)))
    .filter(Boolean)
    .join(", ");
  const name = `${offer.label}${offer.known.power ? `: ${nameOf(offer.known.power)}` : ""}${about ? `, ${about}` : ""}`;
  if (!offer.available) {
    return h(
      "div",
      { className: "offer no" },
      h("span", { className: "glyph" }, "⊘"),
      h("strong", {}, name),
      h(
        "button",
        {
          type: "button",
          className: "link go deny",
          onclick: () => showRefusal({ sentence: name, refusals: offer.refusals, checked: [] }),
        },
        "Why not?",
      ),
      h("span", { className: "text" }, `${capital(offer.refusals[0].text)} `, chip(offer.refusals[0].clause, true)),
    );
  }
  return h(
    "div",
    { className: "offer" },
    h("span", { className: "glyph" }, "•"),
    h("strong", {}, name),
    h(
      "button",
      {
        type: "button",
        className: "link go",
        onclick: () => {
          closeHex();
          openOrder(offer, given);
        },
      },
      "Open",
    ),
    h("span", { className: "text" }, offer.text),
  );
}

/** A counter as it lies on the map, with its count. */
const drawn = (pile) => onCanvas(44, 3, (ctx) => counter(ctx, 1, 8, 34, pile, pile.count - 1, 0), "counter");

/** Both sides' piles by nation, each with its key; one's own are taken up by a press, to be put down on the map. */
function piles(key, stack) {
  const nations = [...new Set(stack.map((p) => p.nation))];
  let index = 0;
  return nations.map((nation) => {
    const own = stack.filter((p) => p.nation === nation);
    return h(
      "div",
      { className: "piles" },
      h(
        "p",
        {},
        isPower(nation) ? seal(nation) : null,
        h("strong", {}, ` ${nameOf(nation)}`),
        h("span", { className: "quiet" }, ` ${several(own.reduce((n, p) => n + p.count, 0), "counter")}`),
      ),
      h(
        "div",
        { className: "pile-row" },
        own.map((p) => {
          const may = live() && mine(p.nation);
          const number = may ? ++index : 0;
          return h(
            "button",
            {
              type: "button",
              className: "pile-card",
              disabled: !may,
              dataset: { unit: p.unit, nation: p.nation },
              "aria-label": `${p.count} ${nameOf(p.nation)} ${p.unit}${may ? ": take up" : ""}`,
              onclick: (event) => map.hands.lift(key, [event.shiftKey ? { ...p, count: 1 } : p], null),
            },
            number && number < 10 ? h("kbd", { "aria-hidden": "true" }, String(number)) : null,
            drawn(p),
            h("span", {}, h("strong", {}, String(p.count)), ` ${p.unit}`),
          );
        }),
      ),
    );
  });
}

/** On which side a nation is now: that of its power, or of the power that leads it. */
function sideOf(nation) {
  const power = isPower(nation) ? nation : position().countries.find((c) => c.id === nation)?.by;
  return position().powers.find((p) => p.power === power)?.player ?? "";
}

const apart = (a, b) => {
  const [rows, cols] = [a.row - b.row, a.col - b.col];
  return (Math.abs(rows) + Math.abs(cols) + Math.abs(rows + cols)) / 2;
};

/** A side without units here, and where its nearest stand. */
function absent(hex, stack) {
  if (!hex.id) return null;
  return [["axis", "Axis"], ["allied", "Allies"]]
    .filter(([side]) => !stack.some((p) => sideOf(p.nation) === side))
    .map(([side, name]) => {
      const near = [...map.made.stacks]
        .filter(([key, piles]) => key.startsWith(`${map.board.name}/`) && piles.some((p) => sideOf(p.nation) === side))
        .map(([key, piles]) => [map.board.hexes.get(key.split("/")[1]), piles.filter((p) => sideOf(p.nation) === side)])
        .filter(([there]) => there)
        .sort(([a], [b]) => apart(hex, a) - apart(hex, b))[0];
      const count = near?.[1].reduce((n, p) => n + p.count, 0);
      const said = near ? `none; nearest ${map.board.title(near[0])}, ${several(apart(hex, near[0]), "hex", "hexes")} off, ${several(count, "counter")}` : "none on this board";
      return h("p", { className: "absent" }, h("strong", {}, `${name} here`), h("span", { className: "quiet" }, said));
    });
}

function stackLines(place, stack, units) {
  const { key } = place;
  if (!stack.length) return place.id ? absent(place, stack) : [h("p", { className: "quiet" }, "No units stand here.")];
  const orders = (p) => units.find((u) => u.nation === p.nation && u.unit === p.unit)?.orders ?? [];
  const lines = stack.filter((p) => orders(p).length).map((p) =>
    h(
      "div",
      { className: "fact stack" },
      h("span", {}, isPower(p.nation) ? seal(p.nation) : "", ` ${nameOf(p.nation)}`),
      h("span", {}, p.unit),
      h("strong", {}, `× ${p.count}`),
      h(
        "span",
        { className: "unit-orders" },
        orders(p).map((order) => {
          const offer = asOffer(order);
          return h(
            "button",
            {
              type: "button",
              className: "link small",
              "aria-label": `${offer.label}: ${nameOf(p.nation)} ${p.unit}`,
              onclick: () => {
                closeHex();
                openOrder(offer, order.given);
              },
            },
            offer.label,
          );
        }),
      ),
    ),
  );
  return [piles(key, stack), absent(place, stack), lines.length ? h("details", {}, h("summary", {}, "Orders and reports for these units"), lines) : null];
}

/** Who may take a hex by one press: the powers of this seat that move now and are at war with its holder. */
function takers(hex, holder, stack = []) {
  if (!hex?.land || !live() || !holder) return [];
  const atWar = (one, other) => position().wars.some((w) => w.between.includes(one) && w.between.includes(other));
  const enemies = (p, other) => atWar(p, other) || atWar(p, position().countries.find((c) => c.id === other)?.by);
  // Where an enemy stands a battle decides, not a press.
  const free = (p) => !stack.some((it) => enemies(p, it.nation));
  return position().moving.filter((p) => p !== holder && mine(p) && enemies(p, holder) && free(p));
}

/** "Germany takes this hex", with what would follow shown before it is pressed. */
function takeAction(hex, power) {
  const order = { do: "report_control", places: [hex.key], by: power };
  const follows = h("ul", { className: "follows" });
  const ask = async () => {
    if (!follows.childElementCount) await map.hands.foresee(follows, order);
  };
  const button = h(
    "button",
    { type: "button", dataset: { act: "take", power }, onclick: () => map.hands.give({ piles: [] }, hex.key, [order]) },
    `${nameOf(power)} takes this hex`,
  );
  button.addEventListener("pointerenter", ask);
  button.addEventListener("focus", ask);
  return h("div", { className: "take" }, button, follows);
}

/** The deeds of movement and combat that start from this hex. */
function actions(hex, stack, holder) {
  const own = stack.filter((p) => mine(p.nation));
  const [first] = own;
  const press = (text, run, key, act) =>
    h("button", { type: "button", onclick: run, dataset: { act } }, text, " ", h("kbd", { "aria-hidden": "true" }, key));
  return h(
    "div",
    { className: "hex-actions" },
    first ? press("Move to…", () => map.hands.lift(hex.key, [first], null), "M", "move") : null,
    first || takers(hex, holder).length ? press(takers(hex, holder).length ? "Attack" : "Attack from here", () => attackChosen(hex), "A", "attack") : null,
    first && isPower(first.nation)
      ? press("Report losses", () => openCommand("report_loss", { power: first.nation, at: hex.key }), "L", "losses")
      : null,
    hex.id && stack.length > 1 ? press("Fan out", () => map.fan.open(hex), "Space", "fan") : null,
    takers(hex, holder, stack).map((power) => takeAction(hex, power)),
  );
}

/** While the layer of supply is on: the line to this hex, drawn and told. */
function supplyFact(hex) {
  const said = h("p", { className: "small", role: "status" }, "…");
  const power = map.supplyPower();
  table
    .get("/supply", { board: map.board.name, power, to: hex.key, at: store.at })
    .then(({ line }) => {
      map.line = line;
      map.moved();
      said.textContent = line.found
        ? `${nameOf(power)}: supplied over land, ${several(line.steps, "hex", "hexes")} from a source.`
        : line.by_sea
          ? `${nameOf(power)}: no land line, but ships reach a port from which it is supplied.`
          : line.cut.length
            ? `${nameOf(power)}: cut off; ${line.cut.map((k) => k.split("/")[1]).join(", ")} would have to be held.`
            : `${nameOf(power)}: no line leads here.`;
    })
    .catch((error) => {
      said.textContent = error.message;
    });
  return said;
}

/** While the layer of China is on: whose land it is, and which units of that war may go there now. */
function chinaFact(hex, fact) {
  const { china } = map;
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
  const said = h("p", { className: "small", role: "status" });
  const list = h(
    "datalist",
    { id: "line-places" },
    placeNames().map((p) => h("option", { value: p })),
  );
  const ask = async (event) => {
    event.preventDefault();
    try {
      const found = await table.get("/line", { start: from, end: event.target.elements.end.value, at: store.at });
      map.line = found;
      map.moved();
      const names = found.cut.map((k) => k.split("/")[1]).join(", ");
      said.textContent = found.found
        ? `Open: ${several(found.steps, "hex", "hexes")} over land of the ${nameOf(found.of)}.`
        : found.cut.length
          ? `Cut: ${names} would have to be held.`
          : "No land leads there.";
    } catch (error) {
      said.textContent = error.message;
    }
  };
  return h(
    "form",
    { className: "line-form", onsubmit: ask },
    h("label", { htmlFor: "line-end" }, "Supply line over land to"),
    h(
      "div",
      { className: "row" },
      h("input", {
        type: "text",
        id: "line-end",
        name: "end",
        required: true,
        list: "line-places",
        placeholder: "a city or hex",
      }),
      h("button", { type: "submit", className: "small" }, "Trace"),
    ),
    list,
    said,
  );
}

/** What may not be ordered here, folded: each with its reason. */
function notHere(denied) {
  if (!denied.length) return null;
  return h("details", {}, h("summary", {}, `${denied.length} not possible here or now`), denied);
}

/** The line of supply as one row: how it is open and over which places, its length, or what cuts it. */
function supplyRow({ power, line, through }) {
  const way = through.length > 3 ? [...through.slice(0, 2), through.at(-1)] : through;
  const said = line.found
    ? line.steps
      ? ["open by land", way.join(", ")].filter(Boolean).join(": ")
      : "a source of supply"
    : line.by_sea
      ? "open by sea"
      : line.cut.length
        ? `cut; ${line.cut.map((k) => k.split("/")[1]).join(", ")} would have to be held`
        : "no line leads here";
  return [`${nameOf(power)} ${said}`, line.steps ? h("span", {}, several(line.steps, "hex", "hexes")) : null];
}

/** Whose armor keeps its zone of control over the hex. */
function zonesRow(zones, stack) {
  const here = (nation) => stack.some((p) => p.nation === nation && /^(armor|mechanized)/.test(p.unit));
  const standing = [...new Set(stack.map((p) => p.nation))].filter(here).map((n) => `${nameOf(n)}’s armor stands here`);
  return [...standing, ...zones.filter((n) => !here(n)).map((n) => `${nameOf(n)}’s reaches here`)].join("; ");
}

/** Draw the line that the inspector tells of, or put it away. */
function showLine(line) {
  map.line = map.line ? null : line;
  map.moved();
}

function show(title, subtitle, facts, stack, here, place) {
  const card = $("#hex-card");
  const orders = here.orders.map((order) => offerLine(asOffer(order), order.given));
  const held = !card.hidden && again?.key === place.key;
  if (card.hidden) giveBack = returningFocus();
  document.body.dataset.inspects = "yes";
  fill(
    card,
    h(
      "header",
      {},
      h("div", {}, h("h2", { tabIndex: -1 }, title), h("span", { className: "quiet" }, subtitle)),
      place.line
        ? h("button", { type: "button", className: "link small push", dataset: { act: "line" }, onclick: () => showLine(place.line) }, "Show line ", h("kbd", { "aria-hidden": "true" }, "S"))
        : null,
      h("button", { type: "button", className: "close", "aria-label": "Close", onclick: closeHex }, "×"),
    ),
    h(
      "div",
      { className: "body" },
      place.land === undefined ? null : facts,
      h("h3", {}, "Units"),
      stackLines(place, stack, here.units),
      // A box says who is in it before what its chapter says of it.
      place.land === undefined ? facts : null,
      live() ? actions(place, stack, place.holder) : null,
      place.land ? h("details", { className: "line" }, h("summary", {}, "Trace a supply line"), lineForm(place.key)) : null,
      h("h3", {}, "What is legal here"),
      orders.length
        ? [orders.filter((o) => !o.matches(".no")), notHere(orders.filter((o) => o.matches(".no")))]
        : h(
            "p",
            { className: "quiet" },
            store.at === null ? "No order names this place now." : "This is the past: nothing can be ordered.",
          ),
    ),
  );
  card.hidden = false;
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
async function inspect(hex, wanted = () => true) {
  const [found, here] = await Promise.all([
    table.get("/hex", { key: hex.key, at: store.at }),
    ordersHere(hex.key),
  ]);
  if (!wanted()) return;
  const names = found.places.map((p) => p.name);
  const fact = (label, value, extra) =>
    value ? h("div", { className: "fact" }, h("span", {}, label), h("span", {}, value), extra ?? h("span")) : null;
  const holder = map.made.held.holder.get(hex.id);
  const stack = map.made.stacks.get(hex.key) ?? [];
  const since = found.since?.move > 1 ? found.since : null;
  const facts = [
    fact("Terrain", [found.terrain || (hex.land ? "clear" : ""), found.kind === "land" ? "inland" : found.kind].filter(Boolean).join(", ")),
    hex.land
      ? fact(
          "Held by",
          h("span", {}, isPower(holder) ? seal(holder) : null, ` ${nameOf(holder) || "nobody"}, since ${since ? since.turn : "the start"}`),
          since
            ? h("button", { type: "button", className: "link small", title: "Look at the position after this move", onclick: () => lookAt(since.move) }, `entry ${since.move}`)
            : null,
        )
      : null,
    fact("Land", found.land),
    found.supply ? fact("Supply", ...supplyRow(found.supply)) : null,
    fact("Zones", zonesRow(found.zones, stack)),
    found.places.map((p) => fact(p.name, p.roles.map(role).join(", ") || "city")),
    position()
      .waters.filter((w) => w.hexes.includes(hex.key))
      .map((w) => fact(w.name, w.text, chip(w.clause))),
    found.own_rules.length
      ? h("ul", { className: "prospects" }, found.own_rules.map((it) => h("li", {}, it.text, " ", chip(it.clause))))
      : null,
    hex.land && map.layers.supply ? supplyFact(hex) : null,
    hex.land && map.layers.china && map.china && map.board.name === "pacific" ? chinaFact(hex, fact) : null,
  ];
  show(
    names.length ? names.join(", ") : `Hex ${hex.id}`,
    `${hex.id} · ${map.board.name === "europe" ? "Europe" : "Pacific"}`,
    facts,
    stack,
    here,
    { ...hex, holder, line: found.supply?.line.path.length || found.supply?.line.cut.length ? found.supply.line : null },
  );
  again = { key: hex.key, look: () => inspect(hex, () => again?.key === hex.key && hex.key.startsWith(map.board.name)) };
}

async function openBox(box) {
  if (!takePlace(box.key)) await inspectBox(box);
}

async function inspectBox({ key, name, clause }, wanted = () => true) {
  const [found, here] = await Promise.all([table.get("/box", { key, at: store.at }), ordersHere(key)]);
  if (!wanted()) return;
  const told = found.told.map((it) => h("p", { className: "small" }, `${it.text} `, chip(it.clause)));
  show(name, "a box beside the board", [h("div", {}, chip(clause)), ...told], map.made.stacks.get(key) ?? [], here, { key });
  again = { key, look: () => inspectBox({ key, name, clause }, () => again?.key === key) };
}

export function closeHex() {
  const card = $("#hex-card");
  if (card.hidden) return false;
  again = null;
  map.line = null;
  delete document.body.dataset.inspects;
  map.moved();
  hide(card, giveBack);
  return true;
}

export function startHexCard() {
  document.addEventListener("open-hex", (event) => openHex(event.detail));
  document.addEventListener("inspect", (event) => inspect(event.detail));
  document.addEventListener("open-box", (event) => openBox(event.detail));
  subscribe((view, before) => before && before.head !== view.head && !$("#hex-card").hidden && again?.look());
}
