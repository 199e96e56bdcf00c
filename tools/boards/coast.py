"""The coastline for drawing: simplified on the board's plane, in hundredths of a hex."""

from __future__ import annotations

import json

from shapely import simplify
from shapely.geometry import Polygon
from shapely.ops import unary_union
from shares import Geography

from warcabinet.board import hexes
from warcabinet.board.hexes import Axial

TOLERANCE = 0.018
SMALLEST_ISLAND = 0.0025
SMALLEST_LAKE = 0.02
#: Land on these hexes is off the board: North America is a box (70.12).
NOT_DRAWN = {"pacific": {"A66", "A67", "A68", "B67", "B66"}, "europe": set()}


def baked(geo: Geography, ids: list[Axial]) -> str:
    """Rings of the land, outer ones and holes alike, for an even-odd fill."""
    board = unary_union([Polygon(hexes.corners(at, 1.002)) for at in ids if str(at) not in NOT_DRAWN[geo.board]])
    land = simplify(geo.land.intersection(board), TOLERANCE)
    rings = []
    for part in getattr(land, "geoms", [land]):
        if part.geom_type != "Polygon" or part.area < SMALLEST_ISLAND:
            continue
        rings.append(_points(part.exterior))
        rings.extend(_points(hole) for hole in part.interiors if Polygon(hole).area >= SMALLEST_LAKE)
    rings.sort(key=lambda ring: (-len(ring), ring))
    body = ",\n".join(json.dumps(ring, separators=(",", ":")) for ring in rings)
    source = "assumed: Natural Earth 1:10m (public domain) through the fitted projection"
    return f'{{"unit":0.01,"source":"{source}","rings":[\n{body}\n]}}\n'


def _points(ring) -> list[int]:
    """x, y, x, y ... without the closing point."""
    return [round(value * 100) for point in list(ring.coords)[:-1] for value in point]
