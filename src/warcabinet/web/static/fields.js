// The inputs of an order form, one for each kind of field. What a field may be comes from the server's offer.

import { capital, chip, h, isPower, nameOf, priceOf, seal } from "./dom.js";
import { placeCalled, placeWritten } from "./map/atlas.js";

const FEW = 10;
let lists = 0;
// What is half entered in a field of units; the form is drawn anew while someone is at it.
const drafts = new Map();
export const forgetDrafts = () => drafts.clear();

const title = (name) => capital(name.replaceAll("_", " "));

/** A field with its name, its bounds and clauses, and what is wrong with it. */
export function fieldset(name, offer, value, change, places) {
  const bounds = [];
  if (offer.most !== undefined && offer.most !== null) bounds.push(`at most ${offer.most}`);
  if (offer.least !== undefined && offer.least !== null && offer.least > 1) bounds.push(`at least ${offer.least}`);
  const note = [bounds.join(", "), ...(offer.by ?? []).map((c) => [" ", chip(c)])];
  const legend = [
    h("span", {}, offer.label, offer.required || offer.weight === "needed" ? "" : h("span", { className: "quiet" }, " optional")),
    h("span", { className: "quiet" }, note),
  ];
  const control = input(name, offer, value, change, places);
  const grouped = control.classList.contains("choices") || offer.many;
  const notHere = offer.notHere;
  const id = `field-${name}`;
  if (!grouped) (control.matches("input,select,textarea") ? control : control.querySelector("input")).id = id;
  return h(
    grouped ? "fieldset" : "div",
    { className: "field", dataset: { field: name } },
    grouped ? h("legend", { className: "name" }, legend) : h("label", { className: "name", htmlFor: id }, legend),
    [offer.help, offer.hint].filter(Boolean).map((it) => h("p", { className: "quiet small" }, it)),
    control,
    offer.wrong ? h("p", { className: "wrong", role: "alert" }, offer.wrong) : null,
    notHere ? h("p", { className: "not-here", role: "alert" }, `Not there: ${notHere.text} `, chip(notHere.clause, true)) : null,
  );
}

function input(name, offer, value, change, places) {
  if (offer.kind === "placement") return placements(name, offer, value ?? [], change, places);
  if (offer.parameters?.length) return parameters(name, offer, value ?? [], change, places);
  if (offer.kinds && offer.many) return units(name, offer, value ?? [], change);
  if (offer.many) return many(name, offer, value ?? [], change, places);
  if (offer.kind === "yes or no")
    return radios(
      name,
      [
        { value: true, name: "Yes" },
        { value: false, name: "No" },
      ],
      value,
      change,
    );
  if (offer.choices.length && offer.choices.length <= FEW) return radios(name, withNone(offer), value, change);
  if (offer.choices.length) return select(name, offer, value, change);
  if (offer.kind === "brp" || offer.kind === "number") return numeric(name, offer, value, change);
  if (offer.kind.startsWith("unit") && offer.counters?.length) return counter(name, offer, value, change);
  return text(name, offer, value, change, places);
}

const withNone = (offer) =>
  offer.kind.endsWith("or none") ? [{ value: "", name: "None" }, ...offer.choices] : offer.choices;

function radios(name, choices, value, change) {
  return h(
    "div",
    { className: "choices" },
    choices.map((c) =>
      h(
        "label",
        { className: c.no ? "no" : "", title: c.no ? `${c.no.text} [${c.no.clause}]` : "" },
        h("input", {
          type: "radio",
          name: `radio-${name}`,
          checked: value === c.value,
          value: String(c.value),
          onchange: () => change(c.value),
        }),
        isPower(c.value) ? seal(c.value) : null,
        c.name || "None",
      ),
    ),
  );
}

function select(name, offer, value, change) {
  const sorted = [...offer.choices].sort((a, b) => a.name.localeCompare(b.name));
  return h(
    "select",
    { name, onchange: (e) => change(e.target.value) },
    h("option", { value: "" }, offer.required ? "Choose…" : "None"),
    listed(sorted, value),
  );
}

/** Choices in a list: what is forbidden comes last, with the reason; it can still be tried. */
function listed(choices, value) {
  const option = (c) =>
    h(
      "option",
      { value: c.value, selected: value === c.value },
      c.no ? `${c.name}: ${c.no.text} [${c.no.clause}]` : c.name,
    );
  // Of many only those are shown that can be meant.
  const able = choices.filter((c) => !c.no);
  const denied = able.length && choices.length > FEW ? [] : choices.filter((c) => c.no);
  return [
    able.map(option),
    denied.length ? h("optgroup", { label: "Not possible" }, denied.map(option)) : null,
  ];
}

function numeric(name, offer, value, change) {
  const read = (e) => change(e.target.value === "" ? undefined : Math.trunc(Number(e.target.value)));
  const box = h("input", {
    type: "number",
    name,
    step: 1,
    value: value ?? "",
    inputMode: "numeric",
    required: offer.required,
    oninput: read,
  });
  if (offer.least !== undefined && offer.least !== null) box.min = offer.least;
  if (offer.most === undefined || offer.most === null || offer.most < 1) return h("div", { className: "amount" }, box);
  box.max = offer.most;
  const slide = h("input", {
    type: "range",
    min: offer.least ?? 0,
    max: offer.most,
    value: value ?? offer.least ?? 0,
    "aria-label": `${offer.label}, slide`,
    tabIndex: -1,
    oninput: (e) => {
      box.value = e.target.value;
      read(e);
    },
  });
  return h("div", { className: "amount" }, box, slide);
}

/** What a text field proposes: places, units that are there, names with what they mean. */
function suggestions(offer, places) {
  const units = [...(offer.standing ?? []), ...(offer.pool ?? [])].map((u) => u.unit);
  const named = offer.suggested ?? [];
  if (!offer.kind.startsWith("place") && !units.length && !named.length) return null;
  return h(
    "datalist",
    { id: `list-${++lists}` },
    offer.kind.startsWith("place") ? places.map((p) => h("option", { value: p })) : null,
    [...new Set(units)].map((u) => h("option", { value: u })),
    named.map((s) => (IN_WORDS.includes(offer.kind) ? h("option", { value: s.name }) : h("option", { value: s.value }, s.name))),
  );
}

/** Kinds of fields whose names are a program's: people choose them by what they are. */
const IN_WORDS = ["figure", "rule"];

function text(name, offer, value, change, places) {
  const list = suggestions(offer, places);
  const chosen = (raw) => offer.suggested?.find((s) => s.name === raw)?.value ?? raw;
  const said = (held) => offer.suggested?.find((s) => s.value === held)?.name ?? held;
  const read = (raw) => (offer.kind === "any" ? plain(raw) : IN_WORDS.includes(offer.kind) ? chosen(raw) : raw);
  const box = h("input", {
    type: "text",
    name,
    value: offer.kind.startsWith("place") && value ? placeWritten(value) : ((IN_WORDS.includes(offer.kind) ? said(value) : value) ?? ""),
    required: offer.required,
    placeholder:
      offer.kind === "any"
        ? "yes, no, a number or a name"
        : offer.kind === "figure"
          ? "begin with a power, country or track: Germany: BRP level"
          : (offer.text ?? ""),
    list: list?.id,
    oninput: (e) => change(e.target.value === "" ? undefined : read(e.target.value)),
  });
  return list ? h("div", {}, box, list) : box;
}

/** A value that may be of any type, as one would write it. */
function plain(raw) {
  if (/^-?\d+$/.test(raw)) return Number(raw);
  if (/^(true|yes|false|no)$/i.test(raw)) return /^(true|yes)$/i.test(raw);
  if (raw.startsWith("{") || raw.startsWith("[")) {
    try {
      return JSON.parse(raw);
    } catch {
      return raw;
    }
  }
  return raw;
}

/** One kind of unit, chosen from the counters there are. */
function counter(name, offer, value, change) {
  return h(
    "select",
    { name, required: offer.required, onchange: (e) => change(e.target.value || undefined) },
    h("option", { value: "" }, "Choose…"),
    offer.counters.map((c) =>
      h("option", { value: c.unit, selected: c.unit === value }, `${c.unit}: ${c.count ? `${c.count} ` : ""}${c.where}`),
    ),
  );
}

/** Units to add one kind at a time: how many, of what, how strong; those in the pool at a press. */
function units(name, offer, value, change) {
  const drop = (gone) => change(value.filter((it) => it !== gone));
  const add = (text) => {
    if (!value.includes(text)) change([...value, text]);
  };
  const picked = h(
    "div",
    { className: "picked" },
    value.map((it) =>
      h("button", { type: "button", onclick: () => drop(it), "aria-label": `Remove ${it}` }, `${it} ×`),
    ),
  );
  const pool = h(
    "div",
    { className: "picked" },
    (offer.pool ?? []).map((p) =>
      h("button", { type: "button", onclick: () => add(`${p.count} ${p.unit}`) }, `${p.count} ${p.unit} in the pool +`),
    ),
  );
  // Where the counters are known they are chosen, not typed.
  const counters = (offer.counters ?? []).map((c) => ({
    unit: c.unit,
    said: `${c.unit}: ${c.count ? `${c.count} ` : ""}${c.where}, ${priceOf(c.cost, "each")}`,
  }));
  const kinds = counters.length ? counters : offer.kinds.map((k) => ({ ...k, said: `${k.name}, ${priceOf(k.cost, `a ${k.per}`)}` }));
  if (!drafts.has(name)) drafts.set(name, { count: 1, kind: kinds[0].unit, strength: "" });
  const draft = drafts.get(name);
  const count = h("input", {
    type: "number",
    min: 1,
    value: draft.count,
    "aria-label": "How many",
    name: `${name}-count`,
    oninput: (e) => {
      draft.count = e.target.value;
    },
  });
  const strong = h("input", {
    type: "text",
    placeholder: "3-4",
    "aria-label": "Strength",
    name: `${name}-strength`,
    size: 4,
    value: draft.strength,
    oninput: (e) => {
      draft.strength = e.target.value;
    },
  });
  const kind = h(
    "select",
    {
      "aria-label": "Kind of unit",
      name: `${name}-kind`,
      onchange: (e) => {
        draft.kind = e.target.value;
        fits();
      },
    },
    kinds.map((k) => h("option", { value: k.unit, selected: k.unit === draft.kind }, k.said)),
  );
  const chosen = () => kinds.find((k) => k.unit === kind.value) ?? kinds[0];
  const fits = () => {
    strong.hidden = chosen().per !== "factor";
  };
  fits();
  const take = () =>
    add(
      [Math.max(1, Number(count.value) || 1), kind.value, chosen().per === "factor" ? strong.value.trim() : ""]
        .filter(Boolean)
        .join(" "),
    );
  const enter = (e) => {
    if (e.key === "Enter") {
      e.preventDefault();
      take();
    }
  };
  for (const box of [count, strong]) box.addEventListener("keydown", enter);
  return h(
    "div",
    {},
    picked,
    pool,
    h("div", { className: "units" }, count, kind, strong, h("button", { type: "button", onclick: take }, "Add")),
  );
}

/** What is half entered in a field of placements: how many of what, and where. */
export function draftOf(name, offer) {
  if (!drafts.has(name)) drafts.set(name, { count: 1, unit: offer.pool?.[0]?.unit ?? "", place: "" });
  const draft = drafts.get(name);
  if (!draft.unit) draft.unit = offer.pool?.[0]?.unit ?? "";
  return draft;
}

const inWords = (placement) => placement.replace(/ at (\S+)$/, (_, key) => ` at ${placeCalled(key)}`);

/** Units set up one row at a time: how many, of what, where; a click on the map places the row. */
function placements(name, offer, value, change, places) {
  const draft = draftOf(name, offer);
  const list = h(
    "datalist",
    { id: `list-${++lists}` },
    places.map((p) => h("option", { value: p })),
  );
  const rows = h(
    "ul",
    { className: "rows" },
    value.map((it) =>
      h(
        "li",
        {},
        inWords(it),
        h(
          "button",
          {
            type: "button",
            className: "plain",
            "aria-label": `Remove ${inWords(it)}`,
            onclick: () => change(value.filter((other) => other !== it)),
          },
          "×",
        ),
      ),
    ),
  );
  const redraft = (key) => (e) => {
    draft[key] = e.target.value;
    if (key !== "place") e.target.dispatchEvent(new Event("redraft", { bubbles: true }));
  };
  const count = h("input", {
    type: "number",
    min: 1,
    value: draft.count,
    name: `${name}-count`,
    "aria-label": "How many",
    oninput: redraft("count"),
  });
  const used = (unit) =>
    value.filter((it) => it.includes(` ${unit} at `)).reduce((n, it) => n + (Number.parseInt(it, 10) || 1), 0);
  const left = (p) => p.count - used(p.unit);
  const next = offer.pool?.find((p) => p.unit === draft.unit && left(p) > 0) ?? offer.pool?.find((p) => left(p) > 0);
  if (next) draft.unit = next.unit;
  const units = offer.pool?.length
    ? h(
        "select",
        { name: `${name}-unit`, "aria-label": "Unit", onchange: redraft("unit") },
        offer.pool.map((p) =>
          h("option", { value: p.unit, selected: p.unit === draft.unit }, `${p.unit}, ${left(p)} left`),
        ),
      )
    : h("input", {
        type: "text",
        name: `${name}-unit`,
        "aria-label": "Unit",
        placeholder: "infantry 1-3",
        value: draft.unit,
        onchange: redraft("unit"),
      });
  const where = h("input", {
    type: "text",
    name: `${name}-place`,
    "aria-label": "Where",
    placeholder: "a city or hex, or click the map",
    list: list.id,
    value: "",
    oninput: redraft("place"),
  });
  const take = () => {
    if (!draft.unit || !draft.place) return;
    change([...value, `${Math.max(1, Number(draft.count) || 1)} ${draft.unit} at ${draft.place.trim()}`]);
    draft.place = "";
  };
  where.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || !where.value) return;
    e.preventDefault();
    take();
  });
  const add = h("button", { type: "button", onclick: take }, "Place");
  return h("div", {}, rows, h("div", { className: "units placing" }, count, units, where, add), list);
}

/** One box for each thing that a rule is asked for. */
function parameters(name, offer, value, change, places) {
  const given = offer.parameters.map((_, i) => value[i] ?? drafts.get(`${name}-${i}`) ?? "");
  const list = h(
    "datalist",
    { id: `list-${++lists}` },
    places.map((p) => h("option", { value: p })),
  );
  const read = (i) => (e) => {
    given[i] = e.target.value.trim();
    drafts.set(`${name}-${i}`, given[i]);
    change(given.every(Boolean) ? [...given] : undefined);
  };
  return h(
    "div",
    { className: "parameters" },
    offer.parameters.map((p, i) =>
      h(
        "label",
        {},
        title(p),
        h("input", { type: "text", name: `${name}-${i}`, value: given[i], list: p === "place" ? list.id : null, oninput: read(i) }),
      ),
    ),
    list,
  );
}

function many(name, offer, value, change, places) {
  const drop = (gone) => change(value.filter((it) => it !== gone));
  const add = (raw) => {
    const given = raw.trim();
    if (given && !value.includes(given)) change([...value, given]);
  };
  const picked = h(
    "div",
    { className: "picked" },
    value.map((it) =>
      h(
        "button",
        { type: "button", onclick: () => drop(it), "aria-label": `Remove ${placeCalled(it)}` },
        `${it.includes("/") ? placeCalled(it) : nameOf(it) || it} ×`,
      ),
    ),
  );
  if (offer.choices.length) {
    const rest = offer.choices
      .filter((c) => !value.includes(c.value))
      .sort((a, b) => Number(isPower(b.value)) - Number(isPower(a.value)));
    return h(
      "div",
      {},
      picked,
      h(
        "select",
        { name, "aria-label": `Add to ${offer.label}`, onchange: (e) => add(e.target.value) },
        h("option", { value: "" }, "Add…"),
        listed(rest),
      ),
    );
  }
  const list = suggestions(offer, places);
  const box = h("input", {
    type: "text",
    name,
    list: list?.id,
    "aria-label": `Add to ${offer.label}`,
    placeholder: offer.kind === "place" ? "a city or hex, or click the map" : "write and press Enter",
    onkeydown: (e) => {
      if (e.key === "Enter" && e.target.value) {
        e.preventDefault();
        add(e.target.value);
      }
    },
    onchange: (e) => {
      if (!list || places.includes(e.target.value)) add(e.target.value);
    },
  });
  return h("div", {}, picked, box, list);
}
