// A year start as an event: power by power, step by step, every figure open to its sum, confirmed by each seat, kept for ever.

import { $, chip, fill, h, nameOf, seal, signed, these, toast } from "./dom.js";
import { cited, table, Trouble } from "./api.js";
import { openReasons } from "./explain.js";
import { load, me, store, subscribe } from "./store.js";

const open = new Set();
// All figures, or one step at a time, as on a phone there is room for no more.
let step = matchMedia("(max-width: 56.24rem)").matches ? 0 : -1;
let shownYear = 0;

const SIGNED = ["growth", "areas", "deficit"];
const minus = (n) => (n < 0 ? signed(n) : String(n));

/** A figure of the sheet; pressing it opens its sum as it was counted then. */
const figure = (sheet, row, column, it) =>
  h(
    "button",
    {
      type: "button",
      className: "number",
      "aria-label": `${row.name}, ${column.label}: ${it.value}, open the sum`,
      onclick: (event) =>
        openReasons(
          () => table.get("/year-start/explain", { year: sheet.year, power: row.power, column: column.id }),
          event.currentTarget,
          "",
        ),
    },
    SIGNED.includes(column.id) ? signed(it.value) : minus(it.value),
  );

const item = (i) =>
  h("span", i.lost_to ? { className: "lost", title: `now ${i.lost_to}’s` } : {}, `${i.name} ${i.value}`);

/** What a step is made of: each part under its own step, named by the thing first, its clause once. */
function parts(it) {
  return h(
    "ul",
    { className: "year-parts" },
    it.parts.map((p) =>
      h(
        "li",
        {},
        h("strong", {}, p.shown || minus(p.value)),
        h(
          "span",
          {},
          p.items.length ? h("b", {}, p.label.charAt(0).toUpperCase() + p.label.slice(1)) : p.label,
          " ",
          chip(p.clause),
          p.items.length ? " " : null,
          p.items.map((i, n) => [n ? ", " : null, item(i)]),
        ),
      ),
    ),
  );
}

const clock = (when) => new Date(when * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Whether the seat that holds a power has confirmed, and who. */
function confirmed(row, stand) {
  const seat = stand?.seats.find((it) => it.powers.includes(row.power));
  if (!seat) return h("td", { className: "quiet small" }, "");
  if (seat.by) return h("td", { className: "yes small" }, h("span", { "aria-hidden": "true" }, "✓ "), `${seat.by}, ${clock(seat.when)}`);
  if (seat.steward) return h("td", { className: "yes small" }, h("span", { "aria-hidden": "true" }, "✓ "), "by its steward");
  if (!seat.people.length) return h("td", { className: "quiet small" }, "nobody sits here");
  if (stand.move !== store.view.year_start?.move) return h("td", { className: "quiet small" }, "not confirmed");
  return seat.mine
    ? h("td", {}, h("span", { className: "yours" }, "yours to confirm"))
    : h("td", { className: "awaited small" }, `${seat.people.join(", ")} is reading`);
}

function powerRow(sheet, row, columns, stand, again) {
  const unfolded = open.has(row.power);
  const fold = h(
    "button",
    {
      type: "button",
      className: "fold",
      "aria-expanded": String(unfolded),
      "aria-label": `${row.name}: ${unfolded ? "fold" : "unfold"}`,
      onclick: () => {
        unfolded ? open.delete(row.power) : open.add(row.power);
        again();
      },
    },
    unfolded ? "▾" : "▸",
  );
  const holder = stand?.seats.find((it) => it.powers.includes(row.power));
  const cells = columns.map((c) => {
    const it = row.steps[c.id];
    if (!it) return h("td");
    return h(
      "td",
      { className: c.id },
      figure(sheet, row, c, it),
      it.gist ? h("div", { className: "quiet small" }, it.gist) : null,
      unfolded && it.parts.length ? parts(it) : null,
    );
  });
  return h(
    "tr",
    { className: me().powers.includes(row.power) && me().powers.length < 8 ? "mine" : "", dataset: { power: row.power } },
    h(
      "th",
      { scope: "row" },
      h("span", { className: `pattern ${row.power}`, "aria-hidden": "true" }),
      fold,
      seal(row.power),
      " ",
      row.name,
      holder ? h("div", { className: "quiet small" }, holder.people.join(", ") || (holder.steward ? "steward" : "nobody")) : null,
    ),
    cells,
    confirmed(row, stand),
  );
}

function copied(sheet) {
  const head = ["", ...sheet.columns.map((c) => c.label)].join("\t");
  const lines = sheet.rows.map((r) => [r.name, ...sheet.columns.map((c) => r.steps[c.id]?.value ?? "")].join("\t"));
  navigator.clipboard
    ?.writeText([head, ...lines].join("\n"))
    .then(() => toast("Copied as a table."))
    .catch(() => {});
}

async function give(path, year) {
  try {
    await table.post(`/year-start/${path}`, { year });
    await load();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

/** Confirm the year start that stands before the table. */
export const confirmYear = (year) => give("confirm", year);

/** What is awaited, and the button by which one's own seats confirm. */
function awaited(stand) {
  const now = store.view.year_start;
  if (!stand || stand.move !== now?.move || store.at !== null) return null;
  const mine = now.seats.filter((s) => s.mine && !s.by).flatMap((s) => s.powers);
  const others = now.missing.length;
  const said = now.opened_by
    ? `${now.opened_by} let Spring ${now.year} begin.`
    : now.waits
      ? `Spring ${now.year} opens when every seat has confirmed.`
      : others && now.seats.some((s) => !s.mine && s.people.length)
        ? ""
        : `Spring ${now.year} is open.`;
  const names = mine.length === 8 ? "all powers" : mine.map(nameOf).join(" and ");
  const press = (text, run, className) => h("button", { type: "button", className, onclick: run }, text);
  return h(
    "div",
    { className: "year-bar", role: "status" },
    h(
      "div",
      {},
      h("strong", {}, said),
      others ? ` Waiting for ${these(now.missing)}.` : " Every seat has confirmed.",
      h(
        "div",
        { className: "quiet small" },
        "A figure looks wrong? Unfold it, or ask the referee. Nothing can be changed here: an error is corrected where it arose (undo), and the year start is counted again.",
      ),
    ),
    now.may_open && now.waits ? press("Go on without them", () => give("open", now.year), "open-spring") : null,
    mine.length ? press(`Confirm for ${names}`, () => confirmYear(now.year), "main confirm") : null,
  );
}

function seals(stand) {
  if (!stand) return null;
  const given = (s) => s.by || s.steward;
  const done = stand.seats.filter(given).length;
  return [
    h(
      "span",
      { className: "year-seals" },
      stand.seats.flatMap((s) => s.powers.map((p) => h("span", { className: given(s) ? "given" : "missing" }, seal(p)))),
    ),
    h("span", { className: "quiet small" }, `${done} of ${stand.seats.length} seats confirmed`),
  ];
}

/** The year starts that were held, to leaf through. */
function years(el, held, sheet) {
  const leaf = h(
    "select",
    { "aria-label": "Year starts held", onchange: () => showYearStart(el, Number(leaf.value)) },
    held.map((it) => h("option", { value: it.year, selected: it.year === sheet.year }, String(it.year))),
  );
  return leaf;
}

/** The number of a step: a total is none, and what one clause allots together is one. */
function numbered(columns, column) {
  const steps = [...new Set(columns.filter((c) => c.id !== "total").map((c) => c.clause))];
  const first = columns.find((c) => c.clause === column.clause && c.id !== "total");
  return column === first ? h("i", { "aria-hidden": "true" }, String(steps.indexOf(column.clause) + 1)) : null;
}

function draw(el, { held, sheet, stand }) {
  const columns = step < 0 ? sheet.columns : sheet.columns.slice(step, step + 1);
  const again = () => draw(el, { held, sheet, stand });
  const press = (text, run, pressed) =>
    h("button", { type: "button", onclick: run, "aria-pressed": pressed === undefined ? null : String(pressed) }, text);
  const lapsed = `The old year is over: what was unspent has lapsed. Kept for ever as entries ${sheet.first} to ${sheet.last} of the log; every figure opens its sum as it was counted then.`;
  const unfolded = sheet.rows.every((r) => open.has(r.power));
  const unfold = () => {
    for (const r of sheet.rows) unfolded ? open.delete(r.power) : open.add(r.power);
    again();
  };
  fill(
    el,
    h(
      "header",
      {},
      h(
        "div",
        {},
        h("h2", { className: "page", tabIndex: -1 }, `${sheet.year} year start`),
        h("p", { className: "quiet" }, lapsed, " ", chip(cited("unspent lapses"))),
      ),
      h(
        "div",
        { className: "row" },
        seals(stand),
        h(
          "div",
          { className: "switch", role: "group", "aria-label": "What is shown" },
          press("All figures", () => { step = -1; again(); }, step < 0),
          press(step < 0 ? "Step by step" : "Next step", () => { step = step < 0 ? 0 : (step + 1) % sheet.columns.length; again(); }, step >= 0),
        ),
        press(unfolded ? "Fold all" : "Unfold all", unfold),
        press("Copy table", () => copied(sheet)),
        h("button", { type: "button", dataset: { goto: "europe" } }, "Back to the map"),
        held.length > 1 ? years(el, held, sheet) : null,
      ),
    ),
    h(
      "div",
      { className: "sheet-scroll", tabIndex: 0, role: "region", "aria-label": `${sheet.year} year start` },
      h(
        "table",
        { className: "figures year-start" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, "Power"),
            columns.map((c) =>
              h(
                "th",
                { scope: "col" },
                h("span", { className: "step-line" }, numbered(sheet.columns, c), chip(c.clause)),
                c.label,
              ),
            ),
            h("th", { scope: "col", className: "last" }, h("span", { className: "step-line" }, h("i", {})), "Confirmed"),
          ),
        ),
        h("tbody", {}, sheet.rows.map((row) => powerRow(sheet, row, columns, stand, again))),
      ),
    ),
    awaited(stand),
  );
}

/** The sheet of a year, or of the last year start that was held; drawn again it stays with the same year. */
export async function showYearStart(el, year = 0) {
  const found = await table.get("/year-start", year || shownYear ? { year: year || shownYear } : {});
  if (!found.sheet) return void fill(el, h("p", { className: "quiet" }, "No year start has been held yet in this game."));
  const fresh = shownYear !== found.sheet.year || !$("h2", el);
  shownYear = found.sheet.year;
  draw(el, found);
  if (fresh) $("h2", el).focus({ preventScroll: true });
}

/** Whoever is here when a year start is counted is led to it; whoever comes later finds it under What now. */
export function startYearStart(openView) {
  let told = store.view?.year_start?.move ?? 0;
  subscribe((view, before) => {
    const now = view.year_start;
    const changed = before && JSON.stringify(before.year_start) !== JSON.stringify(now);
    if (!changed || store.at !== null) return;
    if (now && now.move !== told) {
      told = now.move;
      shownYear = now.year;
      openView("yearstart", now.year);
    } else if (document.body.dataset.view === "yearstart") openView("yearstart", shownYear);
  });
}
