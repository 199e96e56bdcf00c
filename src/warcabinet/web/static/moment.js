// A great moment: what the rules did at once, then the lines that the group reports, each with its clause and one press.

import { $, $$, counted, nameOf, several, these } from "./dom.js";
import { table } from "./api.js";
import { counter, onCanvas } from "./map/counters.js";
import { worded } from "./log.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { placeCalled } from "./map/atlas.js";
import { tellTrouble } from "./refusal.js";
import { frame } from "./story.js";
import { live, me, perform, store, subscribe } from "./store.js";
import { onView, openView, undo } from "./topbar.js";
import { chip, fill, html, seal } from "./ui.js";

let page = null; // the sheet that is open
let parted = new Set(); // counters that are chosen out of a pile
const levels = {}; // numbers that are typed, by line
let later = new Set(); // lines that are left for later
let zone = null; // the hexes under the brush, while it is on the map

const act = (path, body) => perform(path, { moment: page.id, ...body, seq_seen: undefined }).then(again, tellTrouble);
const again = () => page && show(page.id);
const redraw = () => draw($("#sheet"));

const press = (line, label) => {
  const stacks = line.stacks.filter((it) => parted.has(it.id)).map((it) => it.id);
  parted = new Set();
  return act("/moment/line", { line: line.id, press: label, stacks, level: levels[line.id] });
};

/** A pile of the line; a press parts it from the rest, so that it goes another way. */
const pile = (it) => html`<button class=${parted.has(it.id) ? "parted" : ""} aria-pressed=${parted.has(it.id)} title=${placeCalled(it.place)}
  aria-label=${`${counted(it.count, it.unit)}, ${placeCalled(it.place)}`} onclick=${() => { parted.has(it.id) ? parted.delete(it.id) : parted.add(it.id); redraw(); }}>
  ${onCanvas(40, 3, (ctx) => counter(ctx, 2, 6, 32, it, it.count - 1, it.count))}
</button>`;

function row(line, number, now) {
  const may = live() && page.stand?.concerned;
  const state = !line.open ? "done" : line === now ? "now" : "open";
  return html`<li key=${line.id} class=${`moment-line ${state}`} data-line=${line.id}>
    <b class="mark" aria-label=${state}>${line.open ? number : "✓"}</b>
    <div><span>${line.title}</span>${line.stacks.length > 0 && html`<div class="piles">${line.stacks.map(pile)}</div>`}</div>
    ${chip(line.clause)}
    <span class="quiet whose">${line.whose.map((p) => seal(p))} ${these(line.whose.map(nameOf))}</span>
    <div class="presses">
      ${may && line.open && line.asks === "level" && html`${line.level} → <input type="number" aria-label=${line.title} value=${levels[line.id] ?? line.level} oninput=${(e) => (levels[line.id] = Number(e.target.value))} />`}
      ${may && line.asks === "places" && html`<button class="small" onclick=${() => brush(line)}>On the map</button>`}
      ${may && line.worded && html`<button class="small" onclick=${() => act("/moment/line", { line: line.id, reopen: true })}>Change</button>`}
      ${may && (line.open || line.asks === "places") && line.presses.map((label) => html`<button class=${line === now && label === line.presses[0] ? "small main" : "small"} onclick=${() => press(line, label)}>${label}</button>`)}
    </div>
  </li>`;
}

/** The zone by hand: a stroke over hexes of the country takes them in or out, the bar over the map lays it. */
async function brush(line) {
  const keys = new Set(line.places);
  zone = { line, keys };
  openView("europe");
  await map.open("europe");
  let adds = true;
  const over = (hex) => {
    if (hex?.country !== line.land) return;
    adds ? keys.add(hex.key) : keys.delete(hex.key);
    drawOver(map);
    bar();
  };
  const start = (hex) => {
    if (hex?.country !== line.land) return;
    adds = !keys.has(hex.key);
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
  const lay = () => act("/moment/line", { line: zone.line.id, press: "", places: [...zone.keys] }).then(off);
  fill(el, zone && html`<strong>${zone.line.title}</strong> press or stroke hexes in or out <button class="small" onclick=${off}>Cancel</button>
    <button class="main" onclick=${lay}>Lay ${several(zone.keys.size, "hex", "hexes")}</button>`);
}

/** The map beside the list: what the line at hand is about is ringed, its counters and places in sight. */
async function beside(line) {
  if (innerWidth < 1200 || zone) return;
  const of = (list) => list.flatMap((it) => [...it.stacks.map((s) => s.place), ...it.places]);
  const own = line ? of([line]) : [];
  const keys = own.length ? own : of(page.lines);
  const board = ["europe", "pacific"].find((name) => keys[0]?.startsWith(`${name}/`)) ?? "europe";
  await map.open(board);
  map.ringed = keys.map((key) => ({ key, colour: "accent" }));
  dispatchEvent(new Event("resize"));
  frame(keys.filter((key) => key.startsWith(`${board}/`)));
}

const given = (s) => s.by || s.steward;

function foot(now, left) {
  const { stand } = page;
  if (!stand || !live()) return null;
  const mine = stand.seats.filter((s) => s.mine && !given(s)).flatMap((s) => s.powers);
  const said = now ? `Next: ${now.title}` : left ? `${left} left for later` : stand.missing.length ? `Waiting for ${these(stand.missing)}` : "All is said";
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
      <ul class="moment-facts">${page.facts.map((it) => html`<li><span>${worded(page.move, it)}</span> ${chip(it.clause)} <em class="quiet">${it.kind}</em></li>`)}</ul></details>
      ${page.lines.length > 0 && html`<h3>The group reports <span class="accent">${page.lines.length - open.length} of ${page.lines.length}</span> <small class="quiet">each line is a report with its own entry, all under one undo</small></h3>
      <ol class="moment-lines" onkeydown=${keys}>${page.lines.map((it, i) => row(it, i + 1, now))}</ol>`}
      <label class="moment-headline">Headline for the chronicle
        <input value=${page.headline} maxLength="120" disabled=${!page.stand?.fresh || !me().player} onchange=${(e) => act("/moment/headline", { headline: e.target.value })} />
      </label>
    </div>
    ${foot(now, open.length)}
  `);
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
  const found = await table.get("/moment", { moment: id }).catch(() => null);
  if (document.body.dataset.view !== "moment") return;
  if (!found) return openView("europe");
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
  onView((view) => page && view !== "moment" && (map.ringed = []));
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
