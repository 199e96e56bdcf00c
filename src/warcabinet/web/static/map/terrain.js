// Terrain: small glyphs at fixed spots of a hex, over the control pattern and under coast and grid.

import { colours } from "./palette.js";
import { inSight } from "./pen.js";

const SIZE = {
  forest: [5, 7, 10],
  jungle: [5, 7, 10],
  mountain: [5, 7.5, 10.5],
  swamp: [4, 6, 8.5],
  desert: [5, 7, 8],
  outback: [5, 7, 8],
};
// Where glyphs stand in a hex, in shares of its width; every other one at a small scale.
const SPOTS = [
  [-0.24, -0.26], [0.22, -0.24], [0, -0.36], [-0.36, 0.02],
  [0.36, 0.03], [-0.22, 0.27], [0.24, 0.26], [0, 0.36],
];

/** A steady shift, so that rows of trees do not look drilled. */
function shift(hex, i) {
  const n = Math.sin(hex.row * 127.1 + hex.col * 311.7 + i * 74.7) * 43758.5453;
  return (n - Math.floor(n) - 0.5) * 0.08;
}

/** Add a glyph to a path. */
function glyph(path, kind, x, y, s) {
  if (kind === "forest" || kind === "jungle") {
    path.moveTo(x, y - s * 0.6);
    path.lineTo(x + s * 0.36, y + s * 0.3);
    path.lineTo(x - s * 0.36, y + s * 0.3);
    path.closePath();
    path.moveTo(x, y + s * 0.3);
    path.lineTo(x, y + s * 0.55);
  } else if (kind === "mountain") {
    path.moveTo(x - s * 0.55, y + s * 0.4);
    path.lineTo(x, y - s * 0.5);
    path.lineTo(x + s * 0.55, y + s * 0.4);
  } else if (kind === "swamp") {
    for (const dx of [-0.35, 0, 0.35]) {
      path.moveTo(x + dx * s * 0.5, y + s * 0.3);
      path.lineTo(x + dx * s, y - s * 0.4);
    }
    path.moveTo(x - s * 0.5, y + s * 0.3);
    path.lineTo(x + s * 0.5, y + s * 0.3);
  } else {
    path.moveTo(x - s * 0.62, y + s * 0.2);
    path.arc(x - s * 0.3, y + s * 0.2, s * 0.32, Math.PI, 0);
    path.moveTo(x, y + s * 0.2);
    path.arc(x + s * 0.32, y + s * 0.2, s * 0.32, Math.PI, 0);
  }
}

/** Every glyph of the hexes in sight, those of a kind in one path: a halo in the colour of the land first, then the ink. */
export function terrain(ctx, board, cam, level) {
  const c = colours();
  const spots = SPOTS.filter((_, i) => level > 1 || i % 2 === 0);
  const paths = new Map();
  for (const hex of board.hexes.values()) {
    const sizes = SIZE[hex.terrain];
    if (!sizes || !hex.land || !inSight(cam, hex)) continue;
    const [x, y] = cam.screen(hex);
    if (!paths.has(hex.terrain)) paths.set(hex.terrain, new Path2D());
    for (const [i, [dx, dy]] of spots.entries()) {
      const px = x + (dx + shift(hex, i)) * cam.scale;
      const py = y + (dy + shift(hex, i + 40)) * cam.scale;
      glyph(paths.get(hex.terrain), hex.terrain, px, py, sizes[level - 1]);
    }
  }
  for (const [kind, path] of paths) {
    ctx.globalAlpha = 0.5;
    ctx.strokeStyle = c.land;
    ctx.lineWidth = 2.6;
    ctx.stroke(path);
    ctx.globalAlpha = 0.8;
    ctx.strokeStyle = ctx.fillStyle = c[kind];
    ctx.lineWidth = 0.9;
    if (kind === "forest" || kind === "jungle") ctx.fill(path);
    ctx.stroke(path);
    ctx.globalAlpha = 1;
  }
}
