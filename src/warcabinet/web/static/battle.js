// The battle sheet: forces, answer, throw, losses, advance, done, in the same place at every step. Prepared by one side
// alone, then a battle that all at the table see. What it says comes from the server; here is what is tapped and dragged.

import { $, copied, counted, several, signed, these, toast } from "./dom.js";
import { attempt, cited, table } from "./api.js";
import { showDice } from "./dice.js";
import { branchOf, counter, onCanvas } from "./map/counters.js";
import { placeCalled } from "./map/atlas.js";
import { keyOf } from "./map/drafts.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { modal } from "./people.js";
import { sayToReferee, tellTrouble } from "./refusal.js";
import { served } from "./served.js";
import { live, me, perform, position, store, subscribe } from "./store.js";
import { onView, undo } from "./topbar.js";
import { chip, fill, html, number, options, seal } from "./ui.js";

const STEPS = ["Forces", "Answer", "Throw", "Losses", "Advance"];

let prep = null; // what is being prepared: nobody else sees it
let done = null; // a battle that stands in the log, until it is put away
let folded = false;
let taps = {}; // what is taken off, sent or advances, by unit, before it is told
let back = []; // who goes back where: units with their number and the place
let takes = new Set(); // hexes marched through that shall be taken
let helping = ""; // the side for which the referee acts
let open = ""; // the battle and step that the taps belong to
let drawn = false;

const idOf = (u) => `${u.nation} ${u.unit} ${u.place}`;
const written = (u, count, to = "") => `${count} ${u.unit} of ${u.nation} at ${u.place}${to ? ` to ${to}` : ""}`;
const tapped = (u) => taps[idOf(u)] ?? 0;
const told = (units) => units.filter(tapped).map((u) => written(u, tapped(u)));
const act = (path, body) => clearTimeout(telling) ?? perform(path, body).catch((error) => tellTrouble(error));
const air = (u) => u.branch === "air";
const short = (key, called = placeCalled(key)) => called.replace(/ \(.*/, "");
/** What is prepared and told to nobody yet, in words. */
export const attackInHand = () => prep && `an attack on ${short(prep.at)}`;
const now = () => store.view.battle ?? prep?.view ?? done;
const redraw = () => show(store.view);

/** Units were dropped on an enemy, or shall attack him: the sheet opens, or they join what is prepared there. */
function prepare({ key, piles }) {
  if (!live() || store.view.battle) return void (store.view.battle && toast("A battle is under way.", true));
  if (prep?.at !== key) [prep, taps] = [{ at: key, nation: piles[0].nation, units: [], brp: 0, multiplier: 1, mission: "", view: null }, {}];
  for (const it of piles) {
    const known = prep.units.find((u) => idOf(u) === idOf(it));
    if (known) known.count = Math.max(known.count, it.count);
    else prep.units.push({ ...it });
    taps[idOf(it)] = it.count;
  }
  [done, folded] = [null, false];
  outlook();
}

const prepared = () => ({ nation: prep.nation, at: prep.at, mission: prep.mission || prep.view?.mission || "attack", brp: prep.brp, multiplier: prep.multiplier, attackers: told(prep.units) });

/** What the sheet would show of what is prepared; a mission that its units do not fly or sail becomes their first one. */
async function outlook() {
  const it = prep;
  if (!told(it.units).length) return redraw();
  const view = await table.post("/battle/outlook", prepared()).catch((error) => tellTrouble(error));
  if (!view || prep !== it) return;
  it.view = view;
  if (it.mission && view.missions.includes(view.mission)) return redraw();
  [it.mission] = view.missions;
  return outlook();
}

/** Attack the hex that is chosen with all that stands beside it, or take up what stands in it to attack with. */
export function attackChosen(hex = map.selected) {
  if (!hex) return toast("Choose a hex: yours to attack from, or the enemy's.");
  const own = map.hands.piles(hex.key).filter((p) => moves(p.nation));
  if (own.length) return map.hands.lift(hex.key, own, map.cam.screen(hex));
  const beside = [0, 1, 2, 3, 4, 5].map((i) => map.board.neighbour(hex, i)).flatMap((it) => (it ? map.hands.piles(it.key).filter((p) => moves(p.nation)).map((p) => ({ ...p, place: it.key })) : []));
  const ground = beside.filter((p) => ["ground", "partisan"].includes(branchOf(p.unit)));
  if (ground.length) prepare({ key: hex.key, piles: ground });
  else toast("None of your ground units stands beside it: drag units onto it.");
}

/** Whether a nation belongs to the side that moves now: at one screen all of them are one's own. */
function moves(nation) {
  const { moving, countries } = position();
  return moving.includes(nation) || moving.includes(countries.find((c) => c.id === nation)?.by);
}

// -- what is tapped and dragged -------------------------------------------------------------------------------------

const acts = (it, role) => it[role].mine || helping === role;
/** The sides for which this reader must act now. */
const mine = (it) => Object.keys(it.feet).filter((role) => acts(it, role));

/** What is tapped is told a moment later: the others see it, and the server says what is still missing. */
let telling = 0;
const tell = () => {
  clearTimeout(telling);
  telling = setTimeout(tellNow, 150);
};
function tellNow() {
  const it = store.view.battle;
  if (prep) outlook();
  else if (it?.stage === "losses") mine(it).forEach((role) => act("/battle/losses", chosen(role, false)));
  else if (it && ["answer", "throw"].includes(it.stage) && acts(it, "defender")) act("/battle/answer", { support: told(it.support), confirm: false });
}

function setTap(u, n) {
  taps[idOf(u)] = n;
  back = back.filter((b) => idOf(b) !== idOf(u) || b.count <= u.count - n);
  tell();
  redraw();
}

function chosen(role, confirm) {
  const it = store.view.battle;
  const typed = (id) => $(`#battle-${id}`)?.value;
  const asks = it.understood && typed("result") === it.result ? null : { attacker: Number(typed("attacker") ?? 0), defender: Number(typed("defender") ?? 0), back: Boolean($("#battle-back")?.checked) };
  return { side: role, losses: told(it[role].units), retreats: role === "defender" ? back.map((b) => written(b, b.count, b.to)) : [], confirm, why: typed("why") ?? "", ...(typed("result") === undefined ? {} : { result: typed("result") }), ...(asks && !it.understood ? { asks } : {}) };
}

/** How many of a kind are neither lost nor have a hex to go back to. */
const left = (u) => u.count - tapped(u) - back.filter((b) => idOf(b) === idOf(u)).reduce((n, b) => n + b.count, 0);
const homeless = (it) => it.defender.units.filter((u) => u.place === it.at && left(u) > 0);

/** Who goes back where: one's own as they are dragged, else as it was told. */
const going = (it) => (it.stage === "losses" && acts(it, "defender") && !it.defender.confirmed ? back : it.retreats);

function goBack(units, to, most = Infinity) {
  back.push(...units.filter((u) => left(u) > 0).map((u) => ({ ...u, count: Math.min(most, left(u)), to })));
  tell();
  redraw();
}

const stay = (b) => {
  back = back.filter((other) => other !== b);
  tell();
  redraw();
};

/** Counters were dragged while a battle is open: survivors into the place, defenders out of it. */
function dropped(it, key, piles, to) {
  if (it.stage === "advance" && to === it.at && acts(it, "attacker")) {
    for (const p of piles) taps[idOf({ ...p, place: key })] = p.count;
    return redraw();
  }
  if (it.stage !== "losses" || key !== it.at || to === it.at || !acts(it, "defender")) return toast("Drag survivors into the place, or defenders out of it.");
  for (const p of piles) goBack(it.defender.units.filter((u) => idOf(u) === idOf({ ...p, place: key })), to, p.count);
}

/** By keys: the next counters that have no hex, or may advance, are taken up before the cursor goes to the next ringed hex. */
function nextHex(it) {
  const goes = it.stage === "advance" && acts(it, "attacker") ? survivors(it).filter((u) => tapped(u) < u.count) : [];
  const [first] = it.stage === "losses" && acts(it, "defender") ? homeless(it).map((u) => ({ ...u, count: left(u) })) : goes;
  if (map.hands.held || !first || !map.board) return;
  map.hands.lift(first.place, [first], map.cam.screen(map.board.hexes.get(first.place.split("/")[1])));
  map.grid.focus();
}

// -- as it is drawn -------------------------------------------------------------------------------------------------

/** A pile counter by counter; a press on one takes it off or sends it, a press on such a one takes that back. */
function pile(u, tap, word, meter = "", away = []) {
  const n = tap ? tapped(u) : (u.lost ?? 0);
  const one = (i) => html`<button key=${i} class=${i < n ? word : ""} disabled=${!tap} aria-pressed=${i < n} onclick=${() => tap(u, i < n ? n - 1 : n + 1)}
    aria-label=${`${u.unit}, ${placeCalled(u.place)}${i < n ? `, ${word}` : ""}${meter}`}>${onCanvas(36, 3, (ctx) => counter(ctx, 1, 1, 34, u))}</button>`;
  const step = (text, to, label) => html`<button class="small" aria-label=${`${label} ${u.unit}`} onclick=${() => tap(u, Math.max(0, Math.min(u.count, to)))}>${text}</button>`;
  return html`<div class="battle-pile" key=${idOf(u)}>
    ${u.count > 9 ? [one(0), tap && step("−", n - 1, "One fewer"), html`<span> ${n} of ${u.count} </span>`, tap && step("+", n + 1, "One more")] : Array.from({ length: u.count }, (_, i) => one(i))}
    ${away.filter((b) => idOf(b) === idOf(u)).map((b) => tap ? html`<button class="small link" onclick=${() => stay(b)} aria-label=${`Take back: ${counted(b.count, b.unit)} to ${short(b.to)}`}>${b.count} to ${short(b.to)} ×</button>` : html`<em>${b.count} to ${short(b.to)}</em>`)}
  </div>`;
}

const stack = (units, tap, word, meter, away, sum = (all) => all.reduce((n, u) => n + (u.count - u.idle) * u.factors, 0)) =>
  [...Map.groupBy(units, (u) => u.place)].map(([key, all]) => html`<div key=${key}><h3>${short(key, all.find((u) => u.called)?.called)}<span class="quiet push">${sum(all)}</span></h3>${all.map((u) => pile(u, tap, word, meter, away))}</div>`);

/** One side: what stands where, what of it may be tapped now, and how far it is. */
function side(it, role) {
  const s = it[role];
  const taking = it.stage === "losses" && acts(it, role) && !s.confirmed;
  const preparing = it.stage === "forces" && role === "attacker";
  const advancing = it.stage === "advance" && role === "attacker" && acts(it, role);
  const supports = role === "defender" && (it.stage === "answer" || it.stage === "throw") && acts(it, role);
  const units = preparing ? prep.units.map((u) => ({ factors: 0, ...s.units.find((known) => idOf(known) === idOf(u)), ...u, idle: u.count - tapped(u) })) : advancing ? survivors(it) : supports ? s.units.filter((u) => !it.support.some((b) => idOf(b) === idOf(u))) : s.units;
  const tap = taking || advancing || preparing ? setTap : null;
  const wanted = s.wanted === null ? "" : `${s.lost} of ${several(s.wanted, "factor")}`;
  const meter = ["losses", "advance"].includes(it.stage) && html`<p class="battle-meter"><b>${wanted || `${several(s.lost, "factor")} lost`}</b>${s.confirmed ? " ✓" : ""}
    ${s.wanted > 0 && html`<progress max=${s.wanted} value=${s.lost}></progress>`}</p>`;
  return html`<div class=${preparing || supports ? `${role} choosing` : role}>
    ${stack(units, tap, preparing || advancing ? "sent" : "lost", wanted && `, ${wanted}`, going(it))}
    ${supports && html`<h3>In support</h3>${it.support.length ? stack(it.support, setTap, "sent", "", [], (all) => `${all.reduce((n, u) => n + tapped(u), 0)} of ${all.reduce((n, u) => n + u.count, 0)}`) : html`<p class="quiet small">No aircraft or ships of yours are near.</p>`}`}
    ${preparing && html`<p class="quiet small">Drag more here, or tap to leave one out.</p>`}${meter}
  </div>`;
}

const survivors = (it) => it.attacker.units.filter((u) => u.branch === "ground" && u.count > u.lost).map((u) => ({ ...u, count: u.count - u.lost, lost: 0 }));

function price(it) {
  const paid = it.stage === "forces"
    ? html`<input type="number" min="0" max="999" value=${prep.brp} aria-label="BRPs of the offensive" oninput=${(e) => change("brp", Math.max(0, Number(e.target.value) || 0))} /> BRPs for the offensive`
    : html`<strong>${it.brp ? several(it.brp, "BRP") : "Nothing"}</strong> paid for the offensive`;
  return html`<p class="battle-price">${it.payer && seal(it.payer)}<span>${paid}</span> ${chip(cited("offensive"))}
    ${it.payer && html`<span class="push">left ${number(it.left, "level", [it.payer], "Level after it")}</span>`}</p>`;
}

function change(field, value) {
  prep[field] = value;
  tell();
}

const select = (label, field, choices, value) => html`<label>${label} <select onchange=${(e) => change(field, e.target.value)}>${options(choices, value)}</select></label>`;

/** What was thrown, and the group's chart, as the server draws them. */
const thrown = (it) => served(it.parts.thrown, { onclick: ({ target }) => ({ verify: showDice, chart: typeChart })[target.dataset.does]?.() });

/** The result as the chart has it, or as the group types it; what is not understood asks for two numbers and a tick. */
function result(it) {
  if (!["losses", "advance"].includes(it.stage)) return null;
  const [role] = it.stage === "losses" ? mine(it) : [];
  const send = () => act("/battle/losses", chosen(role, false));
  const many = (role) => html`<label>${it[role].name} loses <input id=${`battle-${role}`} type="number" min="0" max="99" defaultValue=${it.asks[role] ?? 0} onchange=${send} /></label>`;
  return html`<p class="battle-line battle-result"><label>Result by your chart <input id="battle-result" disabled=${!role} defaultValue=${it.result} maxlength="120" placeholder="A6 D12 R" onchange=${send} /></label>
    ${role && !it.understood && html`${many("attacker")}${many("defender")}<label><input id="battle-back" type="checkbox" defaultChecked=${it.asks.back} onchange=${send} /> goes back</label>`}</p>`;
}

/** Where those go who were not dragged: all the rest to one place. */
function retreating(it) {
  if (it.stage !== "losses" || !acts(it, "defender") || it.defender.confirmed) return null;
  const field = (some, label) => some.length > 0 && html`<label>${label} <input list="battle-ways" placeholder="drag them, or name it" onchange=${(e) => { goBack(some, keyOf(e.target.value.trim()) || e.target.value.trim()); e.target.value = ""; }} /></label>`;
  const rest = homeless(it);
  return html`<p class="battle-line">${field(rest.filter((u) => !air(u)), "The rest goes back to")}${field(rest.filter(air), "Aircraft to")}
    <datalist id="battle-ways">${it.ways.map((key) => html`<option value=${short(key)} />`)}</datalist></p>`;
}

/** Hexes that were marched through: taken where the group says so. */
const marched = (it) => it.stage === "advance" && acts(it, "attacker") && it.takes.length > 0 && html`<p class="battle-line"><span>Marched through and taken:</span>
  ${it.takes.map((key) => html`<label><input type="checkbox" checked=${takes.has(key)} onchange=${() => { takes.has(key) ? takes.delete(key) : takes.add(key); redraw(); }} /> ${short(key)}</label>`)}</p>`;

// -- the foot -------------------------------------------------------------------------------------------------------

const main = (label, run, off) => html`<button class="main" id="battle-go" disabled=${Boolean(off)} title=${off || undefined} onclick=${run}>${label} <kbd>N</kbd></button>`;

/** Whom the battle waits for, for what, since when and how told; what may be done about it. */
function waiting(it, roles) {
  const who = these(roles.flatMap((role) => (it[role].people.length ? it[role].people : [it[role].name])));
  const plays = it.attacker.mine || it.defender.mine;
  const stands = it.stage === "losses" ? Object.keys(it).filter((role) => it[role]?.confirmed && acts(it, role)) : [];
  return html`<div class="battle-wait"><p>${roles.map((role) => it[role].power && seal(it[role].power))}<strong>${it.wait.said}</strong> <b class="push">${Math.floor((Date.now() / 1000 - it.wait.since) / 60)} min</b></p>
    <p class="small">${it.wait.more} ${it.wait.told} Pan, look, talk: the map is free.</p>
    ${it.stage === "answer" && it.attacker.mine && html`<p><button class="main" disabled>Throw ${it.dice} dice <kbd>N</kbd></button> yours when ${who} has answered</p>`}
    <p>${plays && html`<button class="small" onclick=${() => attempt(() => table.post("/remind")).then(() => toast(`${who} is reminded.`))}>Remind ${who}</button>`}
      ${stands.map((role) => html`<button class="small" onclick=${() => act("/battle/losses", chosen(role, false))}>Take it back: other losses</button>`)}${referees(it, roles)}</p>
  </div>`;
}

const referees = (it, roles) => roles.filter((role) => it[role].referee).map((role) => html`<button class="small" onclick=${() => { helping = role; redraw(); }}>Referee acts for ${it[role].name}</button>`);

/** What each step does when its button is pressed. */
const DEEDS = {
  attack: () => act("/battle", prepared()),
  answer: (it) => act("/battle/answer", { support: told(it.support) }),
  end: (it) => {
    const some = told(survivors(it));
    return end(some.length ? some : survivors(it).map((u) => written(u, u.count)));
  },
  losses: async (it) => {
    const bodies = mine(it).map((role) => chosen(role, true));
    for (const body of bodies) await act("/battle/losses", body);
  },
};

const end = (advances) => act("/battle/end", { advances, takes: [...takes] });

function foot(it) {
  if (it.stage === "done") return html`<footer><div><strong>Combat goes on.</strong> ${it.attacker.mine && "Drag onto another hex, or close combat."}</div><button onclick=${() => closeBattle() && undo(false)}>Undo the battle <kbd>U</kbd></button>${main("Back to the map", closeBattle)}</footer>`;
  const own = mine(it);
  const others = Object.keys(it.feet).filter((role) => !own.includes(role));
  if (!own.length) return it.attacker.mine || it.defender.mine || it.attacker.referee ? html`<footer class="waits">${waiting(it, others)}</footer>` : null;
  if (it.stage === "throw") return throwing(it);
  const feet = own.map((role) => it.feet[role]);
  const [one] = feet;
  const off = feet.map((f) => f.off).find(Boolean) ?? "";
  const some = it.stage === "advance" && told(survivors(it)).length;
  const label = feet.length > 1 ? "Confirm for both" : some ? "Advance" : one.go;
  return html`${others.length > 0 && html`<p class="battle-line">${referees(it, others)}</p>`}
    ${off && it.stage === "losses" && html`<p class="battle-line"><label>${off}; why? <input id="battle-why" maxlength="120" placeholder="or take off what is asked for" oninput=${redraw} /></label></p>`}
    <footer><div aria-live="polite"><strong>${[...new Set(feet.map((f) => f.said))].join(" ")}</strong> ${off || one.more}</div>
      ${it.stage === "advance" && html`<button onclick=${() => end([])}>Stay</button>`}
      ${it.stage === "losses" && html`<button class="small" onclick=${() => { [taps, back] = [{}, []]; tell(); redraw(); }}>Clear</button>`}
      ${main(label, () => DEEDS[one.act](it), $("#battle-why")?.value ? "" : off)}</footer>`;
}

function throwing(it) {
  const first = async (body) => {
    if (acts(it, "defender") && told(it.support).length) await act("/battle/answer", { support: told(it.support) });
    await act("/battle/throw", body);
  };
  return html`<footer><span class="battle-own"><button class="small" onclick=${() => first({})}>No dice</button>
      <label>own total <input type="number" min="1" max="36" onchange=${(e) => first({ total: Number(e.target.value) })} /></label>
      ${!it.chart.length && html`<button class="link small" onclick=${typeChart}>${it.chart_by ? "No column of your chart fits" : "Type your chart"}</button>`}</span>
    ${main(`Throw ${it.dice === 1 ? "a die" : `${it.dice} dice`}`, () => first({ dice: it.dice }))}</footer>`;
}

/** A battle that is over, as the server tells it. */
const over = (it) => served(it.drawn, { class: "battle-over", onclick: ({ target }) => "copies" in target.dataset && copied(it.bar, "The line is copied.") });

function sheet(it) {
  const roles = it.own === "defender" ? ["defender", "attacker"] : ["attacker", "defender"];
  const at = STEPS.findIndex((s) => s.toLowerCase() === it.stage);
  const off = it.stage === "done" || it.stage === "forces"
    ? html`<button class="small" onclick=${closeBattle}>${prep ? "Call off" : "Close"} <kbd>Esc</kbd></button>`
    : it.off.go && html`<button class="small" onclick=${() => act("/battle/off", {})}>${it.off.go}</button>`;
  return html`<header><h2 tabindex="-1">${it.title}</h2><span class="push">${off}
      ${store.view.battle && me().player && !me().referee && html`<button class="small" onclick=${() => sayToReferee(`Asks the referee: ${it.title}, ${it.stage}, ${it.odds}`)}>Ask the referee</button>`}
      <button class="small" onclick=${fold}>Fold <kbd>K</kbd></button></span></header>
    <p class="small quiet">${it.under}${it.worth.map((w) => html` · ${w.text} ${/^\d/.test(w.clause) && chip(w.clause)}`)}${it.off.said && html` <strong class="deny" role="status">${it.off.said}.</strong>`}</p>
    <ol class="battle-steps" aria-label="Steps">${STEPS.map((s, i) => html`<li class=${at < 0 || at > i ? "past" : at === i ? "now" : ""} aria-current=${at === i ? "step" : undefined}>${s}</li>`)}</ol>
    ${price(it)}
    ${it.stage === "done" ? over(it) : html`${served(it.parts.odds, { class: "battle-odds" })}
      <div class="battle-sides">${roles.map((role) => (innerWidth < 900 && role !== it.own && it.own in it.feet ? html`<details class=${role}><summary>${it[role].name}: ${it[role].lost}${it[role].wanted === null ? "" : ` of ${it[role].wanted}`} factors lost</summary>${side(it, role)}</details>` : side(it, role)))}</div>
      ${it.stage === "forces" && html`<p class="battle-line">${select("Mission", "mission", it.missions, it.mission)}${select("Defender ×", "multiplier", [1, 2, 3, 4], prep.multiplier)}<em class="quiet">by your rules</em></p>
        <p class="small quiet"><strong>Not judged here: </strong><em>adjacency, stacking, who may attack together, the chart.</em> ${it.checked}</p>`}
      ${thrown(it)}${result(it)}${retreating(it)}${marched(it)}${it.stage !== "answer" && served(it.parts.follows)}`}
    ${foot(it)}`;
}

/** The group's own chart, typed once for the table. */
async function typeChart() {
  const known = (await table.get("/chart")).chart;
  const text = known ? [["dice", ...known.odds], ...Object.entries(known.rows).map(([n, cells]) => [n, ...cells])].map((row) => row.join(" | ")).join("\n") : "dice | 1:2 | 1:1 | 2:1 | 3:1\n2 | A2 D1 | …";
  const save = () => table.put("/chart", { text: $("#chart-text").value }).then(() => $("#modal").close(), (error) => ($("#chart-trouble").textContent = error.message));
  modal("Your chart of results", "A line of odds, then a line for each total; what is written is kept as written.", html`<p><code>A6 D12 R</code> is read as losses in factors and a retreat.</p>
    <textarea id="chart-text" rows="14" cols="60" defaultValue=${text} aria-label="Chart"></textarea><p id="chart-trouble" class="bad" role="alert"></p><button class="main" onclick=${save}>Keep it</button>`);
}

function fold() {
  folded = !folded;
  redraw();
}

/** Escape: what only this side prepares is called off, what is over is put away. */
export function closeBattle() {
  if (!prep && !done) return false;
  prep = done = null;
  redraw();
  return true;
}

/** The keys that go on, fold the sheet, or go to the next hex; whether they meant something here. */
export function battleKey(key) {
  const it = live() && now();
  if (!it) return false;
  if (key === "k") fold();
  else if (key === "n") $("#battle-go:not(:disabled)")?.click();
  return key === "k" || key === "n";
}

// -- on the map -----------------------------------------------------------------------------------------------------

/** Who attacks from where, who goes back where; counters are dragged to go back, or to advance. */
function onMap(it) {
  const attacking = it.stage === "forces" ? prep.units.filter(tapped) : it.attacker.units;
  const away = going(it);
  const open = it.stage === "losses" && acts(it, "defender") && !it.defender.confirmed;
  const gone = (units) => units.reduce((n, u) => n + (u.lost ?? 0) * u.factors, 0);
  const off = (units) => (gone(units) ? signed(-gone(units)) : "");
  map.arrows = [...[...Map.groupBy(attacking, (u) => u.place)].map(([from, all]) => ({ from, to: it.at, kind: air(all[0]) ? "support" : "attack", label: off(all) })), ...away.map((b) => ({ from: b.place, to: b.to, kind: "back", label: b.count }))];
  map.drafts = away.map((b) => ({ power: b.nation, unit: b.unit, count: b.count, at: b.to, off: open ? () => stay(b) : null }));
  map.pins = off(it.defender.units) ? [{ key: it.at, number: off(it.defender.units) }] : [];
  map.ringed = [{ key: it.at, colour: it.own === "defender" ? "deny" : "focus" }];
  map.hands.manner = ["losses", "advance"].includes(it.stage) ? { grips: () => true, next: () => nextHex(it), mine: (key) => open && key === it.at, how: (key, piles) => ({ free: it.stage === "losses" ? it.ways : [it.at], drop: (to) => dropped(it, key, piles, to) }) } : null;
  if (!map.hands.held) map.showPlaces(open && homeless(it).length ? { legal: new Set(it.ways), forbidden: new Map([["", {}]]), verb: "go back", hand: { key: it.at } } : null);
}

/** The powers fold while the sheet is open, and come back with what they were. */
let railWas = null;
function makeRoom(wanted) {
  if (wanted === document.body.hasAttribute("data-battle")) return;
  if (wanted) railWas = document.body.dataset.rail;
  document.body.toggleAttribute("data-battle", wanted);
  document.body.dataset.rail = wanted ? "folded" : railWas;
  dispatchEvent(new Event("resize"));
}

function show(view) {
  const begun = view.battle;
  if (begun) prep = null;
  const it = now();
  const step = begun ? `${begun.at} ${begun.stage} ${begun.since}` : prep ? "preparing" : "";
  if (step !== open && step !== "preparing") {
    [taps, takes] = [{}, new Set()];
    for (const u of begun?.stage === "losses" ? [...begun.attacker.units, ...begun.defender.units] : (begun?.support ?? [])) taps[idOf(u)] = u.lost;
    back = [...(begun?.retreats ?? [])];
    if (begun?.stage === "answer" || !begun) helping = "";
    if (begun && !open) {
      [folded, done] = [document.body.dataset.hand === "full" || !$("#order").hidden, null];
      comeIntoSight(document.body.dataset.view);
    }
  }
  open = step;
  const el = $("#battle");
  const shown = (live() || it?.stage === "done") && Boolean(it);
  el.hidden = !shown || folded;
  if (prep) el.dataset.drop = prep.at;
  else delete el.dataset.drop;
  makeRoom(shown && !folded);
  if (shown && it.stage !== "done") onMap(it);
  else if (drawn) {
    [map.arrows, map.drafts, map.ringed, map.pins, map.hands.manner] = [[], [], [], [], null];
    if (!map.hands.held) map.showPlaces(null);
  }
  if ((shown || drawn) && map.board) drawOver(map);
  drawn = shown && it.stage !== "done";
  const bar = $("#battle-bar");
  bar.hidden = !shown || (it.stage === "done" && !folded);
  fill(bar, shown && html`<button onclick=${fold} title="Fold or unfold the sheet (K)"><strong>${it.title}</strong> ${it.odds} ${it.stage === "done" ? "" : it.bar} ${folded && html`<kbd>K</kbd>`}</button>`);
  fill(el, shown && !folded && sheet(it));
}

/** The hex that is fought for comes into sight, as soon as its board is open. */
async function comeIntoSight(view) {
  const [board, id] = now()?.at.split("/") ?? [];
  if (view !== board) return;
  await map.open(board);
  if (!map.hands.held) map.moveCursor(map.board.hexes.get(id));
}

/** Open a battle that stands in the log. */
export async function lookAtBattle(entry) {
  done = await table.get("/battle", { move: entry }).catch((error) => tellTrouble(error));
  folded = false;
  redraw();
}

export function startBattle() {
  map.hands.fight = prepare;
  onView(comeIntoSight);
  subscribe((view, before, log) => {
    show(view);
    // When it is over, whoever had it before their eyes reads what came of it.
    const ended = before?.battle && !view.battle && log?.find((it) => it.battle && it.id > before.head && !it.undone);
    if (ended && live()) lookAtBattle(ended.id);
  });
}
