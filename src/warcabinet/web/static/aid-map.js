// The strips of the aid page: a piece of the map for each theater, with the roads drawn over it.

import { lookAt } from "./map/picture.js";
import { loadBoard } from "./map/atlas.js";
import { paint, shapes } from "./map/paint.js";
import { colours } from "./map/palette.js";
import { along, disc, strokes, veil, written } from "./map/pen.js";
import { ring } from "./map/rings.js";
import { position } from "./store.js";

const SANS = '"Segoe UI", Roboto, Arial, sans-serif';
const SERIF = 'Palatino, Georgia, "Liberation Serif", serif';

/** Paint a strip into its canvas; roads by their id. */
export async function drawStrip(canvas, strip, roads, convoy) {
  const board = await loadBoard(strip.board);
  const look = lookAt(canvas);
  if (!look) return;
  const { ctx, cam, ratio } = look;
  const hexes = strip.frame.map((id) => board.hexes.get(id)).filter(Boolean);
  const xs = hexes.map((it) => it.x);
  const ys = hexes.map((it) => it.y);
  cover(cam, Math.min(...xs) - 1, Math.max(...xs) + 1, Math.min(...ys) - strip.above);
  paint(ctx, board, cam, shapes(board, position()), { ratio });
  const pen = { ctx, cam, board, c: colours(), taken: [], tags: [] };
  for (const road of roads) if (road.id === "murmansk") arctic(pen, road, convoy);
  for (const road of roads) for (const line of road.lines) draw(pen, road, line);
  for (const road of roads) hanging(pen, road);
  for (const put of pen.tags) tag(pen, ...put);
  for (const [text, id] of strip.lands) land(pen, text, id);
  for (const name of strip.names) place(pen, name);
}

/** Show the plane from here to there over the whole width, and downwards as far as the strip is high. */
function cover(cam, left, right, top) {
  cam.scale = cam.width / (right - left);
  cam.x = -left * cam.scale;
  cam.y = -top * cam.scale;
}

const hexAt = (pen, key) => {
  const [board, id] = key.split("/");
  return board === pen.board.name ? pen.board.hexes.get(id) : null;
};
const at = (pen, key) => {
  const hex = hexAt(pen, key);
  return hex ? pen.cam.screen(hex) : null;
};

/** The hexes on which a road hangs: brown, over a paper casing. */
function hanging(pen, road) {
  for (const key of road.hangs_on ?? []) {
    const hex = hexAt(pen, key);
    if (!hex) continue;
    const { ctx, cam, board, c } = pen;
    ring(ctx, board, cam, hex, 1);
    veil(ctx, c.paper, 0.55);
    strokes(ctx, [c.accent, 1.8]);
    // Names keep off what a road hangs on.
    const [x, y] = cam.screen(hex);
    const r = cam.scale * 0.5;
    pen.taken.push({ x: x - r, y: y - r, w: 2 * r, h: 2 * r, mark: true });
  }
}

const LOOKS = {
  sent: ["focus", []],
  open: ["gain", []],
  closed: ["deny", [6, 4]],
};
const sends = (road) => road.used + road.planned > 0;
const lookOf = (road, line) => (line.open ? (sends(road) ? "sent" : "open") : "closed");

function draw(pen, road, line) {
  const way = line.hexes.map((key) => at(pen, key)).filter(Boolean);
  if (way.length < 2) return;
  const look = lookOf(road, line);
  if (road.id === "murmansk" && !line.open) return;
  const bow = line.bow || !line.open;
  stroke(pen, way, look, bow);
  if (road.id === "murmansk") return pen.tags.push([[way[0][0] + 8, way[0][1] - 16], line.text, LOOKS[look][0]]);
  const text = !line.open ? (road.id === "ports" || road.id === "hump" ? `${line.text} closed` : "closed") : line.bow ? `${road.id} ${road.capacity}` : `${road.capacity}`;
  const middle = bow ? bend(way[0], way.at(-1), 0.5) : way[Math.floor(way.length / 2)];
  pen.tags.push([[middle[0] + (bow ? 0 : 16), middle[1] - (bow ? 9 : 14)], text, LOOKS[look][0]]);
}

const bend = ([x1, y1], [x2, y2], t) => {
  const lift = Math.hypot(x2 - x1, y2 - y1) * 0.22;
  const u = 1 - t;
  return [u * x1 + t * x2, u * y1 + t * y2 - 2 * u * t * lift];
};

function stroke(pen, way, look, bow) {
  const { ctx, c } = pen;
  const [colour, dash] = LOOKS[look];
  const points = bow ? Array.from({ length: 21 }, (_, i) => bend(way[0], way.at(-1), i / 20)) : way;
  ctx.lineJoin = ctx.lineCap = "round";
  roadway(pen, points, 5.5, c[colour], 2.6, dash);
  arrow(pen, points.at(-2), points.at(-1), c[colour]);
  dot(pen, points[0], c[colour]);
}

/** A line on a casing of paper; only the line is dashed. */
function roadway({ ctx, c }, points, wide, colour, width, dash) {
  along(ctx, points);
  strokes(ctx, [c.paper, wide]);
  ctx.setLineDash(dash);
  strokes(ctx, [colour, width]);
  ctx.setLineDash([]);
}

function arrow(pen, [x1, y1], [x2, y2], colour) {
  const { ctx } = pen;
  const turn = Math.atan2(y2 - y1, x2 - x1);
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(x2, y2);
  for (const side of [2.6, -2.6]) ctx.lineTo(x2 + 9 * Math.cos(turn + side), y2 + 9 * Math.sin(turn + side));
  ctx.closePath();
  ctx.fill();
}

const dot = ({ ctx, c }, [x, y], colour) => disc(ctx, x, y, 3.6, colour, c.paper, 1.2);

/** A word on a paper label with a coloured edge, kept inside the strip. */
function tag(pen, [x, y], text, colour) {
  const { ctx, c, cam } = pen;
  ctx.font = `600 11px ${SANS}`;
  const w = ctx.measureText(text).width + 10;
  const left = Math.min(Math.max(3, x - w / 2), cam.width - w - 3);
  const within = (at) => Math.min(Math.max(3, at), cam.height - 19);
  const free = (at) => !pen.taken.some((t) => !t.mark && left < t.x + t.w && left + w > t.x && at < t.y + t.h && at + 16 > t.y);
  const top = [0, -18, 18, -36, 36].map((off) => within(y - 8 + off)).find(free) ?? within(y - 8);
  ctx.beginPath();
  ctx.roundRect(left, top, w, 16, 3);
  ctx.fillStyle = c.paper;
  ctx.fill();
  ctx.strokeStyle = c[colour];
  ctx.lineWidth = 1.2;
  ctx.stroke();
  ctx.fillStyle = c[colour];
  ctx.textBaseline = "middle";
  ctx.fillText(text, left + 5, top + 8.5);
  pen.taken.push({ x: left, y: top, w, h: 16 });
}

/** The way round northern Norway: six hexes off the board, one attack each. */
function arctic(pen, road, convoy) {
  const { ctx, c, cam } = pen;
  const start = at(pen, "europe/C28");
  const goal = at(pen, "europe/A47");
  if (!start || !goal) return;
  ctx.fillStyle = c.ink;
  ctx.textBaseline = "middle";
  ctx.font = `600 13px ${SERIF}`;
  ctx.fillText("Murmansk box", 10, 16);
  const w = ctx.measureText("Murmansk box ").width;
  ctx.font = `11px ${SANS}`;
  ctx.fillStyle = c["ink-2"];
  const aside = ["six hexes off the board, one attack each", "six hexes off the board"].find((it) => 12 + w + ctx.measureText(it).width < cam.width - 6);
  if (aside) ctx.fillText(aside, 12 + w, 16.5);
  const open = road.state !== "closed";
  const [x1, y1] = start;
  const [x2, y2] = goal;
  const top = Math.max(30, y2 - 3.4 * cam.scale);
  const arc = (t) => {
    const u = 1 - t;
    return [
      u ** 3 * x1 + 3 * u * u * t * x1 + 3 * u * t * t * (x1 + (x2 - x1) * 0.75) + t ** 3 * x2,
      u ** 3 * y1 + 3 * u * u * t * top + 3 * u * t * t * (top - 6) + t ** 3 * y2,
    ];
  };
  const points = Array.from({ length: 41 }, (_, i) => arc(i / 40));
  const colour = open ? (sends(road) ? c.focus : c.gain) : c.deny;
  roadway(pen, points, 5, colour, 2.4, open ? [] : [6, 4]);
  dot(pen, start, colour);
  for (let n = 1; n <= 6; n++) station(pen, arc(0.3 + 0.09 * n), n, convoy?.hexes[n - 1]?.state, colour);
}

function station(pen, [x, y], number, state, colour) {
  const { ctx, c } = pen;
  const done = state === "done";
  ctx.setLineDash(state === "now" ? [3, 2] : []);
  disc(ctx, x, y, 8.5, done ? c.accent : c.paper, state === "now" || done ? c.accent : colour, 1.8);
  ctx.setLineDash([]);
  ctx.font = `600 11px ${SANS}`;
  ctx.fillStyle = done ? c.paper : state === "now" ? c.accent : c["ink-2"];
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  ctx.fillText(String(number), x, y + 0.5);
  ctx.textAlign = "left";
}

function place(pen, name) {
  const { ctx, c, cam, board } = pen;
  const found = board.places.find((p) => p.name === name);
  if (!found) return;
  const [x, y] = cam.screen(board.hexes.get(found.hex));
  if (x < 4 || y < 4 || x > cam.width - 4 || y > cam.height - 4) return;
  disc(ctx, x, y, 2.4, c.ink);
  ctx.font = `600 11px ${SANS}`;
  const w = ctx.measureText(name).width;
  const beside = [[x + 6, y], [x - w - 6, y], [x - w / 2, y + 12], [x - w / 2, y - 12]];
  const spots = [...beside, ...[x + 4, x - w - 4].flatMap((left) => [[left, y + 13], [left, y - 13]])];
  const inside = ([left]) => left > 2 && left + w < cam.width - 2;
  // What marks the place itself is not in the way of its name.
  const others = pen.taken.filter((t) => !(t.mark && x > t.x && x < t.x + t.w && y > t.y && y < t.y + t.h));
  const free = ([left, mid]) =>
    inside([left]) && !others.some((t) => left < t.x + t.w && left + w > t.x && mid - 7 < t.y + t.h && mid + 7 > t.y);
  const spot = spots.find(free);
  if (!spot) return;
  const [left, mid] = spot;
  pen.taken.push({ x: left, y: mid - 7, w, h: 14 });
  written(ctx, name, left, mid, ctx.font, c.ink, c.paper, 2.4);
}

function land(pen, text, id) {
  const hex = pen.board.hexes.get(id);
  if (!hex) return;
  const { ctx, cam, c } = pen;
  const [x, y] = cam.screen(hex);
  ctx.font = `600 12px ${SERIF}`;
  ctx.letterSpacing = "1.5px";
  const name = text.toUpperCase();
  const w = ctx.measureText(name).width;
  if (x - w / 2 > 2 && x + w / 2 < cam.width - 2) {
    written(ctx, name, x - w / 2, y, ctx.font, c["ink-2"], c.paper, 2.4, "1.5px");
    pen.taken.push({ x: x - w / 2, y: y - 7, w, h: 14 });
  }
  ctx.letterSpacing = "0px";
}
