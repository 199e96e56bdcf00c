// Finding elements, what things are called, words that come and go, and what floats.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Powers as the position calls them, with their seals. */
const NAMES = {};
const known = new Map();

/** Learn what things are called from the position. */
export function learn(view) {
  for (const c of view.position.countries) known.set(c.id, c.name);
  for (const p of view.position.powers) NAMES[p.power] = [p.name, p.seal];
}

export const nameOf = (id) =>
  NAMES[id]?.[0] ?? known.get(id) ?? (id ? id.replaceAll("_", " ").replace(/\b[a-z]/g, (c) => c.toUpperCase()) : "");
export const sealOf = (id) => NAMES[id]?.[1] ?? "";
export const isPower = (id) => id in NAMES;
/** Whom a page begins with where nobody was chosen: the first of the powers. */
export const firstPower = () => Object.keys(NAMES)[0];

/** A text as the beginning of a sentence. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text in the middle of a sentence; abbreviations stay as they are. */
export const lower = (text) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

/** So many of something, the number in figures or as it is said: 1 hex, 2 hexes, three reasons. */
export const several = (n, one, more = `${one}s`, said = n) => `${said} ${n === 1 ? one : more}`;

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
/** A small number in words. */
export const inWords = (n) => WORDS[n] ?? String(n);

const PLURALS = JSON.parse(document.body.dataset.plurals ?? "{}");
/** So many of a unit, as the server calls one and more of them: 3 cruisers, one infantry 3-3. */
export const counted = (n, unit, said) => several(n, unit, PLURALS[unit] ?? unit, said);
/** A pile in a sentence: 3 cruisers of Britain. */
export const pileWords = (p, said) => `${counted(p.count, p.unit, said)} of ${nameOf(p.nation)}`;

/** Several things in a sentence: a, b and c. */
export const these = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

export const signed = (n) => n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";

/** What units cost, in words: of some kinds the documents give no cost, and none is reckoned. */
export const priceOf = (cost, one = "") => (cost ? `${several(cost, "BRP")}${one}` : "no cost known");

/** Words that come over the page and go by themselves. */
export function toast(text, deny) {
  const p = document.createElement("p");
  p.className = deny ? "deny" : "";
  p.textContent = text;
  comeAndGo(p, 4500);
}
export function comeAndGo(el, after) {
  $("#toasts").append(el);
  setTimeout(() => el.remove(), after);
}

/** Put a text on the clipboard, where the browser lets pages do so, and say it. */
export async function copied(text, said) {
  await navigator.clipboard?.writeText(text).catch(() => {});
  toast(said);
}

export function debounce(fn, wait) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), wait);
  };
}

/** A table on the clipboard, as a spreadsheet takes it: of each cell its figure, or what it says of itself. */
export function copyTable(el) {
  const said = (cell) => cell.dataset.copy ?? $("input", cell)?.value ?? ($(".number", cell) ?? cell).textContent.trim();
  copied($$(".figures tr:not(.part)", el).map((row) => [...row.children].map(said).join("\t")).join("\n"), "Copied as a table.");
}

const before = new WeakMap();

/** Show what floats, and remember who had the focus. */
export function reveal(box) {
  if (box.hidden) before.set(box, document.activeElement);
  box.hidden = false;
}

/** Hide what floats; who had the focus before has it again. Whether it was shown. */
export function conceal(box) {
  if (box.hidden) return false;
  // A hidden field would keep the focus for a moment and swallow the next key.
  if (box.contains(document.activeElement)) document.activeElement.blur();
  box.hidden = true;
  before.get(box)?.focus();
  return true;
}
