// Names on the map, placed greedily and always the same way: what floats first, then counters, cities, lands, seas.

import { nameOf } from "../dom.js";
import { colours } from "./palette.js";
import { levelOf } from "./paint.js";
import { disc, written } from "./pen.js";

const SANS = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
const SERIF =
  '"Iowan Old Style", Palatino, "Palatino Linotype", "Book Antiqua", Georgia, "Liberation Serif", "DejaVu Serif", serif';
const SIZES = {
  1: { city: [11, 10, 0], land: [9.5, 12, 15.5], sea: [9.5, 11.5, 15], note: 0 },
  2: { city: [12.5, 11, 0], land: [10.5, 14, 19], sea: [10.5, 14, 19], note: 10.5 },
  3: { city: [14, 12.5, 11.5], land: [12.5, 17, 24], sea: [12.5, 17, 24], note: 12 },
};

const CELL = 64;
const within = (r, x, y) => x > r.x && x < r.x + r.w && y > r.y && y < r.y + r.h;

/** What is taken on the sheet, kept by cells, so that a crowded board is asked as fast as an empty one. */
class Room {
  constructor(blocked) {
    this.cells = new Map();
    for (const r of blocked) this.take(r);
  }
  *near(r) {
    for (let row = Math.floor((r.y - 2) / CELL); row <= (r.y + r.h + 2) / CELL; row++)
      for (let col = Math.floor((r.x - 4) / CELL); col <= (r.x + r.w + 4) / CELL; col++) yield row * 1000 + col;
  }
  free(r) {
    for (const cell of this.near(r))
      for (const o of this.cells.get(cell) ?? [])
        if (r.x < o.x + o.w + 3 && o.x < r.x + r.w + 3 && r.y < o.y + o.h + 1 && o.y < r.y + r.h + 1) return false;
    return true;
  }
  take(r) {
    for (const cell of this.near(r)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push(r);
    }
  }
}

/** Draw all names at once. */
export function label(...given) {
  for (const _ of labelling(...given));
}

/** Draw all names, with pauses. `blocked` are rectangles nothing may touch; `stacked` hexes carry a counter of the given edge. */
export function* labelling(ctx, board, cam, made, { blocked, stacked, edge, ids, position, frame, named }) {
  const c = colours();
  const level = levelOf(cam.scale);
  const sizes = SIZES[level];
  const room = new Room(blocked);
  const at = (hex) => cam.screen(hex);
  const inView = ([x, y]) => x > -40 && y > -20 && x < cam.width + 40 && y < cam.height + 20;
  const cities = board.places
    .map((p) => ({ ...p, hex: board.hexes.get(p.hex) }))
    .map((p) => ({ ...p, at: at(p.hex) }))
    .filter((p) => inView(p.at) && sizes.city[p.tier - 1] && !blocked.some((b) => within(b, ...p.at)));
  for (const id of stacked) {
    const [x, y] = at(board.hexes.get(id));
    if (inView([x, y])) room.take({ x: x - edge / 2, y: y - edge / 2 - 4, w: edge + 6, h: edge + 4 });
  }
  for (const p of cities) if (!stacked.has(p.hex.id)) room.take({ x: p.at[0] - 2, y: p.at[1] - 2, w: 4, h: 4 });
  const pen = { ctx, c, cam, board, room, made, level, sizes, edge, stacked, at, frame, named };
  for (const p of cities.filter((it) => it.tier === 1)) yield city(pen, p);
  for (const n of board.names.filter((it) => it.kind === "land")) yield land(pen, n, position);
  for (const n of board.names.filter((it) => it.kind === "sea")) yield sea(pen, n);
  for (const tier of [2, 3]) for (const p of cities.filter((it) => it.tier === tier)) yield city(pen, p);
  if (ids || level === 3) yield* hexIds(pen, inView);
}

const write = (pen, ...what) => written(pen.ctx, ...what);

/** Words with their middle at x. */
const middle = (pen, text, x, y, font, colour, halo, width, spacing) =>
  write(pen, text, x - measure(pen, text, font, spacing) / 2, y, font, colour, halo, width, spacing);

const widths = new Map();

/** How wide a text is; measured once for each font. */
function measure(pen, text, font, spacing = "0px") {
  const key = `${font} ${spacing} ${text}`;
  if (!widths.has(key)) widths.set(key, measured(pen, text, font, spacing));
  return widths.get(key);
}

function measured(pen, text, font, spacing) {
  pen.ctx.font = font;
  pen.ctx.letterSpacing = spacing;
  const { width } = pen.ctx.measureText(text);
  pen.ctx.letterSpacing = "0px";
  return width;
}

function dot(pen, p) {
  const { ctx, c } = pen;
  const [x, y] = p.at;
  if (!p.ringed) return disc(ctx, x, y, 1.9, c.ink);
  disc(ctx, x, y, 3.4, c.paper, c.ink, 1.1);
  disc(ctx, x, y, 1.3, c.ink);
}

/** How small the name of a great city may grow before it is laid under what stands round it. */
const SHRUNK = [1, 0.86, 0.74];

/** A city's name stays at its city: where there is no room it shrinks, and at last lies faded under the counters. */
function city(pen, p) {
  const covered = pen.stacked.has(p.hex.id);
  if (!covered) dot(pen, p);
  const least = SHRUNK.at(-1);
  for (const share of p.tier === 1 ? SHRUNK : [1]) {
    const { spots, font } = spotsAt(pen, p, share, covered);
    const own = spots.filter((r) => home(pen, r, p.hex));
    const wanted = [...own, ...(p.tier === 1 ? spots : [])];
    const found = [...wanted.filter((r) => inFrame(pen, r)), ...wanted].find((r) => pen.room.free(r));
    const laid = found ?? (p.tier === 1 && share === least ? spots[3] : null);
    if (!laid) continue;
    pen.room.take(laid);
    pen.named?.set(p.hex.id, laid);
    write(pen, p.name, laid.x, laid.y + laid.h / 2, font, found ? pen.c.ink : pen.c["ink-3"], pen.c.paper, 2.6);
    return;
  }
}

/** The spots round a city where its name can stand, the best first: right, left, above, under it, then aslant. */
function spotsAt(pen, p, share, covered) {
  const size = pen.sizes.city[p.tier - 1] * share;
  const font = `${p.tier === 1 ? 700 : 400} ${size}px ${SANS}`;
  const w = measure(pen, p.name, font);
  const h = size * 1.05;
  const away = covered ? pen.edge / 2 + 4 : 6;
  const [x, y] = p.at;
  const aslant = [x + away - 2, x - away - w + 2].flatMap((tx) => [[tx, y - away - 3], [tx, y + away + 3]]);
  const level = [[x + away, y], [x - away - w, y], [x - w / 2, y - away - h / 2 - 2], [x - w / 2, y + away + h / 2 + 1]];
  const spots = [...level, ...aslant].map(([tx, ty]) => ({ x: tx, y: ty - h / 2, w, h }));
  return { spots, font };
}

/** Whether a spot is wholly in sight: a name cut at the edge of the map is worse than one on the other side. */
const inFrame = ({ frame }, r) =>
  !frame || (r.x >= frame.x && r.y >= frame.y && r.x + r.w <= frame.x + frame.w && r.y + r.h <= frame.y + frame.h);

/** Whether the edge of the map would cut a name: what lies wholly beyond it waits for a drag. */
function cut(pen, r) {
  const { frame } = pen;
  if (!frame || inFrame(pen, r)) return false;
  return r.x < frame.x + frame.w && r.x + r.w > frame.x && r.y < frame.y + frame.h && r.y + r.h > frame.y;
}

/** Whether the middle of a spot lies in the place's own land, or in the sea. */
function home(pen, r, hex) {
  const under = pen.board.under(...pen.cam.plane(r.x + r.w / 2, r.y + r.h / 2));
  return !under || !under.land || under.country === hex.country;
}

/** Spots round an anchor, nearest first. */
function* around(x, y, step) {
  yield [x, y];
  for (let ringAt = 1; ringAt <= 4; ringAt++)
    for (let i = 0; i < 12; i++) {
      const a = (i * Math.PI) / 6;
      yield [x + Math.cos(a) * ringAt * step, y + Math.sin(a) * ringAt * step];
    }
}

function land(pen, n, position) {
  const hex = pen.board.hexes.get(n.hex);
  const size = pen.sizes.land[n.size - 1];
  const lines = n.text.split("|");
  const font = `400 ${size}px ${SERIF}`;
  const spacing = `${(size * (n.size === 3 ? 0.22 : 0.1)).toFixed(1)}px`;
  const standing = position.countries.find((it) => it.id === n.area);
  const note =
    pen.sizes.note && standing?.status === "conquered" && standing.by ? `held by ${nameOf(standing.by)}` : "";
  const italic = `italic 600 ${pen.sizes.note}px ${SERIF}`;
  const wide = lines.map((t) => measure(pen, t, font, spacing));
  const w = Math.max(...wide, note ? measure(pen, note, italic) : 0);
  const h = lines.length * size * 1.08 + (note ? pen.sizes.note : 0);
  const [ax, ay] = pen.at(hex);
  for (const [x, y] of around(ax, ay, pen.cam.scale * 0.45)) {
    const r = { x: x - w / 2, y: y - h / 2, w, h };
    const under = pen.board.under(...pen.cam.plane(x, y));
    if (!under || under.country !== hex.country || !pen.room.free(r)) continue;
    if (cut(pen, r)) continue;
    pen.room.take(r);
    const { ink, paper } = pen.c;
    lines.forEach((text, i) => middle(pen, text, x, r.y + size * (0.55 + i * 1.08), font, ink, paper, 3.4, spacing));
    if (note) middle(pen, note, x, r.y + h - pen.sizes.note * 0.45, italic, ink, paper, 2.6);
    return;
  }
}

function sea(pen, n) {
  const size = pen.sizes.sea[n.size - 1];
  const font = `italic 400 ${size}px ${SERIF}`;
  const spacing = `${(size * 0.08).toFixed(1)}px`;
  const lines = n.text.split("|");
  const w = Math.max(...lines.map((t) => measure(pen, t, font, spacing)));
  const h = size * 1.1 * lines.length;
  const [ax, ay] = pen.at(pen.board.hexes.get(n.hex));
  for (const [x, y] of around(ax, ay, pen.cam.scale * 0.5)) {
    const r = { x: x - w / 2, y: y - h / 2, w, h };
    if (!pen.room.free(r) || !wet(pen, r) || cut(pen, r)) continue;
    pen.room.take(r);
    const { "sea-name": ink, sea: water } = pen.c;
    lines.forEach((text, i) => middle(pen, text, x, r.y + size * (0.55 + i * 1.1), font, ink, water, 2.6, spacing));
    return;
  }
}

function wet(pen, r) {
  for (let i = 0; i <= 6; i++) {
    const hex = pen.board.under(...pen.cam.plane(r.x + (r.w * i) / 6, r.y + r.h / 2));
    if (!hex || (hex.land && hex.share > 0.25)) return false;
  }
  return true;
}

function* hexIds(pen, inView) {
  const font = `400 10px ${SANS}`;
  for (const hex of pen.board.hexes.values()) {
    const [x, y] = pen.at(hex);
    if (!inView([x, y])) continue;
    const w = measure(pen, hex.id, font);
    const r = { x: x - w / 2, y: y - pen.cam.scale * 0.42, w, h: 10 };
    if (pen.level > 1 && !pen.room.free(r)) continue;
    pen.room.take(r);
    if (pen.cam.scale < 24) continue;
    yield write(pen, hex.id, r.x, r.y + 5, font, pen.c["ink-3"], hex.land ? pen.c.paper : pen.c.sea, 2);
  }
}
