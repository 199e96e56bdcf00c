// A plan made by hand: lines on the line of turns, odds as sliders, preferences as ranked lists, faults beside their lines.
// The server turns every change into the plan's text and the text into what is shown here; nothing is known twice.

import { attempt, table } from "./api.js";
import { $, $$, capital, debounce, firstPower, nameOf, several, signed } from "./dom.js";
import { position, store } from "./store.js";
import { batch, chip, html, seal, state } from "./ui.js";

/** What is open: the line whose form is shown, a line to be added, whose preferences, what was typed into small forms. */
const open = state({ line: null, adding: null, waved: [], power: "", thing: "", ask: { figure: "", is: "", at: "" }, wrong: "" });
/** The text that was read last, its sheet, the last sheet that could be read, and how the likeliest future went. */
const known = state({ of: null, sheet: null, good: null, fared: null });
let palette = null;
let round = 0;

export const faulty = () => known.sheet?.faults.length ?? 0;
export const pointAt = (thing) => (open.thing = thing);

/** Look at the text, with these changes made in it; `put` takes the text after them. */
async function handed(put, text, edits = [], ask) {
  palette ??= await table.get("/plans/palette");
  open.power ||= firstPower();
  const found = await table.post("/plans/hand", { text, edits, ...(ask ? { ask } : {}) });
  batch(() => {
    Object.assign(known, { of: found.text, sheet: found.sheet, good: found.sheet.read ? found.sheet : known.good });
    put(found.text);
  });
}
const readSoon = debounce((put, text) => text === known.of || attempt(() => handed(put, text)), 200);

/** The likeliest future, when nothing has been changed for a while: what each line costs, and what refuses it. */
const tryOut = debounce(async (text) => {
  if (text !== known.of || faulty() || known.fared?.text === text) return;
  const found = await table.post("/plans/try", { text, at: store.at }).catch(() => null);
  if (text === known.of && found) known.fared = { text, ...found, by: new Map(found.orders.map((it) => [it.order, it])) };
}, 600);

// -- lines ---------------------------------------------------------------------------------------------------------

const sideOf = (power) => (position().powers.find((p) => p.power === power)?.player === "allied" ? "Allied" : "Axis");
const listed = (value) => (Array.isArray(value) ? value.join(", ") : value ?? "");
const number = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);

function faultsOf(found, change) {
  return found.map((it) => html`<div class="fault" role="alert"><b>${it.text}</b>
    ${it.remedies.map((r) => html`<button class="small" onclick=${() => change(r.edits)}>${r.label}</button>`)}</div>`);
}

/** The form of a line: when, what, on what condition. */
function lineForm(kind, given, done) {
  const [turn, side, phase] = given.when ? given.when.split(", ") : [];
  const value = (name) => listed(given.fields[name]);
  const submit = (e) => {
    const form = new FormData(e.target);
    const fields = {};
    for (const f of kind.fields) {
      const text = String(form.get(f.name) ?? "").trim();
      if (text) fields[f.name] = f.many ? text.split(",").map((it) => it.trim()).filter(Boolean) : number(text);
    }
    const moment = given.each ? { each: form.get("each") } : { when: `${form.get("turn")}, ${form.get("side")}, ${form.get("phase")}` };
    const only = String(form.get("if") ?? "").trim();
    done({ ...given.kept, ...moment, ...(only ? { if: only } : {}), do: kind.command, ...given.more, ...fields });
  };
  const choice = (name, label, options, now) => html`<label>${label} <select name=${name}>${options.map((it) => html`<option selected=${it.toLowerCase() === String(now).toLowerCase()}>${it}</option>`)}</select></label>`;
  return html`<form class="line-form" onsubmit=${(e) => submit(e)}>
    <b>${kind.label}</b>
    ${given.each ? html`<label>Every turn at <input name="each" value=${given.each} /></label>` : [
      choice("turn", "Turn", known.good.turns.includes(turn) || !turn ? known.good.turns : [turn, ...known.good.turns], turn),
      choice("side", "Player turn", ["Axis", "Allied"], side),
      choice("phase", "Phase", [...new Set([phase, ...position().clock.phases].filter(Boolean))], phase ?? kind.phase),
    ]}
    ${kind.fields.map((f) => html`<label>${f.label} ${f.kind === "power"
      ? html`<select name=${f.name}>${position().powers.map((p) => html`<option value=${p.power} selected=${p.power === value(f.name)}>${p.name}</option>`)}</select>`
      : html`<input name=${f.name} value=${value(f.name)} placeholder=${f.hint || (f.many ? "several, with commas between" : "")} required=${f.required} />`}</label>`)}
    <label>Only if <input name="if" value=${given.condition ?? ""} list="uncertain-things" placeholder="in every future" /></label>
    <p class="row"><button type="submit" class="push small" id="keep-line">${given.new ? "Add the line" : "Keep it so"}</button>
      <button class="small" onclick=${() => done(null)}>Back</button>${given.buttons}</p>
  </form>`;
}

const kindOf = (command) => palette.find((it) => it.command === command);

function whole(line) {
  const known = new Set(kindOf(line.command)?.fields.map((f) => f.name));
  const more = Object.fromEntries(Object.entries(line.fields).filter(([name]) => !known.has(name)));
  return { when: line.when, each: line.each, condition: line.condition, fields: line.fields, more };
}

/** A name for what becomes uncertain of a line, so that other lines can use it. */
const happens = (line) => line.words.replace(/\(.*?\)/g, "").replace(/[{}<>=:,]/g, "").replace(/\b(and|or|not|is)\b/g, "").replace(/\s+/g, " ").trim().slice(0, 40) || "It happens";

function makeUncertain(line, change) {
  const name = happens(line);
  open.thing = name;
  change([{ path: ["uncertain", name], value: { chance: "70%" } }, { path: ["orders", line.index, "if"], value: line.condition ? `${line.condition} and ${name}` : name }]);
}

/** A line that has a turn goes to another one, its phase stays. */
const moveTo = (line, turn, change) => line?.when && change([{ path: ["orders", line.index, "when"], value: [turn, ...line.when.split(", ").slice(1)].join(", ") }]);

function lineRow(line, change) {
  const kind = kindOf(line.command);
  const at = ["orders", line.index];
  const out = known.fared?.text === known.of ? known.fared.by.get(line.index) : null;
  const choose = () => {
    open.line = open.line === line.index ? null : line.index;
    open.adding = null;
  };
  const keys = (e) => {
    const step = e.altKey && { ArrowUp: -1, ArrowDown: 1 }[e.key];
    const turn = step && known.good.turns[known.good.turns.indexOf(line.turn) + step];
    if (e.key === "Delete") change([{ path: at }]);
    else if (turn) moveTo(line, turn, change);
    else return;
    e.preventDefault();
  };
  const buttons = [
    html`<button class="small" id="make-uncertain" onclick=${() => makeUncertain(line, change)}>Not in every future…</button>`,
    html`<button class="small" onclick=${() => change([{ path: at }])}>Take it out</button>`,
  ];
  return html`<li class=${`plan-line ${line.faults.length ? "wrong" : ""} ${line.hangs_on.includes(open.thing) ? "of-thing" : ""}`} draggable=${!!line.when}
      ondragstart=${(e) => e.dataTransfer.setData("text/plain", String(line.index))}>
    <button class="whole" aria-expanded=${open.line === line.index} onclick=${choose} onkeydown=${keys}>
      <span class="quiet small phase">${line.phase}</span>${line.power ? seal(line.power) : html`<span />`}<span>${line.words}</span>
      ${line.condition || line.each ? html`<span class="if"><i>${line.each ? "every turn" : "if"}</i> ${[line.condition, line.kept.while].filter(Boolean).join(" and ")}</span>` : html`<span />`}
      <span class=${`r ${out ? "" : "quiet"}`}>${out?.brp ? signed(out.brp) : ""}</span>
    </button>
    ${out?.refused ? html`<div class="fault">Refused in the likeliest future, ${out.turn}: ${out.refused} ${out.clauses.map((c) => chip(c, true))}</div>` : null}
    ${faultsOf(line.faults, change)}
    ${line.follows.filter((it) => !open.waved.includes(it.label)).map((it) => html`<div class="follows"><span>${it.label}</span> <span class="quiet small">follows, and stands nowhere yet</span>
      <button class="small" onclick=${() => change(it.edits)}>Keep it</button> <button class="small" onclick=${() => (open.waved = [...open.waved, it.label])}>Leave it out</button></div>`)}
    ${open.line === line.index && (kind
      ? lineForm(kind, { ...whole(line), kept: line.kept, buttons }, (value) => { open.line = null; if (value) change([{ path: at, value }]); })
      : html`<p class="row"><span class="quiet">Its fields are changed as YAML, line ${line.line}.</span>${buttons}</p>`)}
  </li>`;
}

function timeLine(change) {
  const add = (turn) => () => {
    open.adding = { turn, command: "" };
    open.line = null;
  };
  const drop = (turn) => ({ ondragover: (e) => e.preventDefault(), ondrop: (e) => moveTo(known.good.lines[Number(e.dataTransfer.getData("text/plain"))], turn, change) });
  const rows = (its) => html`<ul>${its.map((line) => lineRow(line, change))}</ul>`;
  const every = known.good.lines.filter((it) => !it.turn);
  const placed = known.good.turns.concat(known.good.lines.map((it) => it.turn).filter((it) => it && !known.good.turns.includes(it)));
  return html`<section class="time-line"><h3>The plan, turn by turn <span class="quiet small">press a line to change it; drag it, or Alt and arrows, to another turn</span></h3>
    ${[...Map.groupBy(placed, (turn) => turn.split(" ")[1])].map(([year, turns]) => html`<details class="year" open><summary>${year} <span class="quiet small">${several(known.good.lines.filter((it) => turns.includes(it.turn)).length, "line")}</span></summary>
      ${turns.map((turn) => {
        const its = known.good.lines.filter((it) => it.turn === turn);
        return html`<div class="turn" ...${drop(turn)}><h4>${turn}<button class="small" aria-label=${`Add a line in ${turn}`} onclick=${add(turn)}>+</button></h4>
          ${its.length > 0 && rows(its)}${open.adding?.turn === turn && adding(change)}</div>`;
      })}</details>`)}
    ${every.length > 0 && html`<div class="turn"><h4>Again and again</h4>${rows(every)}</div>`}
  </section>`;
}

function adding(change) {
  const kind = kindOf(open.adding.command);
  if (!kind) return paletteOf();
  const given = { new: true, when: `${open.adding.turn}, ${sideOf(open.power)}, ${kind.phase}`, fields: kind.actor ? { [kind.actor]: open.power } : {} };
  return lineForm(kind, given, (value) => { open.adding = null; if (value) change([{ path: ["orders", known.good.lines.length], value }]); });
}

function paletteOf() {
  const groups = Map.groupBy(palette, (it) => it.group);
  const take = (command) => () => (open.adding = { turn: open.adding?.turn ?? known.good.turns[0], command });
  return html`<div class="palette">${[...groups].map(([group, its]) => html`<p class="row"><span class="quiet small">${group}</span>
    ${its.map((it) => html`<button class="small" data-add=${it.command} onclick=${take(it.command)}>${it.label}</button>`)}</p>`)}</div>`;
}

// -- odds ----------------------------------------------------------------------------------------------------------

/** The other outcomes share what is left as they did before; all make a hundred. */
function shared(odds, at, percent) {
  const rest = odds.reduce((sum, [, share], i) => sum + (i === at ? 0 : share), 0);
  const left = 100 - percent;
  const found = odds.map(([, share], i) => (i === at ? percent : Math.round(rest ? (share * left) / rest : left / (odds.length - 1))));
  const spare = odds.findIndex((_, i) => i !== at);
  found[spare] += 100 - found.reduce((a, b) => a + b, 0);
  return Object.fromEntries(odds.map(([outcome], i) => [outcome, Math.max(0, found[i])]));
}

/** A line is opened and shown: the next one that hangs on something uncertain. */
const showLine = (line) => {
  open.line = line ?? null;
  requestAnimationFrame(() => $(".plan-line .whole[aria-expanded=true]")?.scrollIntoView({ block: "center" }));
};

function oddsOf(it, change) {
  const slide = (label, value, set) => html`<label class="odds"><span>${label}</span>
    <input type="range" min="0" max="100" value=${Math.round(value)} onchange=${(e) => set(Number(e.target.value))} aria-label=${`${it.name}: ${label}, per cent`} />
    <input type="number" min="0" max="100" value=${Math.round(value)} onchange=${(e) => set(Number(e.target.value))} aria-label=${`${it.name}: ${label}, per cent`} /> %</label>`;
  const path = ["uncertain", it.name];
  const bar = it.kind === "one_of" && it.odds.length > 1;
  return html`<section class=${`thing ${open.thing === it.name || it.uses.includes(open.line) ? "chosen" : ""}`}>
    <header><button class="link" onclick=${() => (open.thing = open.thing === it.name ? "" : it.name)}><b>${it.name}</b></button>
      <button class="link small" onclick=${() => showLine(it.uses[(it.uses.indexOf(open.line) + 1) % it.uses.length])}>${several(it.uses.length, "line")}</button>
      <button class="small" aria-label=${`${it.name} is not uncertain`} onclick=${() => change([{ path }])}>×</button></header>
    ${it.kind === "chance" && it.odds.length ? slide("yes", it.odds[0][1], (v) => change([{ path: [...path, "chance"], value: `${v}%` }])) : null}
    ${bar ? [
      html`<div class="bar">${it.odds.map(([outcome, share]) => html`<span style=${`flex: ${share}`}>${Math.round(share)} % ${outcome}</span>`)}</div>`,
      it.odds.map(([outcome, share], i) => slide(outcome, share, (v) => change([{ path: [...path, "one of"], value: shared(it.odds, i, v) }]))),
    ] : null}
    ${it.kind === "between" || it.kind === "dice" ? html`<p class="quiet small">${it.odds[0]?.[0]} to ${it.odds.at(-1)?.[0]}</p>` : null}
    ${faultsOf(it.faults, change)}
  </section>`;
}

function uncertain(change) {
  const add = (e) => {
    const form = new FormData(e.target);
    const outcomes = String(form.get("outcomes")).split(",").map((it) => it.trim()).filter(Boolean);
    open.thing = String(form.get("name")).trim();
    const value = outcomes.length > 1 ? { "one of": Object.fromEntries(outcomes.map((it) => [it, Math.round(100 / outcomes.length)])) } : { chance: "50%" };
    if (open.thing) change([{ path: ["uncertain", open.thing], value }]);
    e.target.reset();
  };
  return html`<section><h3>Uncertain <span class="quiet small">arrows 1 %; always a hundred together</span></h3>
    ${known.good.uncertain.map((it) => oddsOf(it, change))}
    <form class="row" onsubmit=${(e) => add(e)}><input name="name" placeholder="France falls" aria-label="What is uncertain" maxLength="60" />
      <input name="outcomes" placeholder="yes or no; or outcomes with commas" aria-label="Its outcomes" /><button type="submit" class="small" id="add-uncertain">Add</button></form>
    <datalist id="uncertain-things">${known.good.uncertain.flatMap((it) => (it.kind === "one_of" ? it.odds.map(([outcome]) => html`<option value=${`${it.name} is ${outcome}`} />`) : [html`<option value=${it.name} />`]))}</datalist>
  </section>`;
}

// -- preferences and questions -------------------------------------------------------------------------------------

function preferences(change) {
  const keep = known.good.keeps.find((it) => it.power === open.power);
  // A power that the plan says nothing of is kept by its steward: the first change makes its preferences the plan's own.
  const put = (name, value) => {
    if (keep.own) return change([{ path: ["keep", keep.power, name], value }]);
    const own = { mobilize: keep.mobilize.map((it) => it.unit), build: keep.build.map((it) => it.unit), leave: keep.leave, reserve: keep.reserve };
    const said = Object.entries({ ...own, [name]: value }).filter(([, it]) => (Array.isArray(it) ? it.length : it !== 0 || name === "leave"));
    change([{ path: ["keep", keep.power], value: Object.fromEntries(said) }]);
  };
  const list = (name) => {
    const units = keep[name].map((it) => it.unit);
    const swap = (i, j) => { if (j >= 0 && j < units.length) put(name, units.map((it, at) => (at === i ? units[j] : at === j ? units[i] : it))); };
    const keys = (i) => (e) => { const step = e.altKey && { ArrowUp: -1, ArrowDown: 1 }[e.key]; if (step) { e.preventDefault(); swap(i, i + step); } };
    const drop = (i) => (e) => { const from = Number(e.dataTransfer.getData("text/plain")); const kept = units.filter((_, at) => at !== from); kept.splice(i, 0, units[from]); put(name, kept); };
    return html`<ol class="ranked">${keep[name].map((it, i) => html`<li draggable="true" tabIndex="0" onkeydown=${keys(i)} ondragover=${(e) => e.preventDefault()}
        ondragstart=${(e) => e.dataTransfer.setData("text/plain", String(i))} ondrop=${drop(i)}><span>${it.unit}</span> <span class="quiet">${it.cost || ""}</span>
        <button class="small" aria-label=${`${it.unit} earlier`} onclick=${() => swap(i, i - 1)}>↑</button><button class="small" aria-label=${`${it.unit} later`} onclick=${() => swap(i, i + 1)}>↓</button>
        <button class="small" aria-label=${`${it.unit} is not named`} onclick=${() => put(name, units.filter((_, at) => at !== i))}>×</button></li>`)}</ol>
      <form class="row" onsubmit=${(e) => { const unit = e.target.unit.value.trim(); e.target.reset(); if (unit) put(name, [...units, unit]); }}>
        <input name="unit" placeholder="armor 4-6" aria-label=${`One more unit to ${name}`} /><button type="submit" class="small">Add</button></form>`;
  };
  const slider = (name, label, most) => html`<label class="odds"><span>${label}</span><input type="range" min="0" max=${most} step="5" value=${keep[name]} onchange=${(e) => put(name, Number(e.target.value))} /><b>${keep[name]}</b></label>`;
  const years = Object.keys(keep.by_year);
  return html`<section><h3>Preferences <span class="quiet small">instead of orders, never against a rule</span></h3>
    <select aria-label="Whose preferences" value=${open.power} onchange=${(e) => (open.power = e.target.value)}>${known.good.keeps.map((it) => html`<option value=${it.power}>${nameOf(it.power)}${it.own ? "" : ": its steward"}</option>`)}</select>
    ${faultsOf(keep.faults, change)}
    <h4>Builds, in this order</h4>${list("build")}
    <h4>Mobilizes, in this order</h4>${list("mobilize")}
    ${years.length ? html`<p class="quiet small">Left each winter by year: ${years.map((y) => `${y} ${keep.by_year[y]}`).join(", ")} (as YAML)</p>` : slider("leave", "Left each winter, for growth", 200)}
    ${slider("reserve", "Left in every turn", 100)}
    <label><input type="checkbox" checked=${keep.then_the_dearest} onchange=${(e) => put("nothing_else", !e.target.checked)} /> then the dearest</label>
  </section>`;
}

function asks(change, ask) {
  const field = (name, label, hint) => html`<label>${label} <input name=${name} value=${open.ask[name]} placeholder=${hint} oninput=${(e) => (open.ask = { ...open.ask, [name]: e.target.value })} /></label>`;
  return html`<section><h3>Questions <span class="quiet small">answered by the run</span></h3>
    <ul class="plain">${known.good.questions.map((it) => html`<li>${it.question} <span class="quiet small">${it.words === it.question ? "" : it.words}</span>
      <button class="small" aria-label=${`Do not ask: ${it.question}`} onclick=${() => change([{ path: ["ask", it.index] }])}>×</button>${faultsOf(it.faults, change)}</li>`)}</ul>
    <form class="row question" onsubmit=${() => ask({ ...open.ask })}>${field("figure", "How much is", "germany base")}${field("is", "at least", "any")}${field("at", "when", "1942")}
      <button type="submit" class="small" id="add-question">Ask</button>${open.wrong && html`<p class="wrong small" role="alert">${open.wrong}</p>`}</form>
  </section>`;
}

function lookedOver(change) {
  const others = known.sheet.faults.filter((it) => !["orders", "uncertain", "keep", "ask"].includes(it.path[0]));
  const go = () => $$(".by-hand .fault")[round++ % known.sheet.faults.length]?.scrollIntoView({ block: "center" });
  const judged = known.fared?.text === known.of;
  return html`<section class="looked-over"><h3>Looked over</h3>
    ${known.sheet.faults.length ? html`<p><button class="link deny" id="to-mend" onclick=${go}>${known.sheet.faults.length === 1 ? "1 line to mend" : `${known.sheet.faults.length} lines to mend`}</button></p>` : html`<p class="quiet">Nothing to mend.</p>`}
    ${others.map((it) => html`<div><span class="quiet small">line ${it.line}</span>${faultsOf([it], change)}</div>`)}
    ${(known.good?.odd ?? []).map((it) => html`<p class="quiet small">${capital(it)}.</p>`)}
    ${judged ? html`<p class="quiet small">The likeliest future was played to ${known.fared.until}${known.fared.stuck ? `, where it is stuck: ${known.fared.stuck}` : ""}.</p>` : null}
  </section>`;
}

// -- the face ------------------------------------------------------------------------------------------------------

/** The face of a plan that is made by hand. `put` takes the text after a change; `yaml` draws the text beside it. */
export function handFace(text, put, yaml, playAhead) {
  if (known.of !== text) {
    readSoon(put, text);
    if (!known.good) return html`<p class="quiet">The plan is being read.</p>`;
  }
  tryOut(text);
  const change = (edits) => attempt(() => handed(put, known.of, edits));
  const ask = async (asked) => {
    open.wrong = "";
    try {
      await handed(put, known.of, [], asked);
      open.ask = { figure: "", is: "", at: "" };
    } catch (error) {
      open.wrong = error.message;
    }
  };
  if (!known.good) return html`<div class="by-hand">${lookedOver(change)}${yaml}</div>`;
  return html`<div class=${`by-hand ${known.sheet?.read === false ? "unread" : ""}`}>
    <div class="hand-left">
      <section><h3>Play ahead <span class="quiet small">on a copy: what you do becomes the plan</span></h3>
        <p><button class="small" id="play-ahead" onclick=${playAhead}>Play ahead on a copy</button></p></section>
      <section><h3>Add a line <span class="quiet small">or press + at a turn</span></h3>
        ${open.adding && !open.adding.command ? null : paletteOf()}</section>
      ${lookedOver(change)}
    </div>
    ${timeLine(change)}
    <div class="hand-right">${yaml || [uncertain(change), preferences(change), asks(change, ask)]}</div>
  </div>`;
}
