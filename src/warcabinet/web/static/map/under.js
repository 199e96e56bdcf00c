// Under the pointer: while something is held, who holds the hex below it and what stands there, beside the map.

import { $, fill, h, isPower, nameOf, seal } from "../dom.js";
import { counter } from "./counters.js";

const drawn = (pile) => {
  const canvas = h("canvas", { width: 132, height: 132, "aria-hidden": "true" });
  const ctx = canvas.getContext("2d");
  ctx.scale(3, 3);
  counter(ctx, 1, 8, 34, pile, pile.count - 1, 0);
  return h("span", { className: "pile" }, canvas, h("span", {}, h("strong", {}, String(pile.count)), ` ${pile.unit}`));
};

export function showUnder(map, hex) {
  const el = $("#under");
  if (!el) return;
  el.hidden = !hex;
  if (!hex) return;
  const holder = map.made.held.holder.get(hex.id);
  const stack = map.made.stacks.get(hex.key) ?? [];
  fill(
    el,
    h("p", { className: "head" }, "Under the pointer"),
    h(
      "div",
      {},
      h("p", {}, h("strong", {}, map.board.title(hex)), h("span", { className: "quiet" }, ` ${hex.id} · ${hex.terrain || (hex.land ? "clear" : "sea")}`)),
      h("p", { className: "small" }, isPower(holder) ? seal(holder) : null, hex.land ? ` ${nameOf(holder) || "Nobody"} holds it.` : "", stack.length ? "" : " No units."),
    ),
    h("div", { className: "piles" }, stack.slice(0, 3).map(drawn)),
  );
}
