// The strokes of which drawings on the map are made.

/** A path over points, left open. */
export function along(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
}

/** Stroke the path that is there: each of these colours and widths over the one before. */
export function strokes(ctx, ...lines) {
  for (const [colour, width] of lines) {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke();
  }
}

/** A disc; with an edge where there is one. */
export function disc(ctx, x, y, radius, colour, edge, width) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fillStyle = colour;
  ctx.fill();
  if (edge) strokes(ctx, [edge, width]);
}

/** Two strokes that cross in a point. */
export function crossed(ctx, x, y, r) {
  ctx.beginPath();
  ctx.moveTo(x - r, y - r);
  ctx.lineTo(x + r, y + r);
  ctx.moveTo(x + r, y - r);
  ctx.lineTo(x - r, y + r);
  ctx.stroke();
}

/** Fill the path that is there as a veil. */
export function veil(ctx, colour, alpha) {
  ctx.globalAlpha = alpha;
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.globalAlpha = 1;
}

/** Words over whatever is below them, by a halo. */
export function written(ctx, text, x, y, font, colour, halo, width, spacing = "0px") {
  ctx.font = font;
  ctx.letterSpacing = spacing;
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ctx.lineJoin = "round";
  ctx.globalAlpha = 0.85;
  ctx.strokeStyle = halo;
  ctx.lineWidth = width * 1.15;
  ctx.strokeText(text, x, y);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
  ctx.letterSpacing = "0px";
}

/** Whether a hex lies in sight, or nearly. */
export function inSight(cam, hex) {
  if (!hex) return false;
  const [x, y] = cam.screen(hex);
  return x > -60 && y > -60 && x < cam.width + 60 && y < cam.height + 60;
}
