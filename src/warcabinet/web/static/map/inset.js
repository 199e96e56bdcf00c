// The whole board in small, with a frame round what the map shows.

import { $ } from "../dom.js";
import { Camera } from "./camera.js";
import { colours } from "./palette.js";
import { paint } from "./paint.js";

let kept = null;

// Its size where there is no room for it beside the map, as on a phone.
const WIDE = 196;
const HIGH = 140;

/** The whole board by control without names, with the camera that it was painted for. */
export function boardPicture(board, made, ratio) {
  const theme = document.documentElement.dataset.theme;
  if (kept?.held === made.held && kept.theme === theme && kept.board === board) return kept;
  const { clientWidth, clientHeight } = $("#map-inset");
  const cam = new Camera();
  cam.width = clientWidth || WIDE;
  cam.height = clientHeight || HIGH;
  cam.fit(board.bounds);
  const image = new OffscreenCanvas(Math.round(cam.width * ratio), Math.round(cam.height * ratio));
  const ctx = image.getContext("2d");
  ctx.scale(ratio, ratio);
  paint(ctx, board, cam, made, { ratio, plain: true });
  kept = { held: made.held, theme, board, image, cam };
  return kept;
}

export function drawInset(board, made, cam) {
  const canvas = $("#map-inset");
  if (!canvas.clientWidth || !made) return;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const small = boardPicture(board, made, ratio);
  canvas.width = small.image.width;
  canvas.height = small.image.height;
  const ctx = canvas.getContext("2d");
  ctx.drawImage(small.image, 0, 0);
  ctx.scale(ratio, ratio);
  const [left, top] = cam.plane(0, 0);
  const [right, bottom] = cam.plane(cam.width, cam.height);
  const k = small.cam.scale;
  ctx.strokeStyle = colours().focus;
  ctx.lineWidth = 2;
  ctx.strokeRect(left * k + small.cam.x, top * k + small.cam.y, (right - left) * k, (bottom - top) * k);
}

export function startInset(map) {
  const canvas = $("#map-inset");
  const go = (event) => {
    if (!kept || !event.buttons || map.hands.held) return; // what is carried over it goes its own way
    const box = canvas.getBoundingClientRect();
    map.cam.centre(...kept.cam.plane(event.clientX - box.left, event.clientY - box.top));
    map.cam.keep(map.board.bounds);
    map.moved();
  };
  canvas.addEventListener("pointerdown", go);
  canvas.addEventListener("pointermove", go);
}
