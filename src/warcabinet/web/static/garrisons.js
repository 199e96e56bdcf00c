// Manchuria and Siberia side by side: every counter with its BRPs, what may leave, transfers, declarations of war.

import { cited } from "./api.js";
import { capital, nameOf } from "./dom.js";
import { counter, onCanvas } from "./map/counters.js";
import { pictureOf } from "./map/picture.js";
import { jump } from "./topbar.js";
import { chip, html, number, seal, signal, switcher } from "./ui.js";

const EDGE = 32;
const BAR = 50;
/** Whether the page shows what would follow if a counter left. */
const supposing = signal(false);

const TITLES = { armor: "Armor", infantry: "Infantry", "army air": "Army air", others: "Others" };

/** One counter on a small canvas; air factors lie together, a ghost is one that left. */
function piece(power, unit, count, ghost) {
  const paint = (ctx) => {
    if (ghost) ctx.globalAlpha = 0.45;
    counter(ctx, 2, 2, EDGE, { nation: power, unit: count > 1 ? `${unit} ${count}` : unit });
  };
  return onCanvas(EDGE + 4, 2, paint, "piece");
}

/** The counters of a line, each with what it is worth under it; those of the air together. */
function counters(side, unit) {
  const free = unit.may_leave ? `${unit.may_leave} may leave` : "none may leave";
  const facts = [`${unit.count} ${unit.unit}, ${unit.place_name}: ${unit.brp} BRPs, ${free}`, unit.held, unit.why_not];
  const told = supposing.value ? `One less: ${unit.if_left}` : facts.filter(Boolean).join("; ");
  return unit.worth.map(([count, brp]) => html`<figure class=${`held${unit.may_leave ? "" : " bound"}`} title=${told}>
    ${piece(side.power, unit.unit, count)}<figcaption>${brp}</figcaption>
  </figure>`);
}

/** A counter that left while its type is short, as a ghost. */
const departed = (side, it) => html`<figure class="held departed" title=${it.text}>
  ${piece(side.power, it.unit, 1, true)}<figcaption><s>${it.factors}</s></figcaption>
</figure>`;

function typeRow(side, row) {
  const short = row.factors < row.needed;
  return html`<div class="type-row">
    <div class="type-head">
      <h4>${TITLES[row.type]}</h4>
      ${row.full
        ? html`<p>
          ${number(row.factors, "garrison_factors", [side.garrison, row.type], `${TITLES[row.type]} factors`, "plain")}
          ${" "}of ${row.needed} factors ${chip(row.clause)}
        </p>`
        : html`<p>in value only ${chip(row.clause)}</p>`}
    </div>
    <div class="pieces">${row.units.map((it) => counters(side, it))}${row.gone.map((it) => departed(side, it))}</div>
    <strong class="sum">${row.brp}</strong>
    ${row.told && html`<p class=${short ? "told short" : "told"}>${capital(row.told)}.</p>`}
    ${row.lately && html`<p class="told short">${row.lately}</p>`}
    ${supposing.value && html`<ul class="told supposed">
      ${row.units.map((it) => html`<li>One ${it.unit} from ${it.place_name}: ${it.if_left}</li>`)}
    </ul>`}
  </div>`;
}

function bar(side) {
  const at = (value) => `${(100 * Math.min(value, BAR)) / BAR}%`;
  return html`<div class="garrison-bar" role="img" aria-label=${`${side.value} of ${side.full} BRPs`}>
    <div class="level"><span class="fill" share=${at(side.value)} /></div>
    ${side.marks.map((it) => html`<span class="mark" share=${at(it.at)} title=${it.clause}><b>${it.at}</b> ${it.text}</span>`)}
  </div>`;
}

const sideCard = (side) => html`<section class=${`garrison-card ${side.power}`} aria-label=${side.title}>
  <div class=${`pattern ${side.power}`} />
  <header>
    ${seal(side.power)}
    <div><h3>${side.title}</h3><p>${nameOf(side.power)}. ${side.where}</p></div>
    <div class="worth">
      ${number(side.value, "garrison_value", [side.garrison], `${side.title}, BRPs`)}
      <p>of ${side.full} BRPs</p>
    </div>
  </header>
  ${bar(side)}${side.rows.map((row) => typeRow(side, row))}
  <div class="type-row total">
    <p>Value, unit by unit ${chip(cited("garrison value"))}</p>
    ${number(side.value, "garrison_value", [side.garrison], "Value, unit by unit")}
  </div>
  <ul class="may">
    ${side.lines.map((it) => html`<li class=${`is-${it.state}`}>${it.text} ${chip(it.clause, it.state === "no")}</li>`)}
  </ul>
</section>`;

const transfer = (it) => html`<div class="transfer">
  <header>
    ${seal("russia")}
    <h4>${capital(it.text)}</h4>
    ${chip(it.clause)}<span>ends in ${it.ends}</span>
  </header>
  <ol class="moments">
    ${it.moments.map((m) => html`<li class=${m.state}><b>${m.when}</b>${m.step && html`<small>${m.step}</small>`}<p>${m.text}</p></li>`)}
  </ol>
  <p class="quiet">Averted by ${it.averted_by}.</p>
</div>`;

const declaration = (it) => html`<div class="declaration">
  <header>
    ${seal(it.power)}
    <h4>${nameOf(it.power)} on ${nameOf(it.on)}</h4>
    ${number(it.cost, "declaration_cost", [it.power, it.on], "Cost in BRPs")} BRPs ${chip(it.clause)}
  </header>
  ${it.conditions.map((c) => html`<div class=${c.met ? "condition met" : "condition"}>
    <b>${c.met ? "yes" : "no"}</b>
    <p>${c.text}${c.detail && html`<small>${c.detail}</small>`}</p>
    ${chip(c.clause, !c.met)}
  </div>`)}
  <p class="quiet">${it.next_chance}.</p>
</div>`;

const urals = (it) => html`<p class="quiet">
  ${it.inside} Russian ground factors in it, ${it.beside} of the enemy beside it; Russia would lose ${it.loss} BRPs${" "}
  ${chip(cited("urals loss"))}, its construction limit of ${it.limit} is lower by ${it.reduction}${" "}
  ${chip(cited("urals limit"))}. Room for its air units: ${it.basing} ${chip(cited("urals air"))}
</p>`;

export const garrisonPage = (page, ref) => html`<div class="country garrisons" key="garrisons" ref=${ref}>
  <header>
    <h2 tabIndex="-1">Manchuria and Siberia</h2>
    <span class="pill">${page.standing}</span><span class="quiet counted">${page.counted} ${chip(page.clause)}</span>
    ${switcher("What is shown", [[false, "Now"], [true, "If a unit left…"]], supposing.value, (on) => (supposing.value = on))}
    <button class="push" onclick=${() => jump("Harbin")}>Show on map</button>
  </header>
  ${!page.known && html`<p class="quiet">The units of one garrison or both are not on the boards: nothing is counted.</p>`}
  <div class="garrison-pair">${sideCard(page.manchuria)}${sideCard(page.siberia)}</div>
  <div class="garrison-pair">
    <img class="garrison-map" src=${pictureOf({ around: "pacific/F27" })} alt="Map of Manchuria and Siberia" />
    <div>
      <h3>Transfers under way</h3>
      ${page.transfers.length ? page.transfers.map(transfer) : html`<p class="quiet">None.</p>`}
      <h3>Declarations of war</h3>
      ${page.declarations.length
        ? html`<div class="declarations">${page.declarations.map(declaration)}</div>`
        : html`<p class="quiet">The two are at war.</p>`}
      <h3>Urals box</h3>
      ${urals(page.urals)}
    </div>
  </div>
</div>`;
