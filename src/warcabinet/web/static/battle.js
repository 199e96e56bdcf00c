// The battle sheet: forces, answer, throw, losses, advance, in the same place at every step. Prepared by one side alone,
// then a battle that all at the table see; the last step makes it one line of the log.

import { $, capital, isPower, nameOf, several, toast } from "./dom.js";
import { cited, table } from "./api.js";
import { showDice } from "./dice.js";
import { counter, onCanvas } from "./map/counters.js";
import { placeCalled } from "./map/atlas.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { tellTrouble } from "./refusal.js";
import { live, perform, position, store, subscribe } from "./store.js";
import { undo } from "./topbar.js";
import { chip, fill, h, number, seal } from "./ui.js";

const STEPS = ["forces", "answer", "throw", "losses", "advance"];
const MISSIONS = { ground: ["attack", "attrition"], air: ["bombing", "attack", "attack sea supply", "intercept naval mission"], naval: ["shore bombardment", "raid", "attack sea supply", "intercept naval mission"] };
const AIR = /air|interceptor|bomber/;
const SEA = /fleet|carrier|cruiser|battleship|submarine|destroyer/;
const branchOf = (unit) => (AIR.test(unit) && unit !== "air transport" ? "air" : SEA.test(unit) ? "naval" : "ground");
const factorOf = (unit) => Number(/(\d+)-\d+$/.exec(unit)?.[1] ?? 1);

let prep = null; // what is being prepared: nobody else sees it
let done = null; // what the last battle came to, until it is put away
let folded = false;
let taps = {}; // what is taken off, sent or advances, by unit, before it is told
let backTo = {}; // where the rest goes: ground, air
let open = ""; // the battle and step that the taps belong to

const idOf = (u) => `${u.nation} ${u.unit} ${u.place}`;
const written = (u, count, to = "") => `${count} ${u.unit} of ${u.nation} at ${u.place}${to ? ` to ${to}` : ""}`;
const tapped = (u) => taps[idOf(u)] ?? 0;
const told = (units, to) => units.filter((u) => tapped(u)).map((u) => written(u, tapped(u), to));
const sum = (units, of = (u) => u.count) => units.reduce((n, u) => n + of(u) * (u.factors ?? factorOf(u.unit)), 0);
const act = (path, body) => perform(path, body).catch((error) => tellTrouble(error));

/** Units were dropped on an enemy, or shall attack him: the sheet opens, or they join what is prepared there. */
function prepare({ key, piles }) {
  if (!live() || store.view.battle) return void (store.view.battle && toast("A battle is under way.", true));
  if (prep?.at !== key) {
    const there = map.made.stacks.get(key) ?? [];
    const [first] = piles;
    prep = { at: key, nation: first.nation, units: [], enemies: there.map((p) => ({ ...p, place: key })), brp: 0, multiplier: 1, mission: MISSIONS[branchOf(first.unit)][0] };
    taps = {};
  }
  for (const it of piles) {
    const known = prep.units.find((u) => idOf(u) === idOf(it));
    if (known) known.count = Math.max(known.count, it.count);
    else prep.units.push({ ...it });
    taps[idOf(it)] = it.count;
  }
  if (piles.some((p) => branchOf(p.unit) === "ground") && !MISSIONS.ground.includes(prep.mission)) prep.mission = "attack";
  done = null;
  folded = false;
  show(store.view);
}

/** Attack the hex that is chosen with all that stands beside it, or take up what stands in it to attack with. */
export function attackChosen(hex = map.selected) {
  if (!hex) return toast("Choose a hex: yours to attack from, or the enemy's.");
  const own = map.hands.piles(hex.key).filter((p) => moves(p.nation));
  if (own.length) return map.hands.lift(hex.key, own, map.cam.screen(hex));
  const beside = [0, 1, 2, 3, 4, 5].map((i) => map.board.neighbour(hex, i)).flatMap((it) => (it ? map.hands.piles(it.key).filter((p) => moves(p.nation)).map((p) => ({ ...p, place: it.key })) : []));
  const ground = beside.filter((p) => branchOf(p.unit) === "ground");
  if (ground.length) prepare({ key: hex.key, piles: ground });
  else toast("None of your ground units stands beside it: drag units onto it.");
}

/** Whether a nation belongs to the side that moves now: at one screen all of them are one's own. */
function moves(nation) {
  const { moving, countries } = position();
  return moving.includes(nation) || moving.includes(countries.find((c) => c.id === nation)?.by);
}

/** A pile counter by counter; a press on one takes it off or sends it, a press on such a one takes that back. */
function pile(u, tap, word) {
  const n = tap ? tapped(u) : (u.lost ?? 0);
  const one = (i) => {
    const on = i < n;
    const said = `${u.unit}, ${placeCalled(u.place)}${on ? `, ${word}` : ""}`;
    return h("button", { key: i, className: `${on ? word : ""}`, disabled: !tap, "aria-pressed": String(on), "aria-label": said, onclick: () => tap(u, on ? n - 1 : n + 1) }, onCanvas(36, 3, (ctx) => counter(ctx, 1, 1, 34, u)));
  };
  const many = u.count > 9;
  const rest = many ? [one(0), h("span", { key: "n" }, tap ? h("button", { className: "small", "aria-label": `One fewer ${u.unit}`, onclick: () => tap(u, Math.max(0, n - 1)) }, "−") : null, ` ${n} of ${u.count} `, tap ? h("button", { className: "small", "aria-label": `One more ${u.unit}`, onclick: () => tap(u, Math.min(u.count, n + 1)) }, "+") : null)] : Array.from({ length: u.count }, (_, i) => one(i));
  return h("div", { className: "battle-pile", key: idOf(u) }, rest, u.back ? h("em", {}, `${u.back} to ${u.to}`) : null);
}

function side(units, tap, word, note) {
  const places = [...Map.groupBy(units, (u) => u.place)];
  return h(
    "div",
    {},
    places.map(([key, all]) => h("div", { key }, h("h3", {}, placeCalled(key), h("span", { className: "quiet push" }, String(sum(all)))), all.map((u) => pile(u, tap, word)))),
    note,
  );
}

const setTap = (u, n) => {
  taps[idOf(u)] = n;
  show(store.view);
};

/** Losses are seen by the other side while they are tapped. */
let telling = 0;
const tellLosses = (role) => (u, n) => {
  setTap(u, n);
  clearTimeout(telling);
  telling = setTimeout(() => act("/battle/losses", chosen(role, false)), 400);
};

function chosen(role, confirm) {
  const it = store.view.battle;
  const units = it[role].units;
  const rest = (u) => u.place === it.at && u.count - tapped(u);
  const going = role === "defender" ? everyone(it).filter((u) => rest(u) > 0 && backTo[u.branch === "air" ? "air" : "ground"]) : [];
  const typed = $("#battle-result")?.value;
  return { side: role, losses: told(units), retreats: going.map((u) => written(u, rest(u), backTo[u.branch === "air" ? "air" : "ground"])), confirm, ...(typed === undefined ? {} : { result: typed }) };
}

/** All of the other side in the place: aircraft that did not fly make way too. */
function everyone(it) {
  const known = it.defender.units;
  const others = (map.made.stacks.get(it.at) ?? []).map((p) => ({ ...p, place: it.at, branch: branchOf(p.unit) }));
  return [...known, ...others.filter((p) => !known.some((u) => idOf(u) === idOf(p)) && p.nation !== it.attacker.nation)];
}

const head = (title, stage, view, tools) => [
  h("header", {}, h("h2", { tabIndex: -1 }, title), h("span", { className: "push" }, tools, h("button", { className: "small", onclick: fold }, "Fold ", h("kbd", {}, "K")))),
  h("ol", { className: "battle-steps", "aria-label": "Steps" }, STEPS.map((s, i) => h("li", { key: s, className: STEPS.indexOf(stage) > i ? "past" : s === stage ? "now" : "", "aria-current": s === stage ? "step" : undefined }, capital(s)))),
];

const odds = (a, d, ratio, next) =>
  h("div", { className: "battle-odds" }, a.power ? seal(a.power) : null, h("div", {}, h("strong", {}, a.name), h("small", {}, a.who)), h("b", {}, a.factors), h("output", {}, ratio, h("small", {}, next)), h("b", {}, d.factors), h("div", {}, h("strong", {}, d.name), h("small", {}, d.who)), d.power ? seal(d.power) : null);

const price = (power, brp, left, words) => h("p", { className: "battle-price" }, power ? seal(power) : null, h("strong", {}, brp, " BRPs"), ` ${words} `, chip(cited("offensive")), power ? h("span", { className: "push" }, `${nameOf(power)} `, number(left, "level", [power], `${nameOf(power)}, level after it`)) : null);

const foot = (said, more, label, run, off) =>
  h("footer", {}, h("div", {}, said), more, label ? h("button", { className: "main", disabled: Boolean(off), title: off || undefined, onclick: run, id: "battle-go" }, label, " ", h("kbd", {}, "N")) : null);

function preparing() {
  const sent = prep.units.map((u) => ({ ...u, count: tapped(u) })).filter((u) => u.count);
  const enemies = prep.enemies.filter((p) => branchOf(p.unit) !== "air");
  const [a, d] = [sum(sent), sum(enemies) * prep.multiplier];
  const ratio = a && d ? (a >= d ? `${Math.floor((100 * a) / d) / 100} : 1` : `1 : ${Math.ceil((100 * d) / a) / 100}`) : `${a} : ${d}`;
  const branch = sent.some((u) => branchOf(u.unit) === "ground") ? "ground" : branchOf(sent[0]?.unit ?? "");
  const payer = isPower(prep.nation) ? prep.nation : position().countries.find((c) => c.id === prep.nation)?.by;
  const level = position().powers.find((p) => p.power === payer)?.figures.level ?? 0;
  const change = (name, value) => {
    prep[name] = value;
    show(store.view);
  };
  const against = prep.enemies[0]?.nation ?? map.made.held.holder.get(prep.at.split("/")[1]) ?? "";
  const go = () => act("/battle", { nation: prep.nation, at: prep.at, mission: prep.mission, brp: prep.brp, multiplier: prep.multiplier, attackers: sent.map((u) => written(u, u.count)) });
  return [
    ...head(`Attack on ${placeCalled(prep.at)}`, "forces", null, h("button", { className: "small", onclick: callOff }, "Call off ", h("kbd", {}, "Esc"))),
    price(payer, h("input", { type: "number", min: 0, max: 999, value: prep.brp, "aria-label": "BRPs of the offensive", oninput: (e) => change("brp", Math.max(0, Number(e.target.value) || 0)) }), level - prep.brp, "for the offensive"),
    odds({ power: isPower(prep.nation) ? prep.nation : "", name: nameOf(prep.nation), who: "you", factors: a }, { power: isPower(against) ? against : "", name: nameOf(against), who: "", factors: d }, ratio, "before the answer"),
    h("div", { className: "battle-sides" }, side(prep.units, setTap, "sent", h("p", { className: "quiet small" }, "Drag more here, or tap to leave one out.")), side(enemies, null, "")),
    h("p", { className: "battle-line" }, h("label", {}, "Mission ", h("select", { onchange: (e) => change("mission", e.target.value) }, (MISSIONS[branch] ?? MISSIONS.ground).map((m) => h("option", { key: m, value: m, selected: m === prep.mission }, m)))), h("label", {}, " Defender × ", h("select", { onchange: (e) => change("multiplier", Number(e.target.value)) }, [1, 2, 3, 4].map((m) => h("option", { key: m, value: m, selected: m === prep.multiplier }, String(m))))), h("em", { className: "quiet" }, " by your rules")),
    h("p", { className: "small quiet" }, h("strong", {}, "Not judged here: "), h("em", {}, "adjacency, stacking, who may attack together, the chart.")),
    foot(h("strong", {}, `${nameOf(against)} answers next.`), null, prep.brp ? `Attack: ${prep.brp} BRPs` : "Attack", go, sent.length ? "" : "nobody is sent"),
  ];
}

const person = (s) => (s.mine ? "you" : s.people.join(", ") || "nobody sits here");

/** Which sides of the battle this reader acts for; the referee's help is asked for by a press. */
let helping = "";
const acts = (it, role) => it[role].mine || helping === role;

function fought(it) {
  const { stage } = it;
  const both = acts(it, "attacker") && acts(it, "defender");
  const tapping = { losses: { attacker: tellLosses("attacker"), defender: tellLosses("defender") } }[stage] ?? {};
  const may = (role) => (acts(it, role) && !it[role].confirmed ? tapping[role] : null);
  const meter = (s) => (stage === "losses" || stage === "advance" ? h("p", { className: "battle-meter" }, h("b", {}, String(s.mine && stage === "losses" ? sum(s.units, tapped) : s.lost)), s.wanted === null ? " factors lost" : ` of ${s.wanted} factors`, s.confirmed ? " ✓" : "") : null);
  const advancing = it.attacker.units.filter((u) => u.branch === "ground" && u.count > u.lost).map((u) => ({ ...u, count: u.count - u.lost, lost: 0 }));
  const left = stage === "advance" && acts(it, "attacker") ? advancing : it.attacker.units;
  const tapLeft = stage === "advance" && acts(it, "attacker") ? setTap : may("attacker");
  const sides = { a: { ...it.attacker, who: person(it.attacker) }, d: { ...it.defender, who: person(it.defender), factors: it.defender.factors * it.multiplier } };
  const title = it.defender.mine && !it.attacker.mine ? `${it.called} is attacked` : `Battle of ${it.called}`;
  return [
    ...head(title, stage, it, h("button", { className: "small", onclick: () => act("/battle/off", {}) }, it.off ? "Agree to call it off" : "Call off")),
    price(it.payer, it.brp, it.left, "for the offensive"),
    odds(sides.a, sides.d, it.odds, it.next),
    h("div", { className: "battle-sides" }, side(left, tapLeft, stage === "advance" ? "sent" : "lost", meter(it.attacker)), side(stage === "losses" && acts(it, "defender") ? everyone(it) : it.defender.units, may("defender"), "lost", meter(it.defender))),
    stage === "answer" || (stage === "throw" && both) ? supporting(it) : null,
    it.total ? h("p", { className: "battle-dice" }, it.faces.map((n, i) => h("span", { key: i, className: "die", role: "img", "aria-label": `die ${n}` }, "⚀⚁⚂⚃⚄⚅".charAt(n - 1))), h("b", {}, String(it.total)), it.thrown ? h("span", { className: "small" }, ` Throw of entry ${it.thrown}, committed to before. `, h("button", { className: "link small", onclick: showDice }, "Verify")) : null) : null,
    it.chart.length && stage !== "answer" ? h("ol", { className: "battle-chart", "aria-label": `Your chart, ${it.column}` }, it.chart.map((c) => h("li", { key: c.total, className: c.total === it.total ? "now" : "" }, h("b", {}, String(c.total)), h("span", {}, c.result)))) : null,
    stage === "losses" ? h("p", { className: "battle-line" }, h("label", {}, "Result by your chart ", h("input", { id: "battle-result", defaultValue: it.result, maxLength: 120, placeholder: "A6 D12 R", onchange: () => act("/battle/losses", chosen(it.attacker.mine ? "attacker" : "defender", false)) }))) : null,
    stage === "losses" && acts(it, "defender") ? retreating(it) : null,
    follows(it),
    feet(it, both, advancing),
  ];
}

function supporting(it) {
  if (!acts(it, "defender")) return h("p", { className: "quiet" }, `${it.defender.people.join(", ") || it.defender.name} answers: aircraft and ships in support, or none.`);
  return h("div", {}, h("h3", {}, "In support"), it.support.length ? it.support.map((u) => h("div", { key: idOf(u) }, h("small", {}, u.called), pile(u, setTap, "sent"))) : h("p", { className: "quiet small" }, "No aircraft or ships of yours are near."));
}

function retreating(it) {
  const left = everyone(it).filter((u) => u.place === it.at && u.count > tapped(u));
  const field = (kind, label) =>
    left.some((u) => (u.branch === "air") === (kind === "air"))
      ? h("label", {}, `${label} `, h("input", { list: "battle-ways", value: backTo[kind] ?? "", placeholder: "stays", onchange: (e) => { backTo[kind] = e.target.value.trim(); act("/battle/losses", chosen("defender", false)); } }))
      : null;
  return h("p", { className: "battle-line" }, field("ground", "The rest goes back to"), field("air", "Aircraft to"), h("datalist", { id: "battle-ways" }, it.ways.map((key) => h("option", { key, value: placeCalled(key).replace(/ \(.*/, "") }))));
}

const follows = (it) =>
  it.follows.length || it.refusals.length
    ? h("ul", { className: "battle-follows" }, it.refusals.map((r, i) => h("li", { key: `r${i}`, className: "bad" }, r.text, " ", chip(r.clause, true))), it.follows.map((e, i) => h("li", { key: i }, e.text, " ", chip(e.clause))))
    : null;

const help = (it, role, words) =>
  !it[role].mine && it[role].referee ? h("button", { className: "small", onclick: () => { helping = role; show(store.view); } }, words) : null;

/** The foot with the one button that goes on, or whom the battle waits for. */
function feet(it, both, advancing) {
  const { stage } = it;
  const waits = (role, words) => foot(h("span", {}, h("strong", {}, `Waiting for ${it[role].people.join(", ") || it[role].name}. `), words), help(it, role, `Referee acts for ${it[role].name}`), "");
  if (stage === "answer") {
    if (!acts(it, "defender")) return waits("defender", "Pan, look, talk: the map is free.");
    const sent = told(it.support);
    return foot(h("strong", {}, "Aircraft and ships in support, or none."), null, sent.length ? `Answer: ${several(sent.length, "kind")} sent` : "Answer: none", () => act("/battle/answer", { support: sent }));
  }
  if (stage === "throw") {
    if (!acts(it, "attacker")) return waits("attacker", "The dice come next.");
    const first = async (body) => {
      if (both && told(it.support).length) await act("/battle/answer", { support: told(it.support) });
      await act("/battle/throw", body);
    };
    return foot(
      h("span", { className: "battle-own" }, h("button", { className: "small", onclick: () => first({}) }, "No dice"), h("label", {}, " own total ", h("input", { type: "number", min: 1, max: 36, onchange: (e) => first({ total: Number(e.target.value) }) })), h("button", { className: "link small", onclick: typeChart }, it.chart.length ? "Chart" : "Type your chart")),
      null,
      `Throw ${it.dice === 1 ? "a die" : `${it.dice} dice`}`,
      () => first({ dice: it.dice }),
    );
  }
  if (stage === "losses") {
    const open = ["defender", "attacker"].filter((role) => acts(it, role) && !it[role].confirmed);
    if (!open.length) return waits(it.attacker.confirmed ? "defender" : "attacker", "Yours are confirmed.");
    const confirm = async () => {
      clearTimeout(telling);
      const bodies = open.map((role) => chosen(role, true));
      for (const body of bodies) await act("/battle/losses", body);
    };
    const who = open.length === 2 ? "both" : it[open[0]].name;
    return foot(h("span", {}, h("strong", {}, "Tap what is lost."), " Again takes it back."), open.length < 2 ? help(it, open[0] === "defender" ? "attacker" : "defender", "Referee acts for the other") : null, `Confirm for ${who}`, confirm);
  }
  if (!acts(it, "attacker")) return waits("attacker", "They may advance.");
  const end = (advances) => async () => {
    const ended = await act("/battle/end", { advances });
    if (ended) done = ended.moves[0];
    show(store.view);
  };
  const going = told(advancing);
  const all = advancing.map((u) => written(u, u.count));
  return foot(h("span", {}, h("strong", {}, "Tap who advances, "), "or all of them."), h("button", { onclick: end([]) }, "Stay"), going.length ? "Advance" : "All advance", end(going.length ? going : all), all.length ? "" : "nobody is left to advance");
}

function over() {
  return [
    h("header", {}, h("h2", {}, "The battle is over"), h("button", { className: "small push", onclick: away }, "Close ", h("kbd", {}, "Esc"))),
    h("blockquote", {}, done.text),
    h("p", { className: "small quiet" }, `Entry ${done.id}: one line in the log, one undo.`),
    h("ul", { className: "battle-follows" }, done.events.slice(1).map((e, i) => h("li", { key: i }, e.text, " ", chip(e.clause)))),
    foot(h("strong", {}, "Combat goes on."), h("button", { onclick: () => { away(); undo(false); } }, "Undo the battle ", h("kbd", {}, "U")), "Back to the map", away),
  ];
}

/** The group's own chart, typed once for the table. */
async function typeChart() {
  const { chart } = await table.get("/chart");
  const text = chart ? [["dice", ...chart.odds], ...Object.entries(chart.rows).map(([n, cells]) => [n, ...cells])].map((row) => row.join(" | ")).join("\n") : "dice | 1:2 | 1:1 | 2:1 | 3:1\n2 | A2 D1 | …";
  const box = $("#modal");
  const save = async () => {
    try {
      await table.put("/chart", { text: $("#chart-text").value });
      box.close();
    } catch (error) {
      $("#chart-trouble").textContent = error.message;
    }
  };
  fill(
    box,
    h("h2", { id: "modal-title" }, "Your chart of results"),
    h("p", {}, "A line of odds, then a line for each total; what is written is kept as written. ", h("code", {}, "A6 D12 R"), " is read as losses in factors and a retreat."),
    h("textarea", { id: "chart-text", rows: 14, cols: 60, defaultValue: text, "aria-label": "Chart" }),
    h("p", { id: "chart-trouble", className: "bad", role: "alert" }),
    h("footer", {}, h("button", { onclick: () => box.close() }, "Cancel"), h("button", { className: "main", onclick: save }, "Keep it")),
  );
  box.showModal();
}

function away() {
  done = null;
  show(store.view);
}

function callOff() {
  prep = null;
  show(store.view);
}

function fold() {
  folded = !folded;
  show(store.view);
}

/** Escape: what only this side prepares is called off, what is over is put away. */
export function closeBattle() {
  if (!prep && !done) return false;
  prep = done = null;
  show(store.view);
  return true;
}

/** The key that goes on, or folds the sheet; whether it meant something here. */
export function battleKey(key) {
  const sheet = $("#battle");
  if (sheet.hidden || (key !== "k" && key !== "n")) return false;
  if (key === "k") fold();
  else $("#battle-go:not(:disabled)")?.click();
  return true;
}

/** On the map: who attacks from where, who goes back where; counters are dragged to go back, or to advance. */
function onMap(it) {
  const attacking = it ? it.attacker.units : (prep?.units ?? []).filter(tapped);
  const at = it?.at ?? prep?.at;
  const to = (u) => it.ways.find((key) => placeCalled(key).startsWith(u.to));
  const back = (it?.defender.units ?? []).filter((u) => u.back && to(u)).map((u) => ({ from: u.place, to: to(u), kind: "back", label: `−${u.back}` }));
  const ways = new Map(attacking.map((u) => [u.place, (u.branch ?? branchOf(u.unit)) === "ground" ? "attack" : "support"]));
  map.arrows = [...[...ways].map(([from, kind]) => ({ from, to: at, kind })), ...back];
  map.hands.manner = it && ["losses", "advance"].includes(it.stage) ? { grips: () => true, how: (key, piles) => ({ free: true, drop: (to) => dropped(it, key, piles, to) }) } : null;
  if (map.board) drawOver(map);
}

/** Counters were dragged while a battle is open: survivors into the place, defenders out of it. */
function dropped(it, key, piles, to) {
  if (it.stage === "advance" && to === it.at && acts(it, "attacker")) {
    for (const p of piles) taps[idOf({ ...p, place: key })] = p.count;
    return show(store.view);
  }
  if (it.stage !== "losses" || key !== it.at || to === it.at || !acts(it, "defender")) return toast("Drag survivors into the place, or defenders out of it.");
  for (const p of piles) backTo[branchOf(p.unit) === "air" ? "air" : "ground"] = placeCalled(to).replace(/ \(.*/, "");
  act("/battle/losses", chosen("defender", false));
}

/** The powers fold while the sheet is open, and come back with what they were. */
let railWas = null;
let arrowed = false;
function makeRoom(wanted) {
  if (wanted === document.body.hasAttribute("data-battle")) return;
  if (wanted) railWas = document.body.dataset.rail;
  document.body.toggleAttribute("data-battle", wanted);
  document.body.dataset.rail = wanted ? "folded" : railWas;
  dispatchEvent(new Event("resize"));
}

function show(view) {
  const it = view.battle;
  if (it) prep = null;
  const step = it ? `${it.at} ${it.stage} ${it.since}` : prep ? "preparing" : "";
  if (step !== open && step !== "preparing") {
    taps = {};
    if (it?.stage === "losses") for (const u of [...it.attacker.units, ...it.defender.units]) taps[idOf(u)] = u.lost;
    if (it?.stage === "answer" || !it) [backTo, helping] = [{}, ""];
    if (it) [folded, done] = [document.body.dataset.hand === "full" || !$("#order").hidden, null];
  }
  open = step;
  const sheet = $("#battle");
  const shown = live() && Boolean(it || prep || done);
  sheet.hidden = !shown;
  makeRoom(shown && !folded);
  if (shown || arrowed) onMap(shown ? it : null);
  arrowed = shown;
  if (!shown) return fill(sheet);
  const name = it ? it.called : prep ? placeCalled(prep.at) : "";
  if (folded) fill(sheet, h("button", { className: "battle-bar", onclick: fold }, h("strong", {}, `Battle of ${name}`), it ? ` ${it.odds}, ${it.stage} ` : " ", h("kbd", {}, "K")));
  else fill(sheet, ...(it ? fought(it) : prep ? preparing() : over()));
}

export function startBattle() {
  document.addEventListener("attack", (event) => prepare(event.detail));
  subscribe(show);
}
