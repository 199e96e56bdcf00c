// The colours of the theme, and the patterns of the powers as canvas fills in screen space.

let kept = { theme: "", colours: {}, patterns: new Map() };

const TILES = { germany: 7, italy: 6, japan: 6, britain: 7, france: 9, russia: 9, usa: 9, china: 8 };

function renew() {
  const theme = document.documentElement.dataset.theme;
  if (kept.theme === theme) return kept;
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(`--${name}`).trim() || undefined;
  // Every colour of the theme by its name, read when it is first asked for.
  const colours = new Proxy({}, { get: (known, name) => (known[name] ??= read(name)) });
  kept = { theme, colours, patterns: new Map(), tint: Number(read("tint")), pattern: Number(read("pattern")) };
  return kept;
}

export const colours = () => renew().colours;
export const tint = () => renew().tint;

/** The pattern of a power; dense is for conquered land: smaller tiles, twice the strength. */
export function pattern(ctx, power, dense, ratio, dx, dy) {
  const { patterns, colours: c, pattern: strength } = renew();
  const key = `${power}/${dense}/${ratio}`;
  if (!patterns.has(key)) {
    const drawn = tile(power, TILES[power] * (dense ? 0.6 : 1), c[`${power}-deep`], strength * (dense ? 2 : 1), ratio);
    patterns.set(key, ctx.createPattern(drawn, "repeat"));
  }
  const found = patterns.get(key);
  // Anchored to the map, not to the screen: it moves with the land but does not grow with it.
  found.setTransform(new DOMMatrix().translate(dx, dy).scale(1 / ratio / 2));
  return found;
}

function tile(power, size, colour, alpha, ratio) {
  const fine = ratio * 2;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.round(size * fine);
  const ctx = canvas.getContext("2d");
  ctx.scale(canvas.width / size, canvas.height / size);
  ctx.globalAlpha = Math.min(1, alpha);
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 0.9;
  const s = size;
  const half = s / 2;
  ctx.beginPath();
  const lines = {
    germany: [[-1, 1, 1, -1], [0, s, s, 0], [s - 1, s + 1, s + 1, s - 1]],
    france: [[-1, s - 1, 1, s + 1], [0, 0, s, s], [s - 1, -1, s + 1, 1]],
    italy: [[half, 0, half, s]],
    japan: [[0, half, s, half]],
    russia: [[0, 0, s, s], [s, 0, 0, s]],
    usa: [[half, half - 2, half, half + 2], [half - 2, half, half + 2, half]],
  };
  for (const [x1, y1, x2, y2] of lines[power] ?? []) {
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
  }
  if (power === "china") ctx.arc(half, half, s * 0.22, 0, 7);
  ctx.stroke();
  if (power === "britain") {
    ctx.beginPath();
    ctx.arc(half, half, 1.1 * (size / 7), 0, 7);
    ctx.fill();
  }
  return canvas;
}

/** Dark or light letters on a ground, whichever reads better. */
export function readable(ground) {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(ground.slice(i, i + 2), 16) / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.22 ? "#1c1914" : "#ffffff";
}

export function mix(over, under, share) {
  const at = (hex, i) => parseInt(hex.slice(i, i + 2), 16);
  const mixed = (i) => Math.round(at(over, i) * share + at(under, i) * (1 - share));
  return `#${[1, 3, 5].map((i) => mixed(i).toString(16).padStart(2, "0")).join("")}`;
}
