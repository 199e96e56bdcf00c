// A great moment: what the rules did at once, then the lines that the group reports, each with its clause and one press.

import { $, $$, nameOf, several, these, toast } from "./dom.js";
import { table } from "./api.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { tellTrouble } from "./refusal.js";
import { served } from "./served.js";
import { calm, frame } from "./story.js";
import { live, me, perform, store, subscribe } from "./store.js";
import { onView, openView, undo } from "./topbar.js";
import { fill, html, seal } from "./ui.js";

let page = null; // the sheet that is open
let parted = new Set(); // counters that are chosen out of a pile
let later = new Set(); // lines that are left for later
let zone = null; // the hexes under the brush, while it is on the map

const act = (path, body) => perform(path, { moment: page.id, ...body, seq_seen: undefined }).then(() => page && show(page.id), tellTrouble);
const redraw = () => draw($("#sheet"));

const press = (line, label) => {
  const stacks = line.stacks.filter((it) => parted.has(it.id)).map((it) => it.id);
  const level = $(`[data-line="${line.id}"] input`)?.value;
  parted = new Set();
  return act("/moment/line", { line: line.id, press: label, stacks, level: level && Number(level) });
};

/** What a press on a line means: a counter parted from the rest, a choice, the brush, a word taken back. */
function pressed({ target }) {
  const { stack, press: label, does } = target.closest("button")?.dataset ?? {};
  const line = page.lines.find((it) => it.id === target.closest("li")?.dataset.line);
  if (stack && !parted.delete(stack)) parted.add(stack);
  if (stack) redraw();
  if (label) press(line, label);
  if (does === "brush") brush(line);
  if (does === "reopen") act("/moment/line", { line: line.id, reopen: true });
}

/** The line at hand, and the counters that are parted, are marked among those that the server has drawn. */
function mark(now) {
  for (const it of $$(".moment-line")) it.classList.toggle("now", it.dataset.line === now?.id);
  for (const it of $$(".moment-line [data-press]")) it.classList.toggle("main", it.matches(".now [data-press]:not([data-press] ~ [data-press])"));
  for (const it of $$(".moment-line [data-stack]")) it.ariaPressed = String(parted.has(it.dataset.stack));
}

/** The zone by hand: a stroke over hexes of the country takes them in or out, the bar over the map lays it. */
async function brush(line) {
  const keys = new Set(line.places);
  zone = { line, keys };
  if (innerWidth < 1200) openView("europe");
  await map.open("europe");
  let adds = true;
  const over = (hex) => {
    if (hex?.country !== line.land) return;
    adds ? keys.add(hex.key) : keys.delete(hex.key);
    drawOver(map);
    bar();
  };
  const start = (hex) => {
    adds = !keys.has(hex?.key);
    map.brush.stroke = keys;
    over(hex);
  };
  map.brush = { by: line.land, laid: keys, stroke: null, ready: () => true, start, over, end: () => (map.brush.stroke = null) };
  drawOver(map);
  bar();
}

function bar() {
  const el = $("#moment-bar");
  el.hidden = !zone;
  const off = () => {
    zone = map.brush = null;
    drawOver(map);
    bar();
    openView("moment", page.id);
  };
  fill(el, zone && html`<strong>${zone.line.title}</strong> press or stroke hexes in or out <button class="small" onclick=${off}>Cancel</button>
    <button class="main" onclick=${() => act("/moment/line", { line: zone.line.id, press: "", places: [...zone.keys] }).then(off)}>Lay ${several(zone.keys.size, "hex", "hexes")}</button>`);
}

/** The map beside the list: what the line at hand is about is ringed, and to be dragged onto a choice; its country in sight. */
async function beside(line) {
  if (innerWidth < 1200 || zone) return;
  const of = (list) => list.flatMap((it) => [...it.stacks.map((s) => s.place), ...it.places]);
  const keys = of(line ? [line] : []);
  const home = keys.length && !keys.some((key) => page.land.includes(key)) ? keys : page.land;
  const board = home[0]?.split("/")[0] ?? "europe";
  await map.open(board);
  map.ringed = (keys.length ? keys : of(page.lines)).map((key) => ({ key, colour: "accent" }));
  const stacks = page.stand?.concerned ? page.lines.flatMap((it) => it.stacks.map((s) => ({ ...s, line: it }))) : [];
  const of_ = (key, p) => stacks.find((s) => s.place === key && s.unit === p.unit && s.nation === p.nation);
  map.hands.manner = { grips: () => true, mine: of_, how: (key, piles) => ({ free: [], drop: (to) => dragged(of_(key, piles[0]), to.split("|")) }) };
  dispatchEvent(new Event("resize"));
  frame(home.filter((key) => key.startsWith(`${board}/`)));
}

/** A counter was dragged onto a choice of its line: it alone goes that way. */
function dragged(stack, [id, label]) {
  if (!label || stack?.line.id !== id) return toast("Drop it on a choice of its line.");
  parted = new Set([stack.id]);
  press(stack.line, label);
}

/** Counters that were swept fade from the map. */
function sweep(stacks) {
  const began = performance.now();
  const step = (now) => {
    const alpha = 1 - (now - began) / 160;
    map.drafts = alpha > 0 ? stacks.map((s) => ({ ...s, power: s.nation, at: s.place, alpha })) : [];
    drawOver(map);
    if (alpha > 0) requestAnimationFrame(step);
  };
  if (stacks.length && !calm.matches) requestAnimationFrame(step);
}

const given = (s) => s.by || s.steward;

function foot(now, left) {
  const { stand } = page;
  if (!stand || !live()) return null;
  const mine = stand.seats.filter((s) => s.mine && !given(s)).flatMap((s) => s.powers);
  const said = now ? `Next: ${now.title}` : left ? stand.concerned ? `${left} left for later` : `${left} of ${page.lines.length} lines are open` : stand.missing.length ? `Waiting for ${these(stand.missing)}` : "All is said";
  return html`<footer class="year-bar">
    <div><strong>${said}</strong><div class="quiet small">${stand.waits ? "The phase goes on when every seat concerned has confirmed." : stand.opened_by ? `${stand.opened_by} let the phase go on.` : "The phase waits for nobody."}</div></div>
    ${stand.waits && stand.may_open && html`<button class="open-phase" onclick=${() => act("/moment/open", {})}>Let the phase go on</button>`}
    ${now && html`<button onclick=${() => { later.add(now.id); redraw(); }}>Leave for later</button>`}
    ${now && now.asks !== "places" && html`<button class="main" id="moment-go" onclick=${() => press(now, now.presses[0])}>${now.presses[0]} <kbd aria-hidden="true">N</kbd></button>`}
    ${now?.asks === "places" && html`<button class="main" id="moment-go" onclick=${() => brush(now)}>Draw it on the map <kbd aria-hidden="true">N</kbd></button>`}
    ${!now && stand.fresh && mine.length > 0 && html`<button class="main confirm" id="moment-go" onclick=${() => act("/moment/confirm", {})}>Confirm for ${these(mine.map(nameOf))} <kbd aria-hidden="true">N</kbd></button>`}
  </footer>`;
}

function draw(el) {
  const open = page.lines.filter((it) => it.open);
  const now = page.stand?.concerned ? open.find((it) => !later.has(it.id)) : null;
  const mine = page.stand?.seats ?? [];
  fill(el, html`
    <header>
      <div><h2 class="page" tabIndex="-1">${page.title}</h2><p class="quiet">${page.turn}, entry ${page.move}</p></div>
      <div class="row">
        <span class="year-seals">${mine.flatMap((s) => s.powers.map((p) => html`<span class=${given(s) ? "given" : "missing"}>${seal(p)}</span>`))}</span>
        ${page.one_undo && live() && html`<button onclick=${() => undo(false)}>Undo all of it <kbd aria-hidden="true">U</kbd></button>`}
        <button data-goto="europe">To the map <kbd aria-hidden="true">E</kbd></button>
      </div>
    </header>
    <div class="moment-page">
      <details open=${innerWidth >= 900}><summary>By the rules</summary>
      ${served(page.drawn.facts)}</details>
      ${page.lines.length > 0 && html`<h3>The group reports <span class="accent">${page.lines.length - open.length} of ${page.lines.length}</span> <small class="quiet">each line is a report with its own entry, all under one undo</small></h3>
      ${served(page.drawn.lines, { onkeydown: keys, onclick: pressed })}`}
      <details><summary>From now on</summary>${served(page.drawn.since)}</details>
      <label class="moment-headline">Headline for the chronicle
        <input value=${page.headline} maxLength="120" disabled=${!page.stand?.fresh || !me().player} onchange=${(e) => act("/moment/headline", { headline: e.target.value })} />
      </label>
    </div>
    ${foot(now, open.length)}
  `);
  mark(now);
  beside(now);
}

/** Arrows go line by line, a digit is the choice. */
function keys(event) {
  const lines = $$(".moment-line");
  const at = lines.findIndex((it) => it.contains(event.target));
  const to = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const choice = /^[1-4]$/.test(event.key) && !event.target.matches("input") ? $$(".presses button", lines[at])[Number(event.key) - 1] : null;
  if (!to && !choice) return;
  event.preventDefault();
  event.stopPropagation();
  if (choice) choice.click();
  else for (let i = at + to; i >= 0 && i < lines.length; i += to) if ($("button", lines[i])) return void $("button", lines[i]).focus();
}

export async function show(id) {
  const found = await table.get("/moment", { moment: id }).catch((error) => (error.status === 404 ? null : undefined));
  if (document.body.dataset.view !== "moment") return;
  if (!found) return found === null ? openView("europe") : setTimeout(show, 1000, id); // a busy server is asked again
  const left = new Set(found.lines.flatMap((it) => it.stacks.map((s) => s.id)));
  sweep(page?.id === id ? page.lines.flatMap((it) => it.stacks).filter((s) => !left.has(s.id)) : []);
  page = found;
  draw($("#sheet"));
}

/** The sheet of a moment, or of the one that stands before the table. */
export const showMoment = (el, id) => show(id ?? page?.id ?? store.view.moments[0]?.id ?? "");

/** The key that goes on: the next line, or the confirmation; whether it meant something here. */
export function momentKey(key) {
  if (document.body.dataset.view !== "moment" || key !== "n") return false;
  $("#moment-go")?.click();
  return true;
}

/** The card of What now: how much of a moment is open, and where it is settled. */
export const momentCards = (view) => !live() ? null : view.moments.map((it) => html`<div class=${`offer moment${it.mine ? " next" : ""}`} key=${it.id} data-moment=${it.id}>
  <span class="glyph" aria-hidden="true">§</span><strong>${it.title}: ${it.lines - it.open} of ${it.lines}</strong>
  <button class="link go" onclick=${() => openView("moment", it.id)}>Open the sheet</button>
  <span class="text">${it.waits ? `The phase waits for ${these(it.missing)}.` : it.open ? "Lines are open." : "All is said: confirm it."}</span>
</div>`);

/** Whoever is here when a moment comes is led to it, and back to the map when it is over. */
export function startMoment() {
  onView((view) => page && view !== "moment" && ([map.ringed, map.hands.manner] = [[], null]));
  let told = new Set(store.view.moments.map((it) => it.id));
  subscribe((view, before) => {
    const tab = $(".views [data-view=moment]");
    const fresh = view.moments.filter((it) => it.fresh);
    tab.hidden = !view.moments.length;
    tab.textContent = view.moments[0]?.title.replace(/^The f/, "F") ?? "";
    if (!before || !live()) return;
    const come = fresh.find((it) => !told.has(it.id));
    told = new Set(view.moments.map((it) => it.id));
    if (come && come.lines && $("#order").hidden && !zone) {
      later = new Set();
      openView("moment", come.id);
    } else if (document.body.dataset.view === "moment" && page) {
      if (before.moments.some((it) => it.id === page.id) && !told.has(page.id)) openView("europe");
      else show(page.id);
    }
  });
}
