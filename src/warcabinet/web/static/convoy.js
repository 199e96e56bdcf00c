// A grant under way, beside the aid page: what is afloat, hex by hex, whose answer is awaited, what it would come to.

import { $, chip, fill, h, nameOf, seal, signed, toast } from "./dom.js";
import { cited, Trouble } from "./api.js";
import { openOrder } from "./order.js";
import { live, me, perform, position, subscribe } from "./store.js";

let sheet = null;

const face = (n) =>
  h("span", { className: "die", title: `die ${n}`, "aria-label": `die ${n}`, role: "img" }, "⚀⚁⚂⚃⚄⚅".charAt(n - 1));

function hexes(it) {
  if (!it.hexes.length) return null;
  return h(
    "ol",
    { className: "attack-hexes", "aria-label": "The six hexes off the board" },
    it.hexes.map((one) =>
      h(
        "li",
        { className: one.state.replace(" ", "-") },
        h("b", {}, one.state === "done" ? signed(-one.lost) : one.state === "now" ? "?" : String(one.number)),
        h("small", {}, one.text),
      ),
    ),
  );
}

function squares(it) {
  const cell = (lost) => h("i", { className: lost ? "lost" : "" }, lost ? "×" : "");
  return h(
    "div",
    { className: "squares", role: "img", "aria-label": `${it.afloat} BRPs afloat, ${it.lost} lost` },
    Array.from({ length: it.afloat }, () => cell(false)),
    Array.from({ length: it.lost }, () => cell(true)),
  );
}

function step(it) {
  const loss = it.lost ? h("b", { className: "minus" }, signed(-it.lost)) : null;
  return h(
    "li",
    {},
    it.power ? seal(it.power) : h("span", { className: "glyph", "aria-hidden": "true" }, "•"),
    h(
      "div",
      {},
      h("div", {}, `${it.text} `, chip(it.clause)),
      it.note ? h("small", {}, `${it.note} `, it.note_clause ? chip(it.note_clause) : null) : null,
    ),
    h("span", { className: "dice" }, (it.dice ?? []).map(face)),
    loss ?? h("b", { className: "none" }, it.hex ? "0" : ""),
  );
}

function steps(it) {
  const numbers = [...new Set(it.steps.map((s) => s.hex ?? 0))];
  return numbers.map((n) => [
    h("h3", {}, n ? `Hex ${n}` : "On the way"),
    h("ol", { className: "attack-steps" }, it.steps.filter((s) => (s.hex ?? 0) === n).map(step)),
  ]);
}

async function throwDie(purpose) {
  try {
    await perform("/do", { do: "roll", purpose });
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

/** Whose answer is awaited: mine to give by these buttons, or somebody else's, and then mine stay off. */
function answer(it) {
  const mine = live() && it.waits_for.some((p) => me().powers.includes(p));
  const offers = position().offers.filter((o) => it.replies.includes(o.command) && o.available && o.replies_to);
  const who = it.waits_for.map(nameOf).join(" and ");
  const words = (command) => command.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
  return h(
    "div",
    { className: `answer${mine ? " mine" : ""}`, role: "status" },
    h(
      "header",
      {},
      it.waits_for.map((p) => seal(p)),
      h("strong", {}, mine ? `${who} answers: it is yours` : `${who} answers`),
      h("span", { className: "quiet" }, chip(it.clause)),
    ),
    h("p", {}, `${it.asks.replace(/^./, (c) => c.toUpperCase())}.`),
    h(
      "div",
      { className: "row" },
      mine
        ? offers.map((o, i) =>
            h(
              "button",
              {
                type: "button",
                className: i ? "small" : "small main",
                dataset: { reply: o.command },
                onclick: () => openOrder(o),
              },
              o.label,
            ),
          )
        : it.replies.map((command) => h("button", { type: "button", className: "small", disabled: true }, words(command))),
      mine
        ? h(
            "button",
            { type: "button", className: "small", dataset: { reply: "roll" }, onclick: () => throwDie(`${it.title}: ${it.asks}`) },
            "Throw a die",
          )
        : null,
    ),
    h("p", { className: "quiet" }, mine ? "Dice thrown at your own table go into the report." : `yours when ${who} has answered`),
  );
}

/** The whole panel for one grant. */
export function convoyParts(it, idOfTitle) {
  const where = position().clock;
  return [
    h(
      "header",
      { className: "convoy-head" },
      h(
        "div",
        {},
        h("h2", { id: idOfTitle, tabIndex: -1 }, it.title),
        h("span", { className: "quiet" }, `${where.turn_name}, ${where.part.replace(/^./, (c) => c.toUpperCase())} turn`),
      ),
      h("div", { className: "afloat" }, h("b", {}, String(it.afloat)), h("small", {}, `of ${it.sent} afloat`)),
    ),
    hexes(it),
    squares(it),
    h(
      "p",
      { className: "quiet" },
      `Blue: BRPs afloat. ${it.transports} transport${it.transports === 1 ? "" : "s"}, ${it.sunk || "none"} lost: up to ${it.could_land} could land `,
      chip(cited(it.hexes.length ? "convoy transports lost" : "transports lost")),
      it.oil ? ` With it ${it.oil} oil counter${it.oil === 1 ? "" : "s"}.` : "",
    ),
    steps(it),
    answer(it),
    h("h3", {}, "If it ended now"),
    h(
      "table",
      { className: "plain-table" },
      h(
        "tbody",
        {},
        it.if_ended.map((o) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, `${o.text} `, chip(o.clause)),
            h("td", { className: o.loss && o.amount ? "r minus" : "r" }, h("b", {}, String(o.amount))),
          ),
        ),
      ),
    ),
  ];
}

/** Told by the aid page whenever it was fetched. */
export function showConvoy(it) {
  sheet = it;
  const panel = $("#convoy");
  panel.hidden = !it;
  document.body.toggleAttribute("data-convoy", Boolean(it));
  fill(panel, it ? convoyParts(it, "convoy-title") : null);
}

export function startConvoy() {
  // What was shown is old as soon as nothing waits any more; the page itself comes with the next fetch.
  subscribe((view) => {
    if (sheet && !view.position.waits.some((w) => w.id === sheet.id)) showConvoy(null);
  });
}
