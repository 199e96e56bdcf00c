// A year start as an event: power by power, step by step, every figure open to its sum, confirmed by each seat, kept for ever.

import { capital, copyTable, nameOf, several, signed, these } from "./dom.js";
import { cited, table } from "./api.js";
import { openReasons } from "./explain.js";
import { answerYear } from "./now.js";
import { held, store } from "./store.js";
import { chip, chosen, computed, html, options, pageHead, seal, signal, switcher } from "./ui.js";

/** The powers whose figures are unfolded. */
const open = chosen();
// All figures, or one step at a time, as on a phone there is room for no more.
const step = signal(matchMedia("(max-width: 56.24rem)").matches ? 0 : -1);
const year = signal(0);

const SIGNED = ["growth", "areas", "deficit"];
const minus = (n) => (n < 0 ? signed(n) : String(n));

/** A figure of the sheet; pressing it opens its sum as it was counted then. */
const figure = (sheet, row, column, it) => html`<button class="number"
  aria-label=${`${row.name}, ${column.label}: ${it.value}, open the sum`}
  onclick=${(event) => openReasons(() => table.get("/year-start/explain", { year: sheet.year, power: row.power, column: column.id }), event.currentTarget, "")}>
  ${SIGNED.includes(column.id) ? signed(it.value) : minus(it.value)}
</button>`;

const item = (i) => html`<span ...${i.lost_to ? { className: "lost", title: `now ${i.lost_to}’s` } : {}}>${i.name} ${i.value}</span>`;

/** What a step is made of: each part under its own step, named by the thing first, its clause once. */
const parts = (it) => html`<ul class="year-parts">
  ${it.parts.map((p) => html`<li>
    <strong>${p.shown || minus(p.value)}</strong>
    <span>
      ${p.items.length ? html`<b>${capital(p.label)}</b>` : p.label}${" "}
      ${chip(p.clause)}${p.items.length > 0 && " "}${p.items.map((i, n) => [n ? ", " : null, item(i)])}
    </span>
  </li>`)}
</ul>`;

const clock = (when) => new Date(when * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Whether the seat that holds a power has confirmed, and who. */
function confirmed(row, stand) {
  const seat = stand?.seats.find((it) => it.powers.includes(row.power));
  if (!seat) return html`<td class="quiet small" />`;
  if (seat.by) return html`<td class="yes small"><span aria-hidden="true">✓ </span>${seat.by}, ${clock(seat.when)}</td>`;
  if (seat.steward) return html`<td class="yes small"><span aria-hidden="true">✓ </span>by its steward</td>`;
  if (!seat.people.length) return html`<td class="quiet small">nobody sits here</td>`;
  if (stand.move !== store.view.year_start?.move) return html`<td class="quiet small">not confirmed</td>`;
  return seat.mine
    ? html`<td><span class="yours">yours to confirm</span></td>`
    : html`<td class="awaited small">${seat.people.join(", ")} is reading</td>`;
}

function powerRow(sheet, row, columns, stand) {
  const unfolded = open.has(row.power);
  const turn = () => open.turn(row.power);
  const holder = stand?.seats.find((it) => it.powers.includes(row.power));
  const cells = columns.map((c) => {
    const it = row.steps[c.id];
    if (!it) return html`<td />`;
    return html`<td class=${c.id}>
      ${figure(sheet, row, c, it)}${it.gist && html`<div class="quiet small">${it.gist}</div>`}
      ${unfolded && it.parts.length > 0 && parts(it)}
    </td>`;
  });
  return html`<tr class=${held(row.power) ? "mine" : ""}
    data-power=${row.power}>
    <th scope="row">
      <span class=${`pattern ${row.power}`} aria-hidden="true" />
      <button class="fold" aria-expanded=${unfolded} aria-label=${`${row.name}: ${unfolded ? "fold" : "unfold"}`} onclick=${turn}>
        ${unfolded ? "▾" : "▸"}
      </button>
      ${seal(row.power)} ${row.name}
      ${holder && html`<div class="quiet small">${holder.people.join(", ") || (holder.steward ? "steward" : "nobody")}</div>`}
    </th>
    ${cells}${confirmed(row, stand)}
  </tr>`;
}

const lines = ({ columns, rows }) => [
  ["", ...columns.map((c) => c.label)],
  ...rows.map((r) => [r.name, ...columns.map((c) => r.steps[c.id]?.value ?? "")]),
];

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
  const press = (text, run, className) => html`<button class=${className} onclick=${run}>${text}</button>`;
  return html`<div class="year-bar" role="status">
    <div>
      <strong>${said}</strong>${others ? ` Waiting for ${these(now.missing)}.` : " Every seat has confirmed."}
      <div class="quiet small">
        A figure looks wrong? Unfold it, or ask the referee. Nothing can be changed here: an error is corrected where it arose (undo), and the year start is counted again.
      </div>
    </div>
    ${now.may_open && now.waits && press("Go on without them", () => answerYear("open", now.year), "open-spring")}
    ${mine.length > 0 && press(`Confirm for ${names}`, () => answerYear("confirm", now.year), "main confirm")}
  </div>`;
}

function seals(stand) {
  if (!stand) return null;
  const given = (s) => s.by || s.steward;
  const done = stand.seats.filter(given).length;
  return html`
    <span class="year-seals">
      ${stand.seats.flatMap((s) => s.powers.map((p) => html`<span class=${given(s) ? "given" : "missing"}>${seal(p)}</span>`))}
    </span>
    <span class="quiet small">${done} of ${several(stand.seats.length, "seat")} confirmed</span>
  `;
}

/** The year starts that were held, to leaf through. */
const years = (held, sheet) => html`<select aria-label="Year starts held"
  onchange=${(e) => (year.value = Number(e.target.value))}>
  ${options(held.map((it) => it.year), sheet.year)}
</select>`;

/** The number of a step: a total is none, and what one clause allots together is one. */
function numbered(columns, column) {
  const steps = [...new Set(columns.filter((c) => c.id !== "total").map((c) => c.clause))];
  const first = columns.find((c) => c.clause === column.clause && c.id !== "total");
  return column === first ? html`<i aria-hidden="true">${steps.indexOf(column.clause) + 1}</i>` : null;
}

function draw({ held, sheet, stand }) {
  if (!sheet) return html`<p class="quiet">No year start has been held yet in this game.</p>`;
  const columns = step.value < 0 ? sheet.columns : sheet.columns.slice(step.value, step.value + 1);
  const stepOn = (on) => (step.value = on ? (step.value + 1) % sheet.columns.length : -1);
  const lapsed = `The old year is over: what was unspent has lapsed. Kept for ever as entries ${sheet.first} to ${sheet.last} of the log; every figure opens its sum as it was counted then.`;
  const unfolded = sheet.rows.every((r) => open.has(r.power));
  const unfold = () => open.put(unfolded ? [] : sheet.rows.map((r) => r.power));
  return html`
    ${pageHead(`${sheet.year} year start`, [lapsed, " ", chip(cited("unspent lapses"))], html`<div class="row">
      ${seals(stand)}
      ${switcher("What is shown", [[false, "All figures"], [true, step.value < 0 ? "Step by step" : "Next step"]], step.value >= 0, stepOn)}
      <button onclick=${unfold}>${unfolded ? "Fold all" : "Unfold all"}</button>
      <button onclick=${() => copyTable(lines(sheet))}>Copy table</button>
      <button data-goto="europe">Back to the map</button>${held.length > 1 && years(held, sheet)}
    </div>`)}
    <div class="sheet-scroll" tabIndex="0" role="region" aria-label=${`${sheet.year} year start`}>
      <table class="figures year-start">
        <thead>
          <tr>
            <th scope="col">Power</th>
            ${columns.map((c) => html`<th scope="col"><span class="step-line">${numbered(sheet.columns, c)}${chip(c.clause)}</span>${c.label}</th>`)}
            <th scope="col" class="last"><span class="step-line"><i /></span>Confirmed</th>
          </tr>
        </thead>
        <tbody>${sheet.rows.map((row) => powerRow(sheet, row, columns, stand))}</tbody>
      </table>
    </div>
    ${awaited(stand)}
  `;
}

/** Of a year, or of the last year start that was held; asked for again whenever somebody has confirmed. */
async function ask() {
  const [of, standing] = [year.value, confirming.value];
  const found = await table.get("/year-start", of ? { year: of } : {});
  if (standing !== null && found.sheet) year.value = found.sheet.year;
  return found;
}

/** Who has confirmed, as a text that is another whenever that changes. */
const confirming = computed(() => JSON.stringify(store.view?.year_start ?? ""));

export const sheet = { go: (of) => (year.value = of ?? year.value), ask, draw };
