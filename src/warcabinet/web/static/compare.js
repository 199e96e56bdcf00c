// Two lines of a game side by side.

import { hall, table, tableId } from "./api.js";
import { served } from "./served.js";
import { store } from "./store.js";
import { html, options, pageHead, signal } from "./ui.js";

const wanted = signal("");

/** The tables of which this is a copy, that are copies of it, or copies of the same. */
function kin(tables) {
  const here = store.view.table;
  const root = here.parent || here.id;
  return tables.filter((it) => it.table !== tableId && !it.ends && (it.table === root || it.parent === root || it.parent === here.id || it.table === here.parent));
}

/** Which lines there are, and what differs between this one and the one that is wanted. */
async function ask() {
  const [line] = [wanted.value, store.at];
  const others = kin(await hall.get("/tables"));
  const other = others.find((it) => it.table === line) ?? others[0];
  return { others, other, told: other && (await table.get("/compare/page", { other: other.table })) };
}

function draw({ others, other, told }) {
  const choose = html`<select aria-label="With which line" onchange=${(e) => (wanted.value = e.target.value)}>
    ${options(others.map((it) => [it.table, it.title + (it.parent ? ", a copy" : "")]), other?.table)}
  </select>`;
  const none = html`<p>There is no other line of this game: open a copy of a moment by “What if?” at the history slider.</p>`;
  return html`
    ${pageHead("Side by side", "Two lines of a game: which figures differ, and from which move on.", other && choose)}
    ${other ? served(told, { class: "side-by-side" }) : html`<div class="side-by-side">${none}</div>`}
  `;
}

export const sheet = { go: (line) => (wanted.value = line ?? wanted.value), ask, draw };
