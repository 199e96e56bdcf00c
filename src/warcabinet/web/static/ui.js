// Panels that are drawn again and again: Preact puts in what is other and leaves alone what someone holds or types into.

import { Fragment, createElement, render } from "./vendor/preact.js";
import { parts } from "./dom.js";

const attribute = (name) => `data-${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

/** An element as `dom.js` writes it, for `draw`. */
export function h(tag, props, ...children) {
  const { dataset, share, ...plain } = props ?? {};
  for (const [name, value] of Object.entries(dataset ?? {})) plain[attribute(name)] = value;
  if (share !== undefined) plain.style = { "--share": share };
  return createElement(tag, plain, ...children);
}

const made = parts(h);
export const seal = made.seal;
export const chip = made.chip;
export const amount = made.amount;
export const number = made.number;

/** Show this in an element, over what was shown there before. */
export const draw = (el, ...children) => render(createElement(Fragment, {}, ...children), el);
