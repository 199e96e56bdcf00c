// Fan charts of a plan's futures: median, half of them, nine in ten; its hinges above them, one future, another run and
// what happened among them.

import { linesApart, s } from "./charts.js";
import { h, nameOf } from "./dom.js";

const SEASONS = ["Spring", "Summer", "Fall", "Winter"];
/** A turn as a number, so that turns can be laid out on a line. */
const turnOf = (name) => {
  const [season, year] = name.split(" ");
  return Number(year) * 4 + SEASONS.indexOf(season);
};
const round = (v) => Math.round(v * 10) / 10;

/** On a phone charts are drawn narrower, not smaller: their words stay readable. */
const measures = () =>
  matchMedia("(max-width: 40rem)").matches
    ? { W: 400, H: 170, left: 34, right: 78, top: 12, bottom: 22 }
    : { W: 860, H: 190, left: 44, right: 92, top: 12, bottom: 22 };

/** The line of turns that the lane of hinges and all charts of a run share. */
function line(turns) {
  const size = measures();
  const first = turnOf(turns[0].turn);
  const at = (n) => round(size.left + (Math.min(turns.length, Math.max(0, n)) * (size.W - size.left - size.right)) / turns.length);
  return { ...size, x: at, of: (name) => at(turnOf(name) - first), after: (name) => at(turnOf(name) - first + 1), within: (from, to = from) => turnOf(to) >= first && turnOf(from) < first + turns.length };
}

const path = (points) => points.map((p) => p.join(",")).join(" ");
/** A figure stands through its turn: each value is drawn from the start of its turn to the next. */
const steps = (values, x, y) => [values.flatMap((v, i) => (v === undefined ? [] : [[x(i), y(v)], [x(i + 1), y(v)]]))];

/** A level falls from one year start to the next, and is broken there: across it would seem to be earned. */
function falls(turns) {
  return (values, x, y) => {
    const years = new Map();
    turns.forEach((t, i) => {
      if (values[i] === undefined) return;
      const year = t.turn.split(" ")[1];
      years.set(year, [...(years.get(year) ?? []), [x(i), y(values[i]), i]]);
    });
    return [...years.values()].map((points) => [...points.map(([a, b]) => [a, b]), [x(points.at(-1)[2] + 1), points.at(-1)[1]]]);
  };
}

/** The lines of a chart in round figures. A level is read from nothing; of what never comes near it only what moves is drawn. */
function scale(values, broken) {
  const [least, most] = [Math.min(...values), Math.max(1, ...values)];
  const from = broken || least < most / 2 ? Math.min(0, least) : least;
  const span = Math.max(most - from, most / 10);
  const every = linesApart(span, 4);
  // Nothing runs along the edge: what is one figure throughout lies between two lines.
  return { low: from ? (Math.ceil(from / every) - 1) * every : 0, high: (Math.floor(most / every) + 1) * every, every };
}

/** One figure of one power. `beside` holds lines by their kind: one future, another run, what happened. */
export function fanChart(title, turns, beside, hinges, broken) {
  const { W, H, left, right, top, bottom, x, of, within } = line(turns);
  const others = Object.entries(beside).map(([kind, its]) => [kind, turns.map((t) => its?.[t.turn])]);
  const found = [...turns.flatMap((t) => [t.low, t.high]), ...others.flatMap(([, them]) => them).filter((v) => v !== undefined)];
  const { low, high, every } = scale(found, broken);
  const y = (v) => round(top + ((high - v) / (high - low)) * (H - top - bottom));
  const drawn = broken ? falls(turns) : steps;
  const last = turns.at(-1);
  const told = `${title} in ${last.turn}: median ${last.median}, half ${last.lower} to ${last.upper}, nine in ten ${last.low} to ${last.high}`;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart fan-chart", role: "img", "aria-label": told });
  for (let v = low; v <= high; v += every)
    svg.append(
      s("line", { class: "axis", x1: left, x2: W - right, y1: y(v), y2: y(v) }),
      s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, String(v)),
    );
  svg.append(...years(turns, x, top, H - bottom, H - 6));
  for (const it of hinges.filter((it) => within(it.likeliest))) svg.append(s("line", { class: "hinged", x1: of(it.likeliest), x2: of(it.likeliest), y1: top, y2: H - bottom }));
  const of_ = (name) => turns.map((t) => t[name]);
  for (const [a, b, kind] of [["low", "high", "wide"], ["lower", "upper", "half"]]) {
    const under = drawn(of_(a), x, y);
    drawn(of_(b), x, y).forEach((over, i) => svg.append(s("polygon", { class: kind, points: path([...over, ...under[i].reverse()]) })));
  }
  for (const [kind, them] of [["median", of_("median")], ...others])
    for (const points of drawn(them, x, y)) if (points.length) svg.append(s("polyline", { class: kind, points: path(points) }));
  // Where all futures agree there is one thing to say.
  const ends = last.low === last.high ? [["all", last.median]] : [["95 %", last.high], ["75 %", last.upper], ["median", last.median], ["25 %", last.lower], ["5 %", last.low]];
  spread(ends.map(([, v]) => y(v) + 4), H - bottom + 4).forEach((at, i) => {
    const [label, v] = ends[i];
    svg.append(s("text", { x: W - right + 6, y: at, class: label === "median" || label === "all" ? "middle" : "" }, `${label} ${v}`));
  });
  return h("figure", { className: "fan-chart" }, h("figcaption", {}, title), svg);
}

/** Labels pushed apart so that none covers another and none falls below the chart. */
function spread(wanted, lowest) {
  const found = [];
  wanted.forEach((at, i) => found.push(i ? Math.max(at, found[i - 1] + 13) : at));
  const over = Math.max(0, found.at(-1) - lowest);
  return found.map((at, i) => Math.min(at, lowest - (wanted.length - 1 - i) * 13 + (over ? 0 : 999)));
}

function years(turns, x, from, to, words) {
  return turns.flatMap((t, i) =>
    i && !t.turn.startsWith("Spring")
      ? []
      : [s("line", { class: "axis", x1: x(i), x2: x(i), y1: from, y2: to }), ...(words && (i || turns.length < 3 || turns[0].turn.startsWith("Spring")) ? [s("text", { x: x(i) + 4, y: words }, t.turn.split(" ")[1])] : [])],
  );
}

/** Above the charts: what is uncertain, between which turns, in which most likely, and in how many of the futures. */
function lane(turns, hinges) {
  const { W, x, of, after, within } = line(turns);
  const shown = hinges.filter((it) => within(it.first, it.last));
  if (!shown.length) return null;
  const rows = [];
  const placed = shown.map((it) => {
    const label = `${it.thing} ${Math.round(it.share * 100)} %`;
    const [from, to, wide] = [of(it.first), after(it.last), label.length * 6.4 + 10];
    const back = to + wide > W;
    const [start, end] = back ? [from - wide, to] : [from, to + wide];
    let row = rows.findIndex((taken) => taken.every(([a, b]) => end < a || start > b));
    if (row < 0) row = rows.push([]) - 1;
    rows[row].push([start, end]);
    return { it, from, to, back, y: 14 + row * 22 };
  });
  const high = rows.length * 22 + 8;
  const told = shown.map((it) => `${it.thing}: ${it.first === it.last ? it.first : `${it.first} to ${it.last}`}, in ${Math.round(it.share * 100)} % of the futures`).join("; ");
  const svg = s("svg", { viewBox: `0 0 ${W} ${high}`, class: "chart fan-chart hinges", role: "img", "aria-label": `Hinges. ${told}` });
  svg.append(...years(turns, x, 0, high));
  for (const { it, from, to, back, y } of placed) {
    const spot = of(it.likeliest) + 4;
    svg.append(
      s("rect", { class: "range", x: from, y: y - 3.5, width: Math.max(8, to - from), height: 7, rx: 3.5 }),
      s("path", { class: "diamond", d: `M${spot},${y - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z` }),
      s("text", { x: back ? from - 6 : to + 6, y: y + 4, "text-anchor": back ? "end" : "start" }, s("tspan", { class: "middle" }, it.thing), ` ${Math.round(it.share * 100)} %`),
    );
  }
  return h("figure", { className: "fan-chart" }, h("figcaption", {}, "Hinges"), svg);
}

export const legend = (other) =>
  h(
    "p",
    { className: "legend" },
    [["median", "median"], ["half", "half of the futures"], ["wide", "nine in ten"], ["one", "one future"], ["happened", "as it happened"], ...(other ? [["other", `median of ${other}`]] : [])].map(([kind, text]) =>
      h("span", {}, h("i", { className: kind, "aria-hidden": "true" }), text),
    ),
    h("span", {}, h("i", { className: "diamond", "aria-hidden": "true" }, "◆"), "hinge, its range and chance"),
  );

/** What moves the asked figure: each thing's outcomes, a share of what holds or a median, on both sides of that of all. */
export function mattersRows(question) {
  if (!question?.matters.length) return h("p", { className: "quiet" }, question?.why || "Nothing that is uncertain moves it.");
  const told = (v) => (question.claim ? `${Math.round(v * 100)} %` : String(Math.round(v * 10) / 10));
  const worth = (o) => (question.claim ? o.mean : o.median);
  const all = question.matters.flatMap((m) => m.outcomes.map(worth));
  const middle = question.claim ? question.chance : question.median;
  const [low, high] = [Math.min(middle, ...all), Math.max(middle, ...all)];
  const share = (v) => (high === low ? 50 : ((v - low) / (high - low)) * 100);
  const row = (m) => {
    const [least, most] = [m.outcomes[0], m.outcomes.at(-1)];
    const [from, to] = [worth(least), worth(most)];
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, m.thing),
      h(
        "td",
        {},
        h("span", { className: "ends" }, `${least.outcome} `, h("b", {}, told(from))),
        h("span", { className: "span" }, bar(share(from), share(middle), share(to))),
        h("span", { className: "ends" }, h("b", {}, told(to)), ` ${most.outcome}`),
      ),
      h("td", { className: "r" }, told(to - from)),
      h("td", { className: "r quiet" }, `${Math.round(m.share * 100)} %`),
    );
  };
  return h(
    "table",
    { className: "plain-table matters" },
    h("thead", {}, h("tr", {}, ["Uncertain", `${question.claim ? "Chance" : "Median"} where it went so; of all ${told(middle)}`, "Span", "Of all that moves it"].map((t) => h("th", { scope: "col" }, t)))),
    h("tbody", {}, question.matters.map(row)),
  );
}

function bar(from, middle, to) {
  const part = (kind, a, b) => s("rect", { class: kind, x: a, y: 1, width: Math.max(0, b - a), height: 8 });
  return s(
    "svg",
    { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "track", x: 0, y: 4.5, width: 100, height: 1 }),
    part("below", from, Math.min(middle, to)),
    part("above", Math.max(middle, from), to),
    s("rect", { class: "mean", x: middle - 0.25, y: 0, width: 0.5, height: 10 }),
  );
}

/** All charts of a power, under the lane of hinges. */
export function chartsOf(run, power, other) {
  const { result } = run;
  const figures = ["base", "level", "construction limit", "unbuilt"].filter((name) => result.figures[`${power} ${name}`]);
  if (!figures.length) return [h("p", { className: "quiet" }, `${nameOf(power)} has no figures yet.`)];
  const chart = (name) => {
    const its = `${power} ${name}`;
    const beside = { one: run.one[its]?.turns, happened: run.happened[its]?.turns, other: other && Object.fromEntries((other.figures[its] ?? []).map((t) => [t.turn, t.median])) };
    return fanChart(`${nameOf(power)}: ${name}`, result.figures[its], beside, result.hinges, name === "level");
  };
  return [lane(result.figures[`${power} ${figures[0]}`], result.hinges), ...figures.map(chart)];
}
