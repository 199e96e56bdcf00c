// A refused order: the order as a sentence, every reason with its clause, what was checked and is fine.

import { $, capital, copied, inWords, several, toast } from "./dom.js";
import { Trouble, attempt, table } from "./api.js";
import { titleOf } from "./commands.js";
import { closeOrder, openCommand, openOrder } from "./order.js";
import { me, position, store } from "./store.js";
import { chip, fill, html, seal } from "./ui.js";

function reason(r) {
  return html`<li>
    <h3>${r.gist || (r.next ? "Wrong moment" : "Not as it is given")}</h3>
    ${r.clause
      ? html`<span>${chip(r.clause, true)}${(r.also ?? []).map((it) => chip(it, true))}</span>`
      : html`<span />`}
    <span class="fact-text">${capital(r.text)}.</span>
    ${(r.right || r.next) && html`<span class="quiet remedy">
      ${r.right ? `What would be right: ${r.right}. ` : ""}${r.next ? `Next chance: ${r.next}.` : ""}
    </span>`}
    ${leads(r)}
  </li>`;
}

/** Leave the refusal and its order for what is opened instead. */
const instead = (open) => () => {
  $("#refusal").close();
  closeOrder();
  return open();
};

/** What is owed first, where that is the reason: each order that meets it is one press away. */
function leads(r) {
  const offers = store.at === null ? position().offers.filter((o) => o.available && r.clause && o.meets?.includes(r.clause)) : [];
  return offers.length
    ? html`<span class="remedy row">
      ${offers.map((o) => html`<button class="small" onclick=${instead(() => openOrder(o))}>${titleOf(o)}</button>`)}
    </span>`
    : null;
}

const asText = (refused) => [refused.sentence, ...refused.refusals.map((r, i) => `${i + 1}. ${r.text} [${[r.clause, ...(r.also ?? [])].join(", ")}]`)].join("\n");

/** The order as a sentence, the words that offend in bold. */
const sentence = ({ parts, sentence: whole }) => parts?.map((p, i) => [i ? " " : "", p.wrong ? html`<strong>${p.text}</strong>` : p.text]) ?? whole;

/** A line of talk for the referee alone; where nobody is that, for everybody. */
export const sayToReferee = (text) =>
  attempt(async () => {
    const seated = store.view.seats.some((s) => s.role === "referee" && s.people.length);
    await table.post("/talk", { text: text.slice(0, 2000), to: seated ? "referee" : "" });
    toast(seated ? "The referee has been asked." : "Nobody referees this table: everybody has been asked.");
  });

/** Bring a refusal before the referee: another's desk gets a line of talk, one's own the form of a ruling. */
async function askReferee(refused, change) {
  const dialog = $("#refusal");
  if (me().referee) {
    draw(refused, change, rests(refused));
    return void $(".referee button", dialog).focus();
  }
  const clauses = refused.refusals.map((r) => `${r.text}${r.clause ? ` [${r.clause}]` : ""}`).join("; ");
  if (await sayToReferee(`Asks for a ruling: ${refused.sentence}. Refused: ${clauses}`)) dialog.close();
}

/** For the referee: what the refusal rests on, each open to a ruling; and corrections of any figure. */
function rests(refused) {
  const values = refused.rests_on ?? [];
  const reason = `on: ${refused.sentence}`.slice(0, 200);
  const open = (command, known) => instead(() => openCommand(command, known));
  const line = (it) => html`<li>
    <span>${it.gist}${it.about ? ` (${it.about})` : ""}: <strong>${it.text || "no"}</strong> </span>${chip(it.clause)}
    <button class="link" onclick=${open("rule", { rule: it.rule, args: it.args.map(String), reason })}>
      Rule otherwise
    </button>
  </li>`;
  return html`<div class="referee">
    <h3>What you can rule</h3>
    ${values.length
      ? html`<ul>${values.map(line)}</ul>`
      : html`<p class="quiet">The refusal rests on no value or definition; a figure can be corrected.</p>`}
    <button onclick=${open("correct", { reason })}>Correct a figure</button>${" "}
    <button onclick=${open("rule", { reason })}>Rule on another value</button>
  </div>`;
}

function draw(refused, change, ruling = null) {
  const dialog = $("#refusal");
  const n = refused.refusals.length;
  const fine = refused.checked.filter((w) => w.value === "fine");
  const back = () => {
    dialog.close();
    change();
  };
  fill(dialog, html`
    <header>
      <span class="no-sign" aria-hidden="true">⊘</span>
      <div>
        <h2 id="refusal-title">Not allowed: ${several(n, "reason", undefined, inWords(n))}</h2>
        <span class="quiet">Nothing has changed. Every reason is listed, so one correction is enough.</span>
      </div>
    </header>
    <div class="body">
      <div class="asked">
        <span>${refused.power && [seal(refused.power), " "]}${sentence(refused)}</span>
        <em>${change ? "your order" : "not possible now"}</em>
      </div>
      <ol class="reasons">${refused.refusals.map(reason)}</ol>
      ${fine.length > 0 && html`<p class="fine">Checked and fine: ${fine.map((w, i) => [i ? ", " : "", w.gist, " ", chip(w.clause)])}.</p>`}
      ${ruling}
    </div>
    <footer>
      ${(me().player || me().referee) && html`<button onclick=${() => askReferee(refused, change)}>Ask the referee</button>`}
      <button onclick=${() => copied(asText(refused), "Copied with its clauses.")}>Copy with clauses</button>
      <button class="push" onclick=${() => dialog.close()}>Close <kbd>Esc</kbd></button>
      ${change && html`<button class="main" onclick=${back}>Change the order</button>`}
    </footer>
  `);
}

/** Show a refusal; `change` returns to the filled form. */
export function showRefusal(refused, change) {
  const dialog = $("#refusal");
  draw(refused, change);
  if (!dialog.open) dialog.showModal();
  ($("footer .main", dialog) ?? $("footer .push", dialog)).focus();
}

/** Why something is not possible, wherever that was asked. */
export const whyNot = (sentence, refusals) => showRefusal({ sentence, refusals, checked: [] });

/** What went wrong with an order: the refusal with its reasons, or the server's words; any other error is ours. */
export function tellTrouble(error, change) {
  if (!(error instanceof Trouble)) throw error;
  if (error.body.refused) showRefusal(error.body.refused, change);
  else toast(error.message, true);
}
