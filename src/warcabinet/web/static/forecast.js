// The next year start as a sheet that the server draws; here is what is supposed in "my what-if".

import { copyTable } from "./dom.js";
import { table } from "./api.js";
import { served } from "./served.js";
import { position, store } from "./store.js";
import { state } from "./ui.js";

/** How the sheet is reckoned, and what is supposed: figures by their public names, and what they would be. */
const its = state({ mode: "stands", supposed: {} });
/** Suppose figures, or (undefined) no longer. */
const suppose = (figures) => (its.supposed = Object.fromEntries(Object.entries({ ...its.supposed, ...figures }).filter(([, to]) => to !== undefined)));

/** How the sheet was reckoned; its sums are asked for in the same way. */
const asked = () => ({
  mode: its.mode === "due" ? "due" : "stands",
  changes: its.mode === "mine" ? Object.entries(its.supposed).map(([figure, to]) => ({ figure, to })) : [],
  at: store.at,
});

/** An area in other hands: its yearly value leaves the books of whoever has it and goes on another's. */
function give(event) {
  event.preventDefault();
  const { area, power } = event.target.elements;
  const country = position().countries.find((c) => c.id === area.value);
  const books = (p) => (p === power.value ? country.brp : p === country.by ? 0 : undefined);
  suppose(Object.fromEntries(position().powers.map((p) => [`books.${p.power}.${country.id}`, books(p.power)])));
}

/** Levels and bases are typed into the sheet; what is empty is supposed no longer. */
function typed({ target: { value, dataset } }) {
  if (dataset.supposes) suppose({ [dataset.supposes]: value === "" ? undefined : Math.trunc(Number(value)) });
}

function press({ target, currentTarget }) {
  const { choice, supposes, copies } = target.closest("button")?.dataset ?? {};
  if (choice) its.mode = choice;
  if (supposes) suppose({ [supposes]: undefined });
  if (copies !== undefined) copyTable(currentTarget);
}

async function ask() {
  const what = asked();
  try {
    return [what, await table.post("/forecast/page", { ...what, typed: its.mode === "mine" })];
  } catch (error) {
    // What cannot be supposed is supposed no longer.
    if (what.changes.length) its.supposed = {};
    throw error;
  }
}

const draw = ([what, page]) =>
  served(page, { class: "page-part", "data-supposed": JSON.stringify(what), onclick: press, onchange: typed, onsubmit: give });

export const sheet = { ask, draw };
