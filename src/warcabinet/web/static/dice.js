// Dice: the face where it is thrown, and every throw against what was committed to before, counted in this browser too.

import { $, comeAndGo } from "./dom.js";
import { attempt, table } from "./api.js";
import { lookAt, me, store, subscribe } from "./store.js";
import { modal } from "./people.js";
import { fill, heads, html } from "./ui.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** A die as it lies on the table. */
export const face = (n) => html`<span class="face" role="img" aria-label=${`die ${n}`} title=${`die ${n}`}>
  ${Array.from({ length: 9 }, (_, i) => html`<i class=${PIPS[n].includes(i) ? "pip" : ""} />`)}
</span>`;

/** Show what was just thrown, by whomever; dice of a battle lie on its sheet. */
function thrown(lines) {
  for (const it of lines.filter((line) => line.dice?.length)) {
    const seat = store.view.seats.find((s) => s.id === it.seat)?.title ?? "";
    const p = document.createElement("p");
    p.className = "thrown";
    fill(p, html`${it.dice.map(face)}<span>${seat ? `${seat}: ` : ""}${it.text}</span>`);
    comeAndGo(p, 8000);
  }
}

export function startDice() {
  let last = 0;
  subscribe((view, before, log) => {
    if (before && log && !view.battle) thrown(log.filter((it) => it.id > last && it.id > before.head));
    last = Math.max(last, view.head);
  });
}

const bytes = (hex) => new Uint8Array(hex.match(/../g).map((it) => parseInt(it, 16)));
const hex = (buffer) => [...new Uint8Array(buffer)].map((it) => it.toString(16).padStart(2, "0")).join("");

/** The face that a seed throws, counted here: the first byte below 252 of the keyed hash, modulo six, plus one. */
async function counted(secret, number) {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const told = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`die ${number}`)));
  const byte = told.find((it) => it < 252);
  return byte === undefined ? 6 : 1 + (byte % 6);
}

/** What this browser finds of each throw whose seed is revealed; nothing where it cannot count. */
async function recount(check) {
  if (!crypto.subtle) return null;
  const seeds = new Map();
  for (const seed of check.seeds.filter((it) => it.secret && it.commitment))
    seeds.set(seed.first, hex(await crypto.subtle.digest("SHA-256", bytes(seed.secret))) === seed.commitment ? seed.secret : "");
  const found = new Map();
  for (const it of check.throws.filter((one) => one.verdict === "fits" || one.verdict === "wrong"))
    if (seeds.has(it.seed)) found.set(it.number, seeds.get(it.seed) !== "" && (await counted(seeds.get(it.seed), it.number)) === it.face);
  return found;
}

function words(check, own) {
  const all = check.throws.length;
  if (!all) return "No die was thrown yet.";
  const parts = [`${all} ${all === 1 ? "throw" : "throws"}: ${check.checked} checked and right, ${check.sealed} still sealed`];
  if (check.late) parts.push(`${check.late} by a seed that had been revealed`);
  parts.push(check.wrong ? `${check.wrong} WRONG` : "none wrong");
  const right = own ? [...own.values()].filter(Boolean).length : 0;
  if (own?.size) parts.push(`this browser counted ${own.size} itself: ${right} right`);
  return `${parts.join(", ")}.`;
}

/** The seeds with their commitments, and every throw with its verdict. */
export async function showDice() {
  const check = await table.get("/dice/check");
  const own = await recount(check);
  const seed = (it) => html`<li>
    From move ${it.first} on:${" "}
    ${it.commitment ? html`<code>sha256 ${it.commitment}</code>` : "a seed that is not sealed"}
    ${it.secret && html`<br />revealed: <code>${it.secret}</code>`}
  </li>`;
  const row = (it) => {
    const mine = own?.get(it.number);
    const seat = store.view.seats.find((s) => s.id === it.seat)?.title ?? it.seat;
    return html`<tr class=${it.verdict === "wrong" || mine === false ? "wrong" : ""} data-verdict=${it.verdict}>
      <td>${face(it.face)}</td>
      <td><button class="link" onclick=${() => ($("#modal").close(), lookAt(it.move))}>${it.move}</button></td>
      <td>${it.purpose}<span class="quiet"> ${seat}, ${it.when}${it.undone ? ", undone" : ""}</span></td>
      <td>
        ${it.text}
        ${mine === true
          ? html`<strong> Counted here: right.</strong>`
          : mine === false ? html`<strong class="deny"> Counted here: NOT right.</strong>` : null}
      </td>
    </tr>`;
  };
  const reveal = () =>
    attempt(async () => {
      await table.post("/dice/reveal");
      await showDice();
    });
  modal(
    "Check the dice",
    words(check, own),
    check.throws.length
      ? html`<table class="throws">
        ${heads(["Die", "Move", "For", "Whether it is right"])}
        <tbody>${check.throws.map(row)}</tbody>
      </table>`
      : null,
    html`<h3>What was committed to</h3>`,
    html`<p class="quiet">
      The server published the hash of its seed before the first throw, so that it could not choose a face afterwards. A revealed seed throws no more. A save made after that is checked by warcabinet verify.
    </p>`,
    html`<ul class="dice">${check.seeds.map(seed)}</ul>`,
    me().player || me().referee
      ? html`<button id="reveal" onclick=${reveal}>Reveal the seed, and go on with another</button>`
      : null,
  );
}
