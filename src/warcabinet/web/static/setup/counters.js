// The trays of counters: what each nation has left of its list; dragged to the map, or chosen and put down by clicks.

import { $, counted, isPower, several } from "../dom.js";
import { counter, lettersOf, onCanvas } from "../map/counters.js";
import { map } from "../map/map.js";
import { change, desk, draft } from "./draft.js";
import { chosen, html, options, panel, seal, state } from "../ui.js";

const FOLDS = "warcabinet-setup-folds";
const kept = localStorage.getItem(FOLDS);
const open = chosen(JSON.parse(kept ?? "[]"));
/** The tray that is open unless somebody folded or unfolded any. */
export const unfold = (nation) => kept || open.turn(nation, true);
// What a click puts down: a counter, so many of it, or a whole stack that was copied.
export const stamp = state({ nation: "", unit: "", count: 1, stack: null });
const NOTHING = { nation: "", unit: "", count: 1, stack: null };

export const drawn = (pile, size = 36) => onCanvas(48, 3, (ctx) => counter(ctx, 2, 9, size, pile, Math.max(0, pile.count - 1), 0));

const lineOf = (view, nation, unit) => view.trays.find((t) => t.nation === nation)?.lines.find((l) => l.unit === unit);
const leftOf = (view, nation, unit) => {
  const line = lineOf(view, nation, unit);
  return line ? line.listed - line.used : 0;
};

/** How many of a kind lie somewhere: on a place, in a pool, on the turn record track. */
export function there(view, nation, unit, where) {
  if (where === "pool" || where.startsWith("track/")) {
    const arrives = where === "pool" ? "" : where.slice(6);
    return view.pools.find((p) => p.nation === nation && p.unit === unit && p.arrives === arrives)?.count ?? 0;
  }
  return view.pieces.find((p) => p.nation === nation && p.unit === unit && p.place === where)?.count ?? 0;
}

/** The figure that counts units of a kind somewhere; none for the trays. */
export function figure(nation, unit, where) {
  if (where === "pool") return `units.${nation}.unbuilt.${unit}`;
  if (where.startsWith("track/")) return `turn_track.${nation}.${where.slice(6)}.${unit}`;
  return where === "tray" || where === "off" ? null : `units.${nation}.${where}.${unit}`;
}

/** Bring counters from one place to another; the trays and what is off the map have no end. */
export function carry(nation, unit, count, from, to) {
  if (to === from) return null;
  return change((view) => {
    const here = figure(nation, unit, from);
    const target = figure(nation, unit, to);
    const moved = here ? Math.min(count, there(view, nation, unit, from)) : count;
    if (!moved) return null;
    return {
      ...(here ? { [here]: there(view, nation, unit, from) - moved } : {}),
      ...(target ? { [target]: there(view, nation, unit, to) + moved } : {}),
    };
  });
}

/** One counter more or fewer at a place. */
export const count = (nation, unit, where, by) =>
  change((view) => ({ [figure(nation, unit, where)]: Math.max(0, there(view, nation, unit, where) + by) }));

/** Choose a counter for clicks on the map, or let it go. */
export function choose(nation, unit) {
  const same = stamp.nation === nation && stamp.unit === unit;
  Object.assign(stamp, NOTHING, same ? {} : { nation, unit });
  return !same;
}
export function letGo() {
  if (!stamp.unit) return false;
  Object.assign(stamp, NOTHING);
  return true;
}

/** What the next click puts down, in words; shown over the map. */
function say() {
  const { unit, count, stack } = stamp;
  const what = stack ? `copy of ${several(stack.reduce((n, p) => n + p.count, 0), "counter")}` : unit ? counted(count, unit) : "";
  $("#said").textContent = what ? `${what} chosen: a click or Enter on a hex puts it there` : "";
  return what && html`<strong>${what}</strong> at each click <kbd>Esc</kbd> lets go`;
}

/** So many at each click. */
export function many(n) {
  if (!stamp.unit || stamp.stack) return false;
  stamp.count = n;
  return true;
}

/** A stack is put down again where one clicks. */
export function copyStack(key) {
  const stack = draft.view.pieces.filter((p) => p.place === key);
  if (!stack.length) return;
  Object.assign(stamp, { nation: stack[0].nation, unit: stack[0].unit, stack });
}

/** Put the chosen counter down: one, or all that are left. */
export function putDown(key, all) {
  const { nation, unit, stack } = stamp;
  if (stack)
    return change((view) => Object.fromEntries(stack.map((p) => [figure(p.nation, p.unit, key), there(view, p.nation, p.unit, key) + p.count])));
  return carry(nation, unit, all ? Math.max(1, leftOf(draft.view, nation, unit)) : stamp.count, "tray", key);
}

/** A press on a tray: dragged it goes to the map, else it is chosen for clicks. */
function press(event, nation, unit) {
  if (event.button > 0) return;
  const box = $("#map-sheet").getBoundingClientRect();
  const all = event.shiftKey ? Math.max(1, leftOf(draft.view, nation, unit)) : 1;
  const from = [event.clientX, event.clientY];
  const follow = (move) => {
    if (Math.hypot(move.clientX - from[0], move.clientY - from[1]) < 5 || map.hands.held) return;
    map.hands.pressed = from;
    const at = [move.clientX - box.left, move.clientY - box.top];
    map.hands.lift("tray", [{ nation, unit, count: all }], at, { from: "the tray" });
  };
  const end = (up) => {
    document.removeEventListener("pointermove", follow);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    if (!map.hands.held && up.type === "pointerup" && event.target.closest("button").contains(up.target)) choose(nation, unit);
    if (map.hands.held && !up.target.closest?.("#map-sheet, [data-drop]")) map.hands.putBack();
  };
  event.target.releasePointerCapture?.(event.pointerId);
  document.addEventListener("pointermove", follow);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}

function card(tray, line) {
  const left = line.listed - line.used;
  const key = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (choose(tray.nation, line.unit)) map.grid.focus();
  };
  return html`<button class=${left > 0 ? "tray-counter" : left < 0 ? "tray-counter over" : "tray-counter none"}
    data-nation=${tray.nation} data-unit=${line.unit}
    aria-pressed=${stamp.nation === tray.nation && stamp.unit === line.unit}
    aria-label=${`${tray.name} ${line.unit}: ${left} left of ${line.listed}${line.assumed ? ", the list is assumed" : ""}`}
    title=${line.unit} key=${`${tray.nation} ${line.unit}`} onkeydown=${key}
    onpointerdown=${(event) => press(event, tray.nation, line.unit)}>
    ${drawn({ nation: tray.nation, unit: line.unit, count: Math.max(1, left) })}
    <span><strong class=${left < 0 ? "minus" : ""}>${String(left).replace("-", "−")}</strong> of ${line.listed}</span>
  </button>`;
}

const GROUPS = ["Ground", "Air", "Naval", "Other"];

/** Whether every word is found in a nation or a kind, in any order: "britain army", "armor 4-6 german". */
function fits(tray, line, words) {
  const name = tray.name.toLowerCase();
  return words.split(/\s+/).every((w) => name.includes(w) || line.unit.includes(w) || tray.nation.includes(w) || lettersOf(line.unit).toLowerCase() === w);
}

const shown = (tray, words, which) => tray.lines.filter((l) => {
  const left = l.listed - l.used;
  if (which === "left" ? left < 1 : which === "placed" && !l.used) return false;
  return !words || fits(tray, l, words);
});

const groups = (tray, lines) => GROUPS.map((name) => {
  const mine = lines.filter((l) => l.group === name);
  if (!mine.length) return null;
  return html`<div class="tray-group"><h3>${name}</h3><div class="tray-row">${mine.map((l) => card(tray, l))}</div></div>`;
});

function fold(tray, lines, forced) {
  const placed = tray.lines.reduce((n, l) => n + l.used, 0);
  const all = tray.lines.reduce((n, l) => n + l.listed, 0);
  return html`<details class=${`fold-tray ${tray.nation}`} key=${tray.nation} open=${forced || open.has(tray.nation)}
    data-nation=${tray.nation} ontoggle=${(event) => !forced && keepOpen(tray.nation, event.target.open)}>
    <summary>
      <span class=${`edge pattern ${tray.nation}`} />${isPower(tray.nation) && seal(tray.nation)}
      <span class="name">${tray.name}</span><span class="quiet push"><strong>${placed}</strong> of ${all} in play</span>
    </summary>
    ${groups(tray, lines)}
  </details>`;
}

function keepOpen(name, is) {
  if (open.has(name) !== is) open.turn(name, is);
  localStorage.setItem(FOLDS, JSON.stringify(open.all()));
}

/** A kind that no list has: named by hand, and then chosen for clicks. */
function another(view) {
  const take = (event) => {
    const { nation, unit } = event.target.elements;
    choose(nation.value, unit.value.trim().toLowerCase());
    map.grid.focus();
  };
  return html`<form class="another" onsubmit=${take}>
    <label for="another-nation">Another kind</label>
    <select id="another-nation" name="nation">${options(view.trays.map((t) => [t.nation, t.name]))}</select>
    <input name="unit" list="another-units" placeholder="armor 4-6" aria-label="Kind and strength" required />
    <datalist id="another-units">${view.kinds.map((k) => html`<option value=${k} />`)}</datalist>
    <button type="submit" class="small">Choose</button>
  </form>`;
}

/** What is sought among the counters. */
const sought = state({ words: "", which: "" });

function draw() {
  const { view } = draft;
  const { words, which } = sought;
  if (!view) return null;
  const forced = Boolean(words);
  const found = view.trays.map((t) => [t, shown(t, words, which)]).filter(([t, lines]) => lines.length || (isPower(t.nation) && !words));
  const minors = found.filter(([t]) => !isPower(t.nation));
  return html`
    ${found.filter(([t]) => isPower(t.nation)).map(([t, lines]) => fold(t, lines, forced))}
    ${minors.length > 0 && html`<details class="fold-tray minors" open=${forced || open.has("minors")}
      ontoggle=${(event) => !forced && keepOpen("minors", event.target.open)}>
      <summary>
        <span class="edge" /><span class="name">Minor countries</span><span class="quiet push">${minors.length}</span>
      </summary>
      ${minors.map(([t, lines]) => html`<div class="minor"><h3>${t.name}</h3><div class="tray-row">${lines.map((l) => card(t, l))}</div></div>`)}
    </details>`}
    ${!found.length && html`<p class="quiet" role="status">
      Nothing found for “${words}”. Write a nation, a kind, or both: britain infantry.
    </p>`}
    ${another(view)}
  `;
}

export function startCounters() {
  const seek = () => Object.assign(sought, { words: $("#find").value.trim().toLowerCase(), which: $("#which").value });
  $("#find").addEventListener("input", seek);
  $("#which").addEventListener("change", seek);
  seek();
  panel($("#trays"), draw);
  panel($("#stamp"), say);
  map.hands.manner = {
    grips: () => desk.mode === "place" && !stamp.unit,
    how: (key, piles) => ({
      free: true,
      drop: (to) => piles.forEach((p) => carry(p.nation, p.unit, p.count, key, to)),
    }),
  };
}
