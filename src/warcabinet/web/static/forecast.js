// The next year start as a sheet: rows are steps with their clauses, columns are powers, every figure opens.

import { $, chip, fill, h, nameOf, seal, signed, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { openReasons } from "./explain.js";
import { me, position, store } from "./store.js";

let mode = "stands";
// What is supposed in "my what-if": figure by its public name, and what it would be.
const supposed = new Map();
const FIGURES = { base: "base", level: "brp" };
const BEFORE = { base: "Base", next_base: "", year_total: "", construction_limit: "What it allows" };

/** How the sheet was reckoned; its sums are asked for in the same way. */
const asked = () => ({
  mode: mode === "due" ? "due" : "stands",
  changes: mode === "mine" ? [...supposed].map(([figure, to]) => ({ figure, to })) : [],
  ...(store.at === null ? {} : { at: store.at }),
});

/** A figure of the sheet, which opens its sum as reckoned here. */
function figure(text, rule, power, label, className = "") {
  return h(
    "button",
    {
      type: "button",
      className: `number ${className}`,
      "aria-label": label,
      onclick: (event) => openReasons(() => table.post("/forecast/explain", { ...asked(), rule, power }), event.target),
    },
    String(text),
  );
}

/** In "my what-if" levels and bases are typed into the sheet. */
function supposing(row, power, value, el) {
  const name = `powers.${power}.${FIGURES[row.rule]}`;
  return h("input", {
    type: "number",
    value: String(supposed.get(name) ?? value),
    className: supposed.has(name) ? "changed" : "",
    "aria-label": `${nameOf(power)}, ${row.label}, what if`,
    dataset: { figure_: name },
    onchange: (event) => {
      const to = Math.trunc(Number(event.target.value));
      if (event.target.value === "" || Number.isNaN(to)) supposed.delete(name);
      else supposed.set(name, to);
      showForecast(el, name);
    },
  });
}
const STRONG = ["next_base"];
const TOTAL = ["year_total"];

function cell(row, power, el) {
  const it = row.cells[power];
  if (!it) return h("td", {}, "·");
  const own = me().powers.includes(power) && me().powers.length < 8 ? "mine" : "";
  if (mode === "mine" && row.rule in FIGURES) return h("td", { className: own }, supposing(row, power, it.value, el));
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
  const plain = zero && !aside && !["base", "level", "year_total", "next_base"].includes(row.rule);
  const shown = plain
    ? figure("·", row.rule, power, `${nameOf(power)}, ${row.label}: none`, "zero")
    : figure(text, row.rule, power, `${nameOf(power)}, ${row.label}: ${text}, open the sum`);
  return h("td", { className: own }, shown, row.rule === "base" ? assumed(row, power) : null, aside);
}

const assumed = (row, power) =>
  row.assumed?.includes(power) ? h("sup", { className: "assumed", title: "rests on an assumed figure" }, "a") : null;

/** How the new total compares with that of the year that ends; what that was opens as well. */
function change(sheet, row, powers) {
  const own = (p) => (me().powers.includes(p) && me().powers.length < 8 ? "mine" : "");
  const by = (p) => (row.cells[p]?.value ?? 0) - sheet.began[p];
  const label = `Change on ${sheet.year - 1}`;
  const shown = (p) => figure(signed(by(p)), "year_start_total", p, `${nameOf(p)}, ${label}: ${by(p)}; open the total of ${sheet.year - 1}`);
  return h("tr", {}, h("th", { scope: "row" }, label), powers.map((p) => h("td", { className: own(p) }, row.cells[p] ? shown(p) : "·")));
}

function rows(sheet, powers, el) {
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
        powers.map((p) => cell({ ...row, assumed: sheet.assumed }, p, el)),
      ),
    );
    if (TOTAL.includes(row.rule)) out.push(change(sheet, row, powers));
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

/** An area in other hands: its yearly value leaves the books of whoever has it and goes on another's. */
function areaForm(el) {
  const worth = position().countries.filter((c) => c.brp);
  const give = (event) => {
    event.preventDefault();
    const { area, power } = event.target.elements;
    const country = worth.find((c) => c.id === area.value);
    for (const p of position().powers) supposed.delete(`books.${p.power}.${country.id}`);
    if (country.by && country.by !== power.value && position().powers.some((p) => p.power === country.by))
      supposed.set(`books.${country.by}.${country.id}`, 0);
    supposed.set(`books.${power.value}.${country.id}`, country.brp);
    showForecast(el);
  };
  return h(
    "form",
    { className: "row suppose", onsubmit: give },
    h("label", { htmlFor: "suppose-area" }, "If"),
    h(
      "select",
      { id: "suppose-area", name: "area", "aria-label": "Area" },
      worth.map((c) => h("option", { value: c.id }, `${c.name}, ${c.brp}`)),
    ),
    h("label", { htmlFor: "suppose-power" }, "were on the books of"),
    h(
      "select",
      { id: "suppose-power", name: "power" },
      position().powers.map((p) => h("option", { value: p.power }, p.name)),
    ),
    h("button", { type: "submit", className: "small" }, "Suppose it"),
  );
}

/** What is supposed, each to be taken back. */
function suppositions(el) {
  const words = (figure, to) => {
    const [kind, power, what] = figure.split(".");
    return kind === "books"
      ? `${nameOf(what)} on the books of ${nameOf(power)}: ${to}`
      : `${nameOf(power)} ${what === "brp" ? "level" : what}: ${to}`;
  };
  const drop = (figure) => () => {
    supposed.delete(figure);
    showForecast(el);
  };
  return h(
    "div",
    { className: "picked" },
    [...supposed].map(([figure, to]) =>
      h(
        "button",
        { type: "button", onclick: drop(figure), "aria-label": `No longer suppose ${words(figure, to)}` },
        `${words(figure, to)} ×`,
      ),
    ),
    supposed.size ? null : h("span", { className: "quiet" }, "Nothing supposed yet: type other levels and bases into the sheet."),
  );
}

const TITLES = { stands: "if the year ended now", due: "with what falls due", mine: "my what-if" };

export async function showForecast(el, focused) {
  let sheet;
  try {
    sheet = await table.post("/forecast", asked());
  } catch (error) {
    if (!(error instanceof Trouble) || mode !== "mine") throw error;
    toast(error.message, true);
    supposed.clear();
    return showForecast(el);
  }
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
    .tracks.filter((t) => !t.track.startsWith("effective"))
    .map((t) => `${t.name} ${t.level}`)
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
          `Year start ${sheet.year}, ${TITLES[mode]}`,
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
          pick("mine", "My what-if"),
        ),
        h("button", { type: "button", onclick: () => copied(sheet, powers) }, "Copy table"),
        h("button", { type: "button", dataset: { goto: "yearstart" } }, "Year starts held"),
      ),
    ),
    mode === "mine" ? [areaForm(el), suppositions(el)] : null,
    h(
      "div",
      { className: "sheet-scroll", tabIndex: 0, role: "region", "aria-label": "Year start" },
      h("table", { className: "figures" }, h("thead", {}, head), h("tbody", {}, rows(sheet, powers, el))),
    ),
    h(
      "p",
      { className: "quiet" },
      sheet.assumed.length ? [h("sup", { className: "assumed" }, "a"), " rests on an assumed figure. "] : null,
      tensions ? `Tensions taken as they stand: ${tensions}. ` : "",
      "Steps that are nothing for every power are left out.",
      me().powers.length && me().powers.length < 8 ? " Highlighted columns are yours." : "",
    ),
  );
  const again = focused ? $(`[data-figure_="${focused}"]`, el) : null;
  (again ?? $("h2", el)).focus({ preventScroll: true });
}
