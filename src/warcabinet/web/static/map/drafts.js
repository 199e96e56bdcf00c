// What a form would put on the map, as ghosts while it is open: set-ups, builds, moves.

import { findPlace } from "./atlas.js";

const PLACED = /^(?:(\d+) )?([a-z].*?) at (.+)$/;
const COUNTED = /^(?:(\d+) )?([a-z].*)$/;

export const keyOf = (place) => {
  if (!place) return "";
  if (String(place).includes("/")) return place;
  const found = findPlace(String(place));
  return found ? found.hex.key : "";
};

/** The counters that the fields of an order name, each with its place. */
export function draftsOf(known) {
  const power = known.nation ?? known.country ?? known.power ?? known.by ?? "";
  const ghost = ([, count, unit], at) => ({ power, unit, count: Number(count ?? 1), at: keyOf(at) });
  const texts = Object.values(known)
    .flat()
    .filter((v) => typeof v === "string");
  const placed = texts.map((text) => PLACED.exec(text)).filter(Boolean);
  const found = placed.map((m) => ghost(m, m[3]));
  if (Array.isArray(known.units) && known.at)
    found.push(...known.units.map((text) => COUNTED.exec(text)).filter(Boolean).map((m) => ghost(m, known.at)));
  if (known.unit && known.to) found.push({ power, unit: known.unit, count: Number(known.count ?? 1), at: keyOf(known.to) });
  return found.filter((g) => g.at && g.power);
}
