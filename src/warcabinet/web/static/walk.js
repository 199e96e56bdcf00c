// The opening walk: five minutes at a real position, ending with an order given, a refusal understood, a sum opened.

import { $, $$, nameOf } from "./dom.js";
import { position, store, subscribe } from "./store.js";
import { base, hall } from "./api.js";
import { fill, html } from "./ui.js";

let at = -1;
let list = [];
let seen = null;

const open = (selector) => {
  const el = $(selector);
  return !!el && !el.hidden;
};
const mine = () => position().moving[0] ?? store.view.me.powers[0];

/** The steps: what is said, what is pointed at, and by what the page knows that it was done. */
function steps() {
  const power = mine();
  const who = nameOf(power);
  return [
    {
      title: "This is a real position",
      text: "It is the demonstration after two years of war, a copy of your own: nothing you do here can be spoiled. The left rail has the eight powers, the map shows who holds what, the right column what you can do now, what falls due and what happened. The bar on top is the sequence of play.",
      at: "#rail",
    },
    {
      title: "Every number opens its sum",
      text: `Press ${who}’s level, the large figure. It opens to the entries that made it, each with its clause.`,
      at: `#card-${power} .number`,
      phone: "powers",
      done: () => open("#explain"),
    },
    {
      title: "Down to the clause",
      text: "Lines with a small triangle unfold; a framed number such as 35.31 is a clause of the rules and opens in our words. Press Every entry or any amount to go deeper, then close the sum with × or Esc.",
      at: "#explain",
      done: () => !open("#explain"),
    },
    {
      title: "What now",
      text: "First what must be done, then what can be: press a line to read what it is for and by which clause. Press the words not possible now, then Why not? at a dashed line.",
      at: "#now .offer.no .go, #fold-denied",
      phone: "now",
      done: () => !!$("#refusal[open]"),
    },
    {
      title: "A refusal is understood",
      text: "All reasons stand there at once, each with its clause, what would be right and the next chance. Close it.",
      at: "#refusal",
      done: () => !$("#refusal[open]"),
    },
    {
      title: "Give an order",
      text: `Type it as you would say it: press the key / or this line, write “spend ${who.toLowerCase()} 5 other” and press Enter.`,
      at: ".command",
      phoneText: `Press “Spend: ${who}” under What now, or More orders, and open it.`,
      done: () => open("#order"),
    },
    {
      title: "See what follows, then give it",
      text: "Below the form stands everything that would follow. If something is missing, fill it in: 5 BRPs on other. Then press the dark button.",
      at: "#order",
      done: (before) => store.view.head > before && !open("#order"),
    },
    {
      title: "The order is in the log",
      text: "The newest line of the log is yours, with its clause and its amount. Press the amount: it opens its sum.",
      at: "#log .number",
      phone: "log",
      done: () => open("#explain"),
    },
    {
      title: "That is all you need",
      text: "U takes your last move back. N goes on to the next phase, the slider goes to any moment of the game, ? lists the keys. You find this walk again under ? (Keys and help). Open a table of your own in the hall.",
      at: "#help",
    },
  ];
}

const small = () => innerWidth < 900;

function point() {
  for (const el of $$(".walk-here")) el.classList.remove("walk-here");
  const step = list[at];
  if (small() && step.phone) $(`.phone-tabs [data-tab=${step.phone}]`)?.click();
  const target = $(step.at);
  target?.classList.add("walk-here");
  if (target && !target.closest("dialog")) target.scrollIntoView({ block: "nearest" });
}

const CORNERS = ["low-left", "low-right", "high-left", "high-right"];

/** How much of a thing another covers, in square pixels. */
function covers(a, b) {
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** The card stays where it is unless it lies over what it speaks of or an open sum: then it goes where it covers least. */
function settle() {
  const box = $("#walk");
  const spoken = [$(list[at].at), open("#explain") ? $("#explain") : null].filter(Boolean).map((el) => el.getBoundingClientRect());
  const hidden = (corner) => {
    box.dataset.stands = corner;
    const its = box.getBoundingClientRect();
    return spoken.reduce((sum, it) => sum + covers(its, it), 0);
  };
  const now = box.dataset.stands || (small() ? "high-left" : "low-left");
  if (!hidden(now)) return;
  const [best] = CORNERS.map((corner) => [corner, hidden(corner)]).sort((a, b) => a[1] - b[1]);
  box.dataset.stands = best[0];
}

function draw() {
  const box = $("#walk");
  const step = list[at];
  const last = at === list.length - 1;
  // Over an open dialog nothing outside it can be reached.
  const home = $("dialog[open]") ?? document.body;
  if (box.parentElement !== home) home.append(box);
  fill(box, html`
    <header>
      <strong id="walk-title">${step.title}</strong><span class="quiet small">${at + 1} of ${list.length}</span>
    </header>
    <p>${(small() && step.phoneText) || step.text}</p>
    <footer>
      <button class="small" onclick=${() => end()}>${last ? "Close" : "Skip the walk"}</button>
      ${at > 0 && html`<button class="small push" onclick=${() => go(at - 1)}>Back</button>`}
      ${last
        ? html`<a class="button small" href=${`${base}/`}>To the hall</a>`
        : html`<button class=${step.done ? "small" : "small main"} onclick=${() => go(at + 1)}>
          ${step.done ? "Go on without it" : "Next"}
        </button>`}
    </footer>
  `);
  box.hidden = false;
}

let since = 0;
function go(to) {
  at = to;
  since = store.view.head;
  draw();
  point();
  settle();
  $("#walk .main, #walk footer button:last-child")?.focus({ preventScroll: true });
}

/** Whether what the step asks for was done: the page itself shows it. */
function look() {
  if (at < 0) return;
  const step = list[at];
  if (step.done?.(since)) return go(at + 1);
  // A step whose target comes and goes is pointed at again.
  if (!$(".walk-here") && $(step.at)) point();
  const home = $("dialog[open]") ?? document.body;
  if ($("#walk").parentElement !== home) home.append($("#walk"));
  settle();
}

function end() {
  at = -1;
  delete document.body.dataset.walk;
  seen?.disconnect();
  for (const el of $$(".walk-here")) el.classList.remove("walk-here");
  $("#walk").hidden = true;
}

function begin() {
  list = steps();
  document.body.dataset.walk = "open";
  seen = new MutationObserver(look);
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
  go(0);
}

/** A copy of the demonstration with the walk: the way in from the hall and from the help. */
async function walkAgain() {
  const made = await hall.post("/demonstration", { name: store.view.me.name, walk: true });
  location.href = `${made.url}?walk=1`;
}

export function startWalk() {
  const asked = new URL(location.href).searchParams.has("walk");
  $("#walk-again").addEventListener("click", walkAgain);
  subscribe(() => look());
  if (asked) document.addEventListener("ready", begin, { once: true });
  addEventListener("keydown", (event) => {
    if (at >= 0 && event.key === "F8") go(Math.min(at + 1, list.length - 1));
  });
}
