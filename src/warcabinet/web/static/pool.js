// Building by hand: the force pool under the map, counters laid as ghosts, all of them ordered together or none.

import { $, counted, nameOf, priceOf, signed, toast } from "./dom.js";
import { cited, table, tableId } from "./api.js";
import { setSheet } from "./bottom-sheet.js";
import { placeCalled } from "./map/atlas.js";
import { counter, onCanvas } from "./map/counters.js";
import { map } from "./map/map.js";
import { openOrder } from "./order.js";
import { tellTrouble } from "./refusal.js";
import { live, perform, position, power, store, subscribe } from "./store.js";
import { chip, effect, html, panel, seal, state } from "./ui.js";

/** Whose pool is looked at, what lies in it, and whether it is open under the map. */
const its = state({ whose: "", pool: { groups: [], later: [] }, open: false });

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
  if (kept && builds() && kept.moment === position().clock.moment) map.ghosts = kept.ghosts.map((it) => ({ ...it, off: takeBack }));
}

const laidOf = (unit) =>
  laid()
    .filter((g) => g.power === its.whose && g.unit === unit)
    .reduce((n, g) => n + g.count, 0);
const stock = () => its.pool.groups.flatMap((it) => it.piles);
const costOf = (unit) => stock().find((p) => p.unit === unit)?.cost ?? 0;

/** What the counters laid for a power would cost. */
const spent = (power) => laid().filter((g) => g.power === power).reduce((n, g) => n + g.count * g.cost, 0);

/** What is in the hand out of this pool, and what it would cost. */
const held = () => (map.hands.told >= 0 && map.hands.held?.key === "pool" ? map.hands.held.piles[0] : null);
const heldCost = () => (held() ? held().count * costOf(held().unit) : 0);

const drawn = (pile) => onCanvas(52, 3, (ctx) => counter(ctx, 2, 10, 38, pile, pile.count - 1, 0));

const learnPool = async () => (its.pool = await table.get(`/powers/${its.whose}/pool`));

/** Take a counter out of the pool: the rules are asked where it may be built. */
function take(pile, all, at) {
  const left = pile.count - laidOf(pile.unit);
  if (left < 1) return;
  const count = all ? left : 1;
  map.hands.lift("pool", [{ nation: its.whose, unit: pile.unit, count }], at, {
    from: `the force pool, ${priceOf(count * pile.cost)}`,
    ask: { command: "build", field: "at", known: { power: its.whose, units: [`${count} ${pile.unit}`] } },
    says: () => afterIt(count * pile.cost),
    drop: (key) => lay(pile.unit, count, key),
  });
}

/** What a counter that is put down would cost, and how much of the limit is used then. */
function afterIt(cost) {
  const { built = 0, limit = 0 } = power(its.whose)?.figures ?? {};
  const used = built + cost + spent(its.whose);
  return `${signed(-cost)}, ${used} of ${limit} then, ${limit - used} left`;
}

function lay(unit, count, at) {
  const same = laid().find((g) => g.power === its.whose && g.unit === unit && g.at === at);
  const more = { power: its.whose, unit, count: count + (same?.count ?? 0), at, cost: costOf(unit), off: takeBack };
  map.ghosts = [...laid().filter((g) => g !== same), more];
}

const takeBack = (ghost) => (map.ghosts = ghost ? laid().filter((g) => g !== ghost) : []);

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
async function giveAll() {
  if (!laid().length) return;
  try {
    const done = await perform("/do-all", { orders: orders() });
    map.ghosts = [];
    toast(done.moves.map((m) => m.text).join(" "));
    await learnPool();
  } catch (error) {
    const wrong = orders()[error.body?.index];
    map.ghosts = laid().map((g) => ({ ...g, wrong: wrong && g.power === wrong.power && g.at === wrong.at }));
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
  const press = (event) => {
    if (event.button > 0) return;
    event.preventDefault();
    const box = $("#map-sheet").getBoundingClientRect();
    map.hands.pressed = [event.clientX, event.clientY];
    event.currentTarget.releasePointerCapture?.(event.pointerId);
    take(pile, event.shiftKey, [event.clientX - box.left, event.clientY - box.top]);
  };
  const key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    take(pile, event.shiftKey, null);
    map.grid.focus();
  };
  return html`<button class=${`pool-pile${pile.unit === held()?.unit ? " chosen" : ""}`} key=${`${its.whose} ${pile.unit}`}
    disabled=${left < 1} data-unit=${pile.unit} onpointerdown=${press} onkeydown=${key}
    aria-label=${`${pile.unit}: ${left} left, ${priceOf(pile.cost, " each")}; take one up`}>
    ${index < 9 && html`<kbd aria-hidden="true">${index + 1}</kbd>`}
    ${drawn({ nation: its.whose, unit: pile.unit, count: Math.max(1, left) })}<span>${pile.unit}</span>
    <strong>${left} left</strong>
    <span class="quiet" title=${pile.cost ? null : "The documents give no cost for it: none is reckoned"}>
      ${priceOf(pile.cost)}
      ${pile.cost && pile.assumed ? html`<sup class="assumed" title="an assumed cost">a</sup>` : null}
    </span>
  </button>`;
}

/** A kind of which nothing is left now: when there will be some again. */
const emptyPile = ({ unit, arrives }) => html`<div class="pool-pile none" data-unit=${unit}>
  <i aria-hidden="true" /><span>${unit}</span><strong>0 left</strong><span class="quiet">${arrives}</span>
</div>`;

function entersLater() {
  if (!its.pool.later.length) return null;
  return html`<div class="pool-group later">
    <h3>Enters later ${chip(cited("enters later"))}</h3>
    <ul>${its.pool.later.map((it) => html`<li>${it.turn}: ${it.text}</li>`)}</ul>
  </div>`;
}

/** The limit: what is built and laid in the deep colour, what is in the hand hatched. */
function limitMeter() {
  const { limit = 0, built = 0 } = power(its.whose)?.figures ?? {};
  const laidOut = built + spent(its.whose);
  const part = (n) => (limit ? Math.min(100, (100 * n) / limit) : 0);
  const all = laidOut + heldCost();
  return html`<span class="push pool-limit">
    Limit${" "}
    <span class=${`meter ${its.whose}`} role="img" aria-label=${`${all} of ${limit} of the construction limit`}>
      <i share=${part(laidOut)} /><b share=${Math.min(part(heldCost()), 100 - part(laidOut))} />
    </span>
    <strong> ${all} of ${limit}</strong>
  </span>`;
}

function dock() {
  if (!its.open || !store.view) return null;
  const movers = position().moving;
  let index = 0;
  const groups = its.pool.groups.map((it) => html`<div class="pool-group">
    <h3>${it.name}${it.rate && html`<span class="quiet"> ${it.rate}</span>`}</h3>
    <div>${it.piles.map((p) => pileCard(p, index++))}${it.gaps.map(emptyPile)}</div>
  </div>`);
  const rebuild = position().offers.find((o) => o.command === "rebuild" && o.available && o.known.power === its.whose);
  return html`
    <header>
      ${seal(its.whose)}
      <h2>${nameOf(its.whose)}: force pool</h2>
      <div class="switch" role="group" aria-label="Whose force pool">
        ${movers.map((p) => html`<button aria-pressed=${p === its.whose} onclick=${() => openPool(p)}>${nameOf(p)}</button>`)}
        ${rebuild && html`<button aria-pressed="false" onclick=${() => openOrder(rebuild)}>Rebuild for minors</button>`}
      </div>
      <span class="quiet" title="With Shift the whole pile; or take one up by its number and click">
        Drag to the map
      </span>
      ${limitMeter()}<button class="close" aria-label="Close the force pool" onclick=${closePool}>×</button>
    </header>
    <div class="pool-groups">
      ${groups}${entersLater()}${!stock().length && html`<p class="quiet">The force pool is empty.</p>`}
    </div>
  `;
}

/** What the orders in hand would leave of a power's level and of its limit. */
function left(power_) {
  const { level = 0, limit = 0, built = 0 } = power(power_)?.figures ?? {};
  const cost = spent(power_);
  const line = (text, n) => html`<p class="total then"><span>${text}</span><strong>${n}</strong></p>`;
  return [
    line(`${nameOf(power_)}’s level ${level}, then`, level - cost),
    line(`Limit ${limit}, then left`, limit - built - cost),
  ];
}

function inHand() {
  if (!laid().length && !held()) return null;
  const sum = laid().reduce((n, g) => n + g.count * g.cost, 0);
  return html`
    <header><h2>Orders in hand</h2><span class="quiet">not given yet, nobody sees them</span></header>
    <ul>
      ${laid().map((g) => html`<li>
        ${drawn({ nation: g.power, unit: g.unit, count: g.count })}
        <span>
          <strong>${counted(g.count, g.unit)}</strong>
          <small>${placeCalled(g.at)} · ${g.cost ? `${g.count} × ${g.cost}` : priceOf(0)}</small>
        </span>
        <span class="minus">${signed(-g.count * g.cost)}</span>
        <button class="close" aria-label=${`Take back ${counted(g.count, g.unit)}`} onclick=${() => takeBack(g)}>×</button>
      </li>`)}
    </ul>
    ${held() && html`<p class="in-your-hand">
      ${drawn({ nation: its.whose, unit: held().unit, count: held().count })}
      <span>
        <strong>${counted(held().count, held().unit)}</strong>
        <small>${map.hover ? `in your hand, over ${map.board.title(map.hover)}` : "in your hand"}</small>
      </span>
      <span>${signed(-heldCost())}</span>
    </p>`}
    <p class="total"><strong>Laid so far</strong><strong class="minus">${signed(-sum)}</strong></p>
    ${[...new Set(laid().map((g) => g.power))].map(left)}
    <p class="quiet small">
      Judged when they are given: ${chip(cited("construction limit"))} ${chip(cited("spending"))}${" "}
      ${chip(cited("enters later"))} ${chip(cited("orders together"))}
    </p>
    <div class="row">
      <button class="main" onclick=${giveAll}>Give the orders <kbd>Ctrl Enter</kbd></button>
      <button onclick=${() => takeBack(null)}>Take all back</button>
    </div>
  `;
}

/** Open the dock for a power that builds now, the first of one's own unless one is named. */
export async function openPool(named) {
  its.whose = named || its.whose || position().moving[0] || "";
  if (!position().moving.includes(its.whose)) its.whose = position().moving[0] ?? "";
  if (!its.whose || !live()) return;
  await learnPool();
  its.open = true;
  document.body.dataset.pool = "open";
  if (innerWidth < 900) setSheet("peek");
  dispatchEvent(new Event("resize"));
  $("#pool .pool-pile:not(:disabled)")?.focus({ preventScroll: true });
}

export function closePool() {
  if (!its.open) return false;
  its.open = false;
  delete document.body.dataset.pool;
  dispatchEvent(new Event("resize"));
  return true;
}

export const builds = () => live() && position().by_hand.some((it) => it.deed === "build") && position().moving.length > 0;

export function startPool() {
  panel($("#pool"), dock);
  panel($("#orders-in-hand"), inHand);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && laid().length) giveAll();
  });
  subscribe((view, before) => {
    if (!before) {
      layAgain();
      effect(keepLaid);
    } else if (before.head !== view.head && !builds()) {
      map.ghosts = [];
      closePool();
    }
  });
}
