// A number opened to its sum: the reasons as the rules themselves gave them, unfolding down to the clause.

import { $, $$, amount, chip, fill, h, hide, isPower, nameOf, returningFocus, seal, signed, toast } from "./dom.js";
import { Trouble, base, hall, table, tableId } from "./api.js";
import { store } from "./store.js";

let giveBack = null;

function valueText(node) {
  if (node.value === true) return "yes";
  if (node.value === false) return "no";
  if (node.value === null) return "";
  return typeof node.value === "number" ? (node.value < 0 ? signed(node.value) : String(node.value)) : node.text;
}

/** Reasons one under the other; the clause of several alike stands at the first. */
const reasons = (nodes, depth) =>
  nodes.map((b, i) => reason(b, depth, i > 0 && nodes[i - 1].rule === b.rule && nodes[i - 1].clause === b.clause));

/** One reason and, folded, what it rests on. */
function reason(node, depth, told = false) {
  const inner = node.because.length ? h("ul", { className: "why" }, reasons(node.because, depth + 1)) : null;
  const account = node.rule === "account_balance" ? node.args[0] : "";
  if (inner) inner.hidden = depth > 0;
  const fold = inner
    ? h(
        "button",
        {
          type: "button",
          className: "fold",
          "aria-expanded": String(!inner.hidden),
          "aria-label": `Unfold ${node.title}`,
        },
        inner.hidden ? "▸" : "▾",
      )
    : h("span");
  if (inner)
    fold.addEventListener("click", () => {
      inner.hidden = !inner.hidden;
      fold.textContent = inner.hidden ? "▸" : "▾";
      fold.setAttribute("aria-expanded", String(!inner.hidden));
    });
  const extra = [account ? "" : node.about, node.note].filter(Boolean).join(" · ");
  return h(
    "li",
    {},
    h(
      "div",
      { className: "line" },
      fold,
      h("span", { className: "value" }, valueText(node)),
      h(
        "span",
        {},
        node.said,
        node.note.startsWith("referee")
          ? h("span", { className: "note ruled" }, node.note)
          : extra
            ? h("span", { className: "note" }, extra)
            : null,
        node.set_aside.map((s) => h("span", { className: "note" }, `Displaces: ${s.gist} `, chip(s.clause))),
        account
          ? h("button", { type: "button", className: "link small", onclick: () => openLedger(account) }, "Every entry")
          : null,
      ),
      node.clause && !told ? chip(node.clause) : h("span"),
    ),
    inner,
  );
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

function show(anchor, header, body, footer) {
  const box = $("#explain");
  if (box.hidden) giveBack = returningFocus();
  // Over an open dialog nothing outside it can be seen or reached.
  const home = $("dialog[open]") ?? $("#board");
  if (box.parentElement !== home) home.append(box);
  fill(
    box,
    h(
      "header",
      {},
      header,
      h("button", { type: "button", className: "close", "aria-label": "Close", onclick: closeExplain }, "×"),
    ),
    h("div", { className: "body", tabIndex: 0 }, body),
    footer,
  );
  box.hidden = false;
  place(box, anchor);
  box.querySelector(".body").focus({ preventScroll: true });
}

export function closeExplain() {
  const box = $("#explain");
  if (box.hidden) return false;
  hide(box, giveBack);
  $("#board").append(box);
  return true;
}

const asText = (node, depth = 0) =>
  `${"  ".repeat(depth)}${valueText(node)}  ${node.said} ${node.clause ? `[${node.clause}]` : ""}\n${node.because.map((b) => asText(b, depth + 1)).join("")}`;

function foot(tree, link) {
  const copy = async () => {
    await navigator.clipboard?.writeText(asText(tree)).catch(() => {});
    toast("Copied.");
  };
  return h(
    "footer",
    {},
    h(
      "span",
      { className: "quiet" },
      "Opens to the clause at every line. ",
      h("span", { className: "by-keys" }, h("kbd", {}, "→"), " unfold ", h("kbd", {}, "C"), " clause ", h("kbd", {}, "Esc"), " close"),
    ),
    h("button", { type: "button", className: "push small", onclick: copy }, "Copy as text"),
    link
      ? h(
          "button",
          {
            type: "button",
            className: "small",
            onclick: async () => {
              location.hash = link;
              await navigator.clipboard?.writeText(location.href).catch(() => {});
              toast("The link is in the address bar.");
            },
          },
          "Link",
        )
      : null,
  );
}

/** Where BRPs that pass between powers went or came from: each end opens its own ledger, what befell them is folded. */
function trail({ trail: found }) {
  if (!found) return null;
  const end = (it) =>
    h(
      "button",
      {
        type: "button",
        className: "link small",
        dataset: { trail: it.account },
        onclick: (event) => openLedger(it.account, event.target, "", it.move),
      },
      `${it.amount < 0 ? "from" : "to"} ${it.name} ${signed(it.amount)}`,
    );
  const step = (it) =>
    h(
      "li",
      {},
      it.power ? [seal(it.power), " "] : null,
      [it.text, it.note].filter(Boolean).join("; "),
      it.lost ? h("b", { className: "minus" }, ` ${signed(-it.lost)}`) : null,
      " ",
      chip(it.clause),
    );
  return h(
    "div",
    { className: "trail" },
    found.ends.map(end),
    found.under_way ? h("span", { className: "quiet small" }, `${found.under_way} still under way`) : null,
    found.between?.length
      ? h("details", {}, h("summary", {}, "What befell it on the way"), h("ul", {}, found.between.map(step)))
      : null,
  );
}

/** The amount of an entry, open to its sum. */
const opened = (l) => amount(l.amount, true, { sum: `${l.move}/${l.event}` }, l.memo);

/** A stored amount is the sum of its entries: the latest one by one, the earlier ones together. */
async function entries(account) {
  const { lines } = await table.get("/ledger", { account });
  const upto = store.at === null ? lines : lines.filter((l) => l.move <= store.at);
  const shown = upto.slice(-8);
  const before = upto.length - shown.length;
  const line = (value, text, note, clause, more = null) =>
    h(
      "li",
      {},
      h(
        "div",
        { className: "line" },
        h("span"),
        h("span", { className: "value" }, value),
        h("span", {}, text, note ? h("span", { className: "note" }, note) : null, more),
        chip(clause) ?? h("span"),
      ),
    );
  return [
    before
      ? line(String(upto[before - 1].balance), `${before} earlier entr${before === 1 ? "y" : "ies"}`, "", "")
      : null,
    ...shown.map((l) => line(opened(l), l.memo, `${l.when}, move ${l.move}`, l.clause, trail(l))),
    h(
      "li",
      {},
      h("button", { type: "button", className: "link small", onclick: () => openLedger(account) }, "Every entry"),
    ),
  ].filter(Boolean);
}

/** Open the sum behind a value. */
export const openExplain = (rule, args, anchor, at = store.at) =>
  openReasons(
    () => table.get("/explain", { rule, args: args.join(","), at }),
    anchor,
    `explain=${rule}(${args.join(",")})`,
  );

/** What follows from a limit: how much of it is used, how much is left. */
const follows = (node) =>
  h(
    "div",
    { className: "total" },
    h("span"),
    h("span", { className: "value" }, valueText(node)),
    h("span", {}, node.gist),
    chip(node.clause) ?? h("span"),
  );

/** Show reasons, wherever they come from. */
export async function openReasons(ask, anchor, link) {
  try {
    const found = await ask();
    const tree = found.tree;
    const power = found.args.find(isPower);
    const who = power ? `${nameOf(power)}: ` : "";
    const header = [
      power ? seal(power) : null,
      h(
        "div",
        {},
        h("h2", { id: "explain-title" }, who + found.asked.title),
        h("span", { className: "quiet" }, found.moment),
      ),
      h("span", { className: "result" }, valueText(tree)),
    ];
    // Only a real position has entries; one that is supposed has none of its own.
    const account =
      link && tree.because.length === 1 && tree.because[0].rule === "account_balance" ? tree.because[0].args[0] : "";
    const rows = account
      ? await entries(account)
      : tree.because.length
        ? reasons(tree.because, 0)
        : [reason(tree, 0)];
    const total = follows({ ...tree, gist: tree.gist || found.asked.gist });
    show(anchor, header, [h("ul", { className: "why" }, rows), total, found.then.map(follows)], foot(tree, link));
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

export async function openFigure(path, anchor) {
  const found = await table.get("/figure", { path, at: store.at });
  if (found.tree) return openExplain(found.tree.rule, found.tree.args, anchor);
  show(
    anchor,
    h("div", {}, h("h2", { id: "explain-title" }, path), h("span", { className: "quiet" }, found.moment)),
    h("p", {}, h("strong", {}, JSON.stringify(found.value)), " as set or reported; the log tells by whom."),
    null,
  );
}

/** An amount of log, ledger, agenda or chart, opened to the clauses that made it. */
async function openSum(ask, anchor) {
  try {
    const found = await ask();
    const header = [
      found.power ? seal(found.power) : null,
      h(
        "div",
        {},
        h("h2", { id: "explain-title" }, `${found.power_name ? `${found.power_name}: ` : ""}${found.title}`),
        h("span", { className: "quiet" }, found.move ? `${found.when}, move ${found.move}` : found.when),
      ),
      h("span", { className: "result" }, signed(found.amount)),
    ];
    const line = (value, text, clause) =>
      h("div", { className: "total" }, h("span"), h("span", { className: "value" }, value), h("span", {}, text), clause);
    const sheet = { type: "button", className: "link", dataset: { goto: "yearstart", year: found.year } };
    show(
      anchor,
      header,
      [
        h("ul", { className: "why" }, reasons(found.rows, 0)),
        line(signed(found.amount), found.move ? "In all" : "Comes to", chip(found.clause) ?? h("span")),
        found.was === null ? null : line(String(found.comes_to), `Level after it, from ${found.was}`, h("span")),
        found.year ? h("p", {}, h("button", sheet, `The sheet of the ${found.year} year start`)) : null,
      ],
      foot({ value: found.amount, said: found.title, clause: found.clause, because: found.rows }, ""),
    );
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

/** The entries of an account with their running balance, all or of one purpose; those of a move are pointed out. */
export async function openLedger(account, anchor, purpose = "", move = null) {
  const found = await table.get("/ledger", { account, purpose, at: store.at });
  const rows = found.lines
    .slice()
    .reverse()
    .map((l) =>
      h(
        "tr",
        { className: l.move === move ? "here" : "" },
        h("td", {}, String(l.move)),
        h("td", {}, l.when),
        h("td", {}, l.memo, " ", chip(l.clause), trail(l)),
        h("td", { className: "r" }, opened(l)),
        h("td", { className: "r" }, l.balance < 0 ? signed(l.balance) : String(l.balance)),
      ),
    );
  show(
    anchor,
    [
      h(
        "div",
        {},
        h("h2", { id: "explain-title" }, purpose ? `${found.name}: ${purpose}` : `Ledger: ${found.name}`),
        h("span", { className: "quiet" }, `${found.lines.length} entr${found.lines.length === 1 ? "y" : "ies"}, newest first`),
      ),
      h("span", { className: "result" }, found.balance < 0 ? signed(found.balance) : String(found.balance)),
    ],
    h(
      "table",
      { className: "plain-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Move", "When", "What for", "Amount", purpose ? "So far" : "Balance"].map((t) => h("th", { scope: "col" }, t)),
        ),
      ),
      h("tbody", {}, rows),
    ),
    null,
  );
  $("#explain tr.here")?.scrollIntoView({ block: "nearest" });
}

/** A clause: what it is about in our words, and the rules that carry it out. */
export async function openClause(clause, anchor) {
  try {
    const found = await hall.get(`/clauses/${encodeURIComponent(clause)}`);
    const rules = found.rules.map((r) =>
      h("li", {}, h("strong", {}, r.kind), ` ${r.gist} `, h("span", { className: "quiet small" }, r.where)),
    );
    show(
      anchor,
      h(
        "div",
        {},
        h("h2", { id: "explain-title" }, `Clause ${clause}`),
        h("span", { className: "quiet" }, found.status),
      ),
      [
        h("p", {}, found.gist),
        found.reason ? h("p", { className: "quiet" }, found.reason) : null,
        rules.length ? h("ul", {}, rules) : h("p", { className: "quiet" }, "Nothing is computed from it yet."),
        found.rulings.length ? h("ul", {}, found.rulings.map((r) => h("li", {}, h("a", { href: `${base}/rules/${r.ruling}?table=${tableId}` }, r.ruling), ` ${r.question}`))) : null,
        h("p", {}, h("a", { href: `${base}/rules/${encodeURIComponent(clause)}?table=${tableId}` }, `All of ${clause}: ${found.cases.length} cases, ${found.rulings.length} rulings`)),
      ],
      null,
    );
  } catch (error) {
    toast(error.message, true);
  }
}

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
