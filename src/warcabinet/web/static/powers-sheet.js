// Powers: the charts, then everything that is reckoned for one of them, by clause, as the server draws it.

import { $, firstPower } from "./dom.js";
import { table } from "./api.js";
import { served } from "./served.js";
import { me, store } from "./store.js";
import { signal } from "./ui.js";

const chosen = signal("");
let wanted = ""; // a part of the sheet that is looked for

/** Where a chart is wider than the page, the present is in sight; what was looked for comes in sight, once. */
function lookFor(el) {
  const chart = $(".chart-scroll", el);
  if (chart) chart.scrollLeft = chart.scrollWidth;
  if (wanted !== "pool") return;
  wanted = "";
  $("#power-pool", el).focus({ preventScroll: true });
  $(".country-columns", el).scrollIntoView({ block: "start" });
}

/** The sheet of the powers, at one of them; `part` is what is looked for there. */
function go(power, part) {
  wanted = part;
  chosen.value = power ?? (chosen.peek() || me().powers[0] || firstPower());
}

const ask = () => table.get(`/powers/${chosen.value}/page`, { at: store.at });
const press = ({ target }) => (chosen.value = target.closest(".pill[data-power]")?.dataset.power ?? chosen.value);
const draw = (page) => served(page, { class: "page-part", onclick: press }, lookFor);

export const sheet = { go, ask, draw };
