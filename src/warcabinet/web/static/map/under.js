// Under the pointer: while something is held, who holds the hex below it and what stands there, beside the map.

import { $, counted, isPower, nameOf } from "../dom.js";
import { counter, onCanvas } from "./counters.js";
import { fill, html, seal } from "../ui.js";

const drawn = (pile) => html`<span class="pile">
  ${onCanvas(44, 3, (ctx) => counter(ctx, 1, 8, 34, pile, pile.count - 1, 0))}
  <span><strong>${pile.count}</strong>${counted(pile.count, pile.unit, "")}</span>
</span>`;

export function showUnder(map, hex) {
  const el = $("#under");
  if (!el) return;
  el.hidden = !hex;
  if (!hex) return;
  const holder = map.made.held.holder.get(hex.id);
  const stack = map.made.stacks.get(hex.key) ?? [];
  fill(el, html`
    <p class="head">Under the pointer</p>
    <div>
      <p>
        <strong>${map.board.title(hex)}</strong>
        <span class="quiet"> ${hex.id} · ${hex.terrain || (hex.land ? "clear" : "sea")}</span>
      </p>
      <p class="small">
        ${isPower(holder) && seal(holder)}${hex.land ? ` ${nameOf(holder) || "Nobody"} holds it.` : ""}
        ${stack.length ? "" : " No units."}
      </p>
    </div>
    <div class="piles">${stack.slice(0, 3).map(drawn)}</div>
  `);
}
