// A run of a plan as it is read: its charts, questions, where it breaks, one future, and what stands beside it.

import { capital, nameOf, these } from "./dom.js";
import { attempt, table } from "./api.js";
import { chip, heads, html, plain, state, switcher } from "./ui.js";

const POWERS = ["germany", "italy", "japan", "britain", "france", "russia", "usa", "china"];
const count = (n) => n.toLocaleString("en");
const percent = (share) => `${(share * 100).toFixed(1)} %`;
/** How far the true chance may lie from the share of the futures played; where `why` tells that it is certain, nothing. */
const margin = (it) => (it.why ? null : `± ${(196 * Math.sqrt((it.chance * (1 - it.chance)) / Math.max(1, it.futures))).toFixed(1)}`);

/** What is looked at of a run: which power, which question, which future, beside what. */
export const looking = state({ power: "germany", asked: 0, future: null, typed: null, beside: null });
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

/** The charts as the server draws them, narrower on a phone, and what moves the figure that is asked for. */
export const drawn = (id) => table.get(`/plans/runs/${id}/charts.html`, {
  power: looking.power, future: looking.future, asked: looking.asked,
  other: looking.beside?.other, narrow: matchMedia("(max-width: 40rem)").matches || null,
});

export const charts = (run, look) => html`<section class="fans">
  <header>${switcher("Power", POWERS.map((p) => [p, nameOf(p)]), looking.power, (power) => look({ power }))}</header>
  <div dangerouslySetInnerHTML=${{ __html: run.charts }} />${beside()}
</section>`;

export function questions(run, look) {
  const rows = run.result.questions.map((it, i) => html`<tr class=${i === looking.asked ? "here" : ""}>
    <th scope="row">
      <button class="link" aria-pressed=${i === looking.asked} onclick=${() => look({ asked: i })}>${it.question}</button>
      <small class="quiet">${it.words && it.words !== it.question ? it.words : it.at}</small>
      ${it.why && html`<small class="why">${it.why}</small>`}
    </th>
    <td class="meter">
      ${it.chance === null ? null : html`<progress max="1" value=${it.chance} aria-hidden="true" />`}
    </td>
    <td class="r"><b>${it.chance === null ? String(it.median) : percent(it.chance)}</b></td>
    <td class="r quiet">${it.chance === null ? `${it.low} to ${it.high}` : margin(it)}</td>
  </tr>`);
  return html`<section>
    <h3>
      Questions <span class="quiet small">chance, or median and nine in ten, after ${count(run.result.futures)}</span>
    </h3>
    ${rows.length
      ? plain(rows)
      : html`<p class="quiet">The plan asks nothing.</p>`}
    ${run.result.questions.some((it) => it.chance !== null && !it.why) && html`<p class="quiet small">
      ±: only so many futures were drawn. In 19 of 20 runs the true chance lies within so many points of the one shown; more futures make it smaller.
    </p>`}
  </section>`;
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

export function breaks(run, choose) {
  const { breaks: found, finished, futures } = run.result;
  const which = (it) => html`<details>
    <summary>${percent(it.futures / Math.max(1, futures))}<small class="quiet">${count(it.futures)}</small></summary>
    <div class="which">
      ${it.which.map((n) => html`<button class="link" aria-label=${`Draw future ${n}`} onclick=${() => choose(n)}>${n}</button>`)}
      ${it.which.length < it.futures && " …"}
    </div>
  </details>`;
  const row = (it) => html`<tr>
    <th scope="row"><code>${it.order}</code><small class="quiet">${it.text}</small></th>
    <td>${it.clauses.map((c) => chip(c, true))}</td><td class="r">${which(it)}</td><td>${it.first}</td>
  </tr>`;
  return html`<section class="breaks">
    <h3>Where it breaks <span class="quiet small">${count(finished)} of ${count(futures)} to the end</span></h3>
    ${found.length
      ? plain(found.map(row))
      : html`<p class="quiet">Nowhere: every order was accepted in every future.</p>`}
  </section>`;
}

/** One future: the worst, a middling one, the best for the asked figure, the first that breaks, or any by its number.
 * Where one future is several of these, one button says so. */
export function oneFuture(run, choose, open) {
  const typed = () => Number(looking.typed ?? looking.future ?? 0);
  const question = run.result.questions[looking.asked];
  const broken = run.result.breaks.flatMap((it) => it.which);
  const wanted = [...(question?.futures ? [["Lowest", question.worst], ["Near the median", question.near], ["Highest", question.best]] : []), ...(broken.length ? [["First broken", Math.min(...broken)]] : [])];
  const picks = [...new Set(wanted.map(([, n]) => n))].map((n) => [capital(these(wanted.filter((it) => it[1] === n).map(([label]) => label.toLowerCase()))), n]);
  const fate = Object.entries(run.fate).map(([thing, went]) => `${thing}: ${went}`).join(", ");
  return html`<section>
    <h3>One future</h3>
    ${picks.length > 0 && html`<div class="switch" role="group" aria-label="Which future">
      ${picks.map(([label, n]) => html`<button aria-pressed=${n === looking.future} onclick=${() => choose(n)}>${label}</button>`)}
    </div>`}
    <p>
      Number${" "}
      <input type="number" min="0" max=${run.run.samples - 1} aria-label="Which future" id="which-future"
        value=${looking.typed ?? looking.future ?? 0} oninput=${(e) => (looking.typed = e.target.value)} />${" "}
      <button class="small" onclick=${() => choose(typed())}>Draw it</button>${" "}
      <button class="push" id="open-future" onclick=${() => open(typed())}>Open as a game</button>
    </p>
    <p class="quiet small">
      ${looking.future === null ? "" : `Future ${count(looking.future)}: ${fate || "nothing is uncertain in it"}. `}
      It opens as a copy of this table, played to its end.
    </p>
  </section>`;
}

// -- side by side --------------------------------------------------------------------------------------------------

/** Another run, or what happened, to stand beside this one. */
export function compareWith(run, runs, look) {
  const others = runs.filter((it) => it.id !== run.run.id && it.done);
  const choose = (value) =>
    attempt(async () => look({ beside: value ? await fetched(run.run.id, value === "happened" ? "" : value) : null }));
  const chosen = looking.beside ? looking.beside.other || "happened" : "";
  return html`<select aria-label="Compare with" value=${chosen} onchange=${(e) => choose(e.target.value)}>
    <option value="">Compare with…</option><option value="happened">what happened here</option>
    ${others.map((it) => html`<option value=${it.id}>${it.title}, ${count(it.done)} futures from move ${it.at}</option>`)}
  </select>`;
}

const fetched = async (id, other) => ({ of: id, other, told: await table.get(`/plans/runs/${id}/compare`, { other }) });

function beside() {
  if (!looking.beside) return null;
  const { told } = looking.beside;
  const lines = told.figures.filter((it) => it.figure.startsWith(`${looking.power} `));
  const spread = ({ median, low, high }) => html`<b>${median}</b>${low === high ? null : html`<small class="quiet"> ${low} to ${high}</small>`}`;
  const row = (it) => html`<tr>
    <th scope="row">${it.figure.slice(looking.power.length + 1)}</th><td>${it.turn}</td>
    <td class="r">${spread(it.one)}</td><td class="r">${spread(it.other)}</td>
    <td class="r">${it.difference > 0 ? `+${it.difference}` : String(it.difference).replace("-", "−")}</td>
  </tr>`;
  const share = (v) => (v === null ? "–" : percent(v));
  return html`<section class="beside">
    <h3>
      Side by side <span class="quiet small">${nameOf(looking.power)}: medians, nine in ten; only what differs</span>
    </h3>
    ${lines.length
      ? html`<table class="plain-table">
        ${heads(["Figure", "Turn", told.one, told.other, "Difference"])}
        <tbody>${lines.map(row)}</tbody>
      </table>`
      : html`<p class="quiet">They do not differ for this power in any turn that both know.</p>`}
    ${told.questions.length > 0 && html`<ul class="small">
      ${told.questions.filter((it) => it.one !== null).map((it) => html`<li>${it.question}: ${share(it.one)} and ${share(it.other)}</li>`)}
    </ul>`}
  </section>`;
}
