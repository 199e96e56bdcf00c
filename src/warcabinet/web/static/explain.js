// A number, an amount, an account or a clause opened to what it rests on: a box that the server draws, unfolded here.

import { $, $$, conceal, copied, reveal, toast } from "./dom.js";
import { attempt, table } from "./api.js";
import { served } from "./served.js";
import { past, store } from "./store.js";
import { fill } from "./ui.js";

/** What may be pressed, by the data it bears, and what is told of it besides. */
const OPENS = ["rule", "figure", "clause", "ledger", "sum", "due", "column", "factors"];
const TOLD = ["args", "purpose", "here", "year", "power"];
const PRESSED = OPENS.map((it) => `[data-${it}]`).join();

let shown = 0;

/** Beside what was pressed, on a desk. */
function place(box, anchor) {
  if (innerWidth < 900) return;
  const middle = { left: innerWidth / 2, right: innerWidth / 2, top: 140 };
  const from = (anchor?.closest?.(".card") ?? anchor)?.getBoundingClientRect?.() ?? middle;
  const width = box.offsetWidth;
  const beside = from.right + 14 + width < innerWidth ? from.right + 14 : Math.max(8, from.left - width - 14);
  box.style.left = `${beside}px`;
  box.style.top = `${Math.max(126, Math.min(from.top - 24, innerHeight - box.offsetHeight - 16))}px`;
}

/** Open what was pressed: a figure of a forecast with what is supposed there. */
const open = (what, anchor) =>
  attempt(async () => {
    const supposed = anchor?.closest?.("[data-supposed]")?.dataset.supposed;
    const text = await table.post("/opened", { at: past() ? store.at : null, ...what, ...(supposed && what.rule ? { supposed: JSON.parse(supposed) } : {}) });
    const box = $("#explain");
    // Over an open dialog nothing outside it can be seen or reached.
    const home = $("dialog[open]") ?? $("#board");
    if (box.parentElement !== home) home.append(box);
    fill(box, served(text, { class: "page-part", key: ++shown, onclick: press }));
    reveal(box);
    place(box, anchor);
    $(".body", box).focus({ preventScroll: true });
    $("tr.here", box)?.scrollIntoView({ block: "nearest" });
  });

export function closeExplain() {
  if (!conceal($("#explain"))) return false;
  $("#board").append($("#explain"));
  return true;
}

export const openClause = (clause, anchor) => open({ clause }, anchor);

/** The reasons as they stand there, each as deep as it lies. */
const asText = () => $$("#explain :is(.line, .total)").map((it) => {
  let depth = -1;
  for (let above = it; above; above = above.parentElement.closest(".why")) depth += 1;
  const [value, said, clause] = [".value", ".said", ":scope > .chip"].map((part) => $(part, it)?.firstChild?.textContent.trim() ?? "");
  return `${"  ".repeat(Math.max(0, depth - 1))}${value}  ${said} ${clause && `[${clause}]`}`;
}).join("\n");

function press({ target }) {
  const { fold, close, copies, link } = { fold: target.closest(".fold"), ...target.closest("button")?.dataset };
  if (fold) {
    const is = fold.ariaExpanded !== "true";
    fold.ariaExpanded = String(is);
    $(":scope > .why", fold.closest("li")).hidden = !is;
  } else if (close !== undefined) closeExplain();
  else if (copies !== undefined) copied(asText(), "Copied.");
  else if (link) {
    location.hash = link;
    copied(location.href, "The link is in the address bar.");
  }
}

/** In a sum the arrows unfold and fold; up and down go from line to line. */
function walk(event) {
  const folds = $$("#explain .fold").filter((el) => el.offsetParent);
  const now = document.activeElement;
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const to = by ? folds[folds.indexOf(now) + by] : event.key === "ArrowRight" && !folds.includes(now) ? folds[0] : null;
  const turns = { ArrowRight: "false", ArrowLeft: "true" }[event.key];
  if (to) to.focus();
  else if (turns && now.matches(".fold") && now.ariaExpanded === turns) now.click();
  else return;
  event.preventDefault();
}

/** The clause nearest to what has the focus: its own, its line's, its card's. */
export function clauseInFocus() {
  const el = document.activeElement;
  const around = el?.closest(".line, .total, .offer, .reasons li, .due-line, tr, li, .field, .card, .float, .modal");
  const found = el?.dataset?.clause ?? around?.querySelector("[data-clause]")?.dataset.clause;
  if (found) openClause(found, el);
  else toast("No clause is near the focus: go to a line that has one.");
}

/** The sum of the number that has the focus, or of the first one beside it. */
export function whyInFocus() {
  const el = document.activeElement;
  const number = el?.matches?.(".number") ? el : el?.closest?.(".card, .offer, tr, .phone-figures, .fact")?.querySelector(".number");
  if (number) number.click();
  else toast("No number has the focus: go to one with Tab, or press 1 to 8 for a power.");
}

/** Every number, figure and clause on the page answers to one listener. */
export function startExplain() {
  $("#explain").addEventListener("keydown", walk);
  for (const dialog of $$("dialog")) {
    dialog.addEventListener("cancel", (event) => {
      if (closeExplain()) event.preventDefault();
    });
    dialog.addEventListener("close", closeExplain);
  }
  document.addEventListener("click", (event) => {
    const target = event.target.closest(PRESSED);
    if (!target) return;
    event.preventDefault();
    const told = [OPENS.find((it) => it in target.dataset), ...TOLD].filter((it) => it in target.dataset);
    const { year, ...what } = Object.fromEntries(told.map((it) => [it, target.dataset[it]]));
    open({ ...what, ...(year ? { year: Number(year) } : {}) }, target);
  });
  const linked = /^#explain=(\w+)\(([^)]*)\)$/.exec(decodeURIComponent(location.hash));
  if (linked) open({ rule: linked[1], args: linked[2] });
}
