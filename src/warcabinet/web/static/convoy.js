// A grant under way, beside the aid page: what is afloat, hex by hex, whose answer is awaited, what it would come to.

import { $, capital, nameOf } from "./dom.js";
import { attempt } from "./api.js";
import { described } from "./commands.js";
import { openOrder } from "./order.js";
import { served } from "./served.js";
import { live, me, perform, position } from "./store.js";
import { chip, html, panel, plain, seal, signal } from "./ui.js";

const sheet = signal(null);

const throwDie = (purpose) => attempt(() => perform("/do", { do: "roll", purpose }));

/** Whose answer is awaited: mine to give by these buttons, or somebody else's, and then mine stay off. */
function answer(it) {
  const mine = live() && it.waits_for.some((p) => me().powers.includes(p));
  const offers = position().offers.filter((o) => it.replies.includes(o.command) && o.available && o.replies_to);
  const who = it.waits_for.map(nameOf).join(" and ");
  return html`<div class=${`answer${mine ? " mine" : ""}`} role="status">
    <header>
      ${it.waits_for.map((p) => seal(p))}<strong>${mine ? `${who} answers: it is yours` : `${who} answers`}</strong>
      <span class="quiet">${chip(it.clause)}</span>
    </header>
    <p>${capital(it.asks)}.</p>
    <div class="row">
      ${mine
        ? offers.map((o, i) => html`<button class=${i ? "small" : "small main"} data-reply=${o.command}
          onclick=${() => openOrder(o)}>${o.label}</button>`)
        : it.replies.map((command) => html`<button class="small" disabled>${described({ command }).label}</button>`)}
      ${mine && html`<button class="small" data-reply="roll" onclick=${() => throwDie(`${it.title}: ${it.asks}`)}>
        Throw a die
      </button>`}
    </div>
    <p class="quiet">
      ${mine ? "Dice thrown at your own table go into the report." : `yours when ${who} has answered`}
    </p>
  </div>`;
}

/** The whole panel for one grant. */
export function convoyParts(it, idOfTitle) {
  const where = position().clock;
  return html`
    <header class="convoy-head">
      <div>
        <h2 id=${idOfTitle} tabIndex="-1">${it.title}</h2>
        <span class="quiet">${where.turn_name}, ${capital(where.part)} turn</span>
      </div>
      <div class="afloat"><b>${it.afloat}</b><small>of ${it.sent} afloat</small></div>
    </header>
    ${served(it.drawn, {})}${answer(it)}
    <h3>If it ended now</h3>
    ${plain(it.if_ended.map((o) => html`<tr>
      <th scope="row">${o.text} ${chip(o.clause)}</th>
      <td class=${o.loss && o.amount ? "r minus" : "r"}><b>${o.amount}</b></td>
    </tr>`))}
  `;
}

/** Told by the aid page whenever it was fetched. */
export const showConvoy = (it) => (sheet.value = it);

// What was shown is old as soon as nothing waits any more; the page itself comes with the next fetch.
panel($("#convoy"), () => {
  const it = position().waits.some((w) => w.id === sheet.value?.id) ? sheet.value : null;
  document.body.toggleAttribute("data-convoy", Boolean(it));
  return it && convoyParts(it, "convoy-title");
});
