// Countries: a list by theater, and a page for each: as it stands, what it would bring, what can be done, its history.

import { $, capital, chip, fill, h, isPower, nameOf, seal, signed } from "./dom.js";
import { table } from "./api.js";
import { Camera } from "./map/camera.js";
import { counter, onCanvas, stackCount, stacks } from "./map/counters.js";
import { label } from "./map/labels.js";
import { paint, shapes } from "./map/paint.js";
import { findPlace, loadBoard } from "./map/atlas.js";
import { jump } from "./map/map.js";
import { garrisonPage } from "./garrisons.js";
import { openCommand } from "./order.js";
import { showRefusal } from "./refusal.js";
import { position, store } from "./store.js";
import { openView } from "./topbar.js";

let chosen = "belgium";
let wanted = "";
/** Both garrisons, which head the list. */
let garrisons = null;
const GARRISONS = "garrisons";

const stand = (c) =>
  c.status === "conquered" && c.by
    ? `held by ${nameOf(c.by)}`
    : c.by && c.status !== "colony" && c.status !== "commonwealth"
      ? `${c.status}, ${nameOf(c.by)}`
      : c.by
        ? nameOf(c.by)
        : c.status;

const choose = (el, id) => () => {
  chosen = id;
  showCountries(el);
};

function garrisonEntry(el) {
  const name = "Manchuria, Siberia";
  if (!garrisons || !name.toLowerCase().includes(wanted.toLowerCase())) return null;
  return [
    h("h2", {}, "Garrisons"),
    h(
      "button",
      { type: "button", "aria-current": chosen === GARRISONS ? "true" : null, onclick: choose(el, GARRISONS) },
      name,
      h("span", {}, `${garrisons.manchuria.value} : ${garrisons.siberia.value}`),
    ),
  ];
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
      ? [
          h("h2", {}, title),
          mine.map((c) =>
            h(
              "button",
              {
                type: "button",
                "aria-current": c.id === chosen ? "true" : null,
                onclick: choose(el, c.id),
              },
              c.name,
              h("span", {}, stand(c)),
              h("span", {}, c.brp || ""),
            ),
          ),
        ]
      : null;
  });
  return [garrisonEntry(el), ...found];
}

async function drawMap(canvas, c) {
  const board = await loadBoard(c.theater);
  const at =
    c.places.map(findPlace).find((f) => f?.board === c.theater)?.hex ??
    [...board.hexes.values()].find((it) => it.country === c.id || it.region === c.id);
  if (!at || !canvas.clientWidth) {
    canvas.hidden = true;
    return;
  }
  const ratio = Math.min(2, devicePixelRatio || 1);
  const cam = Object.assign(new Camera(), { width: canvas.clientWidth, height: canvas.clientHeight, scale: 64 });
  cam.centre(at.x, at.y);
  canvas.width = cam.width * ratio;
  canvas.height = cam.height * ratio;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  const made = shapes(board, position());
  paint(ctx, board, cam, made, { ratio });
  const prefix = `${board.name}/`;
  const standing = [...stacks(position().pieces)]
    .filter(([place]) => place.startsWith(prefix))
    .map(([place, stack]) => [board.hexes.get(place.slice(prefix.length)), stack]);
  label(ctx, board, cam, made, {
    blocked: [],
    stacked: new Set(standing.map(([hex]) => hex.id)),
    edge: EDGE,
    ids: true,
    position: position(),
    frame: { x: 0, y: 0, w: cam.width, h: cam.height },
  });
  for (const [hex, stack] of standing) {
    const [x, y] = cam.screen(hex);
    counter(ctx, x - EDGE / 2, y - EDGE / 2, EDGE, stack[0], stackCount(stack) - 1, stackCount(stack));
  }
}

const EDGE = 40;

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
  return h(
    "table",
    { className: "plain-table" },
    h(
      "tbody",
      {},
      c.orders.map((o) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, o.label),
          h("td", {}, o.refusals.length ? [capital(o.refusals[0].text), ". "] : o.text),
          h(
            "td",
            { className: "r" },
            o.refusals.length
              ? h(
                  "button",
                  {
                    type: "button",
                    className: "link deny",
                    onclick: () =>
                      showRefusal({ sentence: `${o.label}: ${c.name}`, refusals: o.refusals, checked: [] }),
                  },
                  "Why not?",
                )
              : h("button", { type: "button", className: "link", onclick: open(o) }, "Open"),
          ),
        ),
      ),
    ),
  );
}

function brings(c) {
  if (!c.brings.length) return null;
  return [
    h("h3", {}, "What it would bring"),
    h(
      "table",
      { className: "plain-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Received in", "Share", "BRPs", "Clause"].map((t) => h("th", { scope: "col", className: t === "Clause" ? "r" : "" }, t)),
        ),
      ),
      h(
        "tbody",
        {},
        c.brings.map((b) =>
          h(
            "tr",
            {},
            h("td", {}, b.turn),
            h("td", {}, `${b.share} %`),
            h("td", {}, h("strong", {}, String(b.brp))),
            h("td", { className: "r" }, chip(b.clause)),
          ),
        ),
      ),
    ),
  ];
}

const plain = (rows) => h("table", { className: "plain-table" }, h("tbody", {}, rows));

const row = (head, text, clause) =>
  h("tr", {}, h("th", { scope: "row" }, head), h("td", {}, text), h("td", { className: "r" }, clause ? chip(clause) : ""));

function forces(c) {
  if (!c.forces.length && !c.partisans.length) return null;
  const where = (f) => (c.deployed ? `${f.on_board} on the board, ${f.unbuilt} unbuilt` : `${f.table}, not deployed yet`);
  return [
    h("h3", {}, "Forces"),
    h("div", { className: "row" }, pieces(c)),
    plain([
      c.forces.map((f) => row(f.unit, where(f))),
      c.partisans.map((p) => row(`partisans, ${p.side}`, `${p.automatic}, at most ${p.most}`)),
    ]),
  ];
}

function prospects(c) {
  const coming = c.coming.map((i) => row(i.due, `${nameOf(i.power)}${i.brp ? ` ${signed(i.brp)}` : ""}: ${i.text}`, i.clause));
  const limits = c.limits.map((l) => row(`${l.present} of ${l.most}`, l.text, l.clause));
  return [
    limits.length ? [h("h3", {}, "Limits in force"), plain(limits)] : null,
    c.own_rules.length
      ? [
          h("h3", {}, "What its own chapter says"),
          h("ul", { className: "prospects" }, c.own_rules.map((it) => h("li", {}, it.text, " ", chip(it.clause)))),
        ]
      : null,
    coming.length ? [h("h3", {}, "Falls due"), plain(coming)] : null,
    c.changes.length
      ? [
          h("h3", {}, "What would change it"),
          h("ul", { className: "prospects" }, c.changes.map((it) => h("li", {}, it.text, " ", chip(it.clause)))),
        ]
      : null,
  ];
}

function page(c) {
  const fact = (name, value, clause) =>
    value
      ? h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value), h("td", { className: "r" }, chip(clause)))
      : null;
  const canvas = h("canvas", { role: "img", "aria-label": `Map of ${c.name}` });
  const standing = [
    c.status.replace(/^./, (x) => x.toUpperCase()),
    c.by && isPower(c.by) ? [" ", seal(c.by), ` ${nameOf(c.by)}`] : "",
  ];
  const el = h(
    "div",
    { className: "country" },
    h(
      "header",
      {},
      h("h2", { tabIndex: -1 }, c.name),
      h("span", { className: "pill" }, stand(c)),
      h(
        "button",
        { type: "button", className: "push", onclick: () => c.places[0] && jump(c.places[0], openView) },
        "Show on map",
      ),
    ),
    h(
      "div",
      { className: "country-columns" },
      h("div", {}, canvas, brings(c), forces(c)),
      h(
        "div",
        {},
        h("h3", {}, "As it stands"),
        h(
          "table",
          { className: "plain-table" },
          h(
            "tbody",
            {},
            fact("Status", standing, c.clause),
            fact("Since", c.since),
            fact("Because", c.reason),
            fact("Worth", c.brp ? `${c.brp} BRPs a year` : "", /^\d/.test(c.source) ? c.source.split(" ")[0] : ""),
            fact("Decided by", c.places.join(", ")),
            fact("Diplomatic result", c.result || "none in effect"),
            fact("At war with", c.enemies.join(", ")),
            fact("On the books of", c.books.map((b) => `${nameOf(b.power)} ${b.brp}`).join(", ")),
          ),
        ),
        prospects(c),
        h("h3", {}, "What can be ordered or reported"),
        orders(c),
        h("h3", {}, "History"),
        h(
          "table",
          { className: "plain-table" },
          h(
            "tbody",
            {},
            (c.history.length
              ? c.history
              : [{ when: "", status: "No change since the start of the game", clause: "" }]
            ).map((it) =>
              h(
                "tr",
                {},
                h("td", {}, it.when),
                h("td", {}, `${it.status}${it.by ? `, ${nameOf(it.by)}` : ""}${it.reason ? `: ${it.reason}` : ""}`),
                h("td", { className: "r" }, chip(it.clause)),
              ),
            ),
          ),
        ),
      ),
    ),
  );
  requestAnimationFrame(() => drawMap(canvas, c));
  return el;
}

export async function showCountries(el, id) {
  if (id) chosen = id;
  const of = chosen === GARRISONS ? null : table.get(`/countries/${chosen}`, { at: store.at });
  garrisons = await table.get("/garrisons", { at: store.at });
  const country = await of;
  const find = h("input", {
    type: "text",
    placeholder: "Find a country",
    value: wanted,
    "aria-label": "Find a country",
    oninput: (e) => {
      wanted = e.target.value;
      fill($(".country-list .all", el), list(el));
    },
  });
  fill(
    el,
    h(
      "div",
      { className: "countries" },
      h(
        "nav",
        { className: "country-list", "aria-label": "Countries" },
        find,
        h("div", { className: "all" }, list(el)),
      ),
      country ? page(country) : garrisonPage(garrisons, () => showCountries(el)),
    ),
  );
  $(".country h2", el).focus({ preventScroll: true });
}
