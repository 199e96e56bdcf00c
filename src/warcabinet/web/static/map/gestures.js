// Wheel, drag, pinch and click on the map; a drag that begins on one's own counters takes them up.

const SLOP = 4; // what moves less was a click
const HOLD = 250; // a finger that rests this long on a counter takes it up

/** `choose` is called with the hex that was clicked or tapped. */
export function startGestures(el, map, choose) {
  const pointers = new Map();
  let travelled = 0;
  let pinch = 0;
  let grip = null;
  const { hands } = map;
  const spot = (event) => {
    const box = el.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const onMap = (event) => event.target.closest("#hex-grid, #map-base");
  const placeUnder = (event) => {
    const under = document.elementsFromPoint(event.clientX, event.clientY).find((it) => it.closest(".tray, [data-drop]"));
    const { box, drop } = under?.closest(".tray, [data-drop]").dataset ?? {};
    return box ?? drop ?? map.hexAt(...spot(event))?.key;
  };

  el.addEventListener(
    "wheel",
    (event) => {
      if (!onMap(event)) return;
      event.preventDefault();
      map.panned = true;
      map.zoom(event.deltaY < 0 ? 1.25 : 0.8, ...spot(event));
    },
    { passive: false },
  );

  /** A press on a ghost's cross takes it back; on a ghost that may go elsewhere it takes it up. */
  function ghostPressed(event) {
    const [x, y] = spot(event);
    const near = (at, far) => at && Math.hypot(x - at[0], y - at[1]) <= far;
    const ghosts = [...map.ghosts, ...map.drafts, ...map.advised];
    const crossed = ghosts.find((it) => it.off && near(it.cross, 12));
    const grabbed = !crossed && ghosts.findLast((it) => it.lift && near(it.middle, map.cam.scale * 0.4));
    if (crossed) crossed.off(crossed);
    if (grabbed) grabbed.lift([x, y], (hands.pressed = [event.clientX, event.clientY]));
    return Boolean(crossed || grabbed);
  }

  el.addEventListener("pointerdown", (event) => {
    if (!onMap(event) || event.button > 0 || (!hands.held && ghostPressed(event))) return;
    pointers.set(event.pointerId, spot(event));
    travelled = pointers.size > 1 ? 99 : 0;
    if (map.brush?.ready()) map.brush.start(pointers.size === 1 ? map.hexAt(...spot(event)) : null);
    pinch = 0;
    grip = pointers.size === 1 ? gripOn(event) : null;
    try {
      el.setPointerCapture(event.pointerId);
    } catch {
      /* a pointer that is gone already */
    }
  });

  /** Own counters under the pointer; a finger has to rest on them first, so that it can also push the map. */
  function gripOn(event) {
    const hex = map.hexAt(...spot(event));
    if (!hands.mayGrip(hex)) return null;
    const found = { hex, one: event.shiftKey, all: event.ctrlKey || event.metaKey, ready: event.pointerType !== "touch" };
    if (!found.ready)
      setTimeout(() => {
        if (grip === found && travelled < SLOP) found.ready = true;
      }, HOLD);
    return found;
  }

  function takeUp(at) {
    const piles = hands.piles(grip.hex.key);
    const [first] = piles;
    hands.lift(grip.hex.key, grip.all ? piles : [grip.one ? { ...first, count: 1 } : first], at);
    hands.dragged = Boolean(hands.held);
    grip = null;
  }

  el.addEventListener("pointermove", (event) => {
    const now = spot(event);
    const before = pointers.get(event.pointerId);
    if (hands.held && pointers.size < 2) return hands.over(now);
    if (!before) return;
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) return twoFingers();
    if (map.brush?.stroke) return map.brush.over(map.hexAt(...now));
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    travelled += Math.hypot(dx, dy);
    if (travelled < SLOP) return;
    if (grip?.ready) return takeUp(now);
    grip = null;
    el.classList.add("dragging");
    map.panned = true;
    map.pan(dx, dy);
  });

  function twoFingers() {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    const span = Math.hypot(ax - bx, ay - by);
    if (pinch) map.zoom(span / pinch, (ax + bx) / 2, (ay + by) / 2);
    pinch = span;
  }

  /** What was taken up from a fan or a pool is put down where the same press ends; a click leaves it in the hand. */
  const release = (event) => {
    const [x, y] = hands.pressed;
    hands.pressed = null;
    if (Math.hypot(event.clientX - x, event.clientY - y) > 6) hands.drop(placeUnder(event));
  };

  const up = (event) => {
    if (hands.held && hands.pressed && event.type === "pointerup") return release(event);
    if (!pointers.delete(event.pointerId)) return;
    el.classList.remove("dragging");
    grip = null;
    if (map.brush?.stroke) return void map.brush.end(event.type === "pointerup");
    if (event.type === "pointercancel") return void hands.putBack();
    if (hands.held && (hands.dragged || travelled < SLOP)) {
      hands.dragged = false;
      return void hands.drop(placeUnder(event));
    }
    if (travelled < SLOP) {
      const hex = map.hexAt(...spot(event));
      if (hex) choose(hex, event);
    }
  };
  el.addEventListener("pointerup", up);
  el.addEventListener("pointercancel", up);
  document.addEventListener("pointerup", (event) => {
    if (el.contains(event.target)) return;
    // A press that began on a tray may end on another place than the map.
    if (hands.held && hands.pressed && event.target.closest("[data-drop]")) return release(event);
    hands.pressed = null;
  });
  el.addEventListener("contextmenu", (event) => {
    if (hands.putBack()) event.preventDefault();
  });
}
