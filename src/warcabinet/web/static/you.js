// The page of a person: name, devices, how they are told, programs.

import { hall } from "./api.js";
import { $, fill, h, toast } from "./dom.js";
import { act, startDevices } from "./devices.js";
import { startTell } from "./tell.js";
import { ago } from "./times.js";
import "./hall-theme.js";

$("#rename").addEventListener("submit", (event) => {
  event.preventDefault();
  act(() => hall.put("/me", { name: event.target.elements.name.value }), () => toast("So you are called from now on, at every table."));
});

let token = null;

async function programs() {
  const [mine, tables] = await Promise.all([hall.get("/me/tokens"), hall.get("/tables")]);
  const seats = tables.flatMap((t) => t.seats.filter((s) => s.mine && s.role === "player").map((s) => [t, s]));
  const withdraw = (it) => () => act(() => hall.post(`/tables/${it.table}/tokens/${it.id}/withdraw`), programs);
  const make = (event) => {
    event.preventDefault();
    const form = event.target.elements;
    const [table, seat] = form.seat.value.split(" ");
    act(async () => {
      token = (await hall.post(`/tables/${table}/tokens`, { seat, label: form.label.value.trim() || "program" })).token;
    }, programs);
  };
  fill(
    $("#programs"),
    h(
      "ul",
      { className: "devices" },
      mine.map((it) =>
        h(
          "li",
          { dataset: { token: it.id } },
          h("div", {}, h("strong", {}, it.label), h("span", { className: "quiet small" }, `${it.title}, ${it.seat}`)),
          h("span", {}, it.made ? `since ${ago(it.made)}` : ""),
          h("button", { type: "button", className: "link", onclick: withdraw(it) }, "Withdraw"),
        ),
      ),
    ),
    mine.length ? null : h("p", { className: "quiet" }, "No program plays for you."),
    token
      ? h("p", { className: "told-once" }, h("label", {}, "Shown once: send it as Authorization: Bearer.", h("input", { type: "text", id: "token", readOnly: true, value: token, onfocus: (e) => e.target.select() })))
      : null,
    seats.length
      ? h(
          "form",
          { onsubmit: make },
          h("label", {}, "Seat", h("select", { name: "seat" }, seats.map(([t, s]) => h("option", { value: `${t.table} ${s.id}` }, `${t.title}, ${s.title}`)))),
          h("label", {}, "What it is called", h("input", { type: "text", name: "label", maxLength: 60, value: "program" })),
          h("p", {}, h("button", { type: "submit" }, "Make a token")),
        )
      : null,
  );
}

startDevices($("#devices"), true);
startTell($("#tell"), true).then(() => document.getElementById(location.hash.slice(1))?.scrollIntoView());
programs();
