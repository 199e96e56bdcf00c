// The form of an order: made from the command's fields, narrowed as they are filled, with a preview of everything.

import { $, debounce, hide, isPower, lower, nameOf, returningFocus, several, signed, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { described } from "./commands.js";
import { draftOf, fieldset, forgetDrafts } from "./fields.js";
import { placeNames } from "./map/atlas.js";
import { draftsOf } from "./map/drafts.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { tellTrouble } from "./refusal.js";
import { sealOrder, sealingSeat } from "./sealed.js";
import { perform, store } from "./store.js";
import { chip, draw, h, seal } from "./ui.js";

let current = null; // { offer, known, back }
let opened = 0;

/** Open the form for an offer; fields already known are kept as they are. */
export async function openOrder(offer, given = {}) {
  const back = current?.back ?? returningFocus();
  const mine = { offer, known: { ...offer.known, ...given }, back, asked: 0, number: ++opened, came: new Set(Object.keys(given)) };
  current = mine;
  $("#order").hidden = false;
  show();
  await renew();
  if (current !== mine || $("#order").contains(document.activeElement)) return;
  const first = $("#order form input:not(:checked):not([type=range]), #order form select");
  (first ?? $("#order .main")).focus({ preventScroll: true });
}

/** Open the form of a command by its name. */
export async function openCommand(command, known = {}) {
  await openOrder(described({ command, known }), known);
}

export function closeOrder() {
  if (!current) return false;
  const { back } = current;
  current = null;
  forgetDrafts();
  showDrafts();
  showPlaces(null);
  hide($("#order"), back);
  return true;
}

const namesPlace = (it) => it?.kind.startsWith("place");

/** The field that a click on the map fills: the one last used, else the first that is open, else the first. */
function placeField() {
  const names = current.offer.order.filter((name) => namesPlace(field(name)));
  const open = names.find((name) => current.known[name] === undefined && field(name).required);
  return names.includes(current.using) ? current.using : (open ?? names[0]);
}

/** A hex or box was chosen on the map: put it into the form's place field, if it has one, or say why it cannot be. */
export function takePlace(key) {
  if (!current) return false;
  const name = placeField();
  if (!name) return false;
  const { places } = current;
  // What the map does not mark as legal is asked for by itself: it may lie at sea, or be forbidden.
  if (places?.field === name && !places.legal.has(key)) refusePlace(name, key);
  else put(name, key);
  return true;
}

function put(name, key) {
  current.using = null;
  delete current.notHere;
  const it = field(name);
  const held = current.known[name];
  if (it.kind === "placement") {
    draftOf(name, it).place = key;
    set(name, [...(held ?? []), `${placed(name, it)} at ${key}`]);
  } else if (it.many) set(name, (held ?? []).includes(key) ? held.filter((k) => k !== key) : [...(held ?? []), key]);
  else set(name, key);
  show();
}

const placed = (name, it) => `${Math.max(1, Number(draftOf(name, it).count) || 1)} ${draftOf(name, it).unit}`.trim();

/** Ask for the exact words: why this place may not be named; what nothing forbids is named after all. */
async function refusePlace(name, key) {
  const mine = current;
  const asked = { ...placesAsked(name), place: key };
  const [reason] = (await table.post("/places", asked)).reasons;
  if (current !== mine) return;
  if (!reason) return put(name, key);
  mine.notHere = { field: name, text: reason.text, clause: reason.clause };
  show();
}

const placesAsked = (name) => {
  const it = field(name);
  const unit = it.kind === "placement" ? { unit: placed(name, it) } : {};
  return { command: current.offer.command, field: name, known: current.known, board: map.board.name, ...unit };
};

/** Which places are legal for the field that the map would fill, so that the map can show them. */
async function askPlaces() {
  if (!current || !map.board) return;
  const mine = current;
  const name = placeField();
  if (!name || (field(name).kind === "placement" && !draftOf(name, field(name)).unit)) return showPlaces(null);
  const turn = (mine.askedPlaces = (mine.askedPlaces ?? 0) + 1);
  try {
    const found = await table.post("/places", placesAsked(name));
    if (current !== mine || turn !== mine.askedPlaces) return;
    const reasons = new Map(found.reasons.flatMap((r) => r.places.map((key) => [key, r])));
    const legal = new Set(found.legal);
    mine.places = { field: name, legal };
    showPlaces({ legal, forbidden: reasons, verb: mine.offer.label.toLowerCase() });
    mine.found = found;
    show();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    showPlaces(null);
  }
}

const showPlaces = (detail) => document.dispatchEvent(new CustomEvent("legal", { detail }));

/** Under the field: how many places are legal here, and what forbids the others. */
function placesOf(name) {
  const found = current.found;
  if (found?.field !== name || !found.reasons.length) return null;
  const hexes = found.legal.filter((key) => !key.startsWith("box/")).length;
  return h(
    "p",
    { className: "places small quiet" },
    `${several(hexes, "hex", "hexes")} of this board may be named. Not the others: `,
    found.reasons.map((r, i) => [i ? "; " : "", r.gist, " ", chip(r.clause, true)]),
  );
}

function set(name, value) {
  if (value === undefined || (Array.isArray(value) && !value.length)) delete current.known[name];
  else current.known[name] = value;
  renewSoon();
  show();
}

const renewSoon = debounce(() => renew(), 140);

/** Ask what the known fields leave open, then what would come of the order. */
async function renew() {
  if (!current) return;
  const mine = current;
  const turn = ++mine.asked;
  try {
    if (!mine.shape) await learnShape(mine);
    const narrowed = await table.post("/narrow", { command: mine.offer.command, known: mine.known });
    if (current !== mine || turn !== mine.asked) return;
    mine.narrowed = narrowed;
    mine.wrong = narrowed.wrong;
    await tryOut(mine, turn);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    mine.preview = { error: error.message };
  }
  if (current === mine && turn === mine.asked) {
    show();
    askPlaces();
  }
}

/** What the fields are that came filled: the answer about the known ones leaves them out. */
async function learnShape(mine) {
  const bare = Object.keys(mine.known).every((name) => name in mine.offer.known);
  mine.shape = bare ? {} : (await table.post("/narrow", { command: mine.offer.command, known: mine.offer.known })).fields;
}

async function tryOut(mine, turn) {
  mine.preview = null;
  const missing = mine.offer.order.filter((name) => field(name)?.required && mine.known[name] === undefined);
  mine.missing = missing;
  if (missing.length || Object.keys(mine.wrong).length) return;
  try {
    const preview = await table.post("/preview", command());
    if (turn === mine.asked) mine.preview = preview;
  } catch (error) {
    mine.preview = { error: error.message };
  }
}

const command = () => ({ do: current.offer.command, ...current.known });

/** A field as it stands now: what the narrowed offer says of it, or what it was before it was filled. */
function field(name) {
  const narrowed = current.narrowed?.fields[name];
  if (narrowed) current.shape[name] = narrowed;
  return current.shape?.[name];
}

async function describeAll() {
  // Fields that came filled were never offered: ask once for the command with nothing known.
  const bare = await table.post("/narrow", { command: current.offer.command, known: {} });
  if (!current) return;
  current.shape = { ...bare.fields, ...current.shape };
  show();
}

function fieldsOf() {
  const hidden = current.offer.known.power !== undefined ? ["power"] : [];
  const names = current.offer.order.filter((name) => !hidden.includes(name));
  if (current.narrowed && names.some((name) => !field(name)) && !current.described) {
    current.described = true;
    describeAll();
  }
  const shown = names.filter((name) => field(name) && !isShut(name) && context(name).parameters?.length !== 0);
  const aside = shown.filter((name) => field(name).weight === "seldom" && !current.came.has(name));
  return [shown.filter((name) => !aside.includes(name)).map(oneField), aside.length ? seldom(aside) : null];
}

function oneField(name) {
  const mine = current;
  const notHere = mine.notHere?.field === name ? mine.notHere : null;
  const more = {
    use: () => (mine.using = name),
    redraft: (places = false) => (places ? askPlaces() : show()),
    places: placesOf(name),
  };
  const it = { ...field(name), ...context(name), wrong: mine.wrong?.[name], notHere };
  return fieldset(name, it, mine.known[name] ?? undefined, (value) => set(name, value), placeNames(), more);
}

/** What is seldom said stands aside until somebody wants to say it. */
function seldom(names) {
  const said = names.map((name) => lower(field(name).label)).join(", ");
  return h("details", { className: "field seldom", key: "seldom" }, h("summary", {}, "More: ", h("span", { className: "quiet" }, said)), names.map(oneField));
}

const isShut = (name) => Boolean(field(name)?.shut) && !current.known[name];

/** What one field says about another: the parameters of a rule. */
function context(name) {
  const chosen = (of) => field(of)?.suggested?.find((s) => s.value === current.known[of])?.of;
  return name === "args" ? { parameters: chosen("rule") } : {};
}

function outcome() {
  const p = current.preview;
  if (!p)
    return [
      h("h3", {}, "What would follow"),
      h(
        "p",
        { className: "quiet" },
        current.missing?.length ? `Still open: ${current.missing.map((it) => lower(field(it).label)).join(", ")}.` : "…",
      ),
    ];
  if ("error" in p) return [h("h3", {}, "Not yours"), h("p", { className: "bad" }, p.error)];
  const refusals = p.refused?.refusals ?? [{ text: p.needs?.text }];
  if (!p.accepted)
    return [
      h(
        "h3",
        { className: "bad" },
        `Not allowed: ${refusals.length} reason${refusals.length === 1 ? "" : "s"}`,
      ),
      h(
        "ul",
        {},
        refusals.map((r) => h("li", {}, h("span", {}, r.text), chip(r.clause, true))),
      ),
    ];
  const changes = (p.changes ?? []).map((c) =>
    h(
      "li",
      { className: "change" },
      h("span", {}, seal(c.power), ` ${nameOf(c.power)} ${c.figure}`),
      h("span", {}, `${c.was} → ${c.is} (${signed(c.is - c.was)})`),
    ),
  );
  const events = p.events.map((e) =>
    h(
      "li",
      { className: e.parent === null || e.parent === undefined ? "" : "child" },
      h("span", {}, e.text),
      chip(e.clause),
    ),
  );
  return [
    h("h3", {}, "What would follow"),
    h("ul", {}, changes),
    h("ol", {}, events),
    figuresMoved(p.figures),
    p.needs ? h("p", {}, `A die is thrown: ${p.needs.text}. Undo then needs consent.`) : null,
  ];
}

/** What the form would put on the map lies there as ghosts while it is open. */
function showDrafts() {
  map.drafts = current ? draftsOf(current.known) : [];
  drawOver(map);
}

const said = (value) => (value === true ? "yes" : value === false ? "no" : value === null || value === "" ? "–" : String(value));

/** Which figures of this position a reading, an option or a ruling would move. */
function figuresMoved(found) {
  if (!found) return null;
  const row = (it) =>
    h("tr", {}, h("td", {}, isPower(it.args[0]) ? seal(it.args[0]) : null, " ", it.title, it.of ? h("span", { className: "quiet" }, ` ${it.of}`) : null), h("td", {}, said(it.here)), h("td", {}, said(it.there)), h("td", {}, chip(it.clause)));
  return h(
    "details",
    { className: "figures-moved", open: found.length > 0 && found.length <= 12 },
    h("summary", {}, found.length ? `${found.length} ${found.length === 1 ? "figure moves" : "figures move"} in this position` : "No figure moves in this position"),
    found.length ? h("table", {}, h("thead", {}, h("tr", {}, ["Figure", "Now", "Then", ""].map((it) => h("th", { scope: "col" }, it)))), h("tbody", {}, found.map(row))) : null,
  );
}

function show() {
  showDrafts();
  if (!current) return;
  const { offer } = current;
  const power = current.known.power;
  const title = power && offer.actor ? `${offer.label}: ${nameOf(power)}` : offer.label;
  draw(
    $("#order"),
    h(
      "header",
      {},
      power ? seal(power) : null,
      h(
        "div",
        {},
        h("h2", { id: "order-title" }, title),
        h("span", { className: "quiet" }, offer.text, " ", chip(offer.clause.startsWith("WC") ? "" : offer.clause)),
      ),
      h("button", { type: "button", className: "close", "aria-label": "Close", onclick: closeOrder }, "×"),
    ),
    h("form", { id: "order-form", key: current.number, onsubmit: commit, noValidate: true }, fieldsOf()),
    h("div", { className: "outcome", "aria-live": "polite" }, outcome()),
    h(
      "footer",
      {},
      h("span", { className: "quiet" }, h("kbd", {}, "Esc"), " close"),
      h(
        "button",
        { type: "submit", className: "main push", form: "order-form", "aria-describedby": "order-title" },
        offer.family === "report" ? "Report it" : "Give the order",
      ),
      sealingSeat(power) ? h("button", { type: "button", className: "seal-order", onclick: putInEnvelope }, "Seal it") : null,
    ),
  );
}

async function commit(event) {
  event.preventDefault();
  const given = command();
  const bring = { offer: current.offer, known: { ...current.known } };
  try {
    const done = await perform("/do", { ...given, seq_seen: store.view.seq });
    closeOrder();
    toast(done.moves.map((m) => m.text).join(" "));
  } catch (error) {
    tellTrouble(error, () => openOrder(bring.offer, bring.known));
  }
}

/** Into the envelope instead of onto the table: the others see it when all are opened. */
async function putInEnvelope() {
  const given = command();
  const words = current.preview?.sentence ?? $("#order-title").textContent;
  const seat = sealingSeat(current.known.power);
  closeOrder();
  await sealOrder(seat, given, words);
}

export function startOrders() {
  document.addEventListener("board", () => askPlaces());
}
