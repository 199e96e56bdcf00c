// Building by hand: the force pool under the map, counters laid as ghosts, all of them ordered together or none.

import { $, $$, chip, fill, h, nameOf, priceOf, seal, signed, toast } from "./dom.js";
import { cited, table, tableId } from "./api.js";
import { setSheet } from "./bottom-sheet.js";
import { placeCalled } from "./map/atlas.js";
import { counter, onCanvas } from "./map/counters.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { openOrder } from "./order.js";
import { tellTrouble } from "./refusal.js";
import { live, perform, position, power, store, subscribe } from "./store.js";

const PHASE = "unit construction";
const GROUPS = [
  ["Armor", /armor/],
  ["Infantry", /infantry|replacement|partisan/],
  ["Air", /air|interceptor|bomber/],
  ["Naval", /destroyer|cruiser|carrier|battle|transport|submarine|asw/],
  ["Other", /./],
];
let whose = "";
let stock = []; // { unit, count, cost }

export const poolOpen = () => !$("#pool").hidden;
/** Orders that are not given yet: counters laid on the map, seen by nobody else. */
const laid = () => map.ghosts;

/** What is laid outlives the page that is loaded again, as long as the phase lasts. */
const KEPT = `warcabinet-laid-${tableId}`;
const keepLaid = () => {
  const ghosts = laid().map(({ power, unit, count, at, cost }) => ({ power, unit, count, at, cost }));
  if (ghosts.length) sessionStorage.setItem(KEPT, JSON.stringify({ moment: position().clock.moment, ghosts }));
  else sessionStorage.removeItem(KEPT);
};
function layAgain() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
  if (kept && builds() && kept.moment === position().clock.moment) map.ghosts = kept.ghosts;
}

const laidOf = (unit) =>
  laid()
    .filter((g) => g.power === whose && g.unit === unit)
    .reduce((n, g) => n + g.count, 0);
const costOf = (unit) => stock.find((p) => p.unit === unit)?.cost ?? 0;

/** What is in the hand out of this pool, and what it would cost. */
const held = () => (map.hands.held?.key === "pool" ? map.hands.held.piles[0] : null);
const heldCost = () => (held() ? held().count * costOf(held().unit) : 0);

const drawn = (pile) => onCanvas(52, 3, (ctx) => counter(ctx, 2, 10, 38, pile, pile.count - 1, 0));

/** What one unit costs, by the kind that the form describes: a kind by piece, or by the factors of its strength. */
function priced(unit, kinds) {
  const kind = kinds.filter((k) => unit.startsWith(k.unit)).sort((a, b) => b.unit.length - a.unit.length)[0];
  const factors = kind?.per === "factor" ? Number(/(\d+)-\d+$/.exec(unit)?.[1] ?? 1) : 1;
  return { cost: (kind?.cost ?? 0) * factors, rate: kind?.cost ?? 0, per: kind?.per, assumed: kind?.assumed };
}

async function learnPool() {
  const form = await table.post("/narrow", { command: "build", known: { power: whose } });
  const field = form.fields.units;
  stock = (field?.pool ?? []).map((p) => ({ ...p, ...priced(p.unit, field.kinds) }));
}

/** Take a counter out of the pool: the rules are asked where it may be built. */
function take(pile, all, at) {
  const left = pile.count - laidOf(pile.unit);
  if (left < 1) return;
  const count = all ? left : 1;
  map.hands.lift("pool", [{ nation: whose, unit: pile.unit, count }], at, {
    from: `the force pool, ${priceOf(count * pile.cost, "BRPs")}`,
    ask: { command: "build", field: "at", known: { power: whose, units: [`${count} ${pile.unit}`] } },
    says: () => afterIt(count * pile.cost),
    drop: (key) => lay(pile.unit, count, key),
  });
}

/** What a counter that is put down would cost, and how much of the limit is used then. */
function afterIt(cost) {
  const { built = 0, limit = 0 } = power(whose)?.figures ?? {};
  const used = built + cost + laid().filter((g) => g.power === whose).reduce((n, g) => n + g.count * g.cost, 0);
  return `${signed(-cost)}, ${used} of ${limit} then, ${limit - used} left`;
}

function lay(unit, count, at) {
  const same = laid().find((g) => g.power === whose && g.unit === unit && g.at === at);
  if (same) same.count += count;
  else laid().push({ power: whose, unit, count, at, cost: costOf(unit) });
  draw();
}

function takeBack(ghost) {
  map.ghosts = ghost ? laid().filter((g) => g !== ghost) : [];
  draw();
}

/** The orders that the ghosts stand for, one for each power and place. */
function orders() {
  const found = new Map();
  for (const g of laid()) {
    const key = `${g.power}|${g.at}`;
    if (!found.has(key)) found.set(key, { do: "build", power: g.power, at: g.at, units: [] });
    found.get(key).units.push(`${g.count} ${g.unit}`);
  }
  return [...found.values()];
}

/** Give all of them, or none: on a refusal nothing is built, and what is at fault is told. */
export async function giveAll() {
  if (!laid().length) return;
  try {
    const done = await perform("/do-all", { orders: orders(), seq_seen: store.view.seq });
    map.ghosts = [];
    toast(done.moves.map((m) => m.text).join(" "));
    await learnPool();
    draw();
  } catch (error) {
    const wrong = orders()[error.body?.index];
    for (const g of laid()) g.wrong = wrong && g.power === wrong.power && g.at === wrong.at;
    draw();
    tellTrouble(error);
  }
}

/** The last counter that was laid goes back into the pool; whether there was one. */
export function takeLast() {
  if (!laid().length) return false;
  takeBack(laid().at(-1));
  return true;
}

/** Before the phase is closed: orders in hand would be lost unseen. */
export const mayLeave = () => !laid().length || confirm("Orders in hand are not given yet. Close the phase without them?");

function pileCard(pile, index) {
  const left = pile.count - laidOf(pile.unit);
  const card = h(
    "button",
    {
      type: "button",
      className: "pool-pile",
      disabled: left < 1,
      dataset: { unit: pile.unit },
      "aria-label": `${pile.unit}: ${left} left, ${priceOf(pile.cost, "BRPs each")}; take one up`,
    },
    index < 9 ? h("kbd", { "aria-hidden": "true" }, String(index + 1)) : null,
    drawn({ nation: whose, unit: pile.unit, count: Math.max(1, left) }),
    h("span", {}, pile.unit),
    h("strong", {}, `${left} left`),
    h("span", { className: "quiet", title: pile.cost ? null : "The documents give no cost for it: none is reckoned" }, priceOf(pile.cost, "BRPs"), pile.cost && pile.assumed ? h("sup", { className: "assumed", title: "an assumed cost" }, "a") : null),
  );
  card.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    event.preventDefault();
    const box = $("#map-sheet").getBoundingClientRect();
    map.hands.pressed = [event.clientX, event.clientY];
    card.releasePointerCapture?.(event.pointerId);
    take(pile, event.shiftKey, [event.clientX - box.left, event.clientY - box.top]);
  });
  card.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    take(pile, event.shiftKey, null);
    map.grid.focus();
  });
  return card;
}

/** What the agenda brings into the pool later, by turn, and of each unit the turn in which it comes. */
const later = () => position().agenda.filter((it) => it.power === whose && it.clauses.includes(cited("enters later")));
const comes = (item) => [...item.text.matchAll(/(\d+) ([a-z ]+?(?: \d+-\d+)?)(?=,| enters?\b)/g)].map(([, n, unit]) => [unit, Number(n)]);

/** A kind of which nothing is left now: when there will be some again. */
const emptyPile = ([unit, turn]) =>
  h(
    "div",
    { className: "pool-pile none", dataset: { unit } },
    h("i", { "aria-hidden": "true" }),
    h("span", {}, unit),
    h("strong", {}, "0 left"),
    h("span", { className: "quiet" }, turn),
  );

/** Kinds that the pool does not hold now, with the first turn in which some come. */
function missing() {
  const found = new Map();
  for (const item of later())
    for (const [unit] of comes(item)) if (!found.has(unit) && !stock.some((p) => p.unit === unit)) found.set(unit, item.turn);
  return [...found];
}

function entersLater() {
  if (!later().length) return null;
  return h(
    "div",
    { className: "pool-group later" },
    h("h3", {}, "Enters later ", chip(cited("enters later"))),
    h(
      "ul",
      {},
      later().map((it) => h("li", {}, `${it.turn}: `, comes(it).map(([unit, n]) => `${n} ${unit}`).join(", "))),
    ),
  );
}

/** The limit: what is built and laid in the deep colour, what is in the hand hatched. */
function limitMeter() {
  const { limit = 0, built = 0 } = power(whose)?.figures ?? {};
  const laidOut = built + laid().filter((g) => g.power === whose).reduce((n, g) => n + g.count * g.cost, 0);
  const part = (n) => (limit ? Math.min(100, (100 * n) / limit) : 0);
  const all = laidOut + heldCost();
  return h(
    "span",
    { className: "push pool-limit" },
    "Limit ",
    h(
      "span",
      { className: `meter ${whose}`, role: "img", "aria-label": `${all} of ${limit} of the construction limit` },
      h("i", { share: part(laidOut) }),
      h("b", { share: Math.min(part(heldCost()), 100 - part(laidOut)) }),
    ),
    h("strong", {}, ` ${all} of ${limit}`),
  );
}

/** Something of the pool was taken up, carried on or put back: what it changes beside the map. */
function weigh() {
  if (!poolOpen()) return;
  $("#pool .pool-limit")?.replaceWith(limitMeter());
  for (const card of $$("#pool .pool-pile")) card.classList.toggle("chosen", card.dataset.unit === held()?.unit);
  inHand();
}

const groupOf = (unit) => GROUPS.findIndex(([, kinds]) => kinds.test(unit));

/** What a group costs, in words, where all of it costs alike. */
function rate(piles) {
  const kinds = new Set(piles.map((p) => (p.per === "factor" ? `${p.rate} a factor` : `${p.rate} a piece`)));
  return kinds.size === 1 && piles[0].rate ? h("span", { className: "quiet" }, ` ${[...kinds][0]}`) : null;
}

function dock() {
  const movers = position().moving;
  let index = 0;
  const groups = GROUPS.map(([name], at) => {
    const mine = stock.filter((p) => groupOf(p.unit) === at);
    const none = missing().filter(([unit]) => groupOf(unit) === at);
    if (!mine.length && !none.length) return null;
    return h(
      "div",
      { className: "pool-group" },
      h("h3", {}, name, rate(mine)),
      h("div", {}, mine.map((p) => pileCard(p, index++)), none.map(emptyPile)),
    );
  });
  const rebuild = position().offers.find((o) => o.command === "rebuild" && o.available && o.known.power === whose);
  fill(
    $("#pool"),
    h(
      "header",
      {},
      seal(whose),
      h("h2", {}, `${nameOf(whose)}: force pool`),
      h(
        "div",
        { className: "switch", role: "group", "aria-label": "Whose force pool" },
        movers.map((p) =>
          h("button", { type: "button", "aria-pressed": String(p === whose), onclick: () => openPool(p) }, nameOf(p)),
        ),
        rebuild ? h("button", { type: "button", "aria-pressed": "false", onclick: () => openOrder(rebuild) }, "Rebuild for minors") : null,
      ),
      h("span", { className: "quiet", title: "With Shift the whole pile; or take one up by its number and click" }, "Drag to the map"),
      limitMeter(),
      h("button", { type: "button", className: "close", "aria-label": "Close the force pool", onclick: closePool }, "×"),
    ),
    h("div", { className: "pool-groups" }, groups, entersLater(), stock.length ? null : h("p", { className: "quiet" }, "The force pool is empty.")),
  );
}

/** What the orders in hand would leave of a power's level and of its limit. */
function left(power_) {
  const { level = 0, limit = 0, built = 0 } = power(power_)?.figures ?? {};
  const cost = laid().filter((g) => g.power === power_).reduce((n, g) => n + g.count * g.cost, 0);
  const line = (text, n) => h("p", { className: "total then" }, h("span", {}, text), h("strong", {}, String(n)));
  return [
    line(`${nameOf(power_)}’s level ${level}, then`, level - cost),
    line(`Limit ${limit}, then left`, limit - built - cost),
  ];
}

function inHand() {
  const el = $("#orders-in-hand");
  el.hidden = !laid().length && !held();
  if (el.hidden) return;
  const sum = laid().reduce((n, g) => n + g.count * g.cost, 0);
  fill(
    el,
    h("header", {}, h("h2", {}, "Orders in hand"), h("span", { className: "quiet" }, "not given yet, nobody sees them")),
    h(
      "ul",
      {},
      laid().map((g) =>
        h(
          "li",
          {},
          drawn({ nation: g.power, unit: g.unit, count: g.count }),
          h("span", {}, h("strong", {}, `${g.count} ${g.unit}`), h("small", {}, `${placeCalled(g.at)} · ${g.cost ? `${g.count} × ${g.cost}` : priceOf(0)}`)),
          h("span", { className: "minus" }, signed(-g.count * g.cost)),
          h("button", { type: "button", className: "close", "aria-label": `Take back ${g.count} ${g.unit}`, onclick: () => takeBack(g) }, "×"),
        ),
      ),
    ),
    held()
      ? h(
          "p",
          { className: "in-your-hand" },
          drawn({ nation: whose, unit: held().unit, count: held().count }),
          h("span", {}, h("strong", {}, `${held().count} ${held().unit}`), h("small", {}, map.hover ? `in your hand, over ${map.board.title(map.hover)}` : "in your hand")),
          h("span", {}, signed(-heldCost())),
        )
      : null,
    h("p", { className: "total" }, h("strong", {}, "Laid so far"), h("strong", { className: "minus" }, signed(-sum))),
    [...new Set(laid().map((g) => g.power))].map(left),
    h("p", { className: "quiet small" }, "Judged when they are given: ", chip(cited("construction limit")), " ", chip(cited("spending")), " ", chip(cited("enters later")), " ", chip(cited("orders together"))),
    h(
      "div",
      { className: "row" },
      h("button", { type: "button", className: "main", onclick: giveAll }, "Give the orders ", h("kbd", {}, "Ctrl Enter")),
      h("button", { type: "button", onclick: () => takeBack(null) }, "Take all back"),
    ),
  );
}

function draw() {
  keepLaid();
  if (poolOpen()) dock();
  inHand();
  drawOver(map);
}

/** Open the dock for a power that builds now, the first of one's own unless one is named. */
export async function openPool(named) {
  whose = named || whose || position().moving[0] || "";
  if (!position().moving.includes(whose)) whose = position().moving[0] ?? "";
  if (!whose || !live()) return;
  await learnPool();
  $("#pool").hidden = false;
  document.body.dataset.pool = "open";
  if (innerWidth < 900) setSheet("peek");
  dispatchEvent(new Event("resize"));
  draw();
  $("#pool .pool-pile:not(:disabled)")?.focus({ preventScroll: true });
}

export function closePool() {
  if (!poolOpen()) return false;
  $("#pool").hidden = true;
  delete document.body.dataset.pool;
  dispatchEvent(new Event("resize"));
  return true;
}

export const builds = () => live() && position().clock.phase === PHASE && position().moving.length > 0;

export function startPool() {
  document.addEventListener("hand", weigh);
  document.addEventListener("board", () => laid().length && draw());
  document.addEventListener("open-pool", (event) => openPool(event.detail));
  // The cross of a ghost is pressed before the map takes the press.
  $("#map-sheet").addEventListener(
    "pointerdown",
    (event) => {
      if (!laid().length || map.hands.held) return;
      const box = $("#map-sheet").getBoundingClientRect();
      const near = ([x, y]) => Math.hypot(event.clientX - box.left - x, event.clientY - box.top - y) <= 12;
      const ghost = laid().find((g) => g.cross && near(g.cross));
      if (!ghost) return;
      event.stopPropagation();
      event.preventDefault();
      takeBack(ghost);
    },
    { capture: true },
  );
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && laid().length) giveAll();
  });
  subscribe((view, before) => {
    if (!before) {
      layAgain();
      return void (laid().length && draw());
    }
    if (before.head === view.head) return;
    if (!builds()) {
      map.ghosts = [];
      closePool();
    }
    draw();
  });
}
