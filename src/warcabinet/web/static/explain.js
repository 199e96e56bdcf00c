// A number opened to its sum: the reasons as the rules themselves gave them, unfolding down to the clause.

import { $, $$, conceal, copied, isPower, nameOf, reveal, several, signed, toast } from "./dom.js";
import { attempt, base, hall, table, tableId } from "./api.js";
import { store } from "./store.js";
import { Component } from "./vendor/preact.js";
import { amount, chip, fill, html, plain, seal } from "./ui.js";

let shown = 0;

function valueText(node) {
  if (node.value === true) return "yes";
  if (node.value === false) return "no";
  if (node.value === null) return "";
  return typeof node.value === "number" ? (node.value < 0 ? signed(node.value) : String(node.value)) : node.text;
}

/** Reasons one under the other; the clause of several alike stands at the first. */
const reasons = (nodes, depth) =>
  nodes.map((it, i) => {
    const told = i > 0 && nodes[i - 1].rule === it.rule && nodes[i - 1].clause === it.clause;
    return html`<${Reason} node=${it} depth=${depth} told=${told} />`;
  });

/** One reason and, folded below the first, what it rests on. */
class Reason extends Component {
  render({ node, depth, told }, { open = depth === 0 }) {
    const account = node.rule === "account_balance" ? node.args[0] : "";
    const extra = [account ? "" : node.about, node.note].filter(Boolean).join(" · ");
    const ruled = node.note.startsWith("referee");
    const fold = () => this.setState({ open: !open });
    return html`<li>
      <div class="line">
        ${node.because.length
          ? html`<button class="fold" aria-expanded=${open} aria-label=${`Unfold ${node.title}`} onclick=${fold}>${open ? "▾" : "▸"}</button>`
          : html`<span />`}
        <span class="value">${valueText(node)}</span>
        <span>
          ${node.said}
          ${(ruled || extra) && html`<span class=${ruled ? "note ruled" : "note"}>${ruled ? node.note : extra}</span>`}
          ${node.set_aside.map((it) => html`<span class="note">Displaces: ${it.gist} ${chip(it.clause)}</span>`)}
          ${account && html`<button class="link small" onclick=${() => openLedger(account)}>Every entry</button>`}
        </span>
        ${node.clause && !told ? chip(node.clause) : html`<span />`}
      </div>
      ${node.because.length > 0 && html`<ul class="why" hidden=${!open}>${reasons(node.because, depth + 1)}</ul>`}
    </li>`;
  }
}

function place(box, anchor) {
  if (innerWidth < 900) return;
  const from = (anchor?.closest?.(".card") ?? anchor)?.getBoundingClientRect?.() ?? {
    left: innerWidth / 2,
    right: innerWidth / 2,
    top: 140,
    bottom: 140,
  };
  const width = box.offsetWidth;
  const beside = from.right + 14 + width < innerWidth ? from.right + 14 : Math.max(8, from.left - width - 14);
  box.style.left = `${beside}px`;
  box.style.top = `${Math.max(126, Math.min(from.top - 24, innerHeight - box.offsetHeight - 16))}px`;
}

function show(anchor, { power, title, aside, result }, body, footer) {
  const box = $("#explain");
  // Over an open dialog nothing outside it can be seen or reached.
  const home = $("dialog[open]") ?? $("#board");
  if (box.parentElement !== home) home.append(box);
  fill(box, html`
    <header>
      ${power && seal(power)}
      <div><h2 id="explain-title">${title}</h2><span class="quiet">${aside}</span></div>
      ${result !== undefined && html`<span class="result">${result}</span>`}
      <button class="close" aria-label="Close" onclick=${closeExplain}>×</button>
    </header>
    <div class="body" tabIndex="0" key=${++shown}>${body}</div>
    ${footer}
  `);
  reveal(box);
  place(box, anchor);
  $(".body", box).focus({ preventScroll: true });
}

export function closeExplain() {
  if (!conceal($("#explain"))) return false;
  $("#board").append($("#explain"));
  return true;
}

const asText = (node, depth = 0) =>
  `${"  ".repeat(depth)}${valueText(node)}  ${node.said} ${node.clause ? `[${node.clause}]` : ""}\n${node.because.map((b) => asText(b, depth + 1)).join("")}`;

function foot(tree, link) {
  const bring = () => {
    location.hash = link;
    copied(location.href, "The link is in the address bar.");
  };
  return html`<footer>
    <span class="quiet">
      Opens to the clause at every line.${" "}
      <span class="by-keys"><kbd>→</kbd> unfold <kbd>C</kbd> clause <kbd>Esc</kbd> close</span>
    </span>
    <button class="push small" onclick=${() => copied(asText(tree), "Copied.")}>Copy as text</button>
    ${link && html`<button class="small" onclick=${bring}>Link</button>`}
  </footer>`;
}

/** Where BRPs that pass between powers went or came from: each end opens its own ledger, what befell them is folded. */
function trail({ trail: found }) {
  if (!found) return null;
  const end = (it) => html`<button class="link small" data-trail=${it.account}
    onclick=${(event) => openLedger(it.account, event.target, "", it.move)}>
    ${it.amount < 0 ? "from" : "to"} ${it.name} ${signed(it.amount)}
  </button>`;
  const step = (it) => html`<li>
    ${it.power && [seal(it.power), " "]}${[it.text, it.note].filter(Boolean).join("; ")}
    ${it.lost ? html`<b class="minus"> ${signed(-it.lost)}</b>` : null} ${chip(it.clause)}
  </li>`;
  return html`<div class="trail">
    ${found.ends.map(end)}
    ${found.under_way ? html`<span class="quiet small">${found.under_way} still under way</span>` : null}
    ${found.between?.length > 0 && html`<details><summary>What befell it on the way</summary><ul>${found.between.map(step)}</ul></details>`}
  </div>`;
}

/** The amount of an entry, open to its sum. */
const opened = (l) => amount(l.amount, true, { sum: `${l.move}/${l.event}` }, l.memo);

/** A stored amount is the sum of its entries: the latest one by one, the earlier ones together. */
async function entries(account) {
  const { lines } = await table.get("/ledger", { account });
  const upto = store.at === null ? lines : lines.filter((l) => l.move <= store.at);
  const shown = upto.slice(-8);
  const before = upto.length - shown.length;
  const line = (value, text, note, clause, more = null) => html`<li>
    <div class="line">
      <span /><span class="value">${value}</span>
      <span>${text}${note && html`<span class="note">${note}</span>`}${more}</span>
      ${chip(clause) ?? html`<span />`}
    </div>
  </li>`;
  return [
    before
      ? line(upto[before - 1].balance, several(before, "earlier entry", "earlier entries"), "", "")
      : null,
    ...shown.map((l) => line(opened(l), l.memo, `${l.when}, move ${l.move}`, l.clause, trail(l))),
    html`<li><button class="link small" onclick=${() => openLedger(account)}>Every entry</button></li>`,
  ].filter(Boolean);
}

/** Open the sum behind a value. */
const openExplain = (rule, args, anchor, at = store.at) => {
  const named = args.join(",");
  return openReasons(() => table.get("/explain", { rule, args: named, at }), anchor, `explain=${rule}(${named})`);
};

/** A total below a sum: of a limit how much is used, how much is left. */
const total = (value, text, clause) => html`<div class="total">
  <span /><span class="value">${value}</span><span>${text}</span>${chip(clause) ?? html`<span />`}
</div>`;
const follows = (node) => total(valueText(node), node.gist, node.clause);

/** Show reasons, wherever they come from. */
export const openReasons = (ask, anchor, link) =>
  attempt(async () => {
    const { tree, asked, args, moment, then } = await ask();
    const power = args.find(isPower);
    // Only a real position has entries; one that is supposed has none of its own.
    const [only] = tree.because;
    const account = link && tree.because.length === 1 && only.rule === "account_balance" ? only.args[0] : "";
    const rows = account ? await entries(account) : reasons(tree.because.length ? tree.because : [tree], 0);
    const all = follows({ ...tree, gist: tree.gist || asked.gist });
    const title = `${power ? `${nameOf(power)}: ` : ""}${asked.title}`;
    const body = html`<ul class="why">${rows}</ul>${all}${then.map(follows)}`;
    show(anchor, { power, title, aside: moment, result: valueText(tree) }, body, foot(tree, link));
  });

async function openFigure(path, anchor) {
  const found = await table.get("/figure", { path, at: store.at });
  if (found.tree) return openExplain(found.tree.rule, found.tree.args, anchor);
  const body = html`<p><strong>${JSON.stringify(found.value)}</strong> as set or reported; the log tells by whom.</p>`;
  show(anchor, { title: path, aside: found.moment }, body);
}

/** An amount of log, ledger, agenda or chart, opened to the clauses that made it. */
const openSum = (ask, anchor) =>
  attempt(async () => {
    const { power, power_name: who, title, when, move, amount: sum, rows, clause, was, comes_to: then, year } = await ask();
    const aside = move ? `${when}, move ${move}` : when;
    const body = html`
      <ul class="why">${reasons(rows, 0)}</ul>
      ${total(signed(sum), move ? "In all" : "Comes to", clause)}
      ${was !== null && total(then, `Level after it, from ${was}`)}
      ${Boolean(year) && html`<p>
        <button class="link" data-goto="yearstart" data-year=${year}>The sheet of the ${year} year start</button>
      </p>`}
    `;
    const header = { power, title: `${who ? `${who}: ` : ""}${title}`, aside, result: signed(sum) };
    show(anchor, header, body, foot({ value: sum, said: title, clause, because: rows }, ""));
  });

const below = (n) => (n < 0 ? signed(n) : String(n));

/** The entries of an account with their running balance, all or of one purpose; those of a move are pointed out. */
async function openLedger(account, anchor, purpose = "", move = null) {
  const { name, lines, balance } = await table.get("/ledger", { account, purpose, at: store.at });
  const rows = lines.toReversed().map((l) => html`<tr class=${l.move === move ? "here" : ""}>
    <td>${l.move}</td><td>${l.when}</td><td>${l.memo} ${chip(l.clause)}${trail(l)}</td><td class="r">${opened(l)}</td>
    <td class="r">${below(l.balance)}</td>
  </tr>`);
  const title = purpose ? `${name}: ${purpose}` : `Ledger: ${name}`;
  const aside = `${several(lines.length, "entry", "entries")}, newest first`;
  const body = plain(rows, ["Move", "When", "What for", "Amount", purpose ? "So far" : "Balance"]);
  show(anchor, { title, aside, result: below(balance) }, body);
  $("#explain tr.here")?.scrollIntoView({ block: "nearest" });
}

/** A clause: what it is about in our words, and the rules that carry it out. */
export const openClause = (clause, anchor) =>
  attempt(async () => {
    const { gist, reason, rules, rulings, cases, status } = await hall.get(`/clauses/${encodeURIComponent(clause)}`);
    const page = (name) => `${base}/rules/${encodeURIComponent(name)}?table=${tableId}`;
    const body = html`
      <p>${gist}</p>
      ${reason && html`<p class="quiet">${reason}</p>`}
      <ul>${rules.map((r) => html`<li><strong>${r.kind}</strong> ${r.gist} <span class="quiet small">${r.where}</span></li>`)}</ul>
      ${!rules.length && html`<p class="quiet">Nothing is computed from it yet.</p>`}
      <ul>${rulings.map((r) => html`<li><a href=${page(r.ruling)}>${r.ruling}</a> ${r.question}</li>`)}</ul>
      <p><a href=${page(clause)}>All of ${clause}: ${several(cases.length, "case")}, ${several(rulings.length, "ruling")}</a></p>
    `;
    show(anchor, { title: `Clause ${clause}`, aside: status }, body);
  });

/** In a sum the arrows unfold and fold; up and down go from line to line. */
function walk(event) {
  const folds = $$("#explain .fold").filter((el) => el.offsetParent);
  const at = folds.indexOf(document.activeElement);
  const now = folds[at];
  const opened = now?.getAttribute("aria-expanded") === "true";
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = folds[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    next.focus();
  } else if (event.key === "ArrowRight") {
    if (!now) folds[0]?.focus();
    else if (!opened) now.click();
  } else if (event.key === "ArrowLeft" && now && opened) now.click();
  else return;
  event.preventDefault();
}

/** The clause nearest to what has the focus: its own, its line's, its card's. */
export function clauseInFocus() {
  const el = document.activeElement;
  const around = el?.closest(".line, .total, .offer, .reasons li, .due-line, tr, li, .field, .card, .float, .modal");
  const found = el?.dataset?.clause ?? around?.querySelector("[data-clause]")?.dataset.clause;
  if (found) openClause(found, el);
  else toast("No clause is near the focus: go to a line that has one.");
}

/** The sum of the number that has the focus, or of the first one beside it. */
export function whyInFocus() {
  const el = document.activeElement;
  const number = el?.matches?.(".number") ? el : el?.closest?.(".card, .offer, tr, .phone-figures, .fact")?.querySelector(".number");
  if (number) number.click();
  else toast("No number has the focus: go to one with Tab, or press 1 to 8 for a power.");
}

/** Every number, figure and clause on the page answers to one listener. */
export function startExplain() {
  $("#explain").addEventListener("keydown", walk);
  for (const dialog of $$("dialog")) {
    dialog.addEventListener("cancel", (event) => {
      if (closeExplain()) event.preventDefault();
    });
    dialog.addEventListener("close", closeExplain);
  }
  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-rule],[data-figure],[data-clause],[data-ledger],[data-sum],[data-due]");
    if (!target) return;
    event.preventDefault();
    const { rule, args, figure, clause, ledger, purpose, at, sum, due } = target.dataset;
    const [move, number] = (sum ?? "").split("/");
    if (rule) openExplain(rule, args ? args.split(",") : [], target, at ? Number(at) : store.at);
    else if (figure) openFigure(figure, target);
    else if (sum) openSum(() => table.get("/sum", { move, event: number }), target);
    else if (due) openSum(() => table.get("/agenda/sum", { id: due, at: store.at }), target);
    else if (ledger) openLedger(ledger, target, purpose);
    else openClause(clause, target);
  });
  const linked = /^#explain=(\w+)\(([^)]*)\)$/.exec(decodeURIComponent(location.hash));
  if (linked) openExplain(linked[1], linked[2] ? linked[2].split(",") : [], null);
}
