// The panels beside the map: what is wrong, levels, countries, wars, pools, and the hex that was chosen.

import { $, capital, counted, firstPower, inWords, isPower, nameOf, several, toast } from "../dom.js";
import { hall } from "../api.js";
import { placeCalled } from "../map/atlas.js";
import { map } from "../map/map.js";
import { brush, powerIds } from "./brush.js";
import { copyStack, count, drawn } from "./counters.js";
import { change, desk, draft, source } from "./draft.js";
import { fill, heads, html, options, panel, seal, signal, state } from "../ui.js";

export const numbered = (n, what) => several(n, what, undefined, capital(inWords(n)));

/** Centre the map on a place and ring it for a moment. */
export async function jump(key) {
  const [board, id] = key.split("/");
  if (board === "box") return toast(placeCalled(key));
  desk.board = board;
  await map.open(board);
  const hex = map.board.hexes.get(id);
  map.changed = new Set([key]);
  map.show(hex, 40);
  setTimeout(() => (map.changed = new Set()), 400);
}

/** The figure that a finding is about, or its place. */
function show(finding) {
  if (finding.place) return jump(finding.place);
  const field = $(`[data-figure="${finding.figure}"]`);
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}

/** What a clause says, in our words. */
async function tellClause(clause) {
  toast(`${clause}: ${(await hall.get(`/clauses/${encodeURIComponent(clause)}`)).gist}`);
}
const clauseChip = (clause, deny) => clause
  ? html`<button class=${deny ? "chip deny" : "chip"} aria-label=${`clause ${clause}`}
    onclick=${() => tellClause(clause)}>${clause}</button>`
  : null;

function findings(view) {
  const wrong = view.findings.filter((f) => f.kind === "error").length;
  const notes = view.findings.length - wrong;
  const pins = view.findings.map((f, i) => ({ key: f.place, number: i + 1, grave: f.kind === "error" }));
  // Where several are about one place, the gravest is shown.
  map.pins = pins.filter((p, i) => p.key && pins.findIndex((it) => it.key === p.key) === i);
  return html`
    <header>
      <h2 class=${wrong ? "minus" : ""}>${wrong ? "Errors" : "No errors"}</h2>
      <span class="quiet">
        ${[wrong ? String(wrong) : "", notes ? numbered(notes, "note").toLowerCase() : ""].filter(Boolean).join(", and ")}
      </span>
    </header>
    <ol class="findings">
      ${view.findings.map((f, i) => html`<li class=${f.kind}>
        <span class="pin" aria-hidden="true">${i + 1}</span>
        <span>
          <span class="what">${f.text}. </span><span class="quiet">Right: ${f.right}. </span>
          ${clauseChip(f.clause, f.kind === "error")}
        </span>
        ${(f.place || f.figure) && html`<button class="link" aria-label=${`${f.place ? "Jump to" : "Show"} ${i + 1}`} onclick=${() => show(f)}>
          ${f.place ? "Jump" : "Show"}
        </button>`}
      </li>`)}
    </ol>
  `;
}

/** A number that can be typed; a raised a where it has no source, which a press lets one name. */
function field(path, value, label, { was, assumed, least, id } = {}) {
  const set = ({ target }) => target.value !== "" && change({ [path]: Number(target.value) });
  return html`<span class="figure-field">
    <input type="number" value=${value} min=${least} aria-label=${label} id=${id} data-figure=${path}
      class=${was !== undefined && was !== value ? "changed" : ""} onchange=${set} />
    ${assumed && assumedMark(path, label)}
  </span>`;
}

const assumedMark = (path, label) => html`<button class="assumed" title="assumed: no source; press to name one"
  aria-label=${`${label} is assumed; name its source`} onclick=${() => nameSource(path, label)}>a</button>`;

function nameSource(path, label) {
  const dialog = $("#modal");
  const write = (event) => source(path, event.target.elements.source.value.trim());
  fill(dialog, html`<form method="dialog" key=${path} onsubmit=${write}>
    <h2 id="modal-title">Where does it come from: ${label}?</h2>
    <input name="source" maxLength="200" placeholder="our ledger of 12 May" aria-label="Source"
      defaultValue=${draft.view.position.sources[path] ?? ""} />
    <p class="row">
      <button type="submit" class="main">Write it down</button><button onclick=${() => dialog.close()}>Cancel</button>
    </p>
  </form>`);
  dialog.showModal();
}

/** Whether a power has surrendered. */
const surrendered = (p) => html`<label>
  <input type="checkbox" checked=${p.surrendered} aria-label=${`${p.name}: surrendered`}
    data-figure=${`powers.${p.power}.surrendered`}
    onchange=${(event) => change({ [`powers.${p.power}.surrendered`]: event.target.checked })} />
  ${" "}${p.name}
</label>`;

function levels(view) {
  const first = new Map(draft.first.powers.map((p) => [p.power, p]));
  const names = (p) => [seal(p.power), ` ${p.name}`];
  return html`
    <header><h2>Levels</h2><span class="quiet">BRPs; the rest is counted</span></header>
    <table class="levels">
      ${heads(["Power", "level", "base", "deficit room", "limit"])}
      <tbody>
        ${view.powers.map((p) => html`<tr>
          <th scope="row">${names(p)}</th>
          <td>
            ${field(`powers.${p.power}.brp`, p.level, `${p.name}: level`, { was: first.get(p.power).level, assumed: p.assumed.includes("level") })}
          </td>
          <td>
            ${field(`powers.${p.power}.base`, p.base, `${p.name}: base`, { was: first.get(p.power).base, assumed: p.assumed.includes("base"), least: 0 })}
          </td>
          <td>${p.deficit ? String(p.deficit) : "none"}</td><td>${p.limit}</td>
        </tr>`)}
      </tbody>
    </table>
    <h3>Surrendered</h3>
    <div class="surrenders">${view.powers.map(surrendered)}</div>
    <h3>Tension</h3>
    ${trackFields(view, (t) => /^(usat|usjt|rgt)$/.test(t.track))}
    <details>
      <summary>Resistance, and tension as it counts</summary>
      ${trackFields(view, (t) => !/^(usat|usjt|rgt)$/.test(t.track))}
    </details>
  `;
}

const trackFields = (view, wanted) => html`<div class="track-fields">
  ${view.tracks.filter(wanted).map((t) => {
    const id = `track-${t.track}`;
    const was = draft.first.tracks.find((it) => it.track === t.track)?.level;
    return html`<label for=${id}>${t.name}${field(`tracks.${t.track}`, t.level, t.name, { was, id })}</label>`;
  })}
</div>`;

const sought = signal("");

/** A country's new standing: whoever holds its capital, else the power of the brush, where it must stand with one. */
function stand(c, status, by) {
  if (draft.view.alone.includes(status)) return change({ [`countries.${c.id}`]: { status } });
  const held = draft.view.control[c.places[0]] ?? "";
  return change({ [`countries.${c.id}`]: { status, by: by || c.by || (isPower(held) ? held : brush.by || firstPower()) } });
}

function countryRow(c, wrong) {
  const pick = (label, values, now, act, text = (v) => v) => html`<select aria-label=${label}
    data-figure=${`countries.${c.id}`} value=${now} onchange=${(event) => act(event.target.value)}>
    ${options(values.map((v) => [v, text(v)]))}
  </select>`;
  return html`<li class=${wrong ? "wrong" : ""} key=${c.id}>
    <span>${c.name}</span>
    ${pick(`${c.name}: status`, draft.view.statuses, c.status, (v) => stand(c, v))}
    ${pick(`${c.name}: with`, ["", ...powerIds()], c.by, (v) => stand(c, v ? c.status : "neutral", v), (v) => (v ? nameOf(v) : "nobody"))}
  </li>`;
}

function countries(view) {
  const wrong = new Set(view.findings.map((f) => f.figure));
  const was = new Map(draft.first.countries.map((c) => [c.id, `${c.status} ${c.by}`]));
  const rank = (c) => (wrong.has(`countries.${c.id}`) ? 0 : was.get(c.id) !== `${c.status} ${c.by}` ? 1 : view.alone.includes(c.status) ? 3 : 2);
  const found = view.countries.filter((c) => c.name.toLowerCase().includes(sought.value)).sort((a, b) => rank(a) - rank(b));
  const seek = (event) => (sought.value = event.target.value.trim().toLowerCase());
  return html`
    <header><h2>Countries</h2><span class="quiet">${found.length} of ${view.countries.length} shown</span></header>
    <input type="text" placeholder="Find a country" aria-label="Find a country" oninput=${seek} />
    <ul class="country-rows">${found.map((c) => countryRow(c, wrong.has(`countries.${c.id}`)))}</ul>
  `;
}

function wars(view) {
  const lines = (list) => list.map((w) => ({ between: w.between, since: w.since, declared_by: w.declared_by }));
  const sides = [...powerIds(), ...view.countries.map((c) => c.id)];
  const among = (first) => options([["", first], ...sides.map((it) => [it, nameOf(it)])]);
  const add = (event) => {
    const { one, other, since } = event.target.elements;
    if (!one.value || !other.value) return toast("Say who declared war on whom.", true);
    const begun = { between: [one.value, other.value], since: since.value, declared_by: one.value };
    change((now) => ({ wars: [...lines(now.wars), begun] }));
    event.target.reset();
  };
  const form = html`<form class="war-form" onsubmit=${add}>
    <select name="one" aria-label="Who declared war">${among("who declared")}</select>
    <select name="other" aria-label="On whom">${among("on whom")}</select>
    <select name="since" aria-label="Since when">
      ${options(view.moment.turns.slice(0, view.moment.turns.indexOf(view.moment.turn) + 1), view.moment.turn)}
    </select>
    <button type="submit" class="small">Add</button>
  </form>`;
  return html`
    <header><h2>Wars</h2><span class="quiet">${view.wars.length} on</span></header>
    <ul class="war-rows">
      ${view.wars.map((w, i) => html`<li>
        <span>${w.between.map(nameOf).join(" and ")} <span class="quiet">since ${w.since}</span></span>
        <button class="close" aria-label=${`End the war between ${w.between.map(nameOf).join(" and ")}`}
          onclick=${() => change((now) => ({ wars: lines(now.wars.filter((_, n) => n !== i)) }))}>×</button>
      </li>`)}
    </ul>
    ${form}
  `;
}

/** Whose pool is shown, and of which turn the arrivals. */
const pool = state({ whose: "", arrival: "" });

function pools(view) {
  const turns = view.moment.turns.slice(view.moment.turns.indexOf(view.moment.turn) + 1);
  const whose = pool.whose || firstPower();
  const arrival = turns.includes(pool.arrival) ? pool.arrival : (turns[0] ?? "");
  const area = (title, drop, extra) => {
    const arrives = drop === "pool" ? "" : drop.slice(6);
    const mine = view.pools.filter((p) => p.nation === whose && p.arrives === arrives);
    return html`<div class="pool-area" data-drop=${drop}>
      <h3>${title}${extra}</h3>
      ${!mine.length && html`<p class="quiet">drop counters here</p>`}
      <div class="pile-counts">${mine.map((p) => counting(p, drop))}</div>
    </div>`;
  };
  const other = view.pools.filter((p) => p.nation === whose && p.arrives && p.arrives !== arrival);
  return html`
    <header>
      <h2>Pools and turn track</h2>
      <select aria-label="Whose pool" onchange=${(e) => (pool.whose = e.target.value)}>
        ${options(view.trays.map((t) => [t.nation, t.name]), whose)}
      </select>
    </header>
    ${area("Force pool", "pool")}
    ${isPower(whose) && arrival && area("Arrives ", `track/${arrival}`, html`<select aria-label="Arrives in"
      onchange=${(e) => (pool.arrival = e.target.value)}>
      ${options(turns, arrival)}
    </select>`)}
    ${other.length > 0 && html`<p class="quiet">Also: ${other.map((p) => `${counted(p.count, p.unit)} in ${p.arrives}`).join(", ")}</p>`}
    <p class="quiet small">
      <sup class="assumed">a</sup>
      ${" "}assumed: no printed source. The file says so line by line; a source that is named takes the mark off.
    </p>
  `;
}

/** A pile with its number, one fewer and one more. */
const counting = (p, where) => html`<span class="pile-count" data-nation=${p.nation} data-unit=${p.unit}>
  ${drawn(p, 30)}<span class="quiet">${p.unit}</span>
  <button aria-label=${`One ${nameOf(p.nation)} ${p.unit} fewer`} onclick=${() => count(p.nation, p.unit, where, -1)}>
    −
  </button>
  <strong>${p.count}</strong>
  <button aria-label=${`One ${nameOf(p.nation)} ${p.unit} more`} onclick=${() => count(p.nation, p.unit, where, 1)}>
    +
  </button>
</span>`;

/** The hex or box that was chosen: who holds it, what stands there, each pile counted up and down. */
const place = signal(null);
export const choosePlace = (key, name) => (place.value = key ? { key, name } : null);

function here(view) {
  const chosen = place.value;
  if (!chosen) return null;
  const [board, id] = chosen.key.split("/");
  const hex = board === map.board.name ? map.board.hexes.get(id) : null;
  const stack = view.pieces.filter((p) => p.place === chosen.key);
  const holder = hex ? map.made?.held.holder.get(id) : "";
  return html`
    <header>
      <h2>${chosen.name}</h2>
      <span class="quiet">${id}</span>
      <button class="close push" aria-label="Close" onclick=${() => choosePlace(null)}>×</button>
    </header>
    ${hex?.land && html`<label class="holder">
      Held by${" "}
      <select value=${holder ?? ""} onchange=${(e) => change({ control: { [e.target.value]: [chosen.key] } })}>
        ${options([...new Set(["", ...powerIds(), holder ?? ""])].map((v) => [v, v ? nameOf(v) : "whoever it belongs to"]))}
      </select>
    </label>`}
    ${stack.length > 0 && html`<button class="small" onclick=${() => copyStack(chosen.key)}>
      Copy this stack <kbd aria-hidden="true">K</kbd>
    </button>`}
    ${stack.length
      ? html`<div class="pile-counts">${stack.map((p) => counting(p, chosen.key))}</div>`
      : html`<p class="quiet">No units stand here. Choose a counter at the left and click, or drag it here.</p>`}
  `;
}

const PANELS = { findings, levels, countries, wars, pools, hex: here };

export function startPanels() {
  for (const [name, draw] of Object.entries(PANELS)) panel($(`#panel-${name}`), () => draft.view && draw(draft.view));
}
