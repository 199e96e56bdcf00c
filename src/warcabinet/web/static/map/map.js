// The live map: painted when it settles, moved as a picture while it is dragged or zoomed.

import { $, $$ } from "../dom.js";
import { position, store, subscribe } from "../store.js";
import { table } from "../api.js";
import { loadBoard, rowName } from "./atlas.js";
import { Camera } from "./camera.js";
import { stacks } from "./counters.js";
import { Fan } from "./fan.js";
import { startGestures } from "./gestures.js";
import { Hands } from "./hands.js";
import { HexGrid } from "./hexgrid.js";
import { drawInset, startInset } from "./inset.js";
import { drawOver } from "./over.js";
import { shapes } from "./paint.js";
import { Sheet } from "./sheet.js";
import { drawTrays } from "./trays.js";
import { theme } from "../hall-theme.js";
import { effect, fill, html, options, state, untracked } from "../ui.js";

const REST = 140; // milliseconds without a move before the view is painted anew

class LiveMap {
  constructor() {
    this.cam = new Camera();
    this.cams = new Map();
    this.supplyOf = "";
    this.opens = { hex: null, box: null }; // what a press on a hex or a box does
    // What lies over the painted map: it is drawn again when one of these is another.
    state({
      board: null,
      size: "", // how large the map is seen: nothing is drawn before it has a size
      layers: { control: true, counters: true, supply: false, zones: false, china: false, ids: false, terrain: true },
      places: null, // what a form or the hand may name: { legal, forbidden, verb }
      supply: null,
      zones: {},
      china: null,
      selected: null,
      cursor: null,
      hover: null, // the hex under the hand
      line: null,
      changed: new Set(),
      drafts: [], // counters where the form that is open would put them
      ghosts: [], // counters laid by hand: orders that are not given yet
      advised: [], // counters where the orders that are advised would put them
      pins: [], // places that a numbered list speaks of: { key, number, grave }
      others: [], // what partners hold
      ringed: [], // the hex that is fought over, places that a list is about: { key, colour }
      arrows: [], // from hex to hex: attacks, marches, what is proposed
      brush: null, // paints control while a position is set up
    }, this);
    this.sheet = new Sheet(this, $("#map-base"));
    this.over = $("#map-over");
    this.grid = new HexGrid($("#hex-grid"), this);
    this.hands = new Hands(this);
    this.fan = new Fan(this);
  }

  async open(name) {
    if (this.board?.name === name) return this.resize();
    if (this.board) this.cams.set(this.board.name, { scale: this.cam.scale, x: this.cam.x, y: this.cam.y });
    this.board = await loadBoard(name);
    this.selected = this.cursor = null;
    this.made = null;
    this.resize();
    const kept = this.cams.get(name);
    if (kept) Object.assign(this.cam, kept);
    else this.home();
    this.renew();
  }

  /** The first look: Europe's heart at level 2, the Pacific whole; on a phone the heart too. */
  home() {
    this.cam.fit(this.board.bounds);
    const heart = this.board.name === "europe" ? this.board.hexes.get("M30") : null;
    if (!heart) {
      // The Pacific is wide: its west fills the height, the rest is a drag away.
      const b = this.board.bounds;
      this.cam.scale = (this.cam.height - 20) / (b.bottom - b.top);
      this.cam.x = 10 - b.left * this.cam.scale;
      this.cam.y = 10 - b.top * this.cam.scale;
      return;
    }
    this.cam.scale = innerWidth < 900 ? 34 : 37;
    this.cam.centre(heart.x + 1.5, heart.y + 1);
  }

  resize() {
    const box = $("#map-sheet").getBoundingClientRect();
    if (!box.width || !this.board) return;
    const { width, height } = this.cam;
    Object.assign(this.cam, { width: box.width, height: box.height });
    if (width <= 1) this.home(); // a board that was opened before the page was laid out
    else {
      this.cam.x += (box.width - width) / 2;
      this.cam.y += (box.height - height) / 2;
    }
    this.size = `${box.width} ${box.height}`;
    this.renew();
  }

  /** The position changed, or the theme: paint anew. */
  renew() {
    if (!this.board || !store.view) return;
    if (this.made?.position !== position()) {
      if (position().unreported) this.pins = position().unreported.map((it) => ({ key: it.place, number: "!" }));
      this.made = { ...shapes(this.board, position()), position: position(), stacks: stacks(position().pieces) };
      this.askLayers();
    }
    drawTrays(this.board, this.made, this);
    this.paint();
    drawInset(this.board, this.made, this.cam);
    this.grid.renew();
  }

  get ratio() {
    return Math.min(2, devicePixelRatio || 1);
  }

  paint() {
    this.sheet.paint();
  }

  /** Show the painted picture where the camera looks, with what lies over it. */
  place() {
    this.sheet.place();
    drawOver(this);
    this.ruler();
  }

  ruler() {
    const rows = [];
    for (let row = 0; row < this.board.rows; row++) {
      const y = row * (Math.sqrt(3) / 2) * this.cam.scale + this.cam.y;
      if (y > 8 && y < this.cam.height - 8) rows.push([row, y]);
    }
    fill($("#ruler"), rows.map(([row, y]) => html`<span style=${`top: ${y}px`}>${rowName(row)}</span>`));
  }

  /** The view moved: show it at once, paint it sharp when it rests; where it jumped, it rests already. */
  moved(wait = REST) {
    this.fan.close();
    this.place();
    drawInset(this.board, this.made, this.cam);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => this.sheet.paintSoon(), wait);
  }

  zoom(factor, px = this.cam.width / 2, py = this.cam.height / 2) {
    this.cam.zoom(factor, px, py, this.board.bounds);
    this.moved();
  }
  pan(dx, dy) {
    this.cam.x += dx;
    this.cam.y += dy;
    this.cam.keep(this.board.bounds);
    this.moved();
  }
  fit() {
    this.cam.fit(this.board.bounds);
    this.moved(0);
  }
  hexAt(px, py) {
    return this.board?.under(...this.cam.plane(px, py));
  }

  select(hex) {
    this.selected = this.cursor = hex;
  }

  /** Choose a hex of the board that is open, in the middle and large enough to be seen. */
  show(hex, least) {
    this.cam.scale = Math.max(this.cam.scale, least);
    this.cam.centre(hex.x, hex.y);
    this.select(hex);
    this.moved(0);
  }

  moveCursor(hex) {
    this.cursor = hex;
    if (this.hands.held) {
      this.hover = hex;
      this.hands.follow(this.cam.screen(hex));
      this.hands.tell(hex);
    }
    const [x, y] = this.cam.screen(hex);
    const m = 60;
    if (x < m || y < m || x > this.cam.width - m || y > this.cam.height - m) {
      this.cam.centre(hex.x, hex.y);
      this.cam.keep(this.board.bounds);
      this.moved();
    }
  }

  async setLayer(layer, on) {
    this.layers = { ...this.layers, [layer]: on };
    $("#supply-of").hidden = !this.layers.supply;
    $("#china-of").hidden = !this.layers.china;
    if (on) await this.askLayers();
    else if (layer === "supply") this.line = null;
    this.paint();
  }

  /** Fetch what the layers that are on show of this board and position. */
  async askLayers() {
    const query = { board: this.board.name, at: store.at };
    const of = this.made?.position;
    const china = this.layers.china && query.board === "pacific";
    const [zones, supply, chinese] = await Promise.all([
      this.layers.zones ? table.get("/zones", query) : {},
      this.layers.supply ? table.get("/supply", { ...query, power: this.supplyPower() }) : null,
      china ? table.get("/china", { at: store.at }) : null,
    ]).catch(() => [{}, null, null]);
    if (this.board.name !== query.board || this.made?.position !== of) return;
    this.zones = zones;
    this.supply = supply;
    this.china = chinese;
    if (chinese) fillChina(chinese);
  }

  /** Whose supply is shown: the power chosen, else the first of one's own that moves now. */
  supplyPower() {
    const { powers, moving } = position();
    return this.supplyOf || moving[0] || (powers.find((p) => p.mine) ?? powers[0]).power;
  }

  /** A form is open that names places: show which it may name. */
  showPlaces(places) {
    this.places = places;
    for (const tray of $$(".tray")) tray.classList.toggle("legal", this.mayName(tray.dataset.box));
  }

  /** Whether a form that is open may name this place, where not every place may be named. */
  mayName(key) {
    return !!this.places && this.places.forbidden.size > 0 && this.places.legal.has(key);
  }
}

export const map = new LiveMap();

function flashChanges(view, before) {
  if (!before || before.head === view.head) return;
  const was = before.position.control;
  map.changed = new Set(
    Object.entries(view.position.control)
      .filter(([k, v]) => was[k] !== v)
      .map(([k]) => k),
  );
  if (map.changed.size) setTimeout(() => (map.changed = new Set()), 1600);
}

/** Whose supply the layer shows. */
function startSupply() {
  const select = $("#supply-of");
  select.addEventListener("change", () => {
    map.supplyOf = select.value;
    map.line = null;
    map.askLayers();
  });
  subscribe((view) => {
    if (!select.options.length)
      fill(select, options(view.position.powers.map((p) => [p.power, p.name])));
    select.value = map.supplyPower();
  });
}

/** The kinds of units whose ways the layer of China can show, each with how far it may go. */
function fillChina(china) {
  const select = $("#china-of");
  const now = select.value;
  fill(select, china.going.map((g) => html`<option value=${g.letter} title=${g.clause}>${g.name}: ${g.reach}</option>`));
  select.value = now || china.going[0].letter;
}

/** Boxes, overview and layers lie over the map only as long as they are wanted; a small window begins without them. */
function startFolds() {
  const wide = matchMedia("(min-width: 87.5rem)").matches;
  for (const button of $$("[data-fold]")) {
    const name = button.dataset.fold;
    const fold = (folded) => {
      document.body.dataset[name] = folded ? "folded" : "";
      button.setAttribute("aria-expanded", String(!folded));
    };
    fold((localStorage.getItem(`warcabinet-${name}`) ?? (wide ? "open" : "folded")) === "folded");
    button.addEventListener("click", () => {
      const folded = document.body.dataset[name] !== "folded";
      localStorage.setItem(`warcabinet-${name}`, folded ? "folded" : "open");
      fold(folded);
      map.renew();
    });
  }
}

export function startMap(opens) {
  map.opens = opens;
  startFolds();
  startGestures($("#map-sheet"), map, opens.hex);
  startInset(map);
  $("#zoom-in").addEventListener("click", () => map.zoom(1.25));
  $("#zoom-out").addEventListener("click", () => map.zoom(0.8));
  $("#zoom-fit").addEventListener("click", () => map.fit());
  for (const button of $$("[data-layer]")) {
    button.addEventListener("click", () => {
      const on = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(on));
      map.setLayer(button.dataset.layer, on);
    });
  }
  addEventListener("resize", () => map.resize());
  new ResizeObserver(() => map.resize()).observe($("#map-sheet"));
  effect(() => theme.value && untracked(() => map.renew()));
  effect(() => map.size && drawOver(map));
  effect(() => map.grid.renew());
  startSupply();
  $("#china-of").addEventListener("change", () => drawOver(map));
  subscribe((view, before) => {
    flashChanges(view, before);
    map.renew();
  });
  loadBoard(map.board?.name === "pacific" ? "europe" : "pacific");
}
