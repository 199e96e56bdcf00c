// The commands there are: what each is called and for, and its fields. Fetched once, kept by the browser.

import { hall } from "./api.js";
import { nameOf } from "./dom.js";

let fetched = null;
const kinds = new Map();

/** Resolves when the commands are known. */
export const commandsKnown = () =>
  (fetched ??= hall.kept("/commands", "commands").then((all) => {
    for (const { fields, ...kind } of all) kinds.set(kind.command, { ...kind, order: fields.map((f) => f.name) });
  }));

/** An offer with what is always so of its command; a list of offers says only what is so now. */
export const described = (offer) => ({ refusals: [], ...kinds.get(offer.command), ...offer });

/** What an order is called: with the country that waits for it, where the game does, else with its power and theater. */
export function titleOf({ label, known }) {
  const about = [known.country ?? known.power ?? known.by, known.theater].filter(Boolean).map(nameOf);
  return about.length ? `${label}: ${about.join(", ")}` : label;
}
