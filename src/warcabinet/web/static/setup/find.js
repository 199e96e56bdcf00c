// Going to a place by its name or hex: what was typed is found on both boards, and the hex is chosen.

import { $, toast } from "../dom.js";
import { allPlaces, findPlace } from "../map/atlas.js";
import { map } from "../map/map.js";
import { choosePlace, jump } from "./panels.js";
import { fill, html } from "../ui.js";

/** Go there; whether there is such a place. */
async function go(text) {
  const found = findPlace(text);
  if (!found) return false;
  const { key } = found.hex;
  await jump(key);
  choosePlace(key, map.board.title(found.hex));
  return true;
}

/** The field in the bar, with the names of all places; both boards are loaded by then. */
export function startFind() {
  const field = $("#place");
  const names = [...new Set(allPlaces().map((p) => p.name))].sort();
  fill($("#places"), names.map((name) => html`<option value=${name} />`));
  const take = async () => {
    const text = field.value.trim();
    if (!text) return;
    if (await go(text)) {
      field.value = "";
      map.grid.focus();
    } else toast(`No place or hex is called “${text}”.`, true);
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") take();
    if (event.key === "Escape") {
      field.value = "";
      field.blur();
    }
  });
  // A name chosen from the list is meant at once.
  field.addEventListener("input", (event) => {
    if (event.inputType === "insertReplacementText" || !event.inputType) take();
  });
}
