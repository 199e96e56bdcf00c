// What lies over the painted map and changes often: selection, cursor, legal hexes, zones, what just changed.

import { colours } from "./palette.js";

function ring(ctx, board, cam, hex, share) {
  const [x, y] = cam.screen(hex);
  ctx.beginPath();
  for (let i = 0; i < 6; i++) {
    const [cx, cy] = board.corner(hex, i);
    const px = x + (cx - hex.x) * cam.scale * share;
    const py = y + (cy - hex.y) * cam.scale * share;
    if (i) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
  }
  ctx.closePath();
}

function cased(ctx, map, hex, colour, width) {
  const c = colours();
  ring(ctx, map.board, map.cam, hex, 1);
  ctx.strokeStyle = c.paper;
  ctx.lineWidth = width + 2.6;
  ctx.stroke();
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

export function drawOver(map) {
  const { over: canvas, cam, board, ratio } = map;
  if (!board || cam.width <= 1) return;
  canvas.width = Math.round(cam.width * ratio);
  canvas.height = Math.round(cam.height * ratio);
  canvas.style.width = `${cam.width}px`;
  canvas.style.height = `${cam.height}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.lineJoin = "round";
  const c = colours();
  const hexOf = (key) => board.hexes.get(key.startsWith(`${board.name}/`) ? key.slice(board.name.length + 1) : "");
  if (map.layers.zones) zones(ctx, map, c);
  if (map.line) landLine(ctx, map, c, hexOf);
  ctx.setLineDash([4, 3]);
  ctx.lineWidth = 1.7;
  ctx.strokeStyle = c.focus;
  for (const key of map.legal) {
    const hex = hexOf(key);
    if (hex) {
      ring(ctx, board, cam, hex, 0.86);
      ctx.stroke();
    }
  }
  ctx.setLineDash([]);
  for (const key of map.changed) {
    const hex = hexOf(key);
    if (hex) cased(ctx, map, hex, c.accent, 3);
  }
  if (map.selected) cased(ctx, map, map.selected, c.focus, 3);
  if (map.cursor && map.cursor !== map.selected && document.activeElement === map.grid.el)
    cased(ctx, map, map.cursor, c.focus, 2);
}

/** A line over land as a road with casing; what cuts it as crosses. */
function landLine(ctx, map, c, hexOf) {
  const way = map.line.path
    .map(hexOf)
    .filter(Boolean)
    .map((hex) => map.cam.screen(hex));
  for (const [colour, width] of [
    [c.paper, 7],
    [c.focus, 3.5],
  ]) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.lineCap = "round";
    ctx.beginPath();
    way.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
    ctx.stroke();
  }
  for (const hex of map.line.cut.map(hexOf).filter(Boolean)) cased(ctx, map, hex, c.deny, 2.5);
}

function zones(ctx, map, c) {
  ctx.lineWidth = 1.2;
  for (const [nation, ids] of Object.entries(map.zones)) {
    ctx.strokeStyle = c[`${nation}-deep`] ?? c.ink;
    for (const id of ids) {
      const hex = map.board.hexes.get(id);
      if (!hex) continue;
      ring(ctx, map.board, map.cam, hex, 0.7);
      ctx.stroke();
    }
  }
}
