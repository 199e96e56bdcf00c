// Seats: who sits where, links that lead to them, replacing a player, a token for a program; keys and help.

import { $, fill, h, seal, toast } from "./dom.js";
import { base, table } from "./api.js";
import { showDice } from "./dice.js";
import { beginSealed } from "./sealed.js";
import { load, me, store } from "./store.js";

async function act(work, again) {
  try {
    await work();
    await load();
    // Whoever closed it meanwhile has seen enough.
    if ($("#modal").open) again();
  } catch (error) {
    toast(error.message, true);
  }
}

async function invite(seat, row) {
  try {
    const made = await table.post(`/seats/${seat.id}/invitations`);
    const link = new URL(made.path, location.href).href;
    const box = h("input", {
      type: "text",
      readOnly: true,
      value: link,
      "aria-label": `Invitation to ${seat.title}`,
      onfocus: (e) => e.target.select(),
    });
    row.querySelector("input")?.remove();
    row.append(box);
    await navigator.clipboard?.writeText(link).catch(() => {});
    box.focus();
    toast("The link is copied. Whoever opens it takes the seat.");
  } catch (error) {
    toast(error.message, true);
  }
}

async function program(seat, row) {
  const made = await table.post("/tokens", { seat: seat.id, label: "program" });
  row.querySelector("input")?.remove();
  row.append(
    h("input", {
      type: "text",
      readOnly: true,
      value: made.token,
      "aria-label": `Token for ${seat.title}`,
      onfocus: (e) => e.target.select(),
    }),
  );
  toast("Shown once: send it as Authorization: Bearer.");
}

/** A wish of the seat: phases pass by themselves in which it has nothing to decide. */
function passing(seat) {
  const own = me().seats.find((it) => it.id === seat.id && it.role === "player");
  if (!own) return null;
  const wish = (event) => act(() => table.put(`/seats/${seat.id}/passing`, { passing: event.target.checked }), showPeople);
  return h(
    "label",
    { className: "passing" },
    h("input", { type: "checkbox", name: "passing", checked: own.passing, onchange: wish }),
    " Let phases pass in which I have nothing to decide",
  );
}

function seatRow(seat) {
  const host = me().host;
  const empty = !seat.people.length;
  const row = h("div", { className: "seat-row", dataset: { seat: seat.id } });
  const button = (text, onclick) => h("button", { type: "button", className: "small", onclick }, text);
  fill(
    row,
    h(
      "div",
      {},
      h("strong", {}, seat.title),
      " ",
      seat.powers.map((p) => seal(p)),
      passing(seat),
      h("div", { className: "who" }, empty ? "nobody yet" : seat.people.join(", "), seat.mine ? " (you)" : ""),
    ),
    h(
      "div",
      { className: "row" },
      host && (empty || seat.role === "spectator") ? button("Invite", () => invite(seat, row)) : null,
      host && empty && seat.role !== "spectator"
        ? button("Sit here", () => act(() => table.post(`/seats/${seat.id}/sit`), showPeople))
        : null,
      host && !empty && !seat.mine && seat.role !== "spectator"
        ? button("Replace", () => act(() => table.post(`/seats/${seat.id}/vacate`), showPeople))
        : null,
      seat.mine && seat.role === "player" ? button("Program", () => program(seat, row)) : null,
      seat.mine && seat.role !== "spectator"
        ? button("Leave", () => act(() => table.post(`/seats/${seat.id}/vacate`), showPeople))
        : null,
    ),
  );
  return row;
}

/** Spectators by name, each with a way out for the host. */
function bench(seat) {
  if (!me().host || seat.role !== "spectator") return null;
  return h(
    "ul",
    { className: "bench" },
    seat.people.map((name) =>
      h(
        "li",
        {},
        name,
        " ",
        h(
          "button",
          { type: "button", className: "small", onclick: () => act(() => table.post("/put-out", { name }), showPeople) },
          "Show out",
        ),
      ),
    ),
  );
}

/** By whose rules the table is played; where the server has newer ones, what they would judge differently. */
async function showRules() {
  const rules = await table.get("/rules");
  const agree = async () => {
    try {
      await table.post("/rules/agree");
      await load();
      await showRules();
    } catch (error) {
      toast(error.message, true);
    }
  };
  modal(
    "Rules",
    rules.same
      ? `This table is played by the rules of ${rules.table}.`
      : `This table is played by the rules of ${rules.table}; the server has ${rules.server}.`,
    rules.same
      ? null
      : [
          h("p", {}, rules.differences.length ? "Of the game so far they would judge differently:" : "They judge the whole game so far as it was judged."),
          h("ul", {}, rules.differences.map((it) => h("li", {}, it))),
          h("p", {}, `Who has not agreed yet: ${rules.missing.join(", ")}`),
          me().player || me().referee ? h("button", { type: "button", className: "main", onclick: agree }, "Agree") : null,
        ],
  );
}

async function deleteTable() {
  if (!confirm("Delete this table? Nobody but you will see it, and for some days you can call it back in the hall.")) return;
  try {
    await table.post("/delete");
    location.href = `${base}/`;
  } catch (error) {
    toast(error.message, true);
  }
}

export function modal(title, subtitle, ...body) {
  const dialog = $("#modal");
  const inside = h("div", { className: "body" }, body);
  // Where nothing is to be filled in, the first thing that is pressed by chance only closes it.
  const reads = !$("input, select, textarea", inside);
  fill(
    dialog,
    h("header", {}, h("div", {}, h("h2", { id: "modal-title" }, title), h("span", { className: "quiet" }, subtitle))),
    inside,
    h(
      "footer",
      {},
      h("button", { type: "button", className: "push", autofocus: reads, onclick: () => dialog.close() }, "Close ", h("kbd", {}, "Esc")),
    ),
  );
  if (!dialog.open) dialog.showModal();
}

export function showPeople() {
  const view = store.view;
  modal(
    view.table.title,
    me().host ? "You are the host: you invite and replace players." : "The host invites and replaces players.",
    view.seats.map((seat) => [seatRow(seat), bench(seat)]),
    h("label", { className: "closing" }, h("input", { type: "checkbox", name: "closing", disabled: !me().host, checked: view.ready?.closing === "anyone", onchange: (e) => act(() => table.put("/closing", { closing: e.target.checked ? "anyone" : "all" }), showPeople) }), " Anyone of a side closes its phases; otherwise all its seats say that they are ready"),
    h(
      "p",
      { className: "row" },
      h("button", { type: "button", className: "small", onclick: showDice }, "Check the dice"),
      h("button", { type: "button", className: "small", onclick: showRules }, "Rules"),
      me().player || me().referee ? h("button", { type: "button", className: "small", onclick: beginSealed }, "Sealed orders") : null,
      me().host ? h("button", { type: "button", className: "small", onclick: deleteTable }, "Delete this table") : null,
    ),
  );
}

const KEYS = [
  ["/", "command line: orders, places, clauses"],
  ["N", "next step, or: I am ready; in a battle its next step"],
  ["G", "on to my next decision"],
  ["B", "build, or the first order of this phase"],
  ["A L S", "attack from the hex that is chosen, or attack it; report losses, show the supply line"],
  ["K", "fold the battle sheet"],
  ["R", "report an outcome"],
  ["1–8", "card of a power"],
  ["W", "why: the sum of the number that has the focus"],
  ["C", "the clause beside the focus"],
  ["E P", "Europe, Pacific"],
  ["M", "to the map: arrows move, Shift+arrows pan, Enter opens the hex, Tab leaves"],
  [".", "next legal hex while an order is open"],
  ["+ - 0", "zoom in, out, the whole board"],
  ["F", "filter the log"],
  ["H", "history"],
  ["U Shift+U", "undo, redo"],
  ["T", "talk and notes"],
  ["[ ]", "fold the rail, the right column"],
  ["→ ←", "in a sum: unfold, fold"],
  ["Space ← → ↑ ↓", "in the demonstration: pause, step back and on, faster and slower"],
  ["Esc", "close the topmost"],
  ["?", "this list"],
];

const TOUCHES = [
  "Tap a stack: its counters lie below the map. Take up how many you like, tap where they go, then press the bar.",
  "Tap a hex without counters: who holds it, what may be done there.",
  "Two fingers zoom, one finger moves the map.",
  "The handle above the panels makes them a peek, half or as high as the page.",
  "Now has the orders, Due what falls due, Log what happened; a press on an amount opens its sum.",
];

export function showHelp() {
  const off = localStorage.getItem("warcabinet-keys") === "off";
  const toggle = h(
    "label",
    {},
    h("input", {
      type: "checkbox",
      checked: !off,
      onchange: (e) => localStorage.setItem("warcabinet-keys", e.target.checked ? "on" : "off"),
    }),
    " Single keys are on",
  );
  modal(
    "Keys and help",
    "Every number with a dotted line opens its sum; every chip opens its clause.",
    h(
      "dl",
      { className: "keys by-keys" },
      KEYS.map(([k, what]) => [
        h(
          "dt",
          {},
          k.split(" ").map((it) => [h("kbd", {}, it), " "]),
        ),
        h("dd", {}, what),
      ]),
    ),
    h("ul", { className: "by-touch" }, TOUCHES.map((it) => h("li", {}, it))),
    h("p", { className: "by-keys" }, toggle),
    h(
      "p",
      {},
      h("button", { type: "button", id: "walk-again", onclick: () => document.dispatchEvent(new Event("walk")) }, "Be led around: five minutes"),
      h("span", { className: "quiet" }, " on a position of its own; this table stays as it is."),
    ),
    h(
      "p",
      { className: "quiet" },
      "The raised italic ",
      h("sup", { className: "assumed" }, "a"),
      " marks a figure that rests on no clause; a scenario can override it.",
    ),
  );
}

export function startPeople() {
  $("#people").addEventListener("click", showPeople);
  $("#help").addEventListener("click", showHelp);
}
