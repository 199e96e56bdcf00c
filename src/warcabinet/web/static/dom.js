// Small pieces of page: elements, chips, seals, numbers that open.

export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(el.dataset, value);
    else if (key === "share") el.style.setProperty("--share", value);
    else if (key in el && key !== "list" && !key.startsWith("aria")) el[key] = value;
    else el.setAttribute(key, value === true ? "" : value);
  }
  el.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

export function fill(el, ...children) {
  el.replaceChildren(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return el;
}

/** A small drawing in lines, beside words that say the same. */
export function icon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

const NAMES = {
  germany: ["Germany", "Ge"],
  italy: ["Italy", "It"],
  japan: ["Japan", "Ja"],
  britain: ["Britain", "Br"],
  france: ["France", "Fr"],
  russia: ["Russia", "Ru"],
  usa: ["United States", "US"],
  china: ["China", "Ch"],
};
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

/** A text as the beginning of a sentence. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A text in the middle of a sentence; abbreviations stay as they are. */
export const lower = (text) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

/** So many of something: 1 hex, 2 hexes. */
export const several = (n, one, more = `${one}s`) => `${n} ${n === 1 ? one : more}`;

/** Several things in a sentence: a, b and c. */
export const these = (names) => [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean).join(" and ");

export function signed(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

/** What a unit costs, in words: of some kinds the documents give no cost, and none is reckoned. */
export const priceOf = (cost, unit = "") => (cost ? `${cost} ${unit}` : "no cost known");

/** Seals, clauses and figures, as elements of one kind or another. */
export function parts(h) {
  const seal = (power) =>
    h("span", { className: `seal ${power}`, title: nameOf(power), "aria-hidden": "true" }, sealOf(power) || "·");

  /** A signed amount; with what names it (a move's event, something that falls due) it opens its sum. */
  const amount = (n, neutral, opens, about = "") => {
    if (n === null || n === undefined) return null;
    const className = neutral ? "sum" : n < 0 ? "minus" : "plus";
    if (!opens) return h("span", { className }, signed(n));
    const label = `${about ? `${about}: ` : ""}${signed(n)}, open the sum`;
    return h("button", { type: "button", className: `number ${className}`, dataset: opens, "aria-label": label }, signed(n));
  };

  /** A clause chip; pressing it opens the clause. */
  const chip = (clause, deny) => {
    if (!clause) return null;
    const className = deny ? "chip deny" : "chip";
    return h("button", { type: "button", className, dataset: { clause }, "aria-label": `clause ${clause}` }, clause);
  };

  /** A number that opens its sum. */
  const number = (value, rule, args, label, className = "") => {
    const dataset = { rule, args: args.join(",") };
    return h("button", { type: "button", className: `number ${className}`, dataset, "aria-label": `${label}: ${value}, open the sum` }, String(value));
  };
  return { seal, amount, chip, number };
}

const made = parts(h);
export const seal = made.seal;
export const chip = made.chip;
export const amount = made.amount;
export const number = made.number;

export function toast(text, deny) {
  const p = h("p", { className: deny ? "deny" : "" }, text);
  $("#toasts").append(p);
  setTimeout(() => p.remove(), 4500);
}

export function debounce(fn, wait) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), wait);
  };
}

/** Remember who had the focus, so that what closes gives it back. */
export function returningFocus() {
  const before = document.activeElement;
  return () => {
    if (before && document.contains(before)) before.focus();
  };
}

/** Hide what floats. A hidden field would keep the focus for a moment and swallow the next key. */
export function hide(box, giveBack) {
  if (box.contains(document.activeElement)) document.activeElement.blur();
  box.hidden = true;
  giveBack?.();
}
