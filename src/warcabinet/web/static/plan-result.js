// A run of a plan as it is read: its charts, questions, where it breaks, one future, and what stands beside it.

import { capital, chip, h, nameOf, these } from "./dom.js";
import { table } from "./api.js";
import { chartsOf, legend, mattersRows } from "./plan-chart.js";

const POWERS = ["germany", "italy", "japan", "britain", "france", "russia", "usa", "china"];
const count = (n) => n.toLocaleString("en");
const percent = (share) => `${(share * 100).toFixed(1)} %`;
/** How far the true chance may lie from the share of the futures played; where `why` tells that it is certain, nothing. */
const margin = (it) => (it.why ? null : `± ${(196 * Math.sqrt((it.chance * (1 - it.chance)) / Math.max(1, it.futures))).toFixed(1)}`);

/** What is looked at of a run: which power, which question, which future, beside what. */
export const looking = { power: "germany", asked: 0, future: null, typed: null, beside: null };
/** When a run was first seen here, and how far it was: so much a second. */
let seen = { id: "", done: 0, at: 0 };

function rate(it) {
  if (seen.id !== it.id || it.done < seen.done) seen = { id: it.id, done: it.done, at: performance.now() };
  const each = (it.done - seen.done) / Math.max(0.001, (performance.now() - seen.at) / 1000);
  if (it.state !== "running" || !each) return "";
  const left = Math.round((it.samples - it.done) / each);
  return `${each < 10 ? each.toFixed(1) : Math.round(each)} a second · about ${left < 90 ? `${left} s` : `${Math.round(left / 60)} min`} left · `;
}

export function progress(run, act) {
  const it = run.run;
  const words = { running: "figures are of the futures so far", done: it.search ? "judged again on fresh futures" : "all futures are played", stopped: "stopped; figures are of the futures so far", failed: it.trouble };
  const button = (label, what) => h("button", { type: "button", className: "small", onclick: () => act(() => table.post(`/plans/runs/${it.id}/${what}`)) }, label);
  const file = (label, name) => h("a", { className: "small", href: table.link(`/plans/runs/${it.id}/${name}`), download: name }, label);
  return h(
    "div",
    { className: "progress", role: "status" },
    h("progress", { max: it.samples, value: it.done, "aria-label": it.search ? "Plans tried" : "Futures played" }),
    h("span", {}, h("b", {}, count(it.done)), ` of ${count(it.samples)} ${it.search ? "plans" : "futures"} · seed ${it.seed} · from move ${it.at} · ${rate(it)}${words[it.state]}`),
    it.state === "running" ? button("Stop", "stop") : null,
    ["stopped", "failed"].includes(it.state) ? button("Resume", "resume") : null,
    run.result ? [file("Save as CSV", "figures.csv"), file("Save as JSON lines", "result.jsonl")] : null,
  );
}

export function charts(run, draw) {
  const { result } = run;
  const pick = POWERS.map((p) =>
    h("button", { type: "button", "aria-pressed": String(p === looking.power), onclick: () => { looking.power = p; draw(); } }, nameOf(p)),
  );
  const question = result.questions[looking.asked];
  return h(
    "section",
    { className: "fans" },
    h("header", {}, h("div", { className: "switch", role: "group", "aria-label": "Power" }, pick), legend(looking.beside?.result?.plan)),
    chartsOf(run, looking.power, looking.beside?.result),
    beside(),
    h("h3", {}, "What matters ", h("span", { className: "quiet small" }, question ? `for: ${question.question}, ${question.at}` : "nothing is asked")),
    mattersRows(question),
  );
}

export function questions(run, draw) {
  const rows = run.result.questions.map((it, i) =>
    h(
      "tr",
      { className: i === looking.asked ? "here" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", className: "link", "aria-pressed": String(i === looking.asked), onclick: () => { looking.asked = i; draw(); } }, it.question), h("small", { className: "quiet" }, it.words && it.words !== it.question ? it.words : it.at), it.why ? h("small", { className: "why" }, it.why) : null),
      h("td", { className: "meter" }, it.chance === null ? null : h("progress", { max: 1, value: it.chance, "aria-hidden": "true" })),
      h("td", { className: "r" }, h("b", {}, it.chance === null ? String(it.median) : percent(it.chance))),
      h("td", { className: "r quiet" }, it.chance === null ? `${it.low} to ${it.high}` : margin(it)),
    ),
  );
  return h(
    "section",
    {},
    h("h3", {}, "Questions ", h("span", { className: "quiet small" }, `chance, or median and nine in ten, after ${count(run.result.futures)}`)),
    rows.length ? h("table", { className: "plain-table" }, h("tbody", {}, rows)) : h("p", { className: "quiet" }, "The plan asks nothing."),
    run.result.questions.some((it) => it.chance !== null && !it.why) ? h("p", { className: "quiet small" }, "±: only so many futures were drawn. In 19 of 20 runs the true chance lies within so many points of the one shown; more futures make it smaller.") : null,
  );
}

/** One question more, by a form: it joins the plan that is open, which is run. `typed` outlives a drawing, `typed.wrong` too. */
export function askAnother(typed, title, ask) {
  const field = (name, label, placeholder) => {
    const wrong = typed.wrong?.field === name;
    const told = { "aria-invalid": wrong ? "true" : undefined, "aria-describedby": wrong ? `ask-${name}-wrong` : undefined };
    const input = h("input", { type: "text", maxLength: 120, value: typed[name], placeholder, id: `ask-${name}`, ...told, oninput: (e) => { typed[name] = e.target.value; } });
    return h("div", { className: "ask-field" }, h("label", { htmlFor: input.id }, label), input, wrong ? h("p", { className: "wrong small", id: `ask-${name}-wrong`, role: "alert" }, typed.wrong.text) : null);
  };
  const send = (event) => {
    event.preventDefault();
    ask();
  };
  return h(
    "form",
    { className: "ask-another", onsubmit: send },
    h("h3", {}, "How likely is it? ", h("span", { className: "quiet small" }, `asked of: ${title}`)),
    field("figure", "Figure", "germany brp"),
    field("is", "Is", "200"),
    field("at", "At", "1942"),
    h("button", { type: "submit", className: "small", id: "ask-another" }, "Ask and run"),
    h("p", { className: "quiet small" }, "200 means at least 200; < 200 and = 200 are understood too, and nothing there asks how much it is. 1942 is its year start; turns are written Winter 1942."),
    typed.wrong && !typed.wrong.field ? h("p", { className: "wrong small", role: "alert" }, typed.wrong.text) : null,
  );
}

export function breaks(run, choose) {
  const { breaks: found, finished, futures } = run.result;
  const which = (it) =>
    h(
      "details",
      {},
      h("summary", {}, percent(it.futures / Math.max(1, futures)), h("small", { className: "quiet" }, count(it.futures))),
      h("div", { className: "which" }, it.which.map((n) => h("button", { type: "button", className: "link", "aria-label": `Draw future ${n}`, onclick: () => choose(n) }, String(n))), it.which.length < it.futures ? " …" : null),
    );
  const row = (it) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("code", {}, it.order), h("small", { className: "quiet" }, it.text)),
      h("td", {}, it.clauses.map((c) => chip(c, true))),
      h("td", { className: "r" }, which(it)),
      h("td", {}, it.first),
    );
  return h(
    "section",
    { className: "breaks" },
    h("h3", {}, "Where it breaks ", h("span", { className: "quiet small" }, `${count(finished)} of ${count(futures)} to the end`)),
    found.length ? h("table", { className: "plain-table" }, h("tbody", {}, found.map(row))) : h("p", { className: "quiet" }, "Nowhere: every order was accepted in every future."),
  );
}

/** One future: the worst, a middling one, the best for the asked figure, the first that breaks, or any by its number.
 * Where one future is several of these, one button says so. */
export function oneFuture(run, choose, open) {
  // What was typed outlives a drawing that was asked for before it.
  const number = h("input", { type: "number", min: 0, max: run.run.samples - 1, value: looking.typed ?? String(looking.future ?? 0), oninput: () => { looking.typed = number.value; }, "aria-label": "Which future", id: "which-future" });
  const question = run.result.questions[looking.asked];
  const broken = run.result.breaks.flatMap((it) => it.which);
  const wanted = [...(question?.futures ? [["Lowest", question.worst], ["Near the median", question.near], ["Highest", question.best]] : []), ...(broken.length ? [["First broken", Math.min(...broken)]] : [])];
  const picks = [...new Set(wanted.map(([, n]) => n))].map((n) => [capital(these(wanted.filter((it) => it[1] === n).map(([label]) => label.toLowerCase()))), n]);
  const fate = Object.entries(run.fate).map(([thing, went]) => `${thing}: ${went}`).join(", ");
  return h(
    "section",
    {},
    h("h3", {}, "One future"),
    picks.length ? h("div", { className: "switch", role: "group", "aria-label": "Which future" }, picks.map(([label, n]) => h("button", { type: "button", "aria-pressed": String(n === looking.future), onclick: () => choose(n) }, label))) : null,
    h("p", {}, "Number ", number, " ", h("button", { type: "button", className: "small", onclick: () => choose(Number(number.value)) }, "Draw it"), " ", h("button", { type: "button", className: "push", id: "open-future", onclick: () => open(Number(number.value)) }, "Open as a game")),
    h("p", { className: "quiet small" }, looking.future === null ? "" : `Future ${count(looking.future)}: ${fate || "nothing is uncertain in it"}. `, "It opens as a copy of this table, played to its end."),
  );
}

// -- side by side --------------------------------------------------------------------------------------------------

/** Another run, or what happened, to stand beside this one. */
export function compareWith(run, runs, act) {
  const others = runs.filter((it) => it.id !== run.run.id && it.done);
  const choose = (value) =>
    act(async () => {
      looking.beside = value ? await fetched(run.run.id, value === "happened" ? "" : value) : null;
    });
  const select = h(
    "select",
    { "aria-label": "Compare with", onchange: (e) => choose(e.target.value) },
    h("option", { value: "" }, "Compare with…"),
    h("option", { value: "happened" }, "what happened here"),
    others.map((it) => h("option", { value: it.id }, `${it.title}, ${count(it.done)} futures from move ${it.at}`)),
  );
  select.value = looking.beside ? looking.beside.other || "happened" : "";
  return select;
}

async function fetched(id, other) {
  const [told, its] = await Promise.all([table.get(`/plans/runs/${id}/compare`, { other }), other ? table.get(`/plans/runs/${other}`) : null]);
  return { of: id, other, told, result: its?.result ?? null };
}

function beside() {
  if (!looking.beside) return null;
  const { told } = looking.beside;
  const lines = told.figures.filter((it) => it.figure.startsWith(`${looking.power} `));
  const spread = ({ median, low, high }) => [h("b", {}, String(median)), low === high ? null : h("small", { className: "quiet" }, ` ${low} to ${high}`)];
  const row = (it) => h("tr", {}, h("th", { scope: "row" }, it.figure.slice(looking.power.length + 1)), h("td", {}, it.turn), h("td", { className: "r" }, spread(it.one)), h("td", { className: "r" }, spread(it.other)), h("td", { className: "r" }, it.difference > 0 ? `+${it.difference}` : String(it.difference).replace("-", "−")));
  const share = (v) => (v === null ? "–" : percent(v));
  return h(
    "section",
    { className: "beside" },
    h("h3", {}, "Side by side ", h("span", { className: "quiet small" }, `${nameOf(looking.power)}: medians, nine in ten; only what differs`)),
    lines.length
      ? h("table", { className: "plain-table" }, h("thead", {}, h("tr", {}, ["Figure", "Turn", told.one, told.other, "Difference"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, lines.map(row)))
      : h("p", { className: "quiet" }, "They do not differ for this power in any turn that both know."),
    told.questions.length ? h("ul", { className: "small" }, told.questions.filter((it) => it.one !== null).map((it) => h("li", {}, `${it.question}: ${share(it.one)} and ${share(it.other)}`))) : null,
  );
}
