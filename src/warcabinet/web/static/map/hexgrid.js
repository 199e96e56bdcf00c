// The map for keyboard and screen reader: a grid of hexes round the cursor, read as sentences.

import { $, inWords, nameOf, pileWords } from "../dom.js";
import { fill, html, state } from "../ui.js";

export class HexGrid {
  constructor(el, map) {
    this.el = el;
    this.map = map;
    /** Whether it has the focus, and the hex cursor is wanted: a mouse shows by itself where it is. */
    state({ here: false, byKeys: false }, this);
    el.addEventListener("keydown", (event) => {
      this.byKeys = true;
      this.key(event);
    });
    el.addEventListener("pointerdown", () => (this.byKeys = false));
    el.addEventListener("focus", () => {
      this.byKeys ||= el.matches(":focus-visible");
      if (!map.cursor && map.board)
        map.moveCursor(
          map.selected ?? map.hexAt(map.cam.width / 2, map.cam.height / 2) ?? [...map.board.hexes.values()][0],
        );
      this.here = true;
    });
    el.addEventListener("blur", () => (this.here = false));
  }

  /** A hex in words: "L31 Berlin, Germany, two infantry 3-3". */
  sentence(hex) {
    const { map } = this;
    const here = map.board.placesAt.get(hex.id);
    const holder = map.made?.held.holder.get(hex.id);
    const stack = map.made?.stacks.get(hex.key) ?? [];
    const units = stack.map((p) => pileWords(p, inWords(p.count)));
    const parts = [
      `${hex.id}${here ? ` ${here.map((p) => p.name).join(" and ")}` : ""}`,
      hex.land ? nameOf(holder) || map.board.areas[hex.region] : hex.kind,
      ...units,
    ];
    if (map.mayName(hex.key)) parts.push(`may ${map.places.verb} here`);
    const against = map.places?.forbidden.get(hex.key);
    if (against) parts.push(`may not ${map.places.verb} here: ${against.gist}, clause ${against.clause}`);
    return parts.filter(Boolean).join(", ");
  }

  renew() {
    const { map, el } = this;
    const hex = map.cursor;
    if (!hex || !map.board) {
      el.removeAttribute("aria-activedescendant");
      fill(el, html`<div role="row"><span role="gridcell">No hex chosen</span></div>`);
      return;
    }
    const rows = [[1, 2], [3, -1, 0], [4, 5]].map((dirs) => html`<div role="row">
      ${dirs.map((i) => {
        const it = i < 0 ? hex : map.board.neighbour(hex, i);
        return it
          ? html`<span role="gridcell" id=${`cell-${it.id}`} aria-selected=${it === map.selected}>${this.sentence(it)}</span>`
          : null;
      })}
    </div>`);
    fill(el, rows);
    el.setAttribute("aria-activedescendant", `cell-${hex.id}`);
  }

  key(event) {
    const { map } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || !map.board) return;
    const done = this.act(event.key, event.shiftKey);
    if (done) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  act(key, shift) {
    const { map } = this;
    const hex = map.cursor;
    if (hex && this.hand(key)) return true;
    // Rows are staggered: going up and down alternates, so that a column is walked straight.
    const odd = hex ? hex.row % 2 : 0;
    const arrow = { ArrowRight: [0, -90, 0], ArrowLeft: [3, 90, 0], ArrowUp: [odd ? 1 : 2, 0, 90], ArrowDown: [odd ? 5 : 4, 0, -90] }[key];
    if (arrow) {
      const [direction, ...by] = arrow;
      const to = hex && !shift && map.board.neighbour(hex, direction);
      if (shift) map.pan(...by);
      else if (to) map.moveCursor(to);
      return true;
    }
    if (key === "Enter" && hex) map.opens.hex(hex);
    else if (key === "+" || key === "=") map.zoom(1.25);
    else if (key === "-") map.zoom(0.8);
    else if (key === "0") map.fit();
    else if (key === ".") this.nextLegal();
    else return false;
    return true;
  }

  /** The hand by keys: a figure takes a pile up, Enter puts it down, space fans the stack out. */
  hand(key) {
    const { map } = this;
    const { hands, cursor } = map;
    const figure = /^[1-9]$/.test(key);
    if (hands.held && (figure || key === "Enter")) {
      if (figure) hands.less();
      else hands.drop(cursor.key);
      return true;
    }
    if (key === " ") return map.fan.open(cursor);
    const pile = figure ? hands.piles(cursor.key)[Number(key) - 1] : null;
    if (pile) hands.lift(cursor.key, [pile], map.cam.screen(cursor));
    return Boolean(pile);
  }

  nextLegal() {
    const { map } = this;
    map.hands.manner?.next?.();
    const legal = [...(map.places?.legal ?? [])]
      .filter((k) => k.startsWith(map.board.name))
      .map((k) => map.board.hexes.get(k.split("/")[1]))
      .filter(Boolean);
    if (!legal.length) return;
    const at = legal.indexOf(map.cursor);
    map.moveCursor(legal[(at + 1) % legal.length]);
  }

  focus() {
    $("#hex-grid").focus();
  }
}
