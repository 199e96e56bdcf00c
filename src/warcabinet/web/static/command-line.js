// Typed orders with completion: "spend germany 12 unit construction", a place to jump to, a clause to open.

import { $, fill, h, nameOf } from "./dom.js";
import { hall, table } from "./api.js";
import { allPlaces } from "./map/atlas.js";
import { jump } from "./map/map.js";
import { openClause } from "./explain.js";
import { openOrder } from "./order.js";
import { position, store } from "./store.js";
import { advance } from "./now.js";
import { openView } from "./topbar.js";

let found = [];
let foundFor = ""; // the line that these were found for
let at = -1;

const fold = (text) => text.toLowerCase().replaceAll("_", " ").trim();
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

const forms = { seq: -1, asked: new Map() };

/** The open fields of an offer with their choices: asked for once while the game stands where it does. */
function fieldsOf(offer) {
  if (forms.seq !== store.view.seq) Object.assign(forms, { seq: store.view.seq, asked: new Map() });
  const key = JSON.stringify([offer.command, offer.known]);
  if (!forms.asked.has(key))
    forms.asked.set(
      key,
      table.post("/narrow", { command: offer.command, known: offer.known }).then(
        (form) => form.fields,
        () => ({}),
      ),
    );
  return forms.asked.get(key);
}

/** Take what fits each field out of the words, in any order. */
function readFields(open, rest) {
  const known = {};
  let left = ` ${rest} `;
  const take = (text) => {
    const i = left.indexOf(` ${text} `);
    if (i < 0) return false;
    left = `${left.slice(0, i)} ${left.slice(i + text.length + 2)}`;
    return true;
  };
  for (const [name, field] of Object.entries(open)) {
    const choices = [...field.choices].sort((a, b) => b.name.length - a.name.length);
    for (const c of choices) {
      if (!take(fold(c.name)) && !take(fold(String(c.value)))) continue;
      known[name] = field.many ? [...(known[name] ?? []), c.value] : c.value;
      if (!field.many) break;
    }
  }
  for (const [name, field] of Object.entries(open)) {
    if (field.kind.startsWith("place"))
      for (const p of allPlaces().sort((a, b) => b.name.length - a.name.length))
        if (take(fold(p.name))) known[name] = field.many ? [...(known[name] ?? []), p.name] : p.name;
    if (field.kind === "brp" || field.kind === "number") {
      const n = / (-?\d+) /.exec(left);
      if (n && known[name] === undefined) {
        known[name] = Number(n[1]);
        left = left.replace(n[0], "  ");
      }
    }
  }
  const words = left.replace(/ (brps?|on|by|in|for|to) /g, " ").trim();
  const text = Object.values(open).find((f) => f.kind === "text");
  if (words && text) known[text.name] = words;
  return known;
}

function chooseOffer(offers, rest) {
  const power = offers.find(
    (o) =>
      o.known.power &&
      (` ${rest} `.includes(` ${fold(nameOf(o.known.power))} `) || ` ${rest} `.includes(` ${o.known.power} `)),
  );
  const without = power
    ? ` ${rest} `
        .replace(` ${fold(nameOf(power.known.power))} `, " ")
        .replace(` ${power.known.power} `, " ")
        .trim()
    : rest;
  return [power ?? offers[0], without];
}

function run(line) {
  const meant = commandOf(line);
  if (!meant) return false;
  if (meant.name === "advance") {
    advance(meant.rest);
    return true;
  }
  const [offer, rest] = chooseOffer(meant.offers, meant.rest);
  fieldsOf(offer).then((fields) => openOrder(offer, readFields(fields, rest)));
  return true;
}

/** What the line could become: orders, their next words, places, clauses. */
async function complete(line) {
  const text = fold(line);
  if (!text) return [];
  const meant = commandOf(line);
  const out = [];
  if (meant) {
    const [offer, rest] = chooseOffer(meant.offers, meant.rest);
    out.push({
      text: line.trim(),
      note: offer.available ? "Enter: open the order" : `not now: ${offer.refusals[0].text}`,
      go: () => run(line),
    });
    if (!meant.rest && meant.offers.length > 1)
      for (const o of meant.offers)
        out.push({ text: `${meant.word} ${fold(nameOf(o.known.power))} `, note: "whose order", fill: true });
    const fields = await fieldsOf(offer);
    const known = readFields(fields, rest);
    for (const f of Object.values(fields))
      if (known[f.name] === undefined && f.choices.length && f.choices.length < 30)
        for (const c of f.choices.slice(0, 8))
          out.push({ text: `${line.trim()} ${fold(c.name)} `, note: f.name, fill: true });
  } else {
    for (const [name, offers] of titles())
      if (fold(offers[0].label).includes(text) || fold(name).includes(text))
        out.push({ text: `${fold(offers[0].label)} `, note: offers[0].text, fill: true });
  }
  for (const p of allPlaces())
    if (fold(p.name).startsWith(text))
      out.push({ text: p.name, note: `${p.hex}, ${p.board}`, go: () => jump(p.name, openView) });
  if (text && "garrisons".startsWith(text))
    out.push({ text: "garrisons", note: "Manchuria and Siberia", go: () => openView("countries", "garrisons") });
  for (const c of position().countries)
    if (fold(c.name).startsWith(text))
      out.push({ text: c.name, note: `country, ${c.status}`, go: () => openView("countries", c.id) });
  if (/^\d{2}/.test(text))
    for (const c of (await hall.get(`/clauses?starts=${encodeURIComponent(text)}`)).clauses)
      out.push({ text: c.clause, note: c.gist, go: () => openClause(c.clause, $("#command")) });
  if (/^[a-z]{1,2}\d{1,2}$/.test(text))
    out.push({ text: text.toUpperCase(), note: "hex", go: () => jump(text, openView) });
  return out.slice(0, 14);
}

function draw() {
  const box = $("#completions");
  const input = $("#command");
  box.hidden = !found.length;
  input.setAttribute("aria-expanded", String(!!found.length));
  fill(
    box,
    found.map((it, i) =>
      h(
        "li",
        {
          role: "option",
          id: `completion-${i}`,
          "aria-selected": String(i === at),
          onpointerdown: (e) => {
            e.preventDefault();
            take(it);
          },
        },
        h("span", {}, it.text),
        h("span", {}, it.note),
      ),
    ),
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
    } else if (event.key === "Tab" && found[at]?.fill) {
      event.preventDefault();
      take(found[at]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (foundFor !== input.value) await renew();
      if (found[at] && !(found[at].fill && commandOf(input.value))) take(found[at]);
      else if (run(input.value)) {
        input.value = "";
        close();
        input.blur();
      }
    } else if (event.key === "Escape") {
      event.stopPropagation();
      input.value = "";
      close();
      input.blur();
    }
  });
  const example = () => {
    const p = store.view?.me.powers[0];
    $("#command-hint").textContent = p ? `spend ${fold(nameOf(p))} 9 other` : "Berlin";
  };
  document.addEventListener("ready", example);
}
