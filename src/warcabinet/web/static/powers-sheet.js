// Powers: the charts, then everything that is reckoned for each of them, by clause.

import { $, several, signed } from "./dom.js";
import { table } from "./api.js";
import { flows, levels } from "./charts.js";
import { me, position, store } from "./store.js";
import { chip, html, number, pageHead, plain, sayings, seal, signal } from "./ui.js";

const chosen = signal("");
let wanted = ""; // a part of the sheet that is looked for

const folded = (title, count, inside) => html`<details class="folded"><summary><h3>${title}</h3><span class="quiet small">${count}</span></summary>${inside}</details>`;

/** All that is reckoned for it by rules: folded, for it is long; the figures that everybody watches stand in the rail. */
function reckoned(found) {
  const value = (v) => (v.value === true ? "yes" : v.value === false ? "no" : v.value);
  const lines = plain(found.values.map((v) => html`<tr>
    <td>${v.gist}</td><td class="r">${number(value(v), v.rule, [found.power], v.gist)}</td>
    <td class="r">${chip(v.clause)}</td>
  </tr>`));
  return folded("Reckoned now", several(found.values.length, "figure"), lines);
}

/** What lies in its force pool, and on the turn record track what arrives when. */
function pool(found) {
  const turns = [...new Set(found.pool.map((p) => p.arrives))];
  const row = (when) => html`<tr>
    <td>${when || "Force pool, not built"}</td>
    <td>${found.pool.filter((p) => p.arrives === when).map((p) => `${p.count} ${p.unit}`).join(", ")}</td>
  </tr>`;
  return html`
    <h3 id="power-pool" tabIndex="-1">Force pool and turn record track</h3>
    ${found.pool.length
      ? plain(turns.map(row))
      : html`<p class="quiet">Nothing waits to be built, and nothing is to arrive.</p>`}
  `;
}

/** What its own chapter says as things stand: folded, for it is long and mostly not asked for. */
const ownRules = ({ own_rules: rules }) => rules.length
  ? folded("Its own chapter", several(rules.length, "sentence"), sayings(rules))
  : null;

const one = (found) => html`<div class="one-power">
  <h3>${seal(found.power)} ${found.name}</h3>
  <div class="row">
    ${position().powers.map((p) => html`<button class="pill" aria-pressed=${p.power === found.power} onclick=${() => (chosen.value = p.power)}>${p.name}</button>`)}
    <button class="pill" data-ledger=${`brp/${found.power}`}>Every entry</button>
  </div>
  <div class="country-columns">
    <div>${ownRules(found)}${pool(found)}${reckoned(found)}</div>
    <div>
      <h3>On the books, a year</h3>
      ${plain(found.books.map((b) => html`<tr>
        <td>${b.name}</td><td class="quiet">${b.kind === "ic" ? "industrial center" : b.kind}</td>
        <td class="r">${signed(b.brp)}</td>
      </tr>`))}
      ${!found.books.length && html`<p class="quiet">Nothing besides its base.</p>`}
    </div>
  </div>
</div>`;

/** The sheet of the powers, at one of them; `part` is what is looked for there. */
function go(power, part) {
  wanted = part;
  chosen.value = power ?? (chosen.peek() || me().powers[0] || "germany");
}

const ask = () => Promise.all([table.get("/charts", { at: store.at }), table.get(`/powers/${chosen.value}`, { at: store.at })]);

const draw = ([data, found]) => html`
  ${pageHead("Powers", "BRP levels over the war; lines differ in colour, dash and label.")}${levels(data)}
  <h3>Where they came from and went</h3>
  ${flows(data)}
  <div ref=${lookFor}>${one(found)}</div>
`;

/** What was looked for comes in sight, once. */
function lookFor(el) {
  if (!el || wanted !== "pool") return;
  wanted = "";
  $("#power-pool", el).focus({ preventScroll: true });
  el.scrollIntoView({ block: "start" });
}

export const sheet = { go, ask, draw };
