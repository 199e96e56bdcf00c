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
/** By what the page knows that a step was done. */
const DONE = {
  "a sum is open": () => open("#explain"),
  "no sum is open": () => !open("#explain"),
  "a refusal is open": () => !!$("#refusal[open]"),
  "no refusal is open": () => !$("#refusal[open]"),
  "a form is open": () => open("#order"),
  "a battle is open": () => open("#battle"),
  "no battle is open": () => !open("#battle"),
  "the pool is open": () => open("#pool"),
  "an order is given": (before) => store.view.head > before && !open("#order"),
};

/** The steps as the page has them, told to whoever walks. */
function steps() {
  const power = position().moving[0] ?? store.view.me.powers[0];
  const names = { power, who: nameOf(power), whom: nameOf(power).toLowerCase() };
  const told = (text = "") => text.replace(/\{(\w+)\}/g, (_, name) => names[name]);
  return $$("#walk-steps li").map((li) => ({
    title: $("h2", li).textContent,
    text: told($("p", li).textContent),
    phoneText: told($(".phone", li)?.textContent),
    at: told(li.dataset.at),
    phone: li.dataset.phone,
    done: DONE[li.dataset.does] ?? (li.dataset.does && (() => position().clock.phase === li.dataset.does)),
  }));
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

/** Over an open dialog nothing outside it can be reached. */
function house() {
  const home = $("dialog[open]") ?? document.body;
  if ($("#walk").parentElement !== home) home.append($("#walk"));
}

function draw() {
  const box = $("#walk");
  const step = list[at];
  const last = at === list.length - 1;
  house();
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
  house();
  settle();
}

function end() {
  at = -1;
  delete document.body.dataset.walk;
  seen?.disconnect();
  for (const el of $$(".walk-here")) el.classList.remove("walk-here");
  $("#walk").hidden = true;
}

/** The walk begins, at a table that was opened for it. */
export function begin() {
  list = steps();
  document.body.dataset.walk = "open";
  seen = new MutationObserver(look);
  seen.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "open"] });
  subscribe(look);
  addEventListener("keydown", (event) => {
    if (at >= 0 && event.key === "F8") go(Math.min(at + 1, list.length - 1));
  });
  go(0);
}

/** A copy of the demonstration with the walk: the way in from the help. */
export async function walkAgain() {
  const made = await hall.post("/demonstration", { name: store.view.me.name, walk: true });
  location.href = `${made.url}?walk=1`;
}
