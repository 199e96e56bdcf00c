// A refused order: the order as a sentence, every reason with its clause, what was checked and is fine.

import { $, chip, fill, h, toast } from "./dom.js";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

function reason(r) {
  const heading = r.gist || (r.next ? "Wrong moment" : "Not as it is given");
  return h(
    "li",
    {},
    h("h3", {}, heading),
    r.clause ? chip(r.clause, true) : h("span"),
    h(
      "span",
      { className: "fact-text" },
      r.text.replace(/^./, (c) => c.toUpperCase()),
      ".",
    ),
    r.next ? h("span", { className: "quiet" }, `Next chance: ${r.next}.`) : null,
  );
}

function asText(refused) {
  return [refused.sentence, ...refused.refusals.map((r, i) => `${i + 1}. ${r.text} [${r.clause}]`)].join("\n");
}

/** Show a refusal; `change` returns to the filled form. */
export function showRefusal(refused, change) {
  const dialog = $("#refusal");
  const n = refused.refusals.length;
  const copy = async () => {
    await navigator.clipboard?.writeText(asText(refused)).catch(() => {});
    toast("Copied with its clauses.");
  };
  const fine = refused.checked.filter((w) => w.value === "fine");
  fill(
    dialog,
    h(
      "header",
      {},
      h("span", { className: "no-sign", "aria-hidden": "true" }, "⊘"),
      h(
        "div",
        {},
        h("h2", { id: "refusal-title" }, `Not allowed: ${WORDS[n] ?? n} reason${n === 1 ? "" : "s"}`),
        h("span", { className: "quiet" }, "Nothing has changed. Every reason is listed, so one correction is enough."),
      ),
    ),
    h(
      "div",
      { className: "body" },
      h("div", { className: "asked" }, h("span", {}, refused.sentence), h("em", {}, "your order")),
      h("ol", { className: "reasons" }, refused.refusals.map(reason)),
      fine.length
        ? h(
            "p",
            { className: "fine" },
            "Checked and fine: ",
            fine.map((w, i) => [i ? ", " : "", w.gist, " ", chip(w.clause)]),
            ".",
          )
        : null,
    ),
    h(
      "footer",
      {},
      h("button", { type: "button", onclick: copy }, "Copy with clauses"),
      h("button", { type: "button", className: "push", onclick: () => dialog.close() }, "Close ", h("kbd", {}, "Esc")),
      change
        ? h(
            "button",
            {
              type: "button",
              className: "main",
              onclick: () => {
                dialog.close();
                change();
              },
            },
            "Change the order",
          )
        : null,
    ),
  );
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("footer .main") ?? dialog.querySelector("footer .push")).focus();
}
