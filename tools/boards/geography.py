"""Coasts and modern states from the TopoJSON of `world-atlas` (Natural Earth 1:10m, public domain).

`npm pack world-atlas@2.0.2` brings the file; it is not part of the project.
"""

from __future__ import annotations

import json
from pathlib import Path

from shapely import make_valid
from shapely.geometry import MultiPolygon, Polygon
from shapely.ops import unary_union

Ring = list[tuple[float, float]]


def states(path: Path) -> dict[str, MultiPolygon]:
    """Every modern state by its Natural Earth name, longitudes unwrapped and repeated a turn to both sides."""
    topology = json.loads(path.read_text())
    arcs = _arcs(topology)
    found: dict[str, list[Polygon]] = {}
    for item in topology["objects"]["countries"]["geometries"]:
        groups = item["arcs"] if item["type"] == "MultiPolygon" else [item["arcs"]]
        name = item["properties"]["name"]
        for rings in groups:
            found.setdefault(name, []).extend(_polygons([_ring(arcs, ring) for ring in rings]))
    return {name: _multi(unary_union(parts)) for name, parts in found.items() if parts}


def _arcs(topology: dict) -> list[Ring]:
    scale, move = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * scale[0] + move[0], y * scale[1] + move[1]))
        arcs.append(points)
    return arcs


def _ring(arcs: list[Ring], indices: list[int]) -> Ring:
    points: Ring = []
    for i in indices:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        points.extend(arc if not points else arc[1:])
    return points


def _unwrap(ring: Ring) -> Ring:
    # Rings that cross 180 degrees come joined: without this Russia vanishes and Fiji spans the ocean.
    out = [ring[0]]
    for lon, lat in ring[1:]:
        last = out[-1][0]
        while lon - last > 180:
            lon -= 360
        while lon - last < -180:
            lon += 360
        out.append((lon, lat))
    return out


def _polygons(rings: list[Ring]) -> list[Polygon]:
    shell = _unwrap(rings[0])
    if len(shell) < 4:
        return []
    holes = [_near(shell, _unwrap(ring)) for ring in rings[1:] if len(ring) >= 4]
    base = make_valid(Polygon(shell, holes))
    turned = [_shift(base, turn) for turn in (-360, 0, 360)]
    return [part for piece in turned for part in _multi(piece).geoms]


def _near(shell: Ring, hole: Ring) -> Ring:
    turn = round((shell[0][0] - hole[0][0]) / 360) * 360
    return [(lon + turn, lat) for lon, lat in hole]


def _shift(shape, turn: int):
    from shapely.affinity import translate

    return translate(shape, xoff=turn)


def _multi(shape) -> MultiPolygon:
    parts = [g for g in getattr(shape, "geoms", [shape]) if g.geom_type in ("Polygon", "MultiPolygon")]
    flat = [p for g in parts for p in getattr(g, "geoms", [g])]
    return MultiPolygon([p for p in flat if p.area > 0])
