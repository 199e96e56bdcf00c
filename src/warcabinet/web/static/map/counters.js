// Counters: a band in the map colour with the initial, the usual symbol, the strength; stacks with a count.

import { isPower } from "../dom.js";
import { colours, readable } from "./palette.js";
import { disc } from "./pen.js";
import { painted, signal } from "../ui.js";

const INITIALS = { germany: "G", italy: "I", japan: "J", britain: "B", france: "F", russia: "R", usa: "U", china: "C" };

function rounded(ctx, x, y, w, hgt, r) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, hgt, r);
}

/** How counters of each kind look: told with the boards. */
const looks = signal({});
export const learnLooks = (units) => (looks.value = { ...looks.peek(), ...units });
const PLAIN = { symbol: "infantry", letters: "", branch: "ground" };
const lookOf = (unit) => looks.value[unit] ?? looks.value[unit.replace(/ [\d-]+$/, "")] ?? PLAIN;
/** Whether a kind fights on the ground, in the air or at sea. */
export const branchOf = (unit) => lookOf(unit).branch;
/** The game's letters for a kind that has no strength. */
export const lettersOf = (unit) => lookOf(unit).letters;
const strengthOf = (unit) => /(\d+-\d+|\d+)$/.exec(unit)?.[1] ?? "";

function symbol(ctx, kind, x, y, w, hgt) {
  ctx.strokeRect(x, y, w, hgt);
  ctx.beginPath();
  if (kind === "infantry" || kind === "mechanized") {
    ctx.moveTo(x, y);
    ctx.lineTo(x + w, y + hgt);
    ctx.moveTo(x + w, y);
    ctx.lineTo(x, y + hgt);
  }
  if (kind === "armor" || kind === "mechanized")
    ctx.roundRect(x + w * 0.16, y + hgt * 0.24, w * 0.68, hgt * 0.52, hgt * 0.26);
  if (kind === "air") {
    ctx.ellipse(x + w * 0.32, y + hgt / 2, w * 0.17, hgt * 0.22, 0, 0, 7);
    ctx.moveTo(x + w * 0.85, y + hgt / 2);
    ctx.ellipse(x + w * 0.68, y + hgt / 2, w * 0.17, hgt * 0.22, 0, 0, 7);
  }
  if (kind === "naval") {
    ctx.moveTo(x + w * 0.18, y + hgt * 0.55);
    ctx.lineTo(x + w * 0.82, y + hgt * 0.55);
    ctx.lineTo(x + w * 0.68, y + hgt * 0.82);
    ctx.lineTo(x + w * 0.32, y + hgt * 0.82);
    ctx.closePath();
    ctx.moveTo(x + w / 2, y + hgt * 0.55);
    ctx.lineTo(x + w / 2, y + hgt * 0.2);
  }
  ctx.stroke();
}

/** One counter with its upper left corner at x, y. `behind` edges show that more lie under it. */
export function counter(ctx, x, y, edge, piece, behind = 0, count = 0) {
  const c = colours();
  const major = isPower(piece.nation);
  const deep = major ? c[`${piece.nation}-deep`] : c.paper;
  const band = major ? c[`${piece.nation}-map`] : c["paper-2"];
  const ink = major ? readable(deep) : c.ink;
  const r = edge * 0.1;
  ctx.save();
  ctx.lineJoin = "round";
  for (let i = Math.min(2, behind); i > 0; i--) {
    rounded(ctx, x + 2.2 * i, y - 2.2 * i, edge, edge, r);
    ctx.fillStyle = deep;
    ctx.fill();
    ctx.strokeStyle = major ? c.paper : c.ink;
    ctx.lineWidth = 1;
    ctx.stroke();
  }
  rounded(ctx, x, y, edge, edge, r);
  ctx.fillStyle = deep;
  ctx.fill();
  ctx.save();
  ctx.clip();
  const left = edge * 0.27;
  ctx.fillStyle = band;
  ctx.fillRect(x, y, left, edge);
  if (!major) {
    ctx.fillStyle = c.ink;
    ctx.fillRect(x + left, y, 0.8, edge);
  }
  ctx.restore();
  ctx.strokeStyle = ink;
  ctx.lineWidth = Math.max(0.9, edge * 0.042);
  const strength = strengthOf(piece.unit) || lettersOf(piece.unit);
  const small = edge < 24 || !strength;
  const rest = edge - left;
  const w = rest * 0.78;
  const hgt = edge * (strength ? 0.34 : 0.44);
  const sx = x + left + (rest - w) / 2;
  symbol(ctx, lookOf(piece.unit).symbol, sx, y + (small ? (edge - hgt) / 2 : edge * 0.14), w, hgt);
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  if (!small) {
    ctx.fillStyle = ink;
    ctx.font = `700 ${edge * (/\d/.test(strength) ? 0.35 : 0.29)}px ${SANS}`;
    ctx.fillText(strength, x + left + rest / 2, y + edge * 0.755, rest - 2);
  }
  if (major && edge >= 16) {
    ctx.fillStyle = readable(band);
    ctx.font = `700 ${edge * 0.28}px ${SANS}`;
    ctx.fillText(INITIALS[piece.nation], x + left / 2 + 0.3, y + edge / 2, left);
  } else if (!major && edge >= 16) {
    // A minor country's letters stand on each other in the band: Bu, Hu, Ru.
    ctx.fillStyle = c.ink;
    ctx.font = `700 ${edge * 0.3}px ${SANS}`;
    letters(piece.nation).forEach((letter, i) => ctx.fillText(letter, x + left / 2 + 0.3, y + edge * (0.33 + 0.32 * i), left));
  }
  rounded(ctx, x, y, edge, edge, r);
  ctx.strokeStyle = major ? c.paper : c.ink;
  ctx.lineWidth = 1.3;
  ctx.stroke();
  if (count > 1) badge(ctx, x + edge, y, Math.max(5, Math.min(7, edge * 0.2)), count, c);
  ctx.restore();
}

const SANS = '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif';

/** Two letters of a minor country's name: Fi for Finland, Vi for Vichy France. */
const letters = (nation) => [nation.charAt(0).toUpperCase(), nation.charAt(1)];

function badge(ctx, x, y, r, count, c) {
  disc(ctx, x, y, r, c.paper, c.ink, 1);
  ctx.fillStyle = c.ink;
  ctx.font = `700 ${r * 1.5}px ${SANS}`;
  ctx.fillText(String(count), x, y + 0.5);
}

/** A counter on a canvas of its own beside the map, `side` pixels wide and so many times as fine. */
export function onCanvas(side, fine, paint, kind = "") {
  const size = { width: side * fine, height: side * fine, class: kind, "aria-hidden": "true" };
  return painted((canvas) => {
    const ctx = canvas.getContext("2d");
    ctx.reset();
    ctx.scale(fine, fine);
    paint(ctx);
  }, size);
}

const stamps = new Map();
const ENOUGH = 900; // more pictures than any board shows at one size

/** The same counter as a picture that is drawn once: boards with a thousand stacks stay smooth. */
export function stamped(ctx, x, y, edge, piece, behind, count, ratio) {
  const theme = document.documentElement.dataset.theme;
  const key = `${theme} ${edge} ${ratio} ${piece.nation} ${piece.unit} ${Math.min(2, behind)} ${count}`;
  const [side, room] = [edge + 16, 8];
  if (!stamps.has(key)) {
    if (stamps.size > ENOUGH) stamps.clear();
    const picture = new OffscreenCanvas(Math.ceil(side * ratio), Math.ceil(side * ratio));
    const own = picture.getContext("2d");
    own.scale(ratio, ratio);
    counter(own, room, room, edge, piece, behind, count);
    stamps.set(key, picture);
  }
  // On whole pixels of the screen, or it would be blurred.
  const at = (v) => Math.round((v - room) * ratio) / ratio;
  const size = Math.ceil(side * ratio) / ratio;
  ctx.drawImage(stamps.get(key), at(x), at(y), size, size);
}

/** Pieces by the place where they stand, the strongest on top. */
export function stacks(pieces) {
  const found = new Map();
  for (const piece of pieces) found.set(piece.place, [...(found.get(piece.place) ?? []), piece]);
  return found;
}

export const stackCount = (stack) => stack.reduce((n, p) => n + p.count, 0);
