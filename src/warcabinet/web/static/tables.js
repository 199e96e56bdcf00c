// The list of a person's tables, as the server draws it: asked for anew while the page is before someone's eyes.

import { attempt, base, hall } from "./api.js";
import { $, $$ } from "./dom.js";
import { ago } from "./times.js";
import { theme } from "./hall-theme.js";
import { effect, elements, fill, state } from "./ui.js";

const EVERY = 30000;
const plain = document.title;
/** The list, whether tables moved last come first, whether deleted ones are shown. */
const its = state({ list: null, order: "mine", ended: false });

function draw() {
  if (!its.list) return;
  const box = $("#tables");
  fill(box, elements(its.list.drawn));
  for (const it of $$("[data-ago]", box)) it.textContent = ago(Number(it.dataset.ago));
  for (const it of $$("[data-stamp]", box)) it.src = `${it.dataset.stamp}&theme=${theme.value}`;
}

/** What stands round the list: how many wait, plans of the table that was moved last, deleted ones. */
function around() {
  const { waiting = 0, last = "", gone = 0 } = its.list ?? {};
  document.title = waiting ? `(${waiting}) ${plain}` : plain;
  Object.assign($("#wait-count"), { hidden: !waiting, textContent: waiting === 1 ? "1 waits for you" : `${waiting} wait for you` });
  Object.assign($("#plans-link"), { hidden: !last, href: last ? `${base}/tables/${last}#plans` : "" });
  Object.assign($("#show-ended"), { hidden: !gone, textContent: `Show deleted, ${gone}`, ariaPressed: String(its.ended) });
  for (const it of $$("[data-order]")) it.ariaPressed = String(it.dataset.order === its.order);
}

async function renew(order = its.order, ended = its.ended) {
  its.list = await hall.get(`/hall?order=${order}&ended=${ended}`);
}

export async function startTables() {
  for (const it of $$("[data-order]")) it.addEventListener("click", () => (its.order = it.dataset.order));
  $("#show-ended").addEventListener("click", () => (its.ended = !its.ended));
  $("#tables").addEventListener("click", ({ target }) => {
    const table = target.closest("[data-call-back]")?.dataset.callBack;
    if (table) attempt(() => hall.post(`/tables/${table}/call-back`).then(() => renew()));
  });
  effect(draw);
  effect(around);
  const again = () => (document.visibilityState === "visible" ? renew().catch(() => {}) : null);
  document.addEventListener("visibilitychange", again);
  setInterval(again, EVERY);
  await attempt(() => renew());
  effect(() => void renew(its.order, its.ended).catch(() => {}));
  document.body.dataset.ready = "yes";
}
