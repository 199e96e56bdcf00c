// The browsers in which a person is known: sign one out or all, seat another, and a link for the day they are lost.

import { attempt, hall } from "./api.js";
import { ago } from "./times.js";
import { fill, html } from "./ui.js";

const places = [];
let state = null;
let link = null;

export async function startDevices(box, full) {
  places.push([box, full]);
  await renew();
}

async function renew() {
  state = await hall.get("/me");
  for (const [box, full] of places) fill(box, sheet(full));
}

const act = (work) =>
  attempt(async () => {
    await work();
    await renew();
  });

const signOut = (body) => async () => {
  await hall.post("/sign-out", body);
  if (body.everywhere) location.reload();
};

const make = (path, text) => () =>
  act(async () => {
    const made = await hall.post(path, {});
    link = { text, href: new URL(made.path, location.href).href };
    await navigator.clipboard?.writeText(link.href).catch(() => {});
  });

function shown() {
  if (!link) return null;
  return html`<p class="told-once">
    <label>
      ${link.text}<input type="text" readOnly value=${link.href} id="device-link" onfocus=${(e) => e.target.select()} />
    </label>
  </p>`;
}

function row(it) {
  const here = it.id === state.this;
  const kind = it.agent || (it.label === "browser" ? "" : it.label);
  return html`<li data-device=${it.id}>
    <div>
      <strong>${here ? "This one" : kind || "A browser"}</strong>
      <span class="quiet small">${here ? kind : it.label === "browser" ? "" : it.label}</span>
    </div>
    <span>${it.seen ? ago(it.seen) : `since ${ago(it.made)}`}</span>
    ${here
      ? html`<span class="quiet">here</span>`
      : html`<button class="link" onclick=${() => act(signOut({ device: it.id }))}>Sign out</button>`}
  </li>`;
}

function sheet(full) {
  const kept = state.recovery ? `kept since ${ago(state.recovery)}` : "make one, and keep it well";
  return html`
    <ul class="devices">${state.devices.map(row)}</ul>
    <p class="device-links">
      <button class="link" id="another"
        onclick=${make("/me/devices", "For ten minutes, once: open this in the other browser.")}>
        Seat another device
      </button>
      ${" "}with a link for ten minutes.${" "}
      <button class="link" id="recovery"
        onclick=${make("/me/recovery", "Shown once: keep it where you will find it when all browsers are lost. An earlier one is void.")}>
        Recovery link
      </button>
      , ${kept}.
    </p>
    ${shown()}
    <p class="row">
      <button class="small" id="sign-out"
        onclick=${async () => { await hall.post("/sign-out", {}); location.reload(); }}>Sign out</button>
      ${full && state.devices.length > 1 && html`<button class="small" id="sign-out-others" onclick=${() => act(signOut({ others: true }))}>
        Sign out all others
      </button>`}
      ${full && html`<button class="small" id="sign-out-all" onclick=${() => leave()}>Sign out everywhere</button>`}
    </p>
  `;
}

/** Out of every browser: without a recovery link there is no way back. */
function leave() {
  const text = state.recovery
    ? "Sign out everywhere? Only your recovery link leads back."
    : "Sign out everywhere? You have no recovery link: only whoever runs this server could let you in again.";
  if (confirm(text)) signOut({ everywhere: true })();
}
