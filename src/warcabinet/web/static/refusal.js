// A refused order: the order as a sentence, every reason with its clause, what was checked and is fine.

import { $, chip, fill, h, seal, toast } from "./dom.js";
import { Trouble, table } from "./api.js";
import { titleOf } from "./commands.js";
import { closeOrder, openCommand, openOrder } from "./order.js";
import { me, position, store } from "./store.js";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

function reason(r) {
  const heading = r.gist || (r.next ? "Wrong moment" : "Not as it is given");
  return h(
    "li",
    {},
    h("h3", {}, heading),
    r.clause ? h("span", {}, chip(r.clause, true), (r.also ?? []).map((it) => chip(it, true))) : h("span"),
    h(
      "span",
      { className: "fact-text" },
      r.text.replace(/^./, (c) => c.toUpperCase()),
      ".",
    ),
    r.right || r.next
      ? h(
          "span",
          { className: "quiet remedy" },
          r.right ? `What would be right: ${r.right}. ` : "",
          r.next ? `Next chance: ${r.next}.` : "",
        )
      : null,
    leads(r),
  );
}

/** What is owed first, where that is the reason: each order that meets it is one press away. */
function leads(r) {
  const offers = store.at === null ? position().offers.filter((o) => o.available && r.clause && o.meets?.includes(r.clause)) : [];
  const go = (offer) => () => {
    $("#refusal").close();
    closeOrder();
    openOrder(offer);
  };
  return offers.length ? h("span", { className: "remedy row" }, offers.map((o) => h("button", { type: "button", className: "small", onclick: go(o) }, titleOf(o)))) : null;
}

function asText(refused) {
  return [refused.sentence, ...refused.refusals.map((r, i) => `${i + 1}. ${r.text} [${[r.clause, ...(r.also ?? [])].join(", ")}]`)].join("\n");
}

/** The order as a sentence, the words that offend in bold. */
const sentence = (refused) =>
  refused.parts
    ? refused.parts.map((p, i) => [i ? " " : "", p.wrong ? h("strong", {}, p.text) : p.text])
    : refused.sentence;

/** Bring a refusal before the referee: another's desk gets a line of talk, one's own the form of a ruling. */
async function askReferee(refused, dialog) {
  const clauses = refused.refusals.map((r) => `${r.text}${r.clause ? ` [${r.clause}]` : ""}`).join("; ");
  if (me().referee) return showRests(refused, dialog);
  const seated = store.view.seats.some((s) => s.role === "referee" && s.people.length);
  try {
    const text = `Asks for a ruling: ${refused.sentence}. Refused: ${clauses}`.slice(0, 2000);
    await table.post("/talk", { text, to: seated ? "referee" : "" });
    dialog.close();
    toast(seated ? "The referee has been asked." : "Nobody referees this table: everybody has been asked.");
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

/** For the referee: what the refusal rests on, each open to a ruling; and corrections of any figure. */
function showRests(refused, dialog) {
  const rests = refused.rests_on ?? [];
  const reason = `on: ${refused.sentence}`.slice(0, 200);
  const open = (command, known) => async () => {
    dialog.close();
    closeOrder();
    await openCommand(command, known);
  };
  const line = (it) =>
    h(
      "li",
      {},
      h("span", {}, it.gist, it.about ? ` (${it.about})` : "", ": ", h("strong", {}, it.text || "no"), " "),
      chip(it.clause),
      h(
        "button",
        { type: "button", className: "link", onclick: open("rule", { rule: it.rule, args: it.args.map(String), reason }) },
        "Rule otherwise",
      ),
    );
  fill(
    $(".referee", dialog),
    h("h3", {}, "What you can rule"),
    rests.length
      ? h("ul", {}, rests.map(line))
      : h("p", { className: "quiet" }, "The refusal rests on no value or definition; a figure can be corrected."),
    h("button", { type: "button", onclick: open("correct", { reason }) }, "Correct a figure"),
    " ",
    h("button", { type: "button", onclick: open("rule", { reason }) }, "Rule on another value"),
  );
  $(".referee button", dialog).focus();
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
      h(
        "div",
        { className: "asked" },
        h("span", {}, refused.power ? [seal(refused.power), " "] : null, sentence(refused)),
        h("em", {}, change ? "your order" : "not possible now"),
      ),
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
      h("div", { className: "referee" }),
    ),
    h(
      "footer",
      {},
      me().player || me().referee
        ? h("button", { type: "button", onclick: () => askReferee(refused, dialog) }, "Ask the referee")
        : null,
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

/** What went wrong with an order: the refusal with its reasons, or the server's words; any other error is ours. */
export function tellTrouble(error, change) {
  if (!(error instanceof Trouble)) throw error;
  if (error.body.refused) showRefusal(error.body.refused, change);
  else toast(error.message, true);
}
