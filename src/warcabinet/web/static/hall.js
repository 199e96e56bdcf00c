// The hall: open a table, see the demonstration, bring a game.

import { hall } from "./api.js";
import { startDevices } from "./devices.js";
import { $, $$ } from "./dom.js";
import { inForm, onSubmit } from "./forms.js";
import { startTell } from "./tell.js";
import { startTables } from "./tables.js";
import "./hall-theme.js";

const chairs = $$("#seat-plan select");
const powerOf = (select) => select.id.replace("seat-", "");
const called = (select) => $(`label[for=${select.id}]`).lastChild.textContent.trim();

/** Which powers share a seat: those that I play, those of one invitation, those of the stewards. */
function groups() {
  const rank = (who) => (who === "me" ? 0 : who === "steward" ? 2 : 1);
  return [...Map.groupBy(chairs, (it) => it.value)].sort(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b));
}

/** What a seat is called: a side where it holds one whole, else its powers. */
function titled(seats) {
  const sides = new Set(seats.map((it) => it.dataset.player));
  const whole = sides.size === 1 && chairs.filter((it) => sides.has(it.dataset.player)).length === seats.length;
  const [side] = sides;
  return whole ? (side === "axis" ? "Axis" : "Allies") : seats.map(called).join(", ").slice(0, 60);
}

function plan(form) {
  const found = groups();
  if (found.length === 1 && found[0][0] === "me") return [];
  return found.map(([who, seats]) => ({
    title: titled(seats),
    powers: seats.map(powerOf),
    mine: who === "me",
    steward: who === "steward" ? (form.elements.show.checked ? "show" : "act") : "",
  }));
}

/** The seats as they will be, in a sentence. */
function saySeats() {
  const links = groups().filter(([who]) => who.startsWith("invite"));
  const all = groups().length === 1 && groups()[0][0] === "me";
  $("#seats-said").textContent = all
    ? "Alone, or hot-seat at one screen."
    : links.length
      ? `${links.length === 1 ? "One link" : `${links.length} links`} to send: ${links.map(([, s]) => s.map(called).join(", ")).join("; ")}. You find them under Seats.`
      : "";
}

/** A plan fills in every power; a power that is chosen by itself makes a plan of one's own. */
function planned(value) {
  const mine = { solo: () => true, axis: (it) => it.dataset.player === "axis", allies: (it) => it.dataset.player !== "axis" }[value];
  if (mine) for (const it of chairs) it.value = mine(it) ? "me" : "invite";
  saySeats();
}

/** Only what was filled in: the scenario settles the rest. */
function options() {
  const given = form.elements.kind.value === "books" ? { forces: "counted", set_up: "reported" } : {};
  for (const el of document.querySelectorAll("[data-option]")) {
    const { option, kind } = el.dataset;
    if (kind === "powers") {
      const filled = [...el.querySelectorAll("input")].filter((it) => it.value !== "");
      if (filled.length) given[option] = Object.fromEntries(filled.map((it) => [it.dataset.power, Number(it.value)]));
    } else if (el.value !== "") {
      given[option] = kind === "number" ? Number(el.value) : kind === "yes or no" ? el.value === "true" : el.value;
    }
  }
  return given;
}

/** Do it, and go to the table that comes of it. */
const attempt = (form, work) => inForm(form, async () => (location.href = (await work()).url));

const form = $("#new-table");
form.addEventListener("change", (event) => {
  if (event.target.name === "plan") planned(event.target.value);
  if (chairs.includes(event.target)) {
    form.elements.plan.value = "own";
    saySeats();
  }
  $("#own-position").hidden = form.elements.scenario.value !== "own";
  // A start from the prequel games says little without what they left behind.
  if (event.target.name === "scenario") $("#options").open = event.target.value === "prequel";
});
const visitor = () => form.elements.name.value.trim() || "Guest";
const seating = (title) => ({
  title,
  name: visitor(),
  seats: plan(form),
  reports: form.elements.referee.checked ? "referee" : "players",
});

onSubmit(form, async ({ elements: f }) => {
  if (f.scenario.value === "own") {
    if ($("#save").files.length) return void $("#import").requestSubmit();
    return void (location.href = $("#setup-link").href);
  }
  const asked = { ...seating(f.title.value), scenario: f.scenario.value, options: options() };
  location.href = (await hall.post("/tables", asked)).url;
});
/** The war as it happened, at a table of its own. */
const demonstrate = (asked, how) =>
  attempt(form, async () => ({ url: `${(await hall.post("/demonstration", { name: visitor(), ...asked })).url}?${how}` }));
$("#walk-in").addEventListener("click", () => demonstrate({ walk: true }, "walk=1"));
$("#demo").addEventListener("click", async ({ target }) => {
  // The first one at a server takes some seconds: the war is played once.
  const text = target.textContent;
  target.textContent = "Setting up the war …";
  await demonstrate({}, "play");
  target.textContent = text;
});
$("#war-link")?.addEventListener("click", (event) => {
  event.preventDefault();
  $("#demo").click();
});
/** A file as JSON carries it. */
const base64 = async (file) => btoa([...new Uint8Array(await file.arrayBuffer())].map((byte) => String.fromCharCode(byte)).join(""));
const drop = $("#import");
/** A file that was chosen or dropped waits to be imported. */
function chosen() {
  const [file] = $("#save").files;
  $("#chosen").hidden = !file;
  $("#chosen-name").textContent = file?.name ?? "";
}
$("#save").addEventListener("change", chosen);
for (const kind of ["dragenter", "dragover", "dragleave", "drop"])
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragenter" || kind === "dragover");
    if (kind !== "drop" || !event.dataTransfer.files.length) return;
    $("#save").files = event.dataTransfer.files;
    chosen();
  });
onSubmit(drop, async () => {
  const file = $("#save").files[0];
  const title = file.name.replace(/\.\w+$/, "").slice(0, 100) || "Imported";
  const own = /\.(csv|xlsx)$/i.test(file.name);
  const position = own || /\.ya?ml$/i.test(file.name);
  const text = own ? await hall.post("/setup/sheet", { data: await base64(file) }) : await file.text();
  const made = position
    ? await hall.post("/tables", { ...seating(title), position: text })
    : await hall.post("/tables/import", { ...seating(title), save: text });
  location.href = made.url;
});
planned("solo");
if ($("#tables")) {
  startTables($("#tables"));
  startDevices($("#devices"), false);
  startTell($("#tell"), false);
}
