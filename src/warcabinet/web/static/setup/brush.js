// The control brush: hexes, whole countries, or all up to the front are given to a power; one stroke is one undo.

import { $, nameOf, sealOf, several } from "../dom.js";
import { map } from "../map/map.js";
import { change, desk, draft } from "./draft.js";
import { html, panel, state, switcher } from "../ui.js";

export const powerIds = () => draft.view.powers.map((it) => it.power);
const WIDTHS = [["hex", "Hex"], ["country", "Country"], ["front", "Fill to the front"]];

export const brush = state({ by: null, width: "hex", stroke: null }, {
  ready: () => desk.mode === "paint",

  start(hex) {
    this.stroke = hex ? new Set() : null;
    if (hex) this.over(hex);
  },
  over(hex) {
    if (!hex?.land) return;
    this.stroke = new Set([...this.stroke, ...reach(hex).map((it) => it.key)]);
  },
  end(meant) {
    const keys = [...this.stroke];
    this.stroke = null;
    if (meant && keys.length) change({ control: { [this.by]: keys } });
  },
});

/** The hexes that the brush takes with one: itself, its country, or its holder's land up to the next holder's. */
function reach(hex) {
  const land = [...map.board.hexes.values()].filter((it) => it.land);
  if (brush.width === "hex") return [hex];
  if (brush.width === "country") return land.filter((it) => it.country === hex.country);
  const holder = (it) => map.made.held.holder.get(it.id);
  const [found, open] = [new Set([hex]), [hex]];
  while (open.length) {
    const here = open.pop();
    for (let i = 0; i < 6; i++) {
      const next = map.board.neighbour(here, i);
      if (!next?.land || found.has(next) || holder(next) !== holder(hex) || map.board.side(here, next) === "all_water") continue;
      found.add(next);
      open.push(next);
    }
  }
  return [...found];
}

function pick(by) {
  brush.by = by;
  desk.mode = "paint";
}

const swatch = (by) => html`<button class="swatch" aria-pressed=${brush.by === by}
  aria-label=${by ? nameOf(by) : "whoever it belongs to"} data-by=${by} onclick=${() => pick(by)}>
  <span class=${`patch pattern ${by}`} />${by ? sealOf(by) : "own"}
</button>`;

export function startBrush() {
  map.brush = brush;
  panel($("#panel-brush"), () => draft.view && html`
    <header><h2>Control brush</h2><span class="quiet"><kbd>C</kbd> then paint over hexes</span></header>
    <div class="swatches">${[...powerIds(), ""].map(swatch)}</div>
    <div class="row">
      ${switcher("Width of the brush", WIDTHS, brush.width, (width) => (brush.width = width))}
      <span class="quiet push">
        ${several(Object.values(draft.view.control).filter(Boolean).length, "hex", "hexes")} painted
      </span>
    </div>
  `);
}
