// A game plays itself, scene by scene, the map going to where things happen: the demonstration, or what others did meanwhile.

import { attempt, table } from "./api.js";
import { setSheet } from "./bottom-sheet.js";
import { $, $$, capital, copied, nameOf, toast } from "./dom.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { modal } from "./people.js";
import { lookAt, position, renewPresent, store, subscribe } from "./store.js";
import { served } from "./served.js";
import { onView, openView } from "./topbar.js";
import { looked } from "./turn.js";
import { fill, html, icon, number, seal } from "./ui.js";

const PACES = [0.5, 1, 2, 4];
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

const story = { scenes: [], since: null, at: 0, playing: false, pace: 1, timer: 0, charts: null, busy: null, flight: null };

/** How long a scene stays: a moment to look, and the time it takes to read. */
const lasts = (scene) => (1400 + 42 * (scene.say.length + scene.tell.length)) / story.pace;

const storyOpen = () => !$("#story").hidden;

// -- the map ------------------------------------------------------------------------------------------------------

/** Where the camera should stand to show these hexes with what is around them. */
function target(hexes) {
  const xs = hexes.map((it) => it.x);
  const ys = hexes.map((it) => it.y);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const { width, height } = map.cam;
  // The words cover the foot of the map.
  const free = height - Math.min(height * 0.4, $("#story").offsetHeight);
  const scale = Math.max(20, Math.min(44, width / (right - left + 10), free / (bottom - top + 7)));
  const { bounds } = map.board;
  // No emptiness beyond the edges of the board while there is board to show.
  const within = (v, least, most) => (least > most ? v : Math.max(least, Math.min(most, v)));
  return {
    scale,
    x: within(width / 2 - ((left + right) / 2) * scale, width - 10 - bounds.right * scale, 10 - bounds.left * scale),
    y: within(free / 2 - ((top + bottom) / 2) * scale, free - 10 - bounds.bottom * scale, 10 - bounds.top * scale),
  };
}

/** Go there: a short way in view of all, a long one at once. */
function fly(to) {
  const flight = (story.flight = { board: map.board }); // overtaken by the next scene, it ends where it is
  const from = { scale: map.cam.scale, x: map.cam.x, y: map.cam.y };
  const far = Math.hypot(to.x - from.x, to.y - from.y) > 900 || Math.abs(to.scale / from.scale - 1) > 0.6;
  const arrive = () => {
    Object.assign(map.cam, to);
    map.cam.keep(map.board.bounds);
    map.moved(0);
  };
  if (far || calm.matches) return arrive();
  const began = performance.now();
  const length = 520 / Math.max(1, story.pace / 2);
  const step = (now) => {
    if (story.flight !== flight || map.board !== flight.board) return;
    const t = Math.max(0, Math.min(1, (now - began) / length));
    const k = t * t * (3 - 2 * t);
    for (const name of ["scale", "x", "y"]) map.cam[name] = from[name] + (to[name] - from[name]) * k;
    map.moved();
    if (t < 1) requestAnimationFrame(step);
    else arrive();
  };
  requestAnimationFrame(step);
}

/** Bring places of the board that is open into sight. */
export function frame(keys) {
  const hexes = keys.map((key) => map.board.hexes.get(key.split("/")[1])).filter(Boolean);
  if (hexes.length) fly(target(hexes));
}

/** Counters go along their arrows; where motion is not wanted they stand at once. */
async function carry(scene) {
  const hexOf = (key) => map.board?.hexes.get(key.startsWith(`${map.board.name}/`) ? key.split("/")[1] : "");
  const going = scene.carried.map((it) => ({ ...it, a: hexOf(it.origin), b: hexOf(it.to) })).filter((it) => it.a && it.b);
  if (calm.matches || !going.length || story.pace > 2) return;
  const began = performance.now();
  for (let t = 0; t < 1 && storyOpen(); t = Math.min(1, (performance.now() - began) / 600)) {
    map.drafts = going.map((it) => ({ power: it.nation, unit: it.unit, count: it.count, x: it.a.x + (it.b.x - it.a.x) * t, y: it.a.y + (it.b.y - it.a.y) * t }));
    drawOver(map);
    await new Promise(requestAnimationFrame);
  }
  map.drafts = [];
}

async function show(scene) {
  const board = (scene.places[0] ?? "").split("/")[0];
  if (!board) return void (map.changed = new Set());
  if (document.body.dataset.view !== board) openView(board);
  await map.open(board);
  // Whoever moves the map by hand wants to look there.
  if (story.since === null || !map.panned) frame(scene.places.filter((key) => key.startsWith(`${board}/`)));
  map.changed = new Set(scene.places);
  // Marches of this scene are full and numbered, those before it pale, those to come not there yet.
  map.arrows = story.scenes.slice(0, story.at + 1).flatMap((it, n) => it.arrows.map(([from, to]) => ({ from, to, kind: n === story.at ? "attack" : "past", label: n === story.at ? n + 1 : "" })));
  drawOver(map);
  clearTimeout(story.flash);
  if (story.since === null) story.flash = setTimeout(() => {
    map.changed = new Set();
    drawOver(map);
  }, 1600);
}

// -- the words and the chart --------------------------------------------------------------------------------------

const button = (id, label, key, path, act) => html`<button id=${id} class="icon" title=${`${label} (${key})`} aria-label=${label} onclick=${act}>${icon(path)}</button>`;

const PLAY = "M6 4l10 6-10 6z";
const PAUSE = "M6 4v12M14 4v12";

/** An entry of the log; its number opens the position after it. */
const entry = (n) => html`<button class="link small" onclick=${() => lookAt(n)}>${n}</button>`;

function words(scene) {
  const last = story.at === story.scenes.length - 1;
  fill($("#story"), html`
    <div class="story-words" aria-live=${story.playing ? "off" : "polite"}>
      <p class="story-when">${scene.turn}<span class="quiet"> ${story.at + 1} of ${story.scenes.length}${scene.first > 0 && html` · ${scene.first === scene.move ? "entry" : ["entries ", entry(scene.first), " to"]} ${entry(scene.move)}`}</span>
        ${scene.battle && html` <button class="link small" onclick=${() => document.dispatchEvent(new CustomEvent("battle", { detail: scene.move }))}>Its sheet</button>`}</p>
      ${scene.say && html`<p class="story-say">${capital(scene.say)}</p>`}
      ${scene.tell && html`<p class="story-tell">${scene.tell}</p>`}
    </div>
    <div class="story-bar" role="toolbar" aria-label="The story">
      ${button("story-back", "Step back", "←", "M14 4 6 10l8 6zM5 4v12", () => step(-1))}
      ${story.playing
        ? button("story-play", "Pause", "space bar", PAUSE, pause)
        : button("story-play", last ? "From the beginning" : "Play", "space bar", PLAY, play)}
      ${button("story-on", "Step on", "→", "M6 4l8 6-8 6zM15 4v12", () => step(1))}
      <span class="story-pace">
        <button id="story-slower" disabled=${story.pace === PACES[0]} title="Slower (↓)" aria-label="Slower"
          onclick=${() => pace(-1)}>−</button>
        <output id="story-rate" aria-label="Pace">${story.pace}×</output>
        <button id="story-faster" disabled=${story.pace === PACES.at(-1)} title="Faster (↑)" aria-label="Faster"
          onclick=${() => pace(1)}>+</button>
      </span>
      ${story.since === null
        ? html`<input type="range" id="story-scenes" min="0" max=${story.scenes.length - 1} value=${story.at} aria-label="Scene"
          aria-valuetext=${`${scene.turn}, scene ${story.at + 1}`} onchange=${(event) => goTo(Number(event.target.value))} />`
        : html`<ol id="story-scenes" aria-label="Scenes">${story.scenes.map((it, n) => html`<li><button class=${n < story.at ? "past" : ""}
          aria-label=${it.say} aria-current=${n === story.at ? "step" : undefined} onclick=${() => step(n - story.at)}>${n + 1}</button></li>`)}</ol>`}
      ${story.since !== null && html`<button id="story-next" class="main" onclick=${() => (last ? close() : step(1))}>${last ? "To my turn" : "Next scene"} <kbd aria-hidden="true">→</kbd></button>`}
      <button id="story-close" class="small" onclick=${close} title="Leave the story; the table stays at this moment">
        ${story.since === null ? "Close" : html`Skip <kbd aria-hidden="true">Esc</kbd>`}
      </button>
    </div>
  `);
}

/** What stood behind the orders and reports of a scene, for whoever stops to read. */
const asides = ({ asides: lines }) => lines.length
  ? html`<section class="story-asides"><h3>Behind the orders</h3><ul>${lines.map((it) => html`<li>${it}</li>`)}</ul></section>`
  : null;

/** Beside the map: every power's level as it grew until now, against the whole war. */
function chart() {
  if (story.since !== null) return meanwhile();
  if (!story.charts) return;
  const levels = position()
    .powers.filter((it) => it.kept)
    .map((it) => [it.power, it.figures.level ?? 0])
    .sort((a, b) => b[1] - a[1]);
  fill($("#story-side"), html`
    <header><h2>BRPs so far</h2><span class="quiet">${position().clock.turn_name}</span></header>
    ${story.telling && html`<p class="story-tell">${story.telling}</p>`}
    ${served(story.charts)}
    <ol class="story-levels">
      ${levels.map(([power, level]) => html`<li>${seal(power)}<span>${nameOf(power)}</span>${number(level, "level", [power], nameOf(power))}</li>`)}
    </ol>
    ${asides(story.scenes[story.at])}
  `);
  uncover(position().clock.moment);
}

/** The chart of the whole war is seen as far as the story has come. */
function uncover(moment) {
  const seen = $("#so-far rect");
  if (!seen) return;
  const { first, left, turn } = seen.dataset;
  const x = Number(left) + (Math.floor(moment / 100) + (moment % 100) / 40 - first) * turn;
  seen.setAttribute("width", x);
  for (const end of ["x1", "x2"]) $(".growing .now").setAttribute(end, x);
}

/** Beside the map, as the server draws it: the scenes with their BRPs, what changed by all of them, what waits now. */
function meanwhile() {
  const outside = () => attempt(() => table.post("/replays", { since: story.since })).then((it) => it && copied(new URL(it.link, location.origin).href, "A link for people outside is copied."));
  const press = ({ target }) => {
    const { scene, ...does } = target.closest("button")?.dataset ?? {};
    if (scene) step(Number(scene) - story.at);
    if ("copies" in does) copied(`${location.origin}${location.pathname}?replay=${story.since}`, "A link to this replay is copied.");
    if ("outside" in does) outside();
    if ("now" in does) close();
  };
  fill($("#story-side"), html`<header><h2>While you were away</h2><button class="small push" onclick=${close}>Close ×</button></header>${served(story.drawn, { onclick: press })}`);
  $$(".away-scenes li").forEach((it, n) => it.classList.toggle("now", n === story.at));
}

// -- playing ------------------------------------------------------------------------------------------------------

/** Show a scene; the next one comes when it has been read. */
async function goTo(index) {
  clearTimeout(story.timer);
  story.at = Math.max(0, Math.min(story.scenes.length - 1, index));
  const scene = story.scenes[story.at];
  // The story of the turn, which stays while its scenes go by.
  story.telling = story.scenes.slice(0, story.at + 1).findLast((it) => it.tell)?.tell ?? "";
  const mine = (story.busy = Symbol("scene"));
  words(scene);
  if (scene.carried.length) await show(scene).then(() => carry(scene));
  await Promise.all([lookAt(scene.move), scene.carried.length ? drawOver(map) : show(scene)]);
  if (story.busy !== mine || !storyOpen()) return;
  chart();
  document.body.dataset.scene = story.at;
  if (!story.playing) return;
  if (story.at === story.scenes.length - 1) return pause();
  story.timer = setTimeout(() => goTo(story.at + 1), lasts(scene));
}

function step(by) {
  story.playing = false;
  goTo(story.at + by);
}
function play() {
  story.playing = true;
  goTo(story.at === story.scenes.length - 1 ? 0 : story.at + 1);
}
function pause(focus = true) {
  story.playing = false;
  clearTimeout(story.timer);
  words(story.scenes[story.at]);
  if (focus) $("#story-play").focus();
}
function pace(by) {
  story.pace = PACES[Math.max(0, Math.min(PACES.length - 1, PACES.indexOf(story.pace) + by))];
  if (story.playing) goTo(story.at);
  else words(story.scenes[story.at]);
  toast(`Pace ${story.pace}×`);
}
function close() {
  story.playing = false;
  clearTimeout(story.timer);
  $("#story").hidden = $("#story-side").hidden = true;
  document.body.removeAttribute("data-story");
  map.arrows = [];
  map.changed = new Set();
  store.present = map.hands.away = null;
  if (story.since === null) $("#story-open").hidden = false;
  else lookAt(null).then(() => looked());
  dispatchEvent(new Event("resize"));
}

/** Begin at the moment that is looked at; at the end of the game, from the beginning. */
async function open(playing) {
  const now = position().move;
  const next = story.scenes.findIndex((scene) => scene.move >= now);
  story.playing = playing;
  $("#story").hidden = $("#story-side").hidden = false;
  $("#story-open").hidden = true;
  document.body.dataset.story = "open";
  story.charts ??= await table.get("/charts/growing");
  await goTo(next === -1 || next === story.scenes.length - 1 ? 0 : next);
}

/** What happened since a move, as scenes; 0: since the player turn before this one began. */
export async function replay(since) {
  if (storyOpen()) return;
  const found = await table.get("/meanwhile", { since });
  if (!found.scenes.length) return toast("Nothing has happened since.");
  if (store.at !== null) await lookAt(null);
  Object.assign(story, { ...found, since, playing: false });
  store.present = position();
  map.panned = false;
  map.hands.away = () => modal("To my turn?", "Nothing is ordered from the past.", html`<button class="main" onclick=${() => { $("#modal").close(); close(); }}>To my turn</button>`);
  if (innerWidth < 900) setSheet("peek");
  $("#story").hidden = $("#story-side").hidden = false;
  document.body.dataset.story = "open";
  looked();
  await goTo(0);
}

const KEYS = {
  Escape: () => (story.since === null ? null : close()),
  n: () => (story.since === null ? null : close()),
  " ": () => (story.playing ? pause() : play()),
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ArrowUp: () => pace(1),
  ArrowDown: () => pace(-1),
};

/** Keys of the story, unless what has the focus has a use for them itself. */
function key(event) {
  if (!storyOpen() || event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  const own = event.key === " " ? "input, textarea, select, button, a, summary, #hex-grid" : "input, textarea, select, #hex-grid";
  if (event.target.closest?.(own) || $("dialog[open]")) return;
  event.preventDefault();
  event.stopPropagation();
  KEYS[event.key]();
}

export async function startStory() {
  const { searchParams } = new URL(location.href);
  const wanted = searchParams.has("play");
  const since = Number(searchParams.get("replay")) || store.view.away;
  document.addEventListener("keydown", key, true);
  // A swipe goes from scene to scene; what others do meanwhile is added as new scenes.
  let from = 0;
  $("#story").addEventListener("touchstart", (event) => (from = event.touches[0].clientX), { passive: true });
  $("#story").addEventListener("touchend", (event) => {
    const by = event.changedTouches[0].clientX - from;
    if (Math.abs(by) > 60) step(by < 0 ? 1 : -1);
  });
  subscribe(async (view, before) => {
    if (!storyOpen() || story.since === null || !before || view.head === before.head) return;
    Object.assign(story, await table.get("/meanwhile", { since: story.since }));
    await renewPresent();
    words(story.scenes[story.at]);
    chart();
  });
  if (since) return replay(since).catch(() => null);
  story.scenes = await table.get("/story").catch(() => []);
  if (!story.scenes.length) return;
  // Whoever opens a sheet wants to read it.
  onView((view) => {
    if (story.playing && view !== "europe" && view !== "pacific") pause(false);
  });
  $("#story-open").hidden = false;
  $("#story-open").addEventListener("click", () => open(true));
  if (wanted) {
    if (store.at === null) await lookAt(story.scenes[0].move);
    await open(!calm.matches);
  }
}
