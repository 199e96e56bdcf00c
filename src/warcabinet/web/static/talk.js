// Talk at the table, to all or to one seat, and notes that nobody else ever sees.

import { $, debounce, conceal, reveal } from "./dom.js";
import { attempt, table } from "./api.js";
import { me, store } from "./store.js";
import { ago } from "./times.js";
import { looked } from "./turn.js";
import { fill, html, options, seal } from "./ui.js";

const PAGE = 200;
let lines = null;
let whole = false;
let unread = 0;
let tab = "talk";
let notes = "";
let said = "Kept as you type.";

/** Who speaks: the seals of the seat. */
const seals = (seat) => (store.view.seats.find((s) => s.id === seat)?.powers ?? []).map((power) => seal(power));

function line(it) {
  const to = store.view.seats.find((s) => s.id === it.to)?.title;
  if (!it.seat)
    return html`<li key=${it.id} class="table-said">${it.text}. <span class="small">${ago(it.made)}</span></li>`;
  return html`<li key=${it.id} class=${it.to ? "whisper" : ""}>
    <strong>${it.name}</strong><span class="seals">${seals(it.seat)}</span>
    <span class="quiet small"> ${to ? `to ${to} alone, ` : ""}${ago(it.made)}</span><br />${it.text}
  </li>`;
}

function talkBody() {
  const seats = store.view.seats.filter((s) => !s.mine && s.role !== "spectator" && s.people.length);
  const say = async (event) => {
    const form = event.target;
    await attempt(async () => {
      await table.post("/talk", { text: form.elements.text.value, to: form.elements.to.value });
      form.reset();
    });
  };
  const earlier = async () => {
    const more = await table.get("/talk", { before: lines[0].id });
    whole = more.length < PAGE;
    lines.unshift(...more);
    draw();
  };
  return html`
    ${lines.length >= PAGE && !whole && html`<button class="small" onclick=${earlier}>Earlier lines</button>`}
    <div class="talk-scroll" role="log" aria-live="polite" aria-label="Talk" tabIndex="0">
      <ol class="talk-lines">${lines.map(line)}</ol>
    </div>
    <form onsubmit=${say}>
      <select name="to" aria-label="To whom">
        ${options([["", "To all"], ...(me().player || me().referee ? seats : []).map((s) => [s.id, `To ${s.title} alone`])])}
      </select>
      <input type="text" name="text" required maxLength="2000" aria-label="Say something" autocomplete="off"
        placeholder="Say something" />
      <button type="submit" class="main">Say</button>
    </form>
  `;
}

// Notes are kept as they are typed: what has not reached the server yet is sent before the drawer or the page closes.
let unkept = null;
let keeping = Promise.resolve();

function keepNotes() {
  if (unkept === null) return keeping;
  const text = unkept;
  unkept = null;
  const say = (words) => {
    if (unkept === null) said = words;
    draw();
  };
  keeping = keeping
    .then(() => table.put("/notes", { text }))
    .then(() => say("Kept."))
    .catch((error) => {
      say(`Not kept yet: ${error.message}`);
      unkept ??= text;
    });
  return keeping;
}
const keepSoon = debounce(keepNotes, 600);

function notesBody() {
  const typed = (event) => {
    unkept = notes = event.target.value;
    said = "…";
    draw();
    keepSoon();
  };
  return html`<form onsubmit=${keepNotes} class="notes" key="notes">
    <p class="quiet">Your notes stay on the server under your name; no other seat, spectator or export gets them.</p>
    <textarea name="notes" rows="16" aria-label="Private notes" maxLength="20000" value=${notes} oninput=${typed} />
    <output class="quiet small" role="status">${said}</output>
  </form>`;
}

/** Fetch what a tab shows, then show it. */
async function open(name) {
  tab = name;
  if (tab === "talk") lines ??= await table.get("/talk");
  else {
    await keepNotes();
    const kept = await table.get("/notes");
    if (unkept === null) notes = kept.text;
  }
  draw();
}

function draw() {
  if (tab === "talk" && !lines) return;
  const pick = (name, text) => html`<button class="small" role="tab" aria-selected=${tab === name} onclick=${() => open(name)}>${text}</button>`;
  fill($("#drawer"), html`
    <header>
      <div><h2 id="drawer-title">${tab === "talk" ? "Talk" : "Private notes"}</h2></div>
      <div class="tabs" role="tablist">${pick("talk", "Talk")}${pick("notes", "Notes")}</div>
      <button class="close" aria-label="Close" onclick=${closeTalk}>×</button>
    </header>
    ${tab === "talk" ? talkBody() : notesBody()}
  `);
  const list = $("#drawer .talk-scroll");
  if (list) list.scrollTop = list.scrollHeight;
}

export async function openTalk() {
  unread = 0;
  $("#talk-badge").hidden = true;
  reveal($("#drawer"));
  await open(tab);
  read();
  $("#drawer input, #drawer textarea")?.focus();
}

export function closeTalk() {
  keepNotes();
  return conceal($("#drawer"));
}

/** What is on the screen has been read: the hall counts what has not. */
const read = () => (lines?.length ? looked(lines.at(-1).id) : null);

/** Too much was missed: what was said is fetched anew when it is looked at. */
export function forgetTalk() {
  lines = null;
  if (!$("#drawer").hidden) open(tab);
}

/** A line came in, perhaps again after a break. */
export function heard(it) {
  if (lines?.some((known) => known.id === it.id)) return;
  if (lines) lines.push(it);
  if (!$("#drawer").hidden && tab === "talk") {
    draw();
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
