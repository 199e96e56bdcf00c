// Falls due: when, what, how much, by which clause, and what would avert it.

import { cited } from "./api.js";
import { $, nameOf } from "./dom.js";
import { position, subscribe } from "./store.js";
import { amount, chip, draw, h, seal } from "./ui.js";

/** A sentence inside another: small at its beginning, unless it begins with the name of a power or country. */
function inner(text) {
  const named = [...position().powers, ...position().countries].some((it) => text.startsWith(`${it.name} `));
  return named ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function line(item) {
  const rest = item.due.split(", ").slice(1).join(", ");
  const share = item.share < 100 && item.brp ? `${item.share} % of ${Math.abs(item.brp)}. ` : "";
  return h(
    "div",
    { className: "due-line", key: item.id },
    h("span", { className: "when" }, item.turn),
    h(
      "span",
      {},
      item.power ? [seal(item.power), " "] : null,
      item.about_name ? `${item.about_name}: ` : "",
      item.about_name && /^[A-Z][a-z]/.test(item.text)
        ? inner(item.text)
        : item.text,
      " ",
      chip(item.clause),
    ),
    amount(item.brp ? item.comes_to : null, true, { due: item.id }, item.text) ?? h("span"),
    h(
      "span",
      { className: "more" },
      rest ? `${rest}. ` : "",
      share,
      item.averted_by ? `Averted by ${item.averted_by}.` : "",
      item.power ? ` ${nameOf(item.power)}.` : "",
    ),
  );
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
        : h(
            "div",
            { className: "due-line" },
            h("span", { className: "when" }, String(view.position.clock.year + 1)),
            h("span", {}, "Year start ", chip(cited("year start"))),
            h("button", { type: "button", className: "link small", dataset: { goto: "forecast" } }, "Forecast"),
          );
    draw($("#due"), items.map(line), year);
  });
}
