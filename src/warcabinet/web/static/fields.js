// The inputs of an order form, one for each kind of field. What a field may be comes from the server's offer.

import { capital, isPower, nameOf } from "./dom.js";
import { placeCalled, placeWritten } from "./map/atlas.js";
import { chip, html, seal } from "./ui.js";

const FEW = 10;
// What is half entered in a field of units, by the field's name.
const drafts = new Map();
export const forgetDrafts = () => drafts.clear();

const title = (name) => capital(name.replaceAll("_", " "));
const given = (n) => n !== undefined && n !== null;
/** What a field is: what was put into it, or what is meant where nothing is. */
const meant = ({ offer, value }) => value ?? offer.default ?? undefined;

/** A field with its name, its bounds and clauses, and what is wrong with it. */
export function fieldset(name, offer, value, change, places, more) {
  const bounds = [given(offer.most) ? `at most ${offer.most}` : "", given(offer.least) && offer.least > 1 ? `at least ${offer.least}` : ""];
  // What is chosen already unless something else is need not be called so.
  const meantAlready = offer.default || offer.default === false || offer.choices.length > 0;
  const optional = !offer.required && offer.weight !== "needed" && !meantAlready;
  const legend = html`
    <span>${offer.label}${optional && html`<span class="quiet"> optional</span>`}</span>
    <span class="quiet">${bounds.filter(Boolean).join(", ")}${(offer.by ?? []).map((c) => [" ", chip(c)])}</span>
  `;
  const id = `field-${name}`;
  const control = input({ name, id, offer, value, change, places, redraft: more.redraft });
  const grouped = control.props.className === "choices" || offer.many;
  return html`<${grouped ? "fieldset" : "div"} class="field" key=${name} data-field=${name} onfocusin=${more.use}>
    ${grouped ? html`<legend class="name">${legend}</legend>` : html`<label class="name" for=${id}>${legend}</label>`}
    ${[offer.help, offer.hint].filter(Boolean).map((it) => html`<p class="quiet small">${it}</p>`)}${control}
    ${offer.wrong && html`<p class="wrong" role="alert">${offer.wrong}</p>`}
    ${offer.notHere && html`<p class="not-here" role="alert">Not there: ${offer.notHere.text} ${chip(offer.notHere.clause, true)}</p>`}
    ${more.places}
  <//>`;
}

function input(it) {
  const { offer } = it;
  if (offer.kind === "placement") return placements(it);
  if (offer.parameters?.length) return parameters(it);
  if (offer.kinds && offer.many) return units(it);
  if (offer.many) return many(it);
  if (offer.kind === "yes or no") return radios(it, YES_OR_NO);
  if (offer.choices.length && offer.choices.length <= FEW) return radios(it, withNone(offer));
  if (offer.choices.length) return select(it);
  if (offer.kind === "brp" || offer.kind === "number") return numeric(it);
  if (offer.kind.startsWith("unit") && offer.counters?.length) return counter(it);
  return text(it);
}

const YES_OR_NO = [{ value: true, name: "Yes" }, { value: false, name: "No" }];
const withNone = (offer) => (offer.kind.endsWith("or none") ? [{ value: "", name: "None" }, ...offer.choices] : offer.choices);

/** A few choices in sight; those that are forbidden are folded, each with the reason, and can still be tried. */
function radios(it, choices) {
  const { name, change } = it;
  const one = (c) => html`<label class=${c.no ? "no" : ""} key=${String(c.value)}>
    <input type="radio" name=${`radio-${name}`} checked=${meant(it) === c.value} value=${c.value}
      onchange=${() => change(c.value)} />
    ${isPower(c.value) && seal(c.value)}${c.name || "None"}${c.no && html`<span class="small">: ${c.no.text} ${chip(c.no.clause, true)}</span>`}
  </label>`;
  const denied = choices.filter((c) => c.no);
  return html`<div class="choices">
    ${choices.filter((c) => !c.no).map(one)}
    ${denied.length > 0 && html`<details open=${denied.length === choices.length}>
      <summary class="small quiet">${denied.length} not possible</summary>${denied.map(one)}
    </details>`}
  </div>`;
}

const option = (value, said) => html`<option value=${value} key=${value}>${said}</option>`;

function select(it) {
  const { name, id, offer, change } = it;
  const sorted = offer.choices.filter((c) => c.value).sort((a, b) => a.name.localeCompare(b.name));
  return html`<select name=${name} id=${id} value=${meant(it) ?? ""} onchange=${(e) => change(e.target.value)}>
    ${!offer.default && option("", offer.required ? "Choose…" : "None")}${listed(sorted)}
  </select>`;
}

/** Choices in a list: what is forbidden comes last, with the reason, and can still be tried; of many it is left out. */
function listed(choices) {
  const able = choices.filter((c) => !c.no);
  const denied = able.length && choices.length > FEW ? [] : choices.filter((c) => c.no);
  return [
    able.map((c) => option(c.value, c.name)),
    denied.length
      ? html`<optgroup label="Not possible">
        ${denied.map((c) => option(c.value, `${c.name}: ${c.no.text} [${c.no.clause}]`))}
      </optgroup>`
      : null,
  ];
}

function numeric({ name, id, offer, value, change }) {
  const oninput = (e) => change(e.target.value === "" ? undefined : Math.trunc(Number(e.target.value)));
  const bounds = { min: offer.least ?? undefined, max: given(offer.most) && offer.most >= 1 ? offer.most : undefined };
  const box = html`<input type="number" name=${name} id=${id} step="1" value=${value ?? ""} inputMode="numeric"
    placeholder=${offer.default || ""}
    required=${offer.required} oninput=${oninput} ...${bounds} />`;
  const slide = html`<input type="range" ...${bounds} min=${offer.least ?? 0} value=${value ?? offer.least ?? 0}
    aria-label=${`${offer.label}, slide`} tabIndex="-1" oninput=${oninput} />`;
  return html`<div class="amount">${box}${bounds.max ? slide : null}</div>`;
}

const datalist = (id, lines) => html`<datalist id=${id}>${lines.map(([value, said]) => option(value, said))}</datalist>`;

/** What a text field proposes: places, units that are there, names with what they mean. */
function suggestions(id, offer, places) {
  const units = [...(offer.standing ?? []), ...(offer.pool ?? [])].map((u) => u.unit);
  const lines = [
    ...(offer.kind.startsWith("place") ? places : []).map((it) => [it]),
    ...[...new Set(units)].map((it) => [it]),
    ...(offer.suggested ?? []).map((s) => (IN_WORDS.includes(offer.kind) ? [s.name] : [s.value, s.name])),
  ];
  return lines.length ? datalist(`${id}-list`, lines) : null;
}

/** Kinds of fields whose names are a program's: people choose them by what they are. */
const IN_WORDS = ["figure", "rule"];
const SAID = { any: "yes, no, a number or a name", figure: "Germany: BRP level", place: "a city or hex, or click the map" };

function text({ name, id, offer, value, change, places }) {
  const list = suggestions(id, offer, places);
  const worded = IN_WORDS.includes(offer.kind);
  const chosen = (raw) => offer.suggested?.find((s) => s.name === raw)?.value ?? raw;
  const said = (held) => offer.suggested?.find((s) => s.value === held)?.name ?? held;
  const read = (raw) => (offer.kind === "any" ? plain(raw) : worded ? chosen(raw) : raw);
  const box = html`<input type="text" name=${name} id=${id}
    value=${offer.kind.startsWith("place") && value ? placeWritten(value) : ((worded ? said(value) : value) ?? "")}
    required=${offer.required} placeholder=${SAID[offer.kind.replace(" or none", "")] ?? ""} list=${list?.props.id}
    oninput=${(e) => change(e.target.value === "" ? undefined : read(e.target.value))} />`;
  return html`<div>${box}${list}</div>`;
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
const counter = ({ name, id, offer, value, change }) => html`<select name=${name} id=${id} value=${value ?? ""} required=${offer.required}
  onchange=${(e) => change(e.target.value || undefined)}>
  ${option("", "Choose…")}${offer.counters.map((c) => option(c.unit, c.said))}
</select>`;

/** What was picked already, each to be put back by a press. */
const picked = (value, change, said = (it) => it) => html`<div class="picked">
  ${value.map((it) => html`<button key=${it} onclick=${() => change(value.filter((other) => other !== it))}
    aria-label=${`Remove ${said(it)}`}>${said(it)} ×</button>`)}
</div>`;

const onEnter = (run) => (e) => {
  if (e.key !== "Enter" || !e.target.value) return;
  e.preventDefault();
  run(e);
};

/** Units to add one kind at a time: how many, of what, how strong; those in the pool at a press. */
function units({ name, offer, value = [], change, redraft }) {
  const add = (line) => value.includes(line) || change([...value, line]);
  // Where the counters are known they are chosen, not typed.
  const kinds = offer.counters?.length ? offer.counters : offer.kinds;
  if (!drafts.has(name)) drafts.set(name, { count: 1, kind: kinds[0].unit, strength: "" });
  const draft = drafts.get(name);
  const chosen = kinds.find((k) => k.unit === draft.kind) ?? kinds[0];
  const strong = kinds !== offer.counters && chosen.per === "factor";
  const take = () => add([Math.max(1, Number(draft.count) || 1), chosen.unit, strong ? draft.strength.trim() : ""].filter(Boolean).join(" "));
  const write = (key) => (e) => {
    draft[key] = e.target.value;
    redraft();
  };
  return html`<div>
    ${picked(value, change)}
    <div class="picked">
      ${(offer.pool ?? []).map((p) => html`<button key=${p.unit} onclick=${() => add(`${p.count} ${p.unit}`)}>${p.said} in the pool +</button>`)}
    </div>
    <div class="units">
      <input type="number" min="1" value=${draft.count} aria-label="How many" name=${`${name}-count`}
        oninput=${write("count")} onkeydown=${onEnter(take)} />
      <select aria-label="Kind of unit" name=${`${name}-kind`} value=${chosen.unit} onchange=${write("kind")}>
        ${kinds.map((k) => option(k.unit, k.said))}
      </select>
      ${strong && html`<input type="text" placeholder="3-4" aria-label="Strength" name=${`${name}-strength`} size="4"
        value=${draft.strength} oninput=${write("strength")} onkeydown=${onEnter(take)} />`}
      <button onclick=${take}>Add</button>
    </div>
  </div>`;
}

/** What is half entered in a field of placements: how many of what, and where. */
export function draftOf(name, offer) {
  if (!drafts.has(name)) drafts.set(name, { count: 1, unit: "", place: "" });
  const draft = drafts.get(name);
  draft.unit ||= offer.pool?.[0]?.unit ?? "";
  return draft;
}

const inWords = (placement) => placement.replace(/ at (\S+)$/, (_, key) => ` at ${placeCalled(key)}`);

/** Units set up one row at a time: how many, of what, where; a click on the map places the row. */
function placements({ name, id, offer, value = [], change, places, redraft }) {
  const draft = draftOf(name, offer);
  const used = (unit) =>
    value.filter((it) => it.includes(` ${unit} at `)).reduce((n, it) => n + (Number.parseInt(it, 10) || 1), 0);
  const left = (p) => p.count - used(p.unit);
  const next = offer.pool?.find((p) => p.unit === draft.unit && left(p) > 0) ?? offer.pool?.find((p) => left(p) > 0);
  if (next) draft.unit = next.unit;
  const write = (key) => (e) => {
    draft[key] = e.target.value;
    redraft(key !== "place");
  };
  const take = () => {
    if (!draft.unit || !draft.place) return;
    const row = `${Math.max(1, Number(draft.count) || 1)} ${draft.unit} at ${draft.place.trim()}`;
    draft.place = "";
    change([...value, row]);
  };
  const row = (it) => html`<li key=${it}>
    ${inWords(it)}
    <button class="plain" aria-label=${`Remove ${inWords(it)}`}
      onclick=${() => change(value.filter((other) => other !== it))}>×</button>
  </li>`;
  const unit = { name: `${name}-unit`, "aria-label": "Unit", value: draft.unit, onchange: write("unit") };
  return html`<div>
    <ul class="rows">${value.map(row)}</ul>
    <div class="units placing">
      <input type="number" min="1" value=${draft.count} name=${`${name}-count`} aria-label="How many"
        oninput=${write("count")} />
      ${offer.pool?.length
        ? html`<select ...${unit}>${offer.pool.map((p) => option(p.unit, `${p.unit}, ${left(p)} left`))}</select>`
        : html`<input type="text" placeholder="infantry 1-3" ...${unit} />`}
      <input type="text" name=${`${name}-place`} aria-label="Where" placeholder="a city or hex, or click the map"
        list=${`${id}-list`} value=${draft.place} oninput=${write("place")} onkeydown=${onEnter(take)} />
      <button onclick=${take}>Place</button>
    </div>
    ${datalist(`${id}-list`, places.map((it) => [it]))}
  </div>`;
}

/** One box for each thing that a rule is asked for. */
function parameters({ name, id, offer, value = [], change, places }) {
  const held = offer.parameters.map((_, i) => value[i] ?? drafts.get(`${name}-${i}`) ?? "");
  const read = (i) => (e) => {
    held[i] = e.target.value.trim();
    drafts.set(`${name}-${i}`, held[i]);
    change(held.every(Boolean) ? [...held] : undefined);
  };
  const box = (p, i) => html`<label key=${p}>
    ${title(p)}
    <input type="text" name=${`${name}-${i}`} value=${held[i]} list=${p === "place" ? `${id}-list` : undefined}
      oninput=${read(i)} />
  </label>`;
  return html`<div class="parameters">${offer.parameters.map(box)}${datalist(`${id}-list`, places.map((it) => [it]))}</div>`;
}

function many({ name, id, offer, value = [], change, places }) {
  const add = (e) => {
    const line = e.target.value.trim();
    e.target.value = "";
    if (line && !value.includes(line)) change([...value, line]);
  };
  const written = (it) => (it.includes("/") ? placeCalled(it) : nameOf(it) || it);
  const said = (it) => offer.choices.find((c) => c.value === it)?.name ?? written(it);
  const label = { name, "aria-label": `Add to ${offer.label}` };
  if (offer.choices.length) {
    const rest = offer.choices
      .filter((c) => !value.includes(c.value))
      .sort((a, b) => Number(isPower(b.value)) - Number(isPower(a.value)));
    return html`<div>
      ${picked(value, change, said)}
      <select ...${label} onchange=${add}>${option("", "Add…")}${listed(rest)}</select>
    </div>`;
  }
  const list = suggestions(id, offer, places);
  const box = html`<input type="text" ...${label} list=${list?.props.id}
    placeholder=${SAID[offer.kind] ?? "write and press Enter"}
    onkeydown=${onEnter(add)} onchange=${(e) => (!list || places.includes(e.target.value)) && add(e)} />`;
  return html`<div>${picked(value, change, said)}${box}${list}</div>`;
}
