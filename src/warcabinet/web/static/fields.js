// The inputs of an order form, one for each kind of field. What a field may be comes from the server's offer.

import { chip, h, isPower, nameOf, seal } from "./dom.js";

const FEW = 10;
let lists = 0;
// What is half entered in a field of units; the form is drawn anew while someone is at it.
const drafts = new Map();
export const forgetDrafts = () => drafts.clear();

const title = (name) => (name === "brp" ? "BRPs" : name.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase()));

/** A field with its name, its bounds and clauses, and what is wrong with it. */
export function fieldset(name, offer, value, change, places) {
  const bounds = [];
  if (offer.most !== undefined && offer.most !== null) bounds.push(`at most ${offer.most}`);
  if (offer.least !== undefined && offer.least !== null && offer.least > 1) bounds.push(`at least ${offer.least}`);
  const note = [bounds.join(", "), ...(offer.by ?? []).map((c) => [" ", chip(c)])];
  const legend = [
    h("span", {}, title(name), offer.required ? "" : h("span", { className: "quiet" }, " optional")),
    h("span", { className: "quiet" }, note),
  ];
  const control = input(name, offer, value, change, places);
  const grouped = control.classList.contains("choices") || offer.many;
  const id = `field-${name}`;
  if (!grouped) (control.matches("input,select,textarea") ? control : control.querySelector("input")).id = id;
  return h(
    grouped ? "fieldset" : "div",
    { className: "field", dataset: { field: name } },
    grouped ? h("legend", { className: "name" }, legend) : h("label", { className: "name", htmlFor: id }, legend),
    offer.hint ? h("p", { className: "quiet small" }, offer.hint) : null,
    control,
    offer.wrong ? h("p", { className: "wrong", role: "alert" }, offer.wrong) : null,
  );
}

function input(name, offer, value, change, places) {
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
        {},
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
    sorted.map((c) => h("option", { value: c.value, selected: value === c.value }, c.name)),
  );
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
    "aria-label": `${title(name)}, slide`,
    tabIndex: -1,
    oninput: (e) => {
      box.value = e.target.value;
      read(e);
    },
  });
  return h("div", { className: "amount" }, box, slide);
}

function suggestions(kind, places) {
  if (!kind.startsWith("place")) return null;
  return h(
    "datalist",
    { id: `list-${++lists}` },
    places.map((p) => h("option", { value: p })),
  );
}

function text(name, offer, value, change, places) {
  const list = suggestions(offer.kind, places);
  const read = (raw) => (offer.kind === "any" ? plain(raw) : raw);
  const box = h("input", {
    type: "text",
    name,
    value: value ?? "",
    required: offer.required,
    placeholder: offer.text ?? "",
    list: list?.id,
    oninput: (e) => change(e.target.value === "" ? undefined : read(e.target.value)),
  });
  return list ? h("div", {}, box, list) : box;
}

/** A value that may be of any type, as one would write it. */
function plain(raw) {
  if (/^-?\d+$/.test(raw)) return Number(raw);
  if (raw === "true" || raw === "false") return raw === "true";
  if (raw.startsWith("{") || raw.startsWith("[")) {
    try {
      return JSON.parse(raw);
    } catch {
      return raw;
    }
  }
  return raw;
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
  if (!drafts.has(name)) drafts.set(name, { count: 1, kind: offer.kinds[0].unit, strength: "" });
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
    offer.kinds.map((k) =>
      h("option", { value: k.unit, selected: k.unit === draft.kind }, `${k.name}, ${k.cost} a ${k.per}`),
    ),
  );
  const chosen = () => offer.kinds.find((k) => k.unit === kind.value);
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
      h("button", { type: "button", onclick: () => drop(it), "aria-label": `Remove ${it}` }, `${nameOf(it) || it} ×`),
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
        { name, "aria-label": `Add to ${name}`, onchange: (e) => add(e.target.value) },
        h("option", { value: "" }, "Add…"),
        rest.map((c) => h("option", { value: c.value }, c.name)),
      ),
    );
  }
  const list = suggestions(offer.kind, places);
  const box = h("input", {
    type: "text",
    name,
    list: list?.id,
    "aria-label": `Add to ${name}`,
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
