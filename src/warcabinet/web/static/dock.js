// The inspector and the order form stand beside the map where there is a column for them, else over it.

import { $ } from "./dom.js";

const wide = matchMedia("(min-width: 56.25rem)");
const MAPS = ["europe", "pacific"];

/** Whether the right column is there to hold them. */
const column = () =>
  wide.matches &&
  MAPS.includes(document.body.dataset.view) &&
  document.body.dataset.side !== "folded" &&
  getComputedStyle($("#side")).display !== "none";

/** Put them where they belong now; what someone is typing into keeps the focus. */
export function dock() {
  const docked = column();
  const [card, order, due] = [$("#hex-card"), $("#order"), $(".panel.due")];
  const home = docked ? $("#side") : $("#board");
  document.body.toggleAttribute("data-docked", docked);
  for (const el of [card, order]) {
    if (el.parentElement === home) continue;
    const focused = el.contains(document.activeElement) ? document.activeElement : null;
    if (docked) home.insertBefore(el, due);
    else home.append(el);
    focused?.focus({ preventScroll: true });
  }
}

export function startDock() {
  wide.addEventListener("change", dock);
  new MutationObserver(dock).observe(document.body, { attributes: true, attributeFilter: ["data-view", "data-side"] });
  addEventListener("resize", dock);
  dock();
}
