// Who minds which power: stewards, standing orders, and advice for the moment.

import { fill, h, nameOf, seal, toast } from "./dom.js";
import { table } from "./api.js";
import { perform } from "./store.js";

const units = (how) => how.split(",").map((it) => it.trim()).filter(Boolean);
/** Plans of one line: what a form says, what it takes, and what is sent. */
const LINES = {
  build: ["builds like this, and nothing else", "armor 4-6, infantry 3-3", (how) => ({ build: units(how) })],
  mobilize: ["mobilizes like this", "army air, infantry 1-3", (how) => ({ mobilize: units(how) })],
  pass: ["passes until the end of", "Winter 1940", (how) => ({ pass_until: how.trim() })],
};
let advice = null;
const begun = { whose: "", what: "build", how: "" };

export const leaveLine = (power, line) => table.post(`/minders/${power}/line`, line);

/** What a power's steward or its own plan would do now; asked for anywhere, shown on the page of plans. */
export async function suggest(whose) {
  advice = await table.get("/suggest", { power: whose });
}

function advised(page, attempt) {
  if (!advice) return null;
  const give = () =>
    attempt(async () => {
      const shown = page.minders.find((it) => it.power === advice.power);
      if (shown?.minded) await table.post(`/minders/${advice.power}/give`);
      else for (const order of advice.orders) await perform("/do", order.command);
      toast(`${advice.orders.length} order${advice.orders.length === 1 ? "" : "s"} given.`);
      advice = null;
    });
  const change = (name, it) => (it.stands === it.becomes ? `${name} ${it.stands}` : `${name} ${it.stands} → ${it.becomes}`);
  return h(
    "div",
    { className: "advice", role: "status" },
    h("h3", {}, seal(advice.power), ` What ${nameOf(advice.power)} would do now`),
    advice.orders.length ? h("ol", {}, advice.orders.map((o) => h("li", {}, o.text, " ", h("small", { className: "quiet" }, o.why)))) : h("p", {}, "Nothing at this moment."),
    advice.stuck ? h("p", { className: "deny" }, `No answer: ${advice.stuck}`) : null,
    h("p", { className: "quiet" }, `At the next year start, as it stands: ${change("base", advice.base)}, ${change("total", advice.total)}.`),
    advice.orders.length ? h("button", { type: "button", className: "push", onclick: give }, "Give these orders") : null,
  );
}

function line(it, attempt, text) {
  const leave = (body) => attempt(() => table.put(`/minders/${it.power}`, body));
  const small = (label, onclick, more = {}) => [h("button", { type: "button", className: "small", onclick, ...more }, label), " "];
  const by = it.own_plan ? "a standing order" : "its steward";
  const how = it.minded ? `${by}${it.mode === "show" ? ", which only shows" : ""}, since ${it.by} left it so` : it.seat ? `by hand: ${it.seat}` : "nobody";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, seal(it.power), ` ${it.name}`),
    h(
      "td",
      {},
      how,
      it.text ? h("details", { className: "small" }, h("summary", {}, "What it says"), h("pre", {}, it.text)) : null,
      it.stopped ? h("p", { className: "deny small" }, `Stopped: ${it.stopped} `, it.mine && it.minded ? small("Go on", () => leave({ text: it.text, mode: it.mode }), { title: "It acts again from here" }) : null) : null,
      it.mine
        ? h(
            "div",
            { className: "row" },
            small("Steward", () => leave({ mode: "act" })),
            small("Shown first", () => leave({ mode: "show" }), { title: "It shows its orders, and gives them when you say so" }),
            small("This plan", () => leave({ text: text(), mode: "act" }), { title: "The plan that is written above, as a standing order" }),
            it.minded ? small("By hand", () => attempt(() => table.drop(`/minders/${it.power}`))) : null,
            small("Suggest", () => attempt(() => suggest(it.power)), { dataset: { suggest: it.power } }),
          )
        : null,
    ),
  );
}

/** A plan of one line, by a form: what to mobilize or build, or to pass until a turn. */
function oneLine(mine, attempt) {
  if (!mine.length) return null;
  const whose = h("select", { "aria-label": "Power", id: "line-whose" }, mine.map((it) => h("option", { value: it.power }, it.name)));
  const what = h("select", { "aria-label": "Standing order", id: "line-what" }, Object.entries(LINES).map(([id, [label]]) => h("option", { value: id }, label)));
  const how = h("input", { type: "text", maxLength: 200, placeholder: LINES[begun.what][1], "aria-label": "How", id: "line-how" });
  // What was begun outlives a drawing that comes in between.
  if (mine.some((it) => it.power === begun.whose)) whose.value = begun.whose;
  what.value = begun.what;
  how.value = begun.how;
  const keep = () => {
    Object.assign(begun, { whose: whose.value, what: what.value, how: how.value });
    how.placeholder = LINES[begun.what][1];
  };
  const leave = (event) => {
    event.preventDefault();
    attempt(async () => {
      await leaveLine(whose.value, LINES[what.value][2](how.value || how.placeholder));
      toast(`${nameOf(whose.value)} is left to a standing order.`);
      begun.how = "";
    });
  };
  return h("form", { className: "one-line", onsubmit: leave, oninput: keep }, whose, " ", what, " ", how, " ", h("button", { type: "submit", className: "small", id: "leave-order" }, "Leave it so"));
}

/** The section; `work` does something and then reads the page anew, `text` is the plan that is written. */
export function minders(page, work, text) {
  const mine = page.minders.filter((it) => it.mine);
  const box = h("section", { className: "minders" });
  return fill(
    box,
    h("h3", {}, "Stewards and standing orders"),
    advised(page, work),
    oneLine(mine, work),
    h(
      "p",
      { className: "quiet small" },
      "A steward keeps economy, mobilization, construction, aid, garrisons and duties; it never invents combat. A standing order of one line does what it names and leaves the rest to you. The log says of each order who gave it, and why; where one has no answer or is refused, it stops and you are told.",
    ),
    h("table", { className: "plain-table" }, h("tbody", {}, page.minders.map((it) => line(it, work, text)))),
  );
}
