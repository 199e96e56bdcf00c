// Plans: written, run in many futures, read, put side by side; stewards, standing orders and advice stand beside them.

import { $, firstPower, toast } from "./dom.js";
import { Trouble, attempt, table } from "./api.js";
import { faulty, handFace, pointAt } from "./plan-hand.js";
import { minders } from "./plan-minders.js";
import { askAnother, charts, compareWith, drawn, looking, progress, results } from "./plan-result.js";
import { chancesFace, lookAtChances } from "./plan-map.js";
import { served } from "./served.js";
import { store } from "./store.js";
import { batch, elements, html, signal, state, switcher } from "./ui.js";

/** What the server lists, the plan that is written, its run, and which of its faces is looked at; `yaml`: the text in
 * place of odds and preferences. */
const its = state({ page: null, name: "", text: "", run: null, yaml: false, samples: 200, seed: 1940 });
const asked = state({ figure: "", is: "", at: "", wrong: null });
const face = signal(localStorage.getItem("warcabinet-plan-face") ?? "figures");
let timer = null;

/** Do something that changes what the page lists, and read it anew. */
const change = (work) =>
  attempt(async () => {
    await work();
    its.page = await table.get("/plans");
  });

// -- the plan ------------------------------------------------------------------------------------------------------

function choose({ here, mine, shipped, best }) {
  const chosen = mine.some((p) => p.name === its.name) ? `mine/${its.name}` : `shipped/${its.name}`;
  const option = (kind, p, title) => html`<option value=${`${kind}/${p.name}`}>${title}</option>`;
  const take = ({ target }) => {
    const [kind, name] = target.value.split("/");
    write((kind === "mine" ? mine : [here, ...shipped, ...best]).find((p) => p.name === name));
  };
  return html`<select aria-label="Which plan" value=${chosen} onchange=${take}>
    ${option("shipped", here, `${here.title}: the position as it is, no orders`)}
    ${best.length > 0 && html`<optgroup label="Own powers, from here">${best.map((p) => option("shipped", p, p.title))}</optgroup>`}
    <optgroup label="Shipped">${shipped.map((p) => option("shipped", p, p.title))}</optgroup>
    ${mine.length > 0 && html`<optgroup label="Mine">${mine.map((p) => option("mine", p, p.name))}</optgroup>`}
  </select>`;
}

const write = ({ name, text }) => batch(() => Object.assign(its, { name, text }));

function editor() {
  const keep = () =>
    change(async () => {
      const told = await table.put("/plans", { name: its.name, text: its.text });
      toast(`Kept: ${told.title}, ${told.orders} orders.`);
    });
  return html`<section class="plan-text" oninput=${({ target }) => (its[target.name] = target.value)}>
    <h3>The plan <span class="quiet small">${its.text.split("\n").length} lines</span></h3>
    <p>
      <input type="text" name="name" maxLength="60" value=${its.name} aria-label="Name of the plan" />${" "}
      <button class="small" onclick=${keep}>Keep as mine</button>
    </p>
    <textarea name="text" value=${its.text} rows="16" spellcheck=${false} aria-label="The plan, as YAML" />
    <details>
      <summary>How a plan is written</summary>
      ${elements($("#plan-help").innerHTML)}
    </details>
  </section>`;
}

const showFaults = (error) => { if (/, line \d+:/.test(error.message)) turnTo("plan"); throw error; };
/** Run the plan, with one question more if there is one; what is written becomes the plan that the server has taken. */
async function begin(more) {
  const { text, samples, seed } = its;
  const made = await table.post("/plans/runs", { text, samples, seed, at: store.at, ...more }).catch(showFaults);
  await look(made.id);
  its.text = its.run.text;
}

/** Ask one thing more. What is wrong is told at its field of the form, what else goes wrong beneath it. */
async function askMore() {
  asked.wrong = null;
  await change(async () => {
    try {
      looking.asked = 0;
      await begin({ ask: { figure: asked.figure, is: asked.is, at: asked.at } });
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      asked.wrong = { field: error.body.field ?? "", text: error.message };
      $(`#ask-${asked.wrong.field}`)?.focus();
    }
  });
}

const titleOf = (text) => /^plan:[ \t]*(.*)$/m.exec(text)?.[1] || "the plan below";

function runBar(page) {
  const { run } = its;
  const number = (name, label, least, most) => html`<label>
    ${label} <input type="number" min="0" max=${most} value=${its[name]}
      oninput=${(e) => (its[name] = Math.max(least, Number(e.target.value)))} />
  </label>`;
  const toMend = face.value === "plan" && faulty() > 0;
  return html`<div class="run-bar">
    ${number("samples", "Futures", 1, page.most_futures)}${number("seed", "Seed", 0, 2 ** 31)}
    <button class="push" id="run-plan" disabled=${toMend} title=${toMend ? "mend what is marked first" : ""}
      onclick=${() => change(() => begin())}>${store.at === null ? "Run from here" : `Run from move ${store.at}`}</button>
    ${/^choose:/m.test(its.text) && html`<button id="find-best" onclick=${() => change(() => begin({ best: true }))}>Find the best</button>`}
    ${page.runs.length > 0 && html`<select aria-label="Earlier runs" onchange=${(e) => attempt(() => look(e.target.value))}>
      <option value="">Earlier runs</option>
      ${page.runs.map((r) => html`<option value=${r.id} selected=${r.id === run?.run.id}>${r.title}, ${r.done} ${r.search ? "plans tried" : "futures"}</option>`)}
    </select>`}
    ${run && (run.result || run.run.state === "done") && compareWith(run, page.runs, run.result ? other : compareBest)}
  </div>`;
}

// -- a run ---------------------------------------------------------------------------------------------------------

/** Look at a run, and at one of its futures; otherwise at the one that is open. */
const look = (id, future = null) => {
  looking.future = future;
  return open(id);
};
const other = (how) => {
  Object.assign(looking, how);
  return attempt(() => open(its.run.run.id));
};

async function open(id) {
  if (!id) return;
  const going = its.run?.run.id === id && its.run.run.state === "running";
  const run = await table.get(`/plans/runs/${id}`, { future: looking.future });
  if (run.run.search && run.run.done) run.counsel = await table.get(`/plans/runs/${id}/counsel.html`);
  if (going && run.run.state !== "running") its.page = await table.get("/plans");
  if (face.value === "map" && run.result) await lookAtChances(run);
  if (its.run?.run.id !== id) looking.beside = "";
  looking.power ||= firstPower();
  looking.asked = Math.min(looking.asked, Math.max(0, (run.result?.questions.length ?? 0) - 1));
  if (run.result) [run.charts, run.results] = await drawn(id);
  its.run = run;
  clearTimeout(timer);
  const shown = () => document.body.dataset.view === "plans";
  if (run.run.state === "running") timer = setTimeout(() => shown() && attempt(() => open(id)), 1200);
}

function result(run) {
  const form = askAnother(asked, titleOf(its.text), askMore);
  if (!run?.result) return form;
  const future = (n) => attempt(() => look(run.run.id, n));
  return [results(run, other, future, openFuture), form];
}

const bar = (run) =>
  run && progress(run, (work) => attempt(async () => {
    await work();
    await open(run.run.id);
  }));

const lead = html`<p class="quiet lead">
  Choose a plan, or write one, and run it: it is played by the rules from the position you look at, in as many futures as you say. What the rules do not decide is drawn by the plan's chances.
</p>`;

/** What the search that is looked at has found: its best plan, or another one of it by its name. */
const best = (plan) => table.get(`/plans/runs/${its.run.run.id}/counsel`, { plan });
/** Beside another run, or what happened here: the best plan is run for it, as many futures as is said. */
const compareBest = ({ beside }) =>
  change(async () => {
    const { samples, seed } = its;
    await look((await table.post("/plans/runs", { text: (await best()).text, samples, seed, at: its.run.run.at })).id);
    await other({ beside });
  });

/** What a search says, as the server wrote it; each of its plans can be taken as one's own, the best one opened as a game. */
function counsel({ run, counsel: told }) {
  const take = (plan) => attempt(async () => write({ name: plan ? "a runner-up" : "the best found", text: (await best(plan)).text || its.text }));
  return html`${run.state === "done" && html`<p><button class="push" id="take-best" onclick=${() => take()}>Take it as my plan</button> to run it, or leave it as a standing order;${" "}
      <button class="small" id="open-best" onclick=${() => attempt(async () => openFuture((await best()).future))}>Open as a game</button>
    </p>`}
    ${served(told, { onclick: ({ target }) => target.dataset.plan && take(target.dataset.plan) })}`;
}

/** Figures, map and the plan itself are three faces of one run; which one is looked at is kept. */
const FACES = [["figures", "Figures"], ["map", "Map"], ["plan", "The plan"]];
const turnTo = (name) =>
  attempt(async () => {
    localStorage.setItem("warcabinet-plan-face", (face.value = name));
    if (name === "map" && its.run?.result) await lookAtChances(its.run);
  });

const goTo = (asking) => attempt(async () => (location.href = (await asking()).url));
const openFuture = (future) => goTo(() => table.post(`/plans/runs/${its.run.run.id}/open`, { future }));

function map(run) {
  if (!run?.result) return html`<p class="quiet lead">Run a plan: its map shows who holds what in how many futures.</p>`;
  const thing = (name) => {
    pointAt(name);
    turnTo("plan");
  };
  return chancesFace(run, (how) => attempt(() => lookAtChances(run, how)), openFuture, thing);
}

// -- by hand -------------------------------------------------------------------------------------------------------

/** What is played on a copy becomes a plan at the table it was copied from. */
const playAhead = () => goTo(() => table.post("/what-if", { title: `Play ahead: ${store.view.table.title}`.slice(0, 100), at: store.at }));
const thisIsMyPlan = () =>
  goTo(async () => {
    const made = await table.post("/plans/played");
    localStorage.setItem("warcabinet-plan-face", "plan");
    localStorage.setItem("warcabinet-plan-open", made.name);
    return made;
  });

const byHand = () => html`<p class="row hand-bar">
    <button class="small" id="to-yaml" aria-pressed=${its.yaml} onclick=${() => (its.yaml = !its.yaml)}>YAML</button>
  </p>
  ${handFace(its.text, (text) => (its.text = text), its.yaml && editor(), playAhead)}`;

// -- the page ------------------------------------------------------------------------------------------------------

const figures = (page, run) => html`<div class="plan-grid">
  <div>
    <div class="plan-charts">${run?.result ? charts(run, other) : run?.counsel ? counsel(run) : lead}</div>
    ${minders(page, change, () => its.text)}
  </div>
  <div class="plan-side"><div class="plan-results">${result(run)}</div>${editor()}</div>
</div>`;

function draw() {
  const { page, run } = its;
  return html`
    <header>
      <h2 class="page">${run?.result?.plan ?? "Plans"}</h2>
      <span class="chosen">${choose(page)}</span>${switcher("What is shown", FACES, face.value, turnTo)}${runBar(page)}
    </header>
    ${page.copy_of && html`<p class="copy-of">This is a copy of <b>${page.copy_of}</b>: what is ordered and reported here can become a plan there.${" "}
      <button class="push" id="my-plan" onclick=${thisIsMyPlan}>This is my plan</button></p>`}
    <div class="plan-bar-place">${bar(run)}</div>
    ${face.value === "map" ? map(run) : face.value === "plan" ? byHand() : figures(page, run)}
  `;
}

/** What is wanted first: the plan that was made elsewhere, or one to begin with, and the last run. */
async function ask() {
  const page = (its.page = await table.get("/plans"));
  const wanted = page.mine.find((p) => p.name === localStorage.getItem("warcabinet-plan-open"));
  localStorage.removeItem("warcabinet-plan-open");
  const start = page.later ? page.here : (page.shipped.find((p) => p.name === "germany-grows-first") ?? page.shipped[0]);
  const one = wanted ?? (its.text ? null : start);
  if (one) write(one);
  if (!its.run && page.runs.length) await open(page.runs[0].id);
  return true;
}

export const sheet = { ask, draw };
