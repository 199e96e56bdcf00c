// The page of a person: name, devices, how they are told, programs.

import { attempt, hall } from "./api.js";
import { $, toast } from "./dom.js";
import { startDevices } from "./devices.js";
import { startTell } from "./tell.js";
import { ago } from "./times.js";
import { fill, html, options } from "./ui.js";

$("#rename").addEventListener("submit", async (event) => {
  event.preventDefault();
  await attempt(async () => {
    await hall.put("/me", { name: event.target.elements.name.value });
    toast("So you are called from now on, at every table.");
  });
});

let token = null;

async function programs() {
  const [mine, tables] = await Promise.all([hall.get("/me/tokens"), hall.get("/tables")]);
  const seats = tables.flatMap((t) => t.seats.filter((s) => s.mine && s.role === "player").map((s) => [t, s]));
  const withdraw = (it) => async () => {
    await hall.post(`/tables/${it.table}/tokens/${it.id}/withdraw`);
    await programs();
  };
  const make = async (event) => {
    const form = event.target.elements;
    const [table, seat] = form.seat.value.split(" ");
    await attempt(async () => {
      token = (await hall.post(`/tables/${table}/tokens`, { seat, label: form.label.value.trim() || "program" })).token;
      await programs();
    });
  };
  fill($("#programs"), html`
    <ul class="devices">
      ${mine.map((it) => html`<li data-token=${it.id}>
        <div><strong>${it.label}</strong><span class="quiet small">${it.title}, ${it.seat}</span></div>
        <span>${it.made ? `since ${ago(it.made)}` : ""}</span>
        <button class="link" onclick=${withdraw(it)}>Withdraw</button>
      </li>`)}
    </ul>
    ${!mine.length && html`<p class="quiet">No program plays for you.</p>`}
    ${token && html`<p class="told-once">
      <label>
        Shown once: send it as Authorization: Bearer.
        <input type="text" id="token" readOnly value=${token} onfocus=${(e) => e.target.select()} />
      </label>
    </p>`}
    ${seats.length > 0 && html`<form onsubmit=${make}>
      <label>
        Seat
        <select name="seat">${options(seats.map(([t, s]) => [`${t.table} ${s.id}`, `${t.title}, ${s.title}`]))}</select>
      </label>
      <label>What it is called<input type="text" name="label" maxLength="60" value="program" /></label>
      <p><button type="submit">Make a token</button></p>
    </form>`}
  `);
}

startDevices($("#devices"), true);
startTell($("#tell"), true).then(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
programs();
