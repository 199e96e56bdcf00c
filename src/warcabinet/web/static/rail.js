// A card for each power: level, base, deficit room, construction limit used and left; then the tensions.

import { $ } from "./dom.js";
import { subscribe } from "./store.js";
import { draw, h, number, seal } from "./ui.js";

function figure(p, label, view, text, className) {
  const value = p.figures[label];
  if (value === null || value === undefined) return null;
  return number(text ?? value, view.position.card_rules[label], [p.power], `${p.name}, ${label}`, className);
}

const assumed = (p, label) =>
  p.assumed.includes(label)
    ? h("sup", { className: "assumed", title: "an assumed figure; the scenario can override it" }, "a")
    : null;

function card(p, view, before) {
  const f = p.figures;
  const old = before?.position.powers.find((it) => it.power === p.power);
  const changed = old && old.figures.level !== f.level;
  const started = f.built > 0;
  const share = f.limit ? Math.min(100, (100 * f.built) / f.limit) : 0;
  return h(
    "section",
    {
      className: `card ${p.power}${p.mine ? " mine" : ""}${changed ? " flash" : ""}`,
      id: `card-${p.power}`,
      key: p.power,
      "aria-label": `${p.name}, ${p.stance}`,
      tabIndex: -1,
    },
    h("div", { className: `pattern ${p.power}`, "aria-hidden": "true" }),
    h("div", { className: "card-head" }, seal(p.power), h("strong", {}, p.name), h("span", { className: "quiet" }, p.stance)),
    p.kept
      ? h(
          "div",
          { className: "card-figures" },
          figure(p, "level", view, null, "level"),
          assumed(p, "level"),
          h("span", { className: "word" }, "level"),
          h(
            "span",
            { className: "right" },
            h("span", {}, figure(p, "base", view), assumed(p, "base"), " base"),
            h("span", {}, f.deficit ? figure(p, "deficit", view) : figure(p, "deficit", view, "no"), " deficit room"),
          ),
        )
      : h(
          "div",
          { className: "quiet card-none" },
          p.stance === "surrendered" ? "Its BRPs are put away" : "BRPs are not kept in this scenario",
        ),
    p.kept && f.limit !== null
      ? h(
          "div",
          { className: "card-meter" },
          h("div", { className: "meter", share, role: "img", "aria-label": `${f.built} of ${f.limit} built` }, h("i", {})),
          h("span", { className: "text" }, figure(p, "limit", view, `${f.built} of ${f.limit}`), started ? " built" : " limit"),
        )
      : null,
  );
}

function tensions(view) {
  return h(
    "div",
    { className: "tensions" },
    view.position.tracks
      .filter((t) => !t.track.startsWith("effective"))
      .slice(0, 6)
      .map((t) =>
        h(
          "div",
          {},
          h("button", { type: "button", className: "number", dataset: { figure: `tracks.${t.track}` }, "aria-label": `${t.name}: ${t.level}` }, String(t.level)),
          h("span", {}, t.name),
        ),
      ),
  );
}

export function startRail() {
  subscribe((view, before) =>
    draw(
      $("#rail"),
      view.position.powers.map((p) => card(p, view, before)),
      tensions(view),
    ),
  );
}

/** The four figures above the phone's panel, for the first power held. */
export function phoneFigures(view) {
  const p =
    view.position.powers.find((it) => it.power === view.position.moving[0]) ??
    view.position.powers.find((it) => it.mine);
  if (!p || !p.kept) return null;
  const left = (p.figures.limit ?? 0) - (p.figures.built ?? 0);
  const cell = (label, node) => h("div", {}, label, node);
  return h(
    "div",
    { className: "phone-figures" },
    cell("Level", figure(p, "level", view)),
    cell("Limit left", figure(p, "limit", view, left)),
    cell("Used", figure(p, "built", view, `${p.figures.built} of ${p.figures.limit}`)),
    cell("Deficit room", figure(p, "deficit", view, p.figures.deficit || "none")),
  );
}
