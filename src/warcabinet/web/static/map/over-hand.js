// What the hand does on the map: ghosts that are laid, what is held and where it may go, the brush, numbered places.

import { counter } from "./counters.js";
import { along, crossed, disc, inSight, strokes, veil, written } from "./pen.js";
import { border, cased, ring, trace } from "./rings.js";

/** Counters laid as orders that are not given yet: a dashed frame, their number in blue. */
export function ghosts(ctx, map, c, hexOf) {
  const edge = Math.min(40, map.cam.scale * 0.82);
  const here = new Map();
  for (const ghost of [...map.ghosts, ...map.drafts, ...map.advised, ...map.others]) {
    const hex = "x" in ghost ? ghost : hexOf(ghost.at);
    if (!hex) continue;
    // Several kinds at one place lie a little apart.
    const n = here.get(hex) ?? 0;
    here.set(hex, n + 1);
    const [x, y] = map.cam.screen(hex).map((v, i) => v + n * (i ? -5 : 9));
    ghost.middle = [x, y];
    ctx.globalAlpha = ghost.alpha ?? (ghost.label ? 0.5 : 0.85);
    counter(ctx, x - edge / 2, y - edge / 2, edge, { nation: ghost.power, unit: ghost.unit }, ghost.count - 1, ghost.count);
    ctx.globalAlpha = 1;
    if (ghost.label) written(ctx, ghost.label, x + edge * 0.6, y, "700 12px sans-serif", c.ink, c.paper, 4);
    if (!ghost.alpha) framed(ctx, ghost.wrong ? c.deny : c.focus, x - edge / 2, y - edge / 2, edge, ghost.own);
    if (ghost.off) cross(ctx, c, (ghost.cross = [x + edge / 2 + 3, y - edge / 2 - 3]));
  }
}

/** Where a ghost is taken back: a small cross at its corner. */
function cross(ctx, c, [x, y]) {
  disc(ctx, x, y, 8.5, c.paper, c.ink, 1.4);
  crossed(ctx, x, y, 3);
}

/** Hexes under the brush, in the colour of whoever is to hold them. */
export function stroke(ctx, map, c, hexOf) {
  for (const hex of [...(map.brush.stroke ?? map.brush.laid)].map(hexOf).filter(Boolean)) {
    ring(ctx, map.board, map.cam, hex, 1);
    veil(ctx, c[`${map.brush.by}-map`] ?? c.paper, 0.75);
  }
}

/** A number at a place, as it stands in the list beside the map. */
export function pinned(ctx, map, c, hex, { number, grave }) {
  if (!hex) return;
  if (grave) cased(ctx, map, hex, c.deny, 2);
  const [x, y] = map.cam.screen(hex);
  const [px, py] = [x - map.cam.scale * 0.36, y - map.cam.scale * 0.42];
  disc(ctx, px, py, 9, grave ? c.deny : c.paper, grave ? c.paper : c.ink, 1.2);
  ctx.fillStyle = grave ? c.paper : c.ink;
  ctx.font = "700 11px sans-serif";
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(String(number), px, py + 0.5);
}

/** With something in the hand: the enemy's hexes, and the hex under it, by whether it may be put there. */
export function aimed(ctx, map, c, hexOf) {
  for (const [key, enemy] of map.hands.held.enemies) {
    const hex = enemy.counters ? hexOf(key) : null;
    if (!hex || map.places?.forbidden.has(key)) continue;
    ring(ctx, map.board, map.cam, hex, 0.9);
    strokes(ctx, [c.paper, 4.2], [c.focus, 2.1]);
  }
  const to = map.hover;
  if (!to) return;
  const no = map.places?.forbidden.has(to.key);
  ring(ctx, map.board, map.cam, to, 1);
  veil(ctx, no ? c.deny : c.focus, 0.14);
  cased(ctx, map, to, no ? c.deny : c.focus, no ? 2.6 : 3.4);
}

/** What is held: the place it came from, the way to the hex under it, and the counters as they would stand there. */
export function inHand(ctx, map, c, hexOf) {
  const from = hexOf(map.hands.held.key);
  const to = map.hover;
  if (from && to && from !== to) {
    ctx.setLineDash([1, 6]);
    ctx.lineCap = "round";
    along(ctx, [map.cam.screen(from), map.cam.screen(to)]);
    strokes(ctx, [c.paper, 6], [c.focus, 3]);
    ctx.setLineDash([]);
  }
  if (from) slot(ctx, map, c, from);
  if (to && map.hands.held.aim && !map.places?.forbidden.has(to.key)) proposed(ctx, map, c, to);
}

/** The counters where they would then stand, beside those that do. */
function proposed(ctx, map, c, to) {
  const [x, y] = map.cam.screen(to);
  const edge = Math.min(40, map.cam.scale * 0.82);
  const { piles } = map.hands.held;
  const all = piles.reduce((n, p) => n + p.count, 0);
  counter(ctx, x - edge * 0.15, y - edge * 0.2, edge, piles[0], all - 1, all);
  framed(ctx, c.focus, x - edge * 0.15, y - edge * 0.2, edge);
}

/** The place that was left: an empty frame, so that one sees where it goes back to. */
function slot(ctx, map, c, from) {
  const [x, y] = map.cam.screen(from);
  const edge = Math.min(40, map.cam.scale * 0.82);
  ctx.globalAlpha = 0.55;
  ctx.fillStyle = c.paper;
  ctx.fillRect(x - edge / 2, y - edge / 2, edge, edge);
  ctx.globalAlpha = 1;
  framed(ctx, c.focus, x - edge / 2, y - edge / 2, edge);
}

function framed(ctx, colour, x, y, edge, solid) {
  ctx.setLineDash(solid ? [] : [4, 3]);
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.strokeRect(x - 3, y - 3, edge + 6, edge + 6);
  ctx.setLineDash([]);
}

const MANY = 120;
const apart = (a, b) => Math.max(Math.abs(a.row - b.row), Math.abs(a.col - b.col), Math.abs(a.row + a.col - b.row - b.col));

/** Where what is held may be put: rings within its printed reach and a line around them, else dots where they are many. */
function open(ctx, map, c, hexOf) {
  const { legal, hand } = map.places;
  const { cam, board } = map;
  const from = hexOf(hand.key);
  const reach = from ? (hand.order?.reach ?? 0) : 0;
  const seen = [...legal].map(hexOf).filter((hex) => inSight(cam, hex));
  const near = reach ? seen.filter((hex) => apart(hex, from) <= reach) : seen;
  ctx.strokeStyle = ctx.fillStyle = c.focus;
  const dots = cam.scale < 27 || near.length > MANY;
  ctx.globalAlpha = dots ? 0.9 : 0.62;
  ctx.lineWidth = 1.25;
  ctx.setLineDash([4, 3]);
  // Many are dots, and rings only next to the pointer.
  const ringed = dots ? near.filter((hex) => map.hover && apart(hex, map.hover) <= 1) : near;
  ctx.beginPath();
  for (const hex of ringed) trace(ctx, board, cam, hex, 0.86);
  ctx.stroke();
  ctx.beginPath();
  for (const hex of dots ? near : []) {
    if (ringed.includes(hex)) continue;
    const [x, y] = cam.screen(hex);
    ctx.moveTo(x + 3.2, y + cam.scale * 0.36);
    ctx.arc(x, y + cam.scale * 0.36, Math.min(3.2, cam.scale * 0.09), 0, 7);
  }
  ctx.fill();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
  if (!reach) return;
  const inReach = [...board.hexes.values()].filter((hex) => apart(hex, from) <= reach).map((hex) => hex.id);
  border(ctx, map, inReach, c.focus, [], 2);
}

/** With something in the hand: where it may go, and what it may not enter. */
export function inReach(ctx, map, c, hexOf) {
  hatched(ctx, map, c, hexOf, [...map.places.forbidden.keys()]);
  open(ctx, map, c, hexOf);
}

/** With something in the hand: what it may not enter is hatched in red over a veil of paper. */
function hatched(ctx, map, c, hexOf, keys) {
  ctx.beginPath();
  for (const hex of keys.map(hexOf).filter((it) => inSight(map.cam, it))) trace(ctx, map.board, map.cam, hex, 1);
  ctx.save();
  ctx.clip();
  ctx.globalAlpha = 0.35;
  ctx.fillStyle = c.paper;
  ctx.fillRect(0, 0, map.cam.width, map.cam.height);
  ctx.globalAlpha = 0.45;
  ctx.strokeStyle = c.deny;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (let d = -map.cam.height; d < map.cam.width; d += 7) {
    ctx.moveTo(d, map.cam.height);
    ctx.lineTo(d + map.cam.height, 0);
  }
  ctx.stroke();
  ctx.restore();
}
