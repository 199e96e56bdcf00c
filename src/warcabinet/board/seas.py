"""Sea areas, ports and the narrow passages between the seas.

Seas that open into each other form a basin. From one basin to another ships pass only through a passage, and it is
for the rules to say whether that is open: the board lists the hexes a side must control (`Passage.needs`).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

import msgspec

from warcabinet.board import rows
from warcabinet.board.maps import Board, Hex
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import lasting


class Passage(msgspec.Struct, frozen=True):
    """A strait or canal that joins two seas."""

    id: str
    name: str
    hexes: tuple[str, ...]
    seas: tuple[str, str]
    #: Hexes that must be in friendly (for some: or neutral) hands before ships may pass.
    needs: tuple[str, ...]
    source: str


@lasting
def seas(one: Board) -> dict[str, rows.SeaRow]:
    """The sea areas of a board by id."""
    return {row.id: row for row in rows.table("seas", rows.SeaRow) if row.board == one.name}


@lasting
def passages(one: Board) -> dict[str, Passage]:
    """The passages of a board by id."""
    found = {}
    for row in rows.table("passages", rows.PassageRow):
        if row.board == one.name:
            ends = (row.sea_a, row.sea_b)
            found[row.id] = Passage(row.id, row.name, rows.parts(row.hexes), ends, rows.parts(row.needs), row.source)
    return found


@lasting
def basins(one: Board) -> dict[str, int]:
    """The hexes of each basin as a bitmap; a hex between two seas belongs to both."""
    found: dict[str, int] = {}
    for h in one:
        for name in h.seas:
            basin = seas(one)[name].basin
            found[basin] = found.get(basin, 0) | 1 << one.bit[h.id]
    return found


def basins_at(one: Board, at: Hex) -> tuple[str, ...]:
    """The basins whose water reaches a hex."""
    return tuple(dict.fromkeys(seas(one)[name].basin for name in at.seas))


def sea_hexes(one: Board, sea: str) -> tuple[str, ...]:
    """All hexes that touch a sea, coasts included."""
    if sea not in seas(one):
        raise unknown("sea", sea, seas(one))
    return tuple(h.id for h in one if sea in h.seas)


def ports(one: Board) -> dict[str, str]:
    """Every port of a board with its hex."""
    where = {row.name: row.hex for row in rows.table("places", rows.PlaceRow) if row.board == one.name}
    named = [row.place for row in rows.table("roles", rows.RoleRow) if row.role == "port"]
    return {name: where[name] for name in named if name in where}


def sail(one: Board, start: str, open_passages: Collection[str] = ()) -> int:
    """All hexes that ships from a hex can reach when only the given passages are open, as a bitmap."""
    return _sail(one, start, tuple(open_passages))


@lru_cache(maxsize=256)
def _sail(one: Board, start: str, open_passages: tuple[str, ...]) -> int:
    """Where water leads is the board's affair alone: it is looked for once for each start and passages."""
    for name in open_passages:
        if name not in passages(one):
            raise unknown("passage", name, passages(one))
    origin = one[start]
    if not origin.seas:
        raise WarCabinetError(f"{origin.key} has no water; ships start from a sea or a coastal hex")
    water = _open_water(one, open_passages)
    reached = dict.fromkeys(water, 0)
    todo = [(basin, one.bits((start,))) for basin in basins_at(one, origin)]
    while todo:
        basin, front = todo.pop()
        front &= water[basin] | one.bits((start,))
        while front := front & ~reached[basin]:
            reached[basin] |= front
            todo.extend(_through(one, basin, front, open_passages))
            front = one.spread(front, one.naval_sides) & water[basin]
    total = 0
    for bits in reached.values():
        total |= bits
    return total


def _open_water(one: Board, open_passages: Collection[str]) -> dict[str, int]:
    """Basins less the hexes of a shut passage whose two ends lie in the same basin (Malacca)."""
    water = dict(basins(one))
    for passage in passages(one).values():
        ends = {seas(one)[sea].basin for sea in passage.seas}
        if passage.id not in open_passages and len(ends) == 1:
            water[ends.pop()] &= ~one.bits(passage.hexes)
    return water


def _through(one: Board, basin: str, front: int, open_passages: Collection[str]) -> list[tuple[str, int]]:
    found = []
    for name in open_passages:
        passage = passages(one)[name]
        ends = {seas(one)[sea].basin for sea in passage.seas}
        if basin in ends and len(ends) == 2 and front & one.bits(passage.hexes):
            (other,) = ends - {basin}
            found.append((other, one.bits(passage.hexes) & basins(one)[other]))
    return found
