// The next year start as a sheet: rows are steps with their clauses, columns are powers, every figure opens.

import { copyTable, nameOf, signed } from "./dom.js";
import { table } from "./api.js";
import { openReasons } from "./explain.js";
import { held, me, position, store } from "./store.js";
import { chip, html, options, pageHead, seal, signal, switcher } from "./ui.js";

const mode = signal("stands");
// What is supposed in "my what-if": figure by its public name, and what it would be.
const supposed = signal({});
/** Suppose figures, or (undefined) no longer. */
const suppose = (figures) => (supposed.value = Object.fromEntries(Object.entries({ ...supposed.value, ...figures }).filter(([, to]) => to !== undefined)));
const FIGURES = { base: "base", level: "brp" };
/** Rows that are shown whatever they say, each with what it opens: a part before it, or after it. */
const BEFORE = { base: "Base", construction_limit: "What it allows" };
const AFTER = { next_base: "Added and taken", year_total: "" };

/** How the sheet was reckoned; its sums are asked for in the same way. */
const asked = () => ({
  mode: mode.value === "due" ? "due" : "stands",
  changes: mode.value === "mine" ? Object.entries(supposed.value).map(([figure, to]) => ({ figure, to })) : [],
  at: store.at,
});

/** A figure of the sheet, which opens its sum as reckoned here. */
const figure = (text, rule, power, label, className = "") => html`<button class=${`number ${className}`} aria-label=${label}
  onclick=${(event) => openReasons(() => table.post("/forecast/explain", { ...asked(), rule, power }), event.target)}>
  ${text}
</button>`;

/** In "my what-if" levels and bases are typed into the sheet. */
function supposing(row, power, value) {
  const name = `powers.${power}.${FIGURES[row.rule]}`;
  const typed = ({ target }) => suppose({ [name]: target.value === "" ? undefined : Math.trunc(Number(target.value)) });
  return html`<input type="number" value=${supposed.value[name] ?? value} class=${name in supposed.value ? "changed" : ""}
    aria-label=${`${nameOf(power)}, ${row.label}, what if`} onchange=${typed} />`;
}

function cell(row, power) {
  const it = row.cells[power];
  if (!it) return html`<td>·</td>`;
  const own = held(power) ? "mine" : "";
  if (mode.value === "mine" && row.rule in FIGURES) return html`<td class=${own}>${supposing(row, power, it.value)}</td>`;
  const zero = it.value === 0 || it.value === null || it.value === false;
  const text = row.rule === "growth_rate" ? `${it.value} %` : it.value < 0 ? signed(it.value) : it.value;
  const aside =
    it.clause && it.by
      ? html`<span class="aside">
        ${it.general !== null && it.general !== it.value ? `${it.general} otherwise, ` : ""}${it.clause}
      </span>`
      : null;
  const plain = zero && !aside && !["base", "level", "year_total", "next_base"].includes(row.rule);
  const shown = plain
    ? figure("·", row.rule, power, `${nameOf(power)}, ${row.label}: none`, "zero")
    : figure(text, row.rule, power, `${nameOf(power)}, ${row.label}: ${text}, open the sum`);
  return html`<td class=${own}>${shown}${row.rule === "base" && assumed(row, power)}${aside}</td>`;
}

const assumed = (row, power) => row.assumed?.includes(power)
  ? html`<sup class="assumed" title="rests on an assumed figure">a</sup>`
  : null;

/** How the new total compares with that of the year that ends; what that was opens as well. */
function change(sheet, row, powers) {
  const own = (p) => (held(p) ? "mine" : "");
  const by = (p) => (row.cells[p]?.value ?? 0) - sheet.began[p];
  const label = `Change on ${sheet.year - 1}`;
  const shown = (p) => figure(signed(by(p)), "year_start_total", p, `${nameOf(p)}, ${label}: ${by(p)}; open the total of ${sheet.year - 1}`);
  return html`<tr>
    <th scope="row">${label}</th>${powers.map((p) => html`<td class=${own(p)}>${row.cells[p] ? shown(p) : "·"}</td>`)}
  </tr>`;
}

function rows(sheet, powers) {
  const part = (text) => text && html`<tr class="part"><th colSpan=${powers.length + 1}>${text}</th></tr>`;
  const empty = (row) => Object.values(row.cells).every((c) => !c.value);
  const kinds = { year_total: "total", next_base: "strong" };
  return sheet.rows.filter((row) => row.rule in BEFORE || row.rule in AFTER || !empty(row)).map((row) => [
    part(BEFORE[row.rule]),
    html`<tr class=${kinds[row.rule] ?? ""}>
      <th scope="row">${row.label} ${chip(row.clause)}</th>
      ${powers.map((p) => cell({ ...row, assumed: sheet.assumed }, p))}
    </tr>`,
    row.rule === "year_total" && change(sheet, row, powers),
    part(AFTER[row.rule]),
  ]);
}

const lines = (sheet, powers) => [
  ["", ...powers.map(nameOf)],
  ...sheet.rows.map((r) => [r.label, ...powers.map((p) => r.cells[p]?.value ?? "")]),
];

/** An area in other hands: its yearly value leaves the books of whoever has it and goes on another's. */
function areaForm() {
  const worth = position().countries.filter((c) => c.brp);
  const give = (event) => {
    const { area, power } = event.target.elements;
    const country = worth.find((c) => c.id === area.value);
    const books = (p) => (p === power.value ? country.brp : p === country.by ? 0 : undefined);
    suppose(Object.fromEntries(position().powers.map((p) => [`books.${p.power}.${country.id}`, books(p.power)])));
  };
  return html`<form class="row suppose" onsubmit=${give}>
    <label for="suppose-area">If</label>
    <select id="suppose-area" name="area" aria-label="Area">
      ${options(worth.map((c) => [c.id, `${c.name}, ${c.brp}`]))}
    </select>
    <label for="suppose-power">were on the books of</label>
    <select id="suppose-power" name="power">${options(position().powers.map((p) => [p.power, p.name]))}</select>
    <button type="submit" class="small">Suppose it</button>
  </form>`;
}

/** What is supposed, each to be taken back. */
function suppositions() {
  const words = (figure, to) => {
    const [kind, power, what] = figure.split(".");
    return kind === "books"
      ? `${nameOf(what)} on the books of ${nameOf(power)}: ${to}`
      : `${nameOf(power)} ${what === "brp" ? "level" : what}: ${to}`;
  };
  const all = Object.entries(supposed.value);
  return html`<div class="picked">
    ${all.map(([figure, to]) => html`<button onclick=${() => suppose({ [figure]: undefined })}
      aria-label=${`No longer suppose ${words(figure, to)}`}>${words(figure, to)} ×</button>`)}
    ${!all.length && html`<span class="quiet">Nothing supposed yet: type other levels and bases into the sheet.</span>`}
  </div>`;
}

const MODES = [["stands", "As it stands"], ["due", "With what falls due"], ["mine", "My what-if"]];
const TITLES = { stands: "if the year ended now", due: "with what falls due", mine: "my what-if" };

async function ask() {
  try {
    return await table.post("/forecast", asked());
  } catch (error) {
    // What cannot be supposed is supposed no longer.
    if (mode.value === "mine" && Object.keys(supposed.value).length) supposed.value = {};
    throw error;
  }
}

function draw(sheet) {
  const powers = Object.keys(sheet.rows[0].cells);
  const head = html`<tr>
    <td />
    ${powers.map((p) => html`<th scope="col" class=${held(p) ? "mine" : ""}>
      ${seal(p)}${nameOf(p)}<span class=${`pattern ${p}`} aria-hidden="true" />
    </th>`)}
  </tr>`;
  const tensions = position()
    .tracks.filter((t) => !t.track.startsWith("effective"))
    .map((t) => `${t.name} ${t.level}`)
    .join(", ");
  return html`
    ${pageHead(
      `Year start ${sheet.year}, ${TITLES[mode.value]}`,
      `Counted from ${sheet.counted_from} by the same rules that will run the year start. Every figure opens its sum.`,
      html`<div class="row">
        ${switcher("What is counted", MODES, mode.value, (to) => (mode.value = to))}
        <button onclick=${() => copyTable(lines(sheet, powers))}>Copy table</button>
        <button data-goto="yearstart">Year starts held</button>
      </div>`,
    )}
    ${mode.value === "mine" && [areaForm(), suppositions()]}
    <div class="sheet-scroll" tabIndex="0" role="region" aria-label="Year start">
      <table class="figures"><thead>${head}</thead><tbody>${rows(sheet, powers)}</tbody></table>
    </div>
    <p class="quiet">
      ${sheet.assumed.length > 0 && html`<sup class="assumed">a</sup> rests on an assumed figure. `}
      ${tensions ? `Tensions taken as they stand: ${tensions}. ` : ""}
      Steps that are nothing for every power are left out.
      ${me().powers.length && me().powers.length < 8 ? " Highlighted columns are yours." : ""}
    </p>
  `;
}

export const sheet = { ask, draw };
