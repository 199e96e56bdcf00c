// What a power's steward, or its own plan, would do now: shown where it was asked for, on the map or among the plans.

import { attempt, table } from "./api.js";
import { nameOf, several, toast } from "./dom.js";
import { draftsOf } from "./map/drafts.js";
import { map } from "./map/map.js";
import { drawOver } from "./map/over.js";
import { perform } from "./store.js";
import { html, seal } from "./ui.js";

let advice = null;

/** What is advised lies on the map as ghosts, as long as it is shown. */
function show(found) {
  advice = found;
  map.advised = found ? found.orders.flatMap((it) => draftsOf(it.command)) : [];
  map.over.dataset.advised = map.advised.length;
  if (map.board) drawOver(map);
}

/** Ask what would be done; it is shown until it is put away. */
export const suggest = async (whose) => show(await table.get("/suggest", { power: whose }));

/** After a move it may be another. */
export const forgetAdvice = () => advice && show(null);

/** The advice that was asked for; `again` draws what it stands in. */
export function advised(again) {
  if (!advice) return null;
  const { power, orders, stuck, base, total } = advice;
  const away = () => {
    show(null);
    again();
  };
  const give = () =>
    attempt(async () => {
      if (advice.minded) await table.post(`/minders/${power}/give`);
      else for (const order of orders) await perform("/do", order.command);
      toast(`${several(orders.length, "order")} given.`);
      away();
    });
  const change = (name, it) => (it.stands === it.becomes ? `${name} ${it.stands}` : `${name} ${it.stands} → ${it.becomes}`);
  return html`<div class="advice" role="status">
    <h3>${seal(power)} What ${nameOf(power)} would do now</h3>
    ${orders.length
      ? html`<ol>${orders.map((it) => html`<li>${it.text} <small class="quiet">${it.why}</small></li>`)}</ol>`
      : html`<p>Nothing at this moment.</p>`}
    ${stuck && html`<p class="deny">No answer: ${stuck}</p>`}
    <p class="quiet">At the next year start, as it stands: ${change("base", base)}, ${change("total", total)}.</p>
    <p class="row">
      ${orders.length > 0 && html`<button class="push" onclick=${give}>Give these orders</button>`}
      <button class="small" onclick=${away}>Put away</button>
    </p>
  </div>`;
}
