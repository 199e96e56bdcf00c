// Manchuria and Siberia side by side: every counter with its BRPs, what may leave, transfers, declarations of war.

import { cited } from "./api.js";
import { chip, h, nameOf, number, seal } from "./dom.js";
import { Camera } from "./map/camera.js";
import { counter, onCanvas, stackCount, stacks } from "./map/counters.js";
import { label } from "./map/labels.js";
import { paint, shapes } from "./map/paint.js";
import { loadBoard } from "./map/atlas.js";
import { jump } from "./map/map.js";
import { position } from "./store.js";
import { openView } from "./topbar.js";

const EDGE = 32;
const BAR = 50;
/** Whether the page shows what would follow if a counter left. */
let supposing = false;

const TITLES = { armor: "Armor", infantry: "Infantry", "army air": "Army air", others: "Others" };

/** One counter on a small canvas; air factors lie together, a ghost is one that left. */
const piece = (power, unit, count, ghost) =>
  onCanvas(
    EDGE + 4,
    2,
    (ctx) => {
      if (ghost) ctx.globalAlpha = 0.45;
      counter(ctx, 2, 2, EDGE, { nation: power, unit: count > 1 ? `${unit} ${count}` : unit });
    },
    "piece",
  );

/** The counters of a line, each with what it is worth under it; those of the air together. */
function counters(side, unit) {
  const air = /air|interceptor|bomber/.test(unit.unit);
  const single = air ? [[unit.count, unit.brp]] : Array.from({ length: unit.count }, (_, i) => [1, i < unit.counted ? unit.each : 0]);
  const free = unit.may_leave ? `${unit.may_leave} may leave` : "none may leave";
  const told = supposing
    ? `One less: ${unit.if_left}`
    : `${unit.count} ${unit.unit}, ${unit.place_name}: ${unit.brp} BRPs, ${free}${unit.held ? `; ${unit.held}` : ""}${unit.why_not ? `; ${unit.why_not}` : ""}`;
  return single.map(([count, brp]) =>
    h(
      "figure",
      { className: `held${unit.may_leave ? "" : " bound"}`, title: told },
      piece(side.power, unit.unit, count),
      h("figcaption", {}, String(brp)),
    ),
  );
}

/** Counters that left while their type is short: the last ones to go, as ghosts. */
function departed(side, row) {
  let missing = row.needed - row.factors;
  const found = [];
  for (const gone of [...side.departures].reverse()) {
    if (gone.type !== row.type || missing <= 0) continue;
    const size = Number(/(\d+)-\d+$/.exec(gone.unit)?.[1] ?? 1);
    for (let i = 0; i < gone.count && missing > 0; i++, missing -= size)
      found.push(
        h(
          "figure",
          { className: "held departed", title: `${gone.text}, ${gone.when}` },
          piece(side.power, gone.unit, 1, true),
          h("figcaption", {}, h("s", {}, String(size))),
        ),
      );
  }
  return found;
}

function typeRow(side, row) {
  const short = row.factors < row.needed;
  const gone = side.departures.filter((it) => it.type === row.type);
  return h(
    "div",
    { className: "type-row" },
    h(
      "div",
      { className: "type-head" },
      h("h4", {}, TITLES[row.type]),
      row.full
        ? h(
            "p",
            {},
            number(row.factors, "garrison_factors", [side.garrison, row.type], `${TITLES[row.type]} factors`, "plain"),
            ` of ${row.needed} factors `,
            chip(row.clause),
          )
        : h("p", {}, "in value only ", chip(row.clause)),
    ),
    h("div", { className: "pieces" }, row.units.map((it) => counters(side, it)), departed(side, row)),
    h("strong", { className: "sum" }, String(row.brp)),
    row.told ? h("p", { className: short ? "told short" : "told" }, `${row.told.replace(/^./, (c) => c.toUpperCase())}.`) : null,
    short && gone.length
      ? h(
          "p",
          { className: "told short" },
          gone.slice(-2).map((it) => `${it.text} in ${it.when}, entry ${it.move}. `),
        )
      : null,
    supposing
      ? h(
          "ul",
          { className: "told supposed" },
          row.units.map((it) => h("li", {}, `One ${it.unit} from ${it.place_name}: ${it.if_left}`)),
        )
      : null,
  );
}

function bar(side) {
  const at = (value) => `${(100 * Math.min(value, BAR)) / BAR}%`;
  return h(
    "div",
    { className: "garrison-bar", role: "img", "aria-label": `${side.value} of ${side.full} BRPs` },
    h("div", { className: "level" }, h("span", { className: "fill", share: at(side.value) })),
    side.marks.map((it) =>
      h("span", { className: "mark", share: at(it.at), title: it.clause }, h("b", {}, String(it.at)), ` ${it.text}`),
    ),
  );
}

function sideCard(side) {
  return h(
    "section",
    { className: `garrison-card ${side.power}`, "aria-label": side.title },
    h("div", { className: `pattern ${side.power}` }),
    h(
      "header",
      {},
      seal(side.power),
      h("div", {}, h("h3", {}, side.title), h("p", {}, `${nameOf(side.power)}. ${side.where}`)),
      h(
        "div",
        { className: "worth" },
        number(side.value, "garrison_value", [side.garrison], `${side.title}, BRPs`),
        h("p", {}, `of ${side.full} BRPs`),
      ),
    ),
    bar(side),
    side.rows.map((row) => typeRow(side, row)),
    h(
      "div",
      { className: "type-row total" },
      h("p", {}, "Value, unit by unit ", chip(cited("garrison value"))),
      number(side.value, "garrison_value", [side.garrison], "Value, unit by unit"),
    ),
    h(
      "ul",
      { className: "may" },
      side.lines.map((it) => h("li", { className: `is-${it.state}` }, it.text, " ", chip(it.clause, it.state === "no"))),
    ),
  );
}

const transfer = (it) =>
  h(
    "div",
    { className: "transfer" },
    h(
      "header",
      {},
      seal("russia"),
      h("h4", {}, it.text.replace(/^./, (c) => c.toUpperCase())),
      chip(it.clause),
      h("span", {}, `ends in ${it.ends}`),
    ),
    h(
      "ol",
      { className: "moments" },
      it.moments.map((m) =>
        h("li", { className: m.state }, h("b", {}, m.when), m.step ? h("small", {}, m.step) : null, h("p", {}, m.text)),
      ),
    ),
    h("p", { className: "quiet" }, `Averted by ${it.averted_by}.`),
  );

const declaration = (it) =>
  h(
    "div",
    { className: "declaration" },
    h(
      "header",
      {},
      seal(it.power),
      h("h4", {}, `${nameOf(it.power)} on ${nameOf(it.on)}`),
      number(it.cost, "declaration_cost", [it.power, it.on], "Cost in BRPs"),
      " BRPs ",
      chip(it.clause),
    ),
    it.conditions.map((c) =>
      h(
        "div",
        { className: c.met ? "condition met" : "condition" },
        h("b", {}, c.met ? "yes" : "no"),
        h("p", {}, c.text, c.detail ? h("small", {}, c.detail) : null),
        chip(c.clause, !c.met),
      ),
    ),
    h("p", { className: "quiet" }, `${it.next_chance}.`),
  );

function urals(it) {
  return h(
    "p",
    { className: "quiet" },
    `${it.inside} Russian ground factors in it, ${it.beside} of the enemy beside it; Russia would lose ${it.loss} BRPs `,
    chip(cited("urals loss")),
    `, its construction limit of ${it.limit} is lower by ${it.reduction} `,
    chip(cited("urals limit")),
    `. Room for its air units: ${it.basing} `,
    chip(cited("urals air")),
  );
}

async function drawMap(canvas) {
  const board = await loadBoard("pacific");
  if (!canvas.clientWidth) return;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const cam = Object.assign(new Camera(), { width: canvas.clientWidth, height: canvas.clientHeight, scale: 40 });
  const middle = board.hexes.get("F27");
  cam.centre(middle.x, middle.y);
  canvas.width = cam.width * ratio;
  canvas.height = cam.height * ratio;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  const made = shapes(board, position());
  paint(ctx, board, cam, made, { ratio });
  const standing = [...stacks(position().pieces)]
    .filter(([place]) => place.startsWith("pacific/"))
    .map(([place, stack]) => [board.hexes.get(place.slice(8)), stack]);
  label(ctx, board, cam, made, {
    blocked: [],
    stacked: new Set(standing.map(([hex]) => hex.id)),
    edge: 26,
    ids: false,
    position: position(),
    frame: { x: 0, y: 0, w: cam.width, h: cam.height },
  });
  for (const [hex, stack] of standing) {
    const [x, y] = cam.screen(hex);
    counter(ctx, x - 13, y - 13, 26, stack[0], stackCount(stack) - 1, stackCount(stack));
  }
}

/** The page; `again` draws it anew when the reader asks for the other way of looking. */
export function garrisonPage(page, again) {
  const canvas = h("canvas", { className: "garrison-map", role: "img", "aria-label": "Map of Manchuria and Siberia" });
  const look = (text, on) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(supposing === on),
        onclick: () => {
          supposing = on;
          again();
        },
      },
      text,
    );
  requestAnimationFrame(() => drawMap(canvas));
  return h(
    "div",
    { className: "country garrisons" },
    h(
      "header",
      {},
      h("h2", { tabIndex: -1 }, "Manchuria and Siberia"),
      h("span", { className: "pill" }, page.standing),
      h("span", { className: "quiet counted" }, page.counted, " ", chip(page.clause)),
      h("span", { className: "switch", role: "group", "aria-label": "What is shown" }, look("Now", false), look("If a unit left…", true)),
      h("button", { type: "button", className: "push", onclick: () => jump("Harbin", openView) }, "Show on map"),
    ),
    page.known ? null : h("p", { className: "quiet" }, "The units of one garrison or both are not on the boards: nothing is counted."),
    h("div", { className: "garrison-pair" }, sideCard(page.manchuria), sideCard(page.siberia)),
    h(
      "div",
      { className: "garrison-pair" },
      canvas,
      h(
        "div",
        {},
        h("h3", {}, "Transfers under way"),
        page.transfers.length ? page.transfers.map(transfer) : h("p", { className: "quiet" }, "None."),
        h("h3", {}, "Declarations of war"),
        page.declarations.length
          ? h("div", { className: "declarations" }, page.declarations.map(declaration))
          : h("p", { className: "quiet" }, "The two are at war."),
        h("h3", {}, "Urals box"),
        urals(page.urals),
      ),
    ),
  );
}
