// The hall: open a table, see the demonstration, bring a game.

import { hall } from "./api.js";
import { $ } from "./dom.js";

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
form.addEventListener("change", () => {
  $("#seat-plan").hidden = form.elements.plan.value !== "own";
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const f = form.elements;
  attempt(form, () =>
    hall.post("/tables", {
      title: f.title.value,
      name: f.name.value,
      scenario: f.scenario.value,
      seats: plan(form),
      reports: f.referee.checked ? "referee" : "players",
    }),
  );
});
$("#demo").addEventListener("click", () =>
  attempt(form, () => hall.post("/demonstration", { name: form.elements.name.value.trim() || "Guest" })),
);
$("#import").addEventListener("submit", (event) => {
  event.preventDefault();
  const file = $("#save").files[0];
  attempt(event.target, async () =>
    hall.post("/tables/import", {
      title: file.name.replace(/\.jsonl$/, "") || "Imported",
      name: form.elements.name.value.trim() || "Guest",
      save: await file.text(),
    }),
  );
});
$("#theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme !== "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.setItem("warcabinet-theme", dark ? "dark" : "light");
});
