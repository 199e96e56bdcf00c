// Aid: the roads on strips of the map, who may grant to whom, a plan with what it comes to, and sending it.

import { $, capital, chip, fill, h, isPower, nameOf, number, seal, signed, toast } from "./dom.js";
import { cited, table, Trouble } from "./api.js";
import { STRIPS, drawStrip } from "./aid-map.js";
import { convoyParts, showConvoy } from "./convoy.js";
import { openCommand } from "./order.js";
import { leaveLine } from "./plan-minders.js";
import { showRefusal, tellTrouble } from "./refusal.js";
import { live, me, perform, position, store } from "./store.js";

let mode = "phase";
// Grants that are thought of and not sent, as orders.
let plan = [];
let chosen = null;

const sheetOf = () => table.post("/aid", { plan, ...(store.at === null ? {} : { at: store.at }) });

const STATES = { open: "open", closed: "not open", "used up": "used up", "under way": "under way" };


function reasons(told, deny) {
  return told.flatMap((it, i) => [`${i ? "; " : ""}${i ? it.text : capital(it.text)} `, chip(it.clause, deny)]);
}

function road(it) {
  return h(
    "span",
    { className: `road-state ${it.state.replace(" ", "-")}` },
    it.id === "murmansk" && it.state === "under way" ? "convoy under way" : STATES[it.state],
  );
}

function capacity(it, planned) {
  if (!it.capacity) return h("span", { className: "carries" }, number(0, it.rule, it.args, `${it.name} carries`));
  return h(
    "span",
    { className: "carries" },
    h("b", {}, String(it.used + planned)),
    " of ",
    number(it.capacity, it.rule, it.args, `${it.name} carries`),
  );
}

/** What stands under a strip: why each of its roads is open or not. */
function notes(roads) {
  return roads.flatMap((it, i) => [
    i ? h("b", { className: it.state === "closed" ? "deny" : "" }, `${it.name}: `) : null,
    ...(it.state === "closed" ? reasons(it.why_not.slice(0, 1), true) : reasons(it.because, false)),
    ". ",
    it.state !== "closed" && it.oil ? h("span", { className: "quiet" }, `Oil ${it.oil_used ?? 0} of ${it.oil} `, chip(cited("oil")), " ") : null,
    it.state !== "closed" && it.hangs_on?.length ? h("span", { className: "hangs" }, `Hangs on ${hanging(it)}. `) : null,
  ]);
}

const hanging = (it) => it.would_cut.find((told) => told.text.startsWith("the loss of"))?.text.replace("the loss of ", "");

/** A road inside a sentence: a name, but for a way by land. */
const roadName = (road) => (road === "land" ? road : nameOf(road));

// Strips are painted when they have a size, and again when that or the theme changes.
let redraw = [];
const paintStrips = () => requestAnimationFrame(() => redraw.forEach((paint) => paint()));
document.addEventListener("theme", paintStrips);
addEventListener("resize", paintStrips);

function strip(one, sheet, convoy) {
  const thought = (id) => sheet.plan.lines.filter((l) => l.road === id && !l.why_not.length).reduce((n, l) => n + l.brp, 0);
  const mine = one.roads.map((id) => ({ ...sheet.roads.find((r) => r.id === id), planned: thought(id) }));
  const [first] = mine;
  const canvas = h("canvas", { role: "img", "aria-label": `Map of ${mine.map((r) => `${r.name}, ${r.state}`).join("; ")}` });
  redraw.push(() => drawStrip(canvas, one, mine, convoy));
  return h(
    "section",
    { className: `strip ${one.id.replace(" ", "-")}` },
    h("header", {}, h("h3", {}, first.name), road(first), capacity(first, first.planned)),
    canvas,
    h("p", {}, notes(mine)),
  );
}

// -- who may grant to whom ----------------------------------------------------------------------------------------

const planned = (sheet, power, to) => sheet.plan.lines.filter((l) => l.power === power && l.to === to);

function cell(sheet, it, el) {
  const mine = planned(sheet, it.power, it.to);
  const sum = mine.reduce((n, l) => n + l.brp, 0) + it.sent;
  if (it.why_not.length && !sum)
    return h(
      "td",
      { className: "no" },
      h(
        "button",
        {
          type: "button",
          className: "why-not",
          "aria-label": `Why may ${nameOf(it.power)} not grant to ${nameOf(it.to)}?`,
          onclick: () =>
            showRefusal({ sentence: `${nameOf(it.power)} grants to ${nameOf(it.to)}`, refusals: it.why_not, checked: [] }),
        },
        "⊘",
      ),
      chip(it.why_not[0].clause, true),
      h("small", {}, it.why_not[0].text),
    );
  const went = it.sent ? [`${it.sent} sent`] : [];
  const by = mine.length ? [...went, ...mine.map((l) => `${l.brp} by ${roadName(l.road)}`)].join(", ") : "";
  const left = it.sent ? `${it.sent} sent, ${it.most} more` : `up to ${it.most}`;
  return h(
    "td",
    { className: sum ? "planned" : "" },
    h(
      "button",
      {
        type: "button",
        className: "grant",
        dataset: { pair: `${it.power} ${it.to}` },
        "aria-label": `${nameOf(it.power)} to ${nameOf(it.to)}: ${sum} of ${it.most} at most; plan a grant`,
        "aria-expanded": String(chosen === `${it.power} ${it.to}`),
        onclick: () => {
          chosen = chosen === `${it.power} ${it.to}` ? null : `${it.power} ${it.to}`;
          showAid(el);
        },
      },
      String(sum),
    ),
    " ",
    it.by[0] ? chip(it.by[0]) : null,
    h("small", {}, by || left),
  );
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

const unlisted = (run) =>
  h(
    "td",
    { className: "no", colSpan: run.length },
    h("span", { className: "why-not", "aria-hidden": "true" }, "⊘ "),
    chip(run[0].why_not[0].clause, true),
    h("small", {}, run.length > 1 ? `not listed: ${run.map((c) => nameOf(c.to)).join(", ")}` : run[0].why_not[0].text),
  );

function matrix(sheet, el) {
  const grantors = [...new Set(sheet.cells.map((c) => c.power))].filter((p) =>
    sheet.cells.some((c) => c.power === p && c.ways.length),
  );
  const to = [...new Set(sheet.cells.map((c) => c.to))];
  const row = (power) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, seal(power), nameOf(power)),
      runs(to.map((it) => sheet.cells.find((c) => c.power === power && c.to === it))).map((run) =>
        !run[0] ? h("td", { className: "self" }) : run[0].ways.length ? cell(sheet, run[0], el) : unlisted(run),
      ),
    );
  return h(
    "div",
    { className: "sheet-scroll", tabIndex: 0, role: "region", "aria-label": "Who may grant to whom" },
    h(
      "table",
      { className: "pairs" },
      h(
        "thead",
        {},
        h("tr", {}, h("td", {}, "grants ↓ to →"), to.map((p) => h("th", { scope: "col" }, isPower(p) ? seal(p) : null, nameOf(p)))),
      ),
      h("tbody", {}, grantors.map(row)),
    ),
    h(
      "p",
      { className: "never" },
      "May not grant: ",
      sheet.never.map((it) => [seal(it.power), ` ${nameOf(it.power)} `, chip(it.clause, true), " "]),
    ),
  );
}

/** The ways of the pair that was chosen, and how much shall go by one of them. */
function planner(sheet, el) {
  if (!chosen) return null;
  const [power, to] = chosen.split(" ");
  const pair = sheet.cells.find((c) => c.power === power && c.to === to);
  if (!pair) return null;
  const open = pair.ways.filter((w) => !w.why_not.length);
  const add = (event) => {
    event.preventDefault();
    const { way, brp } = event.target.elements;
    const it = pair.ways[Number(way.value)];
    const known = Object.fromEntries(Object.entries(it.known).filter(([, v]) => v !== "" && v !== 0 && !(Array.isArray(v) && !v.length)));
    plan.push({ do: it.command, ...known, power, brp: Number(brp.value) });
    chosen = null;
    showAid(el);
  };
  const line = (it, i) =>
    h(
      "label",
      { className: it.why_not.length ? "way no" : "way" },
      h("input", { type: "radio", name: "way", value: String(i), disabled: it.why_not.length > 0, checked: it === open[0] }),
      h("span", {}, it.text.replace(/^./, (c) => c.toUpperCase())),
      it.why_not.length
        ? h("small", {}, `${it.why_not[0].text} `, chip(it.why_not[0].clause, true))
        : h(
            "small",
            {},
            `up to ${it.most} `,
            it.by.map((c) => chip(c)),
            Object.entries(it.transports).length
              ? ` transports: ${Object.entries(it.transports)
                  .map(([ocean, n]) => `${n} ${nameOf(ocean)}`)
                  .join(", ")}`
              : "",
          ),
    );
  const whole = () => {
    const it = open[0];
    openCommand(it.command, { power, ...(it.command === "grant" ? { to, by: it.known.by } : {}) });
  };
  return h(
    "form",
    { className: "planner", onsubmit: add, "aria-label": `Plan a grant from ${nameOf(power)} to ${nameOf(to)}` },
    h("strong", {}, seal(power), ` ${nameOf(power)} to ${nameOf(to)}`),
    h("div", { className: "ways" }, pair.ways.map(line)),
    h(
      "div",
      { className: "row" },
      h("label", {}, "BRPs ", h("input", { type: "number", name: "brp", min: "1", max: String(pair.most), value: String(pair.most) })),
      h("button", { type: "submit", className: "small main", disabled: !open.length }, "Plan it"),
      h("button", { type: "button", className: "small", disabled: !open.length, onclick: whole }, "Oil, escorts: the whole order"),
    ),
  );
}

// -- both sides, transports ---------------------------------------------------------------------------------------

function sides(sheet) {
  const change = (before, after) =>
    h("td", { className: after > before ? "plus" : after < before ? "minus" : "quiet" }, after === before ? "·" : signed(after - before));
  const stands = (it) =>
    sheet.plan.lines.length && (it.level_stands !== it.level || it.limit_stands !== it.limit) ? `${it.level_stands} and ${it.limit_stands} as it stands` : "";
  const told = (it) =>
    [it.grants ? `grants ${it.grants}` : "", it.receives ? `receives ${it.receives}` : "", stands(it)].filter(Boolean).join(", ");
  const after = sheet.plan.lines.length ? "with the plan" : "as it stands";
  return h(
    "section",
    {},
    h(
      "table",
      { className: "sides-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Both sides"),
          h("th", { scope: "col", colSpan: 3 }, "level ", chip(cited("grant level")), h("small", {}, `now, ${after}`)),
          h("th", { scope: "col", colSpan: 3 }, "limit, 1 for 3", h("small", {}, `now, ${after}`)),
          h("td"),
        ),
      ),
      h(
        "tbody",
        {},
        sheet.plan.sides.map((it) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, seal(it.power), nameOf(it.power)),
            h("td", {}, number(it.level, "level", [it.power], `${nameOf(it.power)}, level`)),
            change(it.level, it.level_after),
            h("td", {}, h("b", {}, String(it.level_after))),
            h("td", {}, number(it.limit, "construction_limit", [it.power], `${nameOf(it.power)}, construction limit`)),
            change(it.limit, it.limit_after),
            h("td", {}, h("b", {}, String(it.limit_after))),
            h("td", { className: "quiet" }, told(it)),
          ),
        ),
      ),
    ),
  );
}

const ship = (state) =>
  h("i", { className: `ship ${state}`, "aria-hidden": "true" });

function transports(sheet) {
  const row = (it) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        `${nameOf(it.ocean)} `,
        chip(it.clause),
        h("small", {}, it.uses.join(", ") || (it.used ? `${it.used} carry something already` : "")),
      ),
      h("td", {}, h("b", {}, String(it.needed))),
      h("td", {}, number(it.free + it.needed, `${it.ocean}_transports`, [], `${nameOf(it.ocean)} transports free`)),
      h(
        "td",
        { className: "ships" },
        Array.from({ length: it.used + it.needed }, () => ship("used")),
        Array.from({ length: Math.max(0, it.free) }, () => ship("free")),
      ),
    );
  return h(
    "section",
    {},
    h(
      "table",
      { className: "sides-table transports" },
      h(
        "thead",
        {},
        h("tr", {}, h("th", { scope: "col" }, "Transports"), h("th", { scope: "col" }, "Needed"), h("th", { scope: "col" }, "Free"), h("td")),
      ),
      h("tbody", {}, sheet.plan.oceans.map(row)),
    ),
    h(
      "p",
      { className: "quiet" },
      "One for five BRPs, rounded up ",
      chip(cited("transports")),
      sheet.plan.shared ? [` Grants that share boxes save ${sheet.plan.shared} `, chip(cited("shared transports"))] : null,
    ),
  );
}

// -- the plan -----------------------------------------------------------------------------------------------------

async function send(el) {
  const rest = [...plan];
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
  plan = rest;
  if (rest.length && store.view.position.waits.length) toast("The rest of the plan waits for the answer.");
  showAid(el);
}

/** Leave the planned grants as standing orders of those who grant, beside what they were left to before. */
async function stand(el) {
  const line = ({ to, by, through, port, brp }) => ({ to, by, most: brp, ...(through ? { through } : {}), ...(port ? { port } : {}) });
  try {
    for (const power of new Set(plan.map((it) => it.power))) {
      await leaveLine(power, { aid: plan.filter((it) => it.power === power).map(line) });
      toast(`${nameOf(power)} grants like this from now on; Plans shows its standing order.`);
    }
    plan = [];
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
  showAid(el);
}

function planBar(sheet, el) {
  const { lines, brp } = sheet.plan;
  if (!lines.length) return null;
  const wrong = lines.filter((l) => l.why_not.length);
  const drop = (i) => () => {
    plan.splice(i, 1);
    showAid(el);
  };
  const mine = lines.every((l) => me().powers.includes(l.power)) && live();
  // A convoy is an operation of its own; only what a road carries by itself can be left standing.
  const standing = mine && plan.every((it) => it.do === "grant");
  const waits = store.view.position.waits.length > 0;
  const why = waits ? "something is under way: first its answer" : !sheet.now ? `grants are made in supply determination: ${sheet.next[lines[0].power]}` : !mine ? "not all of them are yours" : "";
  return h(
    "div",
    { className: `plan-bar${wrong.length ? " wrong" : ""}`, role: "status" },
    h(
      "div",
      {},
      h("strong", {}, `${lines.length} grant${lines.length === 1 ? "" : "s"}, ${brp} BRPs, ${lines.length === 1 ? "is" : "are"} planned and not sent. `),
      h(
        "ul",
        {},
        lines.map((l, i) =>
          h(
            "li",
            {},
            seal(l.power),
            ` ${l.brp} to ${nameOf(l.to)} by ${roadName(l.road)} `,
            l.why_not.length ? [h("span", { className: "deny" }, `${l.why_not[0].text} `), chip(l.why_not[0].clause, true)] : null,
            h("button", { type: "button", className: "plain small", "aria-label": `Take ${l.brp} to ${nameOf(l.to)} off the plan`, onclick: drop(i) }, "×"),
          ),
        ),
      ),
      standing ? h("button", { type: "button", className: "link", id: "stand-by-plan", title: "As much is granted in every turn in which the road carries it", onclick: () => stand(el) }, "Make it a standing order") : null,
      why ? h("span", { className: "quiet" }, `${why.replace(/^./, (c) => c.toUpperCase())}.`) : null,
    ),
    h(
      "button",
      { type: "button", className: "main", id: "send-plan", disabled: Boolean(why) || wrong.length > 0, onclick: () => send(el) },
      `Send ${lines.length === 1 ? "it" : `${lines.length} grants`}`,
    ),
  );
}

// -- the other readings -------------------------------------------------------------------------------------------

function cutting(sheet) {
  const line = (it) => [
    h("h3", {}, it.name, " ", road(it)),
    h(
      "ul",
      { className: "prospects" },
      (it.state === "closed" ? it.why_not : it.would_cut).map((told) => h("li", {}, `${told.text} `, chip(told.clause, it.state === "closed"))),
      it.lines.filter((l) => l.cut?.length).map((l) => h("li", { className: "quiet" }, `${l.text}: cut at ${l.cut.map((k) => k.split("/")[1]).join(", ")} `, chip(l.clause))),
    ),
  ];
  return h("div", { className: "cutting" }, sheet.roads.map((it) => h("section", {}, line(it))));
}

function byTurn(rows) {
  if (!rows.length) return h("p", { className: "quiet" }, "No BRPs have been granted in this game yet.");
  return h(
    "table",
    { className: "plain-table by-turn" },
    h("thead", {}, h("tr", {}, ["Turn", "From", "To", "Granted", "Received", "Returned"].map((t) => h("th", { scope: "col" }, t)))),
    h(
      "tbody",
      {},
      rows.map((r) =>
        h(
          "tr",
          {},
          h("td", {}, r.turn),
          h("td", {}, nameOf(r.power)),
          h("td", {}, nameOf(r.to)),
          [r.granted, r.received, r.returned].map((n) => h("td", { className: "r" }, n || "·")),
        ),
      ),
    ),
  );
}

export async function showAid(el) {
  const { page, convoy, by_turn: turns } = await sheetOf();
  if (document.body.dataset.view !== "aid") return;
  showConvoy(convoy);
  const pick = (m, text) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": String(mode === m),
        onclick: () => {
          mode = m;
          showAid(el);
        },
      },
      text,
    );
  const mine = me().powers.filter((p) => page.next[p]);
  const mover = mine.find((p) => position().moving.includes(p)) ?? mine[0] ?? "usa";
  const next = page.now
    ? "They may be made now"
    : store.view.position.waits.length
      ? "One is under way: first its answer"
      : `Next chance: ${page.next[mover]}`;
  const scrolled = el.scrollTop;
  redraw = [];
  const first = !$(".aid", el);
  fill(
    el,
    h(
      "header",
      { className: "aid" },
      h(
        "div",
        {},
        h("h2", { className: "page", tabIndex: -1 }, "Aid"),
        h("p", { className: "quiet" }, "Grants of this phase and the roads they take ", chip(cited("grants")), ` ${next}.`),
      ),
      h(
        "div",
        { className: "switch", role: "group", "aria-label": "What is shown" },
        pick("phase", "This phase"),
        pick("turns", "By turn"),
        pick("cut", "What would cut it"),
      ),
    ),
    convoy ? h("section", { className: "panel convoy inline" }, convoyParts(convoy, "convoy-inline")) : null,
    mode === "cut" ? cutting(page) : null,
    mode === "turns" ? byTurn(turns) : null,
    mode === "phase"
      ? [
          h("div", { className: "strips" }, STRIPS.map((s) => strip(s, page, convoy))),
          matrix(page, el),
          planner(page, el),
          h("div", { className: "aid-columns" }, sides(page), transports(page)),
        ]
      : null,
    planBar(page, el),
  );
  el.scrollTop = scrolled;
  paintStrips();
  // Another's move renews the page; whoever fills in a form meanwhile is left alone.
  if (first && $("#order").hidden) $("h2", el).focus({ preventScroll: true });
  else if (chosen) {
    $(".planner", el)?.scrollIntoView({ block: "nearest" });
    $(".planner input[name=brp]", el)?.focus({ preventScroll: true });
  }
}
