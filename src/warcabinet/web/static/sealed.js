// Sealed orders: several seats choose at once, each in an envelope, and all are opened together.

import { $, isPower, nameOf, toast } from "./dom.js";
import { attempt, table } from "./api.js";
import { live, load, me, store, subscribe } from "./store.js";
import { described } from "./commands.js";
import { modal } from "./people.js";
import { chosen, html, panel, seal, state } from "./ui.js";

/** One's own envelopes by seat; what was in all of them in the round that was opened last, by its id. */
const its = state({ drafts: {}, outcome: [] });
let known = null;
let outcomeOf = 0;
const hidden = chosen(JSON.parse(localStorage.getItem("warcabinet-opened") ?? "[]"));

const round = () => store.view?.sealed ?? null;
const under = () => (round() && !round().opened ? round() : null);

/** The seat of mine whose envelope an order would go into; none where no round is under way. */
export function sealingSeat(power) {
  const mine = under()?.seats.filter((s) => s.mine) ?? [];
  const chairs = mine.map((s) => store.view.seats.find((it) => it.id === s.seat));
  return chairs.find((it) => !power || it.powers.includes(power))?.id ?? "";
}

const draft = (seat) => its.drafts[seat] ?? { orders: [], words: "" };
const write = (seat, how) => (its.drafts = { ...its.drafts, [seat]: { ...draft(seat), ...how } });

/** Put an order into the envelope; it is kept on the server at once. */
export async function sealOrder(seat, order, text) {
  write(seat, { orders: [...draft(seat).orders, { order, text }] });
  await keep(seat);
}

async function keep(seat) {
  const it = draft(seat);
  try {
    const here = await table.put("/sealed", { round: under().id, seat, orders: it.orders.map((o) => o.order), words: it.words });
    toast(here.round.opened ? "All have sealed: the orders are open." : "Sealed. The others see only that it is.");
    await load();
  } catch (error) {
    if (error.body?.refused) write(seat, { orders: it.orders.slice(0, -1) });
    toast(error.body?.refused ? `Not allowed, and not sealed: ${error.body.refused.refusals?.[0]?.text ?? error.message}` : error.message, true);
  }
}

const act = (path) =>
  attempt(async () => {
    await table.post(path, { round: under().id });
    await load();
  });

const powersOf = (seat) => (store.view.seats.find((it) => it.id === seat)?.powers ?? []).map((power) => seal(power));

function envelope(s) {
  const it = draft(s.seat);
  const drop = (n) => () => {
    write(s.seat, { orders: it.orders.toSpliced(n, 1) });
    keep(s.seat);
  };
  return html`<div class="envelope">
    <strong>Your envelope: ${s.title}</strong>
    <ol>
      ${it.orders.map((o, n) => html`<li>${o.text} <button class="link small" onclick=${drop(n)}>take out</button></li>`)}
    </ol>
    <textarea rows="2" maxLength="2000" aria-label="Words for what is no order" placeholder="Words for what is no order"
      value=${it.words} oninput=${(e) => write(s.seat, { words: e.target.value })} />
    <p class="row">
      <button class="main seal-it" onclick=${() => keep(s.seat)}>${s.sealed ? "Seal anew" : "Seal it"}</button>
      <span class="quiet">Open an order below and press “Seal it” in its form: it goes in here.</span>
    </p>
  </div>`;
}

const sealedPart = (it) => html`
  <header><h2>Sealed orders</h2><span class="quiet">${it.title}</span></header>
  <ul class="envelopes">
    ${it.seats.map((s) => html`<li class=${s.sealed ? "sealed" : ""}>
      ${powersOf(s.seat)}${s.title}<em>${s.sealed ? " has sealed" : " has not sealed yet"}</em>
    </li>`)}
  </ul>
  ${it.seats.filter((s) => s.mine).map(envelope)}
  ${(me().host || me().referee) && html`<p class="row">
    <button class="small" id="open-sealed" onclick=${() => act("/sealed/open")}>Open now</button>
    <button class="small" onclick=${() => act("/sealed/call-off")}>Call off</button>
  </p>`}
`;

function openedPart(it) {
  const close = () => {
    hidden.turn(it.id, true);
    localStorage.setItem("warcabinet-opened", JSON.stringify(hidden.all().slice(-50)));
  };
  const order = (o) => html`<li class=${o.refused.length ? "deny" : ""}>
    ${o.text}${o.refused.length ? `: not possible any more, ${o.refused.join("; ")}` : ""}
  </li>`;
  return html`
    <header>
      <h2>Opened together</h2>
      <span class="quiet">${it.title}</span><button class="close" aria-label="Close" onclick=${close}>×</button>
    </header>
    ${its.outcome.map((s) => html`<div class="envelope">
      ${powersOf(s.seat)}<strong>${s.title}</strong>${!s.sealed && html`<em> had sealed nothing</em>`}
      ${s.words && html`<blockquote>${s.words}</blockquote>`}
      <ol>${s.orders.map(order)}</ol>
    </div>`)}
  `;
}

function draw() {
  const it = round();
  if (!it || !live() || (it.opened > 0 && hidden.has(it.id))) return null;
  return it.opened ? openedPart(it) : sealedPart(it);
}

/** What was in the envelopes: asked for once, when they are open. */
async function opened(id) {
  outcomeOf = id;
  its.outcome = (await table.get("/sealed")).outcome;
}

/** What this person sealed before, perhaps on another device. */
async function recall() {
  const { mine } = await table.get("/sealed");
  const told = (orders) => orders.map((order) => ({ order, text: words(order) }));
  its.drafts = Object.fromEntries(Object.entries(mine).map(([seat, it]) => [seat, { words: it.words, orders: told(it.orders) }]));
}

/** An order that was kept, as one would type it. */
const words = ({ do: name, seat, seq_seen, ...rest }) => {
  const told = Object.values(rest).flat().filter((v) => v !== "" && v !== null);
  return [described({ command: name }).label, ...told.map((v) => (isPower(v) ? nameOf(v) : v))].join(" ");
};

/** Ask the seats for sealed orders. */
export function beginSealed() {
  const begin = async (event) => {
    const form = event.target;
    const seats = [...form.querySelectorAll("[name=seat]:checked")].map((it) => it.value);
    await attempt(async () => {
      await table.post("/sealed", { title: form.elements.title.value, seats });
      $("#modal").close();
      await load();
    });
  };
  const players = store.view.seats.filter((s) => s.role === "player" && s.people.length);
  modal("Sealed orders", "Each seat named gives its orders sealed; they are opened together when all have.", html`<form onsubmit=${begin} id="begin-sealed">
    <label>
      What is chosen <input type="text" name="title" required maxLength="100" placeholder="Mobilizations of 1942" />
    </label>
    ${players.map((s) => html`<label class="pick">
      <input type="checkbox" name="seat" value=${s.id} checked /> ${s.title} (${s.people.join(", ")})
    </label>`)}
    <p><button type="submit" class="main">Ask for sealed orders</button></p>
  </form>`);
}

export function startSealed() {
  panel($("#sealed"), draw);
  subscribe(() => {
    const id = under()?.id ?? null;
    if (id !== known) {
      known = id;
      its.drafts = {};
      if (id !== null && me().player) recall();
    }
    const it = round();
    if (it?.opened && it.id !== outcomeOf && !hidden.has(it.id)) opened(it.id);
  });
}
