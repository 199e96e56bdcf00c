// What a power's steward, or its own plan, would do now: shown where it was asked for, on the map or among the plans.

import { attempt, table } from "./api.js";
import { nameOf, several, toast } from "./dom.js";
import { draftsOf, keyOf } from "./map/drafts.js";
import { map } from "./map/map.js";
import { openOrder } from "./order.js";
import { perform, position } from "./store.js";
import { amount, chip, html, seal, signal } from "./ui.js";

const advice = signal(null);

/** What is advised lies on the map as ghosts, as long as it is shown: each may be waved away, or dragged elsewhere. */
function show(found) {
  advice.value = found;
  map.pins = (found?.orders ?? []).map((it, n) => ({ key: draftsOf(it.command)[0]?.at, number: n + 1 })).filter((it) => it.key);
  map.arrows = (found?.orders ?? []).map(({ command }) => ({ from: keyOf(command.from ?? command.origin), to: keyOf(command.to), kind: "ghost" })).filter((it) => it.from && it.to);
  map.advised = (found?.orders ?? []).flatMap((it) => draftsOf(it.command).map((g) => ({ ...g, wrong: it.wrong, own: it.own, off: () => part(it), lift: (at) => lift(it, g, at) })));
  map.over.dataset.advised = map.advised.length;
}

/** Without one of them: it was waved away, or is taken by itself, or changed in its form. */
const part = (order, all = advice.value) => show({ ...all, orders: all.orders.filter((it) => it !== order), parted: true });

/** Taken up: the rules say where it may go, and where it is put down it is one's own. */
function lift(order, ghost, at) {
  const { do: command, ...known } = order.command;
  const field = ["to", "at"].find((it) => it in known);
  if (field) map.hands.lift(ghost.at, [{ nation: ghost.power, unit: ghost.unit, count: ghost.count }], at, { from: "the proposal", ask: { command, field, known }, drop: (key) => amend(apart(order, ghost.unit), { [field]: key }) });
}

/** The units of one kind as an order of their own, where several kinds are proposed together. */
function apart(order, unit) {
  const { units } = order.command;
  if (!(units?.length > 1)) return order;
  const only = (some) => ({ ...order, command: { ...order.command, units: some } });
  const [one, rest] = [only(units.filter((it) => it.endsWith(unit))), only(units.filter((it) => !it.endsWith(unit)))];
  show({ ...advice.value, orders: advice.value.orders.flatMap((it) => (it === order ? [one, rest] : [it])) });
  amend(rest, {});
  return one;
}

/** An order other than proposed: its words, its cost and what the rules say against it come from the server. */
async function amend(order, fields) {
  const command = { ...order.command, ...fields };
  const found = await table.post("/preview", command);
  const level = found.changes?.find((it) => it.power === advice.value.power && it.figure === "level");
  const now = { ...order, command, own: true, text: found.sentence, cost: level ? level.was - level.is : order.cost, wrong: found.refused?.refusals[0] };
  show({ ...advice.value, orders: advice.value.orders.map((it) => (it === order ? now : it)), parted: true });
}

/** One unit of a kind more or fewer. */
function more(order, by, kind = 0) {
  const { count, units } = order.command;
  const [, n, unit] = /^(?:(\d+) )?(.*)$/.exec(units?.[kind] ?? "");
  const to = (count ?? Number(n ?? 1)) + by;
  if (to > 0) attempt(() => amend(order, count ? { count: to } : { units: units.with(kind, `${to} ${unit}`) }));
}

/** Ask what would be done by the first of these powers that would do anything; it is shown until it is put away. */
export async function suggest(whose) {
  for (const power of new Set(whose)) {
    show(await table.get("/suggest", { power }));
    if (advice.value.orders.length) return;
  }
}

/** What a standing order would do, before it is left to act: `act` leaves it so. */
export const shownFirst = async (whose, body, act) => show({ ...(await table.post(`/minders/${whose}/shown`, body)), act });

/** After a move it may be another. */
export const forgetAdvice = () => advice.peek() && show(null);

/** The advice that was asked for. */
export function advised() {
  if (!advice.value) return null;
  const { power, orders, stuck, base, total, minded, parted, act: leave } = advice.value;
  const away = () => show(null);
  const give = () =>
    attempt(async () => {
      if (minded && !parted) await table.post(`/minders/${power}/give`);
      else if (orders.length === 1) await perform("/do", orders[0].command);
      else await perform("/do-all", { orders: orders.map((it) => it.command) });
      toast(`${several(orders.length, "order")} given.`);
      away();
    });
  const act = () => attempt(leave).then(away);
  const take = async (order) => {
    const all = advice.value;
    if (await attempt(() => perform("/do", order.command))) part(order, all);
  };
  const edit = (order) => {
    const { do: command, ...known } = order.command;
    const offer = position().offers.find((it) => it.command === command && it.available) ?? { command, known: {}, label: order.text };
    part(order);
    openOrder(offer, known);
  };
  const tools = (it) => html`<span class="row">
    ${(it.command.units ?? (it.command.count ? [it.command.unit] : [])).map((unit, kind) => html`<button class="small" title=${`One fewer: ${unit}`} onclick=${() => more(it, -1, kind)}>−</button><button class="small" title=${`One more: ${unit}`} onclick=${() => more(it, 1, kind)}>+</button>`)}
    <button class="small" aria-label=${`Take: ${it.text}`} title="Take it" onclick=${() => take(it)}>✓</button>
    <button class="small" aria-label=${`Change: ${it.text}`} title="Change it in its form" onclick=${() => edit(it)}>…</button>
    <button class="small" aria-label=${`Wave away: ${it.text}`} title="Wave it away" onclick=${() => part(it)}>×</button>
  </span>`;
  /** A digit chooses a line; Enter takes it, X waves it away; with Ctrl all of them are given. */
  const keys = (event) => {
    const lines = [...event.currentTarget.children];
    const n = lines.findIndex((it) => it.contains(document.activeElement));
    const to = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : n + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN);
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) give();
    else if (event.key === "x") part(orders[n]);
    else if (event.key === "Enter" && event.target === lines[n]) take(orders[n]);
    else if (lines[to]) lines[to].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const cost = orders.reduce((n, it) => n + it.cost, 0);
  const change = (name, it) => (it.stands === it.becomes ? `${name} ${it.stands}` : `${name} ${it.stands} → ${it.becomes}`);
  return html`<div class="advice" role="status">
    <h3>${seal(power)} What ${nameOf(power)} would do now</h3>
    ${orders.length
      ? html`<ol onkeydown=${keys}>${orders.map((it) => html`<li tabindex="0">${it.text} ${it.wrong && html`<span class="deny">${it.wrong.text}</span> ${chip(it.wrong.clause, true)}`} ${it.cost ? amount(-it.cost) : null} <small class="quiet">${it.why}</small> ${!leave && tools(it)}</li>`)}</ol>`
      : html`<p>Nothing at this moment.</p>`}
    ${stuck && html`<p class="deny">No answer: ${stuck}</p>`}
    ${cost !== 0 && html`<p class="quiet">All of it ${cost > 0 ? "costs" : "brings"} ${several(Math.abs(cost), "BRP")}.</p>`}
    <p class="quiet">At the next year start, as it stands: ${change("base", base)}, ${change("total", total)}.</p>
    <p class="row">
      ${leave
        ? html`<button class="main push" id="let-it-act" onclick=${act}>Let it act</button>`
        : orders.length > 0 && html`<button class="push" onclick=${give}>Give these orders <kbd aria-hidden="true">Ctrl Enter</kbd></button>`}
      <button class="small" onclick=${away}>Put away</button>
    </p>
  </div>`;
}
