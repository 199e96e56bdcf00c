// Plans: written, run in many futures, one of them opened; stewards and standing orders; advice for the moment.

import { $, chip, fill, h, nameOf, seal, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { chartsOf, legend, mattersRows } from "./plan-chart.js";
import { perform, store } from "./store.js";

const POWERS = ["germany", "italy", "japan", "britain", "france", "russia", "usa", "china"];
const HELP = [
  ["until: Winter 1942", "the last turn that is played"],
  ["uncertain: {Paris falls: {chance: 80%}}", "what the rules do not decide: chance, one of, between, dice; each: turn or year"],
  ["orders: - {when: \"Summer 1941, Axis, declarations of war\", do: declare_war, ...}", "commands with their moment; each, from, until, in; if and while"],
  ["if: Paris is German and usat < 30", "conditions on places, figures, wars, times and what is uncertain"],
  ["keep: {germany: {build: [armor 4-6], leave: 40}}", "preferences: mobilize, build, build_at, leave, reserve, shipbuilding, aid"],
  ["ask: - {question: ..., at: Spring 1943, figure: germany base, is: \">= 200\"}", "questions, answered with their chance"],
];
const ONE_LINE = {
  build: ["builds like this", "armor 4-6, infantry 3-3", (p, how) => `plan: Build like this\nuntil: Winter 1946\nkeep:\n  ${p}: {build: [${how}]}\n`],
  mobilize: ["mobilizes like this", "army air, infantry 1-3", (p, how) => `plan: Mobilize like this\nuntil: Winter 1946\nkeep:\n  ${p}: {mobilize: [${how}]}\n`],
  pass: ["passes until the end of", "Winter 1940", (p, how) => `plan: Pass until ${how}\nuntil: ${how}\nkeep:\n  ${p}: {reserve: 100000}\n`],
};
let page = null;
let written = { name: "", text: "" };
let run = null;
let power = "germany";
let asked = 0;
let future = null;
let timer = null;
let samples = 200;
let seed = 1940;

/** Trouble is told where it arose; anything else is a fault of ours. */
async function attempt(el, work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
  if (el.isConnected && document.body.dataset.view === "plans") draw(el);
}

const percent = (share) => `${(share * 100).toFixed(1)} %`;
const margin = (it) => `± ${(196 * Math.sqrt((it.chance * (1 - it.chance)) / Math.max(1, it.futures))).toFixed(1)}`;

// -- the plan ------------------------------------------------------------------------------------------------------

function choose(el) {
  const options = [
    h("optgroup", { label: "Shipped" }, page.shipped.map((p) => h("option", { value: `shipped/${p.name}` }, p.title))),
    page.mine.length ? h("optgroup", { label: "Mine" }, page.mine.map((p) => h("option", { value: `mine/${p.name}` }, p.name))) : null,
  ];
  const select = h("select", { "aria-label": "Which plan", onchange: () => take(el, select.value) }, options);
  select.value = page.mine.some((p) => p.name === written.name) ? `mine/${written.name}` : `shipped/${written.name}`;
  return select;
}

function take(el, value) {
  const [kind, name] = value.split("/");
  const found = (kind === "mine" ? page.mine : page.shipped).find((p) => p.name === name);
  if (found) written = { name: found.name, text: found.text };
  draw(el);
}

function editor(el) {
  const name = h("input", { type: "text", maxLength: 60, value: written.name, "aria-label": "Name of the plan" });
  const text = h("textarea", { value: written.text, rows: 16, spellcheck: false, "aria-label": "The plan, as YAML" });
  text.addEventListener("input", () => (written.text = text.value));
  name.addEventListener("input", () => (written.name = name.value));
  const keep = () =>
    attempt(el, async () => {
      const told = await table.put("/plans", { name: written.name, text: written.text });
      page = await table.get("/plans");
      toast(`Kept: ${told.title}, ${told.orders} orders.`);
    });
  const lines = written.text.split("\n").length;
  return h(
    "section",
    { className: "plan-text" },
    h("h3", {}, "The plan ", h("span", { className: "quiet small" }, `${lines} lines`)),
    h("p", {}, name, " ", h("button", { type: "button", className: "small", onclick: keep }, "Keep as mine")),
    text,
    h(
      "details",
      {},
      h("summary", {}, "How a plan is written"),
      h(
        "dl",
        { className: "small" },
        HELP.map(([key, told]) => [h("dt", {}, h("code", {}, key)), h("dd", {}, told)]),
      ),
    ),
  );
}

function runBar(el) {
  const number = (value, label, set, most) =>
    h("label", {}, `${label} `, h("input", { type: "number", min: 0, max: most, value: String(value), onchange: (e) => set(Number(e.target.value)) }));
  const start = () =>
    attempt(el, async () => {
      const made = await table.post("/plans/runs", { text: written.text, samples, seed, ...(store.at === null ? {} : { at: store.at }) });
      future = null;
      await open(el, made.id);
    });
  return h(
    "div",
    { className: "run-bar" },
    number(samples, "Futures", (v) => (samples = Math.max(1, v)), page.most_futures),
    number(seed, "Seed", (v) => (seed = v), 2 ** 31),
    h("button", { type: "button", className: "push", id: "run-plan", onclick: start }, store.at === null ? "Run from here" : `Run from move ${store.at}`),
    page.runs.length
      ? h(
          "select",
          { "aria-label": "Earlier runs", onchange: (e) => attempt(el, () => open(el, e.target.value)) },
          h("option", { value: "" }, "Earlier runs"),
          page.runs.map((r) => h("option", { value: r.id, selected: r.id === run?.run.id }, `${r.title}, ${r.done} futures`)),
        )
      : null,
  );
}

// -- a run ---------------------------------------------------------------------------------------------------------

async function open(el, id) {
  if (!id) return;
  run = await table.get(`/plans/runs/${id}`, { future });
  clearTimeout(timer);
  if (run.run.state === "running") timer = setTimeout(() => el.isConnected && document.body.dataset.view === "plans" && attempt(el, () => open(el, id)), 1200);
}

function progress(el) {
  const it = run.run;
  const words = { running: "figures are of the futures so far", done: "all futures are played", stopped: "stopped; figures are of the futures so far", failed: it.trouble };
  return h(
    "div",
    { className: "progress", role: "status" },
    h("progress", { max: it.samples, value: it.done, "aria-label": "Futures played" }),
    h("b", {}, it.done.toLocaleString("en")),
    ` of ${it.samples.toLocaleString("en")} futures · seed ${it.seed} · from move ${it.at} · ${words[it.state]} `,
    it.state === "running"
      ? h("button", { type: "button", className: "small", onclick: () => attempt(el, async () => { await table.post(`/plans/runs/${it.id}/stop`); await open(el, it.id); }) }, "Stop")
      : h("a", { className: "small", href: table.link(`/plans/runs/${it.id}/figures.csv`) }, "Save as CSV"),
  );
}

function questions(el) {
  const rows = run.result.questions.map((it, i) =>
    h(
      "tr",
      { className: i === asked ? "here" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", className: "link", "aria-pressed": String(i === asked), onclick: () => { asked = i; draw(el); } }, it.question), h("small", { className: "quiet" }, ` ${it.at}`)),
      h("td", { className: "r" }, it.chance === null ? String(it.median) : percent(it.chance)),
      h("td", { className: "r quiet" }, it.chance === null ? `${it.low} to ${it.high}` : margin(it)),
    ),
  );
  return h("section", {}, h("h3", {}, "Questions ", h("span", { className: "quiet small" }, "chance, or median and nine in ten")), rows.length ? h("table", { className: "plain-table" }, h("tbody", {}, rows)) : h("p", { className: "quiet" }, "The plan asks nothing."));
}

function breaks() {
  const { breaks: found, finished, futures } = run.result;
  return h(
    "section",
    {},
    h("h3", {}, "Where it breaks ", h("span", { className: "quiet small" }, `${finished.toLocaleString("en")} of ${futures.toLocaleString("en")} to the end`)),
    found.length
      ? h(
          "table",
          { className: "plain-table" },
          h("tbody", {}, found.map((it) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, it.order), h("small", { className: "quiet" }, ` ${it.text}`)), h("td", {}, it.clauses.map((c) => chip(c, true))), h("td", { className: "r" }, percent(it.futures / Math.max(1, futures))), h("td", {}, it.first)))),
        )
      : h("p", { className: "quiet" }, "Nowhere: every order was accepted in every future."),
  );
}

function oneFuture(el) {
  const number = h("input", { type: "number", min: 0, max: run.run.samples - 1, value: String(future ?? 0), "aria-label": "Which future" });
  const draw_ = () => attempt(el, async () => { future = Number(number.value); await open(el, run.run.id); });
  const go = () =>
    attempt(el, async () => {
      const made = await table.post(`/plans/runs/${run.run.id}/open`, { future: Number(number.value) });
      location.href = made.url;
    });
  return h(
    "section",
    {},
    h("h3", {}, "One future"),
    h("p", {}, "Number ", number, " ", h("button", { type: "button", className: "small", onclick: draw_ }, "Draw it"), " ", h("button", { type: "button", className: "push", id: "open-future", onclick: go }, "Open as a game")),
    h("p", { className: "quiet small" }, "It opens as a copy of this table, played to its end."),
  );
}

function charts(el) {
  const pick = h("div", { className: "switch", role: "group", "aria-label": "Power" }, POWERS.map((p) => h("button", { type: "button", "aria-pressed": String(p === power), onclick: () => { power = p; draw(el); } }, nameOf(p))));
  return h("section", { className: "fans" }, h("header", {}, pick, legend()), chartsOf(run.result, power, run.one, run.happened), h("h3", {}, "What matters ", h("span", { className: "quiet small" }, `for: ${run.result.questions[asked]?.question ?? "nothing is asked"}`)), mattersRows(run.result.questions[asked]));
}

// -- who minds what ------------------------------------------------------------------------------------------------

function minder(el, it) {
  const leave = (body) => attempt(el, async () => { await table.put(`/minders/${it.power}`, body); page = await table.get("/plans"); });
  const lift = () => attempt(el, async () => { await table.drop(`/minders/${it.power}`); page = await table.get("/plans"); });
  const how = it.minded ? `${it.own_plan ? "a standing order" : "its steward"}${it.mode === "show" ? ", which only shows" : ""}, since ${it.by} left it so` : it.seat ? `by hand: ${it.seat}` : "nobody";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, seal(it.power), ` ${it.name}`),
    h("td", {}, how, it.stopped ? h("p", { className: "deny small" }, `Stopped: ${it.stopped}`) : null),
    h(
      "td",
      { className: "r" },
      it.mine
        ? [
            h("button", { type: "button", className: "small", onclick: () => leave({ mode: "act" }) }, "Steward"),
            " ",
            h("button", { type: "button", className: "small", title: "It shows its orders, and gives them when you say so", onclick: () => leave({ mode: "show" }) }, "Shown first"),
            " ",
            h("button", { type: "button", className: "small", onclick: () => leave({ text: written.text, mode: "act" }) }, "This plan"),
            " ",
            it.minded ? h("button", { type: "button", className: "small", onclick: lift }, "By hand") : null,
            " ",
            h("button", { type: "button", className: "small", dataset: { suggest: it.power }, onclick: () => attempt(el, () => suggest(it.power)) }, "Suggest"),
          ]
        : null,
    ),
  );
}

let advice = null;
async function suggest(whose) {
  advice = await table.get("/suggest", { power: whose });
}

function advised(el) {
  if (!advice) return null;
  const give = () =>
    attempt(el, async () => {
      const shown = page.minders.find((it) => it.power === advice.power);
      if (shown?.minded) await table.post(`/minders/${advice.power}/give`);
      else for (const order of advice.orders) await perform("/do", order.command);
      toast(`${advice.orders.length} order${advice.orders.length === 1 ? "" : "s"} given.`);
      advice = null;
      page = await table.get("/plans");
    });
  const change = (name, it) => (it.stands === it.becomes ? `${name} ${it.stands}` : `${name} ${it.stands} → ${it.becomes}`);
  return h(
    "div",
    { className: "advice", role: "status" },
    h("h3", {}, seal(advice.power), ` What ${nameOf(advice.power)} would do now`),
    advice.orders.length ? h("ol", {}, advice.orders.map((o) => h("li", {}, o.text, " ", h("small", { className: "quiet" }, o.why)))) : h("p", {}, "Nothing at this moment."),
    advice.stuck ? h("p", { className: "deny" }, `No answer: ${advice.stuck}`) : null,
    h("p", { className: "quiet" }, `At the next year start, as it stands: ${change("base", advice.base)}, ${change("total", advice.total)}.`),
    advice.orders.length ? h("button", { type: "button", className: "push", onclick: give }, "Give these orders") : null,
  );
}

/** A plan of one line, by a form: what to mobilize or build, or to pass until a turn. */
function oneLine(el) {
  const mine = page.minders.filter((it) => it.mine);
  if (!mine.length) return null;
  const whose = h("select", { "aria-label": "Power" }, mine.map((it) => h("option", { value: it.power }, it.name)));
  const what = h("select", { "aria-label": "Standing order" }, Object.entries(ONE_LINE).map(([id, [label]]) => h("option", { value: id }, label)));
  const how = h("input", { type: "text", maxLength: 200, placeholder: ONE_LINE.build[1], "aria-label": "How" });
  what.addEventListener("change", () => (how.placeholder = ONE_LINE[what.value][1]));
  const leave = () =>
    attempt(el, async () => {
      await table.put(`/minders/${whose.value}`, { text: ONE_LINE[what.value][2](whose.value, how.value || how.placeholder), mode: "act" });
      page = await table.get("/plans");
      toast(`${nameOf(whose.value)} is left to a standing order.`);
    });
  return h("p", { className: "one-line" }, whose, " ", what, " ", how, " ", h("button", { type: "button", className: "small", id: "leave-order", onclick: leave }, "Leave it so"));
}

const minders = (el) =>
  h(
    "section",
    { className: "minders" },
    h("h3", {}, "Stewards and standing orders"),
    oneLine(el),
    h("p", { className: "quiet" }, "A steward keeps economy, mobilization, construction, aid, garrisons and duties; it never invents combat. The log says of each of its orders that it gave it, and why."),
    advised(el),
    h("table", { className: "plain-table" }, h("tbody", {}, page.minders.map((it) => minder(el, it)))),
  );

// -- the page ------------------------------------------------------------------------------------------------------

function draw(el) {
  const focus = document.activeElement?.id;
  fill(
    el,
    h("header", {}, h("h2", { className: "page" }, run?.result?.plan ?? "Plans"), h("span", { className: "chosen" }, choose(el)), runBar(el)),
    run ? progress(el) : null,
    h(
      "div",
      { className: "plan-grid" },
      run?.result ? charts(el) : h("p", { className: "quiet lead" }, "Choose a plan, or write one, and run it: it is played by the rules from the position you look at, in as many futures as you say. What the rules do not decide is drawn by the plan's chances."),
      h("div", { className: "plan-side" }, run?.result ? [questions(el), breaks(), oneFuture(el)] : null, editor(el), minders(el)),
    ),
  );
  if (focus) $(`#${focus}`)?.focus({ preventScroll: true });
}

export async function showPlans(el) {
  page = await table.get("/plans");
  const first = page.shipped.find((p) => p.name === "germany-grows-first") ?? page.shipped[0];
  if (!written.text && first) written = { name: first.name, text: first.text };
  if (!run && page.runs.length) await open(el, page.runs[0].id);
  draw(el);
}
