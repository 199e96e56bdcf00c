// Aid: the page as the server draws it; here are the plan of grants that is being made, and sending it.

import { nameOf, toast } from "./dom.js";
import { attempt, table } from "./api.js";
import { showConvoy } from "./convoy.js";
import { openCommand } from "./order.js";
import { leaveLine } from "./plan-minders.js";
import { tellTrouble } from "./refusal.js";
import { served } from "./served.js";
import { perform, store } from "./store.js";
import { state } from "./ui.js";

/** What is shown, the pair for which a grant is being planned, and grants that are thought of and not sent, as orders. */
const its = state({ mode: "phase", pair: "", plan: [] });

/** The form of a pair comes in sight, once. */
let inSight = "";
function lookAt(el) {
  const form = el.querySelector(".planner");
  if (form && inSight !== its.pair) {
    form.scrollIntoView({ block: "nearest" });
    form.elements.brp.focus({ preventScroll: true });
  }
  inSight = form ? its.pair : "";
}

/** The way that is chosen in the form, as an order: what is not said of it is left out. */
function chosen(form) {
  const { command, known } = form.querySelector("[name=way]:checked").dataset;
  const said = Object.entries(JSON.parse(known)).filter(([, v]) => v !== "" && v !== 0 && !(Array.isArray(v) && !v.length));
  return { do: command, ...Object.fromEntries(said), power: its.pair.split(" ")[0] };
}

function planIt(event) {
  event.preventDefault();
  const order = { ...chosen(event.target), brp: Number(event.target.elements.brp.value) };
  Object.assign(its, { plan: [...its.plan, order], pair: "" });
}

async function send() {
  const rest = [...its.plan];
  while (rest.length) {
    try {
      await perform("/do", rest[0]);
    } catch (error) {
      tellTrouble(error);
      break;
    }
    rest.shift();
    if (store.view.position.waits.length) break;
  }
  its.plan = rest;
  if (rest.length && store.view.position.waits.length) toast("The rest of the plan waits for the answer.");
}

/** Leave the planned grants as standing orders of those who grant, beside what they were left to before. */
async function stand() {
  const line = ({ to, by, through, port, brp }) => ({ to, by, most: brp, ...(through ? { through } : {}), ...(port ? { port } : {}) });
  await attempt(async () => {
    for (const [power, its_] of Map.groupBy(its.plan, (it) => it.power)) {
      await leaveLine(power, { aid: its_.map(line) });
      toast(`${nameOf(power)} grants like this from now on; Plans shows its standing order.`);
    }
    its.plan = [];
  });
}

function press({ target }) {
  const button = target.closest("[data-choice],[data-pair],[data-drop],[data-whole],#send-plan,#stand-by-plan");
  if (!button) return;
  const { choice, pair, drop, whole } = button.dataset;
  if (choice) its.mode = choice;
  else if (pair) its.pair = its.pair === pair ? "" : pair;
  else if (drop) its.plan = its.plan.toSpliced(Number(drop), 1);
  else if (whole !== undefined) {
    const { do: command, power, to, by } = chosen(button.form);
    openCommand(command, command === "grant" ? { power, to, by } : { power });
  } else if (button.id === "send-plan") send();
  else stand();
}

async function ask() {
  const found = await table.post("/aid/page", { plan: its.plan, pair: its.pair, mode: its.mode, at: store.at });
  showConvoy(found);
  return found.drawn;
}

const draw = (page) => served(page, { class: "page-part", onclick: press, onsubmit: planIt }, lookAt);

export const sheet = { ask, draw };
