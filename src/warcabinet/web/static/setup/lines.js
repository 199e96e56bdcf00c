// A position typed or pasted: many lines at once, each told at once whether it was understood; none is dropped.

import { $, debounce, nameOf, several, toast } from "../dom.js";
import { hall } from "../api.js";
import { change, draft } from "./draft.js";
import { figure } from "./counters.js";
import { fill, html } from "../ui.js";

let typed = ""; // what was typed stays until it is laid out

/** Every unit of some nations taken off, wherever it lies, before what was typed is laid out. */
function cleared(view, nations) {
  const off = {};
  for (const p of view.pieces) if (nations.includes(p.nation)) off[figure(p.nation, p.unit, p.place)] = 0;
  for (const p of view.pools) if (nations.includes(p.nation)) off[figure(p.nation, p.unit, p.arrives ? `track/${p.arrives}` : "pool")] = 0;
  return off;
}

/** The wars that are on with those that were typed; one that is on stays as it is unless its turn was typed. */
function withWars(view, typed) {
  const same = (a, b) => a.between.every((it) => b.between.includes(it));
  const now = view.wars.map(({ between, since, declared_by }) => ({ between, since, declared_by }));
  const begun = typed.filter((w) => w.since || !now.some((it) => same(it, w)));
  if (!begun.length) return {};
  const lines = begun.map((w) => ({ between: w.between, since: w.since || view.moment.turn, declared_by: w.between[0] }));
  return { wars: [...now.filter((it) => !begun.some((w) => same(it, w))), ...lines] };
}

/** How many things the lines say. */
const said = (found) => Object.keys(found.figures).length + found.wars.length + (found.turn ? 1 : 0);

export function openLines() {
  const dialog = $("#modal");
  let found = null;
  const read = async () => {
    found = typed.trim() ? await hall.post("/setup/read", { text: typed, board: document.body.dataset.view }) : null;
    draw();
  };
  const soon = debounce(read, 200);
  const take = (event) => {
    typed = event.target.value;
    soon();
  };
  const lay = async (event) => {
    const alone = event.target.elements.alone.checked;
    await read();
    if (!found || found.wrong.length === found.lines) return;
    const { figures, nations, none, turn, wars, wrong } = found;
    const off = [...none, ...(alone ? nations : [])];
    // The turn first: what has begun since another is only then in the past.
    if (turn && turn !== draft.view.moment.turn && !(await change({}, { turn }))) return;
    if (!(await change((view) => ({ ...cleared(view, off), ...figures, ...withWars(view, wars) })))) return;
    // What was not understood is left to be put right.
    const left = new Set(wrong.map((w) => w.line));
    typed = typed.split("\n").filter((_, i) => left.has(i + 1)).join("\n");
    toast(`${several(found.lines - wrong.length, "line")} laid out; U takes them back.`);
    if (!left.size) return dialog.close();
    await read();
  };
  const key = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const told = () => html`
    <p>
      ${several(found.lines - found.wrong.length, "line")} understood: ${several(said(found), "figure")}
      ${found.nations.length ? `, units of ${found.nations.map(nameOf).join(", ")}` : ""}.
    </p>
    <ul class="wrong-lines">
      ${found.wrong.map((w) => html`<li><strong>Line ${w.line}: </strong>${w.text}<span class="minus"> ${w.why}</span></li>`)}
    </ul>
  `;
  const draw = () => fill(dialog, html`<form key="lines" class="typed-form" onsubmit=${lay} onkeydown=${key}>
    <h2 id="modal-title">Type or paste</h2>
    <p class="quiet">
      A nation, then a line for each place. Also pool, a turn of arrival, level and base, who holds what, how countries stand, who has surrendered, wars, tensions, the turn. What stands at a place is replaced kind by kind; the rest stays.
    </p>
    <textarea id="typed-lines" rows="16" spellcheck=${false} placeholder=${$("#typed-example").innerHTML} value=${typed} oninput=${take}
      aria-label="Lines of the position" aria-describedby="typed-told" />
    <div id="typed-told" role="status" class="small">${found && told()}</div>
    <label><input type="checkbox" name="alone" /> First take all other units of these nations off</label>
    <p class="row">
      <button type="submit" class="main" disabled=${!found || found.wrong.length === found.lines}>
        Lay it out <kbd aria-hidden="true">Ctrl Enter</kbd>
      </button>
      <button onclick=${() => dialog.close()}>Close</button>
    </p>
  </form>`);
  draw();
  dialog.showModal();
  $("#typed-lines").focus();
  read();
}
