// Terrain: small glyphs at fixed spots of a hex, over the control pattern and under coast and grid.

import { colours } from "./palette.js";

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

function glyph(ctx, kind, x, y, s) {
  ctx.beginPath();
  if (kind === "forest" || kind === "jungle") {
    ctx.moveTo(x, y - s * 0.6);
    ctx.lineTo(x + s * 0.36, y + s * 0.3);
    ctx.lineTo(x - s * 0.36, y + s * 0.3);
    ctx.closePath();
    ctx.moveTo(x, y + s * 0.3);
    ctx.lineTo(x, y + s * 0.55);
  } else if (kind === "mountain") {
    ctx.moveTo(x - s * 0.55, y + s * 0.4);
    ctx.lineTo(x, y - s * 0.5);
    ctx.lineTo(x + s * 0.55, y + s * 0.4);
  } else if (kind === "swamp") {
    for (const dx of [-0.35, 0, 0.35]) {
      ctx.moveTo(x + dx * s * 0.5, y + s * 0.3);
      ctx.lineTo(x + dx * s, y - s * 0.4);
    }
    ctx.moveTo(x - s * 0.5, y + s * 0.3);
    ctx.lineTo(x + s * 0.5, y + s * 0.3);
  } else {
    ctx.arc(x - s * 0.3, y + s * 0.2, s * 0.32, Math.PI, 0);
    ctx.moveTo(x, y + s * 0.2);
    ctx.arc(x + s * 0.32, y + s * 0.2, s * 0.32, Math.PI, 0);
  }
}

/** Every glyph of the hexes in sight: a halo in the colour of the land first, then the ink. */
export function terrain(ctx, board, cam, level) {
  const c = colours();
  const spots = SPOTS.filter((_, i) => level > 1 || i % 2 === 0);
  for (const hex of board.hexes.values()) {
    const sizes = SIZE[hex.terrain];
    if (!sizes || !hex.land) continue;
    const [x, y] = cam.screen(hex);
    if (x < -60 || y < -60 || x > cam.width + 60 || y > cam.height + 60) continue;
    for (const [i, [dx, dy]] of spots.entries()) {
      const px = x + (dx + shift(hex, i)) * cam.scale;
      const py = y + (dy + shift(hex, i + 40)) * cam.scale;
      glyph(ctx, hex.terrain, px, py, sizes[level - 1]);
      ctx.globalAlpha = 0.5;
      ctx.strokeStyle = c.land;
      ctx.lineWidth = 2.6;
      ctx.stroke();
      ctx.globalAlpha = 0.8;
      ctx.strokeStyle = ctx.fillStyle = c[hex.terrain];
      ctx.lineWidth = 0.9;
      if (hex.terrain === "forest" || hex.terrain === "jungle") ctx.fill();
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  }
}
