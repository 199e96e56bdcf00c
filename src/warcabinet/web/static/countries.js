// Countries: a list by theater, and a page for each: as it stands, what it would bring, what can be done, its history.

import { $, capital, isPower, nameOf, signed } from "./dom.js";
import { table } from "./api.js";
import { counter, onCanvas } from "./map/counters.js";
import { findPlace } from "./map/atlas.js";
import { picture } from "./map/picture.js";
import { jump } from "./map/map.js";
import { garrisonPage } from "./garrisons.js";
import { openCommand } from "./order.js";
import { whyNot } from "./refusal.js";
import { position, store } from "./store.js";
import { openView } from "./topbar.js";
import { chip, fill, html, plain, sayings, seal } from "./ui.js";

let chosen = "belgium";
let wanted = "";
/** Both garrisons, which head the list. */
let garrisons = null;
const GARRISONS = "garrisons";

const choose = (el, id) => async () => {
  await showCountries(el, id);
  $(".country h2", el).focus({ preventScroll: true });
};

function garrisonEntry(el) {
  const name = "Manchuria, Siberia";
  if (!garrisons || !name.toLowerCase().includes(wanted.toLowerCase())) return null;
  return html`
    <h2>Garrisons</h2>
    <button aria-current=${chosen === GARRISONS ? "true" : null} onclick=${choose(el, GARRISONS)}>
      ${name}<span>${garrisons.manchuria.value} : ${garrisons.siberia.value}</span>
    </button>
  `;
}

function list(el) {
  const matching = position().countries.filter((c) => c.name.toLowerCase().includes(wanted.toLowerCase()));
  const groups = [
    ["Minor countries, Europe", (c) => c.kind === "minor" && c.theater === "europe"],
    ["Minor countries, Pacific", (c) => c.kind === "minor" && c.theater === "pacific"],
    ["Colonies", (c) => c.kind === "colony"],
    ["Commonwealth", (c) => c.kind === "commonwealth"],
  ];
  const found = groups.map(([title, fits]) => {
    const mine = matching.filter(fits);
    return mine.length
      ? html`
        <h2>${title}</h2>
        ${mine.map((c) => html`<button aria-current=${c.id === chosen ? "true" : null} onclick=${choose(el, c.id)}>
          ${c.name}<span>${c.standing}</span><span>${c.brp || ""}</span>
        </button>`)}
      `
      : null;
  });
  return [garrisonEntry(el), ...found];
}

/** The country on its board: the first of the places that decide of it, else some hex of its land. */
function mapOf(c) {
  const middle = (board) =>
    c.places.map(findPlace).find((f) => f?.board === c.theater)?.hex ??
    [...board.hexes.values()].find((it) => it.country === c.id || it.region === c.id);
  return picture({ name: c.theater, middle, scale: 64, edge: 40, ids: true }, { "aria-label": `Map of ${c.name}` });
}

/** A country's units as counters, beside the table that tells of them. */
function pieces(c) {
  return c.forces
    .filter((f) => f.table || f.on_board)
    .map((f) => {
      const count = c.deployed ? f.on_board + f.unbuilt : f.table;
      return onCanvas(50, 2, (ctx) => counter(ctx, 2, 12, 34, { nation: c.id, unit: f.unit }, count - 1, count), "piece");
    });
}

function orders(c) {
  const open = (o) => () => {
    openView(c.theater);
    openCommand(o.command, { [o.field]: c.id });
  };
  return plain(c.orders.map((o) => html`<tr>
    <th scope="row">${o.label}</th><td>${o.refusals.length ? [capital(o.refusals[0].text), ". "] : o.text}</td>
    <td class="r">
      ${o.refusals.length
        ? html`<button class="link deny" onclick=${() => whyNot(`${o.label}: ${c.name}`, o.refusals)}>Why not?</button>`
        : html`<button class="link" onclick=${open(o)}>Open</button>`}
    </td>
  </tr>`));
}

function brings(c) {
  if (!c.brings.length) return null;
  const rows = c.brings.map((b) => html`<tr>
    <td>${b.turn}</td><td>${b.share} %</td><td><strong>${b.brp}</strong></td><td class="r">${chip(b.clause)}</td>
  </tr>`);
  return html`<h3>What it would bring</h3>${plain(rows, ["Received in", "Share", "BRPs", "Clause"])}`;
}

const row = (head, text, clause) => html`<tr><th scope="row">${head}</th><td>${text}</td><td class="r">${clause ? chip(clause) : ""}</td></tr>`;

function forces(c) {
  if (!c.forces.length && !c.partisans.length) return null;
  const where = (f) => (c.deployed ? `${f.on_board} on the board, ${f.unbuilt} unbuilt` : `${f.table}, not deployed yet`);
  return html`
    <h3>Forces</h3>
    <div class="row">${pieces(c)}</div>
    ${plain([
      c.forces.map((f) => row(f.unit, where(f))),
      c.partisans.map((p) => row(`partisans, ${p.side}`, `${p.automatic}, at most ${p.most}`)),
    ])}
  `;
}

function prospects(c) {
  const coming = c.coming.map((i) => row(i.due, `${nameOf(i.power)}${i.brp ? ` ${signed(i.brp)}` : ""}: ${i.text}`, i.clause));
  const limits = c.limits.map((l) => row(`${l.present} of ${l.most}`, l.text, l.clause));
  return [
    limits.length ? html`<h3>Limits in force</h3>${plain(limits)}` : null,
    c.closed.length ? html`<h3>Closed ground</h3>${sayings(c.closed)}` : null,
    c.own_rules.length ? html`<h3>What its own chapter says</h3>${sayings(c.own_rules)}` : null,
    coming.length ? html`<h3>Falls due</h3>${plain(coming)}` : null,
    c.changes.length ? html`<h3>What would change it</h3>${sayings(c.changes)}` : null,
  ];
}

function page(c) {
  const fact = (name, value, clause) => (value ? row(name, value, clause) : null);
  const standing = [
    capital(c.status),
    c.by && isPower(c.by) ? [" ", seal(c.by), ` ${nameOf(c.by)}`] : "",
  ];
  return html`<div class="country" key=${c.id}>
    <header>
      <h2 tabIndex="-1">${c.name}</h2>
      <span class="pill">${c.standing}</span>
      <button class="push" onclick=${() => c.places[0] && jump(c.places[0], openView)}>Show on map</button>
    </header>
    <div class="country-columns">
      <div>${mapOf(c)}${brings(c)}${forces(c)}</div>
      <div>
        <h3>As it stands</h3>
        ${plain([
          fact("Status", standing, c.clause), fact("Since", c.since), fact("Because", c.reason),
          fact("Worth", c.brp ? `${c.brp} BRPs a year` : "", /^\d/.test(c.source) ? c.source.split(" ")[0] : ""),
          fact("Decided by", c.places.join(", ")), fact("Diplomatic result", c.result || "none in effect"),
          fact("At war with", c.enemies.join(", ")),
          fact("On the books of", c.books.map((b) => `${nameOf(b.power)} ${b.brp}`).join(", ")),
        ])}
        ${prospects(c)}
        <h3>What can be ordered or reported</h3>
        ${orders(c)}
        <h3>History</h3>
        ${plain((c.history.length ? c.history : [{ when: "", status: "No change since the start of the game", clause: "" }]).map((it) => html`<tr>
          <td>${it.when}</td>
          <td>${it.status}${it.by ? `, ${nameOf(it.by)}` : ""}${it.reason ? `: ${it.reason}` : ""}</td>
          <td class="r">${chip(it.clause)}</td>
        </tr>`))}
      </div>
    </div>
  </div>`;
}

export async function showCountries(el, id) {
  if (id) chosen = id;
  const of = chosen === GARRISONS ? null : table.get(`/countries/${chosen}`, { at: store.at });
  garrisons = await table.get("/garrisons", { at: store.at });
  const country = await of;
  const find = (event) => {
    wanted = event.target.value;
    draw();
  };
  const draw = () => fill(el, html`<div class="countries">
    <nav class="country-list" aria-label="Countries">
      <input type="text" placeholder="Find a country" value=${wanted} aria-label="Find a country" oninput=${find} />
      <div class="all">${list(el)}</div>
    </nav>
    ${country ? page(country) : garrisonPage(garrisons, draw)}
  </div>`);
  draw();
}
