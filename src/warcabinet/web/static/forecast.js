// The next year start as a sheet: rows are steps with their clauses, columns are powers, every figure opens.

import { $, chip, fill, h, nameOf, number, seal, signed, toast } from "./dom.js";
import { table } from "./api.js";
import { me, position, store } from "./store.js";

let mode = "stands";
const BEFORE = { base: "Base", next_base: "", year_total: "", construction_limit: "What it allows" };
const STRONG = ["next_base"];
const TOTAL = ["year_total"];

function cell(row, power) {
  const it = row.cells[power];
  if (!it) return h("td", {}, "·");
  const zero = it.value === 0 || it.value === null || it.value === false;
  const text =
    row.rule === "growth_rate"
      ? `${it.value} %`
      : typeof it.value === "number"
        ? it.value < 0
          ? signed(it.value)
          : it.value
        : it.value;
  const aside =
    it.clause && it.by
      ? h(
          "span",
          { className: "aside" },
          it.general !== null && it.general !== it.value ? `${it.general} otherwise, ` : "",
          it.clause,
        )
      : null;
  const shown =
    zero && !aside && !["base", "level", "year_total", "next_base"].includes(row.rule)
      ? h(
          "button",
          {
            type: "button",
            className: "number zero",
            dataset: { rule: row.rule, args: power },
            "aria-label": `${nameOf(power)}: none`,
          },
          "·",
        )
      : number(text, row.rule, [power], `${nameOf(power)}, ${row.gist}`);
  return h("td", { className: me().powers.includes(power) && me().powers.length < 8 ? "mine" : "" }, shown, aside);
}

function rows(sheet, powers) {
  const out = [];
  for (const row of sheet.rows) {
    if (row.rule === "construction_limit")
      out.push(h("tr", { className: "part" }, h("th", { colSpan: powers.length + 1 }, "What it allows")));
    if (row.rule === "base") out.push(h("tr", { className: "part" }, h("th", { colSpan: powers.length + 1 }, "Base")));
    const empty = Object.values(row.cells).every((c) => !c.value);
    const kind = TOTAL.includes(row.rule) ? "total" : STRONG.includes(row.rule) ? "strong" : "";
    if (empty && !kind && !(row.rule in BEFORE)) continue;
    out.push(
      h(
        "tr",
        { className: kind },
        h("th", { scope: "row" }, row.label, " ", chip(row.clause)),
        powers.map((p) => cell(row, p)),
      ),
    );
    if (row.rule === "next_base")
      out.push(h("tr", { className: "part" }, h("th", { colSpan: powers.length + 1 }, "Added and taken")));
  }
  return out;
}

function copied(sheet, powers) {
  const lines = [
    ["", ...powers.map(nameOf)].join("\t"),
    ...sheet.rows.map((r) => [r.label, ...powers.map((p) => r.cells[p]?.value ?? "")].join("\t")),
  ];
  navigator.clipboard
    ?.writeText(lines.join("\n"))
    .then(() => toast("Copied as a table."))
    .catch(() => {});
}

export async function showForecast(el) {
  const sheet = await table.get("/forecast", { mode, at: store.at });
  const powers = Object.keys(sheet.rows[0].cells);
  const press = (m) => () => {
    mode = m;
    showForecast(el);
  };
  const pick = (m, text) =>
    h("button", { type: "button", "aria-pressed": String(mode === m), onclick: press(m) }, text);
  const head = h(
    "tr",
    {},
    h("td"),
    powers.map((p) =>
      h(
        "th",
        { scope: "col", className: me().powers.includes(p) && me().powers.length < 8 ? "mine" : "" },
        seal(p),
        nameOf(p),
        h("span", { className: `pattern ${p}`, "aria-hidden": "true" }),
      ),
    ),
  );
  const tensions = position()
    .tracks.map((t) => `${t.name} ${t.level}`)
    .join(", ");
  fill(
    el,
    h(
      "header",
      {},
      h(
        "div",
        {},
        h(
          "h2",
          { className: "page", tabIndex: -1 },
          `Year start ${sheet.year}, ${mode === "due" ? "with what falls due" : "if the year ended now"}`,
        ),
        h(
          "p",
          { className: "quiet" },
          `Counted from ${sheet.counted_from} by the same rules that will run the year start. Every figure opens its sum.`,
        ),
      ),
      h(
        "div",
        { className: "row" },
        h(
          "div",
          { className: "switch", role: "group", "aria-label": "What is counted" },
          pick("stands", "As it stands"),
          pick("due", "With what falls due"),
        ),
        h("button", { type: "button", onclick: () => copied(sheet, powers) }, "Copy table"),
      ),
    ),
    h(
      "div",
      { className: "sheet-scroll", tabIndex: 0, role: "region", "aria-label": "Year start" },
      h("table", { className: "figures" }, h("thead", {}, head), h("tbody", {}, rows(sheet, powers))),
    ),
    h(
      "p",
      { className: "quiet" },
      tensions ? `Tensions taken as they stand: ${tensions}. ` : "",
      "Steps that are nothing for every power are left out. Highlighted columns are yours.",
    ),
  );
  $("h2", el).focus({ preventScroll: true });
}
