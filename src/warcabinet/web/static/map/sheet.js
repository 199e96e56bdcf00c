// The painted picture of the map: made in one go when the position changes, in slices when a moving view comes to rest.
//
// It lies in two leaves, the ground and what stands on it, each painted only when something on it changed. Between them comes what changes often (rings, hatches, reach),
// so that no name and no counter is ever covered by it. Far below lies the whole board in small: where a view moves
// faster than it can be painted, that shows, and never an empty desk.

import { $, $$ } from "../dom.js";
import { position } from "../store.js";
import { Camera } from "./camera.js";
import { stackCount, stamped } from "./counters.js";
import { boardPicture } from "./inset.js";
import { labelling } from "./labels.js";
import { BREATHE, levelOf, painting } from "./paint.js";

const MARGIN = 160; // painted beyond the edges, so that a drag has something to show
const SLICE = 12; // milliseconds of painting before the page may breathe
const BATCH = 40; // counters between two looks at the clock

const leaf = (before) => {
  const canvas = before.cloneNode();
  canvas.removeAttribute("id");
  before.after(canvas);
  return canvas;
};

export class Sheet {
  constructor(map, canvas) {
    this.map = map;
    this.far = canvas.cloneNode();
    this.far.removeAttribute("id");
    canvas.before(this.far);
    // The next picture is painted out of sight, so that nobody sees it grow.
    const ground = leaf(canvas);
    this.between = leaf(ground);
    const names = leaf(this.between);
    this.shown = [canvas, names];
    this.hidden = [ground, leaf(names)];
    this.last = [[], []]; // what each leaf that is shown was painted of
    for (const it of this.hidden) it.style.visibility = "hidden";
    this.painted = null;
    this.named = new Map();
    this.work = null;
  }

  /** Paint all at once. */
  paint() {
    this.work = null;
    for (const _ of this.painting());
  }

  /** Paint in slices; a view that moves on meanwhile is painted when that rests. */
  paintSoon() {
    const work = this.painting();
    this.work = work;
    const go = () => {
      if (this.work !== work) return;
      const until = performance.now() + SLICE;
      while (performance.now() < until) {
        const { done, value } = work.next();
        if (done) return;
        if (value === BREATHE) break;
      }
      setTimeout(go);
    };
    go();
  }

  /** The picture from the sea to the counters, with pauses where it may be broken off. */
  *painting() {
    const { map } = this;
    const { cam, ratio, board, made, layers } = map;
    if (!made || cam.width <= 1) return;
    const then = { scale: cam.scale, x: cam.x, y: cam.y };
    const wide = Object.assign(new Camera(), { ...then, x: cam.x + MARGIN, y: cam.y + MARGIN });
    wide.width = cam.width + 2 * MARGIN;
    wide.height = cam.height + 2 * MARGIN;
    const all = [board, made.held, ...Object.values(wide), ratio, document.documentElement.dataset.theme];
    const { pieces, nations, countries } = position();
    const blocked = this.blocked();
    const of = [
      [...all, layers.control, layers.terrain],
      [...all, layers.counters, layers.ids, pieces, nations, countries, JSON.stringify(blocked)],
    ];
    const old = of.map((parts, i) => parts.every((it, n) => it === this.last[i][n]));
    if (!old[0]) {
      const { control, terrain } = layers;
      yield* painting(pen(this.hidden[0], wide, ratio), board, wide, made, { control, terrain, ratio });
      yield;
    }
    if (!old[1]) yield* this.naming(pen(this.hidden[1], wide, ratio), wide, blocked);
    this.painted = then;
    old.forEach((same, i) => same || this.turn(i));
    this.last = of;
    document.body.dataset.level = levelOf(cam.scale);
    map.place();
  }

  /** Names and counters. */
  *naming(ctx, wide, blocked) {
    const { cam, board, made, layers } = this.map;
    const edge = Math.min(40, cam.scale * 0.82);
    const counters = layers.counters ? this.onBoard() : new Map();
    const named = new Map(); // where the names of cities stand, by hex
    yield* labelling(ctx, board, wide, made, {
      blocked,
      stacked: new Set(counters.keys()),
      edge,
      ids: layers.ids,
      position: position(),
      named,
      frame: { x: MARGIN, y: MARGIN, w: cam.width, h: cam.height },
    });
    yield;
    let n = 0;
    for (const [id, stack] of counters) {
      const [x, y] = wide.screen(board.hexes.get(id));
      if (x < -edge || y < -edge || x > wide.width + edge || y > wide.height + edge) continue;
      this.drawStack(ctx, [x, y], edge, stack);
      if (++n % BATCH === 0) yield;
    }
    this.named = named;
  }

  /** Show the leaf that was painted out of sight. */
  turn(i) {
    [this.shown[i], this.hidden[i]] = [this.hidden[i], this.shown[i]];
    this.shown[i].style.visibility = "";
    this.hidden[i].style.visibility = "hidden";
    this.hidden[i].removeAttribute("id");
    this.shown[0].id = "map-base";
  }

  /** Put the painted picture where the camera looks, stretched if it has zoomed since; and the small one below it. */
  place() {
    const { painted, shown } = this;
    const { cam, board, made, ratio } = this.map;
    if (!painted || !made) return;
    const k = cam.scale / painted.scale;
    const wide = { x: painted.x + MARGIN, y: painted.y + MARGIN, width: cam.width + 2 * MARGIN, height: cam.height + 2 * MARGIN };
    for (const it of shown) stretch(it, cam, wide, k);
    const small = boardPicture(board, made, ratio);
    if (this.small !== small) {
      this.small = small;
      this.far.width = small.image.width;
      this.far.height = small.image.height;
      this.far.getContext("2d").drawImage(small.image, 0, 0);
    }
    stretch(this.far, cam, small.cam, cam.scale / small.cam.scale);
  }

  /** Where a hex's name is painted: to the left of the hex (-1), to its right (1), over or under it (0); else nothing. */
  nameSide(hex) {
    const spot = this.named.get(hex.id);
    if (!spot) return undefined;
    const x = hex.x * this.painted.scale + this.painted.x + MARGIN;
    return spot.x > x ? 1 : spot.x + spot.w < x ? -1 : 0;
  }

  /** Stacks on this board by hex. */
  onBoard() {
    const { name } = this.map.board;
    const found = new Map();
    for (const [place, stack] of this.map.made.stacks)
      if (place.startsWith(`${name}/`)) found.set(place.slice(name.length + 1), stack);
    return found;
  }

  /** A stack as its topmost counter; where both sides stand in a hex, a counter of each. */
  drawStack(ctx, [x, y], edge, stack) {
    const parts = sides(stack);
    const size = parts.length > 1 ? Math.round(edge * 0.78) : edge;
    parts.slice(0, 2).forEach((part, i) => {
      const count = stackCount(part);
      const off = parts.length > 1 ? (i ? 1 : -1) * edge * 0.2 : 0;
      stamped(ctx, x + off - size / 2, y + off - size / 2, size, part[0], count - 1, count, this.map.ratio);
    });
  }

  /** What floats over the map, in coordinates of the painted sheet. */
  blocked() {
    const frame = $("#map-sheet").getBoundingClientRect();
    return $$(".tray, .inset, .map-tools .group, #in-hand:not([hidden])")
      .map((el) => el.getBoundingClientRect())
      .filter((r) => r.width)
      .map((r) => ({ x: r.x - frame.x + MARGIN, y: r.y - frame.y + MARGIN, w: r.width, h: r.height }));
  }
}

/** A canvas as large as what a camera sees, wiped: its pen. */
function pen(canvas, { width, height }, ratio) {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  return ctx;
}

/** Lay a picture that was painted for one camera where another looks. */
function stretch(canvas, cam, of, k) {
  canvas.style.width = `${of.width * k}px`;
  canvas.style.height = `${of.height * k}px`;
  canvas.style.transform = `translate(${cam.x - of.x * k}px, ${cam.y - of.y * k}px)`;
}

/** The piles of a stack by the side they stand on. */
const sides = (stack) => [...Map.groupBy(stack, (p) => position().nations[p.nation]?.side ?? p.nation).values()];
