"""Mapboard boxes and the hexes by which units, ships and supply pass between them and the boards."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.board import rows
from warcabinet.board.maps import board
from warcabinet.kernel.errors import unknown

#: The ways of passing that a link can allow.
MEANS = (
    "ground",
    "air",
    "supply",
    "naval",
    "sea_supply",
    "sea_transport",
    "naval_redeployment",
    "strategic_redeployment",
    "range",
    "base_change",
    "grant",
)


class Link(msgspec.Struct, frozen=True):
    """Hexes that touch a box, what may pass there, how far off the board it is and under which condition."""

    board: str
    hexes: tuple[str, ...]
    means: tuple[str, ...]
    distance: int
    condition: str
    source: str

    @property
    def keys(self) -> tuple[rows.PlaceKey, ...]:
        return tuple(rows.PlaceKey(f"{self.board}/{id_}") for id_ in self.hexes)


class Box(msgspec.Struct, frozen=True):
    """A box beside the boards."""

    id: str
    name: str
    board: str
    fronts: tuple[str, ...]
    supply: str
    links: tuple[Link, ...]
    source: str

    def hexes(self, means: str | None = None) -> tuple[rows.PlaceKey, ...]:
        """Keys of the hexes that touch the box, at all or by one means; conditions are left to the rule."""
        if means is not None and means not in MEANS:
            raise unknown("means of passing", means, MEANS)
        return _hexes(self.id, means)


@cache
def _hexes(id_: str, means: str | None) -> tuple[rows.PlaceKey, ...]:
    found = [key for link in boxes()[id_].links if means in (None, *link.means) for key in link.keys]
    return tuple(dict.fromkeys(found))


class Route(msgspec.Struct, frozen=True):
    """A way between two boxes that does not touch a board, open in both directions unless a rule says otherwise."""

    ends: frozenset[str]
    means: str
    condition: str
    source: str


@cache
def routes() -> tuple[Route, ...]:
    """All ways between two boxes."""
    found = []
    for row in rows.table("box-routes", rows.RouteRow):
        ends = frozenset(box(id_).id for id_ in (row.box_a, row.box_b))
        found.append(Route(ends, row.means, row.condition, row.source))
    return tuple(found)


def joined(a: str, b: str, means: str) -> bool:
    """Whether two boxes are joined by a means of passing."""
    if means not in MEANS:
        raise unknown("means of passing", means, MEANS)
    ends = frozenset(box(id_).id for id_ in (a, b))
    return any(route.ends == ends and route.means == means for route in routes())


@cache
def boxes() -> dict[str, Box]:
    """All boxes by id."""
    links: dict[str, list[Link]] = {}
    for row in rows.table("box-links", rows.LinkRow):
        ids = tuple(board(row.board)[id_].id for id_ in rows.parts(row.hexes))
        link = Link(row.board, ids, rows.parts(row.means), row.distance, row.condition, row.source)
        links.setdefault(row.box, []).append(link)
    found = {}
    for box in rows.table("boxes", rows.BoxRow):
        mine = tuple(links.pop(box.id, ()))
        found[box.id] = Box(box.id, box.name, box.board, rows.parts(box.front), box.supply, mine, box.source)
    if links:
        raise unknown("box", next(iter(links)), found)
    return found


def box(id_: str) -> Box:
    """A box by id."""
    if id_ not in boxes():
        raise unknown("box", id_, boxes())
    return boxes()[id_]


@cache
def _touching() -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for one in boxes().values():
        for link in one.links:
            for key in link.keys:
                found.setdefault(key, []).extend((one.id, means) for means in link.means)
    return {key: tuple(dict.fromkeys(pairs)) for key, pairs in found.items()}


def touching(key: str, means: str | None = None) -> tuple[str, ...]:
    """The boxes that a hex touches, at all or by one means."""
    return tuple(dict.fromkeys(id_ for id_, how in _touching().get(key, ()) if means in (None, how)))
