// Talk at the table, to all or to one seat, and notes that nobody else ever sees.

import { $, debounce, conceal, reveal } from "./dom.js";
import { attempt, table } from "./api.js";
import { me, store } from "./store.js";
import { ago } from "./times.js";
import { looked } from "./turn.js";
import { effect, fill, html, options, seal, state } from "./ui.js";

const PAGE = 200;
/** What was said (null: not fetched yet), which tab is open, and one's notes with what became of them. */
const its = state({ lines: null, whole: false, unread: 0, tab: "talk", notes: "", said: "Kept as you type." });

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
    const more = await table.get("/talk", { before: its.lines[0].id });
    its.whole = more.length < PAGE;
    its.lines = [...more, ...its.lines];
  };
  return html`
    ${its.lines.length >= PAGE && !its.whole && html`<button class="small" onclick=${earlier}>Earlier lines</button>`}
    <div class="talk-scroll" role="log" aria-live="polite" aria-label="Talk" tabIndex="0">
      <ol class="talk-lines">${its.lines.map(line)}</ol>
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
    if (unkept === null) its.said = words;
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
    unkept = its.notes = event.target.value;
    its.said = "…";
    keepSoon();
  };
  return html`<form onsubmit=${keepNotes} class="notes" key="notes">
    <p class="quiet">Your notes stay on the server under your name; no other seat, spectator or export gets them.</p>
    <textarea name="notes" rows="16" aria-label="Private notes" maxLength="20000" value=${its.notes} oninput=${typed} />
    <output class="quiet small" role="status">${its.said}</output>
  </form>`;
}

/** Fetch what a tab shows, then show it. */
async function open(name) {
  if (name === "talk") its.lines ??= await table.get("/talk");
  else {
    await keepNotes();
    const kept = await table.get("/notes");
    if (unkept === null) its.notes = kept.text;
  }
  its.tab = name;
}

function draw() {
  const { tab, lines } = its;
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
}

/** The last line is in sight when one comes or the tab is opened. */
function scrollDown() {
  const list = its.lines && its.tab && $("#drawer .talk-scroll");
  if (list) list.scrollTop = list.scrollHeight;
}

export async function openTalk() {
  its.unread = 0;
  reveal($("#drawer"));
  await open(its.tab);
  scrollDown();
  read();
  $("#drawer input, #drawer textarea")?.focus();
}

export function closeTalk() {
  keepNotes();
  return conceal($("#drawer"));
}

/** What is on the screen has been read: the hall counts what has not. */
const read = () => (its.lines?.length ? looked(its.lines.at(-1).id) : null);

/** Too much was missed: what was said is fetched anew when it is looked at. */
export function forgetTalk() {
  its.lines = null;
  if (!$("#drawer").hidden) open(its.tab);
}

/** A line came in, perhaps again after a break. */
export function heard(it) {
  if (its.lines?.some((known) => known.id === it.id)) return;
  if (its.lines) its.lines = [...its.lines, it];
  if (!$("#drawer").hidden && its.tab === "talk") looked(it.id);
  else if (it.seat) its.unread += 1;
}

export function startTalk() {
  effect(draw);
  effect(scrollDown);
  effect(() => void Object.assign($("#talk-badge"), { hidden: !its.unread, textContent: its.unread }));
  addEventListener("pagehide", () => {
    // The page goes: what is not kept yet is sent along, whatever becomes of the answer.
    if (unkept === null) return;
    const init = { method: "PUT", keepalive: true, credentials: "same-origin", headers: { "content-type": "application/json" } };
    fetch(table.link("/notes"), { ...init, body: JSON.stringify({ text: unkept }) }).catch(() => {});
  });
  $("#talk").addEventListener("click", () => (closeTalk() ? null : openTalk()));
}
