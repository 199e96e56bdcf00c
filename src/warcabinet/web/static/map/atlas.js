// The boards as the server describes them: hexes, sides, places, coast. Loaded once, asked often.

import { hall } from "../api.js";
import { learnLooks } from "./counters.js";

const ROW = Math.sqrt(3) / 2;
export const STEPS = [[0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1], [1, 0]];
const RADIUS = 1 / Math.sqrt(3);
const CORNERS = [0, 1, 2, 3, 4, 5]
  .map((i) => ((30 - 60 * i) * Math.PI) / 180)
  .map((a) => [RADIUS * Math.cos(a), RADIUS * Math.sin(a)]);

export const rowName = (row) =>
  row < 26 ? String.fromCharCode(65 + row) : String.fromCharCode(65 + row - 26).repeat(2);

class Board {
  constructor(data) {
    this.name = data.board;
    this.hexes = new Map();
    this.grid = new Map();
    for (const it of data.hexes) {
      const hex = {
        ...it,
        key: `${data.board}/${it.id}`,
        land: it.kind === "land" || it.kind === "coastal",
        x: it.col + it.row / 2,
        y: it.row * ROW,
      };
      this.hexes.set(hex.id, hex);
      this.grid.set(hex.row * 200 + hex.col, hex);
    }
    this.sides = new Map();
    for (const { a, b, kind } of data.sides) {
      this.sides.set(`${a}|${b}`, kind);
      this.sides.set(`${b}|${a}`, kind);
    }
    this.places = data.places;
    this.placesAt = Map.groupBy(data.places, (p) => p.hex);
    this.names = data.names;
    this.areas = data.areas;
    this.boxes = data.boxes;
    this.rows = data.rows;
    this.rings = data.coast.rings.map((steps) => ring(steps, data.coast.unit));
    this.bounds = bounds([...this.hexes.values()]);
  }

  at(row, col) {
    return this.grid.get(row * 200 + col);
  }
  neighbour(hex, i) {
    return this.at(hex.row + STEPS[i][0], hex.col + STEPS[i][1]);
  }
  side(a, b) {
    return this.sides.get(`${a.id}|${b.id}`) ?? (a.land && b.land ? "land" : "sea");
  }
  corner(hex, i) {
    const [dx, dy] = CORNERS[i % 6];
    return [hex.x + dx, hex.y + dy];
  }

  /** The hex under a point of the plane. */
  under(x, y) {
    const row = y / ROW;
    const col = x - row / 2;
    const third = -row - col;
    let [r, c, t] = [Math.round(row), Math.round(col), Math.round(third)];
    const [dr, dc, dt] = [Math.abs(r - row), Math.abs(c - col), Math.abs(t - third)];
    if (dr > dc && dr > dt) r = -c - t;
    else if (dc > dt) c = -r - t;
    return this.at(r, c);
  }

  title(hex) {
    const here = this.placesAt.get(hex.id);
    return here ? here.map((p) => p.name).join(", ") : (this.areas[hex.region] ?? (hex.land ? "land" : "sea"));
  }
}

/** A line of the coast: every point is told by its step from the one before. */
function ring(steps, unit) {
  const points = [];
  let [x, y] = [0, 0];
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i] * unit;
    y += steps[i + 1] * unit;
    points.push([x, y]);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { points, left, top, right, bottom };
}

function bounds(hexes) {
  const xs = hexes.map((it) => it.x);
  const ys = hexes.map((it) => it.y);
  return {
    left: Math.min(...xs) - 0.5,
    right: Math.max(...xs) + 0.5,
    top: Math.min(...ys) - RADIUS,
    bottom: Math.max(...ys) + RADIUS,
  };
}

const boards = new Map();

export async function loadBoard(name) {
  if (!boards.has(name))
    boards.set(
      name,
      hall.kept(`/boards/${name}`, name, { steps: true }).then((data) => {
        learnLooks(data.units);
        return new Board(data);
      }),
    );
  const board = await boards.get(name);
  loaded.set(name, board);
  return board;
}

const loaded = new Map();

/** Every place by name, over the boards loaded so far. */
export function placeNames() {
  const found = [];
  for (const board of loaded.values()) {
    found.push(...board.places.map((p) => p.name));
    found.push(...board.boxes.map((b) => `${b.name} box`));
  }
  return [...new Set(found)].sort();
}

/** Where a name or hex id is: the board and the hex. */
export function findPlace(text) {
  const plain = (s) =>
    s
      .normalize("NFKD")
      .replace(/[^\p{L}\p{N} ]/gu, "")
      .toLowerCase()
      .trim();
  const wanted = plain(text);
  for (const board of loaded.values()) {
    const place = board.places.find((p) => plain(p.name) === wanted);
    if (place) return { board: board.name, hex: board.hexes.get(place.hex) };
  }
  const id = text.trim().toUpperCase();
  const first = loaded.get(document.body.dataset.view);
  for (const board of [first, ...loaded.values()])
    if (board?.hexes.has(id)) return { board: board.name, hex: board.hexes.get(id) };
  return null;
}

/** What a place's key is called: "Brussels (M25)" for europe/M25, the name of a box, else the key itself. */
export function placeCalled(key) {
  const [where, id] = String(key).split("/");
  const box = where === "box" ? [...loaded.values()].flatMap((b) => b.boxes).find((b) => b.id === id) : null;
  if (box) return `${box.name} box`;
  const here = loaded.get(where)?.placesAt.get(id);
  return here ? `${here[0].name} (${id})` : (id ?? where);
}

/** A place's key as one would type it: the name of its city, or the key. */
export function placeWritten(key) {
  const [where, id] = String(key).split("/");
  return loaded.get(where)?.placesAt.get(id)?.[0].name ?? (where === "box" ? placeCalled(key) : key);
}

export const allPlaces = () => [...loaded.values()].flatMap((b) => b.places.map((p) => ({ ...p, board: b.name })));
