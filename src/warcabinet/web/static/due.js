// Falls due: when, what, how much, by which clause, and what would avert it.

import { cited } from "./api.js";
import { $, several } from "./dom.js";
import { subscribe } from "./store.js";
import { amount, chip, fill, html, seal } from "./ui.js";

const line = (item) => html`<div class="due-line" key=${item.id}>
  <span class="when">${item.turn}</span>
  <span>${item.power && [seal(item.power), " "]}${item.said} ${chip(item.clause)}</span>
  ${amount(item.brp ? item.comes_to : null, true, { due: item.id }, item.text) ?? html`<span />`}
  <span class="more">${item.more}</span>
</div>`;

export function startDue() {
  subscribe((view) => {
    const items = view.position.agenda;
    $("#due-count").textContent = items.length ? `${several(items.length, "item")}, all seats see them` : "";
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
