// Talk at the table, to all or to one seat, and notes that nobody else ever sees.

import { $, debounce, fill, h, hide, returningFocus, seal, toast } from "./dom.js";
import { table } from "./api.js";
import { me, store } from "./store.js";
import { ago } from "./times.js";
import { looked } from "./turn.js";

const PAGE = 200;
let lines = null;
let whole = false;
let unread = 0;
let tab = "talk";
let giveBack = null;

/** Who speaks: the seals of the seat. */
const seals = (seat) => (store.view.seats.find((s) => s.id === seat)?.powers ?? []).map((power) => seal(power));

function line(it) {
  const to = store.view.seats.find((s) => s.id === it.to)?.title;
  if (!it.seat)
    return h("li", { className: "table-said" }, it.text, ". ", h("span", { className: "small" }, ago(it.made)));
  return h(
    "li",
    { className: it.to ? "whisper" : "" },
    h("strong", {}, it.name),
    h("span", { className: "seals" }, seals(it.seat)),
    h("span", { className: "quiet small" }, ` ${to ? `to ${to} alone, ` : ""}${ago(it.made)}`),
    h("br"),
    it.text,
  );
}

function talkBody() {
  const seats = store.view.seats.filter((s) => !s.mine && s.role !== "spectator" && s.people.length);
  const say = async (event) => {
    event.preventDefault();
    const form = event.target;
    try {
      await table.post("/talk", { text: form.elements.text.value, to: form.elements.to.value });
      form.reset();
    } catch (error) {
      toast(error.message, true);
    }
  };
  const earlier = async () => {
    const more = await table.get("/talk", { before: lines[0].id });
    whole = more.length < PAGE;
    lines.unshift(...more);
    draw();
  };
  return [
    lines.length >= PAGE && !whole
      ? h("button", { type: "button", className: "small", onclick: earlier }, "Earlier lines")
      : null,
    h(
      "div",
      { className: "talk-scroll", role: "log", "aria-live": "polite", "aria-label": "Talk", tabIndex: 0 },
      h("ol", { className: "talk-lines" }, lines.map(line)),
    ),
    h(
      "form",
      { onsubmit: say },
      h(
        "select",
        { name: "to", "aria-label": "To whom" },
        h("option", { value: "" }, "To all"),
        (me().player || me().referee ? seats : []).map((s) => h("option", { value: s.id }, `To ${s.title} alone`)),
      ),
      h("input", {
        type: "text",
        name: "text",
        required: true,
        maxLength: 2000,
        "aria-label": "Say something",
        autocomplete: "off",
        placeholder: "Say something",
      }),
      h("button", { type: "submit", className: "main" }, "Say"),
    ),
  ];
}

// Notes are kept as they are typed: what has not reached the server yet is sent before the drawer or the page closes.
let unkept = null;
let keeping = Promise.resolve();

function keepNotes() {
  if (unkept === null) return keeping;
  const text = unkept;
  unkept = null;
  const say = (words) => {
    const said = $("#drawer .notes output");
    if (said && unkept === null) said.textContent = words;
  };
  keeping = keeping
    .then(() => table.put("/notes", { text }))
    .then(() => say("Kept."))
    .catch((error) => {
      unkept ??= text;
      say(`Not kept yet: ${error.message}`);
    });
  return keeping;
}
const keepSoon = debounce(keepNotes, 600);

async function notesBody() {
  await keepNotes();
  const { text } = await table.get("/notes");
  const typed = (event) => {
    unkept = event.target.value;
    $("#drawer .notes output").textContent = "…";
    keepSoon();
  };
  const keep = (event) => {
    event.preventDefault();
    keepNotes();
  };
  return [
    h(
      "form",
      { onsubmit: keep, className: "notes" },
      h(
        "p",
        { className: "quiet" },
        "Your notes stay on the server under your name; no other seat, spectator or export gets them.",
      ),
      h("textarea", { name: "notes", rows: 16, "aria-label": "Private notes", maxLength: 20000, oninput: typed }, text),
      h("output", { className: "quiet small", role: "status" }, "Kept as you type."),
    ),
  ];
}

async function draw() {
  const box = $("#drawer");
  const press = (name) => () => {
    tab = name;
    draw();
  };
  const pick = (name, text) =>
    h(
      "button",
      { type: "button", className: "small", role: "tab", "aria-selected": String(tab === name), onclick: press(name) },
      text,
    );
  lines ??= await table.get("/talk");
  fill(
    box,
    h(
      "header",
      {},
      h("div", {}, h("h2", { id: "drawer-title" }, tab === "talk" ? "Talk" : "Private notes")),
      h("div", { className: "tabs", role: "tablist" }, pick("talk", "Talk"), pick("notes", "Notes")),
      h("button", { type: "button", className: "close", "aria-label": "Close", onclick: closeTalk }, "×"),
    ),
    tab === "talk" ? talkBody() : await notesBody(),
  );
  const list = $(".talk-scroll", box);
  if (list) list.scrollTop = list.scrollHeight;
}

export async function openTalk() {
  giveBack = returningFocus();
  unread = 0;
  $("#talk-badge").hidden = true;
  $("#drawer").hidden = false;
  await draw();
  read();
  $("#drawer input, #drawer textarea")?.focus();
}

export function closeTalk() {
  if ($("#drawer").hidden) return false;
  keepNotes();
  hide($("#drawer"), giveBack);
  return true;
}

/** What is on the screen has been read: the hall counts what has not. */
const read = () => (lines?.length ? looked(lines.at(-1).id) : null);

/** Too much was missed: what was said is fetched anew when it is looked at. */
export function forgetTalk() {
  lines = null;
  if (!$("#drawer").hidden) draw();
}

/** A line came in, perhaps again after a break. */
export function heard(it) {
  if (lines?.some((known) => known.id === it.id)) return;
  if (lines) lines.push(it);
  if (!$("#drawer").hidden && tab === "talk") {
    $("#drawer .talk-lines")?.append(line(it));
    $("#drawer .talk-scroll").scrollTop = 1e6;
    looked(it.id);
    return;
  }
  if (!it.seat) return;
  unread += 1;
  $("#talk-badge").textContent = unread;
  $("#talk-badge").hidden = false;
}

export function startTalk() {
  addEventListener("pagehide", () => {
    // The page goes: what is not kept yet is sent along, whatever becomes of the answer.
    if (unkept === null) return;
    const init = { method: "PUT", keepalive: true, credentials: "same-origin", headers: { "content-type": "application/json" } };
    fetch(table.link("/notes"), { ...init, body: JSON.stringify({ text: unkept }) }).catch(() => {});
  });
  $("#talk").addEventListener("click", () => (closeTalk() ? null : openTalk()));
}
