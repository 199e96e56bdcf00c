// Typed orders with completion: "spend germany 12 unit construction", a place to jump to, a clause to open.

import { $, isPower, nameOf, toast } from "./dom.js";
import { hall, table } from "./api.js";
import { allPlaces } from "./map/atlas.js";
import { openClause } from "./explain.js";
import { allCommands, described } from "./commands.js";
import { openOrder } from "./order.js";
import { position, store, subscribe } from "./store.js";
import { advance } from "./ready.js";
import { jump, openView } from "./topbar.js";
import { fill, html } from "./ui.js";

let found = [];
let foundFor = ""; // the line that these were found for
let at = -1;

const fold = (text) => text.toLowerCase().replaceAll("_", " ").trim();
const wordsOf = (text) => fold(text).split(/\s+/).filter((w) => w && !JOINING.includes(w));
const JOINING = ["a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to", "what", "where", "with"];
/** Whether a word is one of these or begins one, whatever its ending: "surrenders" for "surrender". */
const isWord = (w, words) => words.some((it) => it.startsWith(w) || (w.length > 4 && it.length > 4 && it.slice(0, -1).startsWith(w.slice(0, Math.max(4, w.length - 2)))));
const titles = () => {
  const seen = new Map();
  for (const o of position().offers) {
    const k = o.command;
    if (!seen.has(k)) seen.set(k, []);
    seen.get(k).push(o);
  }
  return seen;
};

/** The command meant by the first words, and the rest of the line. */
function commandOf(line) {
  let best = null;
  for (const [name, offers] of titles()) {
    for (const word of [fold(name), fold(offers[0].label)])
      if (fold(line).startsWith(word) && (!best || word.length > best.word.length)) best = { name, offers, word };
  }
  return best && { ...best, rest: fold(line).slice(best.word.length).trim() };
}

/** What the server understands of a line: it knows every name, unit and field, and points out what it does not know. */
const readLine = (line) => table.post("/read", { line });

/** What an order says so far, in a line. */
const understood = (read) =>
  [read.label, ...Object.values(read.given).flatMap((v) => (Array.isArray(v) ? v : [v])).map((v) => (v === true ? "yes" : nameOrWords(v)))].join(" · ");
const nameOrWords = (v) => (isPower(v) ? nameOf(v) : String(v));

/** Open the order that a line means; a word that means nothing stays in the line and is pointed out. */
function openRead(read) {
  const input = $("#command");
  const [wrong] = read.unread;
  if (wrong) {
    input.focus();
    input.setSelectionRange(wrong.start, wrong.start + wrong.text.length);
    toast(`“${wrong.text}” is not understood: ${wrong.hint}`, true);
    return false;
  }
  // What was typed stays open to change; only whose order it is, is settled.
  const fits = (o) => o.command === read.command && Object.entries(o.known).every(([k, v]) => read.given[k] === v);
  openOrder(position().offers.find(fits) ?? described({ command: read.command, known: {} }), read.given);
  return true;
}

/** What can be looked at besides places and countries: each power's sheet and its force pool. */
const looks = () =>
  position().powers.flatMap((p) => [
    { text: `${p.name}: force pool`, words: wordsOf(`${p.name} ${p.power} force pool units not built turn record track arrives`), note: "what is not built, and what arrives when", go: () => openView("powers", p.power, "pool") },
    { text: `${p.name}: all figures`, words: wordsOf(`${p.name} ${p.power} power sheet figures level base`), note: "the power’s sheet", go: () => openView("powers", p.power) },
  ]);
const lookedFor = (line) => looks().filter((it) => wordsOf(line).length && wordsOf(line).every((w) => isWord(w, it.words)));

/** Commands by their words in any order, best first; names of powers say for whom. */
function nearest(line) {
  const [theirs, words] = [[], []];
  for (const w of wordsOf(line)) (isPower(w) ? theirs : words).push(w);
  const hits = (k) => words.filter((w) => isWord(w, wordsOf(`${k.command} ${k.label}`))).length;
  return allCommands()
    .map((k) => ({ all: words.length > 0 && hits(k) === words.length, hits: hits(k), text: `${[fold(k.command), ...theirs].join(" ")} `, note: k.text, fill: true }))
    .filter((it) => it.hits)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, 6);
}

/** Said where a line means nothing, with what comes nearest. */
function nothing(line) {
  const near = nearest(line);
  return [{ text: "Nothing found", note: near.length ? "nearest:" : "orders begin with a verb: mobilize, build, spend", idle: true }, ...near];
}

/** What the line could become: orders with their next words, places, clauses. */
async function complete(line) {
  const text = fold(line);
  if (!text) return [];
  const out = [];
  const meant = commandOf(line) || /[= ]/.test(line.trim());
  const read = meant ? await readLine(line).catch(() => null) : null;
  if (read?.command === "advance") out.push({ text: line.trim(), note: "Enter: go on", go: () => advance(commandOf(line)?.rest ?? "") });
  else if (read) {
    const wrongs = read.unread.map((it) => ({ text: `“${it.text}” is not understood`, note: it.hint, wrong: read }));
    // A last word that is not finished yet comes after what it could become.
    const [first] = read.proposals;
    const begun = read.unread.length === 1 && line.endsWith(read.unread[0].text) && first && !first.note.startsWith("instead of");
    if (!begun) out.push(...wrongs);
    if (!read.unread.length)
      out.push({
        text: understood(read),
        note: read.refusals.length
          ? `not now: ${read.refusals[0].text}`
          : read.missing.length
            ? `Enter: open the order; still open: ${read.missing.map(fold).join(", ")}`
            : "Enter: open the order",
        go: () => openRead(read),
      });
    for (const p of read.proposals) out.push({ text: p.line, note: p.note, fill: true });
    if (begun) out.push(...wrongs);
  } else
    for (const [name, offers] of titles())
      if (fold(offers[0].label).includes(text) || fold(name).includes(text))
        out.push({ text: `${fold(offers[0].label)} `, note: offers[0].text, fill: true });
  if (read) return [...out.slice(0, 12), ...lookedFor(line).slice(0, 2)];
  for (const it of nearest(line)) if (it.all && text.includes(" ")) out.push(it);
  for (const p of allPlaces())
    if (fold(p.name).startsWith(text))
      out.push({ text: p.name, note: `${p.hex}, ${p.board}`, go: () => jump(p.name) });
  if (text && "garrisons".startsWith(text))
    out.push({ text: "garrisons", note: "Manchuria and Siberia", go: () => openView("countries", "garrisons") });
  for (const c of position().countries)
    if (fold(c.name).startsWith(text))
      out.push({ text: c.name, note: `country, ${c.status}`, go: () => openView("countries", c.id) });
  if (/^\d{2}/.test(text))
    for (const c of (await hall.get(`/clauses?starts=${encodeURIComponent(text)}`)).clauses)
      out.push({ text: c.clause, note: c.gist, go: () => openClause(c.clause, $("#command")) });
  if (/^[a-z]{1,2}\d{1,2}$/.test(text))
    out.push({ text: text.toUpperCase(), note: "hex", go: () => jump(text) });
  out.push(...lookedFor(line));
  return out.length ? out.slice(0, 14) : nothing(line);
}

function draw() {
  const box = $("#completions");
  const input = $("#command");
  box.hidden = !found.length;
  input.setAttribute("aria-expanded", String(!!found.length));
  fill(
    box,
    found.map((it, i) => html`<li role="option" id=${`completion-${i}`} class=${it.wrong ? "wrong" : ""}
      aria-selected=${i === at} onpointerdown=${(e) => {
        e.preventDefault();
        take(it);
      }}>
      <span>${it.text}</span><span>${it.note}</span>
    </li>`),
  );
  if (at >= 0) {
    input.setAttribute("aria-activedescendant", `completion-${at}`);
    $(`#completion-${at}`)?.scrollIntoView({ block: "nearest" });
  } else input.removeAttribute("aria-activedescendant");
}

function close() {
  found = [];
  foundFor = "";
  at = -1;
  draw();
}

function take(it) {
  const input = $("#command");
  if (it.idle) return void toast(`“${input.value.trim()}” is no order, place or clause. Orders begin with a verb: mobilize, build, spend.`, true);
  if (it.wrong) return void openRead(it.wrong);
  if (it.fill) {
    input.value = it.text;
    renew();
    return;
  }
  input.value = "";
  close();
  input.blur();
  it.go();
}

async function renew() {
  const line = $("#command").value;
  const next = await complete(line);
  if ($("#command").value !== line) return;
  found = next;
  foundFor = line;
  at = found.length ? 0 : -1;
  draw();
}

export function startCommandLine() {
  const input = $("#command");
  input.addEventListener("input", renew);
  input.addEventListener("blur", () =>
    setTimeout(() => {
      if (document.activeElement !== input) close();
    }, 120),
  );
  input.addEventListener("keydown", async (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = Math.max(0, Math.min(found.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
      draw();
      event.preventDefault();
    } else if (event.key === "Tab" && found.some((it) => it.fill)) {
      event.preventDefault();
      take(found[at]?.fill ? found[at] : found.find((it) => it.fill));
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (foundFor !== input.value) await renew();
      if (found[at]) take(found[at]);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      input.value = "";
      close();
      input.blur();
    }
  });
  const example = () => {
    const p = store.view?.me.powers[0];
    $("#command-hint").textContent = p ? `build ${fold(nameOf(p))} infantry` : "Berlin";
  };
  subscribe(example);
}
