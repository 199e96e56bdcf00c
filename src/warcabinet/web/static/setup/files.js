// Positions opened, saved as files, and started as tables.

import { $, toast } from "../dom.js";
import { attempt, base, hall } from "../api.js";
import { asFile, beginFile, beginTable, beginWith, draft, errors } from "./draft.js";
import { inForm } from "../forms.js";
import { fill, html } from "../ui.js";

const PLANS = { solo: "Everything myself", axis: "I play the Axis", allied: "I play the Allies" };
/** The seats of a plan: a side each, one of them mine; none where one plays everything. */
const seatsOf = (plan) =>
  [["axis", "Axis"], ["allied", "Allies"]].filter(() => plan !== "solo").map(([side, title]) => ({
    title,
    powers: draft.view.powers.filter((it) => it.player === side).map((it) => it.power),
    mine: side === plan,
  }));

const tried = (work) => (...given) => attempt(() => work(...given));

/** The position as a file on this computer. */
export const save = tried(async () => {
  const text = await asFile();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  link.download = `${draft.title.replace(/[^\p{L}\p{N} -]/gu, "") || "position"}.yaml`;
  link.click();
  URL.revokeObjectURL(link.href);
});

/** Choose what to lay out: a scenario, a file, or the position of a table at which one sits. */
export const openDialog = tried(async () => {
  const dialog = $("#modal");
  const [scenarios, tables] = await Promise.all([hall.get("/scenarios"), hall.get("/tables").catch(() => [])]);
  const run = (work) => tried(async () => {
    dialog.close();
    await work();
    $("#title").value = draft.title;
  });
  const list = (items, text, work) => html`<ul>${items.map((it) => html`<li><button onclick=${run(() => work(it))}>${text(it)}</button></li>`)}</ul>`;
  const take = ({ target: { files: [file] } }) => run(async () => beginFile(file.name.replace(/\.\w+$/, ""), await file.text()))();
  fill(dialog, html`
    <h2 id="modal-title">Open a position</h2>
    <p class="quiet">What lies on the desk is replaced; save it first if you want to keep it.</p>
    <h3>A scenario</h3>
    ${list(scenarios, (s) => s.title.split(";")[0], (s) => beginWith(s.title.split(";")[0], { scenario: s.scenario }))}
    <h3><label for="position-file">A position file</label></h3>
    <input type="file" id="position-file" accept=".yaml,.yml,application/yaml,text/plain" onchange=${take} />
    ${tables.length > 0 && html`<h3>The position of a table of yours</h3>${list(tables, (t) => t.title, (t) => beginTable(t.title, t.table))}`}
    <p class="row"><button onclick=${() => dialog.close()}>Cancel</button></p>
  `);
  dialog.showModal();
});

/** Start a table with this position; while an error stands, say what hinders it. */
export function startDialog() {
  if (errors().length) return toast(`First: ${errors()[0].text}.`, true);
  const dialog = $("#modal");
  const start = ({ target }) =>
    inForm(target, async ({ elements: { plan, name } }) => {
      const made = await hall.post("/tables", { title: draft.title, name: name.value.trim(), seats: seatsOf(plan.value), position: await asFile() });
      location.href = made.url || `${base}/tables/${made.table}`;
    });
  fill(dialog, html`<form key=${Date.now()} onsubmit=${start}>
    <h2 id="modal-title">Start “${draft.title}”</h2>
    <label for="start-name">Your name</label>
    <input id="start-name" name="name" required maxLength="60" defaultValue=${document.body.dataset.name || ""} />
    <fieldset>
      <legend>Seats</legend>
      ${Object.entries(PLANS).map(([id, text], i) => html`<label><input type="radio" name="plan" value=${id} defaultChecked=${!i} /> ${text}</label>`)}
    </fieldset>
    <p class="form-error" role="alert" hidden />
    <p class="row">
      <button class="main" type="submit">Start the table</button><button onclick=${() => dialog.close()}>Cancel</button>
    </p>
  </form>`);
  dialog.showModal();
}
