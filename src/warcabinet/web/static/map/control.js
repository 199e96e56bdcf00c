// Who holds which hex, and the outlines of what each power holds.

import { isPower } from "../dom.js";

const HELD = ["conquered", "associated", "allied", "controlled"];

/** The power in whose colours a hex is drawn: who was reported to hold it, who holds its country, whose it is. */
function wearer(hex, reported, politics) {
  if (reported) return isPower(reported) ? reported : "";
  const land = politics.get(hex.region) ?? politics.get(hex.country);
  if (land && HELD.includes(land.status) && isPower(land.by)) return land.by;
  if (hex.holder === "communist_china") return "china";
  return isPower(hex.holder) ? hex.holder : "";
}

/** Who holds each hex now, in whose colours it is drawn, and which hexes were taken. */
export function holders(board, position) {
  const politics = new Map(position.countries.map((c) => [c.id, c]));
  const holder = new Map();
  const power = new Map();
  const taken = new Set();
  for (const hex of board.hexes.values()) {
    if (!hex.land) continue;
    const worn = wearer(hex, position.control[hex.key], politics);
    holder.set(hex.id, position.control[hex.key] || worn || hex.holder);
    power.set(hex.id, worn);
    if (worn && worn !== hex.holder) taken.add(hex.id);
  }
  return { holder, power, taken };
}

/** The outline of a set of hexes as closed paths on the plane. */
export function outline(board, ids) {
  const next = new Map();
  const key = ([x, y]) => `${Math.round(x * 1000)},${Math.round(y * 1000)}`;
  for (const id of ids) {
    const hex = board.hexes.get(id);
    for (let i = 0; i < 6; i++) {
      const other = board.neighbour(hex, i);
      if (other && ids.has(other.id)) continue;
      // Against the clock, so that every corner has one way on inside a region.
      const a = board.corner(hex, i + 1);
      const b = board.corner(hex, i);
      const from = key(a);
      if (!next.has(from)) next.set(from, []);
      next.get(from).push([a, b]);
    }
  }
  const path = new Path2D();
  for (const [start, edges] of next) {
    while (edges.length) {
      let [a, b] = edges.pop();
      path.moveTo(...a);
      while (true) {
        path.lineTo(...b);
        const on = next.get(key(b));
        if (!on?.length || key(b) === start) break;
        [a, b] = on.pop();
      }
      path.closePath();
    }
  }
  return path;
}

/** What each power wears: all of its land, its own land, and what it took. */
export function areas(board, held) {
  const all = new Map();
  for (const hex of board.hexes.values()) {
    let worn = held.power.get(hex.id);
    if (!hex.land && hex.share >= 0.002) worn = beside(board, hex, held);
    if (!worn) continue;
    if (!all.has(worn)) all.set(worn, { all: new Set(), own: new Set(), taken: new Set() });
    const mine = all.get(worn);
    mine.all.add(hex.id);
    (held.taken.has(hex.id) ? mine.taken : mine.own).add(hex.id);
  }
  return [...all].map(([power, sets]) => ({
    power,
    all: outline(board, sets.all),
    own: sets.own.size ? outline(board, sets.own) : null,
    taken: sets.taken.size ? outline(board, sets.taken) : null,
  }));
}

/** Rocks in a sea hex wear the colour of the coast beside them. */
function beside(board, hex, held) {
  const count = new Map();
  for (let i = 0; i < 6; i++) {
    const other = board.neighbour(hex, i);
    const worn = other?.land ? held.power.get(other.id) : "";
    if (worn) count.set(worn, (count.get(worn) ?? 0) + 1);
  }
  return [...count].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** Sides between hexes for which `parted` holds, as one path. */
export function borders(board, parted) {
  const path = new Path2D();
  for (const hex of board.hexes.values()) {
    for (let i = 0; i < 3; i++) {
      const other = board.neighbour(hex, i);
      if (other && parted(hex, other)) {
        path.moveTo(...board.corner(hex, i));
        path.lineTo(...board.corner(hex, i + 1));
      }
    }
  }
  return path;
}
