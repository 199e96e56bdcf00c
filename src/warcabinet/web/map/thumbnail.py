"""A table's map as small as a stamp, by control: for the hall's list."""

from __future__ import annotations

from functools import cache

from warcabinet.board import coast, maps, outline, palette
from warcabinet.board.hexes import centre, corners
from warcabinet.model.places import holder
from warcabinet.model.state import State

Point = tuple[float, float]
#: Pixels of a hex in the picture's own units; the coast is told no finer than a stamp can show it.
SIZE = 6.0
FINE = 0.3
#: How strongly a power's colour lies on its land: names and lines of the table need a paler one than a stamp.
TINT = 0.72


def thumbnail(state: State, board: str, theme: palette.Theme) -> str:
    """An SVG of one board: its coast, and the land by who holds it, in the colours of the table."""
    colours, one = palette.tokens(theme), maps.board(board)
    by = {h.id: palette.power_of(holder(state, h.key)) or "" for h in one if h.is_land}
    held: dict[str, list[str]] = {}
    for id_, power in by.items():
        if power:
            held.setdefault(power, []).append(id_)
    lands, specks = [], []
    for power, ids in held.items():
        fill = f'fill="{colours[f"{power}-map"]}"'
        shape = "".join(_ring(chain[:-1]) for chain in outline.around(one, ids))
        lands.append(f'<path {fill} fill-opacity="{TINT}" d="{shape}"/>')
        dots = "".join(_dot(centre(one[id_].at)) for id_ in ids if id_ in _out_of_sight(one))
        specks.append(f'<path {fill} d="{dots}"/>' if dots else "")
    fronts = "".join(_line(chain) for chain in outline.between(one, lambda a, b: _parted(by, a.id, b.id)))
    left, top, wide, high = _frame(one)
    drawn = _coast(one)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {wide:.0f} {high:.0f}" '
        f'preserveAspectRatio="xMidYMid slice"><defs><clipPath id="land"><path clip-rule="evenodd" d="{drawn}"/>'
        f'</clipPath></defs><rect x="{left:.0f}" y="{top:.0f}" width="100%" height="100%" fill="{colours["sea"]}"/>'
        f'<path fill-rule="evenodd" fill="{colours["land"]}" d="{drawn}"/>'
        f'<g clip-path="url(#land)">{"".join(lands)}'
        f'<path fill="none" stroke="{colours["ink"]}" stroke-width="1.6" d="{fronts}"/></g>'
        f'<path fill="none" stroke="{colours["coast"]}" stroke-width=".9" d="{drawn}"/>{"".join(specks)}</svg>'
    )


def _parted(by: dict[str, str], a: str, b: str) -> bool:
    """Whether the land of one power ends between two hexes of land."""
    return a in by and b in by and by[a] != by[b]


@cache
def _frame(one: maps.Board) -> tuple[float, float, float, float]:
    """The part of the plane on which the board's land lies."""
    at = [centre(h.at) for h in one if h.is_land]
    left, top = (min(point[i] for point in at) - 1 for i in (0, 1))
    right, bottom = (max(point[i] for point in at) + 1 for i in (0, 1))
    return left * SIZE, top * SIZE, (right - left) * SIZE, (bottom - top) * SIZE


@cache
def _coast(one: maps.Board) -> str:
    """The coast as one path, without the islets that a stamp cannot show."""
    rings = []
    for ring in coast.rings(one):
        kept = [ring[0]]
        for point in ring[1:]:
            if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > FINE:
                kept.append(point)
        if len(kept) > 3:
            rings.append(_ring(kept))
    return "".join(rings)


@cache
def _out_of_sight(one: maps.Board) -> frozenset[str]:
    """The land hexes whose land is too small to be drawn: they show as specks."""
    return frozenset(
        h.id for h in one if h.is_land and not any(coast.is_land(one, p) for p in (centre(h.at), *corners(h.at)))
    )


def _at(point: Point) -> str:
    return f"{point[0] * SIZE:.0f} {point[1] * SIZE:.0f}"


def _ring(points: list[Point]) -> str:
    return _line(points) + "Z"


def _line(points: list[Point]) -> str:
    return "M" + "L".join(_at(point) for point in points)


def _dot(point: Point) -> str:
    return f"M{_at(point)}m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0"
