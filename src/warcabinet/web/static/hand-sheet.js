// On a phone: a stack as a sheet at the foot, pile by pile with steppers; a tap on the map says where, a bar confirms.

import { $, capital, counted, inWords, isPower, nameOf, pileWords, several } from "./dom.js";
import { inspect } from "./hexcard.js";
import { placeCalled } from "./map/atlas.js";
import { counter, onCanvas, stackCount } from "./map/counters.js";
import { map } from "./map/map.js";
import { live, subscribe } from "./store.js";
import { chip, html, panel, seal, signal } from "./ui.js";

const phone = matchMedia("(max-width: 56.24rem)");

/** The sheet that is open: { key, hex, chosen: numbers by pile, to }. */
const open = signal(null);
const change = (how) => (open.value = { ...open.value, ...how });

const pilesOf = (key) => map.hands.piles(key);
const same = (a, b) => a.nation === b.nation && a.unit === b.unit;
const nameOfPile = (p) => `${p.nation} ${p.unit}`;
const takenUp = ({ key, chosen } = open.value) =>
  pilesOf(key)
    .map((p) => ({ ...p, count: chosen[nameOfPile(p)] ?? 0 }))
    .filter((p) => p.count);

/** Open the sheet for a stack of one's own; on a wide screen, or where nothing can be taken up, there is none. */
export function openHandSheet(hex, taken = []) {
  if (!phone.matches || !live() || !pilesOf(hex.key).length) return false;
  open.value = { key: hex.key, hex, chosen: Object.fromEntries(taken.map((p) => [nameOfPile(p), p.count])), to: "" };
  document.body.dataset.handsheet = "open";
  dispatchEvent(new Event("resize"));
  inSight(hex);
  return true;
}

/** The map makes room for the sheet: what it is about stays in sight. */
function inSight(hex) {
  const [x, y] = map.cam.screen(hex);
  if (x > 40 && y > 40 && x < map.cam.width - 40 && y < map.cam.height - 40) return;
  map.cam.centre(hex.x, hex.y);
  map.cam.keep(map.board.bounds);
  map.moved();
}

export function closeHandSheet() {
  if (!open.value) return false;
  open.value = null;
  map.hands.putBack();
  delete document.body.dataset.handsheet;
  dispatchEvent(new Event("resize"));
  return true;
}

/** So many of a pile: the rules are asked again where they may go. */
function take(pile, count) {
  const { key, chosen } = change({ chosen: { ...open.value.chosen, [nameOfPile(pile)]: Math.max(0, Math.min(pile.count, count)) } });
  const up = takenUp({ key, chosen });
  if (!up.length) map.hands.putBack();
  else if (map.hands.held && same(map.hands.held.piles[0], up[0])) map.hands.held.piles = up;
  else map.hands.lift(key, up, null, { aim });
}

/** A place was tapped: it is only looked at, until the bar is pressed. */
function aim(key) {
  if (!open.value || !key || key === open.value.key) return;
  change({ to: key });
  map.hover = key.startsWith(`${map.board.name}/`) ? map.board.hexes.get(key.split("/")[1]) : null;
}

function card(pile) {
  const n = open.value.chosen[nameOfPile(pile)] ?? 0;
  const name = `${nameOf(pile.nation)} ${pile.unit}`;
  const step = (text, by, label) => html`<button aria-label=${`${label} ${name}`}
    disabled=${by < 0 ? !n : n >= pile.count} onclick=${() => take(pile, n + by)}>
    ${text}
  </button>`;
  return html`<div class=${`hand-pile${n ? " chosen" : ""}`} key=${name} data-unit=${pile.unit}>
    <button class="all" aria-pressed=${n === pile.count} aria-label=${`All ${pileWords(pile)}`}
      onclick=${() => take(pile, n === pile.count ? 0 : pile.count)}>
      ${onCanvas(56, 3, (ctx) => counter(ctx, 2, 8, 46, pile, pile.count - 1, 0))}<span>${pile.unit}</span>
    </button>
    <div class="stepper">
      ${step("−", -1, "One fewer:")}<span><strong>${n}</strong> of ${pile.count}</span>${step("+", 1, "One more:")}
    </div>
  </div>`;
}

/** What the rules say of the place that was tapped. */
const reasonAt = (key) => map.places?.forbidden.get(key);

function target() {
  const { to } = open.value;
  if (!to) return html`<p class="quiet">${takenUp().length ? "Tap a place on the map." : "Take counters up, then tap where they go."}</p>`;
  const reason = reasonAt(to);
  const holder = map.made.held.holder.get(to.split("/")[1]) ?? "";
  const there = map.made.stacks.get(to) ?? [];
  const counters = stackCount(there);
  const [first] = there;
  const moved = stackCount(takenUp());
  const enemy = map.hands.held?.enemies.get(to);
  return html`<div class=${`hand-target${reason ? " no" : ""}`} role="status">
    <strong>${placeCalled(to)}</strong>
    ${reason
      ? html`<span>${capital(reason.gist)}. ${chip(reason.clause, true)}</span>`
      : html`<span>
        ${holder ? `${nameOf(holder)} holds it. ` : ""}
        ${enemy?.counters
          ? `${capital(several(enemy.counters, "enemy counter", undefined, inWords(enemy.counters)))} stand${enemy.counters === 1 ? "s" : ""} there: the battle sheet opens.`
          : first
            ? `${capital(counted(first.count, first.unit, inWords(first.count)))} stand${first.count === 1 ? "s" : ""} there, then ${several(counters + moved, "counter", undefined, inWords(counters + moved))}.`
            : "Nobody stands there."}
      </span>`}
  </div>`;
}

function draw() {
  if (!open.value) return null;
  const { key, hex } = open.value;
  const holder = map.made.held.holder.get(hex.id);
  const all = pilesOf(key).reduce((n, p) => n + p.count, 0);
  const unjudged = map.places && map.hands.held?.order?.unjudged;
  return html`
    <header>
      <h2 tabIndex="-1">${map.board.title(hex)}</h2>
      <button class="link" onclick=${more}>Attack, losses…</button>
      <button class="close" aria-label="Close" onclick=${closeHandSheet}>×</button>
    </header>
    <p class="quiet line">
      ${hex.id}, ${hex.terrain || (hex.land ? "clear" : "sea")} · ${isPower(holder) && seal(holder)} held by${" "}
      ${nameOf(holder) || "nobody"}
    </p>
    <div class="hand-piles">${pilesOf(key).map(card)}</div>
    <h3>Move to<span class="quiet push">${stackCount(takenUp())} of ${all} chosen</span></h3>
    ${target()}
    ${unjudged && html`<em class="quiet">Not judged here: ${unjudged}</em>`}
  `;
}

/** The bar at the foot names the deed; nothing happens before it is pressed. */
function deed() {
  if (!open.value) return null;
  const { to } = open.value;
  const up = takenUp();
  const moved = stackCount(up);
  const text = up.length === 1 ? counted(moved, up[0].unit.replace(/ \d.*$/, "")) : several(moved, "counter");
  return html`
    <button onclick=${closeHandSheet}>Cancel</button>
    <button class="main" disabled=${!to || !moved || Boolean(reasonAt(to))} onclick=${confirm}>
      ${to
        ? `Move ${text} to ${placeCalled(to).replace(/ \(.*/, "")}`
        : moved ? `Move ${text}: tap where` : "Choose counters"}
    </button>
  `;
}

async function confirm() {
  const { to } = open.value;
  const held = map.hands.held;
  held.piles = takenUp();
  await map.hands.put(to);
  closeHandSheet();
}

/** Everything else that can be done here: the inspector. */
function more() {
  const { hex } = open.value;
  closeHandSheet();
  inspect(hex);
}

export function startHandSheet() {
  // A counter that a finger dragged somewhere is not put down there before the bar is pressed.
  map.hands.aims = (held) => {
    if (!phone.matches || held.drop || open.value) return null;
    return (key) => {
      const hex = map.board.hexes.get(held.key.split("/")[1]);
      if (!hex || !key || key === held.key) return void map.hands.putBack();
      openHandSheet(hex, held.piles);
      held.aim = aim;
      aim(key);
    };
  };
  panel($("#hand-sheet"), draw);
  panel($("#hand-confirm"), deed);
  subscribe((view, before) => before && before.head !== view.head && closeHandSheet());
  phone.addEventListener("change", () => !phone.matches && closeHandSheet());
}
