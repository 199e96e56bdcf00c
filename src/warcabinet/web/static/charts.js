// Charts: every power's BRPs over the war, and where they came from and went.

import { amount, h, nameOf, number, sealOf, signed } from "./dom.js";

const NS = "http://www.w3.org/2000/svg";
/** A piece of a drawing. */
export function s(tag, attributes, ...children) {
  const el = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
  el.append(...children);
  return el;
}

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
export function linesApart(span, lines, least = 1) {
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

export function levels(data) {
  const all = Object.values(data.series).flat();
  if (!all.length) return h("p", { className: "quiet" }, "No BRPs have moved yet.");
  const first = Math.floor(Math.min(...all.map((p) => place(p[0]))));
  const last = Math.max(first + 1, place(data.now) + 0.1);
  const [W, H, left, right, top, bottom] = [1340, 380, 40, 190, 12, 26];
  const high = Math.max(50, ...all.map((p) => p[1]));
  const low = Math.min(0, ...all.map((p) => p[1]));
  const x = (v) => Math.round((left + ((v - first) / (last - first)) * (W - left - right)) * 10) / 10;
  const y = (v) => Math.round((top + ((high - v) / (high - low)) * (H - top - bottom)) * 10) / 10;
  const svg = s("svg", {
    viewBox: `0 0 ${W} ${H}`,
    class: "chart levels",
    role: "img",
    "aria-label": "BRP levels over the war",
  });
  const every = linesApart(high - low, 16, 50);
  for (let v = Math.ceil(low / every) * every; v <= high; v += every)
    svg.append(
      s("line", { class: v ? "axis" : "strong", x1: left, x2: W - right, y1: y(v), y2: y(v) }),
      s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, String(v)),
    );
  for (let t = first; t <= last; t++)
    svg.append(
      s("line", { class: "axis", x1: x(t), x2: x(t), y1: top, y2: H - bottom }),
      s(
        "text",
        { x: x(t) + 4, y: H - 8 },
        t % 4 === 0 || t === first ? `${SEASONS[t % 4]} ${Math.floor(t / 4)}` : SEASONS[t % 4],
      ),
    );
  const ends = [];
  Object.entries(data.series).forEach(([power, points], i) => {
    if (!points.length) return;
    svg.append(s("path", { class: `series ${power}`, d: line(points, x, y, last), "stroke-dasharray": DASHES[i] }));
    ends.push({ power, value: points.at(-1)[1], y: y(points.at(-1)[1]) });
  });
  // Each point opens the sum of what made it; by keys the entries of the ledger do.
  for (const [power, points] of Object.entries(data.series))
    for (const [moment, value, move, event] of points.filter((p) => p[2] > 1))
      svg.append(
        s(
          "circle",
          { class: `point ${power}`, cx: x(place(moment)), cy: y(value), r: 5, "data-sum": `${move}/${event}` },
          s("title", {}, `${nameOf(power)} ${value}, ${SEASONS[turnOf(moment) % 4]} ${Math.floor(turnOf(moment) / 4)}: open the sum`),
        ),
      );
  for (const e of spread(ends, 14, H - 8))
    svg.append(
      s(
        "text",
        { class: `end ${e.power}`, x: W - right + 8, y: e.y + 4 },
        `${sealOf(e.power)} ${nameOf(e.power)} ${e.value}`,
      ),
    );
  const scroll = h("div", { className: "chart-scroll", tabIndex: 0, role: "group", "aria-label": "BRP levels over the war" }, svg);
  // Where it is wider than the page, the present is in sight.
  requestAnimationFrame(() => (scroll.scrollLeft = scroll.scrollWidth));
  return h("div", {}, scroll, h("p", { className: "row levels-now" }, ends.map(levelNow)));
}

/** The same, small, in the frame of the whole war: it fills as the war goes on. */
export function growing(data, now) {
  const all = Object.values(data.series).flat();
  const first = Math.floor(Math.min(...all.map((p) => place(p[0]))));
  const last = place(data.now) + 0.1;
  const [W, H, left, right, top, bottom] = [320, 190, 28, 8, 8, 18];
  const high = Math.max(50, ...all.map((p) => p[1]));
  const low = Math.min(0, ...all.map((p) => p[1]));
  const x = (v) => Math.round((left + ((v - first) / (last - first)) * (W - left - right)) * 10) / 10;
  const y = (v) => Math.round((top + ((high - v) / (high - low)) * (H - top - bottom)) * 10) / 10;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart levels growing", role: "img", "aria-label": "BRP levels so far" });
  const every = linesApart(high - low, 8, 100);
  for (let v = Math.ceil(low / every) * every; v <= high; v += every)
    svg.append(
      s("line", { class: v ? "axis" : "strong", x1: left, x2: W - right, y1: y(v), y2: y(v) }),
      s("text", { x: left - 4, y: y(v) + 4, "text-anchor": "end" }, String(v)),
    );
  for (let t = Math.ceil(first / 4) * 4; t <= last; t += 4)
    svg.append(
      s("line", { class: "axis", x1: x(t), x2: x(t), y1: top, y2: H - bottom }),
      s("text", { x: x(t) + 3, y: H - 5 }, String(t / 4)),
    );
  const here = Math.min(last, place(now));
  Object.entries(data.series).forEach(([power, points], i) => {
    const past = points.filter(([moment]) => moment <= now);
    if (past.length)
      svg.append(s("path", { class: `series ${power}`, d: line(past, x, y, here), "stroke-dasharray": DASHES[i] }));
  });
  svg.append(s("line", { class: "now", x1: x(here), x2: x(here), y1: top, y2: H - bottom }));
  return svg;
}

/** The level at the end of a line, open to its sum; the drawing itself is one picture. */
const levelNow = (e) =>
  h("span", {}, h("span", { className: `seal ${e.power}` }, sealOf(e.power)), " ", number(e.value, "level", [e.power], nameOf(e.power)));

/** Where BRPs went and came from: a bar for each purpose of each power, all on one scale. */
export function flows(data) {
  const powers = Object.entries(data.flows).filter(([, f]) => Object.keys(f).length);
  if (!powers.length) return h("p", { className: "quiet" }, "Nothing was gained or spent yet.");
  const largest = (fits) =>
    Math.max(1, ...powers.flatMap(([, f]) => Object.values(f).filter(fits).map(Math.abs)));
  const groups = [
    ["Went", (n) => n < 0, largest((n) => n < 0)],
    ["Came", (n) => n > 0, largest((n) => n > 0)],
  ];
  return h(
    "div",
    { className: "tiles" },
    powers.map(([power, f]) =>
      h(
        "section",
        { className: `tile ${power}` },
        h("div", { className: `pattern ${power}` }),
        h(
          "div",
          { className: "body" },
          h("h3", {}, h("span", { className: `seal ${power}` }, sealOf(power)), nameOf(power)),
          groups.map(([title, fits, most]) => part(power, title, Object.entries(f).filter(([, n]) => fits(n)), most)),
        ),
      ),
    ),
  );
}

function part(power, title, entries, most) {
  if (!entries.length) return null;
  const sum = entries.reduce((n, [, amount]) => n + amount, 0);
  const line = ([what, n]) =>
    h(
      "tr",
      {},
      h("td", {}, what),
      h("td", {}, bar(n, most)),
      h("td", { className: "r" }, amount(n, false, { ledger: `brp/${power}`, purpose: what }, `${nameOf(power)}, ${what}`)),
    );
  return h(
    "table",
    { className: "plain-table flows" },
    h("caption", {}, `${title} ${signed(sum)}`),
    h("tbody", {}, entries.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).map(line)),
  );
}

function bar(n, most) {
  const w = Math.max(2, (Math.abs(n) / most) * 70);
  return s(
    "svg",
    { viewBox: "0 0 72 10", width: "72", height: "10", "aria-hidden": "true", class: "chart" },
    s("rect", { class: "bar", x: 0.5, y: 0.5, width: w, height: 9 }),
  );
}
