// Hexes outlined on the map: one by itself, one with a casing of paper, and a line around many.

import { colours } from "./palette.js";
import { strokes } from "./pen.js";

/** The outline of a hex, smaller by a share, as a path of its own or part of one. */
export function trace(ctx, board, cam, hex, share) {
  const [x, y] = cam.screen(hex);
  for (let i = 0; i < 6; i++) {
    const [cx, cy] = board.corner(hex, i);
    const at = [x + (cx - hex.x) * cam.scale * share, y + (cy - hex.y) * cam.scale * share];
    if (i) ctx.lineTo(...at);
    else ctx.moveTo(...at);
  }
  ctx.closePath();
}

export function ring(ctx, board, cam, hex, share) {
  ctx.beginPath();
  trace(ctx, board, cam, hex, share);
}

export function cased(ctx, map, hex, colour, width) {
  ring(ctx, map.board, map.cam, hex, 1);
  strokes(ctx, [colours().paper, width + 2.6], [colour, width]);
}

/** A line around a set of hexes: each side that it shares with no other hex of the set. */
export function border(ctx, map, ids, colour, dash, width = 3) {
  const { board, cam } = map;
  const sides = new Map();
  for (const id of ids) {
    const hex = board.hexes.get(id);
    if (!hex) continue;
    const [x, y] = cam.screen(hex);
    const at = (i) => {
      const [cx, cy] = board.corner(hex, i % 6);
      return [x + (cx - hex.x) * cam.scale, y + (cy - hex.y) * cam.scale];
    };
    for (let i = 0; i < 6; i++) {
      const ends = [at(i), at(i + 1)];
      const key = ends.map(([a, b]) => `${Math.round(a)},${Math.round(b)}`).sort().join(" ");
      if (sides.has(key)) sides.set(key, null);
      else sides.set(key, ends);
    }
  }
  ctx.setLineDash(dash);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (const ends of sides.values()) {
    if (!ends) continue;
    ctx.moveTo(...ends[0]);
    ctx.lineTo(...ends[1]);
  }
  ctx.stroke();
  ctx.setLineDash([]);
}
