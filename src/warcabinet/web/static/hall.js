// The hall: open a table, see the demonstration, bring a game.

import { hall } from "./api.js";
import { startDevices } from "./devices.js";
import { $ } from "./dom.js";
import { startTell } from "./tell.js";
import { startTables } from "./tables.js";
import "./hall-theme.js";

const AXIS = ["germany", "italy", "japan"];
const ALLIES = ["britain", "france", "russia", "usa", "china"];

function plan(form) {
  const axis = (mine) => ({ title: "Axis", powers: AXIS, mine });
  const allies = (mine) => ({ title: "Allies", powers: ALLIES, mine });
  const chosen = form.elements.plan.value;
  if (chosen === "axis") return [axis(true), allies(false)];
  if (chosen === "allies") return [axis(false), allies(true)];
  if (chosen === "solo") return [];
  const seats = new Map();
  for (const power of [...AXIS, ...ALLIES]) {
    const n = form.elements[`seat-${power}`].value;
    seats.set(n, [...(seats.get(n) ?? []), power]);
  }
  return [...seats].sort().map(([n, powers]) => ({ title: n === "1" ? "Host" : `Seat ${n}`, powers, mine: n === "1" }));
}

/** Only what was filled in: the scenario settles the rest. */
function options() {
  const given = {};
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

async function attempt(form, work) {
  const said = $(".form-error", form);
  said.hidden = true;
  try {
    location.href = (await work()).url;
  } catch (error) {
    said.textContent = error.message;
    said.hidden = false;
  }
}

const form = $("#new-table");
form.addEventListener("change", (event) => {
  $("#seat-plan").hidden = form.elements.plan.value !== "own";
  // A start from the prequel games says little without what they left behind.
  if (event.target.name === "scenario") $("#options").open = event.target.value === "prequel";
});
const seating = (title) => ({
  title,
  name: form.elements.name.value.trim() || "Guest",
  seats: plan(form),
  reports: form.elements.referee.checked ? "referee" : "players",
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const f = form.elements;
  attempt(form, () =>
    hall.post("/tables", { ...seating(f.title.value), scenario: f.scenario.value, options: options() }),
  );
});
$("#walk-in").addEventListener("click", () =>
  attempt(form, async () => {
    const made = await hall.post("/demonstration", { name: form.elements.name.value.trim() || "Guest", walk: true });
    return { url: `${made.url}?walk=1` };
  }),
);
$("#demo").addEventListener("click", (event) =>
  attempt(form, async () => {
    // The first one at a server takes some seconds: the war is played once.
    const text = event.target.textContent;
    event.target.textContent = "Setting up the war …";
    try {
      const made = await hall.post("/demonstration", { name: form.elements.name.value.trim() || "Guest" });
      return { ...made, url: `${made.url}?play` };
    } finally {
      event.target.textContent = text;
    }
  }),
);
$("#import").addEventListener("submit", (event) => {
  event.preventDefault();
  const file = $("#save").files[0];
  const title = file.name.replace(/\.\w+$/, "").slice(0, 100) || "Imported";
  attempt(event.target, async () =>
    /\.ya?ml$/i.test(file.name)
      ? hall.post("/tables", { ...seating(title), position: await file.text() })
      : hall.post("/tables/import", { ...seating(title), save: await file.text() }),
  );
});
if ($("#tables")) {
  startTables($("#tables"));
  startDevices($("#devices"), false);
  startTell($("#tell"), false);
}
