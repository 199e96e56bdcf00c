// Counters in the hand: taken up from a stack, carried over the map, put down on a hex or a box, or put back.

import { $, counted, inWords, nameOf, several, toast } from "../dom.js";
import { table, Trouble } from "../api.js";
import { showRefusal, tellTrouble } from "../refusal.js";
import { live, mine, perform, position, store } from "../store.js";
import { placeCalled } from "./atlas.js";
import { counter, onCanvas } from "./counters.js";
import { showUnder } from "./under.js";
import { Asked, chip, fill, html, state } from "../ui.js";

const REST = 200; // so long over an enemy's hex, and the card says what a drop there means
const EDGE = 40; // the map pans while a counter is held this near its edge
const said = (pile) => counted(pile.count, pile.unit, inWords(pile.count));

export class Hands {
  constructor(map) {
    this.map = map;
    /** What is in the hand, and how often it was told where that is. */
    state({ held: null, told: 0 }, this);
    this.pressed = null; // where a press on a fan or a pool began
    this.aims = null; // where a drop is only looked at before it is confirmed: what it then means
    this.away = null; // while the past is played: what lifting asks
    this.fight = null; // what a drop on an enemy opens
    this.manner = null; // who does not play but sets up says what lifting and dropping mean: { grips, how, mine }
    this.ghost = $("#ghost");
    this.bar = $("#in-hand");
    this.card = $("#drop-card");
    addEventListener("keydown", ({ key }) => this.whole(key));
  }

  /** The piles at a place that this seat may take up now. */
  piles(key) {
    if (!(live() || store.present) || !position().moving) return [];
    return (this.map.made?.stacks.get(key) ?? []).filter((p) => mine(p.nation) || this.manner?.mine?.(key, p));
  }

  mayGrip(hex) {
    if (!hex || this.held || !this.map.layers.counters || this.manner?.grips() === false) return false;
    return this.piles(hex.key).length > 0;
  }

  /** By keys: the first pile of the hex that is chosen is taken up, else the map takes the focus. */
  takeUp() {
    this.map.grid.focus();
    const { selected } = this.map;
    const [pile] = selected && !this.held ? this.piles(selected.key) : [];
    if (pile) this.lift(selected.key, [pile], this.map.cam.screen(selected));
  }

  /** Take piles up: the rules are asked where they may go, and the map shows it. */
  async lift(key, piles, at, how = {}) {
    if (!piles.length) return;
    if (!live()) return void this.away?.();
    this.putBack();
    this.closeCard();
    this.map.fan.close();
    // What comes from a force pool says itself what is asked of the rules, and what a drop means.
    const held = { key, piles, order: null, enemies: new Map(), ...this.manner?.how(key, piles), ...how };
    held.aim ??= this.aims?.(held) ?? null;
    this.held = held;
    document.body.dataset.hand = "full";
    this.makeRoom();
    if (at || !held.aim) this.drawGhost(at);
    this.tell();
    await this.ask(held);
  }

  /** The bar that names what is held stands between the boxes at the top of the map, and covers none. */
  makeRoom() {
    const frame = $("#map-sheet").getBoundingClientRect();
    const ends = (corner) => [...$(`.trays.${corner}`)?.children ?? []].map((it) => it.getBoundingClientRect()).filter((r) => r.width);
    const left = Math.max(0, ...ends("top-left").map((r) => r.right - frame.left));
    const right = Math.max(0, ...ends("top-right").map((r) => frame.right - r.left));
    this.bar.style.left = `${left + 8}px`;
    this.bar.style.right = `${right + 8}px`;
  }

  async ask(held) {
    const [first] = held.piles;
    if (held.free) return this.shown(held, { legal: held.free === true ? [] : held.free, reasons: [], enemies: [], unjudged: "" });
    try {
      if (held.ask) return this.shown(held, { ...(await this.places(held.ask)), enemies: [], unjudged: "" });
      const body = { nation: first.nation, unit: first.unit, count: first.count, place: held.key };
      const order = await table.post("/lift", { ...body, board: this.map.board.name });
      this.shown(held, order);
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      toast(error.message, true);
      this.putBack();
    }
  }

  /** Where a field of an order may name a place, with the order itself. */
  async places(asked) {
    return { ...asked, ...(await table.post("/places", { ...asked, board: this.map.board.name })) };
  }

  /** The rules have answered: the map shows where it may be put. */
  shown(held, order) {
    if (this.held !== held) return;
    held.order = order;
    held.enemies = new Map(order.enemies.map((e) => [e.place, e]));
    const forbidden = new Map(order.reasons.flatMap((r) => r.places.map((k) => [k, r])));
    this.map.showPlaces({ legal: new Set(order.legal), forbidden, verb: "be put", hand: held });
    this.tell();
  }

  /** One counter of the pile more or less. */
  less() {
    const [pile] = this.held.piles;
    const all = this.piles(this.held.key).find((p) => p.nation === pile.nation && p.unit === pile.unit)?.count ?? 1;
    this.held.piles = [{ ...pile, count: pile.count > 1 ? pile.count - 1 : all }];
    this.drawGhost();
    this.tell();
  }

  /** Shift leaves one counter in the hand, Ctrl takes the whole stack up. */
  whole(key) {
    const all = this.held?.order && !this.held.drop ? this.piles(this.held.key) : [];
    if (!all.length || !["Shift", "Control", "Meta"].includes(key)) return;
    this.held.piles = key === "Shift" ? [{ ...this.held.piles[0], count: 1 }] : all;
    this.drawGhost();
    this.tell(this.map.hover);
  }

  drawGhost(at) {
    const [pile] = this.held.piles;
    const more = this.held.piles.reduce((n, p) => n + p.count, 0);
    fill(this.ghost, onCanvas(52, 3, (ctx) => counter(ctx, 1, 8, 42, pile, more - 1, more)));
    this.ghost.hidden = false;
    if (at) this.follow(at);
  }

  follow([x, y]) {
    this.ghost.style.transform = `translate(${x - 22}px, ${y - 22}px)`;
  }

  /** The pointer moves with what is held. */
  over(at) {
    if (!this.held) return;
    this.follow(at);
    this.at = at;
    const hex = this.map.hexAt(...at);
    if (hex !== this.map.hover) {
      this.map.hover = hex;
      this.tell(hex);
      this.closeCard();
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.rest(hex), REST);
    }
    this.edge(at);
  }

  /** A counter that rests over an enemy's hex: the card comes before the drop. */
  rest(hex) {
    const { held } = this;
    const enemy = held && hex === this.map.hover ? held.enemies.get(hex?.key) : null;
    if (enemy && held.order && !held.aim && !held.drop) this.meet(held, hex.key, enemy);
  }

  edge([x, y]) {
    const { cam } = this.map;
    if (x < 0 || y < 0 || x > cam.width || y > cam.height) return;
    const push = (v, size) => (v < EDGE ? EDGE - v : v > size - EDGE ? size - EDGE - v : 0);
    const [dx, dy] = [push(x, cam.width), push(y, cam.height)];
    // What comes from a tray or a pool enters over the edge: the map stays until it has been inside.
    if (!dx && !dy) this.held.inside = true;
    else if (this.held.inside) this.map.pan(dx / 4, dy / 4);
  }

  /** What is held, from where, and what the rules say of the hex under it. */
  tell(hex) {
    const { held } = this;
    const from = held.from ?? placeCalled(held.key);
    const reason = hex ? this.map.places?.forbidden.get(hex.key) : null;
    const enemy = hex ? held.enemies.get(hex.key) : null;
    const there = hex ? `${this.map.board.title(hex)} ${hex.id}` : "";
    const words = `Holding ${held.piles.map(said).join(" and ")} from ${from}.`;
    $("#said").textContent = `${words} ${there}${enemy ? `, enemy: ${several(enemy.counters, "counter")}` : ""}${reason ? `, not there: ${reason.gist}` : ""}`;
    fill(this.bar, html`
      <span><strong>${held.piles.map((p) => counted(p.count, p.unit)).join(", ")}</strong> from ${from}</span>
      ${reason
        ? html`<span class="bad">⊘ ${reason.gist} ${chip(reason.clause, true)}</span>`
        : held.says && hex && this.map.places?.legal.has(hex.key)
          ? html`<span><strong>${this.map.board.title(hex)} takes it</strong>: ${held.says()}</span>`
          : html`<span class="quiet"><kbd>Shift</kbd> one <kbd>Ctrl</kbd> whole stack <kbd>Esc</kbd> back</span>`}
      ${held.order?.unjudged && !reason && html`<em class="quiet">Not judged here: ${held.order.unjudged}</em>`}
    `);
    this.bar.hidden = false;
    showUnder(this.map, hex);
    this.told += 1;
  }

  putBack() {
    if (!this.held) return false;
    this.held = this.at = null;
    clearTimeout(this.resting);
    this.closeCard();
    this.map.hover = null;
    delete document.body.dataset.hand;
    this.ghost.hidden = this.bar.hidden = true;
    $("#said").textContent = "";
    showUnder(this.map, null);
    this.map.showPlaces(null);
    return true;
  }

  /** What is held comes down on a place; where a bar confirms it, the place is only looked at. */
  async drop(key) {
    const { held } = this;
    if (!held) return;
    if (held.aim) {
      this.ghost.hidden = true;
      return held.aim(key);
    }
    if (!key || key === held.key) return void this.putBack();
    await this.put(key);
  }

  /** Put down what is held on a place: refused with its clause, fought over, or done. */
  async put(key) {
    const { held } = this;
    while (this.held === held && !held.order) await new Promise((go) => setTimeout(go, 15));
    if (this.held !== held) return;
    const reason = this.map.places?.forbidden.get(key);
    this.putBack();
    const enemy = held.enemies.get(key);
    // Where somebody stands a battle is fought; aircraft and ships fight for what an enemy holds in any case.
    if (!held.drop && enemy && (enemy.counters || !held.order.taker)) return this.attack(held, key);
    if (reason) return this.refuse(held, key, reason);
    if (held.drop) return held.drop(key);
    await this.give(held, key, enemy ? [this.taking(held, key)] : []);
  }

  taking = (held, key) => ({ do: "report_control", places: [key], by: held.order.taker });

  attack(held, key) {
    const piles = held.piles.map((p) => ({ ...p, place: held.key }));
    this.fight({ key, piles });
  }

  /** Why not there, in the exact words for that place. */
  async refuse(held, key, reason) {
    const { command, known, field } = held.order;
    const asked = { command, field, known, board: this.map.board.name, place: key };
    const [exact] = (await table.post("/places", asked)).reasons;
    const sentence = `${nameOf(held.piles[0].nation)}: ${held.piles.map(said).join(", ")} to ${placeCalled(key)}`;
    showRefusal({ sentence, command, refusals: [exact ?? reason], checked: [] });
  }

  orders(held, key) {
    return held.piles.map((pile) => {
      const { command, known, field } = held.order;
      const one =
        command === "move"
          ? { ...known, nation: pile.nation, unit: pile.unit, count: pile.count }
          : { ...known, power: pile.nation, units: [`${pile.count} ${pile.unit}`] };
      const how = held.order.ways?.[key];
      return { do: command, ...one, ...(how ? { how } : {}), [field]: key };
    });
  }

  /** Give the orders, all together or none: a stack moves as one, and one undo takes it back. */
  async give(held, key, first = []) {
    const orders = [...first, ...this.orders(held, key)];
    try {
      const done = orders.length > 1 ? await perform("/do-all", { orders }) : await perform("/do", orders[0]);
      toast(done.moves.map((m) => m.text).join("; "));
    } catch (error) {
      tellTrouble(error);
    }
  }

  /** An enemy's hex: what a drop there means. */
  meet(held, key, enemy) {
    const fight = enemy.counters || !held.order.taker;
    fill(this.card, html`
      <header><h2>${placeCalled(key)}</h2><span class="quiet">${standing(enemy)}</span></header>
      ${fight
        ? html`<p>Drop them: the battle sheet opens, and they stay in ${placeCalled(held.key)} until they advance.</p>`
        : html`<p>Drop them: ${nameOf(held.order.taker)} enters and takes this hex.</p>${foreseen(this.taking(held, key))}`}
    `);
    this.placeCard(key, held.key);
  }

  /** Beside the hex: not over it, nor over where the counters come from or the way between, if there is room. */
  placeCard(key, from) {
    const { cam, board } = this.map;
    const spot = (k) => {
      const hex = k?.startsWith(`${board.name}/`) ? board.hexes.get(k.split("/")[1]) : null;
      return hex ? cam.screen(hex) : null;
    };
    const [x, y] = spot(key) ?? [cam.width / 2, cam.height / 2];
    const source = spot(from) ?? [x, y];
    this.card.hidden = false;
    const { offsetWidth: w, offsetHeight: tall } = this.card;
    const off = cam.scale * 0.8;
    const inside = (v, size, most) => Math.max(8, Math.min(most - size - 8, v));
    const [cx, cy] = [inside(x - w / 2, w, cam.width), inside(y - tall / 3, tall, cam.height)];
    const far = off + 24; // beyond both ends of the way
    const xs = [x + off, x - off - w, cx, Math.max(x, source[0]) + far, Math.min(x, source[0]) - far - w];
    const ys = [cy, y + off, y - off - tall, inside(y + off, tall, cam.height), inside(y - off - tall, tall, cam.height), Math.max(y, source[1]) + far, Math.min(y, source[1]) - far - tall];
    const spots = xs.flatMap((l) => ys.map((t) => [l, t]));
    const fits = ([l, t]) => l >= 8 && t >= 8 && l + w <= cam.width - 8 && t + tall <= cam.height - 8;
    const covers = ([l, t]) =>
      [0, 0.25, 0.5, 0.75, 1].filter((k) => {
        const [px, py] = [x + (source[0] - x) * k, y + (source[1] - y) * k];
        return px > l - 24 && px < l + w + 24 && py > t - 24 && py < t + tall + 24;
      }).length;
    const [left, top] = spots.filter(fits).sort((a, b) => covers(a) - covers(b))[0] ?? [8, 8];
    this.card.style.transform = `translate(${left}px, ${top}px)`;
  }

  closeCard() {
    if (this.card.hidden) return false;
    this.card.hidden = true;
    return true;
  }
}

const standing = (enemy) =>
  enemy.counters ? `${several(enemy.counters, "enemy counter")} ${enemy.counters === 1 ? "stands" : "stand"} here` : `held by ${nameOf(enemy.holder)}`;

/** What would follow of an order, at most three lines. */
export function foreseen(order) {
  const show = (found) => {
    if (!found || found.error) return html`<ul class="follows"><li class="quiet">${found?.error ?? "…"}</li></ul>`;
    const lines = found.accepted ? found.events : (found.refused?.refusals ?? []);
    return html`<ul class="follows">
      ${lines.slice(0, 3).map((it) => html`<li><span>${it.text}</span>${chip(it.clause, !found.accepted)}</li>`)}
      ${lines.length > 3 && html`<li class="quiet">and ${lines.length - 3} more</li>`}
    </ul>`;
  };
  return html`<${Asked} key=${JSON.stringify(order)} ask=${() => table.post("/preview", order)} show=${show} />`;
}
