// The browsers in which a person is known: sign one out or all, seat another, and a link for the day they are lost.

import { attempt, hall } from "./api.js";
import { ago } from "./times.js";
import { fill, html, panel, signal } from "./ui.js";
import { $ } from "./dom.js";

const me = signal(null);
const link = signal(null);

export async function startDevices(box, full) {
  await renew();
  panel(box, () => sheet(full));
}

const renew = async () => (me.value = await hall.get("/me"));

/** Do something and show what is so then. */
const act = (work) =>
  attempt(async () => {
    await work();
    await renew();
  });

const signOut = (body) => () => act(() => hall.post("/sign-out", body));

/** Out of this browser: programs go on without it, and whoever leaves is told which. */
const leave = (body) => async () => {
  const { programs } = await hall.post("/sign-out", body);
  if (!programs.length) return location.reload();
  const main = $("main");
  main.replaceChildren();
  fill(main, html`
    <h1>You are signed out</h1>
    <p>These programs play on by tokens of their own. To withdraw one, sign in again and look under <em>You</em>.</p>
    <ul class="devices" id="programs-left">
      ${programs.map((it) => html`<li><strong>${it.label}</strong><span>${it.title}, ${it.seat}</span></li>`)}
    </ul>
    <p><button onclick=${() => location.reload()}>To the hall</button></p>
  `);
};

const make = (path, text) => () =>
  act(async () => {
    const made = await hall.post(path, {});
    link.value = { text, href: new URL(made.path, location.href).href };
    await navigator.clipboard?.writeText(link.value.href).catch(() => {});
  });

function shown() {
  if (!link.value) return null;
  return html`<p class="told-once">
    <label>
      ${link.value.text}<input type="text" readOnly value=${link.value.href} id="device-link" onfocus=${(e) => e.target.select()} />
    </label>
  </p>`;
}

function row(it) {
  const here = it.id === me.value.this;
  const kind = it.agent || (it.label === "browser" ? "" : it.label);
  return html`<li data-device=${it.id}>
    <div>
      <strong>${here ? "This one" : kind || "A browser"}</strong>
      <span class="quiet small">${here ? kind : it.label === "browser" ? "" : it.label}</span>
    </div>
    <span>${it.seen ? ago(it.seen) : `since ${ago(it.made)}`}</span>
    ${here
      ? html`<span class="quiet">here</span>`
      : html`<button class="link" onclick=${signOut({ device: it.id })}>Sign out</button>`}
  </li>`;
}

function sheet(full) {
  const kept = me.value.recovery ? `kept since ${ago(me.value.recovery)}` : "make one, and keep it well";
  return html`
    <ul class="devices">${me.value.devices.map(row)}</ul>
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
      <button class="small" id="sign-out" onclick=${leave({})}>Sign out</button>
      ${full && me.value.devices.length > 1 && html`<button class="small" id="sign-out-others" onclick=${signOut({ others: true })}>
        Sign out all others
      </button>`}
      ${full && html`<button class="small" id="sign-out-all" onclick=${leaveAll}>Sign out everywhere</button>`}
    </p>
  `;
}

/** Out of every browser: without a recovery link there is no way back. */
function leaveAll() {
  const text = me.value.recovery
    ? "Sign out everywhere? Only your recovery link leads back."
    : "Sign out everywhere? You have no recovery link: only whoever runs this server could let you in again.";
  if (confirm(text)) leave({ everywhere: true })();
}
