// A piece of a board in small, with its names and counters, beside what is told of it.

import { position } from "../store.js";
import { painted } from "../ui.js";
import { loadBoard } from "./atlas.js";
import { Camera } from "./camera.js";
import { counter, stackCount, stacks } from "./counters.js";
import { label } from "./labels.js";
import { paint, shapes } from "./paint.js";

/** A canvas as large as it is laid out, looking at a board: its pen and its camera; nothing while it has no size. */
export function lookAt(canvas, scale) {
  if (!canvas.clientWidth) return null;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const cam = Object.assign(new Camera(), { width: canvas.clientWidth, height: canvas.clientHeight, scale });
  canvas.width = cam.width * ratio;
  canvas.height = cam.height * ratio;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  return { ctx, cam, ratio };
}

async function show(canvas, { name, middle, scale, edge, ids }) {
  const board = await loadBoard(name);
  const at = middle(board);
  canvas.hidden = !at;
  const look = at && lookAt(canvas, scale);
  if (!look) return;
  const { ctx, cam, ratio } = look;
  cam.centre(at.x, at.y);
  const made = shapes(board, position());
  paint(ctx, board, cam, made, { ratio });
  const standing = [...stacks(position().pieces)]
    .filter(([place]) => place.startsWith(`${name}/`))
    .map(([place, stack]) => [board.hexes.get(place.slice(name.length + 1)), stack]);
  const frame = { x: 0, y: 0, w: cam.width, h: cam.height };
  const stacked = new Set(standing.map(([hex]) => hex.id));
  label(ctx, board, cam, made, { blocked: [], stacked, edge, ids, position: position(), frame });
  for (const [hex, stack] of standing) {
    const [x, y] = cam.screen(hex);
    counter(ctx, x - edge / 2, y - edge / 2, edge, stack[0], stackCount(stack) - 1, stackCount(stack));
  }
}

/** `part`: the board's name, the hex in its middle, how large hexes and counters are, whether hexes have their ids. */
export const picture = (part, props) => painted((canvas) => show(canvas, part), { role: "img", ...props });
