// Aid: the roads on strips of the map, who may grant to whom, a plan with what it comes to, and sending it.

import { capital, isPower, nameOf, several, signed, toast } from "./dom.js";
import { attempt, cited, table } from "./api.js";
import { convoyParts, showConvoy } from "./convoy.js";
import { pictureOf } from "./map/picture.js";
import { openCommand } from "./order.js";
import { leaveLine } from "./plan-minders.js";
import { tellTrouble, whyNot } from "./refusal.js";
import { live, me, perform, position, store } from "./store.js";
import { chip, html, number, pageHead, plain, seal, signal, switcher } from "./ui.js";

const mode = signal("phase");
// Grants that are thought of and not sent, as orders.
const plan = signal([]);
const chosen = signal(null);
// What the rules say of grants, in a few words.
let words = {};

const MODES = [["phase", "This phase"], ["turns", "By turn"], ["cut", "What would cut it"]];
const STATES = { open: "open", closed: "not open", "used up": "used up", "under way": "under way" };

const reasons = (told, deny) => told.flatMap((it, i) => [`${i ? "; " : ""}${i ? it.text : capital(it.text)} `, chip(it.clause, deny)]);

const road = (it) => html`<span class=${`road-state ${it.state.replace(" ", "-")}`}>
  ${it.id === "murmansk" && it.state === "under way" ? "convoy under way" : STATES[it.state]}
</span>`;

function capacity(it, planned) {
  if (!it.capacity) return html`<span class="carries">${number(0, it.rule, it.args, `${it.name} carries`)}</span>`;
  return html`<span class="carries">
    <b>${it.used + planned}</b> of ${number(it.capacity, it.rule, it.args, `${it.name} carries`)}
  </span>`;
}

/** What stands under a strip: why each of its roads is open or not. */
const notes = (roads) => roads.flatMap((it, i) => [
  i ? html`<b class=${it.state === "closed" ? "deny" : ""}>${it.name}: </b>` : null,
  ...it.state === "closed" ? reasons(it.why_not.slice(0, 1), true) : reasons(it.because, false),
  ". ",
  it.state !== "closed" && it.oil
    ? html`<span class="quiet">Oil ${it.oil_used ?? 0} of ${it.oil} ${chip(cited("oil"))} </span>`
    : null,
  it.state !== "closed" && it.hangs_on?.length ? html`<span class="hangs">Hangs on ${hanging(it)}. </span>` : null,
]);

const hanging = (it) => it.would_cut.find((told) => told.text.startsWith("the loss of"))?.text.replace("the loss of ", "");

/** A road inside a sentence: a name, but for a way by land. */
const roadName = (road) => (road === "land" ? road : nameOf(road));

function strip(one, sheet) {
  const thought = (id) => sheet.plan.lines.filter((l) => l.road === id && !l.why_not.length).reduce((n, l) => n + l.brp, 0);
  const [x, y, wide, high] = one.box;
  const map = pictureOf({ strip: one.id });
  const mine = one.roads.map((id) => ({ ...sheet.roads.find((r) => r.id === id), planned: thought(id) }));
  const [first] = mine;
  const label = `Map of ${mine.map((r) => `${r.name}, ${r.state}`).join("; ")}`;
  return html`<section class=${`strip ${one.id.replace(" ", "-")}`}>
    <header><h3>${first.name}</h3>${road(first)}${capacity(first, first.planned)}</header>
    <svg viewBox=${one.box.join(" ")} preserveAspectRatio="xMidYMin slice" role="img" aria-label=${label}>
      <image href=${map} x=${x} y=${y} width=${wide} height=${high} /><g dangerouslySetInnerHTML=${{ __html: one.drawn }} />
    </svg>
    <p>${notes(mine)}</p>
  </section>`;
}

// -- who may grant to whom ----------------------------------------------------------------------------------------

const planned = (sheet, power, to) => sheet.plan.lines.filter((l) => l.power === power && l.to === to);

/** Plan a grant of this pair, or leave it be. */
const choose = (pair) => (chosen.value = chosen.value === pair ? null : pair);
const inSight = (form) => {
  form?.scrollIntoView({ block: "nearest" });
  form?.elements.brp.focus({ preventScroll: true });
};

function cell(sheet, it) {
  const mine = planned(sheet, it.power, it.to);
  const sum = mine.reduce((n, l) => n + l.brp, 0) + it.sent;
  if (it.why_not.length && !sum)
    return html`<td class="no">
      <button class="why-not" aria-label=${`Why may ${nameOf(it.power)} not grant to ${nameOf(it.to)}?`}
        onclick=${() => whyNot(`${nameOf(it.power)} grants to ${nameOf(it.to)}`, it.why_not)}>⊘</button>
      ${chip(it.why_not[0].clause, true)}<small>${it.why_not[0].text}</small>
    </td>`;
  const went = it.sent ? [`${it.sent} sent`] : [];
  const by = mine.length ? [...went, ...mine.map((l) => `${l.brp} by ${roadName(l.road)}`)].join(", ") : "";
  const left = it.sent ? `${it.sent} sent, ${it.most} more` : `up to ${it.most}`;
  return html`<td class=${sum ? "planned" : ""}>
    <button class="grant" data-pair=${`${it.power} ${it.to}`}
      aria-label=${`${nameOf(it.power)} to ${nameOf(it.to)}: ${sum} of ${it.most} at most; plan a grant`}
      aria-expanded=${chosen.value === `${it.power} ${it.to}`} onclick=${() => choose(`${it.power} ${it.to}`)}>
      ${sum}
    </button>
    ${" "}${it.by[0] && chip(it.by[0])}<small>${by || left}</small>
  </td>`;
}

/** Cells in a row; those beside each other that no clause lists are one. */
function runs(cells) {
  const found = [];
  for (const it of cells) {
    const last = found.at(-1)?.[0];
    const same = it && last && !it.ways.length && !last.ways.length && it.why_not[0].clause === last.why_not[0].clause;
    if (same) found.at(-1).push(it);
    else found.push([it]);
  }
  return found;
}

const unlisted = (run) => html`<td class="no" colSpan=${run.length}>
  <span class="why-not" aria-hidden="true">⊘ </span>${chip(run[0].why_not[0].clause, true)}
  <small>${run.length > 1 ? `not listed: ${run.map((c) => nameOf(c.to)).join(", ")}` : run[0].why_not[0].text}</small>
</td>`;

function matrix(sheet) {
  const grantors = [...new Set(sheet.cells.map((c) => c.power))].filter((p) =>
    sheet.cells.some((c) => c.power === p && c.ways.length),
  );
  const to = [...new Set(sheet.cells.map((c) => c.to))];
  const row = (power) => html`<tr>
    <th scope="row">${seal(power)}${nameOf(power)}</th>
    ${runs(to.map((it) => sheet.cells.find((c) => c.power === power && c.to === it))).map((run) => !run[0]
      ? html`<td class="self" />`
      : run[0].ways.length ? cell(sheet, run[0]) : unlisted(run))}
  </tr>`;
  return html`<div class="sheet-scroll" tabIndex="0" role="region" aria-label="Who may grant to whom">
    <table class="pairs">
      <thead>
        <tr>
          <td>grants ↓ to →</td>${to.map((p) => html`<th scope="col">${isPower(p) && seal(p)}${nameOf(p)}</th>`)}
        </tr>
      </thead>
      <tbody>${grantors.map(row)}</tbody>
    </table>
    <p class="never">
      May not grant: ${sheet.never.map((it) => [seal(it.power), ` ${nameOf(it.power)} `, chip(it.clause, true), " "])}
    </p>
  </div>`;
}

/** The ways of the pair that was chosen, and how much shall go by one of them. */
function planner(sheet) {
  if (!chosen.value) return null;
  const [power, to] = chosen.value.split(" ");
  const pair = sheet.cells.find((c) => c.power === power && c.to === to);
  if (!pair) return null;
  const open = pair.ways.filter((w) => !w.why_not.length);
  const add = (event) => {
    const { way, brp } = event.target.elements;
    const it = pair.ways[Number(way.value)];
    const known = Object.fromEntries(Object.entries(it.known).filter(([, v]) => v !== "" && v !== 0 && !(Array.isArray(v) && !v.length)));
    plan.value = [...plan.value, { do: it.command, ...known, power, brp: Number(brp.value) }];
    chosen.value = null;
  };
  const line = (it, i) => html`<label class=${it.why_not.length ? "way no" : "way"}>
    <input type="radio" name="way" value=${i} disabled=${it.why_not.length > 0} defaultChecked=${it === open[0]} />
    <span>${capital(it.text)}</span>
    ${it.why_not.length
      ? html`<small>${it.why_not[0].text} ${chip(it.why_not[0].clause, true)}</small>`
      : html`<small>
        up to ${it.most} ${it.by.map((c) => chip(c))}
        ${Object.entries(it.transports).length
          ? ` transports: ${Object.entries(it.transports).map(([ocean, n]) => `${n} ${nameOf(ocean)}`).join(", ")}`
          : ""}
      </small>`}
  </label>`;
  const whole = () => {
    const it = open[0];
    openCommand(it.command, { power, ...(it.command === "grant" ? { to, by: it.known.by } : {}) });
  };
  return html`<form class="planner" key=${chosen.value} ref=${inSight} onsubmit=${add} aria-label=${`Plan a grant from ${nameOf(power)} to ${nameOf(to)}`}>
    <strong>${seal(power)} ${nameOf(power)} to ${nameOf(to)}</strong>
    <div class="ways">${pair.ways.map(line)}</div>
    <div class="row">
      <label>BRPs <input type="number" name="brp" min="1" max=${pair.most} defaultValue=${pair.most} /></label>
      <button type="submit" class="small main" disabled=${!open.length}>Plan it</button>
      <button class="small" disabled=${!open.length} onclick=${whole}>Oil, escorts: the whole order</button>
    </div>
  </form>`;
}

// -- both sides, transports ---------------------------------------------------------------------------------------

function sides(sheet) {
  const change = (before, after) => html`<td class=${after > before ? "plus" : after < before ? "minus" : "quiet"}>
    ${after === before ? "·" : signed(after - before)}
  </td>`;
  const stands = (it) =>
    sheet.plan.lines.length && (it.level_stands !== it.level || it.limit_stands !== it.limit) ? `${it.level_stands} and ${it.limit_stands} as it stands` : "";
  const told = (it) =>
    [it.grants ? `grants ${it.grants}` : "", it.receives ? `receives ${it.receives}` : "", stands(it)].filter(Boolean).join(", ");
  const after = sheet.plan.lines.length ? "with the plan" : "as it stands";
  return html`<section>
    <table class="sides-table">
      <thead>
        <tr>
          <th scope="col">Both sides</th>
          <th scope="col" colSpan="3">level ${chip(cited("grant level"))}<small>now, ${after}</small></th>
          <th scope="col" colSpan="3">${words.limit}<small>now, ${after}</small></th><td />
        </tr>
      </thead>
      <tbody>
        ${sheet.plan.sides.map((it) => html`<tr>
          <th scope="row">${seal(it.power)}${nameOf(it.power)}</th>
          <td>${number(it.level, "level", [it.power], `${nameOf(it.power)}, level`)}</td>
          ${change(it.level, it.level_after)}<td><b>${it.level_after}</b></td>
          <td>${number(it.limit, "construction_limit", [it.power], `${nameOf(it.power)}, construction limit`)}</td>
          ${change(it.limit, it.limit_after)}<td><b>${it.limit_after}</b></td><td class="quiet">${told(it)}</td>
        </tr>`)}
      </tbody>
    </table>
  </section>`;
}

const ship = (state) => html`<i class=${`ship ${state}`} aria-hidden="true" />`;

function transports(sheet) {
  const row = (it) => html`<tr>
    <th scope="row">
      ${nameOf(it.ocean)} ${chip(it.clause)}
      <small>${it.uses.join(", ") || (it.used ? `${it.used} carry something already` : "")}</small>
    </th>
    <td><b>${it.needed}</b></td>
    <td>${number(it.free + it.needed, `${it.ocean}_transports`, [], `${nameOf(it.ocean)} transports free`)}</td>
    <td class="ships">
      ${Array.from({ length: it.used + it.needed }, () => ship("used"))}
      ${Array.from({ length: Math.max(0, it.free) }, () => ship("free"))}
    </td>
  </tr>`;
  return html`<section>
    <table class="sides-table transports">
      <thead><tr><th scope="col">Transports</th><th scope="col">Needed</th><th scope="col">Free</th><td /></tr></thead>
      <tbody>${sheet.plan.oceans.map(row)}</tbody>
    </table>
    <p class="quiet">
      ${words.transports} ${chip(cited("transports"))}
      ${sheet.plan.shared
        ? [` Grants that share boxes save ${sheet.plan.shared} `, chip(cited("shared transports"))]
        : null}
    </p>
  </section>`;
}

// -- the plan -----------------------------------------------------------------------------------------------------

async function send() {
  const rest = [...plan.value];
  while (rest.length) {
    try {
      await perform("/do", rest[0]);
    } catch (error) {
      tellTrouble(error);
      break;
    }
    rest.shift();
    if (store.view.position.waits.length) break;
  }
  plan.value = rest;
  if (rest.length && store.view.position.waits.length) toast("The rest of the plan waits for the answer.");
}

/** Leave the planned grants as standing orders of those who grant, beside what they were left to before. */
async function stand() {
  const line = ({ to, by, through, port, brp }) => ({ to, by, most: brp, ...(through ? { through } : {}), ...(port ? { port } : {}) });
  await attempt(async () => {
    for (const power of new Set(plan.value.map((it) => it.power))) {
      await leaveLine(power, { aid: plan.value.filter((it) => it.power === power).map(line) });
      toast(`${nameOf(power)} grants like this from now on; Plans shows its standing order.`);
    }
    plan.value = [];
  });
}

function planBar(sheet) {
  const { lines, brp } = sheet.plan;
  if (!lines.length) return null;
  const wrong = lines.filter((l) => l.why_not.length);
  const drop = (i) => () => (plan.value = plan.value.toSpliced(i, 1));
  const mine = lines.every((l) => me().powers.includes(l.power)) && live();
  // A convoy is an operation of its own; only what a road carries by itself can be left standing.
  const standing = mine && plan.value.every((it) => it.do === "grant");
  const waits = store.view.position.waits.length > 0;
  const why = waits ? "something is under way: first its answer" : !sheet.now ? `${words.when}: ${sheet.next[lines[0].power]}` : !mine ? "not all of them are yours" : "";
  return html`<div class=${`plan-bar${wrong.length ? " wrong" : ""}`} role="status">
    <div>
      <strong>
        ${several(lines.length, "grant")}, ${several(brp, "BRP")}, planned and not sent.${" "}
      </strong>
      <ul>
        ${lines.map((l, i) => html`<li>
          ${seal(l.power)} ${l.brp} to ${nameOf(l.to)} by ${roadName(l.road)}${" "}
          ${l.why_not.length > 0 && html`<span class="deny">${l.why_not[0].text} </span>${chip(l.why_not[0].clause, true)}`}
          <button class="plain small" aria-label=${`Take ${l.brp} to ${nameOf(l.to)} off the plan`} onclick=${drop(i)}>
            ×
          </button>
        </li>`)}
      </ul>
      ${standing && html`<button class="link" id="stand-by-plan"
        title="As much is granted in every turn in which the road carries it" onclick=${stand}>
        Make it a standing order
      </button>`}
      ${why && html`<span class="quiet">${capital(why)}.</span>`}
    </div>
    <button class="main" id="send-plan" disabled=${Boolean(why) || wrong.length > 0} onclick=${send}>
      Send ${lines.length === 1 ? "it" : `${lines.length} grants`}
    </button>
  </div>`;
}

// -- the other readings -------------------------------------------------------------------------------------------

function cutting(sheet) {
  const line = (it) => html`
    <h3>${it.name} ${road(it)}</h3>
    <ul class="prospects">
      ${(it.state === "closed" ? it.why_not : it.would_cut).map((told) => html`<li>${told.text} ${chip(told.clause, it.state === "closed")}</li>`)}
      ${it.lines.filter((l) => l.cut?.length).map((l) => html`<li class="quiet">${l.text}: cut at ${l.cut.map((k) => k.split("/")[1]).join(", ")} ${chip(l.clause)}</li>`)}
    </ul>
  `;
  return html`<div class="cutting">${sheet.roads.map((it) => html`<section>${line(it)}</section>`)}</div>`;
}

function byTurn(rows) {
  if (!rows.length) return html`<p class="quiet">No BRPs have been granted in this game yet.</p>`;
  return plain(rows.map((r) => html`<tr>
    <td>${r.turn}</td><td>${nameOf(r.power)}</td><td>${nameOf(r.to)}</td>
    ${[r.granted, r.received, r.returned].map((n) => html`<td class="r">${n || "·"}</td>`)}
  </tr>`), ["Turn", "From", "To", "Granted", "Received", "Returned"]);
}

async function ask() {
  const found = await table.post("/aid", { plan: plan.value, at: store.at });
  const convoy = found.convoy && { ...found.convoy, drawn: found.convoy_drawn };
  showConvoy(convoy);
  return { ...found, convoy };
}

function draw({ page, convoy, strips, by_turn: turns, words: said }) {
  words = said;
  const mine = me().powers.filter((p) => page.next[p]);
  const mover = mine.find((p) => position().moving.includes(p)) ?? mine[0] ?? "usa";
  const next = page.now
    ? "They may be made now"
    : position().waits.length ? "One is under way: first its answer" : `Next chance: ${page.next[mover]}`;
  const modes = switcher("What is shown", MODES, mode.value, (to) => (mode.value = to));
  return html`
    ${pageHead("Aid", ["Grants of this phase and the roads they take ", chip(cited("grants")), ` ${next}.`], modes)}
    ${convoy && html`<section class="panel convoy inline">${convoyParts(convoy, "convoy-inline")}</section>`}
    ${mode.value === "cut" && cutting(page)}${mode.value === "turns" && byTurn(turns)}
    ${mode.value === "phase" && html`
      <div class="strips">${strips.map((s) => strip(s, page))}</div>
      ${matrix(page)}${planner(page)}
      <div class="aid-columns">${sides(page)}${transports(page)}</div>
    `}
    ${planBar(page)}
  `;
}

export const sheet = { ask, draw };
