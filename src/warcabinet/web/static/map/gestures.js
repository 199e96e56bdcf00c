// Wheel, drag, pinch and click on the map.

/** `choose` is called with the hex that was clicked or tapped. */
export function startGestures(el, map, choose) {
  const pointers = new Map();
  let travelled = 0;
  let pinch = 0;
  const spot = (event) => {
    const box = el.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const onMap = (event) => event.target.closest("#hex-grid, #map-base");

  el.addEventListener(
    "wheel",
    (event) => {
      if (!onMap(event)) return;
      event.preventDefault();
      map.zoom(event.deltaY < 0 ? 1.25 : 0.8, ...spot(event));
    },
    { passive: false },
  );

  el.addEventListener("pointerdown", (event) => {
    if (!onMap(event) || event.button > 0) return;
    pointers.set(event.pointerId, spot(event));
    travelled = pointers.size > 1 ? 99 : 0;
    pinch = 0;
    try {
      el.setPointerCapture(event.pointerId);
    } catch {
      /* a pointer that is gone already */
    }
  });

  el.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = spot(event);
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) return twoFingers();
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.hypot(dx, dy);
    if (travelled < 5) return;
    el.classList.add("dragging");
    map.pan(dx, dy);
  });

  function twoFingers() {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    const span = Math.hypot(ax - bx, ay - by);
    if (pinch) map.zoom(span / pinch, (ax + bx) / 2, (ay + by) / 2);
    pinch = span;
  }

  const up = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    el.classList.remove("dragging");
    if (travelled < 5 && event.type === "pointerup") {
      const hex = map.hexAt(...spot(event));
      if (hex) choose(hex);
    }
  };
  el.addEventListener("pointerup", up);
  el.addEventListener("pointercancel", up);
}
