// Countries: a list by theater, and a page for each: as it stands, what it would bring, what can be done, its history.

import { $, capital, isPower, nameOf, signed } from "./dom.js";
import { table } from "./api.js";
import { counter, onCanvas } from "./map/counters.js";
import { findPlace } from "./map/atlas.js";
import { pictureOf } from "./map/picture.js";
import { garrisonPage } from "./garrisons.js";
import { openCommand } from "./order.js";
import { whyNot } from "./refusal.js";
import { position, store } from "./store.js";
import { jump, openView } from "./topbar.js";
import { chip, html, plain, sayings, seal, signal } from "./ui.js";

const chosen = signal("belgium");
const wanted = signal("");
/** Both garrisons head the list. */
const GARRISONS = "garrisons";
const matches = (name) => name.toLowerCase().includes(wanted.value.toLowerCase());

/** An entry of the list: chosen by hand, its page has the focus as soon as it is there. */
let pressed = false;
const entry = (id, name, ...more) => html`<button aria-current=${chosen.value === id ? "true" : null} key=${id}
  onclick=${() => { pressed = chosen.value !== id; chosen.value = id; }}>${name}${more}</button>`;
const focused = (el) => {
  if (!el || !pressed) return;
  pressed = false;
  $("h2", el).focus({ preventScroll: true });
};

function list(garrisons) {
  const matching = position().countries.filter((c) => matches(c.name));
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
        ${mine.map((c) => entry(c.id, c.name, html`<span>${c.standing}</span><span>${c.brp || ""}</span>`))}
      `
      : null;
  });
  const both = html`<span>${garrisons.manchuria.value} : ${garrisons.siberia.value}</span>`;
  const name = "Manchuria, Siberia";
  return [matches(name) && html`<h2>Garrisons</h2>${entry(GARRISONS, name, both)}`, ...found];
}

/** The country on its board: the first of the places that decide of it. */
function mapOf(c) {
  const found = c.places.map(findPlace).find((it) => it?.board === c.theater);
  return found && html`<img class="country-map" src=${pictureOf({ around: found.hex.key })} alt=${`Map of ${c.name}`} />`;
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
  return html`<div class="country" key=${c.id} ref=${focused}>
    <header>
      <h2 tabIndex="-1">${c.name}</h2>
      <span class="pill">${c.standing}</span>
      <button class="push" onclick=${() => c.places[0] && jump(c.places[0])}>Show on map</button>
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

const ask = () => {
  const of = chosen.value === GARRISONS ? null : table.get(`/countries/${chosen.value}`, { at: store.at });
  return Promise.all([table.get("/garrisons", { at: store.at }), of]);
};

const draw = ([garrisons, country]) => html`<div class="countries">
  <nav class="country-list" aria-label="Countries">
    <input type="text" placeholder="Find a country" value=${wanted.value} aria-label="Find a country"
      oninput=${(e) => (wanted.value = e.target.value)} />
    <div class="all">${list(garrisons)}</div>
  </nav>
  ${country ? page(country) : garrisonPage(garrisons, focused)}
</div>`;

export const sheet = { go: (id) => (chosen.value = id ?? chosen.value), ask, draw };
