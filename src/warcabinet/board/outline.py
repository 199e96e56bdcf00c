"""Lines round and between sets of hexes, chained so that a dash pattern runs on without a break."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from warcabinet.board import hexes
from warcabinet.board.maps import Board, Hex

Point = tuple[float, float]
Chain = list[Point]


def _corner(point: Point) -> Point:
    return round(point[0], 4), round(point[1], 4)


def side_ends(a: Hex, direction: int) -> tuple[Point, Point]:
    """The two corners of one side of a hex."""
    ring = hexes.corners(a.at)
    return _corner(ring[direction]), _corner(ring[(direction + 1) % 6])


def around(board: Board, ids: Iterable[str]) -> list[Chain]:
    """The closed outlines of a set of hexes, holes included."""
    inside = {board[id_].at for id_ in ids}
    edges = []
    for at in inside:
        for i, beside in enumerate(hexes.neighbours(at)):
            if beside not in inside:
                edges.append(side_ends(board.by_axial[at], i))
    return chains(edges)


def between(board: Board, parted: Callable[[Hex, Hex], bool]) -> list[Chain]:
    """The lines along all sides for which the question is answered yes."""
    edges = []
    for h in board:
        for i, at in enumerate(hexes.neighbours(h.at)):
            other = board.by_axial.get(at)
            if other is not None and h.at < at and parted(h, other):
                edges.append(side_ends(h, i))
    return chains(edges)


def chains(edges: Iterable[tuple[Point, Point]]) -> list[Chain]:
    """Join edges end to end; a closed line repeats its first point."""
    links: dict[Point, list[Point]] = {}
    for a, b in edges:
        links.setdefault(a, []).append(b)
        links.setdefault(b, []).append(a)
    found = []
    # Lines with loose ends first, so that what remains is closed.
    ends = sorted(p for p, others in links.items() if len(others) % 2)
    for start in ends + sorted(links):
        while links.get(start):
            found.append(_follow(links, start))
    return found


def _follow(links: dict[Point, list[Point]], start: Point) -> Chain:
    chain = [start]
    while links.get(chain[-1]):
        here = chain[-1]
        # Three countries may meet at a corner; go on as straight as the hexes allow.
        there = min(links[here])
        links[here].remove(there)
        links[there].remove(here)
        chain.append(there)
        if there == start:
            break
    return chain
