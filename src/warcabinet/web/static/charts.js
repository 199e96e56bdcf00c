// Charts: every power's BRPs over the war, and where they came from and went.

import { nameOf, sealOf, signed } from "./dom.js";
import { amount, html, number } from "./ui.js";

const turnOf = (moment) => Math.floor(moment / 100);
const place = (moment) => turnOf(moment) + (moment % 100) / 40;
const SEASONS = ["Sp", "Su", "F", "W"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "", "5 2 1 2 1 2", "12 3", "3 2"];

/** Steps, because BRPs change at moments and stay between them; broken where a year start gives a new level. */
function line(points, x, y, end) {
  let d = "";
  let last = null;
  let opening = null;
  for (const [moment, value] of points) {
    const turn = turnOf(moment);
    if (last !== null && turn % 4 === 0 && turnOf(last) < turn) {
      d += `H${x(place(moment))}`;
      opening = moment;
    }
    const begins = last === null || moment === opening;
    d += begins ? `M${x(place(moment))},${y(value)}` : `H${x(place(moment))}V${y(value)}`;
    last = moment;
  }
  return last === null ? "" : `${d}H${x(end)}`;
}

/** How far lines across a chart lie apart: the least round figure with which so many lines span it, however large it is. */
function linesApart(span, lines, least) {
  for (let ten = 1; ; ten *= 10)
    for (const step of [ten, 2 * ten, 5 * ten]) if (step >= least && !(span / step > lines)) return step;
}

/** End labels pushed apart so that none covers another, and back up where the last would fall off the foot. */
function spread(items, least, foot) {
  items.sort((a, b) => a.y - b.y);
  for (let i = 1; i < items.length; i++) items[i].y = Math.max(items[i].y, items[i - 1].y + least);
  for (let i = items.length - 1; i >= 0; i--) items[i].y = Math.min(items[i].y, foot - (items.length - 1 - i) * least);
  return items;
}

const round = (v) => Math.round(v * 10) / 10;

/** The frame of a chart of levels: where a moment and a level lie in it. */
function frame(data, last, [W, H, left, right, top, bottom]) {
  const all = Object.values(data.series).flat();
  const first = Math.floor(Math.min(...all.map((p) => place(p[0]))));
  const end = Math.max(first + 1, last);
  const [low, high] = [Math.min(0, ...all.map((p) => p[1])), Math.max(50, ...all.map((p) => p[1]))];
  const x = (v) => round(left + ((v - first) / (end - first)) * (W - left - right));
  const y = (v) => round(top + ((high - v) / (high - low)) * (H - top - bottom));
  /** Lines across, each with its figure at the left. */
  const across = (lines, least, off) => {
    const every = linesApart(high - low, lines, least);
    return Array.from({ length: Math.floor(high / every) - Math.ceil(low / every) + 1 }, (_, i) => (Math.ceil(low / every) + i) * every)
      .map((v) => html`<line class=${v ? "axis" : "strong"} x1=${left} x2=${W - right} y1=${y(v)} y2=${y(v)} />
        <text x=${left - off} y=${y(v) + 4} text-anchor="end">${v}</text>`);
  };
  const upright = (t) => html`<line class="axis" x1=${x(t)} x2=${x(t)} y1=${top} y2=${H - bottom} />`;
  return { first, end, x, y, across, upright, box: `0 0 ${W} ${H}` };
}

const series = ([power, points], i, x, y, end) =>
  points.length
    ? html`<path class=${`series ${power}`} d=${line(points, x, y, end)} stroke-dasharray=${DASHES[i]} />`
    : null;

const turnName = (t) => `${SEASONS[t % 4]} ${Math.floor(t / 4)}`;

export function levels(data) {
  const all = Object.entries(data.series);
  if (!all.some(([, points]) => points.length)) return html`<p class="quiet">No BRPs have moved yet.</p>`;
  const [W, H, right, bottom] = [1340, 380, 190, 26];
  const { first, end, x, y, across, upright, box } = frame(data, place(data.now) + 0.1, [W, H, 40, right, 12, bottom]);
  const turns = Array.from({ length: Math.floor(end) - first + 1 }, (_, i) => first + i);
  const ends = all
    .filter(([, points]) => points.length)
    .map(([power, points]) => ({ power, value: points.at(-1)[1], y: y(points.at(-1)[1]) }));
  // Each point opens the sum of what made it; by keys the entries of the ledger do.
  const point = (power, [moment, value, move, event]) => html`<circle class=${`point ${power}`} cx=${x(place(moment))} cy=${y(value)}
    r="5" data-sum=${`${move}/${event}`}>
    <title>${nameOf(power)} ${value}, ${turnName(turnOf(moment))}: open the sum</title>
  </circle>`;
  // Where it is wider than the page, the present is in sight.
  return html`<div>
    <div class="chart-scroll" tabIndex="0" role="group" aria-label="BRP levels over the war"
      ref=${(el) => el && (el.scrollLeft = el.scrollWidth)}>
      <svg viewBox=${box} class="chart levels" role="img" aria-label="BRP levels over the war">
        ${across(16, 50, 6)}
        ${turns.map((t) => html`${upright(t)}<text x=${x(t) + 4} y=${H - 8}>${t % 4 === 0 || t === first ? turnName(t) : SEASONS[t % 4]}</text>`)}
        ${all.map((it, i) => series(it, i, x, y, end))}
        ${all.map(([power, points]) => points.filter((p) => p[2] > 1).map((p) => point(power, p)))}
        ${spread(ends, 14, H - 8).map((it) => html`<text class=${`end ${it.power}`} x=${W - right + 8} y=${it.y + 4}>
          ${sealOf(it.power)} ${nameOf(it.power)} ${it.value}
        </text>`)}
      </svg>
    </div>
    <p class="row levels-now">${ends.map(levelNow)}</p>
  </div>`;
}

/** The same, small, in the frame of the whole war: it fills as the war goes on. */
export function growing(data, now) {
  const [H, top, bottom] = [190, 8, 18];
  const { first, end, x, y, across, upright, box } = frame(data, place(data.now) + 0.1, [320, H, 28, 8, top, bottom]);
  const here = Math.min(end, place(now));
  const springs = Array.from({ length: Math.max(0, Math.floor(end / 4) - Math.ceil(first / 4) + 1) }, (_, i) => 4 * (Math.ceil(first / 4) + i));
  const past = Object.entries(data.series).map(([power, points]) => [power, points.filter(([moment]) => moment <= now)]);
  return html`<svg viewBox=${box} class="chart levels growing" role="img" aria-label="BRP levels so far">
    ${across(8, 100, 4)}
    ${springs.map((t) => html`${upright(t)}<text x=${x(t) + 3} y=${H - 5}>${t / 4}</text>`)}
    ${past.map((it, i) => series(it, i, x, y, here))}
    <line class="now" x1=${x(here)} x2=${x(here)} y1=${top} y2=${H - bottom} />
  </svg>`;
}

/** The level at the end of a line, open to its sum; the drawing itself is one picture. */
const levelNow = (e) => html`<span>
  <span class=${`seal ${e.power}`}>${sealOf(e.power)}</span> ${number(e.value, "level", [e.power], nameOf(e.power))}
</span>`;

/** Where BRPs went and came from: a bar for each purpose of each power, all on one scale. */
export function flows(data) {
  const powers = Object.entries(data.flows).filter(([, f]) => Object.keys(f).length);
  if (!powers.length) return html`<p class="quiet">Nothing was gained or spent yet.</p>`;
  const largest = (fits) =>
    Math.max(1, ...powers.flatMap(([, f]) => Object.values(f).filter(fits).map(Math.abs)));
  const groups = [
    ["Went", (n) => n < 0, largest((n) => n < 0)],
    ["Came", (n) => n > 0, largest((n) => n > 0)],
  ];
  return html`<div class="tiles">
    ${powers.map(([power, f]) => html`<section class=${`tile ${power}`}>
      <div class=${`pattern ${power}`} />
      <div class="body">
        <h3><span class=${`seal ${power}`}>${sealOf(power)}</span>${nameOf(power)}</h3>
        ${groups.map(([title, fits, most]) => part(power, title, Object.entries(f).filter(([, n]) => fits(n)), most))}
      </div>
    </section>`)}
  </div>`;
}

function part(power, title, entries, most) {
  if (!entries.length) return null;
  const sum = entries.reduce((n, [, amount]) => n + amount, 0);
  const line = ([what, n]) => html`<tr>
    <td>${what}</td><td>${bar(n, most)}</td>
    <td class="r">${amount(n, false, { ledger: `brp/${power}`, purpose: what }, `${nameOf(power)}, ${what}`)}</td>
  </tr>`;
  return html`<table class="plain-table flows">
    <caption>${title} ${signed(sum)}</caption>
    <tbody>${entries.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).map(line)}</tbody>
  </table>`;
}

function bar(n, most) {
  const w = Math.max(2, (Math.abs(n) / most) * 70);
  return html`<svg viewBox="0 0 72 10" width="72" height="10" aria-hidden="true" class="chart">
    <rect class="bar" x="0.5" y="0.5" width=${w} height="9" />
  </svg>`;
}
