// A card for each power: level, base, deficit room, construction limit used and left; then the tensions.

import { $ } from "./dom.js";
import { shown, store, subscribe } from "./store.js";
import { fill, html, number, seal } from "./ui.js";

function figure(p, label, view, text, className) {
  const value = p.figures[label];
  if (value === null || value === undefined) return null;
  return number(text ?? value, view.position.card_rules[label], [p.power], `${p.name}, ${label}`, className);
}

const assumed = (p, label) => p.assumed.includes(label)
  ? html`<sup class="assumed" title="an assumed figure; the scenario can override it">a</sup>`
  : null;

function card(p, view, before) {
  const f = p.figures;
  const old = before?.position.powers.find((it) => it.power === p.power);
  const changed = old && !store.present && old.figures.level !== f.level;
  const started = f.built > 0;
  const share = f.limit ? Math.min(100, (100 * f.built) / f.limit) : 0;
  return html`<section class=${`card ${p.power}${p.mine ? " mine" : ""}${changed ? " flash" : ""}`}
    id=${`card-${p.power}`} key=${p.power} aria-label=${`${p.name}, ${p.stance}`} tabIndex="-1">
    <div class=${`pattern ${p.power}`} aria-hidden="true" />
    <div class="card-head">${seal(p.power)}<strong>${p.name}</strong><span class="quiet">${p.stance}</span></div>
    ${p.kept
      ? html`<div class="card-figures">
        ${figure(p, "level", view, null, "level")}${assumed(p, "level")}<span class="word">level</span>
        <span class="right">
          <span>${figure(p, "base", view)}${assumed(p, "base")} base</span>
          <span>${f.deficit ? figure(p, "deficit", view) : figure(p, "deficit", view, "no")} deficit room</span>
        </span>
      </div>`
      : html`<div class="quiet card-none">
        ${p.stance === "surrendered" ? "Its BRPs are put away" : "BRPs are not kept in this scenario"}
      </div>`}
    ${p.kept && f.limit !== null && html`<div class="card-meter">
      <div class="meter" share=${share} role="img" aria-label=${`${f.built} of ${f.limit} built`}><i /></div>
      <span class="text">${figure(p, "limit", view, `${f.built} of ${f.limit}`)}${started ? " built" : " limit"}</span>
    </div>`}
  </section>`;
}

const tensions = (view) => html`<div class="tensions">
  ${view.position.tracks.filter((t) => !t.track.startsWith("effective")).slice(0, 6).map((t) => html`<div>
    <button class="number" data-figure=${`tracks.${t.track}`} aria-label=${`${t.name}: ${t.level}`}>
      ${t.level}
    </button>
    <span>${t.name}</span>
  </div>`)}
</div>`;

export function startRail() {
  subscribe((now, before) => {
    const view = shown(now);
    fill($("#rail"), view.position.powers.map((p) => card(p, view, before)), tensions(view));
  });
}

/** The four figures above the phone's panel, for the first power held. */
export function phoneFigures(view) {
  const p =
    view.position.powers.find((it) => it.power === view.position.moving[0]) ??
    view.position.powers.find((it) => it.mine);
  if (!p || !p.kept) return null;
  const left = (p.figures.limit ?? 0) - (p.figures.built ?? 0);
  const cell = (label, node) => html`<div>${label}${node}</div>`;
  return html`<div class="phone-figures">
    ${cell("Level", figure(p, "level", view))}${cell("Limit left", figure(p, "limit", view, left))}
    ${cell("Used", figure(p, "built", view, `${p.figures.built} of ${p.figures.limit}`))}
    ${cell("Deficit room", figure(p, "deficit", view, p.figures.deficit || "none"))}
  </div>`;
}
