// Powers: the charts, then everything that is reckoned for each of them, by clause.

import { $, chip, fill, h, number, seal, signed } from "./dom.js";
import { table } from "./api.js";
import { flows, levels } from "./charts.js";
import { me, position, store } from "./store.js";

let chosen = "";

const folded = (title, count, inside) =>
  h("details", { className: "folded" }, h("summary", {}, h("h3", {}, title), h("span", { className: "quiet small" }, count)), inside);

/** All that is reckoned for it by rules: folded, for it is long; the figures that everybody watches stand in the rail. */
function reckoned(found) {
  const value = (v) => (v.value === true ? "yes" : v.value === false ? "no" : v.value);
  const lines = h(
    "table",
    { className: "plain-table" },
    h(
      "tbody",
      {},
      found.values.map((v) =>
        h(
          "tr",
          {},
          h("td", {}, v.gist),
          h("td", { className: "r" }, number(value(v), v.rule, [found.power], v.gist)),
          h("td", { className: "r" }, chip(v.clause)),
        ),
      ),
    ),
  );
  return folded("Reckoned now", `${found.values.length} figures`, lines);
}

/** What lies in its force pool, and on the turn record track what arrives when. */
function pool(found) {
  const turns = [...new Set(found.pool.map((p) => p.arrives))];
  const row = (when) =>
    h(
      "tr",
      {},
      h("td", {}, when || "Force pool, not built"),
      h("td", {}, found.pool.filter((p) => p.arrives === when).map((p) => `${p.count} ${p.unit}`).join(", ")),
    );
  return [
    h("h3", { id: "power-pool", tabIndex: -1 }, "Force pool and turn record track"),
    found.pool.length ? h("table", { className: "plain-table" }, h("tbody", {}, turns.map(row))) : h("p", { className: "quiet" }, "Nothing waits to be built, and nothing is to arrive."),
  ];
}

/** What its own chapter says as things stand: folded, for it is long and mostly not asked for. */
const ownRules = ({ own_rules: rules }) =>
  rules.length
    ? folded("Its own chapter", rules.length === 1 ? "one sentence" : `${rules.length} sentences`, h("ul", { className: "prospects" }, rules.map((it) => h("li", {}, it.text, " ", chip(it.clause)))))
    : null;

async function one(el) {
  const found = await table.get(`/powers/${chosen}`, { at: store.at });
  fill(
    $(".one-power", el),
    h("h3", {}, seal(chosen), ` ${found.name}`),
    h(
      "div",
      { className: "row" },
      position().powers.map((p) =>
        h(
          "button",
          {
            type: "button",
            className: "pill",
            "aria-pressed": String(p.power === chosen),
            onclick: () => {
              chosen = p.power;
              one(el);
            },
          },
          p.name,
        ),
      ),
      h("button", { type: "button", className: "pill", dataset: { ledger: `brp/${chosen}` } }, "Every entry"),
    ),
    h(
      "div",
      { className: "country-columns" },
      h(
        "div",
        {},
        ownRules(found),
        pool(found),
        reckoned(found),
      ),
      h(
        "div",
        {},
        h("h3", {}, "On the books, a year"),
        h(
          "table",
          { className: "plain-table" },
          h(
            "tbody",
            {},
            found.books.map((b) =>
              h(
                "tr",
                {},
                h("td", {}, b.name),
                h("td", { className: "quiet" }, b.kind === "ic" ? "industrial center" : b.kind),
                h("td", { className: "r" }, signed(b.brp)),
              ),
            ),
          ),
        ),
        found.books.length ? null : h("p", { className: "quiet" }, "Nothing besides its base."),
      ),
    ),
  );
}

/** The sheet of the powers, at one of them; `part` is what is looked for there. */
export async function showPowers(el, power, part) {
  chosen = power ?? (chosen || me().powers[0] || "germany");
  const data = await table.get("/charts", { at: store.at });
  fill(
    el,
    h(
      "header",
      {},
      h(
        "div",
        {},
        h("h2", { className: "page", tabIndex: -1 }, "Powers"),
        h("p", { className: "quiet" }, "BRP levels over the war; lines differ in colour, dash and label."),
      ),
    ),
    levels(data),
    h("h3", {}, "Where they came from and went"),
    flows(data),
    h("div", { className: "one-power" }),
  );
  await one(el);
  if (part === "pool") {
    $("#power-pool").focus({ preventScroll: true });
    $(".one-power", el).scrollIntoView({ block: "start" });
  } else $("h2", el).focus({ preventScroll: true });
}
