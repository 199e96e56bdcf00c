// Parts of a page as the server draws them; what it leaves to the page is done here: counters, shares, pictures, presses.
//
// They are put in like everything else that is drawn: what is the same stays as it is, with its focus, what was typed
// into it and what was unfolded.

import { counter } from "./map/counters.js";
import { pictureOf } from "./map/picture.js";
import { $$ } from "./dom.js";
import { openCommand } from "./order.js";
import { whyNot } from "./refusal.js";
import { lookAt } from "./store.js";
import { clock } from "./times.js";
import { jump, openView } from "./topbar.js";
import { Component } from "./vendor/preact.js";
import { effect, elements, html } from "./ui.js";

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
  for (const it of $$("[data-when]", el)) it.textContent = clock(new Date(it.dataset.when * 1000));
  return effect(() => {
    for (const it of $$("[data-around]", el)) it.src = pictureOf({ around: it.dataset.around });
    for (const it of $$("[data-strip]", el)) it.setAttribute("href", pictureOf({ strip: it.dataset.strip }));
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
  if (on) openView(on);
  openCommand(open, JSON.parse(known));
}

class Served extends Component {
  componentDidMount() {
    this.componentDidUpdate({});
  }

  componentDidUpdate({ text }) {
    if (text === this.props.text) return;
    this.stop?.();
    this.stop = finish(this.base);
    this.props.shown?.(this.base);
  }

  componentWillUnmount() {
    this.stop?.();
  }

  render({ text, props }) {
    if (this.of !== text) [this.of, this.drawn] = [text, elements(text)];
    const { onclick, ...more } = props ?? {};
    return html`<div ...${more} onclick=${(event) => (press(event), onclick?.(event))}>${this.drawn}</div>`;
  }
}

/** A part that the server has drawn; `shown` is told of its element whenever it has come. */
export const served = (text, props, shown) => html`<${Served} key=${props?.key} text=${text} props=${props} shown=${shown} />`;
