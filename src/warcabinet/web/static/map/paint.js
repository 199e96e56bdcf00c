// The map from bottom to top: sea, waterlines, land, control, coast, grid, borders. Names and counters come after.

import { areas, borders, holders, outline } from "./control.js";
import { colours, mix, pattern, tint } from "./palette.js";
import { terrain as drawTerrain } from "./terrain.js";

const LEVELS = {
  1: { land: 0.6, sea: 0.5, coast: 0.8, border: 1, front: 1.6 },
  2: { land: 0.8, sea: 0.8, coast: 1, border: 1.2, front: 1.9 },
  3: { land: 1, sea: 0.8, coast: 1.3, border: 1.4, front: 2.2 },
};
export const levelOf = (scale) => (scale < 27 ? 1 : scale < 56 ? 2 : 3);

let last = null;

/** Shapes that change only with what is held; made once for each. */
export function shapes(board, position) {
  const of = [board, position.control, position.worn];
  if (!last || last.of.some((it, i) => it !== of[i])) last = { of, made: shaped(board, holders(board, position)) };
  return last.made;
}

function shaped(board, held) {
  const joined = (a, b) => a.land && b.land && board.side(a, b) !== "all_water";
  const front = (a, b) => joined(a, b) && held.power.get(a.id) !== held.power.get(b.id);
  return {
    held,
    areas: areas(board, held),
    fronts: borders(board, front, true),
    countries: borders(board, (a, b) => joined(a, b) && a.country !== b.country && !front(a, b), true),
  };
}

const fixed = new WeakMap();

/** Shapes that never change: the land, the edge of the board, the grid. */
function ground(board) {
  if (!fixed.has(board)) {
    const grid = (land) => borders(board, (a, b) => (a.land || b.land) === land);
    fixed.set(board, {
      edge: outline(board, new Set(board.hexes.keys())),
      gridLand: grid(true),
      gridSea: grid(false),
      lands: new Map(),
    });
  }
  return fixed.get(board);
}

/** The coast, no finer than the scale can show. */
function land(board, scale) {
  const { lands } = ground(board);
  const step = Math.max(0.012, 0.45 / scale);
  const key = Math.round(Math.log2(step) * 2);
  if (!lands.has(key)) {
    const path = new Path2D();
    for (const ring of board.rings) {
      let last = null;
      const kept = ring.points.filter((p) => {
        if (last && Math.hypot(p[0] - last[0], p[1] - last[1]) < step) return false;
        last = p;
        return true;
      });
      if (kept.length < 3) continue;
      path.moveTo(...kept[0]);
      for (const p of kept.slice(1)) path.lineTo(...p);
      path.closePath();
    }
    lands.set(key, path);
  }
  return lands.get(key);
}

function moved(path, matrix) {
  const out = new Path2D();
  out.addPath(path, matrix);
  return out;
}

/** Paint all at once. */
export function paint(...given) {
  for (const _ of painting(...given));
}

/** What was drawn so far is put on the canvas when the page breathes: it shall, before more is drawn. */
export const BREATHE = true;

/** Paint into a context of css size, with pauses; `cam` says where the plane lies. */
export function* painting(ctx, board, cam, made, { control = true, terrain = false, ratio = 1, plain = false, tints = null } = {}) {
  const c = colours();
  const look = LEVELS[levelOf(cam.scale)];
  const matrix = new DOMMatrix([cam.scale, 0, 0, cam.scale, cam.x, cam.y]);
  const base = ground(board);
  const shore = moved(land(board, cam.scale), matrix);
  const edge = moved(base.edge, matrix);
  ctx.lineJoin = "round";
  ctx.fillStyle = c.sea;
  ctx.fillRect(0, 0, cam.width, cam.height);
  if (!plain) yield* waterlines(ctx, shore, cam, c);
  ctx.fillStyle = c.land;
  ctx.fill(shore, "evenodd");
  if (control || tints || terrain) {
    const pen = layer(cam, ratio);
    if (control) yield* wear(pen, made.areas, shore, matrix, cam, ratio, plain);
    tints?.(pen);
    if (terrain) drawTerrain(pen, board, cam, levelOf(cam.scale));
    yield BREATHE;
    lay(ctx, pen, cam, () => pen.fill(shore, "evenodd"));
  }
  yield BREATHE;
  specks(ctx, board, cam, made, c, look);
  ctx.strokeStyle = c.coast;
  ctx.lineWidth = plain ? 0.5 : look.coast;
  ctx.stroke(shore);
  // What lies beyond the board is painted over: to clip each stroke at its edge costs ten times as much.
  const desk = new Path2D();
  desk.rect(0, 0, cam.width, cam.height);
  desk.addPath(edge);
  ctx.fillStyle = c.desk;
  ctx.fill(desk, "evenodd");
  if (!plain) grid(ctx, base, matrix, c, look);
  lines(ctx, made, matrix, c, look, plain);
  ctx.strokeStyle = c["ink-3"];
  ctx.lineWidth = plain ? 0.6 : 1;
  ctx.stroke(edge);
}

/** A sheet of its own for what is cut along the shore afterwards: strokes within a shape of thousands of corners are dear. */
function layer({ width, height }, ratio) {
  const pen = new OffscreenCanvas(Math.round(width * ratio), Math.round(height * ratio)).getContext("2d");
  pen.scale(ratio, ratio);
  pen.lineJoin = "round";
  return pen;
}

/** Lay a sheet, of which only what this paints is kept. */
function lay(ctx, pen, { width, height }, kept) {
  pen.globalCompositeOperation = "destination-in";
  kept();
  ctx.drawImage(pen.canvas, 0, 0, width, height);
}

function* waterlines(ctx, shore, cam, c) {
  for (const [grown, weight, share] of [
    [0.34, 0.6, 0.25],
    [0.22, 0.7, 0.5],
    [0.11, 0.8, 0.75],
  ]) {
    const wide = 2 * grown * cam.scale;
    ctx.strokeStyle = mix(c.waterline, c.sea, share);
    ctx.lineWidth = wide + weight * 2;
    ctx.stroke(shore);
    ctx.strokeStyle = c.sea;
    ctx.lineWidth = wide;
    ctx.stroke(shore);
    yield BREATHE;
  }
}

/** What each power wears: a tint, a band along its borders and its shores, a pattern over both. */
function* wear(ctx, all, shore, matrix, cam, ratio, plain) {
  const c = colours();
  const shores = layer(cam, ratio);
  shores.lineWidth = ctx.lineWidth = 2 * Math.min(0.3 * cam.scale, 11);
  for (const { power, all: area } of all) {
    const shape = moved(area, matrix);
    shores.fillStyle = ctx.fillStyle = ctx.strokeStyle = c[`${power}-map`];
    shores.fill(shape);
    ctx.globalAlpha = tint();
    ctx.fill(shape);
    ctx.globalAlpha = 0.9;
    ctx.save();
    ctx.clip(shape);
    ctx.stroke(shape);
    ctx.restore();
  }
  yield BREATHE;
  lay(ctx, shores, cam, () => shores.stroke(shore));
  yield BREATHE;
  ctx.globalAlpha = 1;
  if (plain) return;
  for (const { power, own, taken } of all)
    for (const [part, dense] of [[own, false], [taken, true]]) {
      if (!part) continue;
      ctx.fillStyle = pattern(ctx, power, dense, ratio, cam.x, cam.y);
      ctx.fill(moved(part, matrix));
    }
}

function specks(ctx, board, cam, made, c, look) {
  ctx.strokeStyle = c.coast;
  ctx.lineWidth = look.coast;
  for (const hex of board.hexes.values()) {
    if (!hex.land || hex.share >= 0.012) continue;
    const power = made.held.power.get(hex.id);
    ctx.fillStyle = power ? c[`${power}-map`] : c.land;
    ctx.beginPath();
    ctx.arc(hex.x * cam.scale + cam.x, hex.y * cam.scale + cam.y, 0.14 * cam.scale, 0, 7);
    ctx.fill();
    ctx.stroke();
  }
}

function grid(ctx, base, matrix, c, look) {
  ctx.save();
  ctx.strokeStyle = c["grid-sea"];
  ctx.globalAlpha = 0.7;
  ctx.lineWidth = look.sea;
  ctx.stroke(moved(base.gridSea, matrix));
  ctx.strokeStyle = c["grid-land"];
  ctx.globalAlpha = 0.38;
  ctx.lineWidth = look.land;
  ctx.stroke(moved(base.gridLand, matrix));
  ctx.restore();
}

/** Borders of countries dash-dotted, of powers in full. */
function lines(ctx, made, matrix, c, look, plain) {
  ctx.save();
  ctx.lineJoin = "round";
  ctx.strokeStyle = c.ink;
  if (!plain) {
    const w = look.border;
    ctx.lineWidth = w;
    ctx.globalAlpha = 0.85;
    ctx.setLineDash([w * 4, w * 2, w, w * 2]);
    ctx.stroke(moved(made.countries, matrix));
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }
  ctx.lineCap = "round";
  ctx.lineWidth = plain ? 0.8 : look.front;
  ctx.stroke(moved(made.fronts, matrix));
  ctx.restore();
}
