// The panels beside the map: what is wrong, levels, countries, wars, pools, and the hex that was chosen.

import { $, fill, h, isPower, nameOf, seal, toast } from "../dom.js";
import { hall } from "../api.js";
import { placeCalled } from "../map/atlas.js";
import { map } from "../map/map.js";
import { drawOver } from "../map/over.js";
import { brush, POWERS } from "./brush.js";
import { copyStack, count, drawn } from "./counters.js";
import { change, draft, onChange, source } from "./draft.js";

const WORDS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
export const counted = (n, what) => `${WORDS[n] ?? n} ${what}${n === 1 ? "" : "s"}`;

/** Centre the map on a place and ring it for a moment. */
export async function jump(key) {
  const [board, id] = key.split("/");
  if (board === "box") return toast(placeCalled(key));
  document.dispatchEvent(new CustomEvent("turn-board", { detail: board }));
  await map.open(board);
  const hex = map.board.hexes.get(id);
  map.cam.scale = Math.max(map.cam.scale, 40);
  map.cam.centre(hex.x, hex.y);
  map.changed = new Set([key]);
  map.select(hex);
  map.moved();
  setTimeout(() => {
    map.changed = new Set();
    drawOver(map);
  }, 400);
}

/** The figure that a finding is about, or its place. */
function show(finding) {
  if (finding.place) return jump(finding.place);
  const field = $(`[data-figure="${finding.figure}"]`);
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}

/** What a clause says, in our words. */
async function tellClause(clause) {
  toast(`${clause}: ${(await hall.get(`/clauses/${encodeURIComponent(clause)}`)).gist}`);
}
const clauseChip = (clause, deny) =>
  clause ? h("button", { type: "button", className: deny ? "chip deny" : "chip", "aria-label": `clause ${clause}`, onclick: () => tellClause(clause) }, clause) : null;

function findings(view) {
  const wrong = view.findings.filter((f) => f.kind === "error").length;
  const notes = view.findings.length - wrong;
  const pins = view.findings.map((f, i) => ({ key: f.place, number: i + 1, grave: f.kind === "error" }));
  // Where several are about one place, the gravest is shown.
  map.pins = pins.filter((p, i) => p.key && pins.findIndex((it) => it.key === p.key) === i);
  fill(
    $("#panel-findings"),
    h(
      "header",
      {},
      h("h2", { className: wrong ? "minus" : "" }, wrong ? "Errors" : "No errors"),
      h("span", { className: "quiet" }, [wrong ? String(wrong) : "", notes ? `${counted(notes, "note").toLowerCase()}` : ""].filter(Boolean).join(", and ")),
    ),
    h(
      "ol",
      { className: "findings" },
      view.findings.map((f, i) =>
        h(
          "li",
          { className: f.kind },
          h("span", { className: "pin", "aria-hidden": "true" }, String(i + 1)),
          h("span", {}, h("span", { className: "what" }, f.text, ". "), h("span", { className: "quiet" }, `Right: ${f.right}. `), clauseChip(f.clause, f.kind === "error")),
          f.place || f.figure ? h("button", { type: "button", className: "link", "aria-label": `${f.place ? "Jump to" : "Show"} ${i + 1}`, onclick: () => show(f) }, f.place ? "Jump" : "Show") : null,
        ),
      ),
    ),
  );
}

/** A number that can be typed; a raised a where it has no source, which a press lets one name. */
function field(path, value, label, { was, assumed, least } = {}) {
  const input = h("input", {
    type: "number",
    value: String(value),
    min: least,
    "aria-label": label,
    className: was !== undefined && was !== value ? "changed" : "",
    dataset: { figure: path },
  });
  input.addEventListener("change", () => input.value !== "" && change({ [path]: Number(input.value) }));
  return h("span", { className: "figure-field" }, input, assumed ? assumedMark(path, label) : null);
}

const assumedMark = (path, label) =>
  h("button", { type: "button", className: "assumed", title: "assumed: no source; press to name one", "aria-label": `${label} is assumed; name its source`, onclick: () => nameSource(path, label) }, "a");

function nameSource(path, label) {
  const dialog = $("#modal");
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "modal-title" }, `Where does it come from: ${label}?`),
    h("input", { name: "source", maxLength: 200, placeholder: "our ledger of 12 May", "aria-label": "Source", value: draft.view.position.sources[path] ?? "" }),
    h("p", { className: "row" }, h("button", { className: "main" }, "Write it down"), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
  );
  form.addEventListener("submit", () => source(path, form.elements.source.value.trim()));
  fill(dialog, form);
  dialog.showModal();
}

/** Whether a power has surrendered. */
const surrendered = (p) =>
  h(
    "label",
    {},
    h("input", {
      type: "checkbox",
      checked: p.surrendered,
      "aria-label": `${p.name}: surrendered`,
      dataset: { figure: `powers.${p.power}.surrendered` },
      onchange: (event) => change({ [`powers.${p.power}.surrendered`]: event.target.checked }),
    }),
    ` ${p.name}`,
  );

function levels(view) {
  const first = new Map(draft.first.powers.map((p) => [p.power, p]));
  const names = (p) => [seal(p.power), ` ${p.name}`];
  fill(
    $("#panel-levels"),
    h("header", {}, h("h2", {}, "Levels"), h("span", { className: "quiet" }, "BRPs; the rest is counted")),
    h(
      "table",
      { className: "levels" },
      h("thead", {}, h("tr", {}, ["Power", "level", "base", "deficit room", "limit"].map((t) => h("th", { scope: "col" }, t)))),
      h(
        "tbody",
        {},
        view.powers.map((p) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, names(p)),
            h("td", {}, field(`powers.${p.power}.brp`, p.level, `${p.name}: level`, { was: first.get(p.power).level, assumed: p.assumed.includes("level") })),
            h("td", {}, field(`powers.${p.power}.base`, p.base, `${p.name}: base`, { was: first.get(p.power).base, assumed: p.assumed.includes("base"), least: 0 })),
            h("td", {}, p.deficit ? String(p.deficit) : "none"),
            h("td", {}, String(p.limit)),
          ),
        ),
      ),
    ),
    h("h3", {}, "Surrendered"),
    h("div", { className: "surrenders" }, view.powers.map(surrendered)),
    h("h3", {}, "Tension"),
    trackFields(view, (t) => /^(usat|usjt|rgt)$/.test(t.track)),
    h("details", { open: tracksOpen, ontoggle: (event) => (tracksOpen = event.target.open) }, h("summary", {}, "Resistance, and tension as it counts"), trackFields(view, (t) => !/^(usat|usjt|rgt)$/.test(t.track))),
  );
}
let tracksOpen = false;

const trackFields = (view, wanted) =>
  h(
    "div",
    { className: "track-fields" },
    view.tracks.filter(wanted).map((t) => {
      const id = `track-${t.track}`;
      const input = field(`tracks.${t.track}`, t.level, t.name, { was: draft.first.tracks.find((it) => it.track === t.track)?.level });
      input.firstChild.id = id;
      return h("label", { htmlFor: id }, t.name, input);
    }),
  );

const ALONE = ["neutral", "independent"];
const STATUSES = ["neutral", "independent", "associated", "allied", "controlled", "conquered", "colony", "penetrated", "commonwealth"];
let sought = "";

/** A country's new standing: whoever holds its capital, else the power of the brush, where it must stand with one. */
function stand(c, status, by) {
  if (ALONE.includes(status)) return change({ [`countries.${c.id}`]: { status } });
  const held = draft.view.control[c.places[0]] ?? "";
  return change({ [`countries.${c.id}`]: { status, by: by || c.by || (isPower(held) ? held : brush.by || "germany") } });
}

function countryRow(c, wrong) {
  const pick = (label, values, now, act, text = (v) => v) =>
    h(
      "select",
      { "aria-label": label, dataset: { figure: `countries.${c.id}` }, onchange: (event) => act(event.target.value) },
      values.map((v) => h("option", { value: v, selected: v === now }, text(v))),
    );
  return h(
    "li",
    { className: wrong ? "wrong" : "" },
    h("span", {}, c.name),
    pick(`${c.name}: status`, [...new Set([...STATUSES, c.status])], c.status, (v) => stand(c, v)),
    pick(`${c.name}: with`, ["", ...POWERS], c.by, (v) => stand(c, v ? c.status : "neutral", v), (v) => (v ? nameOf(v) : "nobody")),
  );
}

function countries(view) {
  const wrong = new Set(view.findings.map((f) => f.figure));
  const was = new Map(draft.first.countries.map((c) => [c.id, `${c.status} ${c.by}`]));
  const rank = (c) => (wrong.has(`countries.${c.id}`) ? 0 : was.get(c.id) !== `${c.status} ${c.by}` ? 1 : ALONE.includes(c.status) ? 3 : 2);
  const found = view.countries.filter((c) => c.name.toLowerCase().includes(sought)).sort((a, b) => rank(a) - rank(b));
  const list = h("ul", { className: "country-rows" }, found.map((c) => countryRow(c, wrong.has(`countries.${c.id}`))));
  const panel = $("#panel-countries");
  const scroll = $(".country-rows", panel)?.scrollTop ?? 0;
  if ($("input", panel)) $(".country-rows", panel).replaceWith(list);
  else {
    const search = h("input", { type: "text", placeholder: "Find a country", "aria-label": "Find a country", value: sought });
    search.addEventListener("input", () => {
      sought = search.value.trim().toLowerCase();
      countries(draft.view);
    });
    fill(panel, h("header", {}, h("h2", {}, "Countries"), h("span", { className: "quiet" })), search, list);
  }
  $("header .quiet", panel).textContent = `${found.length} of ${view.countries.length} shown`;
  list.scrollTop = scroll;
}

function wars(view) {
  const lines = (list) => list.map((w) => ({ between: w.between, since: w.since, declared_by: w.declared_by }));
  const sides = [...POWERS, ...view.countries.map((c) => c.id)];
  const options = (first) => [h("option", { value: "" }, first), ...sides.map((s) => h("option", { value: s }, nameOf(s)))];
  const form = h(
    "form",
    { className: "war-form" },
    h("select", { name: "one", "aria-label": "Who declared war" }, options("who declared")),
    h("select", { name: "other", "aria-label": "On whom" }, options("on whom")),
    h("select", { name: "since", "aria-label": "Since when" }, view.moment.turns.filter((_, i, all) => i <= all.indexOf(view.moment.turn)).map((t) => h("option", { value: t, selected: t === view.moment.turn }, t))),
    h("button", { type: "submit", className: "small" }, "Add"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { one, other, since } = form.elements;
    if (!one.value || !other.value) return toast("Say who declared war on whom.", true);
    change((now) => ({ wars: [...lines(now.wars), { between: [one.value, other.value], since: since.value, declared_by: one.value }] }));
  });
  fill(
    $("#panel-wars"),
    h("header", {}, h("h2", {}, "Wars"), h("span", { className: "quiet" }, `${view.wars.length} on`)),
    h(
      "ul",
      { className: "war-rows" },
      view.wars.map((w, i) =>
        h(
          "li",
          {},
          h("span", {}, `${w.between.map(nameOf).join(" and ")} `, h("span", { className: "quiet" }, `since ${w.since}`)),
          h("button", { type: "button", className: "close", "aria-label": `End the war between ${w.between.map(nameOf).join(" and ")}`, onclick: () => change((now) => ({ wars: lines(now.wars.filter((_, n) => n !== i)) })) }, "×"),
        ),
      ),
    ),
    form,
  );
}

let whose = "germany";
let arrival = "";

function pools(view) {
  const turns = view.moment.turns.slice(view.moment.turns.indexOf(view.moment.turn) + 1);
  if (!turns.includes(arrival)) arrival = turns[0] ?? "";
  const area = (title, drop, extra) => {
    const arrives = drop === "pool" ? "" : drop.slice(6);
    const mine = view.pools.filter((p) => p.nation === whose && p.arrives === arrives);
    return h(
      "div",
      { className: "pool-area", dataset: { drop } },
      h("h3", {}, title, extra),
      mine.length ? null : h("p", { className: "quiet" }, "drop counters here"),
      h("div", { className: "pile-counts" }, mine.map((p) => counting(p, drop))),
    );
  };
  const other = view.pools.filter((p) => p.nation === whose && p.arrives && p.arrives !== arrival);
  fill(
    $("#panel-pools"),
    h("header", {}, h("h2", {}, "Pools and turn track"), h("select", { "aria-label": "Whose pool", onchange: (e) => { whose = e.target.value; pools(draft.view); } }, view.trays.map((t) => h("option", { value: t.nation, selected: t.nation === whose }, t.name)))),
    area("Force pool", "pool"),
    isPower(whose) && arrival
      ? area("Arrives ", `track/${arrival}`, h("select", { "aria-label": "Arrives in", onchange: (e) => { arrival = e.target.value; pools(draft.view); } }, turns.map((t) => h("option", { value: t, selected: t === arrival }, t))))
      : null,
    other.length ? h("p", { className: "quiet" }, "Also: ", other.map((p) => `${p.count} ${p.unit} in ${p.arrives}`).join(", ")) : null,
    h("p", { className: "quiet small" }, h("sup", { className: "assumed" }, "a"), " assumed: no printed source. The file says so line by line; a source that is named takes the mark off."),
  );
}

/** A pile with its number, one fewer and one more. */
const counting = (p, where) =>
  h(
    "span",
    { className: "pile-count", dataset: { nation: p.nation, unit: p.unit } },
    drawn(p, 30),
    h("span", { className: "quiet" }, p.unit),
    h("button", { type: "button", "aria-label": `One ${nameOf(p.nation)} ${p.unit} fewer`, onclick: () => count(p.nation, p.unit, where, -1) }, "−"),
    h("strong", {}, String(p.count)),
    h("button", { type: "button", "aria-label": `One ${nameOf(p.nation)} ${p.unit} more`, onclick: () => count(p.nation, p.unit, where, 1) }, "+"),
  );

let chosen = null;

/** The hex or box that was chosen: who holds it, what stands there, each pile counted up and down. */
export function choosePlace(key, name) {
  chosen = key ? { key, name } : null;
  here(draft.view);
}

function here(view) {
  const panel = $("#panel-hex");
  panel.hidden = !chosen;
  if (!chosen) return;
  const [board, id] = chosen.key.split("/");
  const hex = board === map.board.name ? map.board.hexes.get(id) : null;
  const stack = view.pieces.filter((p) => p.place === chosen.key);
  const holder = hex ? map.made?.held.holder.get(id) : "";
  fill(
    panel,
    h("header", {}, h("h2", {}, chosen.name), h("span", { className: "quiet" }, id), h("button", { type: "button", className: "close push", "aria-label": "Close", onclick: () => choosePlace(null) }, "×")),
    hex?.land
      ? h(
          "label",
          { className: "holder" },
          "Held by ",
          h(
            "select",
            { onchange: (e) => change({ control: { [e.target.value]: [chosen.key] } }) },
            [...new Set(["", ...POWERS, holder].filter((v) => v !== undefined))].map((v) => h("option", { value: v, selected: v === holder }, v ? nameOf(v) : "whoever it belongs to")),
          ),
        )
      : null,
    stack.length ? h("button", { type: "button", className: "small", onclick: () => copyStack(chosen.key) }, "Copy this stack ", h("kbd", { "aria-hidden": "true" }, "K")) : null,
    stack.length ? h("div", { className: "pile-counts" }, stack.map((p) => counting(p, chosen.key))) : h("p", { className: "quiet" }, "No units stand here. Choose a counter at the left and click, or drag it here."),
  );
}

export function startPanels() {
  for (const panel of [findings, levels, countries, wars, pools, here]) onChange(panel);
}
