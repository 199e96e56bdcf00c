// The log: number, seal, sentence, clause, amount; filtered by power, clause, turn and phase. Used small and large.

import { $, nameOf, several, signed } from "./dom.js";
import { base, table, tableId } from "./api.js";
import { lookAtBattle } from "./battle.js";
import { face } from "./dice.js";
import { live, lookAt, me, phaseName, store, subscribe } from "./store.js";
import { replay } from "./story.js";
import { amount, chip, html, options, pageHead, panel, seal, signal } from "./ui.js";

const wanted = signal({ power: "", clause: "", turn: "", phase: "" });
const MOST = 80;
const lines = signal([]);
/** Lines after this move are new on the screen. */
let since = 0;

/** The words of an event; the amount in them opens its sum. */
function worded(move, event) {
  const figure = event.amount ? signed(event.amount) : "";
  const [before, ...after] = figure ? event.text.split(figure) : [event.text];
  if (!after.length) return event.text;
  return [before, amount(event.amount, false, { sum: `${move}/${event.number}` }, event.text), after.join(figure)];
}

const followed = ([move, event]) => html`<span class="then">${worded(move, event)} ${chip(event.clause)}</span>`;
/** What a move brought, each with the move that it is of. */
const brought = (id, events) => events.map((it) => [id, it]);

function line(it, fresh) {
  const [who] = it.powers;
  const notes = [it.automatic && !it.minded && "automatic", it.undone && "undone", !it.text.endsWith(it.minded) && it.minded, it.note].filter(Boolean);
  const all = unfolded.value[it.id] ? brought(it.id, unfolded.value[it.id]) : it.told;
  return html`<li key=${it.id} class=${`${it.undone ? "undone" : ""}${fresh ? " fresh" : ""}`} data-move=${it.id}>
    <button class="n" title=${`Look at the position after ${it.id}`} onclick=${() => lookAt(it.id)}>${it.id}</button>
    ${who ? seal(who) : html`<span />`}
    <span class="said">
      <span>${it.text}</span> ${it.dice?.map(face)}${chip(it.clause.startsWith("WC") ? "" : it.clause)}${notes.map((note) => html`<em> ${note}</em>`)}
      ${(it.step ? all : all.slice(1)).map(followed)}
      ${it.battle ? html`<button class="link small" onclick=${() => lookAtBattle(it.id)}>Its steps</button>` : null}
      ${it.more && !unfolded.value[it.id]
        ? html`<button class="link small" onclick=${() => unfold(it)}>${it.more} more</button>`
        : null}
    </span>
    ${amount(it.amount, false, { sum: `${it.of}/${it.entry}` }, it.text) ?? html`<span />`}
  </li>`;
}

/** All events of moves that have more than a line shows. */
const unfolded = signal({});

async function unfold(it) {
  const { events } = await table.get(`/moves/${it.id}`);
  unfolded.value = { ...unfolded.value, [it.id]: events };
}

/** What went together is one line: a stack with what its kinds are called together; a battle, its price and its dice. */
function stacked(list) {
  const fought = new Set(list.filter((it) => it.battle).map((it) => it.batch));
  const together = (it) => (fought.has(it.batch) ? it.batch : it.way && it.batch ? `${it.batch} ${it.way} ${it.undone}` : it.id);
  return [...Map.groupBy(list, together).values()].map(([last, ...rest]) => {
    const all = [...rest.reverse(), last];
    const paid = (last.battle && rest.find((it) => it.amount)) || last;
    if (!rest.length || last.battle) return { ...last, told: brought(last.id, last.events), amount: paid.amount, entry: paid.entry, of: paid.id };
    const told = all.flatMap((it, i) => brought(it.id, it.events.slice(i && 1)));
    return { ...all[0], of: all[0].id, told, text: last.way.replace("{}", all.map((it) => it.units).join(", ")), note: all[0].note || last.note };
  });
}

function drawn() {
  const list = lines.value;
  const out = [];
  let heading = "";
  let pending = "";
  for (const it of stacked(list)) {
    const [turn, side, phase] = it.when.split(", ");
    const text = phase ? `${turn}, ${side} · ${phaseName(phase)}` : it.when;
    if (text !== heading) pending = text;
    heading = text;
    // A step in which nothing happened is its heading, no line, unless it tells who closed the one before.
    if (it.step && !it.events.length && !it.undone && !it.minded) continue;
    const year = /\d{4}/.exec(pending)?.[0];
    const sheet = pending.includes("year start")
      ? html`<button class="link small" data-goto="yearstart" data-year=${year}>Open the sheet</button>`
      : null;
    if (pending) out.push(html`<li class="heading">${pending} ${sheet}</li>`);
    pending = "";
    out.push(line(it, since && it.id > since));
  }
  return out.length ? out : [html`<li class="heading">No line passes the filter.</li>`];
}

function want(key, value) {
  wanted.value = { ...wanted.value, [key]: value };
  fetchLines();
}
const press = (key, value) => () => want(key, wanted.value[key] === value ? "" : value);

const SEASONS = ["Spring", "Summer", "Fall", "Winter"];

/** The turns played so far, newest first. */
function turns() {
  const { start, turn } = store.view.position.clock;
  return Array.from({ length: turn - start + 1 }, (_, i) => `${SEASONS[(turn - i) % 4]} ${Math.floor((turn - i) / 4)}`);
}

function filters(large) {
  const held =
    me().powers.length && me().powers.length < 8 ? me().powers : store.view.position.powers.map((p) => p.power);
  const powers = large ? store.view.position.powers.map((p) => p.power) : held.slice(0, 3);
  const turn = store.view.position.clock.turn_name;
  const select = (key, label, values) => html`<select aria-label=${label} onchange=${(e) => want(key, e.target.value)}>
    ${options([["", label], ...values], wanted.value[key])}
  </select>`;
  return html`
    <button aria-pressed=${!wanted.value.power} onclick=${press("power", "")}>All powers</button>
    ${powers.map((p) => html`<button aria-pressed=${wanted.value.power === p} onclick=${press("power", p)}>${nameOf(p)}</button>`)}
    <button aria-pressed=${wanted.value.turn === turn} onclick=${press("turn", turn)}>This turn</button>
    ${large && [
      select("turn", "Any turn", turns()),
      select("phase", "Any phase", store.view.position.clock.phases.map((name) => [name, phaseName(name)])),
    ]}
    <input type="text" placeholder="Any clause" defaultValue=${wanted.value.clause} aria-label="Clause" size="9"
      onchange=${(e) => want("clause", e.target.value.trim())} />
  `;
}

async function fetchLines() {
  const found = await table.get("/log", { ...wanted.value, at: store.at, most: MOST });
  since = lines.value[0]?.id ?? 0;
  lines.value = found;
}

/** Put in the lines that came with a view: new ones on top, those that were undone or redone in their places. */
function takeLines(news) {
  since = lines.value[0]?.id ?? 0;
  const other = new Map(news.map((it) => [it.id, it]));
  lines.value = [...news.filter((it) => it.id > since), ...lines.value.map((it) => other.get(it.id) ?? it)].slice(0, MOST);
}

/** How many orders the log has of this phase, in words. */
export function ordersGiven() {
  const now = store.view.position.clock.moment;
  const n = stacked(lines.value.filter((it) => it.moment === now && !it.step && !it.undone && it.kind === "command")).length;
  return n ? ` ${several(n, "order")} given in this phase.` : "";
}

const draw = () => html`
  ${pageHead("Log", "Newest first. A number opens the position after that move.", html`<div class="row">
    <button id="play-since" onclick=${() => replay(0)}>Play the last turn <kbd aria-hidden="true">H</kbd></button>
    <a class="button" href=${table.link("/export")}>Save the game</a>
    <a class="button" href=${`${base}/setup?table=${tableId}`}>Open in the set-up editor</a>
    <a class="button" href=${table.link("/ledger.csv")}>Ledger as CSV</a>
    <a class="button" href=${table.link("/chronicle")}>Chronicle</a>
    <a class="button" href=${table.link("/chronicle?short=true")}>Short report</a>
  </div>`)}
  <div class="log-large">
    <div class="filters">${filters(true)}</div>
    <ol class="log-lines">${drawn()}</ol>
  </div>
`;

export const sheet = { draw };

export function startLog() {
  $("#log-filter").addEventListener("click", () => $("#log-filters input").focus());
  panel($("#log-filters"), () => store.view && filters(false));
  panel($("#log"), () => store.view && drawn());
  subscribe((view, before, news) => {
    $("#log-count").textContent = view.head;
    if (news && live() && !Object.values(wanted.value).some(Boolean)) takeLines(news);
    else fetchLines();
  });
}
