// Closing a phase together: who of the side is ready, who is not and why; what is in one's hand is never cut off.

import { $, counted, nameOf, several, these, toast } from "./dom.js";
import { attempt, table } from "./api.js";
import { attackInHand } from "./battle.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { modal } from "./people.js";
import { tellTrouble } from "./refusal.js";
import { live, me, perform, store, subscribe } from "./store.js";
import { fill, h, seal } from "./ui.js";

const SIGN = 60_000; // so often a full hand says that it still is

/** What this page holds: counters, or a form that is open. */
function inHand() {
  if (map.hands?.held) return map.hands.held.piles.map((p) => counted(p.count, p.unit)).join(", ");
  return attackInHand() || ($("#order").hidden ? "" : `a form: ${$("#order-title")?.textContent ?? "an order"}`);
}

/** Go on: alone that closes the phase; with others it says that one's own seats are ready, or takes it back. */
export async function readyOrOn() {
  const { ready } = store.view;
  if (!ready || ready.alone) return advance("");
  if (ready.mine) return perform("/ready", {}).catch(tellTrouble);
  if (inHand()) return toast("Something is in your hand: drop it first.", true);
  await advance("");
}

/** Go on, one phase or as far as it is said; `over` is why others are passed over. */
export const advance = (to, over) => perform("/advance", over ? { to, over } : { to }).catch(tellTrouble);

const state = (it) =>
  it.hand ? [h("strong", {}, `holds ${it.hand}`), "…"] : it.steward ? [it.powers.some((p) => store.view.showing.includes(p)) ? "has orders to show, keeps nobody" : `${it.people.length ? "steward, " : ""}ready by itself`, "✓"] : it.since ? [`ready since ${new Date(it.since * 1000).toTimeString().slice(0, 5)}`, "✓"] : [reads(it) || (it.away ? `away since ${new Date(it.away * 1000).toLocaleString()}` : "not ready"), "…"];
/** Whoever reads what happened meanwhile is shown as doing so; nobody waits for it. */
const reads = (it) => store.view.seats.find((s) => s.id === it.seat).catching_up.map((name) => `${name} is catching up`).join(", ");

const line = (it) => {
  const [said, mark] = state(it);
  return h("li", { key: it.seat, className: it.since || it.steward ? "is" : "not" }, seal(it.powers[0]), h("span", {}, h("strong", {}, it.mine ? "You" : it.people.join(", ") || "Steward"), ` ${it.title}`, h("small", {}, said)), h("b", { "aria-hidden": "true" }, mark));
};

/** The card of the way on where several people are of the side whose turn it is; nothing where one closes alone. */
export function readyCard(view, words) {
  const { ready } = view;
  if (!ready || ready.alone || !live()) return null;
  const own = ready.seats.some((it) => it.mine);
  const late = ready.seats.filter((it) => !it.since && !it.steward && !it.mine);
  if (!own && !ready.may_override) return null;
  const hand = own && !ready.mine ? inHand() : "";
  return h(
    "div",
    { className: `offer ready${own && !ready.mine ? " next" : ""}`, key: "ready", "data-command": "advance" },
    h("span", { className: "glyph", "aria-hidden": "true" }, "→"),
    h("strong", {}, ready.mine ? "You are ready" : words),
    own ? h("button", { className: "link go", id: "next-step", disabled: Boolean(hand), title: hand ? "drop it first" : undefined, onclick: readyOrOn }, ready.mine ? "Not ready after all " : `Ready: ${these(ready.seats.filter((it) => it.mine).map((it) => it.title))} `, h("kbd", { "aria-hidden": "true" }, "N")) : null,
    h("ul", { className: "ready-list", "aria-label": "Who is ready" }, ready.seats.map(line)),
    h("span", { className: "text" }, late.length ? `It closes when ${these(late.flatMap((it) => it.people))} ${late.length === 1 ? "is" : "are"} ready; an own order takes Ready back. After ${several(ready.hours, "hour")} without a look the rest of the side may close, the referee at any time, nobody over a full hand.` : "It closes with your Ready."),
    ready.surrendered.length ? h("span", { className: "text" }, `${these(ready.surrendered.map(nameOf))} has surrendered and is not asked.`) : null,
    own && late.length ? h("button", { className: "link small", onclick: () => attempt(() => table.post("/remind")).then(() => toast("They are reminded.")) }, `Nudge ${these(late.flatMap((it) => it.people))}`) : null,
    ready.may_override && late.length ? h("button", { className: "link small", disabled: late.some((it) => it.hand), title: late.some((it) => it.hand) ? "their hand is full" : undefined, onclick: () => override(late) }, `Close over ${these(late.flatMap((it) => it.people))}…`) : null,
  );
}

/** Host or referee close for others: by a question, with a word that all read. */
function override(late) {
  const close = () => {
    const why = $("#over-why").value.trim();
    if (!why) return $("#over-why").focus();
    $("#modal").close();
    advance("", why);
  };
  modal(`Close over ${these(late.flatMap((it) => it.people))}?`, `${several(late.length, "seat is", "seats are")} not ready. All read in the talk and in the log that you closed, and why.`,
    h("input", { id: "over-why", maxLength: 200, "aria-label": "Why", placeholder: "Why" }), h("button", { className: "main", onclick: close }, "Close the phase"));
}

/** Ringed seals at the end of the phases: who of the side is ready. */
function seals(view) {
  const { ready } = view;
  if (!ready || ready.seats.length < 2 || ready.alone || !live()) return fill($("#ready-seals"));
  fill($("#ready-seals"), ready.seats.map((it) => h("span", { key: it.seat, className: it.since || it.steward ? "is" : "not", title: `${it.title}: ${it.since || it.steward ? "ready" : "not ready"}` }, seal(it.powers[0]))), h("strong", {}, `${ready.ready} of ${ready.seats.length} ready`));
}

/** What partners hold lies pale on the map, with whose hand it is in. */
function partners({ ready }) {
  const held = (ready?.seats ?? []).filter((it) => !it.mine && it.held?.at);
  map.others = held.map((it) => ({ power: it.held.nation, unit: it.held.unit, count: 1, at: it.held.at, label: `in ${these(it.people)}’s hand` }));
  if (map.board) drawOver(map);
}

export function startReady() {
  subscribe(seals);
  subscribe(partners);
  // That a phase is closed is told to all but who closed it alone; whoever is ready no more is told too.
  subscribe((view, before, log) => {
    if (before?.ready?.mine && view.ready && !view.ready.mine && view.position.clock.moment === before.position.clock.moment) toast("You are not ready any more: say so again when you are.");
    const closed = before && log?.find((it) => it.step && it.id > before.head && it.minded.startsWith("closed"));
    if (closed && closed.minded !== `closed by ${me().name}`) toast(`${closed.text}. Undo (U) asks to open it again.`);
  });
  let [told, when] = [null, 0];
  setInterval(() => {
    const { view } = store;
    const asked = view?.ready && !view.ready.alone && me().player;
    const what = asked ? inHand() : "";
    if (told === null ? !asked : what === told && (!what || Date.now() - when < SIGN)) return;
    [told, when] = [what, Date.now()];
    const held = asked && map.hands?.held;
    table.put("/hand", { what: what.slice(0, 120), ...(held ? { nation: held.piles[0].nation, unit: held.piles[0].unit, at: held.key } : {}) }).then((it) => it.put_back && toast(`What you held was put back meanwhile: ${it.put_back}.`), () => null);
  }, 500);
}
