// Powers: the charts, then everything that is reckoned for each of them, by clause, as the server draws it.

import { $ } from "./dom.js";
import { table } from "./api.js";
import { flows, levels } from "./charts.js";
import { served } from "./served.js";
import { me, position, store } from "./store.js";
import { html, pageHead, seal, signal } from "./ui.js";

const chosen = signal("");
let wanted = ""; // a part of the sheet that is looked for

/** What was looked for comes in sight, once. */
function lookFor(el) {
  if (wanted !== "pool") return;
  wanted = "";
  $("#power-pool", el).focus({ preventScroll: true });
  el.parentElement.scrollIntoView({ block: "start" });
}

const one = (power, page) => html`<div class="one-power">
  <h3>${seal(power)} ${position().powers.find((p) => p.power === power).name}</h3>
  <div class="row">
    ${position().powers.map((p) => html`<button class="pill" aria-pressed=${p.power === power} onclick=${() => (chosen.value = p.power)}>${p.name}</button>`)}
    <button class="pill" data-ledger=${`brp/${power}`}>Every entry</button>
  </div>
  ${served(page, { class: "country-columns", key: power }, lookFor)}
</div>`;

/** The sheet of the powers, at one of them; `part` is what is looked for there. */
function go(power, part) {
  wanted = part;
  chosen.value = power ?? (chosen.peek() || me().powers[0] || "germany");
}

const ask = () => {
  const [power, at] = [chosen.value, store.at];
  return Promise.all([power, table.get("/charts", { at }), table.get(`/powers/${power}/page`, { at })]);
};

const draw = ([power, data, page]) => html`
  ${pageHead("Powers", "BRP levels over the war; lines differ in colour, dash and label.")}${levels(data)}
  <h3>Where they came from and went</h3>
  ${flows(data)}${one(power, page)}
`;

export const sheet = { go, ask, draw };
