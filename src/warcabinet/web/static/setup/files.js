// Positions opened, saved as files, and started as tables.

import { $, fill, h, toast } from "../dom.js";
import { base, hall, Trouble } from "../api.js";
import { asFile, beginFile, beginTable, beginWith, draft, errors } from "./draft.js";

const AXIS = ["germany", "italy", "japan"];
const ALLIES = ["britain", "france", "russia", "usa", "china"];
const PLANS = {
  solo: ["Everything myself", []],
  axis: ["I play the Axis", [["Axis", AXIS, true], ["Allies", ALLIES, false]]],
  allies: ["I play the Allies", [["Axis", AXIS, false], ["Allies", ALLIES, true]]],
};

const tried = (work) => async (...given) => {
  try {
    await work(...given);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
};

/** The position as a file on this computer. */
export const save = tried(async () => {
  const text = await asFile();
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "application/yaml" })), download: `${draft.title.replace(/[^\p{L}\p{N} -]/gu, "") || "position"}.yaml` });
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
  const list = (items, text, work) => h("ul", {}, items.map((it) => h("li", {}, h("button", { type: "button", onclick: run(() => work(it)) }, text(it)))));
  const file = h("input", { type: "file", id: "position-file", accept: ".yaml,.yml,application/yaml,text/plain" });
  file.addEventListener("change", run(async () => beginFile(file.files[0].name.replace(/\.\w+$/, ""), await file.files[0].text())));
  fill(
    dialog,
    h("h2", { id: "modal-title" }, "Open a position"),
    h("p", { className: "quiet" }, "What lies on the desk is replaced; save it first if you want to keep it."),
    h("h3", {}, "A scenario"),
    list(scenarios, (s) => s.title.split(";")[0], (s) => beginWith(s.title.split(";")[0], { scenario: s.scenario })),
    h("h3", {}, h("label", { htmlFor: "position-file" }, "A position file")),
    file,
    tables.length ? [h("h3", {}, "The position of a table of yours"), list(tables, (t) => t.title, (t) => beginTable(t.title, t.table))] : null,
    h("p", { className: "row" }, h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
  );
  dialog.showModal();
});

/** Start a table with this position; while an error stands, say what hinders it. */
export function startDialog() {
  if (errors().length) return toast(`First: ${errors()[0].text}.`, true);
  const dialog = $("#modal");
  const wrong = h("p", { className: "form-error", role: "alert", hidden: true });
  const form = h(
    "form",
    {},
    h("h2", { id: "modal-title" }, `Start “${draft.title}”`),
    h("label", { htmlFor: "start-name" }, "Your name"),
    h("input", { id: "start-name", name: "name", required: true, maxLength: 60, value: document.body.dataset.name || "" }),
    h("fieldset", {}, h("legend", {}, "Seats"), Object.entries(PLANS).map(([id, [text]], i) => h("label", {}, h("input", { type: "radio", name: "plan", value: id, checked: !i }), ` ${text}`))),
    wrong,
    h("p", { className: "row" }, h("button", { className: "main", type: "submit" }, "Start the table"), h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const seats = PLANS[form.elements.plan.value][1].map(([title, powers, mine]) => ({ title, powers, mine }));
    try {
      const made = await hall.post("/tables", { title: draft.title, name: form.elements.name.value.trim(), seats, position: await asFile() });
      location.href = made.url || `${base}/tables/${made.table}`;
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      wrong.textContent = error.message;
      wrong.hidden = false;
    }
  });
  fill(dialog, form);
  dialog.showModal();
}
