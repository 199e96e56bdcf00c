"""What the geography says of each hex and each hexside, before any hand-kept table has its say."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import geography
import numpy as np
from shapely import STRtree, box, clip_by_rect, make_valid, prepare, segmentize, transform
from shapely.geometry import LineString, MultiPolygon, Polygon
from shapely.ops import unary_union
from transform import Transform

from warcabinet.board import hexes
from warcabinet.board.hexes import Axial

#: Longitudes and latitudes worth projecting; the Pacific runs through 180 degrees.
WINDOWS = {"europe": (-42, 14, 78, 70), "pacific": (62, -34, 240, 68)}
#: A rough outline of Lake Ladoga, the only lake that fills a hex; Natural Earth's land includes lakes.
LADOGA = [(30.9, 60.0), (31.6, 60.05), (32.5, 60.2), (32.95, 60.65), (32.5, 61.1), (31.6, 61.5), (30.9, 61.65)]
LADOGA += [(30.2, 61.3), (29.95, 61.05), (30.5, 60.75), (30.9, 60.4)]

SEA_BELOW = 0.10
LAND_ABOVE = 0.93


@dataclass
class Geography:
    """The states and the land of one board on its plane, with shares by hex and by side."""

    board: str
    land: MultiPolygon
    lakes: list[Polygon]
    states: dict[str, MultiPolygon]
    share: dict[Axial, float] = field(default_factory=dict)
    state_shares: dict[Axial, list[tuple[float, str]]] = field(default_factory=dict)
    main_mass: dict[Axial, int] = field(default_factory=dict)


def survey(board: str, atlas: Path, ids: list[Axial]) -> Geography:
    """Project everything and measure the hexes."""
    to_plane = Transform(board)
    edge = _extent(ids)
    window = WINDOWS[board]
    found = {}
    for name, shape in geography.states(atlas).items():
        cut = clip_by_rect(shape, *window)
        if cut.is_empty:
            continue
        flat = make_valid(transform(segmentize(cut, 0.5), lambda p: to_plane(p[:, 0], p[:, 1])))
        inside = geography._multi(flat.intersection(edge))
        if not inside.is_empty:
            found[name] = inside
    lakes = [Polygon(to_plane(*map(np.array, zip(*LADOGA, strict=True))))] if board == "europe" else []
    land = geography._multi(unary_union(list(found.values())).difference(unary_union(lakes)))
    here = Geography(board, land, lakes, found)
    _measure(here, ids)
    return here


def _extent(ids: list[Axial]) -> Polygon:
    points = [hexes.centre(at) for at in ids]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return box(min(xs) - 1.5, min(ys) - 1.5, max(xs) + 1.5, max(ys) + 1.5)


def _measure(here: Geography, ids: list[Axial]) -> None:
    masses = list(here.land.geoms)
    mass_tree = STRtree(masses)
    names = list(here.states)
    pieces = [(piece, name) for name in names for piece in here.states[name].geoms]
    state_tree = STRtree([piece for piece, _ in pieces])
    for at in ids:
        cell = Polygon(hexes.corners(at))
        prepare(cell)
        parts = [(masses[i].intersection(cell).area, int(i)) for i in mass_tree.query(cell)]
        here.share[at] = sum(a for a, _ in parts) / cell.area
        if parts and max(parts)[0] > 0:
            here.main_mass[at] = max(parts)[1]
        shares: dict[str, float] = {}
        for i in state_tree.query(cell):
            piece, name = pieces[i]
            shares[name] = shares.get(name, 0) + piece.intersection(cell).area / cell.area
        here.state_shares[at] = sorted(((a, n) for n, a in shares.items() if a > 0.001), reverse=True)


def side_share(here: Geography, a: Axial, b: Axial) -> float:
    """The share of the common side of two hexes that lies on land."""
    i = hexes.direction(a, b)
    ring = hexes.corners(a)
    side = LineString([ring[i], ring[(i + 1) % 6]])
    return side.intersection(here.land).length / side.length
