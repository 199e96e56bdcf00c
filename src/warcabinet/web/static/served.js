// Parts of a page as the server draws them; what it leaves to the page is done here: counters, shares, pictures, presses.

import { counter } from "./map/counters.js";
import { pictureOf } from "./map/picture.js";
import { $$ } from "./dom.js";
import { openCommand } from "./order.js";
import { whyNot } from "./refusal.js";
import { lookAt } from "./store.js";
import { jump, openView } from "./topbar.js";
import { effect, html } from "./ui.js";

function paint(canvas) {
  const { nation, piece, count, behind, faint, side } = canvas.dataset;
  const edge = Math.min(34, side - 4);
  canvas.width = canvas.height = 2 * side;
  const ctx = canvas.getContext("2d");
  ctx.scale(2, 2);
  if (faint !== undefined) ctx.globalAlpha = 0.45;
  counter(ctx, 2, side - edge - 2, edge, { nation, unit: piece }, Number(behind), Number(count));
}

/** What the server wrote is filled with what only the page knows: the theme, its moment, its canvases. */
function finish(el) {
  for (const it of $$("[data-share]", el)) it.style.setProperty("--share", it.dataset.share);
  return effect(() => {
    for (const it of $$("[data-around]", el)) it.src = pictureOf({ around: it.dataset.around });
    for (const it of $$("canvas[data-piece]", el)) paint(it);
  });
}

/** What presses mean on what the server has drawn: a place to go to, an order to open, why it cannot be given. */
function press({ target, currentTarget }) {
  const pressed = target.closest("[data-jump],[data-open],[data-why],[data-look],[data-shows]")?.dataset ?? {};
  const { jump: place, open, why, known, on, sentence, look, shows } = pressed;
  if (place) jump(place);
  if (look) lookAt(Number(look));
  if (shows) for (const it of $$(shows, currentTarget)) it.hidden = !target.checked;
  if (why) whyNot(sentence, JSON.parse(why));
  if (!open) return;
  openView(on);
  openCommand(open, JSON.parse(known));
}

/** A part that the server has drawn; `shown` is told of its element when it is there. */
export function served(text, props, shown = () => {}) {
  let stop = null;
  const ref = (el) => {
    stop?.();
    stop = el && finish(el);
    if (el) shown(el);
  };
  return html`<div onclick=${press} ...${props} ref=${ref} dangerouslySetInnerHTML=${{ __html: text }} />`;
}
