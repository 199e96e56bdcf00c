// Boxes as trays at the edge of the map where they touch the board.

import { $, $$, pileWords, several } from "../dom.js";
import { counter, onCanvas, stackCount } from "./counters.js";
import { fill, html } from "../ui.js";

/** The corner nearest to the hexes that a box touches. */
function corner(board, box) {
  const hexes = box.hexes.map((id) => board.hexes.get(id)).filter(Boolean);
  if (!hexes.length) return box.id.includes("us") ? "top-left" : "bottom-right";
  const x = hexes.reduce((n, it) => n + it.x, 0) / hexes.length;
  const y = hexes.reduce((n, it) => n + it.y, 0) / hexes.length;
  const { left, right, top, bottom } = board.bounds;
  const side = x < (left + right) / 2 ? "left" : "right";
  const end = y < (top + bottom) / 2 ? "top" : "bottom";
  // The lower left corner belongs to the inset.
  return end === "bottom" && side === "left" ? "bottom-right" : `${end}-${side}`;
}

const spoken = (stack) => stack.map((p) => pileWords(p)).join(", ");

function piecesOf(stack) {
  if (!stack?.length) return [];
  return stack.slice(0, 4).map((piece) => onCanvas(36, 3, (ctx) => counter(ctx, 1, 8, 26, piece, piece.count - 1, piece.count)));
}

let from = null;
const press = (event) => (from = event.button > 0 ? null : [event.clientX, event.clientY]);

/** Counters are dragged out of a box as off a hex; a press that does not move opens the box. */
const lifts = (key, map) => (event) => {
  if (!from || !event.buttons || Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4) return;
  const at = from;
  from = null;
  const piles = map.hands.piles(key);
  const canvas = event.target.closest("canvas") ?? document.elementFromPoint(...at)?.closest("canvas");
  const pile = stackAt(map, key)[$$("canvas", event.currentTarget).indexOf(canvas)];
  const [first] = pile && piles.includes(pile) ? [pile] : piles;
  if (!first) return;
  map.hands.pressed = at;
  const box = $("#map-sheet").getBoundingClientRect();
  const taken = event.shiftKey ? { ...first, count: 1 } : first;
  map.hands.lift(key, [taken], [event.clientX - box.left, event.clientY - box.top]);
};
const stackAt = (map, key) => map.made?.stacks.get(key) ?? [];

export function drawTrays(board, made, map) {
  const corners = new Map();
  for (const box of board.boxes.filter((b) => b.home || b.hexes.length || made.stacks.has(`box/${b.id}`))) {
    // Boxes that touch no hex are shown only while something is in them.
    if (!box.hexes.length && !box.id.endsWith("_us") && !made.stacks.has(`box/${box.id}`)) continue;
    const where = corner(board, box);
    const key = `box/${box.id}`;
    const stack = made.stacks.get(key);
    const label = stack ? `${several(stackCount(stack), "counter")}: ${spoken(stack)}` : "empty";
    const tray = html`<button class=${`tray${map.mayName(key) ? " legal" : ""}`} key=${key} data-box=${key} title=${label}
      onpointerdown=${press} onpointermove=${lifts(key, map)} onclick=${() => map.opens.box({ key, name: `${box.name} box`, clause: box.clause })}>
      <span class="title">
        <strong>${box.name}<span class="sr-only"> box</span></strong>
        <span class="quiet">${stack ? box.clause : "empty"}</span>
      </span>
      <span class="pieces">${piecesOf(stack)}${stack && html`<span class="sr-only">${spoken(stack)}</span>`}</span>
    </button>`;
    corners.set(where, [...(corners.get(where) ?? []), tray]);
  }
  for (const el of $$("[data-corner]")) fill(el, corners.get(el.dataset.corner) ?? []);
}
