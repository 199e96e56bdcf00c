// Two lines of a game side by side, and the band by which a copy is known as one.

import { base, hall, table, tableId } from "./api.js";
import { $, chip, fill, h, isPower, seal, several } from "./dom.js";
import { lookAt, store, subscribe } from "./store.js";
import { openView } from "./topbar.js";

let everything = false;

const value = (it) => (it === true ? "yes" : it === false ? "no" : it === null || it === "" ? "–" : String(it));
const figure = (it) => it.args.length > 0 && typeof it.here === "number";

/** The tables of which this is a copy, that are copies of it, or copies of the same. */
function kin(tables) {
  const here = store.view.table;
  const root = here.parent || here.id;
  return tables.filter((it) => it.table !== tableId && !it.ends && (it.table === root || it.parent === root || it.parent === here.id || it.table === here.parent));
}

function head(name, line, copy) {
  return h(
    "div",
    { className: copy ? "copy" : "" },
    h("h3", {}, name, copy ? h("em", { className: "quiet" }, " a copy") : null),
    h("p", {}, line.moment, h("br"), h("span", { className: "quiet" }, line.moves ? `${line.moves === 1 ? "One move" : `${line.moves} moves`} of its own${line.moves === 1 ? "" : ", the first"}: ${line.text || line.first}` : "no move of its own")),
  );
}

function rows(told) {
  const since = (move, own) => (move ? (own ? h("button", { type: "button", className: "link", onclick: () => lookAt(move) }, String(move)) : String(move)) : "–");
  return told.figures
    .filter((it) => everything || figure(it))
    .map((it) =>
      h(
        "tr",
        {},
        h("td", {}, isPower(it.args[0]) ? seal(it.args[0]) : null, " ", it.title, it.of ? h("span", { className: "quiet" }, ` ${it.of}`) : null),
        h("td", { className: "value" }, value(it.here)),
        h("td", { className: "value" }, value(it.there)),
        h("td", {}, since(it.since_here, true)),
        h("td", {}, since(it.since_there, false)),
        h("td", {}, chip(it.clause)),
      ),
    );
}

function drawn(told, other) {
  const left = told.figures.length - told.figures.filter(figure).length;
  const body = h("tbody", {}, rows(told));
  const all = () => {
    everything = !everything;
    fill(body, rows(told));
  };
  return [
    h("p", {}, "One until ", h("button", { type: "button", className: "link", onclick: () => lookAt(told.common) }, `move ${told.common}`), `, ${told.common_moment}.`),
    h("div", { className: "two" }, head(store.view.table.title, told.here, store.view.table.parent), head(other.title, told.there, other.parent)),
    told.figures.length
      ? h(
          "table",
          {},
          h("thead", {}, h("tr", {}, ["Figure", "Here", "There", "Since, here", "Since, there", "Clause"].map((it) => h("th", { scope: "col", className: it.endsWith("ere") && !it.includes(",") ? "value" : "" }, it)))),
          body,
        )
      : h("p", {}, "No figure differs."),
    left ? h("p", {}, h("label", {}, h("input", { type: "checkbox", checked: everything, onchange: all }), ` also what is no number of a power or country (${left})`)) : null,
    told.land.map((it) => h("p", {}, `${it.here} holds here, ${it.there} there: `, it.places.join(", ") || several(it.count, "hex", "hexes"), h("span", { className: "quiet" }, ` (${it.count})`))),
  ];
}

/** The sheet: which lines, and what differs. */
export async function showCompare(sheet, wanted = "") {
  const others = kin(await hall.get("/tables"));
  const other = others.find((it) => it.table === wanted) ?? others[0];
  const choose = h(
    "select",
    { "aria-label": "With which line", onchange: (e) => openView("compare", e.target.value) },
    others.map((it) => h("option", { value: it.table, selected: it === other }, `${it.title}${it.parent ? ", a copy" : ""}`)),
  );
  const body = h("div", { className: "side-by-side" }, other ? h("p", { className: "quiet" }, "Counting…") : h("p", {}, "There is no other line of this game: open a copy of a moment by “What if?” at the history slider."));
  fill(sheet, h("header", {}, h("div", {}, h("h2", { className: "page" }, "Side by side"), h("p", { className: "quiet" }, "Two lines of a game: which figures differ, and from which move on.")), other ? choose : null), body);
  if (!other) return;
  try {
    fill(body, drawn(await table.get("/compare", { other: other.table }), other));
  } catch (error) {
    fill(body, h("p", { className: "deny" }, error.message));
  }
}

export function startCompare() {
  subscribe((view) => {
    const copy = Boolean(view.table.parent);
    document.body.toggleAttribute("data-copy", copy);
    const band = $("#copy-band");
    if (!copy || !band.hidden) return;
    band.hidden = false;
    const name = h("strong", {}, "A copy");
    fill(
      band,
      name,
      h("span", {}, `${view.table.title}, from move ${view.table.parent_move} on. It counts for nothing.`),
      h("button", { type: "button", className: "small", id: "compare-copy", onclick: () => openView("compare", view.table.parent) }, "Side by side with the game"),
      h("a", { href: `${base}/tables/${view.table.parent}` }, "To the game"),
    );
  });
}
