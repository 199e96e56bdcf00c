// The books alone: one line that does all, words to tap, and an outbox for the time without a line to the server.

import { attempt, base, newKey, table, tableId, Trouble } from "./api.js";
import { $, $$, several, toast } from "./dom.js";
import { fill, html } from "./ui.js";

const line = $("#line");
const kept = `books ${tableId}`;
const lost = (error) => error instanceof Trouble && [0, 502, 503, 504].includes(error.status);
/** Lines that are given and not yet taken by the server, each under its key: sent again, it is carried out once. */
const outbox = JSON.parse(localStorage.getItem(kept) ?? "[]");
let chosen = "";
let last = [];
let sending = false;

let alone = false;
function away(is) {
  if (alone && !is) refresh();
  alone = is;
  keep();
}

function keep() {
  localStorage.setItem(kept, JSON.stringify(outbox));
  const box = $("#outbox");
  box.hidden = !outbox.length && !alone;
  box.textContent = outbox.length
    ? `${several(outbox.length, "entry waits", "entries wait")} for the line to the server: ${outbox.map((it) => it.lines.join(", ")).join("; ")}`
    : "No line to the server: the books as they stood last. What you enter is kept, and sent when it is back.";
}

/** Send what waits, in its order; without a line it stays, and is tried again. */
async function send() {
  if (sending) return;
  sending = true;
  try {
    while (outbox.length) {
      const [{ key, ...entry }] = outbox;
      const done = await table.keyed("/entries", entry, key);
      outbox.shift();
      keep();
      answered(done, entry.lines);
      // Whoever types on meanwhile is sent too: nothing else looks for it before the next entry.
      if (!outbox.length) await refresh();
    }
  } catch (error) {
    if (lost(error)) setTimeout(send, 4000);
    else {
      const [{ lines }] = outbox.splice(0, 1);
      keep();
      answered({ given: 0, line: lines[0], asks: error.message, right: [], refusals: [] }, lines);
    }
  } finally {
    sending = false;
  }
}

/** What came of lines that were given: those that were not stand in the line again, with what is asked. */
function answered(done, lines) {
  const left = lines.slice(done.given);
  if (!left.length) return;
  line.value = [...left, ...(line.value ? [line.value] : [])].join("\n");
  say({ understood: !done.asks, allowed: false, sentence: done.line, asks: done.asks && `${done.line}: ${done.asks}`, right: done.right, refusals: done.refusals, later: done.later, back: done.back, changes: [] });
}

/** Lines that wait for a phase to come, in this browser: each with the moment to which it belongs. */
const keptFor = `books later ${tableId}`;
const waiting = JSON.parse(localStorage.getItem(keptFor) ?? "[]");

function keepFor(moment) {
  const lines = line.value.split("\n").filter((it) => it.trim());
  if (!lines.length) return;
  waiting.push({ lines, power: chosen, moment });
  empty();
  showWaiting();
}

/** What was kept: to give when its phase has come, to drop at any time. */
function showWaiting() {
  localStorage.setItem(keptFor, JSON.stringify(waiting));
  const now = $(".sheet").dataset.moment;
  const take = (it, gives) => {
    waiting.splice(waiting.indexOf(it), 1);
    if (gives) choose(it.power);
    if (gives) give(it.lines);
    showWaiting();
  };
  const list = $("#later");
  list.hidden = !waiting.length;
  fill(
    list,
    waiting.map((it) => html`<li class=${it.moment === now ? "due" : ""}>
      ${it.moment === now ? "Its phase has come" : `Kept for ${it.moment}`}: <strong>${it.lines.join(" · ")}</strong>
      ${it.moment === now && html`<button type="button" class="word" onclick=${() => take(it, true)}>Give</button>`}
      <button type="button" class="word" onclick=${() => take(it)}>Drop</button>
    </li>`),
  );
  measure();
}

const chip = (clause) => html`<a class="chip" href=${`${base}/rules/${clause}?table=${tableId}`}>${clause}</a>`;

/** The answer is no: then the rule forbids it, and it stays in the line. */
const no = ({ rule, clause }) =>
  fill($("#read"), html`<span class="no">Then it is not allowed: ${rule} ${chip(clause)}. Mend it on your map first; nothing was entered.</span>`);

/** How the line is understood, what becomes of levels, and whether it is allowed. */
function say(read) {
  fill(
    $("#read"),
    html`${read.sentence && html`<strong>${read.sentence}</strong>`}
      ${read.changes.map((it) => html`<span>${$(`.choose[data-power="${it.power}"]`)?.dataset.name ?? it.power}: ${it.figure} ${it.was} → ${it.is}</span>`)}
      ${read.allowed && html`<span class="yes">✓ allowed</span>`}
      ${read.refusals.map((it) => html`<span class="no">${it.text} ${chip(it.clause)}</span>`)}
      ${(read.asked ?? []).map((it) => html`<span class="asked">${it.text} ${chip(it.clause)} <button type="button" class="word" onclick=${() => no(it)}>No</button></span>`)}
      ${read.back && html`<button type="button" class="word" onclick=${() => give(undefined, true)}>Enter it back there: ${read.back}</button>`}
      ${read.later && html`<button type="button" class="word" onclick=${() => keepFor(read.later)}>Keep it for ${read.later}</button>`}
      ${read.asks && html`<span class="no">${read.asks}</span>`} ${read.right.map((it) => word(it, true))}
      ${read.readings?.map((it) => html`<span>or <button type="button" class="word" onclick=${() => give([it])}>${it}</button></span>`)}
      ${read.endings?.length > 0 && html`<span class="endings"><kbd>Tab</kbd> ${read.endings.map((it) => word(it, true))}</span>`}`,
  );
  $("#give").firstChild.textContent = read.understood && read.sentence ? `Give: ${read.sentence} ` : "Give it ";
}

/** A word to tap: all of the line, or one more in it. */
const word = (it, whole) => html`<button type="button" class="word" onclick=${() => type(it, whole)}>${it}</button>`;

let asked = 0;
async function read() {
  const now = ++asked;
  const typed = line.value.split("\n").filter((it) => it.trim());
  if (typed.length !== 1) return void fill($("#read"), typed.length ? `${typed.length} lines: given together, those between two steps all or none` : "");
  try {
    const found = await table.post("/entries/read", { line: typed[0], power: chosen });
    if (now === asked) say(found);
  } catch (error) {
    if (lost(error)) fill($("#read"), "No line to the server: it is kept, and sent when it is back.");
  }
}

/** Tab completes the line as it stands now; where there is nothing to complete it goes on, as everywhere. */
async function complete() {
  clearTimeout(timer);
  await read();
  const ending = $(".endings .word");
  ending ? ending.click() : $("#give").focus();
}

/** What may be pressed under the line is gone through with arrows, and chosen with Enter; up from the first leads back. */
function arrow(event) {
  const all = [line, ...$$("#read .word")];
  const to = all[all.indexOf(event.target) + { ArrowDown: 1, ArrowUp: -1 }[event.key]];
  if (to) event.preventDefault();
  to?.focus();
}

/** Put words into the line: all of it, or behind what stands there. */
function type(words, whole = false) {
  line.value = whole ? words : `${line.value.trimEnd()} ${words} `.trimStart();
  line.focus();
  later();
}

/** The line is empty again, and what is still being asked about it says nothing any more. */
function empty() {
  clearTimeout(timer);
  asked += 1;
  line.value = "";
  fill($("#read"), "");
  onward();
}

const desk = matchMedia("(min-width: 701px)");
/** With an empty line the button is the way on: what is owed, else the next phase; on a phone that stays in the list. */
function onward() {
  const [owed, go] = [$(".phase.now .owed strong"), $(".go")];
  const way = !desk.matches || line.value ? "" : owed ? `Next: ${owed.textContent}` : (go?.firstChild.textContent.trim() ?? "");
  $("#give").firstChild.textContent = `${way || "Give it"} `;
  $("#give kbd").textContent = way && !owed ? "N" : "Enter";
  return way && (() => (owed ? type($(".phase.now .such-as .word")?.dataset.line ?? "", true) : give([go.dataset.line])));
}

let timer = 0;
function later() {
  clearTimeout(timer);
  onward();
  timer = setTimeout(read, 150);
  measure();
}

function give(lines = line.value.split("\n").filter((it) => it.trim()), back = false) {
  if (!lines.length) return;
  if (lines.length === 1 && /^(undo|redo)$/i.test(lines[0].trim())) return void jump(lines[0].trim().toLowerCase());
  last = lines;
  empty();
  outbox.push({ lines, power: chosen, back, key: newKey() });
  keep();
  send();
}

const jump = (what) =>
  attempt(async () => {
    const done = await table.once(`/${what}`, {});
    if (!done.done) toast(done.reason || "The others are asked.");
    line.value = "";
    await refresh();
  });

/** The parts that change, drawn by the server; the page is kept for when it is opened without a line. */
async function refresh() {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) return;
  copies?.then((it) => it.put(location.pathname, answer.clone()));
  const fresh = new DOMParser().parseFromString(await answer.clone().text(), "text/html");
  const parts = $("#parts", fresh);
  if (!parts) return location.reload(); // the map was brought in, or nobody is signed in any more
  const open = $$("#parts details[open]").length;
  $("#parts").replaceChildren(...parts.childNodes);
  if (open) for (const it of $$("#parts details")) it.open = true;
  $(".phase.now")?.classList.add("flash");
  choose(chosen);
  words();
  showWaiting();
  if (!line.value) onward();
}

function choose(power) {
  chosen = power;
  for (const it of $$(".choose")) it.setAttribute("aria-pressed", String(it.dataset.power === power));
}

/** Words that one taps instead of typing: numbers, and those of the phase. */
function words() {
  fill($("#words"), $(".sheet").dataset.words.split(", ").map((it) => word(it)));
  measure();
}
const measure = () => document.body.style.setProperty("--foot", `${$("#entry").offsetHeight}px`);

$("#entry").addEventListener("submit", (event) => {
  event.preventDefault();
  (onward() || give)();
});
line.addEventListener("input", later);
line.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    give();
  } else if (event.key === "Tab" && !event.shiftKey && line.value.trim()) {
    event.preventDefault();
    complete();
  } else if (event.key === "ArrowUp" && !line.value && last.length) type(last.join("\n"), true);
  else if (event.key === "Escape") line.blur();
  else arrow(event);
});
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-line], [data-post], .choose, .no-answer, [data-tab]:not(body)");
  if (!button) return;
  if (button.dataset.post) return void attempt(() => table.once(button.dataset.post, JSON.parse(button.dataset.body)).then(refresh));
  if (button.matches(".no-answer")) return void no(button.dataset);
  if (button.matches(".go, .tools *")) give([button.dataset.line]);
  else if (button.dataset.line) type(button.dataset.line, true);
  else if (button.matches(".choose")) choose(chosen === button.dataset.power ? "" : button.dataset.power);
  else {
    document.body.dataset.tab = button.dataset.tab;
    for (const it of $$(".tabs button")) it.setAttribute("aria-pressed", String(it === button));
  }
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea")) return;
  const key = event.key.toLowerCase();
  const begin = $$(".begin .word").find((it) => $("kbd", it).textContent.toLowerCase() === key);
  if (key === "/" || begin) {
    event.preventDefault();
    type(begin?.dataset.line ?? line.value, true);
  } else if (key === "n") give(["next"]);
  else if (key === "u") jump(event.shiftKey ? "redo" : "undo");
});
$("#read").addEventListener("keydown", arrow);
$("#read").addEventListener("click", () => desk.matches && line.focus());
addEventListener("online", send);

/** Where this browser keeps the page and its files; `worker.js` opens them where there is no line to the server. */
const copies = navigator.serviceWorker && caches.open(`books ${tableId}`);
async function keepPage() {
  await navigator.serviceWorker.register(`${base}/worker.js`, { scope: `${base}/tables/` });
  const files = $$("link[href], script[src]").map((it) => it.href || it.src);
  const kept = await copies;
  await kept.addAll([location.pathname, ...files]);
  for (const old of await kept.keys()) if (old.url.includes("/static/") && !files.includes(old.url)) await kept.delete(old);
}

function listen() {
  const news = table.events();
  for (const kind of ["move", "seats", "resync"]) news.addEventListener(kind, () => sending || refresh());
  news.addEventListener("hello", () => {
    away(false);
    if (outbox.length) send();
  });
  news.addEventListener("error", () => away(true));
  addEventListener("pagehide", () => news.close());
}

keep();
words();
showWaiting();
onward();
listen();
if (outbox.length) send();
if (copies) keepPage().catch(() => {}); // without a line it is there already; without room nothing is kept
if (desk.matches) line.focus();
