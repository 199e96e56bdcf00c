// The form of an order: made from the command's fields, narrowed as they are filled, with a preview of everything.

import { $, debounce, conceal, isPower, lower, nameOf, reveal, several, signed, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { described, titleOf } from "./commands.js";
import { draftOf, fieldset, forgetDrafts } from "./fields.js";
import { placeNames } from "./map/atlas.js";
import { draftsOf } from "./map/drafts.js";
import { map } from "./map/map.js";
import { tellTrouble } from "./refusal.js";
import { sealOrder, sealingSeat } from "./sealed.js";
import { perform } from "./store.js";
import { chip, effect, heads, html, panel, seal, signal, state, untracked } from "./ui.js";

/** The form that is open: an order, what is known of its fields, and what the server says of both. */
const form = signal(null);
let opened = 0;

const begun = (offer, given) => state({
  known: { ...offer.known, ...given },
  narrowed: null, // what each field may still be
  preview: null, // what would come of it
  missing: [],
  notHere: null, // a place that cannot be named, and why
  found: null, // the places that may be named
}, { offer, asked: 0, askedPlaces: 0, number: ++opened, came: new Set(Object.keys(given)), only: new Set(), shape: null, using: null });

/** Open the form for an offer; fields already known are kept as they are. */
export async function openOrder(offer, given = {}) {
  const mine = begun(offer, given);
  reveal($("#order"));
  form.value = mine;
  await renew();
  if (form.value !== mine || $("#order").contains(document.activeElement)) return;
  const first = $("#order form input:not(:checked):not([type=range]), #order form select");
  (first ?? $("#order .main")).focus({ preventScroll: true });
}

/** Open the form of a command by its name. */
export async function openCommand(command, known = {}) {
  await openOrder(described({ command, known }), known);
}

export function closeOrder() {
  if (!form.value) return false;
  conceal($("#order"));
  form.value = null;
  forgetDrafts();
  map.showPlaces(null);
  return true;
}

const namesPlace = (it) => it?.kind.startsWith("place");

/** The field that a click on the map fills: the one last used, else the first that is open, else the first. */
function placeField() {
  const current = form.value;
  const names = current.offer.order.filter((name) => namesPlace(field(name)));
  const open = names.find((name) => current.known[name] === undefined && field(name).required);
  return names.includes(current.using) ? current.using : (open ?? names[0]);
}

/** A hex or box was chosen on the map: put it into the form's place field, if it has one, or say why it cannot be. */
export function takePlace(key) {
  const name = form.value && placeField();
  if (!name) return false;
  const { found } = form.value;
  // What the map does not mark as legal is asked for by itself: it may lie at sea, or be forbidden.
  if (found?.field === name && !found.legal.includes(key)) refusePlace(name, key);
  else put(name, key);
  return true;
}

function put(name, key) {
  const current = form.value;
  current.using = null;
  current.notHere = null;
  const it = field(name);
  const held = current.known[name];
  if (it.kind === "placement") {
    draftOf(name, it).place = key;
    set(name, [...(held ?? []), `${placed(name, it)} at ${key}`]);
  } else if (it.many) set(name, (held ?? []).includes(key) ? held.filter((k) => k !== key) : [...(held ?? []), key]);
  else set(name, key);
}

const placed = (name, it) => `${Math.max(1, Number(draftOf(name, it).count) || 1)} ${draftOf(name, it).unit}`.trim();

/** Ask for the exact words: why this place may not be named; what nothing forbids is named after all. */
async function refusePlace(name, key) {
  const mine = form.value;
  const asked = { ...placesAsked(name), place: key };
  const [reason] = (await table.post("/places", asked)).reasons;
  if (form.value !== mine) return;
  if (!reason) return put(name, key);
  mine.notHere = { field: name, text: reason.text, clause: reason.clause };
}

const placesAsked = (name) => {
  const it = field(name);
  const unit = it.kind === "placement" ? { unit: placed(name, it) } : {};
  const { offer, known } = form.value;
  return { command: offer.command, field: name, known, board: map.board.name, ...unit };
};

/** Which places are legal for the field that the map would fill, so that the map can show them. */
async function askPlaces() {
  const mine = form.value;
  if (!mine || !map.board) return;
  const name = placeField();
  if (!name || (field(name).kind === "placement" && !draftOf(name, field(name)).unit)) return map.showPlaces(null);
  const turn = ++mine.askedPlaces;
  try {
    const found = await table.post("/places", placesAsked(name));
    if (form.value !== mine || turn !== mine.askedPlaces) return;
    const reasons = new Map(found.reasons.flatMap((r) => r.places.map((key) => [key, r])));
    map.showPlaces({ legal: new Set(found.legal), forbidden: reasons, verb: mine.offer.label.toLowerCase() });
    mine.found = { ...found, field: name };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    map.showPlaces(null);
  }
}

/** Under the field: how many places are legal here, and what forbids the others. */
function placesOf(name) {
  const current = form.value;
  const found = current.found;
  if (found?.field !== name || !found.reasons.length) return null;
  const other = map.board.name === "europe" ? "pacific" : "europe";
  const [hexes, closed] = [found.legal, found.reasons.flatMap((it) => it.places)].map((all) => all.filter((key) => !key.startsWith("box/")).length);
  return html`<p class="places small quiet">
    ${!closed ? "All hexes of this board may be named, but not every box:"
      : closed < hexes ? `All hexes of this board may be named but ${closed}:`
      : `${hexes ? several(hexes, "hex", "hexes") : "No hex"} of this board may be named. Not the others:`}${" "}
    ${found.reasons.map((r, i) => [i ? "; " : "", r.gist, " ", chip(r.clause, true)])}
    ${!hexes && html` <button class="link" data-goto=${other}>${other === "pacific" ? "Show the Pacific" : "Show Europe"}</button>`}
  </p>`;
}

function set(name, value) {
  const current = form.value;
  const { [name]: _, ...others } = current.known;
  current.known = value === undefined || (Array.isArray(value) && !value.length) ? others : { ...others, [name]: value };
  renewSoon();
}

const renewSoon = debounce(() => renew(), 140);

/** Ask what the known fields leave open, then what would come of the order. */
async function renew() {
  const mine = form.value;
  if (!mine) return;
  const turn = ++mine.asked;
  try {
    if (!mine.shape) await learnShape(mine);
    const narrowed = await table.post("/narrow", { command: mine.offer.command, known: mine.known });
    if (form.value !== mine || turn !== mine.asked) return;
    mine.narrowed = narrowed;
    if (fillOnly(mine)) return renew();
    await tryOut(mine, turn);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    mine.preview = { error: error.message };
  }
  if (form.value === mine && turn === mine.asked) askPlaces();
}

/** What must be said and can be but one thing is said already; whether there was such a field, once for each. */
function fillOnly(mine) {
  const only = Object.entries(mine.narrowed.fields).filter(([name, it]) => it.required && !it.many && !mine.only.has(name)
    && mine.known[name] === undefined && it.choices.filter((c) => !c.no).length === 1 && it.choices.length > 0);
  for (const [name, it] of only) {
    mine.only.add(name);
    mine.shape[name] = it;
    mine.known = { ...mine.known, [name]: it.choices.find((c) => !c.no).value };
  }
  return only.length > 0;
}

/** What the fields are that came filled: the answer about the known ones leaves them out. */
async function learnShape(mine) {
  const bare = Object.keys(mine.known).every((name) => name in mine.offer.known);
  mine.shape = bare ? {} : (await table.post("/narrow", { command: mine.offer.command, known: mine.offer.known })).fields;
}

async function tryOut(mine, turn) {
  mine.preview = null;
  const missing = mine.offer.order.filter((name) => field(name)?.required && mine.known[name] === undefined);
  mine.missing = [...missing, ...Object.keys(mine.narrowed.wrong)];
  if (mine.missing.length) return;
  try {
    const preview = await table.post("/preview", command());
    if (turn === mine.asked) mine.preview = preview;
  } catch (error) {
    mine.preview = { error: error.message };
  }
}

const command = () => ({ do: form.value.offer.command, ...form.value.known });

/** A field as it stands now: what the narrowed offer says of it, or what it was before it was filled. */
function field(name) {
  const current = form.value;
  const narrowed = current.narrowed?.fields[name];
  if (narrowed) current.shape[name] = narrowed;
  return current.shape?.[name];
}

/** Fields that came filled were never offered: each is asked for as it would be without what it says. */
async function describeAll(mine) {
  const { command, order } = mine.offer;
  const bare = async (name) => {
    const { [name]: _, ...known } = mine.known;
    return [name, (await table.post("/narrow", { command, known })).fields[name]];
  };
  mine.shape = { ...Object.fromEntries(await Promise.all(order.filter((name) => !field(name)).map(bare))), ...mine.shape };
  mine.known = { ...mine.known };
}

/** What the offer itself says stands in its title, where nothing else could be said: whose order it is, of which country. */
const settled = (name) => {
  const { offer, came } = form.value;
  const only = () => field(name)?.choices.filter((c) => !c.no).length === 1;
  return name in offer.known && (["power", "theater"].includes(name) || (!came.has(name) && (name === "country" || only())));
};

function fieldsOf() {
  const current = form.value;
  const names = current.offer.order.filter((name) => !settled(name));
  if (current.narrowed && names.some((name) => !field(name)) && !current.described) {
    current.described = true;
    describeAll(current);
  }
  const shown = names.filter((name) => field(name) && !isShut(name) && context(name).parameters?.length !== 0);
  const aside = shown.filter((name) => field(name).weight === "seldom" && !current.came.has(name));
  return [shown.filter((name) => !aside.includes(name)).map(oneField), aside.length ? seldom(aside) : null];
}

function oneField(name) {
  const mine = form.value;
  const notHere = mine.notHere?.field === name ? mine.notHere : null;
  const more = {
    use: () => (mine.using = name),
    redraft: (places = false) => (places ? askPlaces() : (mine.known = { ...mine.known })),
    places: placesOf(name),
  };
  const it = { ...field(name), ...context(name), wrong: mine.narrowed?.wrong[name], notHere };
  return fieldset(name, it, mine.known[name] ?? undefined, (value) => set(name, value), placeNames(), more);
}

/** What is seldom said stands aside until somebody wants to say it. */
function seldom(names) {
  const said = names.map((name) => lower(field(name).label)).join(", ");
  return html`<details class="field seldom" key="seldom">
    <summary>More: <span class="quiet">${said}</span></summary>${names.map(oneField)}
  </details>`;
}

const isShut = (name) => Boolean(field(name)?.shut) && !form.value.known[name];

/** What one field says about another: the parameters of a rule. */
function context(name) {
  const chosen = (of) => field(of)?.suggested?.find((s) => s.value === form.value.known[of])?.of;
  return name === "args" ? { parameters: chosen("rule") } : {};
}

function outcome() {
  const current = form.value;
  const p = current.preview;
  if (!p)
    return html`
      <h3>What would follow</h3>
      <p class="quiet">
        ${current.missing?.length
          ? `Still open: ${current.missing.map((it) => lower(field(it).label)).join(", ")}.`
          : "…"}
      </p>
    `;
  if ("error" in p) return html`<h3>Not yours</h3><p class="bad">${p.error}</p>`;
  const refusals = p.refused?.refusals ?? [{ text: p.needs?.text }];
  const begun = Object.keys(current.known).some((name) => !(name in current.offer.known) && !current.only.has(name));
  if (!p.accepted)
    return html`
      <h3 class=${begun ? "bad" : ""}>${begun ? `Not allowed: ${several(refusals.length, "reason")}` : "What it still needs"}</h3>
      <ul>${refusals.map((r) => html`<li><span>${r.text}</span>${chip(r.clause, true)}</li>`)}</ul>
    `;
  const changes = (p.changes ?? []).map((c) => html`<li class="change">
    <span>${seal(c.power)} ${nameOf(c.power)} ${c.figure}</span>
    <span>${c.was} → ${c.is} (${signed(c.is - c.was)})</span>
  </li>`);
  const events = p.events.map((e) => html`<li class=${e.parent === null || e.parent === undefined ? "" : "child"}><span>${e.text}</span>${chip(e.clause)}</li>`);
  return html`
    <h3>What would follow</h3>
    <ul>${changes}</ul>
    <ol>${events}</ol>
    ${figuresMoved(p.figures)}
    ${p.needs && html`<p>A die is thrown: ${p.needs.text}. Undo then needs consent.</p>`}
  `;
}

const said = (value) => (value === true ? "yes" : value === false ? "no" : value === null || value === "" ? "–" : String(value));

/** Which figures of this position a reading, an option or a ruling would move. */
function figuresMoved(found) {
  if (!found) return null;
  const row = (it) => html`<tr>
    <td>
      ${isPower(it.args[0]) && seal(it.args[0])} ${it.title}
      ${it.of && html`<span class="quiet"> ${it.of}</span>`}
    </td>
    <td>${said(it.here)}</td><td>${said(it.there)}</td><td>${chip(it.clause)}</td>
  </tr>`;
  return html`<details class="figures-moved" open=${found.length > 0 && found.length <= 12}>
    <summary>
      ${found.length
        ? `${several(found.length, "figure moves", "figures move")} in this position`
        : "No figure moves in this position"}
    </summary>
    ${found.length > 0 && html`<table>${heads(["Figure", "Now", "Then", ""])}<tbody>${found.map(row)}</tbody></table>`}
  </details>`;
}

function draw() {
  const current = form.value;
  if (!current) return null;
  const { offer } = current;
  const { by } = current.known;
  const country = settled("country") ? current.known.country : "";
  const power = current.known.power ?? (country && by);
  const title = titleOf({ ...offer, known: offer.actor || country ? { ...(country && { country }), power, theater: current.known.theater } : {} });
  return html`
    <header>
      ${power && seal(power)}
      <div>
        <h2 id="order-title">${title}</h2>
        <span class="quiet">${offer.text} ${chip(offer.clause.startsWith("WC") ? "" : offer.clause)}</span>
      </div>
      <button class="close" aria-label="Close" onclick=${closeOrder}>×</button>
    </header>
    <form id="order-form" key=${current.number} onsubmit=${commit} noValidate>${fieldsOf()}</form>
    <div class="outcome" aria-live="polite">${outcome()}</div>
    <footer>
      <span class="quiet"><kbd>Esc</kbd> close</span>
      <button type="submit" class="main push" form="order-form" aria-describedby="order-title">
        ${offer.family === "report" ? "Report it" : "Give the order"}
      </button>
      ${sealingSeat(power) && html`<button class="seal-order" onclick=${putInEnvelope}>Seal it</button>`}
    </footer>
  `;
}

async function commit() {
  const current = form.value;
  const given = command();
  const bring = { offer: current.offer, known: { ...current.known } };
  try {
    const done = await perform("/do", given);
    closeOrder();
    toast(done.moves.map((m) => m.text).join(" "));
  } catch (error) {
    tellTrouble(error, () => openOrder(bring.offer, bring.known));
  }
}

/** Into the envelope instead of onto the table: the others see it when all are opened. */
async function putInEnvelope() {
  const current = form.value;
  const given = command();
  const words = current.preview?.sentence ?? $("#order-title").textContent;
  const seat = sealingSeat(current.known.power);
  closeOrder();
  await sealOrder(seat, given, words);
}

export function startOrders() {
  panel($("#order"), draw);
  // What the form would put on the map lies there as ghosts while it is open.
  effect(() => (map.drafts = form.value ? draftsOf(form.value.known) : []));
  effect(() => map.board && untracked(askPlaces));
}
