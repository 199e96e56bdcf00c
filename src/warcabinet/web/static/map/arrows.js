// Arrows over the map: attacks, marches of a scene, who goes back, what is proposed. Each from hex to hex, with a word.

import { along, disc, strokes } from "./pen.js";

const KINDS = {
  attack: { colour: "ink", width: 4, dash: [] },
  past: { colour: "ink", width: 3, dash: [], alpha: 0.3 },
  support: { colour: "ink", width: 3, dash: [7, 5] },
  back: { colour: "focus", width: 3, dash: [7, 5] },
  ghost: { colour: "focus", width: 2.5, dash: [6, 5] },
};

/** An arrow that leaves the counters at both ends clear. */
function arrow(ctx, c, [x, y], [tx, ty], room, { colour, width, dash, alpha = 1 }, label) {
  const far = Math.hypot(tx - x, ty - y);
  if (far < 2) return;
  const [dx, dy] = [(tx - x) / far, (ty - y) / far];
  const cut = Math.min(room, far * 0.3);
  const [ax, ay, bx, by] = [x + dx * cut, y + dy * cut, tx - dx * cut, ty - dy * cut];
  const head = 4 + width * 2;
  ctx.globalAlpha = alpha;
  ctx.lineCap = "butt";
  along(ctx, [[ax, ay], [bx - dx * head * 0.7, by - dy * head * 0.7]]);
  strokes(ctx, [c.paper, width + 3]);
  ctx.setLineDash(dash);
  strokes(ctx, [c[colour], width]);
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(bx, by);
  for (const side of [1, -1]) ctx.lineTo(bx - dx * head - dy * head * 0.55 * side, by - dy * head + dx * head * 0.55 * side);
  ctx.closePath();
  ctx.fillStyle = c[colour];
  ctx.fill();
  if (label) {
    const [mx, my] = [(ax + bx) / 2, (ay + by) / 2];
    disc(ctx, mx, my, 10, c[colour]);
    ctx.fillStyle = c.paper;
    ctx.font = "700 11px sans-serif";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(String(label), mx, my + 0.5);
  }
  ctx.globalAlpha = 1;
}

/** Every arrow that lies on the board which is shown. */
export function arrows(ctx, map, c, hexOf) {
  for (const { from, to, kind, label } of map.arrows) {
    const [a, b] = [hexOf(from), hexOf(to)];
    if (a && b) arrow(ctx, c, map.cam.screen(a), map.cam.screen(b), Math.min(20, map.cam.scale * 0.42), KINDS[kind], label);
  }
}
