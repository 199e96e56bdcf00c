// Plans: written, run in many futures, read, put side by side; stewards, standing orders and advice stand beside them.

import { $, fill, h, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { minders, suggest } from "./plan-minders.js";
import { askAnother, breaks, charts, compareWith, looking, oneFuture, progress, questions } from "./plan-result.js";
import { store } from "./store.js";

const HELP = [
  ["until: Winter 1942", "the last turn that is played"],
  ["uncertain: {Paris falls: {chance: 80%}}", "what the rules do not decide: chance, one of, between, dice; each: turn or year"],
  ["orders: - {when: \"Summer 1941, Axis, declarations of war\", do: declare_war, ...}", "commands with their moment; each, from, until, in; if and while"],
  ["if: Paris is German and usat < 30", "conditions on places, figures, wars, times and what is uncertain"],
  ["keep: {germany: {build: [armor 4-6], leave: 40}}", "preferences: mobilize, build, build_at, leave, reserve, shipbuilding, aid, nothing_else"],
  ["ask: - {question: ..., at: Spring 1943, figure: germany base, is: \">= 200\"}", "questions, answered with their chance"],
  ["choose: {saved: {from: 0, to: 80, by: 20}}, want: [{most: germany base, at: Spring 1942}]", "decisions left open and what is wanted: one of, order of, from and to; never"],
];
let page = null;
let written = { name: "", text: "" };
let run = null;
let timer = null;
let samples = 200;
let seed = 1940;
const asked = { figure: "", is: "", at: "", wrong: null };

const shown = (el) => el.isConnected && document.body.dataset.view === "plans";

/** Trouble is told where it arose; anything else is a fault of ours. */
async function attempt(el, work, redraw = draw) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
  if (shown(el)) redraw(el);
}

/** Do something that changes what the page lists, and read it anew. */
const change = (el) => (work) =>
  attempt(el, async () => {
    await work();
    page = await table.get("/plans");
  });

// -- the plan ------------------------------------------------------------------------------------------------------

function choose(el) {
  const options = [
    h("option", { value: `shipped/${page.here.name}` }, `${page.here.title}: the position as it is, no orders`),
    h("optgroup", { label: "Shipped" }, page.shipped.map((p) => h("option", { value: `shipped/${p.name}` }, p.title))),
    page.mine.length ? h("optgroup", { label: "Mine" }, page.mine.map((p) => h("option", { value: `mine/${p.name}` }, p.name))) : null,
  ];
  const select = h("select", { "aria-label": "Which plan", onchange: () => take(el, select.value) }, options);
  select.value = page.mine.some((p) => p.name === written.name) ? `mine/${written.name}` : `shipped/${written.name}`;
  return select;
}

function take(el, value) {
  const [kind, name] = value.split("/");
  const found = (kind === "mine" ? page.mine : [page.here, ...page.shipped]).find((p) => p.name === name);
  if (found) written = { name: found.name, text: found.text };
  draw(el);
}

function editor(el) {
  const name = h("input", { type: "text", maxLength: 60, value: written.name, "aria-label": "Name of the plan" });
  const text = h("textarea", { value: written.text, rows: 16, spellcheck: false, "aria-label": "The plan, as YAML" });
  text.addEventListener("input", () => (written.text = text.value));
  name.addEventListener("input", () => (written.name = name.value));
  const keep = () =>
    change(el)(async () => {
      const told = await table.put("/plans", { name: written.name, text: written.text });
      toast(`Kept: ${told.title}, ${told.orders} orders.`);
    });
  return h(
    "section",
    { className: "plan-text" },
    h("h3", {}, "The plan ", h("span", { className: "quiet small" }, `${written.text.split("\n").length} lines`)),
    h("p", {}, name, " ", h("button", { type: "button", className: "small", onclick: keep }, "Keep as mine")),
    text,
    h("details", {}, h("summary", {}, "How a plan is written"), h("dl", { className: "small" }, HELP.map(([key, told]) => [h("dt", {}, h("code", {}, key)), h("dd", {}, told)]))),
  );
}

/** Run the plan, with one question more if there is one; what is written becomes the plan that the server has taken. */
async function begin(el, more) {
  const made = await table.post("/plans/runs", { text: written.text, samples, seed, ...(store.at === null ? {} : { at: store.at }), ...more });
  looking.future = looking.typed = null;
  await open(el, made.id);
  written.text = run.text;
}

const start = (el) => change(el)(() => begin(el));

/** Ask one thing more. What is wrong is told at its field of the form, what else goes wrong beneath it. */
const askMore = (el) =>
  change(el)(async () => {
    const { figure, is, at } = asked;
    asked.wrong = null;
    try {
      await begin(el, { ask: { figure, is, at } });
      looking.asked = 0;
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      asked.wrong = { field: error.body.field ?? "", text: error.message };
    }
  }).then(() => asked.wrong?.field && $(`#ask-${asked.wrong.field}`, el)?.focus());

const titleOf = (text) => /^plan:[ \t]*(.*)$/m.exec(text)?.[1] || "the plan below";

function runBar(el) {
  const number = (value, label, set, most) =>
    h("label", {}, `${label} `, h("input", { type: "number", min: 0, max: most, value: String(value), onchange: (e) => set(Number(e.target.value)) }));
  return h(
    "div",
    { className: "run-bar" },
    number(samples, "Futures", (v) => (samples = Math.max(1, v)), page.most_futures),
    number(seed, "Seed", (v) => (seed = v), 2 ** 31),
    h("button", { type: "button", className: "push", id: "run-plan", onclick: () => start(el) }, store.at === null ? "Run from here" : `Run from move ${store.at}`),
    /^choose:/m.test(written.text) ? h("button", { type: "button", id: "find-best", onclick: () => change(el)(() => begin(el, { best: true })) }, "Find the best") : null,
    page.runs.length
      ? h("select", { "aria-label": "Earlier runs", onchange: (e) => attempt(el, () => { looking.future = looking.typed = null; return open(el, e.target.value); }) }, h("option", { value: "" }, "Earlier runs"), page.runs.map((r) => h("option", { value: r.id, selected: r.id === run?.run.id }, `${r.title}, ${r.done} ${r.search ? "plans tried" : "futures"}`)))
      : null,
    run?.result ? compareWith(run, page.runs, (work) => attempt(el, work)) : null,
  );
}

// -- a run ---------------------------------------------------------------------------------------------------------

async function open(el, id) {
  if (!id) return;
  const going = run?.run.id === id && run.run.state === "running";
  run = await table.get(`/plans/runs/${id}`, { future: looking.future });
  if (run.run.search && run.run.done) run.counsel = await table.get(`/plans/runs/${id}/counsel.html`);
  if (going && run.run.state !== "running") page = await table.get("/plans");
  if (looking.beside && looking.beside.of !== id) looking.beside = null;
  looking.asked = Math.min(looking.asked, Math.max(0, (run.result?.questions.length ?? 0) - 1));
  clearTimeout(timer);
  if (run.run.state === "running") timer = setTimeout(() => shown(el) && attempt(el, () => open(el, id), drawRun), 1200);
}

const result = (el) => {
  const form = askAnother(asked, titleOf(written.text), () => askMore(el));
  if (!run?.result) return form;
  const choose = (future) => attempt(el, async () => { looking.future = future; looking.typed = null; await open(el, run.run.id); });
  const go = (future) => attempt(el, async () => { location.href = (await table.post(`/plans/runs/${run.run.id}/open`, { future })).url; });
  return [questions(run, () => draw(el)), form, breaks(run, choose), oneFuture(run, choose, go)];
};

const bar = (el) => (run ? progress(run, (work) => attempt(el, async () => { await work(); await open(el, run.run.id); })) : null);

const lead = () => h("p", { className: "quiet lead" }, "Choose a plan, or write one, and run it: it is played by the rules from the position you look at, in as many futures as you say. What the rules do not decide is drawn by the plan's chances.");

/** What the run shows: charts; of a search what it says, as the server wrote it. Its best plan can be taken as one's own. */
function main(el) {
  if (run?.result) return charts(run, () => draw(el));
  if (!run?.counsel) return lead();
  const mine = async () => (written = { name: "the best found", text: (await table.get(`/plans/runs/${run.run.id}/counsel`)).text || written.text });
  const said = h("div", { innerHTML: run.counsel });
  return [run.run.state === "done" ? h("p", {}, h("button", { type: "button", className: "push", id: "take-best", onclick: () => attempt(el, mine) }, "Take it as my plan"), " to run it, open it as a game, or leave it as a standing order.") : null, said];
}

/** While a run goes on only what it shows is drawn anew; where someone is typing, nothing is. */
function drawRun(el) {
  const parts = [[".plan-bar-place", bar(el)], [".plan-charts", main(el)], [".plan-results", result(el)]];
  for (const [where, parts_] of parts) {
    const box = $(where, el);
    if (box && !box.contains(document.activeElement)) fill(box, [parts_]);
  }
  if (run?.run.state !== "running") draw(el);
}

// -- the page ------------------------------------------------------------------------------------------------------

function draw(el) {
  const focus = document.activeElement?.id;
  fill(
    el,
    h("header", {}, h("h2", { className: "page" }, run?.result?.plan ?? "Plans"), h("span", { className: "chosen" }, choose(el)), runBar(el)),
    h("div", { className: "plan-bar-place" }, bar(el)),
    h(
      "div",
      { className: "plan-grid" },
      h("div", {}, h("div", { className: "plan-charts" }, main(el)), minders(page, change(el), () => written.text)),
      h("div", { className: "plan-side" }, h("div", { className: "plan-results" }, result(el)), editor(el)),
    ),
  );
  if (focus) $(`#${focus}`)?.focus({ preventScroll: true });
}

/** The page of plans; with a power, what its steward would do now is shown at once. */
export async function showPlans(el, advised) {
  page = await table.get("/plans");
  const first = page.later ? page.here : page.shipped.find((p) => p.name === "germany-grows-first") ?? page.shipped[0];
  if (!written.text && first) written = { name: first.name, text: first.text };
  if (!run && page.runs.length) await open(el, page.runs[0].id);
  if (advised) await suggest(advised);
  draw(el);
  if (advised) $(".advice", el)?.scrollIntoView({ block: "center" });
}
