// A run of a plan as it is read: its charts, questions, where it breaks, one future, and what stands beside it.

import { $ } from "./dom.js";
import { table } from "./api.js";
import { served } from "./served.js";
import { position } from "./store.js";
import { html, state, switcher } from "./ui.js";

const count = (n) => n.toLocaleString("en");

/** What is looked at of a run: which power, which question, which future, beside what ("happened", or a run). */
export const looking = state({ power: "", asked: 0, future: null, beside: "" });
/** When a run was first seen here, and how far it was: so much a second. */
let seen = { id: "", done: 0, at: 0 };

function rate(it) {
  if (seen.id !== it.id || it.done < seen.done) seen = { id: it.id, done: it.done, at: performance.now() };
  const each = (it.done - seen.done) / Math.max(0.001, (performance.now() - seen.at) / 1000);
  if (it.state !== "running" || !each) return "";
  const left = Math.round((it.samples - it.done) / each);
  return `${each < 10 ? each.toFixed(1) : Math.round(each)} a second · about ${left < 90 ? `${left} s` : `${Math.round(left / 60)} min`} left · `;
}

export function progress(run, change) {
  const it = run.run;
  const words = { running: "figures are of the futures so far", done: it.search ? "judged again on fresh futures" : "all futures are played", stopped: "stopped; figures are of the futures so far", failed: it.trouble };
  const button = (label, what) => html`<button class="small" onclick=${() => change(() => table.post(`/plans/runs/${it.id}/${what}`))}>${label}</button>`;
  const file = (label, name) => html`<a class="small" href=${table.link(`/plans/runs/${it.id}/${name}`)} download=${name}>${label}</a>`;
  return html`<div class="progress" role="status">
    <progress max=${it.samples} value=${it.done} aria-label=${it.search ? "Plans tried" : "Futures played"} />
    <span>
      <b>${count(it.done)}</b> of ${count(it.samples)} ${it.search ? "plans" : "futures"} · seed ${it.seed} · from move ${it.at} · ${rate(it)}
      ${words[it.state]}
    </span>
    ${it.state === "running" && button("Stop", "stop")}
    ${["stopped", "failed"].includes(it.state) && button("Resume", "resume")}
    ${run.result && [file("Save as CSV", "figures.csv"), file("Save as JSON lines", "result.jsonl")]}
  </div>`;
}

/** The charts and answers as the server draws them, the charts narrower on a phone. */
export async function drawn(id) {
  const { power, future, asked, beside } = looking;
  const narrow = matchMedia("(max-width: 40rem)").matches || null;
  const other = beside === "happened" ? "" : beside;
  return Promise.all([
    table.get(`/plans/runs/${id}/charts.html`, { power, future, asked, beside, other, narrow }),
    table.get(`/plans/runs/${id}/results.html`, { future, asked }),
  ]);
}

export const charts = (run, look) => html`<section class="fans">
  <header>${switcher("Power", position().powers.map((p) => [p.power, p.name]), looking.power, (power) => look({ power }))}</header>
  ${served(run.charts)}
</section>`;

/** Questions, where it breaks, and one future: that which is pressed or typed is drawn, or opened as a game. */
export function results(run, look, choose, open) {
  const press = ({ target, currentTarget }) => {
    const button = target.closest("button");
    const typed = () => Number($("#which-future", currentTarget).value);
    const { asked, future, typed: draws } = button?.dataset ?? {};
    if (asked) look({ asked: Number(asked) });
    if (future) choose(Number(future));
    if (draws !== undefined) choose(typed());
    if (button?.id === "open-future") open(typed());
  };
  return served(run.results, { class: "page-part", onclick: press });
}

/** One question more, by a form: it joins the plan that is open, which is run. `typed` outlives a drawing, `typed.wrong` too. */
export function askAnother(typed, title, ask) {
  const field = (name, label, placeholder) => {
    const wrong = typed.wrong?.field === name;
    const told = { "aria-invalid": wrong ? "true" : undefined, "aria-describedby": wrong ? `ask-${name}-wrong` : undefined };
    return html`<div class="ask-field">
      <label for=${`ask-${name}`}>${label}</label>
      <input type="text" maxLength="120" value=${typed[name]} placeholder=${placeholder} id=${`ask-${name}`} ...${told}
        oninput=${(e) => (typed[name] = e.target.value)} />
      ${wrong && html`<p class="wrong small" id=${`ask-${name}-wrong`} role="alert">${typed.wrong.text}</p>`}
    </div>`;
  };
  return html`<form class="ask-another" onsubmit=${() => ask()}>
    <h3>How likely is it? <span class="quiet small">asked of: ${title}</span></h3>
    ${field("figure", "Figure", "germany brp")}${field("is", "Is", "200")}${field("at", "At", "1942")}
    <button type="submit" class="small" id="ask-another">Ask and run</button>
    <p class="quiet small">
      ${"200 means at least 200; < 200 and = 200 are understood too, and nothing there asks how much it is. 1942 is its year start; turns are written Winter 1942."}
    </p>
    ${typed.wrong && !typed.wrong.field && html`<p class="wrong small" role="alert">${typed.wrong.text}</p>`}
  </form>`;
}

/** Another run, or what happened, to stand beside this one. */
export function compareWith(run, runs, look) {
  const others = runs.filter((it) => it.id !== run.run.id && it.done && !it.search);
  return html`<select aria-label="Compare with" value=${looking.beside} onchange=${(e) => look({ beside: e.target.value })}>
    <option value="">Compare with…</option><option value="happened">what happened here</option>
    ${others.map((it) => html`<option value=${it.id}>${it.title}, ${count(it.done)} futures from move ${it.at}</option>`)}
  </select>`;
}
