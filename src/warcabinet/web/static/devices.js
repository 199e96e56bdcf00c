// The browsers in which a person is known: sign one out or all, seat another, and a link for the day they are lost.

import { hall } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { ago } from "./times.js";

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

/** Do something and show what is so then; what is wrong is said. */
export async function act(work, after = renew) {
  try {
    await work();
    await after();
  } catch (error) {
    toast(error.message, true);
  }
}

const signOut = (body) => () => act(() => hall.post("/sign-out", body));

/** Out of this browser: programs go on without it, and whoever leaves is told which. */
const leave = (body) => async () => {
  const { programs } = await hall.post("/sign-out", body);
  if (!programs.length) return location.reload();
  fill(
    document.querySelector("main"),
    h("h1", {}, "You are signed out"),
    h("p", {}, "These programs play on by tokens of their own. To withdraw one, sign in again and look under ", h("em", {}, "You"), "."),
    h("ul", { className: "devices", id: "programs-left" }, programs.map((it) => h("li", {}, h("strong", {}, it.label), h("span", {}, `${it.title}, ${it.seat}`)))),
    h("p", {}, h("button", { type: "button", onclick: () => location.reload() }, "To the hall")),
  );
};

const make = (path, text) => () =>
  act(async () => {
    const made = await hall.post(path, {});
    link = { text, href: new URL(made.path, location.href).href };
    await navigator.clipboard?.writeText(link.href).catch(() => {});
  });

function shown() {
  if (!link) return null;
  return h(
    "p",
    { className: "told-once" },
    h("label", {}, link.text, h("input", { type: "text", readOnly: true, value: link.href, id: "device-link", onfocus: (e) => e.target.select() })),
  );
}

function row(it) {
  const here = it.id === state.this;
  const kind = it.agent || (it.label === "browser" ? "" : it.label);
  return h(
    "li",
    { dataset: { device: it.id } },
    h("div", {}, h("strong", {}, here ? "This one" : kind || "A browser"), h("span", { className: "quiet small" }, here ? kind : it.label === "browser" ? "" : it.label)),
    h("span", {}, it.seen ? ago(it.seen) : `since ${ago(it.made)}`),
    here
      ? h("span", { className: "quiet" }, "here")
      : h("button", { type: "button", className: "link", onclick: signOut({ device: it.id }) }, "Sign out"),
  );
}

function sheet(full) {
  const kept = state.recovery ? `kept since ${ago(state.recovery)}` : "make one, and keep it well";
  return [
    h("ul", { className: "devices" }, state.devices.map(row)),
    h(
      "p",
      { className: "device-links" },
      h("button", { type: "button", className: "link", id: "another", onclick: make("/me/devices", "For ten minutes, once: open this in the other browser.") }, "Seat another device"),
      " with a link for ten minutes. ",
      h("button", { type: "button", className: "link", id: "recovery", onclick: make("/me/recovery", "Shown once: keep it where you will find it when all browsers are lost. An earlier one is void.") }, "Recovery link"),
      `, ${kept}.`,
    ),
    shown(),
    h(
      "p",
      { className: "row" },
      h("button", { type: "button", className: "small", id: "sign-out", onclick: leave({}) }, "Sign out"),
      full && state.devices.length > 1 ? h("button", { type: "button", className: "small", id: "sign-out-others", onclick: signOut({ others: true }) }, "Sign out all others") : null,
      full ? h("button", { type: "button", className: "small", id: "sign-out-all", onclick: leaveAll }, "Sign out everywhere") : null,
    ),
  ];
}

/** Out of every browser: without a recovery link there is no way back. */
function leaveAll() {
  const text = state.recovery
    ? "Sign out everywhere? Only your recovery link leads back."
    : "Sign out everywhere? You have no recovery link: only whoever runs this server could let you in again.";
  if (confirm(text)) leave({ everywhere: true })();
}
