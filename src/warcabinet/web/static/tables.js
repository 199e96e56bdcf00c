// The list of a person's tables: what waits for them first, whose move elsewhere, since when, and unread talk.

import { attempt, base, hall } from "./api.js";
import { $, $$ } from "./dom.js";
import { ago, lasts } from "./times.js";
import { theme } from "./hall-theme.js";
import { effect, html, icon, panel, seal, state } from "./ui.js";

const EVERY = 30000;
const LONG = 7 * 24 * 3600; // seconds after which a host is told what may be done about it
const plain = document.title;
/** The person's tables, whether those moved last come first, whether deleted ones are shown. */
const its = state({ lines: null, order: "mine", ended: false });
const PACIFIC = new Set(["japan", "china", "usa"]);

/** The board on which someone plays. */
const board = (it) => {
  const held = it.seats.filter((s) => s.mine).flatMap((s) => s.powers);
  return held.length && held.every((p) => PACIFIC.has(p)) ? "pacific" : "europe";
};

const TALK = "M3 4h14v9H9l-4 4v-4H3z";

const stamp = (it) => html`<img class="stamp" alt="" width="120" height="84" loading="lazy"
  src=${`${base}/tables/${it.table}/stamp.svg?board=${board(it)}&theme=${theme.value}&head=${it.head}`} />`;

const YOURS = { move: "your move", duty: "the game waits for you", answer: "your answer", consent: "your answer", sealed: "your sealed orders", confirm: "year start, confirm", battle: "a battle" };
const players = (it) => it.seats.filter((s) => s.role === "player");

/** Whose move it is, and since when. */
function whose(it) {
  if (it.ends) return html`<span class="quiet">deleted; it goes ${ago(it.ends)}</span>`;
  if (it.parent) return html`<em class="quiet">a copy</em>`;
  const own = it.waiting.find((w) => w.mine);
  if (players(it).every((s) => s.mine)) return html`<span class="quiet">all seats yours</span>`;
  if (own) return html`<strong class="now">${YOURS[own.kind]}, since ${ago(own.since)}</strong>`;
  const other = it.waiting[0];
  if (!other) return null;
  const who = other.people[0] ? `${other.people[0]}’s move` : `${other.title}: nobody sits there`;
  return html`<span class="quiet">${[who, `since ${ago(other.since)}`, lasts(other.since)].filter(Boolean).join(", ")}</span>`;
}

/** What exactly waits, and what may be done about it. */
function what(it) {
  if (it.parent) {
    const of = it.parent_title ? `“${it.parent_title}”` : "another table";
    return `A copy of ${of} as it was after move ${it.parent_move}. It counts for nothing.`;
  }
  const own = it.waiting.find((w) => w.mine);
  if (own && !players(it).every((s) => s.mine)) return own.text;
  if (players(it).every((s) => s.mine)) return own?.text ?? "";
  const free = it.waiting.filter((w) => !w.people.length);
  if (free.length && it.hosted) return `${free[0].title} is free: invite someone under Seats.`;
  const long = it.waiting.some((w) => Date.now() / 1000 - w.since > LONG);
  return `Nothing waits for you.${it.hosted && long ? " As host you may free the seat under Seats, and leave it to a steward." : ""}`;
}

function seats(it) {
  const minded = new Set(players(it).flatMap((s) => s.stewards));
  const groups = players(it).map((s) => {
    const held = s.powers.filter((p) => !minded.has(p));
    return held.length
      ? html`<span class=${s.people.length ? "sitting" : "sitting free"}>
        ${held.map((p) => seal(p))}${" "}
        ${s.mine ? html`<strong>you</strong>` : s.people.length ? s.people.join(", ") : html`<em>free</em>`}
      </span>`
      : null;
  });
  const stewards = minded.size
    ? html`<span class="sitting minded">
      ${[...minded].map((p) => seal(p))} <em>${minded.size > 1 ? "stewards" : "steward"}</em>
    </span>`
    : null;
  return html`<span class="sitters">${groups}${stewards}</span>`;
}

function row(it) {
  const [turn, ...phase] = it.moment.split(", ");
  const call = async () => {
    await hall.post(`/tables/${it.table}/call-back`);
    await renew();
  };
  const own = it.mine && !players(it).every((s) => s.mine);
  return html`<li class=${`${own ? "mine" : ""}${it.parent ? " copy" : ""}${it.ends ? " ended" : ""}`}
    data-table=${it.table}>
    ${stamp(it)}
    <div class="about">
      <p><a class="name" href=${`${base}/tables/${it.table}`}>${it.title}</a> ${whose(it)}</p>
      <p><strong>${turn}</strong> ${phase.join(", ")}</p>
      <p class="what">${what(it)}</p>
    </div>
    ${seats(it)}
    <div class="aside">
      <span class=${`unread${it.unread ? " some" : ""}`} title="Unread talk">
        ${icon(TALK)}<span class="sr-only">Unread talk: </span>${it.unread}
      </span>
      ${it.ends
        ? html`<button class="small" data-call-back=${it.table} onclick=${call}>Call back</button>`
        : html`<a class=${`button${own ? " main" : ""}`} href=${`${base}/tables/${it.table}`}>
          ${own || players(it).every((s) => s.mine) ? "Sit down" : "Look"}
        </a>`}
    </div>
  </li>`;
}

function draw() {
  const { lines, order, ended } = its;
  if (!lines) return null;
  const shown = lines.filter((it) => ended || !it.ends);
  if (order === "moved") shown.sort((a, b) => b.moved - a.moved);
  return shown.length ? shown.map(row) : html`<li class="none quiet">None yet. Tables you open or join stand here.</li>`;
}

/** What stands round the list: how many wait, plans of the table that was moved last, deleted ones. */
function around() {
  const lines = its.lines ?? [];
  const waiting = lines.filter((it) => it.mine && !it.ends && !players(it).every((s) => s.mine)).length;
  const [last] = lines.filter((it) => !it.ends && !it.parent).sort((a, b) => b.moved - a.moved);
  const gone = lines.filter((it) => it.ends).length;
  document.title = waiting ? `(${waiting}) ${plain}` : plain;
  Object.assign($("#wait-count"), { hidden: !waiting, textContent: waiting === 1 ? "1 waits for you" : `${waiting} wait for you` });
  Object.assign($("#plans-link"), { hidden: !last, href: last ? `${base}/tables/${last.table}#plans` : "" });
  Object.assign($("#show-ended"), { hidden: !gone, textContent: `Show deleted, ${gone}`, ariaPressed: String(its.ended) });
  for (const it of $$("[data-order]")) it.ariaPressed = String(it.dataset.order === its.order);
}

async function renew() {
  const found = await hall.get("/tables");
  if (JSON.stringify(found) !== JSON.stringify(its.lines)) its.lines = found;
}

export async function startTables() {
  for (const it of $$("[data-order]")) it.addEventListener("click", () => (its.order = it.dataset.order));
  $("#show-ended").addEventListener("click", () => (its.ended = !its.ended));
  panel($("#tables"), draw);
  effect(around);
  const again = () => (document.visibilityState === "visible" ? renew().catch(() => {}) : null);
  document.addEventListener("visibilitychange", again);
  setInterval(again, EVERY);
  await attempt(renew);
  document.body.dataset.ready = "yes";
}
