// Who holds which hex, and the outlines of what each power holds.

/** Who holds each hex now, in whose colours it is drawn, and which hexes were taken. */
export function holders(board, { control, worn }) {
  const [holder, power, taken] = [new Map(), new Map(), new Set()];
  for (const hex of board.hexes.values()) {
    if (!hex.land) continue;
    const by = control[hex.key];
    const wears = (by ? worn[by] : (worn[hex.region] ?? worn[hex.country] ?? worn[hex.holder])) ?? "";
    holder.set(hex.id, by || hex.holder);
    power.set(hex.id, wears);
    if (wears && wears !== hex.holder) taken.add(hex.id);
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

/** Sides between hexes for which `parted` holds, as one path; `dry` leaves out what lies in the open sea. */
export function borders(board, parted, dry = false) {
  const path = new Path2D();
  for (const hex of board.hexes.values()) {
    for (let i = 0; i < 3; i++) {
      const other = board.neighbour(hex, i);
      if (!other || !parted(hex, other)) continue;
      const [a, b] = [board.corner(hex, i), board.corner(hex, i + 1)];
      for (const [from, to] of dry ? ashore(board, a, b) : [[a, b]]) {
        path.moveTo(...from);
        path.lineTo(...to);
      }
    }
  }
  return path;
}

const GRAIN = 20; // pixels of a hex in the picture by which land is told from water
const NEAR = 0.24; // how wide the shore is, on both sides together
const STEPS = 12;
const grounds = new WeakMap();

/** Land and a strip of water before it, as a small picture that is drawn once for each board. */
function ground(board) {
  if (!grounds.has(board)) {
    const { left, right, top, bottom } = board.bounds;
    const [width, height] = [Math.ceil((right - left) * GRAIN), Math.ceil((bottom - top) * GRAIN)];
    const ctx = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    ctx.setTransform(GRAIN, 0, 0, GRAIN, -left * GRAIN, -top * GRAIN);
    const shore = new Path2D();
    for (const { points } of board.rings) {
      points.forEach((p, i) => (i ? shore.lineTo(...p) : shore.moveTo(...p)));
      shore.closePath();
    }
    ctx.fill(shore, "evenodd");
    ctx.lineWidth = NEAR;
    ctx.lineJoin = "round";
    ctx.stroke(shore);
    const { data } = ctx.getImageData(0, 0, width, height);
    grounds.set(board, (x, y) => {
      const [px, py] = [Math.floor((x - left) * GRAIN), Math.floor((y - top) * GRAIN)];
      return px >= 0 && py >= 0 && px < width && py < height && data[(py * width + px) * 4 + 3] > 127;
    });
  }
  return grounds.get(board);
}

/** The parts of a side that lie on land or just before it, so that no tick floats in the sea. */
function ashore(board, a, b) {
  const dry = ground(board);
  const at = (i) => [a[0] + ((b[0] - a[0]) * i) / STEPS, a[1] + ((b[1] - a[1]) * i) / STEPS];
  const parts = [];
  let from = -1;
  for (let i = 0; i <= STEPS; i++) {
    const here = i < STEPS && dry(...at(i + 0.5));
    if (here && from < 0) from = i;
    if (!here && from >= 0) {
      parts.push([at(from), at(i)]);
      from = -1;
    }
  }
  return parts;
}
