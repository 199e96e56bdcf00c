// Plans: written, run in many futures, read, put side by side; stewards, standing orders and advice stand beside them.

import { $, debounce, toast } from "./dom.js";
import { Trouble, attempt, table } from "./api.js";
import { faulty, handFace, pointAt } from "./plan-hand.js";
import { minders } from "./plan-minders.js";
import { askAnother, breaks, charts, compareWith, looking, oneFuture, progress, questions } from "./plan-result.js";
import { chancesFace, lookAtChances } from "./plan-map.js";
import { store } from "./store.js";
import { fill, html } from "./ui.js";

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
let yaml = false; // the text in place of odds and preferences
let face = localStorage.getItem("warcabinet-plan-face") ?? "figures";
let samples = 200;
let seed = 1940;
const asked = { figure: "", is: "", at: "", wrong: null };

const shown = (el) => el.isConnected && document.body.dataset.view === "plans";

/** Do something, then draw what it changed. */
async function act(el, work) {
  await attempt(work);
  if (shown(el)) draw(el);
}

/** Do something that changes what the page lists, and read it anew. */
const change = (el) => (work) =>
  act(el, async () => {
    await work();
    page = await table.get("/plans");
  });

// -- the plan ------------------------------------------------------------------------------------------------------

function choose(el) {
  const chosen = page.mine.some((p) => p.name === written.name) ? `mine/${written.name}` : `shipped/${written.name}`;
  return html`<select aria-label="Which plan" value=${chosen} onchange=${(e) => take(el, e.target.value)}>
    <option value=${`shipped/${page.here.name}`}>${page.here.title}: the position as it is, no orders</option>
    <optgroup label="Shipped">
      ${page.shipped.map((p) => html`<option value=${`shipped/${p.name}`}>${p.title}</option>`)}
    </optgroup>
    ${page.mine.length > 0 && html`<optgroup label="Mine">
      ${page.mine.map((p) => html`<option value=${`mine/${p.name}`}>${p.name}</option>`)}
    </optgroup>`}
  </select>`;
}

function take(el, value) {
  const [kind, name] = value.split("/");
  const found = (kind === "mine" ? page.mine : [page.here, ...page.shipped]).find((p) => p.name === name);
  if (found) written = { name: found.name, text: found.text };
  draw(el);
}

/** What is typed changes what stands around it, a moment later. */
const drawSoon = debounce((el) => shown(el) && draw(el), 300);

function editor(el) {
  const typed = ({ target }) => {
    written[target.name] = target.value;
    drawSoon(el);
  };
  const keep = () =>
    change(el)(async () => {
      const told = await table.put("/plans", { name: written.name, text: written.text });
      toast(`Kept: ${told.title}, ${told.orders} orders.`);
    });
  return html`<section class="plan-text" oninput=${typed}>
    <h3>The plan <span class="quiet small">${written.text.split("\n").length} lines</span></h3>
    <p>
      <input type="text" name="name" maxLength="60" value=${written.name} aria-label="Name of the plan" />${" "}
      <button class="small" onclick=${keep}>Keep as mine</button>
    </p>
    <textarea name="text" value=${written.text} rows="16" spellcheck=${false} aria-label="The plan, as YAML" />
    <details>
      <summary>How a plan is written</summary>
      <dl class="small">${HELP.map(([key, told]) => html`<dt><code>${key}</code></dt><dd>${told}</dd>`)}</dl>
    </details>
  </section>`;
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
  const number = (value, label, set, most) => html`<label>
    ${label} <input type="number" min="0" max=${most} value=${value} oninput=${(e) => set(Number(e.target.value))} />
  </label>`;
  return html`<div class="run-bar">
    ${number(samples, "Futures", (v) => (samples = Math.max(1, v)), page.most_futures)}
    ${number(seed, "Seed", (v) => (seed = v), 2 ** 31)}
    <button class="push" id="run-plan" disabled=${face === "plan" && faulty() > 0} title=${face === "plan" && faulty() ? "mend what is marked first" : ""} onclick=${() => start(el)}>
      ${store.at === null ? "Run from here" : `Run from move ${store.at}`}
    </button>
    ${/^choose:/m.test(written.text) && html`<button id="find-best" onclick=${() => change(el)(() => begin(el, { best: true }))}>Find the best</button>`}
    ${page.runs.length > 0 && html`<select aria-label="Earlier runs"
      onchange=${(e) => act(el, () => { looking.future = looking.typed = null; return open(el, e.target.value); })}>
      <option value="">Earlier runs</option>
      ${page.runs.map((r) => html`<option value=${r.id} selected=${r.id === run?.run.id}>${r.title}, ${r.done} ${r.search ? "plans tried" : "futures"}</option>`)}
    </select>`}
    ${run?.result && compareWith(run, page.runs, (work) => act(el, work))}
  </div>`;
}

// -- a run ---------------------------------------------------------------------------------------------------------

async function open(el, id) {
  if (!id) return;
  const going = run?.run.id === id && run.run.state === "running";
  run = await table.get(`/plans/runs/${id}`, { future: looking.future });
  if (run.run.search && run.run.done) run.counsel = await table.get(`/plans/runs/${id}/counsel.html`);
  if (going && run.run.state !== "running") page = await table.get("/plans");
  if (face === "map" && run.result) await lookAtChances(run);
  if (looking.beside && looking.beside.of !== id) looking.beside = null;
  looking.asked = Math.min(looking.asked, Math.max(0, (run.result?.questions.length ?? 0) - 1));
  clearTimeout(timer);
  if (run.run.state === "running") timer = setTimeout(() => shown(el) && act(el, () => open(el, id)), 1200);
}

const result = (el) => {
  const form = askAnother(asked, titleOf(written.text), () => askMore(el));
  if (!run?.result) return form;
  const choose = (future) => act(el, async () => { looking.future = future; looking.typed = null; await open(el, run.run.id); });
  return [questions(run, () => draw(el)), form, breaks(run, choose), oneFuture(run, choose, openFuture(el))];
};

const bar = (el) => (run ? progress(run, (work) => act(el, async () => { await work(); await open(el, run.run.id); })) : null);

const lead = () => html`<p class="quiet lead">
  Choose a plan, or write one, and run it: it is played by the rules from the position you look at, in as many futures as you say. What the rules do not decide is drawn by the plan's chances.
</p>`;

/** What a search says, as the server wrote it; its best plan can be taken as one's own, or opened in its median future. */
function counsel(el) {
  const best = () => table.get(`/plans/runs/${run.run.id}/counsel`);
  const take = async () => (written = { name: "the best found", text: (await best()).text || written.text });
  return html`${run.run.state === "done" && html`<p>
      <button class="push" id="take-best" onclick=${() => act(el, take)}>Take it as my plan</button> to run it, compare it, or leave it as a standing order;${" "}
      <button class="small" id="open-best" onclick=${() => act(el, async () => openFuture(el)((await best()).future))}>Open as a game</button>
    </p>`}
    <div dangerouslySetInnerHTML=${{ __html: run.counsel }} />`;
}

/** Figures, map and the plan itself are three faces of one run; which one is looked at is kept. */
const FACES = { figures: "Figures", map: "Map", plan: "The plan" };
const turnTo = (el, name) =>
  act(el, async () => {
    localStorage.setItem("warcabinet-plan-face", (face = name));
    if (face === "map" && run?.result) await lookAtChances(run);
  });
const faces = (el) => html`<div class="switch faces" role="group" aria-label="What is shown">
  ${Object.entries(FACES).map(([name, label]) => html`<button data-face=${name} aria-pressed=${name === face} onclick=${() => turnTo(el, name)}>${label}</button>`)}
</div>`;

const openFuture = (el) => (future) => act(el, async () => { location.href = (await table.post(`/plans/runs/${run.run.id}/open`, { future })).url; });

function map(el) {
  if (!run?.result) return html`<p class="quiet lead">Run a plan: its map shows who holds what in how many futures.</p>`;
  return chancesFace(run, (change) => act(el, () => lookAtChances(run, change)), openFuture(el), (thing) => { pointAt(thing); turnTo(el, "plan"); }, () => draw(el));
}

// -- by hand -------------------------------------------------------------------------------------------------------

/** What is played on a copy becomes a plan at the table it was copied from. */
const playAhead = (el) => act(el, async () => { location.href = (await table.post("/what-if", { title: `Play ahead: ${store.view.title}`.slice(0, 100), ...(store.at === null ? {} : { at: store.at }) })).url; });
const thisIsMyPlan = (el) =>
  act(el, async () => {
    const made = await table.post("/plans/played");
    localStorage.setItem("warcabinet-plan-face", "plan");
    localStorage.setItem("warcabinet-plan-open", made.name);
    location.href = made.url;
  });
const copied = (el) => page.copy_of && html`<p class="copy-of">This is a copy of <b>${page.copy_of}</b>: what is ordered and reported here can become a plan there.${" "}
  <button class="push" id="my-plan" onclick=${() => thisIsMyPlan(el)}>This is my plan</button></p>`;

function byHand(el) {
  const put = (text) => (written.text = text);
  return html`<p class="row hand-bar">
      <button class="small" id="to-yaml" aria-pressed=${yaml} onclick=${() => { yaml = !yaml; draw(el); }}>YAML</button>
    </p>
    ${handFace(written.text, put, (work) => act(el, work), () => shown(el) && face === "plan" && draw(el), yaml && editor(el), () => playAhead(el))}`;
}

// -- the page ------------------------------------------------------------------------------------------------------

function draw(el) {
  fill(el, html`
    <header>
      <h2 class="page">${run?.result?.plan ?? "Plans"}</h2>
      <span class="chosen">${choose(el)}</span>${faces(el)}${runBar(el)}
    </header>
    ${copied(el)}<div class="plan-bar-place">${bar(el)}</div>
    ${face === "map" ? map(el) : face === "plan" ? byHand(el) : html`<div class="plan-grid">
      <div>
        <div class="plan-charts">${run?.result ? charts(run, () => draw(el)) : run?.counsel ? counsel(el) : lead()}</div>
        ${minders(page, change(el), () => draw(el), () => written.text)}
      </div>
      <div class="plan-side"><div class="plan-results">${result(el)}</div>${editor(el)}</div>
    </div>`}
  `);
}

export async function showPlans(el) {
  page = await table.get("/plans");
  const first = page.later ? page.here : page.shipped.find((p) => p.name === "germany-grows-first") ?? page.shipped[0];
  const wanted = page.mine.find((p) => p.name === localStorage.getItem("warcabinet-plan-open"));
  localStorage.removeItem("warcabinet-plan-open");
  if (wanted) written = { name: wanted.name, text: wanted.text };
  if (!written.text && first) written = { name: first.name, text: first.text };
  if (!run && page.runs.length) await open(el, page.runs[0].id);
  draw(el);
}
