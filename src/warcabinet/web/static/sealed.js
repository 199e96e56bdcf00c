// Sealed orders: several seats choose at once, each in an envelope, and all are opened together.

import { $, capital, fill, h, isPower, nameOf, seal, toast } from "./dom.js";
import { table } from "./api.js";
import { live, load, me, store, subscribe } from "./store.js";
import { modal } from "./people.js";

let drafts = new Map();
let known = null;
/** What was in the envelopes of the round that was opened last, by its id. */
let outcome = [];
let outcomeOf = 0;
const hidden = new Set(JSON.parse(localStorage.getItem("warcabinet-opened") ?? "[]"));

const round = () => store.view?.sealed ?? null;
const under = () => (round() && !round().opened ? round() : null);

/** The seat of mine whose envelope an order would go into; none where no round is under way. */
export function sealingSeat(power) {
  const mine = under()?.seats.filter((s) => s.mine) ?? [];
  const chairs = mine.map((s) => store.view.seats.find((it) => it.id === s.seat));
  return chairs.find((it) => !power || it.powers.includes(power))?.id ?? "";
}

const draft = (seat) => {
  if (!drafts.has(seat)) drafts.set(seat, { orders: [], words: "" });
  return drafts.get(seat);
};

/** Put an order into the envelope; it is kept on the server at once. */
export async function sealOrder(seat, order, text) {
  draft(seat).orders.push({ order, text });
  await keep(seat);
}

async function keep(seat) {
  const it = draft(seat);
  try {
    const here = await table.put("/sealed", { round: under().id, seat, orders: it.orders.map((o) => o.order), words: it.words });
    toast(here.round.opened ? "All have sealed: the orders are open." : "Sealed. The others see only that it is.");
    await load();
  } catch (error) {
    if (error.body?.refused) it.orders.pop();
    toast(error.body?.refused ? `Not allowed, and not sealed: ${error.body.refused.refusals?.[0]?.text ?? error.message}` : error.message, true);
    draw();
  }
}

async function act(path) {
  try {
    await table.post(path, { round: under().id });
    await load();
  } catch (error) {
    toast(error.message, true);
  }
}

const powersOf = (seat) => (store.view.seats.find((it) => it.id === seat)?.powers ?? []).map((power) => seal(power));

function envelope(s) {
  const it = draft(s.seat);
  const drop = (n) => () => {
    it.orders.splice(n, 1);
    keep(s.seat);
  };
  return h(
    "div",
    { className: "envelope" },
    h("strong", {}, `Your envelope: ${s.title}`),
    h("ol", {}, it.orders.map((o, n) => h("li", {}, o.text, " ", h("button", { type: "button", className: "link small", onclick: drop(n) }, "take out")))),
    h("textarea", { rows: 2, maxLength: 2000, "aria-label": "Words for what is no order", placeholder: "Words for what is no order", oninput: (e) => (it.words = e.target.value) }, it.words),
    h(
      "p",
      { className: "row" },
      h("button", { type: "button", className: "main seal-it", onclick: () => keep(s.seat) }, s.sealed ? "Seal anew" : "Seal it"),
      h("span", { className: "quiet" }, "Open an order below and press “Seal it” in its form: it goes in here."),
    ),
  );
}

function sealedPart(it) {
  return [
    h("header", {}, h("h2", {}, "Sealed orders"), h("span", { className: "quiet" }, it.title)),
    h("ul", { className: "envelopes" }, it.seats.map((s) => h("li", { className: s.sealed ? "sealed" : "" }, powersOf(s.seat), s.title, h("em", {}, s.sealed ? " has sealed" : " has not sealed yet")))),
    it.seats.filter((s) => s.mine).map(envelope),
    me().host || me().referee
      ? h(
          "p",
          { className: "row" },
          h("button", { type: "button", className: "small", id: "open-sealed", onclick: () => act("/sealed/open") }, "Open now"),
          h("button", { type: "button", className: "small", onclick: () => act("/sealed/call-off") }, "Call off"),
        )
      : null,
  ];
}

function openedPart(it) {
  const close = () => {
    hidden.add(it.id);
    localStorage.setItem("warcabinet-opened", JSON.stringify([...hidden].slice(-50)));
    draw();
  };
  const order = (o) => h("li", { className: o.refused.length ? "deny" : "" }, o.text, o.refused.length ? `: not possible any more, ${o.refused.join("; ")}` : "");
  return [
    h("header", {}, h("h2", {}, "Opened together"), h("span", { className: "quiet" }, it.title), h("button", { type: "button", className: "close", "aria-label": "Close", onclick: close }, "×")),
    outcome.map((s) =>
      h("div", { className: "envelope" }, powersOf(s.seat), h("strong", {}, s.title), s.sealed ? null : h("em", {}, " had sealed nothing"), s.words ? h("blockquote", {}, s.words) : null, h("ol", {}, s.orders.map(order))),
    ),
  ];
}

function draw() {
  const box = $("#sealed");
  const it = round();
  box.hidden = !it || !live() || (it.opened > 0 && hidden.has(it.id));
  if (box.hidden) return;
  if (box.contains(document.activeElement) && document.activeElement.tagName === "TEXTAREA") return;
  fill(box, it.opened ? openedPart(it) : sealedPart(it));
}

/** What was in the envelopes: asked for once, when they are open. */
async function opened(id) {
  outcomeOf = id;
  outcome = (await table.get("/sealed")).outcome;
  draw();
}

/** What this person sealed before, perhaps on another device. */
async function recall() {
  const { mine } = await table.get("/sealed");
  drafts = new Map(Object.entries(mine).map(([seat, it]) => [seat, { words: it.words, orders: it.orders.map((order) => ({ order, text: words(order) })) }]));
  draw();
}

/** An order that was kept, as one would type it. */
const words = ({ do: name, seat, seq_seen, ...rest }) => {
  const told = Object.values(rest).flat().filter((v) => v !== "" && v !== null);
  return capital([name.replaceAll("_", " "), ...told.map((v) => (isPower(v) ? nameOf(v) : v))].join(" "));
};

/** Ask the seats for sealed orders. */
export function beginSealed() {
  const begin = async (event) => {
    event.preventDefault();
    const form = event.target;
    const seats = [...form.querySelectorAll("[name=seat]:checked")].map((it) => it.value);
    try {
      await table.post("/sealed", { title: form.elements.title.value, seats });
      $("#modal").close();
      await load();
    } catch (error) {
      toast(error.message, true);
    }
  };
  const players = store.view.seats.filter((s) => s.role === "player" && s.people.length);
  modal(
    "Sealed orders",
    "Each seat named gives its orders sealed; they are opened together when all have.",
    h(
      "form",
      { onsubmit: begin, id: "begin-sealed" },
      h("label", {}, "What is chosen ", h("input", { type: "text", name: "title", required: true, maxLength: 100, placeholder: "Mobilizations of 1942" })),
      players.map((s) => h("label", { className: "pick" }, h("input", { type: "checkbox", name: "seat", value: s.id, checked: true }), ` ${s.title} (${s.people.join(", ")})`)),
      h("p", {}, h("button", { type: "submit", className: "main" }, "Ask for sealed orders")),
    ),
  );
}

export function startSealed() {
  subscribe(() => {
    const id = under()?.id ?? null;
    if (id !== known) {
      known = id;
      drafts = new Map();
      if (id !== null && me().player) recall();
    }
    const it = round();
    if (it?.opened && it.id !== outcomeOf && !hidden.has(it.id)) opened(it.id);
    draw();
  });
}
