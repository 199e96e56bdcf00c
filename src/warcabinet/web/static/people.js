// Seats: who sits where, links that lead to them, replacing a player, a token for a program; keys and help.

import { $, copied, nameOf } from "./dom.js";
import { attempt, base, table } from "./api.js";
import { showDice } from "./dice.js";
import { beginSealed } from "./sealed.js";
import { load, me, store } from "./store.js";
import { fill, html, seal } from "./ui.js";

/** Do something, and show the seats as they are then, unless somebody has closed them meanwhile. */
const act = (work) =>
  attempt(async () => {
    await work();
    await load();
    if ($("#modal").open) showPeople();
  });

/** What was made for a seat and is shown until the page is left: an invitation, a token. */
const made = new Map();

async function show(seat, label, text, said) {
  made.set(seat.id, { label: `${label} ${seat.title}`, text });
  await copied(text, said);
  showPeople();
  $(`[data-seat="${seat.id}"] [readonly]`).focus();
}

const invite = (seat) =>
  attempt(async () => {
    const { path } = await table.post(`/seats/${seat.id}/invitations`);
    await show(seat, "Invitation to", new URL(path, location.href).href, "The link is copied. Whoever opens it takes the seat.");
  });

const program = (seat) =>
  attempt(async () => {
    const { token } = await table.post("/tokens", { seat: seat.id, label: "program" });
    await show(seat, "Token for", token, "Shown once, and copied: send it as Authorization: Bearer.");
  });

/** A wish of the seat: phases pass by themselves in which it has nothing to decide. */
function passing(seat) {
  const own = me().seats.find((it) => it.id === seat.id && it.role === "player");
  if (!own) return null;
  const wish = (event) => act(() => table.put(`/seats/${seat.id}/passing`, { passing: event.target.checked }));
  return html`<label class="passing">
    <input type="checkbox" name="passing" checked=${own.passing} onchange=${wish} />
    ${" "}Let phases pass in which I have nothing to decide
  </label>`;
}

function seatRow(seat) {
  const host = me().host;
  const empty = !seat.people.length;
  const looksOn = seat.role === "spectator";
  const shown = made.get(seat.id);
  const button = (text, run, fits) => (fits ? html`<button class="small" onclick=${run}>${text}</button>` : null);
  const post = (what) => () => act(() => table.post(`/seats/${seat.id}/${what}`));
  return html`<div class="seat-row" data-seat=${seat.id} key=${seat.id}>
    <div>
      <strong>${seat.title}</strong> ${seat.powers.map((p) => seal(p))}${passing(seat)}
      <div class="who">${empty ? "nobody yet" : seat.people.join(", ")}${seat.mine ? " (you)" : ""}${seat.stewards.length ? `; steward: ${seat.stewards.map(nameOf).join(", ")}` : ""}${seat.catching_up.map((name) => `; ${name} is catching up`)}</div>
    </div>
    <div class="row">
      ${button("Invite", () => invite(seat), host && (empty || looksOn))}
      ${button("Sit here", post("sit"), host && empty && !looksOn)}
      ${button("Replace", post("vacate"), host && !empty && !seat.mine && !looksOn)}
      ${button("Program", () => program(seat), seat.mine && seat.role === "player")}
      ${button("Leave", post("vacate"), seat.mine && !looksOn)}
    </div>
    ${shown && html`<input type="text" readOnly value=${shown.text} aria-label=${shown.label} onfocus=${(e) => e.target.select()} />`}
  </div>`;
}

/** Spectators by name, each with a way out for the host. */
function bench(seat) {
  if (!me().host || seat.role !== "spectator") return null;
  return html`<ul class="bench">
    ${seat.people.map((name) => html`<li>${name} <button class="small" onclick=${() => act(() => table.post("/put-out", { name }))}>Show out</button></li>`)}
  </ul>`;
}

/** By whose rules the table is played; where the server has newer ones, what they would judge differently. */
async function showRules() {
  const rules = await table.get("/rules");
  const agree = () =>
    attempt(async () => {
      await table.post("/rules/agree");
      await load();
      await showRules();
    });
  modal(
    "Rules",
    rules.says,
    rules.same
      ? null
      : html`
        <p>${rules.judged}</p>
        <ul>${rules.differences.map((it) => html`<li>${it}</li>`)}</ul>
        <p>Who has not agreed yet: ${rules.missing.join(", ")}</p>
        ${(me().player || me().referee) && html`<button class="main" onclick=${agree}>Agree</button>`}
      `,
  );
}

async function deleteTable() {
  if (!confirm("Delete this table? Nobody but you will see it, and for some days you can call it back in the hall.")) return;
  await attempt(async () => {
    await table.post("/delete");
    location.href = `${base}/`;
  });
}

export function modal(title, subtitle, ...body) {
  const dialog = $("#modal");
  fill(dialog, html`
    <header><div><h2 id="modal-title">${title}</h2><span class="quiet">${subtitle}</span></div></header>
    <div class="body" key=${title}>${body}</div>
    <footer>
      <button class="push" onclick=${() => dialog.close()}>Close <kbd>Esc</kbd></button>
    </footer>
  `);
  // Where nothing is to be filled in, the first thing that is pressed by chance only closes it.
  $("footer .push", dialog).autofocus = !$("input, select, textarea", dialog);
  if (!dialog.open) dialog.showModal();
}

/** A wish of the host for the table. */
const wish = (name, text, checked, asks) => html`<label class="closing">
  <input type="checkbox" name=${name} disabled=${!me().host} checked=${checked} onchange=${(e) => act(() => table.put(...asks(e.target.checked)))} /> ${text}
</label>`;

function showPeople() {
  const view = store.view;
  const { closing = "all", hours = 24 } = view.ready ?? {};
  modal(
    view.table.title,
    me().host ? "You are the host: you invite and replace players." : "The host invites and replaces players.",
    view.seats.map((seat) => [seatRow(seat), bench(seat)]),
    wish("watching", "People outside may read replays by a link", view.watching, (on) => ["/watching", { on }]),
    wish("closing", "Anyone of a side closes its phases; otherwise all its seats say that they are ready", closing === "anyone", (on) => ["/closing", { closing: on ? "anyone" : "all" }]),
    html`<label class="closing">Over who has not looked for <input type="number" name="hours" min="1" max="1000" disabled=${!me().host} value=${hours}
      onchange=${(e) => act(() => table.put("/closing", { closing, hours: Number(e.target.value) }))} /> hours the rest of a side may close</label>`,
    html`<p class="row">
      <button class="small" onclick=${showDice}>Check the dice</button>
      <button class="small" onclick=${showRules}>Rules</button>
      ${(me().player || me().referee) && html`<button class="small" onclick=${beginSealed}>Sealed orders</button>`}
      ${me().host && html`<button class="small" onclick=${deleteTable}>Delete this table</button>`}
    </p>`,
  );
}

export const showHelp = () => $("#keys-help").showModal();

export function startPeople() {
  $("#people").addEventListener("click", showPeople);
  $("#help").addEventListener("click", showHelp);
  $("#single-keys").checked = localStorage.getItem("warcabinet-keys") !== "off";
  $("#single-keys").addEventListener("change", (e) => localStorage.setItem("warcabinet-keys", e.target.checked ? "on" : "off"));
}
