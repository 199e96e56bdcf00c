// Who minds which power: stewards, standing orders, and advice for the moment.

import { nameOf, toast } from "./dom.js";
import { table } from "./api.js";
import { advised, shownFirst, suggest } from "./advice.js";
import { html, plain, seal, state } from "./ui.js";

const units = (how) => how.split(",").map((it) => it.trim()).filter(Boolean);
/** Plans of one line: what a form says, what it takes, and what is sent. */
const LINES = {
  build: ["builds like this, and nothing else", "armor 4-6, infantry 3-3", (how) => ({ build: units(how) })],
  mobilize: ["mobilizes like this", "army air, infantry 1-3", (how) => ({ mobilize: units(how) })],
  pass: ["passes until the end of", "Winter 1940", (how) => ({ pass_until: how.trim() })],
};
const begun = state({ whose: "", what: "build", how: "" });

export const leaveLine = (power, line) => table.post(`/minders/${power}/line`, line);

function line(it, attempt, text) {
  const leave = (body) => attempt(() => table.put(`/minders/${it.power}`, body));
  // Before it acts it shows what it would do now.
  const first = (text, body) => attempt(() => shownFirst(it.power, { text }, () => leave(body)));
  const small = (label, onclick, more = {}) => html`<button class="small" onclick=${onclick} ...${more}>${label}</button> `;
  const by = it.own_plan ? "a standing order" : "its steward";
  const how = it.minded ? `${by}${it.mode === "show" ? ", which only shows" : ""}, since ${it.by} left it so` : it.seat ? `by hand: ${it.seat}` : "nobody";
  return html`<tr>
    <th scope="row">${seal(it.power)} ${it.name}</th>
    <td>
      ${how}
      ${it.text && html`<details class="small"><summary>What it says</summary><pre>${it.text}</pre></details>`}
      ${it.stopped && html`<p class="deny small">
        Stopped: ${it.stopped}${" "}
        ${it.mine && it.minded && small("Go on", () => leave({ text: it.text, mode: it.mode }), { title: "It acts again from here" })}
      </p>`}
      ${it.mine && html`<div class="row">
        ${small("Steward", () => first("", { mode: "act" }))}
        ${small("Shown first", () => leave({ mode: "show" }), { title: "It shows its orders, and gives them when you say so" })}
        ${small("This plan", () => first(text(), { text: text(), mode: "act" }), { title: "The plan that is written above, as a standing order" })}
        ${small("This plan, shown first", () => leave({ text: text(), mode: "show" }), { title: "Suggest shows its orders as ghosts on the map; they are given when you say so" })}
        ${it.minded && small("By hand", () => attempt(() => table.drop(`/minders/${it.power}`)))}
        ${small("Suggest", () => attempt(() => suggest([it.power])), { "data-suggest": it.power })}
      </div>`}
    </td>
  </tr>`;
}

/** A plan of one line, by a form: what to mobilize or build, or to pass until a turn. */
function oneLine(mine, attempt) {
  if (!mine.length) return null;
  const whose = mine.some((it) => it.power === begun.whose) ? begun.whose : mine[0].power;
  const [, example, read] = LINES[begun.what];
  const keep = ({ target }) => (begun[target.name] = target.value);
  const leave = () => {
    const line = read(begun.how || example);
    const left = async () => {
      await leaveLine(whose, line);
      toast(`${nameOf(whose)} is left to a standing order.`);
      begun.how = "";
    };
    return attempt(() => shownFirst(whose, { line }, () => attempt(left)));
  };
  return html`<form class="one-line" onsubmit=${leave} oninput=${keep}>
    <select aria-label="Power" id="line-whose" name="whose" value=${whose}>
      ${mine.map((it) => html`<option value=${it.power}>${it.name}</option>`)}
    </select>${" "}
    <select aria-label="Standing order" id="line-what" name="what" value=${begun.what}>
      ${Object.entries(LINES).map(([id, [label]]) => html`<option value=${id}>${label}</option>`)}
    </select>${" "}
    <input type="text" maxLength="200" placeholder=${example} aria-label="How" id="line-how" name="how" value=${begun.how} />${" "}
    <button type="submit" class="small" id="leave-order">Leave it so</button>
  </form>`;
}

/** The section; `work` does something and then reads the page anew, `text` is the plan that is written. */
export function minders(page, work, text) {
  const mine = page.minders.filter((it) => it.mine);
  return html`<section class="minders">
    <h3>Stewards and standing orders</h3>
    ${advised()}${oneLine(mine, work)}
    <p class="quiet small">
      A steward keeps economy, mobilization, construction, aid, garrisons and duties; it never invents combat. A standing order of one line does what it names and leaves the rest to you. The log says of each order who gave it, and why; where one has no answer or is refused, it stops and you are told.
    </p>
    ${plain(page.minders.map((it) => line(it, work, text)))}
  </section>`;
}
