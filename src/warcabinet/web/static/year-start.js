// A year start as an event: power by power, step by step, every figure open to its sum, kept for ever.

import { $, chip, fill, h, nameOf, seal, signed, toast } from "./dom.js";
import { table } from "./api.js";
import { me } from "./store.js";

const open = new Set();
let step = -1; // all figures, or one step at a time

/** A figure of the sheet; pressing it opens its sum at the move from which it was counted. */
const figure = (it, power, label, sign) =>
  h(
    "button",
    {
      type: "button",
      className: "number",
      dataset: { rule: it.rule, args: power, at: String(it.at) },
      "aria-label": `${nameOf(power)}, ${label}: ${it.value}, open the sum`,
    },
    sign ? signed(it.value) : String(it.value),
  );

const SIGNED = ["growth", "areas", "deficit"];

/** The shortest reason: what counts most, and how many more. */
function gist(column, it, row) {
  const items = it.parts.flatMap((p) => (p.items.length ? p.items : [{ name: p.label, value: p.value }]));
  if (column === "base") return `was ${row.was_base}`;
  if (column === "total") return `${signed(it.value - row.was_total)} on the year before`;
  if (column !== "areas" || !items.length) return "";
  const most = [...items].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 3);
  const rest = items.length - most.length;
  return most.map((i) => `${i.name} ${i.value}`).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function parts(it) {
  return h(
    "ul",
    { className: "year-parts" },
    it.parts.map((p) =>
      h(
        "li",
        {},
        h("strong", {}, String(p.value)),
        h("span", {}, p.label.charAt(0).toUpperCase() + p.label.slice(1), " ", chip(p.clause), " "),
        h("span", { className: "quiet" }, p.items.map((i) => `${i.name} ${i.value}`).join(", ")),
      ),
    ),
  );
}

function powerRow(row, columns, again) {
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
  const cells = columns.map((c) => {
    const it = row.steps[c.id];
    if (!it) return h("td");
    return h(
      "td",
      {},
      figure(it, row.power, c.label, SIGNED.includes(c.id)),
      h("div", { className: "quiet small" }, gist(c.id, it, row)),
      unfolded && it.parts.length ? parts(it) : null,
    );
  });
  return h(
    "tr",
    { className: me().powers.includes(row.power) && me().powers.length < 8 ? "mine" : "" },
    h("th", { scope: "row" }, fold, seal(row.power), " ", row.name),
    cells,
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

function draw(el, sheet, held) {
  const columns = step < 0 ? sheet.columns : sheet.columns.slice(step, step + 1);
  const again = () => draw(el, sheet, held);
  const press = (text, run, pressed) =>
    h("button", { type: "button", onclick: run, "aria-pressed": pressed === undefined ? null : String(pressed) }, text);
  fill(
    el,
    h(
      "header",
      {},
      h(
        "div",
        {},
        h("h2", { className: "page", tabIndex: -1 }, `${sheet.year} year start`),
        h(
          "p",
          { className: "quiet" },
          `Counted by ${"35.13"} and kept as entries ${sheet.first} to ${sheet.last} of the log. Every figure opens its sum as it was counted then.`,
        ),
      ),
      h(
        "div",
        { className: "row" },
        h(
          "div",
          { className: "switch", role: "group", "aria-label": "What is shown" },
          press("All figures", () => { step = -1; again(); }, step < 0),
          press("Step by step", () => { step = step < 0 ? 0 : (step + 1) % sheet.columns.length; again(); }, step >= 0),
        ),
        press("Unfold all", () => { for (const r of sheet.rows) open.add(r.power); again(); }),
        press("Copy table", () => copied(sheet)),
      ),
      held.length > 1
        ? h(
            "nav",
            { className: "row", "aria-label": "Year starts held" },
            held.map((it) => press(String(it.year), () => showYearStart(el, it.year), it.year === sheet.year)),
          )
        : null,
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
            columns.map((c) => h("th", { scope: "col" }, `${sheet.columns.indexOf(c) + 1} ${c.label} `, chip(c.clause))),
          ),
        ),
        h("tbody", {}, sheet.rows.map((row) => powerRow(row, columns, again))),
      ),
    ),
  );
  $("h2", el).focus({ preventScroll: true });
}

/** The sheet of a year, or of the last year start that was held. */
export async function showYearStart(el, year) {
  const { held, sheet } = await table.get("/year-start", year ? { year } : {});
  if (!sheet) return void fill(el, h("p", { className: "quiet" }, "No year start has been held yet in this game."));
  draw(el, sheet, held);
}
