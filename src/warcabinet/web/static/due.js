// Falls due: when, what, how much, by which clause, and what would avert it.

import { cited } from "./api.js";
import { $, nameOf } from "./dom.js";
import { position, subscribe } from "./store.js";
import { amount, chip, fill, html, seal } from "./ui.js";

/** A sentence inside another: small at its beginning, unless it begins with the name of a power or country. */
function inner(text) {
  const named = [...position().powers, ...position().countries].some((it) => text.startsWith(`${it.name} `));
  return named ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function line(item) {
  const rest = item.due.split(", ").slice(1).join(", ");
  const share = item.share < 100 && item.brp ? `${item.share} % of ${Math.abs(item.brp)}. ` : "";
  return html`<div class="due-line" key=${item.id}>
    <span class="when">${item.turn}</span>
    <span>
      ${item.power && [seal(item.power), " "]}${item.about_name ? `${item.about_name}: ` : ""}
      ${item.about_name && /^[A-Z][a-z]/.test(item.text) ? inner(item.text) : item.text} ${chip(item.clause)}
    </span>
    ${amount(item.brp ? item.comes_to : null, true, { due: item.id }, item.text) ?? html`<span />`}
    <span class="more">
      ${rest ? `${rest}. ` : ""}${share}${item.averted_by ? `Averted by ${item.averted_by}.` : ""}
      ${item.power ? ` ${nameOf(item.power)}.` : ""}
    </span>
  </div>`;
}

export function startDue() {
  subscribe((view) => {
    const items = view.position.agenda;
    $("#due-count").textContent = items.length
      ? `${items.length} item${items.length > 1 ? "s" : ""}, all seats see them`
      : "";
    const year =
      view.position.clock.part === "year start"
        ? null
        : html`<div class="due-line">
          <span class="when">${view.position.clock.year + 1}</span><span>Year start ${chip(cited("year start"))}</span>
          <button class="link small" data-goto="forecast">Forecast</button>
        </div>`;
    fill($("#due"), items.map(line), year);
  });
}
