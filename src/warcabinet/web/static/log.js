// The log: number, seal, sentence, clause, amount; filtered by power, clause, turn and phase. Used small and large.

import { $, amount, chip, fill, h, nameOf, seal, signed } from "./dom.js";
import { base, table, tableId } from "./api.js";
import { face } from "./dice.js";
import { live, lookAt, me, store, subscribe } from "./store.js";
import { phaseName } from "./timebar.js";

const wanted = { power: "", clause: "", turn: "", phase: "" };
const MOST = 80;
let lines = [];
let newest = 0;

/** The words of an event; the amount in them opens its sum. */
function worded(move, event) {
  const figure = event.amount ? signed(event.amount) : "";
  const [before, ...after] = figure ? event.text.split(figure) : [event.text];
  if (!after.length) return event.text;
  return [before, amount(event.amount, false, { sum: `${move}/${event.number}` }, event.text), after.join(figure)];
}

/** Whether several people play here: then every closing says who did it. */
const several = () => new Set(store.view.seats.filter((s) => s.role === "player").flatMap((s) => s.people)).size > 1;
const seatOf = (it) => store.view.seats.find((s) => s.id === it.seat)?.title ?? it.seat;

const followed = (move) => (event) => h("span", { className: "then" }, worded(move, event), " ", chip(event.clause));

function line(it, fresh) {
  const who = it.powers.length === 1 || it.amount !== null ? it.powers[0] : it.powers.length ? it.powers[0] : "";
  const notes = [it.automatic ? h("em", {}, " automatic") : null, it.undone ? h("em", {}, " undone") : null, it.minded ? h("em", {}, ` ${it.minded}`) : it.step && several() ? h("em", {}, ` by ${seatOf(it)}`) : null];
  const own = it.step ? [] : it.events.slice(0, 1);
  const rest = own.length ? it.events.slice(1) : it.events;
  return h(
    "li",
    { className: `${it.undone ? "undone" : ""}${fresh ? " fresh" : ""}`, dataset: { move: it.id } },
    h(
      "button",
      { type: "button", className: "n", title: `Look at the position after ${it.id}`, onclick: () => lookAt(it.id) },
      String(it.id),
    ),
    who ? seal(who) : h("span"),
    h(
      "span",
      { className: "said" },
      h("span", {}, it.text),
      " ",
      it.dice?.map(face),
      chip(it.clause.startsWith("WC") ? "" : it.clause),
      notes,
      rest.map(followed(it.id)),
      it.more
        ? h(
            "button",
            { type: "button", className: "link small", onclick: (e) => unfold(it, e.target) },
            `${it.more} more`,
          )
        : null,
    ),
    amount(it.amount, false, { sum: `${it.id}/${it.entry}` }, it.text) ?? h("span"),
  );
}

async function unfold(it, button) {
  const all = await table.get(`/moves/${it.id}`);
  button.replaceWith(...all.events.slice(it.events.length).map(followed(it.id)));
}

function drawn(list, since) {
  const out = [];
  let heading = "";
  let pending = "";
  // A battle's dice stand within its own line.
  const fought = new Set(list.filter((it) => it.battle).map((it) => it.batch));
  for (const it of list.filter((one) => one.battle || !fought.has(one.batch))) {
    const [turn, side, phase] = it.when.split(", ");
    const text = phase ? `${turn}, ${side} · ${phaseName(phase)}` : it.when;
    if (text !== heading) pending = text;
    heading = text;
    // A step in which nothing happened is its heading, no line, unless several people might have closed it.
    if (it.step && !it.events.length && !it.undone && !several()) continue;
    const goto = { goto: "yearstart", year: /\d{4}/.exec(pending)?.[0] };
    const sheet = pending.includes("year start")
      ? h("button", { type: "button", className: "link small", dataset: goto }, "Open the sheet")
      : null;
    if (pending) out.push(h("li", { className: "heading" }, pending, " ", sheet));
    pending = "";
    out.push(line(it, since && it.id > since));
  }
  return out.length ? out : [h("li", { className: "heading" }, "No line passes the filter.")];
}

const press = (key, value) => async () => {
  wanted[key] = wanted[key] === value ? "" : value;
  await fetchLines();
};

const SEASONS = ["Spring", "Summer", "Fall", "Winter"];

/** The turns played so far, newest first. */
function turns() {
  const { start, turn } = store.view.position.clock;
  return Array.from({ length: turn - start + 1 }, (_, i) => `${SEASONS[(turn - i) % 4]} ${Math.floor((turn - i) / 4)}`);
}

function filters(large) {
  const held =
    me().powers.length && me().powers.length < 8 ? me().powers : store.view.position.powers.map((p) => p.power);
  const powers = large ? store.view.position.powers.map((p) => p.power) : held.slice(0, 3);
  const turn = store.view.position.clock.turn_name;
  const select = (key, label, values) =>
    h(
      "select",
      {
        "aria-label": label,
        onchange: (e) => {
          wanted[key] = e.target.value;
          fetchLines();
        },
      },
      h("option", { value: "" }, label),
      values.map(([v, t]) => h("option", { value: v, selected: wanted[key] === v }, t)),
    );
  return [
    h("button", { type: "button", "aria-pressed": String(!wanted.power), onclick: press("power", "") }, "All powers"),
    powers.map((p) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(wanted.power === p), onclick: press("power", p) },
        nameOf(p),
      ),
    ),
    h(
      "button",
      { type: "button", "aria-pressed": String(wanted.turn === turn), onclick: press("turn", turn) },
      "This turn",
    ),
    large
      ? [
          select("turn", "Any turn", turns().map((name) => [name, name])),
          select("phase", "Any phase", store.view.position.clock.phases.map((name) => [name, phaseName(name)])),
        ]
      : null,
    h("input", {
      type: "text",
      placeholder: "Any clause",
      value: wanted.clause,
      "aria-label": "Clause",
      size: 9,
      onchange: (e) => {
        wanted.clause = e.target.value.trim();
        fetchLines();
      },
    }),
  ];
}

async function fetchLines() {
  lines = await table.get("/log", { ...wanted, at: store.at, most: MOST });
  show();
}

/** Put in the lines that came with a view: new ones on top, those that were undone or redone in their places. */
function takeLines(news) {
  const top = lines[0]?.id ?? 0;
  const other = new Map(news.map((it) => [it.id, it]));
  lines = [...news.filter((it) => it.id > top), ...lines.map((it) => other.get(it.id) ?? it)].slice(0, MOST);
  show();
}

/** How many orders the log has of this phase, in words. */
export function ordersGiven() {
  const now = store.view.position.clock.moment;
  const n = lines.filter((it) => it.moment === now && !it.step && !it.undone && it.kind === "command").length;
  return n ? ` ${n} order${n === 1 ? "" : "s"} given in this phase.` : "";
}

function show() {
  document.dispatchEvent(new Event("log"));
  const since = newest;
  newest = Math.max(newest, lines[0]?.id ?? 0);
  fill($("#log-filters"), filters(false));
  fill($("#log"), drawn(lines, since));
  const sheet = $("#sheet .log-large");
  if (sheet)
    fill(
      sheet,
      h("div", { className: "filters" }, filters(true)),
      h("ol", { className: "log-lines" }, drawn(lines, since)),
    );
}

export function logSheet() {
  const body = h(
    "div",
    { className: "log-large" },
    h("div", { className: "filters" }, filters(true)),
    h("ol", { className: "log-lines" }, drawn(lines)),
  );
  const header = h(
    "header",
    {},
    h(
      "div",
      {},
      h("h2", { className: "page" }, "Log"),
      h("p", { className: "quiet" }, "Newest first. A number opens the position after that move."),
    ),
    h(
      "div",
      { className: "row" },
      h("a", { className: "button", href: table.link("/export") }, "Save the game"),
      h("a", { className: "button", href: `${base}/setup?table=${tableId}` }, "Open in the set-up editor"),
      h("a", { className: "button", href: table.link("/ledger.csv") }, "Ledger as CSV"),
      h("a", { className: "button", href: table.link("/chronicle") }, "Chronicle"),
      h("a", { className: "button", href: table.link("/chronicle?short=true") }, "Short report"),
    ),
  );
  return [header, body];
}

export function startLog() {
  $("#log-filter").addEventListener("click", () => $("#log-filters input").focus());
  subscribe((view, before, news) => {
    $("#log-count").textContent = view.head;
    if (news && live() && !Object.values(wanted).some(Boolean)) takeLines(news);
    else fetchLines();
  });
}
