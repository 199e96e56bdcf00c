// Countries: a list by theater, and a page for each, which the server draws; both garrisons head the list.

import { $ } from "./dom.js";
import { table } from "./api.js";
import { position, store } from "./store.js";
import { served } from "./served.js";
import { html, signal } from "./ui.js";

const chosen = signal("");
const wanted = signal("");
/** Whether the page of the garrisons shows what would follow if a counter left. */
const supposing = signal(false);
const GARRISONS = "garrisons";
const GROUPS = [
  ["Minor countries, Europe", (c) => c.kind === "minor" && c.theater === "europe"],
  ["Minor countries, Pacific", (c) => c.kind === "minor" && c.theater === "pacific"],
  ["Colonies", (c) => c.kind === "colony"],
  ["Commonwealth", (c) => c.kind === "commonwealth"],
];
const matches = (name) => name.toLowerCase().includes(wanted.value.toLowerCase());

/** An entry of the list: chosen by hand, its page has the focus as soon as it is there. */
let pressed = "";
const entry = (id, name, ...more) => html`<button aria-current=${chosen.value === id ? "true" : null} key=${id}
  onclick=${() => (chosen.value = pressed = id)}>${name}${more.map((it) => html`<span>${it}</span>`)}</button>`;
const focused = (id) => (el) => {
  if (pressed !== id) return;
  pressed = "";
  $("h2", el).focus({ preventScroll: true });
};

function list({ manchuria, siberia }) {
  const found = GROUPS.map(([title, fits]) => [title, position().countries.filter((c) => fits(c) && matches(c.name))]);
  const both = entry(GARRISONS, "Manchuria, Siberia", `${manchuria.value} : ${siberia.value}`);
  return [
    matches("Manchuria, Siberia") && html`<h2>Garrisons</h2>${both}`,
    found.map(([title, its]) => its.length > 0 && html`<h2>${title}</h2>${its.map((c) => entry(c.id, c.name, c.standing, c.brp || ""))}`),
  ];
}

const ask = () => {
  const [id, at] = [chosen.value, store.at];
  const page = id === GARRISONS
    ? table.get("/garrisons/page", { supposing: supposing.value, at })
    : table.get(`/countries/${id}/page`, { at });
  return Promise.all([id, table.get("/garrisons", { at }), page]);
};

const suppose = ({ target }) => {
  if (target.dataset.suppose) supposing.value = target.dataset.suppose === "true";
};

const draw = ([id, garrisons, page]) => html`<div class="countries" onclick=${suppose}>
  <nav class="country-list" aria-label="Countries">
    <input type="text" placeholder="Find a country" value=${wanted.value} aria-label="Find a country"
      oninput=${(e) => (wanted.value = e.target.value)} />
    <div class="all">${list(garrisons)}</div>
  </nav>
  ${served(page, { class: id === GARRISONS ? "country garrisons" : "country", key: id }, focused(id))}
</div>`;

/** The page that was chosen, at first that of the first country in the list. */
const go = (id) => (chosen.value = id ?? (chosen.peek() || position().countries.find(GROUPS[0][1]).id));

export const sheet = { go, ask, draw };
