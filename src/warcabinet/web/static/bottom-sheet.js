// The phone's sheet of panels: dragged or pressed between a peek, half and the full height.

import { $ } from "./dom.js";

const STOPS = ["peek", "half", "full"];
const NAMES = { peek: "a peek", half: "half", full: "full" };

/** The room between the clock and the tabs. */
const room = () => $(".phone-tabs").getBoundingClientRect().top - $(".time").getBoundingClientRect().bottom;
const heights = () => ({ peek: 84, half: Math.round(room() * 0.55), full: Math.round(room()) });

export function setSheet(stop) {
  document.body.dataset.sheet = stop;
  document.body.style.removeProperty("--sheet-drag");
  $("#sheet-handle").setAttribute("aria-label", `Panel height: ${NAMES[stop]}. Press or drag to change it`);
  dispatchEvent(new Event("resize"));
}

export function startBottomSheet() {
  const handle = $("#sheet-handle");
  let from = null;
  let height = 0;
  let clicks = true;
  handle.addEventListener("pointerdown", (event) => {
    from = { y: event.clientY, height: heights()[document.body.dataset.sheet], travelled: 0 };
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointermove", (event) => {
    if (!from) return;
    from.travelled = Math.max(from.travelled, Math.abs(event.clientY - from.y));
    height = Math.max(heights().peek, Math.min(heights().full, from.height + from.y - event.clientY));
    if (from.travelled > 5) document.body.style.setProperty("--sheet-drag", `${height}px`);
  });
  const drop = () => {
    const dragged = from && from.travelled > 5;
    from = null;
    if (!dragged) return;
    const all = heights();
    setSheet(STOPS.reduce((best, it) => (Math.abs(all[it] - height) < Math.abs(all[best] - height) ? it : best)));
    // A drag ends in a click, which is not meant as one.
    clicks = false;
    setTimeout(() => {
      clicks = true;
    });
  };
  handle.addEventListener("pointerup", drop);
  handle.addEventListener("pointercancel", drop);
  handle.addEventListener("click", () => {
    if (clicks) setSheet(STOPS[(STOPS.indexOf(document.body.dataset.sheet) + 1) % 3]);
  });
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    setSheet(STOPS[Math.max(0, Math.min(2, STOPS.indexOf(document.body.dataset.sheet) + step))]);
  });
}
