// Fan charts of a plan's futures: median, half of them, nine in ten; one future and what happened among them.

import { h, nameOf } from "./dom.js";

const NS = "http://www.w3.org/2000/svg";
function s(tag, attributes, ...children) {
  const el = document.createElementNS(NS, tag);
  for (const [k, v] of Object.entries(attributes)) el.setAttribute(k, v);
  el.append(...children);
  return el;
}

const [W, H, left, right, top, bottom] = [860, 190, 44, 92, 12, 22];

/** A figure stands through its turn: each value is drawn from the start of its turn to the next. */
const steps = (values, x, y) => values.flatMap((v, i) => (v === undefined ? [] : [[x(i), y(v)], [x(i + 1), y(v)]]));
const path = (points) => points.map((p) => p.join(",")).join(" ");

/** One figure of one power. */
export function fanChart(title, turns, one, happened) {
  const others = [one, happened].map((it) => turns.map((t) => it?.turns?.[t.turn]));
  const values = [...turns.flatMap((t) => [t.low, t.high]), ...others.flat().filter((v) => v !== undefined)];
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const x = (i) => Math.round((left + (i * (W - left - right)) / turns.length) * 10) / 10;
  const y = (v) => Math.round((top + ((high - v) / (high - low)) * (H - top - bottom)) * 10) / 10;
  const last = turns.at(-1);
  const told = `${title} in ${last.turn}: median ${last.median}, half ${last.lower} to ${last.upper}, nine in ten ${last.low} to ${last.high}`;
  const svg = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart fan-chart", role: "img", "aria-label": told });
  for (const v of new Set([low, Math.round((low + high) / 2), high]))
    svg.append(
      s("line", { class: "axis", x1: left, x2: W - right, y1: y(v), y2: y(v) }),
      s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, String(v)),
    );
  turns.forEach((t, i) => {
    if (i && !t.turn.startsWith("Spring")) return;
    svg.append(
      s("line", { class: "axis", x1: x(i), x2: x(i), y1: top, y2: H - bottom }),
      s("text", { x: x(i) + 4, y: H - 6 }, t.turn.split(" ")[1]),
    );
  });
  const band = (a, b, kind) =>
    s("polygon", { class: kind, points: path([...steps(turns.map((t) => t[b]), x, y), ...steps(turns.map((t) => t[a]), x, y).reverse()]) });
  svg.append(band("low", "high", "wide"), band("lower", "upper", "half"));
  svg.append(s("polyline", { class: "median", points: path(steps(turns.map((t) => t.median), x, y)) }));
  ["one", "happened"].forEach((kind, i) => {
    const points = steps(others[i], x, y);
    if (points.length) svg.append(s("polyline", { class: kind, points: path(points) }));
  });
  const ends = [["95 %", last.high], ["median", last.median], ["5 %", last.low]];
  let above = -99;
  for (const [label, v] of ends) {
    above = Math.max(y(v) + 4, above + 13);
    svg.append(s("text", { x: W - right + 6, y: above, class: label === "median" ? "middle" : "" }, `${label} ${v}`));
  }
  return h("figure", { className: "fan-chart" }, h("figcaption", {}, title), svg);
}

export const legend = () =>
  h(
    "p",
    { className: "legend" },
    [["median", "median"], ["half", "half of the futures"], ["wide", "nine in ten"], ["one", "one future"], ["happened", "as it happened"]].map(
      ([kind, text]) => h("span", {}, h("i", { className: kind, "aria-hidden": "true" }), text),
    ),
  );

/** What moves the asked figure: each thing's outcomes around the median. */
export function mattersRows(question) {
  if (!question?.matters.length) return h("p", { className: "quiet" }, "Nothing that is uncertain moves it.");
  const all = question.matters.flatMap((m) => m.outcomes.map((o) => o.mean));
  const low = Math.min(...all);
  const high = Math.max(...all);
  const share = (v) => (high === low ? 50 : ((v - low) / (high - low)) * 100);
  return h(
    "table",
    { className: "plain-table matters" },
    h("thead", {}, h("tr", {}, ["Uncertain", "Mean where it went so", "Of all"].map((t) => h("th", { scope: "col" }, t)))),
    h(
      "tbody",
      {},
      question.matters.map((m) => {
        const [least, most] = [m.outcomes[0], m.outcomes.at(-1)];
        return h(
          "tr",
          {},
          h("th", { scope: "row" }, m.thing),
          h(
            "td",
            {},
            h("span", { className: "ends" }, `${least.outcome} `, h("b", {}, String(Math.round(least.mean * 10) / 10))),
            h("span", { className: "span", share: `${share(least.mean)}%`, dataset: { to: String(share(most.mean)) } }, bar(share(least.mean), share(most.mean))),
            h("span", { className: "ends" }, h("b", {}, String(Math.round(most.mean * 10) / 10)), ` ${most.outcome}`),
          ),
          h("td", { className: "r" }, `${Math.round(m.share * 100)} %`),
        );
      }),
    ),
  );
}

function bar(from, to) {
  const el = s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
  el.append(s("rect", { class: "track", x: 0, y: 4, width: 100, height: 2 }), s("rect", { class: "reach", x: from, y: 1, width: Math.max(1, to - from), height: 8 }));
  return el;
}

export const chartsOf = (result, power, one, happened) =>
  ["base", "level", "construction limit", "unbuilt"]
    .filter((name) => result.figures[`${power} ${name}`])
    .map((name) => fanChart(`${nameOf(power)}: ${name}`, result.figures[`${power} ${name}`], one[`${power} ${name}`], happened[`${power} ${name}`]));
