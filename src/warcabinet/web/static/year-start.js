// A year start as an event: power by power, step by step, confirmed by each seat, kept for ever. The server draws it.

import { $, $$, copyTable } from "./dom.js";
import { table } from "./api.js";
import { answerYear } from "./now.js";
import { served } from "./served.js";
import { store } from "./store.js";
import { computed, state } from "./ui.js";

/** Which year (0: the last), and all steps or one at a time, as on a phone there is room for no more. */
const its = state({ year: 0, step: matchMedia("(max-width: 56.24rem)").matches ? 0 : -1 });

/** The parts of a power's figures, unfolded or not. */
function unfold(row, is) {
  $(".fold", row).ariaExpanded = String(is);
  for (const parts of $$(".year-parts", row)) parts.hidden = !is;
}

function press({ target, currentTarget }) {
  const button = target.closest("button");
  const { choice, answer, copies, unfold: all } = button?.dataset ?? {};
  if (choice) its.step = Number(choice);
  if (answer) answerYear(answer, store.view.year_start.year);
  if (copies !== undefined) copyTable(currentTarget);
  if (button?.matches(".fold")) unfold(button.closest("tr"), button.ariaExpanded === "false");
  if (all === undefined) return;
  const folded = $$(".fold[aria-expanded=false]", currentTarget).length > 0;
  for (const row of $$("tbody tr", currentTarget)) unfold(row, folded);
  button.textContent = folded ? "Fold all" : "Unfold all";
}

const leaf = ({ target }) => target.matches("[data-years]") && (its.year = Number(target.value));

/** Who has confirmed, as a text that is another whenever that changes. */
const confirming = computed(() => JSON.stringify(store.view?.year_start ?? ""));

/** Of a year, or of the last year start that was held; asked for again whenever somebody has confirmed. */
const ask = () => confirming.value && table.get("/year-start/page", { year: its.year || null, step: its.step, at: store.at });

const draw = (page) => served(page, { class: "page-part", onclick: press, onchange: leaf });

export const sheet = { go: (of) => (its.year = of ?? its.year), ask, draw };
