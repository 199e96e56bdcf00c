// Two lines of a game side by side, and the band by which a copy is known as one.

import { base, hall, table, tableId } from "./api.js";
import { $, isPower, several } from "./dom.js";
import { lookAt, store } from "./store.js";
import { openView } from "./topbar.js";
import { chip, html, options, pageHead, panel, seal, signal } from "./ui.js";

const everything = signal(false);
const wanted = signal("");

const value = (it) => (it === true ? "yes" : it === false ? "no" : it === null || it === "" ? "–" : String(it));
const figure = (it) => it.args.length > 0 && typeof it.here === "number";

/** The tables of which this is a copy, that are copies of it, or copies of the same. */
function kin(tables) {
  const here = store.view.table;
  const root = here.parent || here.id;
  return tables.filter((it) => it.table !== tableId && !it.ends && (it.table === root || it.parent === root || it.parent === here.id || it.table === here.parent));
}

const head = (name, line, copy) => html`<div class=${copy ? "copy" : ""}>
  <h3>${name}${copy && html`<em class="quiet"> a copy</em>`}</h3>
  <p>
    ${line.moment}<br />
    <span class="quiet">
      ${line.moves
        ? `${line.moves === 1 ? "One move" : `${line.moves} moves`} of its own${line.moves === 1 ? "" : ", the first"}: ${line.text || line.first}`
        : "no move of its own"}
    </span>
  </p>
</div>`;

function rows(told) {
  const since = (move, own) => (move
    ? own ? html`<button class="link" onclick=${() => lookAt(move)}>${move}</button>` : String(move)
    : "–");
  return told.figures.filter((it) => everything.value || figure(it)).map((it) => html`<tr>
    <td>
      ${isPower(it.args[0]) && seal(it.args[0])} ${it.title}
      ${it.of && html`<span class="quiet"> ${it.of}</span>`}
    </td>
    <td class="value">${value(it.here)}</td><td class="value">${value(it.there)}</td>
    <td>${since(it.since_here, true)}</td><td>${since(it.since_there, false)}</td><td>${chip(it.clause)}</td>
  </tr>`);
}

function drawn(told, other) {
  const left = told.figures.length - told.figures.filter(figure).length;
  return html`
    <p>
      One until <button class="link" onclick=${() => lookAt(told.common)}>move ${told.common}</button>,${" "}
      ${told.common_moment}.
    </p>
    <div class="two">
      ${head(store.view.table.title, told.here, store.view.table.parent)}${head(other.title, told.there, other.parent)}
    </div>
    ${told.figures.length
      ? html`<table>
        <thead>
          <tr>
            ${["Figure", "Here", "There", "Since, here", "Since, there", "Clause"].map((it) => html`<th scope="col" class=${it.endsWith("ere") && !it.includes(",") ? "value" : ""}>${it}</th>`)}
          </tr>
        </thead>
        <tbody>${rows(told)}</tbody>
      </table>`
      : html`<p>No figure differs.</p>`}
    ${left
      ? html`<p>
        <label>
          <input type="checkbox" checked=${everything.value} onchange=${(e) => (everything.value = e.target.checked)} /> also what is no number of a power or country (
          ${left})
        </label>
      </p>`
      : null}
    ${told.land.map((it) => html`<p>
      ${it.here} holds here, ${it.there} there: ${it.places.join(", ") || several(it.count, "hex", "hexes")}
      <span class="quiet"> (${it.count})</span>
    </p>`)}
  `;
}

/** Which lines there are, and what differs between this one and the one that is wanted. */
async function ask() {
  const [line] = [wanted.value, store.at];
  const others = kin(await hall.get("/tables"));
  const other = others.find((it) => it.table === line) ?? others[0];
  return { others, other, told: other && (await table.get("/compare", { other: other.table })) };
}

function draw({ others, other, told }) {
  const choose = html`<select aria-label="With which line" onchange=${(e) => (wanted.value = e.target.value)}>
    ${options(others.map((it) => [it.table, it.title + (it.parent ? ", a copy" : "")]), other?.table)}
  </select>`;
  const none = html`<p>There is no other line of this game: open a copy of a moment by “What if?” at the history slider.</p>`;
  return html`
    ${pageHead("Side by side", "Two lines of a game: which figures differ, and from which move on.", other && choose)}
    <div class="side-by-side">${other ? drawn(told, other) : none}</div>
  `;
}

export const sheet = { go: (line) => (wanted.value = line ?? wanted.value), ask, draw };

export function startCompare() {
  panel($("#copy-band"), () => {
    const { title, parent, parent_move: move } = store.view?.table ?? {};
    document.body.toggleAttribute("data-copy", Boolean(parent));
    return parent && html`
      <strong>A copy</strong><span>${title}, from move ${move} on. It counts for nothing.</span>
      <button class="small" id="compare-copy" onclick=${() => openView("compare", parent)}>Side by side with the game</button>
      <a href=${`${base}/tables/${parent}`}>To the game</a>
    `;
  });
}
