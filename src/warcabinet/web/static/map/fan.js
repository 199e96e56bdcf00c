// A stack fanned out: every pile of every nation in a hex, on an arc beside it, each to be taken up by itself.

import { $, pileWords } from "../dom.js";
import { counter, onCanvas } from "./counters.js";
import { colours } from "./palette.js";
import { mine } from "../store.js";
import { theme } from "../hall-theme.js";
import { effect, fill, html, painted } from "../ui.js";

const WAIT = 300;
const RADIUS = 87;
const APART = 55;
const BAND = 54; // how wide the paper is on which they lie
const FULL = 6; // more piles than this lie on a second arc

export class Fan {
  constructor(map) {
    this.map = map;
    this.el = $("#fan");
    this.hex = null;
    const sheet = $("#map-sheet");
    sheet.addEventListener("pointermove", (event) => this.rest(event));
    sheet.addEventListener("pointerleave", () => this.close());
    effect(() => theme.value && this.close());
  }

  /** A pointer that rests on a stack opens it; one that leaves the fan closes it. */
  rest(event) {
    clearTimeout(this.timer);
    if (event.pointerType === "touch" || event.buttons || this.map.hands.held || event.target.closest("#fan")) return;
    const box = $("#map-sheet").getBoundingClientRect();
    const at = [event.clientX - box.left, event.clientY - box.top];
    const hex = event.target.closest("#hex-grid, #map-base") ? this.map.hexAt(...at) : null;
    if (this.hex && !this.near(at)) this.close();
    const stack = hex && this.map.layers.counters ? (this.map.made?.stacks.get(hex.key) ?? []) : [];
    if (stack.length > 1 && hex !== this.hex) this.timer = setTimeout(() => this.open(hex), WAIT);
  }

  near([x, y]) {
    const [hx, hy] = this.map.cam.screen(this.hex);
    return Math.hypot(x - hx, y - hy) < RADIUS * (this.second ? 2.4 : 1.6);
  }

  open(hex) {
    const stack = this.map.made?.stacks.get(hex.key) ?? [];
    if (!stack.length || this.map.hands.held || this.map.brush?.ready()) return false;
    this.hex = hex;
    this.second = stack.length > FULL;
    const [x, y] = this.map.cam.screen(hex);
    const left = x > this.map.cam.width / 2;
    fill(
      this.el,
      this.band(stack.length, [x, y], left),
      this.name([x, y], left),
      stack.map((pile, i) => this.pile(pile, i, stack.length, [x, y], left)),
    );
    this.el.hidden = false;
    return true;
  }

  /** The paper under the piles, one strip for each arc. */
  band(all, [x, y], left) {
    const arcs = Math.ceil(all / FULL);
    const half = RADIUS + (arcs - 1) * APART + BAND;
    const place = `width: ${2 * half}px; height: ${2 * half}px; transform: translate(${x - half}px, ${y - half}px)`;
    const paint = (canvas) => {
      const ctx = canvas.getContext("2d");
      ctx.reset();
      ctx.scale(2, 2);
      ctx.lineCap = "round";
      ctx.lineWidth = BAND;
      ctx.strokeStyle = colours().paper;
      ctx.shadowColor = "rgb(0 0 0 / 35%)";
      ctx.shadowBlur = 8;
      for (let arc = 0; arc < arcs; arc++) {
        const here = Math.min(FULL, all - arc * FULL);
        const radius = RADIUS + arc * APART;
        const wide = Math.max(0.001, ((here - 1) / 2) * (APART / radius));
        const middle = left ? Math.PI : 0;
        ctx.beginPath();
        ctx.arc(half, half, radius, middle - wide, middle + wide);
        ctx.stroke();
      }
    };
    return painted(paint, { class: "band", width: 4 * half, height: 4 * half, style: place, "aria-hidden": "true" });
  }

  /** The hex keeps its name: where the paper covers it, it stands where the counters stood. */
  name([x, y], left) {
    const here = this.map.board.placesAt.get(this.hex.id);
    if (!here || this.map.sheet.nameSide(this.hex) === (left ? 1 : -1)) return null;
    return html`<span class="name" style=${`transform: translate(${x}px, ${y}px) translate(-50%, -50%)`}>${here[0].name}</span>`;
  }

  /** One pile on its place of the arc. */
  pile(pile, i, all, [x, y], left) {
    const arc = Math.floor(i / FULL);
    const here = Math.min(FULL, all - arc * FULL);
    const radius = RADIUS + arc * APART;
    const angle = ((i % FULL) - (here - 1) / 2) * (APART / radius);
    const name = pileWords(pile);
    const px = x + (left ? -1 : 1) * radius * Math.cos(angle);
    const place = `transform: translate(${px - 22}px, ${y + radius * Math.sin(angle) - 22}px)`;
    return html`<button class="pile" key=${name} title=${name} aria-label=${name} disabled=${!mine(pile.nation)} style=${place}
      onpointerdown=${(event) => this.take(event, pile)}>
      ${onCanvas(44, 3, (ctx) => counter(ctx, 1, 7, 36, pile, pile.count - 1, pile.count))}
    </button>`;
  }

  take(event, pile) {
    event.preventDefault();
    const box = $("#map-sheet").getBoundingClientRect();
    const key = this.hex.key;
    this.close();
    this.map.hands.pressed = [event.clientX, event.clientY];
    const taken = event.shiftKey ? { ...pile, count: 1 } : pile;
    this.map.hands.lift(key, [taken], [event.clientX - box.left, event.clientY - box.top]);
  }

  close() {
    clearTimeout(this.timer);
    if (!this.hex) return false;
    this.hex = null;
    this.el.hidden = true;
    return true;
  }
}
