// Chances on the map: whose each place and country is in how many futures of a run, by the end of any turn.

import { table } from "./api.js";
import { whole } from "./changes.js";
import { firstPower, nameOf, several } from "./dom.js";
import { loadBoard } from "./map/atlas.js";
import { borders } from "./map/control.js";
import { label } from "./map/labels.js";
import { paint, shapes } from "./map/paint.js";
import { colours } from "./map/palette.js";
import { disc, strokes } from "./map/pen.js";
import { lookAt } from "./map/picture.js";
import { served } from "./served.js";
import { position } from "./store.js";
import { html, painted, plain, seal, state } from "./ui.js";

/** What is looked at: by which turn, whose chances, on which board, among which futures, which place. */
const at = state({ run: "", by: "", power: null, board: "europe", among: "", of: "", data: null, card: null, start: null });
const cams = {};
const percent = (share) => `${Math.round(share * 100)} %`;

/** Ask for the map of a run, or for another look at it. */
export async function lookAtChances(run, change = {}) {
  if (run.run.id !== at.run) Object.assign(at, { data: null, card: null, run: run.run.id, by: "", among: "", of: "", start: null });
  Object.assign(at, change);
  at.power ??= firstPower();
  const query = { by: at.by, among: at.among };
  at.start ??= whole((await table.get("", { at: run.run.at })).position);
  const card = at.of ? table.get(`/plans/runs/${at.run}/chance.html`, { ...query, of: at.of }) : null;
  [at.data, at.card] = await Promise.all([table.get(`/plans/runs/${at.run}/map`, query), card]);
}

// -- the picture ---------------------------------------------------------------------------------------------------

const ofHex = (hex) => at.data.hexes[hex.key] ?? {};
const leads = (shares) => Object.entries(shares).sort((a, b) => b[1] - a[1])[0];
/** Whose share is shown of something: the chosen power's, or the likeliest holder's. */
const shown = (shares) => (at.power ? [at.power, shares[at.power] ?? 0] : leads(shares) ?? ["", 0]);
const open = (shares) => Object.values(shares).some((it) => it > 0 && it < 1);

function hexPath(ctx, board, hex) {
  ctx.beginPath();
  for (let i = 0; i < 6; i++) ctx.lineTo(...board.corner(hex, i));
  ctx.closePath();
}

/** The land of the chosen power by its share, over the colours of the start; a dashed line round what is not certain. */
function tints(ctx, board, cam) {
  const c = colours();
  ctx.save();
  ctx.transform(cam.scale, 0, 0, cam.scale, cam.x, cam.y);
  for (const hex of board.hexes.values()) {
    const [power, share] = shown(ofHex(hex));
    if (!hex.land || !share) continue;
    ctx.globalAlpha = 0.92 * share;
    ctx.fillStyle = c[`${power}-map`];
    hexPath(ctx, board, hex);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
  ctx.restore();
}

function unsure(ctx, board, cam) {
  const moved = new Path2D();
  moved.addPath(borders(board, (a, b) => a.land && b.land && open(ofHex(a)) !== open(ofHex(b))), new DOMMatrix([cam.scale, 0, 0, cam.scale, cam.x, cam.y]));
  ctx.setLineDash([5, 4]);
  ctx.strokeStyle = colours().ink;
  ctx.lineWidth = 1.6;
  ctx.stroke(moved);
  ctx.setLineDash([]);
}

function pie(ctx, [x, y], share, colour, chosen) {
  const c = colours();
  disc(ctx, x, y, 8, c.paper, chosen ? c.focus : c.ink, chosen ? 3 : 1.2);
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.arc(x, y, 7, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * share);
  ctx.fillStyle = colour;
  ctx.fill();
}

async function picture(canvas) {
  const board = await loadBoard(at.board);
  const look = lookAt(canvas, 30);
  if (!look || !at.data) return;
  const { ctx, cam, ratio } = look;
  if (cams[at.board]) Object.assign(cam, cams[at.board]);
  else if (at.board === "europe") cam.centre(board.hexes.get("M30").x + 3, board.hexes.get("M30").y + 1);
  else cam.fit(board.bounds);
  const { scale, x, y } = cam;
  cams[at.board] = { scale, x, y };
  const made = shapes(board, at.start);
  paint(ctx, board, cam, made, { ratio, tints: (pen) => tints(pen, board, cam) });
  unsure(ctx, board, cam);
  const places = new Map(at.data.places.map((it) => [it.place, it]));
  const lands = new Map(at.data.countries.map((it) => [it.country, it]));
  const told = (it, name) => (it && (open(it.shares) || it.marked) ? `${name} ${percent(shown(it.shares)[1])}` : name);
  const named = {
    places: { value: board.places.map((p) => ({ ...p, name: told(places.get(`${at.board}/${p.hex}`), p.name) })) },
    names: { value: board.names.map((n) => (lands.has(n.area) ? { ...n, text: `${n.text}|${percent(shown(lands.get(n.area).shares)[1])}` } : n)) },
  };
  for (const it of at.data.places.filter((p) => p.place.startsWith(at.board) && (p.marked || open(p.shares)))) {
    const [power, share] = shown(it.shares);
    pie(ctx, cam.screen(board.hexes.get(it.place.split("/")[1])), share, colours()[`${power || firstPower()}-map`], it.place === at.of);
  }
  const blank = { ...at.start, countries: [] };
  label(ctx, Object.create(board, named), cam, made, { blocked: [], stacked: new Set(), edge: 0, position: blank });
  if (at.among) {
    ctx.beginPath();
    ctx.rect(2, 2, cam.width - 4, cam.height - 4);
    strokes(ctx, [colours().accent, 4]);
  }
}

/** The map is dragged, zoomed by the wheel, and pressed where one wants to know more. */
function hands(choose) {
  let from = null;
  const point = (e) => [e.offsetX, e.offsetY];
  return {
    onpointerdown: (e) => { from = [...point(e), cams[at.board].x, cams[at.board].y]; e.target.setPointerCapture(e.pointerId); },
    onpointermove: (e) => {
      if (!from || !(e.buttons & 1)) return;
      Object.assign(cams[at.board], { x: from[2] + e.offsetX - from[0], y: from[3] + e.offsetY - from[1] });
      picture(e.target);
    },
    onpointerup: async (e) => {
      const still = from && Math.hypot(e.offsetX - from[0], e.offsetY - from[1]) < 5;
      from = null;
      const { scale, x, y } = cams[at.board];
      const hex = still && (await loadBoard(at.board)).under((e.offsetX - x) / scale, (e.offsetY - y) / scale);
      if (!hex) return;
      const land = at.data.countries.find((it) => it.country === hex.region || it.country === hex.country);
      choose(at.data.places.some((it) => it.place === hex.key) ? hex.key : land?.country ?? "");
    },
    onwheel: (e) => {
      e.preventDefault();
      const cam = cams[at.board];
      const scale = Math.max(8, Math.min(110, cam.scale * (e.deltaY < 0 ? 1.15 : 0.87)));
      const keep = (v, p) => p - ((p - v) * scale) / cam.scale;
      Object.assign(cam, { x: keep(cam.x, e.offsetX), y: keep(cam.y, e.offsetY), scale });
      picture(e.target);
    },
  };
}

// -- beside it -----------------------------------------------------------------------------------------------------

/** A place or country, as the server tells it: presses lead to what decides it, to its other futures, into one of them. */
function card(look, go, change) {
  const press = ({ target }) => {
    const { thing, among, future } = target.closest("button")?.dataset ?? {};
    return thing ? change(thing) : among ? look({ among }) : future && go(Number(future));
  };
  if (!at.card) return html`<p class="quiet">Press a place or a country on the map, or one of the least certain.</p>`;
  return served(at.card, { class: "page-part", onclick: press });
}

/** Where a hinge stands under the slider: in its right half its words lie before it. */
const beside = (share) => (share > 0.5 ? `right: ${100 - 100 * share}%; text-align: right` : `left: ${100 * share}%`);

/** The face of a run that is its map. `look` asks for another look, `go` opens a future, `change` goes to an uncertain thing. */
export function chancesFace(run, look, go, change) {
  if (!at.data || at.run !== run.run.id) return html`<p class="quiet">The map is being read.</p>`;
  const { turns, turn, futures, least_certain: least } = at.data;
  if (!turns.length) return html`<p class="quiet">No turn has been played to its end yet.</p>`;
  const set = (change) => () => Object.assign(at, change);
  const hinges = run.result.hinges.filter((it) => turns.includes(it.likeliest));
  const named = [...at.data.countries.map((it) => [it.country, it]), ...at.data.places.map((it) => [it.place, it])];
  const chosen = at.power ? nameOf(at.power) : "the likeliest holder";
  return html`<div class="chances">
    <div>
      <div class="chances-map">
        ${painted(picture, { "aria-label": `Chances of ${chosen} by ${turn}; the same as a list below`, role: "img", ...hands((of) => look({ of })) })}
        <div class="switch" role="group" aria-label="Whose chances">
          ${position().powers.map(({ power, name }) => html`<button aria-pressed=${power === at.power} onclick=${set({ power })}>${seal(power)} <span>${name}</span></button>`)}
          <button aria-pressed=${!at.power} onclick=${set({ power: "" })}>likeliest holder</button>
        </div>
        <p class="legend small"><b>${at.power ? nameOf(at.power) : "Likeliest"} by ${turn}</b> <span class="ramp" /> 0 to 100 % of ${several(futures, "future")}
          <span class="quiet">- - not the same in every future</span></p>
      </div>
      <div class="chances-time">
        <label>By the end of <output>${turn}</output>
          <input type="range" id="chances-turn" aria-label="By the end of which turn" min="0" max=${turns.length - 1} value=${turns.indexOf(turn)} aria-valuetext=${turn}
            oninput=${(e) => look({ by: turns[e.target.value] })} /></label>
        <div class="hinge-marks">${hinges.map((it) => html`<span style=${beside(turns.indexOf(it.likeliest) / Math.max(1, turns.length - 1))} title=${`${it.thing}: ${it.first} to ${it.last}`}>◆ ${it.thing} ${percent(it.share)}</span>`)}</div>
        <p class="row">
          ${at.among ? null : html`<button class="push" id="open-median" onclick=${() => go(run.result.questions[0]?.near ?? 0)}>Open a future as a game</button>`}
          <button class="small" onclick=${set({ board: at.board === "europe" ? "pacific" : "europe" })}>${at.board === "europe" ? "The Pacific" : "Europe"}</button>
          ${at.among && html`<button class="small" id="all-futures" onclick=${() => look({ among: "" })}>${several(futures, "future")} only: back to all</button>`}
        </p>
      </div>
    </div>
    <aside>
      ${card(look, go, change)}
      <h3>Least certain <span class="quiet small">by ${turn}; press one</span></h3>
      <p class="row least">${least.map((it) => html`<button class="small" aria-pressed=${it.what === at.of} onclick=${() => look({ of: it.what })}>${it.name} <b>${percent(it.stands[0].futures / it.futures)}</b></button>`)}
        ${!least.length && html`<span class="quiet">Every place and country is the same in all futures.</span>`}</p>
      <details><summary>All places and countries that change</summary>
        ${plain(named.map(([of, it]) => html`<tr><th scope="row"><button class="link" onclick=${() => look({ of })}>${it.name}</button></th>
          <td class="r">${percent(shown(it.shares)[1])}</td><td>${it.told ?? ""}</td></tr>`))}
      </details>
    </aside>
  </div>`;
}
