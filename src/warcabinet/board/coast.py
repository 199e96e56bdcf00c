"""The coastline on the board's plane: its rings for drawing, and what lies on land."""

from __future__ import annotations

import json
from functools import cache

from warcabinet.board import rows
from warcabinet.board.maps import Board

Point = tuple[float, float]
#: Edges are kept in strips of this height, so that a point is compared with the few beside it.
_STRIP = 0.1


@cache
def rings(board: Board) -> tuple[tuple[Point, ...], ...]:
    """The rings of the land, for an even-odd fill."""
    data = json.loads(rows.folder().joinpath(f"coast-{board.name}.json").read_text(encoding="utf-8"))
    unit = data["unit"]
    return tuple(tuple((ring[i] * unit, ring[i + 1] * unit) for i in range(0, len(ring), 2)) for ring in data["rings"])


@cache
def _strips(board: Board) -> dict[int, list[tuple[Point, Point]]]:
    found: dict[int, list[tuple[Point, Point]]] = {}
    for ring in rings(board):
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            low, high = sorted((a[1], b[1]))
            for strip in range(int(low // _STRIP), int(high // _STRIP) + 1):
                found.setdefault(strip, []).append((a, b))
    return found


def is_land(board: Board, point: Point) -> bool:
    """Whether a point of the plane is land: a ray to its left crosses the coast an odd number of times."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in _strips(board).get(int(y // _STRIP), ()):
        if (ay > y) != (by > y) and x > ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside
