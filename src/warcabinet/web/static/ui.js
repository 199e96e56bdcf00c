// What is drawn: Preact puts in what is other and leaves alone what someone holds, has opened or types into.

import { Component, Fragment, createElement, render } from "./vendor/preact.js";
import { default as htm } from "./vendor/htm.js";
import { batch, computed, effect, signal, untracked } from "./vendor/signals.js";
import { nameOf, sealOf, signed } from "./dom.js";
import { theme } from "./hall-theme.js";

export { batch, computed, effect, signal, untracked };

/** An element. A button sends no form unless it says so, and no form leaves the page; `share` fills a meter. */
export function h(tag, props, ...children) {
  const { share, ...plain } = props ?? {};
  if (tag === "button") plain.type ??= "button";
  if (props?.onsubmit && !props.method)
    plain.onsubmit = (event) => {
      event.preventDefault();
      props.onsubmit(event);
    };
  if (share !== undefined) plain.style = { "--share": share };
  return createElement(tag, plain, ...children);
}

/** Elements as they are written in a page. */
export const html = htm.bind(h);

/** Attributes that are there or not; what a form holds at first must not displace what was typed since. */
const SWITCHES = new Set(["hidden", "disabled", "open", "selected"]);
const FIRST = { value: "defaultValue", checked: "defaultChecked" };

function element(it) {
  if (it.nodeType !== Node.ELEMENT_NODE) return it.nodeType === Node.TEXT_NODE ? it.data : null;
  const props = { key: it.dataset.key };
  for (const { name, value } of it.attributes)
    if (it.localName === "input" && name in FIRST && (name === "checked" || !/radio|checkbox/.test(it.type))) props[FIRST[name]] = value || true;
    else props[name] = SWITCHES.has(name) || value;
  return h(it.localName, props, ...[...it.childNodes].map(element));
}

/** What the server has written, as elements. */
export const elements = (text) => [...new DOMParser().parseFromString(text, "text/html").body.childNodes].map(element);

/** Show this in an element, over what was shown there before. */
export const fill = (el, ...children) => render(createElement(Fragment, {}, ...children), el);

/** Show this in an element, and again whenever a signal that was read for it changes; where there is nothing it hides. */
export const panel = (el, draw) =>
  effect(() => {
    const drawn = draw();
    el.hidden = !drawn;
    fill(el, drawn);
  });

/** Fields, of an object of their own or of this one, at whose change is drawn again what read them. */
export function state(first, it = {}) {
  for (const [name, value] of Object.entries(first)) {
    const held = signal(value);
    const set = (to) => void (held.value = to);
    Object.defineProperty(it, name, { get: () => held.value, set });
  }
  return it;
}

/** A set of what is unfolded, chosen or left out: whatever asked it is drawn again when it changes. */
export function chosen(first = []) {
  const held = signal(new Set(first));
  const put = (ids) => (held.value = new Set(ids));
  const turn = (id, on = !held.peek().has(id)) => put(on ? [...held.peek(), id] : [...held.peek()].filter((it) => it !== id));
  return { has: (id) => held.value.has(id), all: () => [...held.value], put, turn };
}

/** What the server is asked for as soon as it is in sight: `ask` brings it, `show` draws it (undefined before it came). */
export class Asked extends Component {
  componentDidMount() {
    const put = (it) => this.setState({ it });
    this.props.ask().then(put, (error) => put({ error: error.message }));
  }

  render({ show }, { it }) {
    return show(it);
  }
}

const size = signal(0);
addEventListener("resize", () => size.value++);

/** A canvas that is painted whenever it is drawn, in the other theme and at another size again. */
export function painted(paint, props) {
  let stop = null;
  const again = (canvas) => () => {
    if (theme.value && size.value >= 0) paint(canvas);
  };
  const ref = (canvas) => {
    stop?.();
    stop = canvas && effect(again(canvas));
  };
  return h("canvas", { ...props, ref });
}

/** A small drawing in lines, beside words that say the same. */
export const icon = (path) => html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d=${path} /></svg>`;

export const seal = (power) =>
  html`<span class=${`seal ${power}`} title=${nameOf(power)} aria-hidden="true">${sealOf(power) || "·"}</span>`;

/** A signed amount; with what names it (a move's event, something that falls due) it opens its sum. */
export function amount(n, neutral, opens, about = "") {
  if (n === null || n === undefined) return null;
  const kind = neutral ? "sum" : n < 0 ? "minus" : "plus";
  if (!opens) return html`<span class=${kind}>${signed(n)}</span>`;
  const label = `${about ? `${about}: ` : ""}${signed(n)}, open the sum`;
  const [[what, which], more] = Object.entries(opens);
  const data = { [`data-${what}`]: which, ...(more ? { [`data-${more[0]}`]: more[1] } : {}) };
  return html`<button class=${`number ${kind}`} ...${data} aria-label=${label}>${signed(n)}</button>`;
}

/** A clause chip; pressing it opens the clause. */
export const chip = (clause, deny) =>
  clause
    ? html`<button class=${deny ? "chip deny" : "chip"} data-clause=${clause} aria-label=${`clause ${clause}`}>${clause}</button>`
    : null;

/** A number that opens its sum. */
export const number = (value, rule, args, label, kind = "") => html`
  <button class=${`number ${kind}`} data-rule=${rule} data-args=${args.join(",")}
    aria-label=${`${label}: ${value}, open the sum`}>${value}</button>`;

/** The head of a table; a table of plain rows, with a head or without. */
export const heads = (names) => html`<thead><tr>${names.map((it) => html`<th scope="col">${it}</th>`)}</tr></thead>`;
export const plain = (rows, names) =>
  html`<table class="plain-table">${names && heads(names)}<tbody>${rows}</tbody></table>`;

/** The head of a page: what it is, a line about it, and what one does there. */
export const pageHead = (title, text, ...more) => html`<header>
  <div><h2 class="page" tabIndex="-1">${title}</h2><p class="quiet">${text}</p></div>
  ${more}
</header>`;

/** One of a few, each a button: [value, what it is called]. */
export const switcher = (label, choices, now, act) => html`<div class="switch" role="group" aria-label=${label}>
  ${choices.map(([value, text]) => html`<button key=${value} data-choice=${value} aria-pressed=${value === now} onclick=${() => act(value)}>${text}</button>`)}
</div>`;

/** What a list offers: [value, what it is called], or a bare value. */
export const options = (choices, now) =>
  choices.map((it) => {
    const [value, text] = Array.isArray(it) ? it : [it, it];
    return html`<option value=${value} key=${value} selected=${now === undefined ? undefined : String(value) === String(now)}>${text}</option>`;
  });
