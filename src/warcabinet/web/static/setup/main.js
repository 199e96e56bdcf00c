// The set-up editor's page: the map of the table, trays at the left, panels at the right.

import { $, $$, capital, firstPower } from "../dom.js";
import { loadBoard } from "../map/atlas.js";
import { map, startMap } from "../map/map.js";
import { brush, startBrush } from "./brush.js";
import { carry, copyStack, letGo, many, putDown, stamp, startCounters, there, unfold } from "./counters.js";
import { beginTable, beginWith, change, desk, draft, errors, keptDraft, redo, rename, UNNAMED, undo } from "./draft.js";
import { openDialog, save, startDialog } from "./files.js";
import { startFind } from "./find.js";
import { openLines } from "./lines.js";
import { choosePlace, numbered, startPanels } from "./panels.js";
import { effect, fill, options, untracked } from "../ui.js";

const here = () => (map.cursor ?? map.selected)?.key;
const KEYS = {
  p: () => (desk.mode = "place"),
  c: () => (desk.mode = "paint"),
  x: () => (desk.mode = "erase"),
  v: () => (desk.mode = "look"),
  delete: () => clear(here()),
  backspace: () => clear(here()),
  u: (event) => (event.shiftKey ? redo() : undo()),
  e: () => (desk.board = desk.board === "europe" ? "pacific" : "europe"),
  "/": () => $("#place").focus(),
  t: openLines,
  k: () => copyStack(here()),
};

/** One of some buttons is pressed: that which says this. */
const pressed = (buttons, name, now) => {
  for (const it of $$(buttons)) it.ariaPressed = String(it.dataset[name] === now);
};

function showMode() {
  const { mode } = desk;
  document.body.dataset.mode = mode;
  pressed("[data-mode]:not(body)", "mode", mode);
  if (mode !== "place") untracked(letGo);
}

function showBoard() {
  const { board } = desk;
  document.body.dataset.view = board;
  pressed("[data-board]", "board", board);
  untracked(() => map.open(board));
}

function setPanel(name) {
  document.body.dataset.panel = name;
  pressed(".setup-tabs button", "panel", name);
  dispatchEvent(new Event("resize"));
}

/** A place was pressed: put the chosen counter there, take one off, or look. */
function press(key, name, all) {
  const { mode } = desk;
  if (mode === "place" && stamp.unit) return putDown(key, all);
  if (mode === "erase") {
    const [top] = draft.view.pieces.filter((p) => p.place === key);
    if (top) carry(top.nation, top.unit, all ? top.count : 1, key, "off");
    return null;
  }
  return choosePlace(key, name);
}

const onHex = (hex, event) => {
  map.select(hex);
  press(hex.key, map.board.title(hex), event?.shiftKey);
};

/** Take a whole stack off the map, in one step. */
function clear(key) {
  const stack = draft.view.pieces.filter((p) => p.place === key);
  if (!stack.length) return;
  change((view) => Object.fromEntries(stack.filter((p) => there(view, p.nation, p.unit, key)).map((p) => [`units.${p.nation}.${key}.${p.unit}`, 0])));
}

function moment() {
  const { view } = draft;
  if (!view) return;
  const { turn, player, phase, turns, phases } = view.moment;
  const choices = (id, values, now, text = (v) => v) => {
    fill($(id), options(values.map((v) => [v, text(v)])));
    $(id).value = now;
  };
  choices("#turn", turns, turn);
  choices("#player", ["axis", "allied"], player, (v) => (v === "axis" ? "Axis turn" : "Allied turn"));
  choices("#phase", phases, phase, capital);
  $("#books").checked = view.position.options?.forces === "counted";
}

function verdict() {
  if (!draft.view) return;
  const n = errors().length;
  $("#verdict").textContent = n ? `${numbered(n, "error")}: the table cannot start yet` : "No errors: the table can start";
  $("#verdict").classList.toggle("minus", n > 0);
  $("#start").setAttribute("aria-disabled", String(n > 0));
  $("#undo").disabled = !draft.past.length;
  $("#redo").disabled = !draft.future.length;
  $("#kept").textContent = "kept in this browser";
}

function startKeys() {
  // While a counter is chosen a number says how many; else it takes up a pile of the hex.
  document.addEventListener(
    "keydown",
    (event) => {
      if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
      if (!many(Number(event.key))) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
      event.preventDefault();
      return void save();
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "Escape") return void (map.hands.putBack() || map.fan.close() || letGo() || choosePlace(null));
    const act = KEYS[event.key.toLowerCase()];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

function startBars() {
  for (const button of $$("[data-mode]:not(body)")) button.addEventListener("click", () => (desk.mode = button.dataset.mode));
  for (const button of $$("[data-board]")) button.addEventListener("click", () => (desk.board = button.dataset.board));
  for (const button of $$(".setup-tabs button")) button.addEventListener("click", () => setPanel(button.dataset.panel));
  for (const id of ["turn", "player", "phase"])
    $(`#${id}`).addEventListener("change", () =>
      change({}, { turn: $("#turn").value, player: $("#player").value, phase: $("#phase").value }),
    );
  $("#books").addEventListener("change", () => change({ "options.forces": $("#books").checked ? "counted" : "none" }));
  $("#undo").addEventListener("click", undo);
  $("#redo").addEventListener("click", redo);
  $("#open").addEventListener("click", openDialog);
  $("#lines").addEventListener("click", openLines);
  $("#save").addEventListener("click", save);
  $("#start").addEventListener("click", startDialog);
  $("#title").addEventListener("change", () => {
    rename($("#title").value.trim());
    $("#title").value = draft.title;
  });
}

/** What to begin with: the table that was named, what this browser kept, else the classic campaign. */
async function begin() {
  const { from } = document.body.dataset;
  const kept = keptDraft();
  if (from) {
    await beginTable("From the table", from, false);
    history.replaceState(null, "", location.pathname);
  } else if (kept) {
    Object.assign(draft, { title: kept.title, named: Boolean(kept.named) });
    await beginWith(kept.title, kept.position);
  } else await beginWith(UNNAMED, { scenario: "classic-1939" });
  $("#title").value = draft.title;
}

async function start() {
  startBars();
  startKeys();
  effect(moment);
  startCounters();
  startBrush();
  startPanels();
  effect(verdict);
  await Promise.all([begin(), loadBoard("europe"), loadBoard("pacific")]);
  brush.by = firstPower();
  unfold(brush.by);
  startFind();
  effect(showMode);
  effect(showBoard);
  await map.open("europe");
  startMap({ hex: onHex, box: ({ key, name }) => press(key, name) });
  document.body.dataset.ready = "yes";
}

start();
