// A piece of a board beside what is told of it: as the server draws it, or painted here.

import { base, tableId } from "../api.js";
import { theme } from "../hall-theme.js";
import { store } from "../store.js";
import { Camera } from "./camera.js";

/** A canvas as large as it is laid out, looking at a board: its pen and its camera; nothing while it has no size. */
export function lookAt(canvas, scale) {
  if (!canvas.clientWidth) return null;
  const ratio = Math.min(2, devicePixelRatio || 1);
  const cam = Object.assign(new Camera(), { width: canvas.clientWidth, height: canvas.clientHeight, scale });
  canvas.width = cam.width * ratio;
  canvas.height = cam.height * ratio;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  return { ctx, cam, ratio };
}

/** Where the server has the picture of a piece at the moment that is looked at: around a hex, or a strip. */
export const pictureOf = (of) =>
  `${base}/tables/${tableId}/picture.svg?${new URLSearchParams({ ...of, theme: theme.value, at: store.at ?? store.head })}`;
