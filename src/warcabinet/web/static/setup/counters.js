// The trays of counters: what each nation has left of its list; dragged to the map, or chosen and put down by clicks.

import { $, fill, h, isPower, seal, several } from "../dom.js";
import { counter, onCanvas } from "../map/counters.js";
import { map } from "../map/map.js";
import { change, draft, onChange } from "./draft.js";

const FOLDS = "warcabinet-setup-folds";
const open = new Set(JSON.parse(localStorage.getItem(FOLDS) ?? '["germany"]'));
// What a click puts down: a counter, so many of it, or a whole stack that was copied.
export const stamp = { nation: "", unit: "", count: 1, stack: null };

export const drawn = (pile, size = 36) => onCanvas(48, 3, (ctx) => counter(ctx, 2, 9, size, pile, Math.max(0, pile.count - 1), 0));

const lineOf = (view, nation, unit) => view.trays.find((t) => t.nation === nation)?.lines.find((l) => l.unit === unit);
export const leftOf = (view, nation, unit) => {
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
  Object.assign(stamp, same ? { nation: "", unit: "" } : { nation, unit }, { count: 1, stack: null });
  say();
  for (const el of document.querySelectorAll(".tray-counter"))
    el.setAttribute("aria-pressed", String(el.dataset.unit === stamp.unit && el.dataset.nation === stamp.nation));
  return Boolean(stamp.unit);
}
export function letGo() {
  if (stamp.stack) Object.assign(stamp, { nation: "", unit: "", stack: null });
  else if (!stamp.unit || choose(stamp.nation, stamp.unit)) return false;
  say();
  return true;
}

/** What the next click puts down, in words; shown over the map. */
function say() {
  const { unit, count, stack } = stamp;
  const what = stack ? `copy of ${several(stack.reduce((n, p) => n + p.count, 0), "counter")}` : unit ? `${count} ${unit}` : "";
  $("#said").textContent = what ? `${what} chosen: a click or Enter on a hex puts it there` : "";
  fill($("#stamp"), what ? [h("strong", {}, what), " at each click ", h("kbd", {}, "Esc"), " lets go"] : null);
  $("#stamp").hidden = !what;
}

/** So many at each click. */
export function many(n) {
  if (!stamp.unit || stamp.stack) return false;
  stamp.count = n;
  say();
  return true;
}

/** A stack is put down again where one clicks. */
export function copyStack(key) {
  const stack = draft.view.pieces.filter((p) => p.place === key);
  if (!stack.length) return;
  Object.assign(stamp, { nation: stack[0].nation, unit: stack[0].unit, stack });
  say();
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
  const button = h(
    "button",
    {
      type: "button",
      className: left > 0 ? "tray-counter" : left < 0 ? "tray-counter over" : "tray-counter none",
      dataset: { nation: tray.nation, unit: line.unit },
      "aria-pressed": String(stamp.nation === tray.nation && stamp.unit === line.unit),
      "aria-label": `${tray.name} ${line.unit}: ${left} left of ${line.listed}${line.assumed ? ", the list is assumed" : ""}`,
      title: line.unit,
    },
    drawn({ nation: tray.nation, unit: line.unit, count: Math.max(1, left) }),
    h("span", {}, h("strong", { className: left < 0 ? "minus" : "" }, String(left).replace("-", "−")), ` of ${line.listed}`),
  );
  button.addEventListener("pointerdown", (event) => press(event, tray.nation, line.unit));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (choose(tray.nation, line.unit)) map.grid.focus();
  });
  return button;
}

const GROUPS = ["Ground", "Air", "Naval", "Other"];

/** Whether every word is found in a nation or a kind, in any order: "britain army", "armor 4-6 german". */
function fits(tray, line, words) {
  const name = tray.name.toLowerCase();
  return words.split(/\s+/).every((w) => name.includes(w) || line.unit.includes(w) || tray.nation.includes(w) || line.unit === LETTERS[w]);
}

function shown(tray, words, which) {
  return tray.lines.filter((l) => {
    const left = l.listed - l.used;
    if (which === "left" ? left < 1 : which === "placed" && !l.used) return false;
    return !words || fits(tray, l, words);
  });
}
const LETTERS = { aaf: "army air", nas: "naval air", int: "interceptor", sac: "bomber", dd: "destroyer", ca: "cruiser", ss: "submarine", tr: "transport" };

function groups(tray, lines) {
  return GROUPS.map((name) => {
    const mine = lines.filter((l) => l.group === name);
    if (!mine.length) return null;
    return h("div", { className: "tray-group" }, h("h3", {}, name), h("div", { className: "tray-row" }, mine.map((l) => card(tray, l))));
  });
}

function fold(tray, lines, forced) {
  const placed = tray.lines.reduce((n, l) => n + l.used, 0);
  const all = tray.lines.reduce((n, l) => n + l.listed, 0);
  const details = h(
    "details",
    { className: `fold-tray ${tray.nation}`, open: forced || open.has(tray.nation), dataset: { nation: tray.nation } },
    h(
      "summary",
      {},
      h("span", { className: `edge pattern ${tray.nation}` }),
      isPower(tray.nation) ? seal(tray.nation) : null,
      h("span", { className: "name" }, tray.name),
      h("span", { className: "quiet push" }, h("strong", {}, String(placed)), ` of ${all} in play`),
    ),
    groups(tray, lines),
  );
  details.addEventListener("toggle", () => {
    if (forced) return;
    if (details.open) open.add(tray.nation);
    else open.delete(tray.nation);
    localStorage.setItem(FOLDS, JSON.stringify([...open]));
  });
  return details;
}

/** A kind that no list has: named by hand, and then chosen for clicks. */
function another(view) {
  const form = h(
    "form",
    { className: "another" },
    h("label", { htmlFor: "another-nation" }, "Another kind"),
    h("select", { id: "another-nation", name: "nation" }, view.trays.map((t) => h("option", { value: t.nation }, t.name))),
    h("input", { name: "unit", list: "another-units", placeholder: "armor 4-6", "aria-label": "Kind and strength", required: true }),
    h("datalist", { id: "another-units" }, view.kinds.map((k) => h("option", { value: k }))),
    h("button", { type: "submit", className: "small" }, "Choose"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { nation, unit } = form.elements;
    choose(nation.value, unit.value.trim().toLowerCase());
    map.grid.focus();
  });
  return form;
}

function draw(view) {
  const words = $("#find").value.trim().toLowerCase();
  const which = $("#which").value;
  const forced = Boolean(words);
  const found = view.trays.map((t) => [t, shown(t, words, which)]).filter(([t, lines]) => lines.length || (isPower(t.nation) && !words));
  const minors = found.filter(([t]) => !isPower(t.nation));
  const scroll = $("#trays").scrollTop;
  const focused = document.activeElement?.closest?.(".tray-counter")?.dataset;
  fill(
    $("#trays"),
    found.filter(([t]) => isPower(t.nation)).map(([t, lines]) => fold(t, lines, forced)),
    minors.length
      ? h(
          "details",
          { className: "fold-tray minors", open: forced || open.has("minors"), ontoggle: (e) => !forced && (e.target.open ? open.add("minors") : open.delete("minors")) },
          h("summary", {}, h("span", { className: "edge" }), h("span", { className: "name" }, "Minor countries"), h("span", { className: "quiet push" }, `${minors.length}`)),
          minors.map(([t, lines]) => h("div", { className: "minor" }, h("h3", {}, t.name), h("div", { className: "tray-row" }, lines.map((l) => card(t, l))))),
        )
      : null,
    found.length ? null : h("p", { className: "quiet", role: "status" }, `Nothing found for “${words}”. Write a nation, a kind, or both: britain infantry.`),
    another(view),
  );
  $("#trays").scrollTop = scroll;
  if (focused) $(`.tray-counter[data-nation="${focused.nation}"][data-unit="${focused.unit}"]`)?.focus({ preventScroll: true });
}

export function startCounters() {
  onChange(draw);
  $("#find").addEventListener("input", () => draw(draft.view));
  $("#which").addEventListener("change", () => draw(draft.view));
  map.hands.manner = {
    grips: () => document.body.dataset.mode === "place" && !stamp.unit,
    how: (key, piles) => ({
      free: true,
      drop: (to) => piles.forEach((p) => carry(p.nation, p.unit, p.count, key, to)),
    }),
  };
}
