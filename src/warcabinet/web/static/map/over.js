// What lies over the painted map and changes often: selection, cursor, legal hexes, zones, what just changed.

import { store } from "../store.js";
import { arrows } from "./arrows.js";
import { aimed, ghosts, inHand, inReach, pinned, stroke } from "./over-hand.js";
import { colours } from "./palette.js";
import { along, crossed, disc, inSight, strokes, veil } from "./pen.js";
import { border, cased, ring } from "./rings.js";

export function drawOver(map) {
  const { board } = map;
  if (!board) return;
  const c = colours();
  const hexOf = (key) => board.hexes.get(key.startsWith(`${board.name}/`) ? key.slice(board.name.length + 1) : "");
  const given = [map, c, hexOf];
  drawBetween(fresh(map.sheet.between, map), ...given);
  drawTop(fresh(map.over, map), ...given);
}

/** A canvas as large as the map, wiped. */
function fresh(canvas, { cam, ratio }) {
  canvas.width = Math.round(cam.width * ratio);
  canvas.height = Math.round(cam.height * ratio);
  canvas.style.width = `${cam.width}px`;
  canvas.style.height = `${cam.height}px`;
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  ctx.lineJoin = "round";
  return ctx;
}

/** Tints, hatches and rings: on the land, under names and counters. */
function drawBetween(ctx, map, c, hexOf) {
  if (map.layers.supply && map.supply) {
    supplied(ctx, map, c);
    supplySpots(ctx, map, c);
  }
  if (map.layers.china && map.china && map.board.name === "pacific") chinese(ctx, map, c);
  if (map.layers.zones) zones(ctx, map, c);
  if (map.places) legality(ctx, map, c, hexOf);
  for (const key of map.changed) {
    const hex = hexOf(key);
    if (hex) cased(ctx, map, hex, c.accent, 3);
  }
  if (map.hands?.held) aimed(ctx, map, c, hexOf);
  for (const it of map.ringed) if (hexOf(it.key)) cased(ctx, map, hexOf(it.key), c[it.colour], 3.5);
  if (map.selected) cased(ctx, map, map.selected, c.focus, 3);
  if (map.cursor && map.cursor !== map.selected && map.grid.byKeys && map.grid.here)
    cased(ctx, map, map.cursor, c.focus, 2);
}

/** What must be seen whatever stands there: ways, ghosts, numbers. */
function drawTop(ctx, map, c, hexOf) {
  waters(ctx, map, c, hexOf);
  if (map.layers.china && map.china && map.board.name === "pacific") objectives(ctx, map, c);
  if (map.line) landLine(ctx, map, c, hexOf);
  arrows(ctx, map, c, hexOf);
  ghosts(ctx, map, c, hexOf);
  if (map.brush?.stroke || map.brush?.laid) stroke(ctx, map, c, hexOf);
  for (const pin of map.pins) pinned(ctx, map, c, hexOf(pin.key), pin);
  if (map.hands?.held) inHand(ctx, map, c, hexOf);
}

/** Where a place may be named: dashed rings; where nearly everything may be, crosses on what may not. */
function legality(ctx, map, c, hexOf) {
  const { legal, forbidden, hand } = map.places;
  if (hand) return inReach(ctx, map, c, hexOf);
  const few = legal.size <= forbidden.size;
  // Rings on half the board would bury it: then a dot does, as it does when hexes are small.
  const small = map.cam.scale < 27 || legal.size > 120;
  ctx.lineWidth = few ? 1.7 : 1.2;
  ctx.strokeStyle = few ? c.focus : c.deny;
  ctx.fillStyle = c.focus;
  for (const key of few ? legal : forbidden.keys()) {
    const hex = hexOf(key);
    if (!inSight(map.cam, hex)) continue;
    const [x, y] = map.cam.screen(hex);
    ctx.setLineDash(few ? [4, 3] : []);
    if (!few) crossed(ctx, x, y, map.cam.scale * 0.16);
    else if (small) disc(ctx, x, y + map.cam.scale * 0.36, Math.max(2, map.cam.scale * 0.07), c.focus);
    else {
      ring(ctx, map.board, map.cam, hex, 0.86);
      ctx.stroke();
    }
  }
  ctx.setLineDash([]);
}

/** Each hex of a list that is in sight, with where it lies. */
function eachSeen({ board, cam }, ids, draw) {
  for (const id of ids) {
    const hex = board.hexes.get(id);
    if (inSight(cam, hex)) draw(hex, ...cam.screen(hex));
  }
}

/** How far supply reaches: tinted by land, dotted by sea, crossed where it is cut off. */
function supplied(ctx, map, c) {
  const { supply, board, cam } = map;
  const each = (ids, draw) => eachSeen(map, ids, draw);
  const tint = (colour, alpha) => (hex) => {
    ring(ctx, board, cam, hex, 1);
    veil(ctx, colour, alpha);
  };
  each(supply.land, tint(c.focus, 0.2));
  each(supply.sea, tint(c.focus, 0.1));
  each(supply.cut, tint(c.deny, 0.25));
  ctx.lineWidth = 1.2;
  ctx.setLineDash([2, 3]);
  ctx.strokeStyle = c.focus;
  each(supply.sea, (hex) => {
    ring(ctx, board, cam, hex, 0.8);
    ctx.stroke();
  });
  ctx.setLineDash([]);
  ctx.strokeStyle = c.deny;
  each(supply.cut, (_, x, y) => crossed(ctx, x, y, cam.scale * 0.2));
}

/** Where supply comes from and lands: at the foot of the hex, clear of the counter in it. */
function supplySpots(ctx, map, c) {
  const { supply, cam } = map;
  const spot = (radius, colour) => (_, x, y) => disc(ctx, x, y + cam.scale * 0.4, radius, c.paper, colour, 2);
  eachSeen(map, supply.ports, spot(Math.max(2.5, cam.scale * 0.1), c.focus));
  eachSeen(map, supply.sources, spot(Math.max(4, cam.scale * 0.15), c.accent));
}

/** China: where the chosen units may go tinted, both Chinas outlined. */
function chinese(ctx, map, c) {
  const { china, board, cam } = map;
  const chosen = china.going.find((g) => g.letter === document.querySelector("#china-of").value) ?? china.going[0];
  eachSeen(map, chosen.hexes, (hex) => {
    ring(ctx, board, cam, hex, 1);
    veil(ctx, c.focus, 0.22);
  });
  border(ctx, map, china.nationalists, c["china-deep"] ?? c.ink, []);
  border(ctx, map, china.communists, c["russia-deep"] ?? c.ink, [7, 4]);
}

/** The objectives of China, ringed in their holder's colour: around whatever stands there. */
function objectives(ctx, { china, board, cam }, c) {
  for (const it of china.objectives) {
    const hex = board.hexes.get(it.hex);
    if (!hex) continue;
    ring(ctx, board, cam, hex, 1);
    strokes(ctx, [c.paper, 5], [c[`${it.holder}-deep`] ?? c["china-deep"] ?? c.ink, 3]);
  }
}

/** A line over land as a road with casing; what cuts it as crosses. */
function landLine(ctx, map, c, hexOf) {
  ctx.lineCap = "round";
  along(ctx, map.line.path.map(hexOf).filter(Boolean).map((hex) => map.cam.screen(hex)));
  strokes(ctx, [c.paper, 7], [c.focus, 3.5]);
  for (const hex of map.line.cut.map(hexOf).filter(Boolean)) cased(ctx, map, hex, c.deny, 2.5);
}

function zones(ctx, map, c) {
  for (const [nation, ids] of Object.entries(map.zones)) {
    const colour = c[`${nation}-deep`] ?? c.ink;
    eachSeen(map, ids, (hex) => {
      ring(ctx, map.board, map.cam, hex, 0.72);
      veil(ctx, colour, 0.28);
      strokes(ctx, [colour, 1.2]);
    });
  }
}

/** Passages that are shut: a bar across; mined waters: a mine in each hex. */
function waters(ctx, map, c, hexOf) {
  for (const water of store.view?.position.waters ?? [])
    for (const key of water.hexes) {
      const hex = hexOf(key);
      if (!hex) continue;
      const [x, y] = map.cam.screen(hex);
      const r = map.cam.scale * 0.13;
      const [mx, my] = [x + map.cam.scale * 0.26, y - map.cam.scale * 0.24];
      ctx.lineWidth = Math.max(1.2, r * 0.35);
      ctx.strokeStyle = ctx.fillStyle = c.deny;
      ctx.beginPath();
      ctx.arc(mx, my, r, 0, 7);
      if (water.kind === "mined") {
        ctx.fill();
        for (let i = 0; i < 6; i++) {
          const [dx, dy] = [Math.cos((i * Math.PI) / 3), Math.sin((i * Math.PI) / 3)];
          ctx.moveTo(mx + dx * r, my + dy * r);
          ctx.lineTo(mx + dx * r * 1.6, my + dy * r * 1.6);
        }
      } else {
        ctx.moveTo(mx - r * 0.6, my);
        ctx.lineTo(mx + r * 0.6, my);
      }
      ctx.stroke();
    }
}
