// Fan charts of a plan's futures: median, half of them, nine in ten; its hinges above them, one future, another run and
// what happened among them.

import { levelLines, linesApart } from "./charts.js";
import { nameOf } from "./dom.js";
import { heads, html } from "./ui.js";

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
  const of_ = (name) => turns.map((t) => t[name]);
  const bands = [["low", "high", "wide"], ["lower", "upper", "half"]].map(([a, b, kind]) => {
    const under = drawn(of_(a), x, y);
    const around = (over, i) => path([...over, ...under[i].reverse()]);
    return drawn(of_(b), x, y).map((over, i) => html`<polygon class=${kind} points=${around(over, i)} />`);
  });
  const lines = [["median", of_("median")], ...others].map(([kind, them]) =>
    drawn(them, x, y).filter((points) => points.length).map((points) => html`<polyline class=${kind} points=${path(points)} />`),
  );
  // Where all futures agree there is one thing to say.
  const ends = last.low === last.high ? [["all", last.median]] : [["95 %", last.high], ["75 %", last.upper], ["median", last.median], ["25 %", last.lower], ["5 %", last.low]];
  const said = spread(ends.map(([, v]) => y(v) + 4), H - bottom + 4).map((at, i) => {
    const [label, v] = ends[i];
    return html`<text x=${W - right + 6} y=${at} class=${label === "median" || label === "all" ? "middle" : ""}>${label} ${v}</text>`;
  });
  return html`<figure class="fan-chart">
    <figcaption>${title}</figcaption>
    <svg viewBox=${`0 0 ${W} ${H}`} class="chart fan-chart" role="img" aria-label=${told}>
      ${levelLines(low, high, every, left, W - right, y, 6)}${years(turns, x, top, H - bottom, H - 6)}
      ${hinges.filter((it) => within(it.likeliest)).map((it) => of(it.likeliest)).map((at) => html`<line class="hinged" x1=${at} x2=${at} y1=${top} y2=${H - bottom} />`)}
      ${bands}${lines}${said}
    </svg>
  </figure>`;
}

/** Labels pushed apart so that none covers another and none falls below the chart. */
function spread(wanted, lowest) {
  const found = [];
  wanted.forEach((at, i) => found.push(i ? Math.max(at, found[i - 1] + 13) : at));
  const over = Math.max(0, found.at(-1) - lowest);
  return found.map((at, i) => Math.min(at, lowest - (wanted.length - 1 - i) * 13 + (over ? 0 : 999)));
}

function years(turns, x, from, to, words) {
  const named = (i) => words && (i || turns.length < 3 || turns[0].turn.startsWith("Spring"));
  return turns.map((t, i) => i && !t.turn.startsWith("Spring")
    ? null
    : html`
      <line class="axis" x1=${x(i)} x2=${x(i)} y1=${from} y2=${to} />
      ${named(i) && html`<text x=${x(i) + 4} y=${words}>${t.turn.split(" ")[1]}</text>`}
    `);
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
  const hinge = ({ it, from, to, back, y }) => {
    const spot = of(it.likeliest) + 4;
    return html`
      <rect class="range" x=${from} y=${y - 3.5} width=${Math.max(8, to - from)} height="7" rx="3.5" />
      <path class="diamond" d=${`M${spot},${y - 5.5}l5.5,5.5l-5.5,5.5l-5.5,-5.5z`} />
      <text x=${back ? from - 6 : to + 6} y=${y + 4} text-anchor=${back ? "end" : "start"}>
        <tspan class="middle">${it.thing}</tspan> ${Math.round(it.share * 100)} %
      </text>
    `;
  };
  return html`<figure class="fan-chart">
    <figcaption>Hinges</figcaption>
    <svg viewBox=${`0 0 ${W} ${high}`} class="chart fan-chart hinges" role="img" aria-label=${`Hinges. ${told}`}>
      ${years(turns, x, 0, high)}${placed.map(hinge)}
    </svg>
  </figure>`;
}

export const legend = (other) => html`<p class="legend">
  ${[["median", "median"], ["half", "half of the futures"], ["wide", "nine in ten"], ["one", "one future"], ["happened", "as it happened"], ...(other ? [["other", `median of ${other}`]] : [])].map(([kind, text]) => html`<span><i class=${kind} aria-hidden="true" />${text}</span>`)}
  <span><i class="diamond" aria-hidden="true">◆</i>hinge, its range and chance</span>
</p>`;

/** What moves the asked figure: each thing's outcomes, a share of what holds or a median, on both sides of that of all. */
export function mattersRows(question) {
  if (!question?.matters.length) return html`<p class="quiet">${question?.why || "Nothing that is uncertain moves it."}</p>`;
  const told = (v) => (question.claim ? `${Math.round(v * 100)} %` : String(Math.round(v * 10) / 10));
  const worth = (o) => (question.claim ? o.mean : o.median);
  const all = question.matters.flatMap((m) => m.outcomes.map(worth));
  const middle = question.claim ? question.chance : question.median;
  const [low, high] = [Math.min(middle, ...all), Math.max(middle, ...all)];
  const share = (v) => (high === low ? 50 : ((v - low) / (high - low)) * 100);
  const row = (m) => {
    const [least, most] = [m.outcomes[0], m.outcomes.at(-1)];
    const [from, to] = [worth(least), worth(most)];
    return html`<tr>
      <th scope="row">${m.thing}</th>
      <td>
        <span class="ends">${least.outcome} <b>${told(from)}</b></span>
        <span class="span">${bar(share(from), share(middle), share(to))}</span>
        <span class="ends"><b>${told(to)}</b> ${most.outcome}</span>
      </td>
      <td class="r">${told(to - from)}</td><td class="r quiet">${Math.round(m.share * 100)} %</td>
    </tr>`;
  };
  return html`<table class="plain-table matters">
    ${heads(["Uncertain", `${question.claim ? "Chance" : "Median"} where it went so; of all ${told(middle)}`, "Span", "Of all that moves it"])}
    <tbody>${question.matters.map(row)}</tbody>
  </table>`;
}

function bar(from, middle, to) {
  const part = (kind, a, b) => html`<rect class=${kind} x=${a} y="1" width=${Math.max(0, b - a)} height="8" />`;
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" x="0" y="4.5" width="100" height="1" />${part("below", from, Math.min(middle, to))}
    ${part("above", Math.max(middle, from), to)}<rect class="mean" x=${middle - 0.25} y="0" width="0.5" height="10" />
  </svg>`;
}

/** All charts of a power, under the lane of hinges. */
export function chartsOf(run, power, other) {
  const { result } = run;
  const figures = ["base", "level", "construction limit", "unbuilt"].filter((name) => result.figures[`${power} ${name}`]);
  if (!figures.length) return [html`<p class="quiet">${nameOf(power)} has no figures yet.</p>`];
  const chart = (name) => {
    const its = `${power} ${name}`;
    const beside = { one: run.one[its]?.turns, happened: run.happened[its]?.turns, other: other && Object.fromEntries((other.figures[its] ?? []).map((t) => [t.turn, t.median])) };
    return fanChart(`${nameOf(power)}: ${name}`, result.figures[its], beside, result.hinges, name === "level");
  };
  return [lane(result.figures[`${power} ${figures[0]}`], result.hinges), ...figures.map(chart)];
}
