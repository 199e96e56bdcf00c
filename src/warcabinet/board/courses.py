"""The courses of supply lines over land: stretch by stretch, where they run and on which hexes they hang.

A chapter says which hexes a line may use and by which places it goes; here it is traced. What a rule judges, a page
draws and the agenda warns of is so the same line.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from warcabinet.board import supply as board_supply
from warcabinet.board.maps import board
from warcabinet.board.names import places_at
from warcabinet.kernel.why import note


class Stretch(msgspec.Struct, frozen=True):
    """A part of a course: from any of some hexes to any of others, over hexes of a board that it may use (bitmaps)."""

    board: str
    sources: int
    targets: int
    permitted: int


Course = tuple[Stretch, ...]


def stretch(name: str, sources: tuple[str, ...] | int, targets: tuple[str, ...] | int, permitted: int) -> Stretch:
    """A stretch between hexes that are named or given as a bitmap; what lies on another board is no part of it."""
    one = board(name)

    def bits(places: tuple[str, ...] | int) -> int:
        return places if isinstance(places, int) else one.bits(it for it in places if it.startswith(f"{name}/"))

    return Stretch(name, bits(sources), bits(targets), permitted)


# The same as long as who holds what, and where armor stands, does not change what a line may use.
@lru_cache(maxsize=256)
def trace(part: Stretch) -> board_supply.Line:
    return board_supply.trace(board(part.board), part.sources, part.targets, part.permitted)


def runs(course: Course, *about: str, clause: str = "") -> bool:
    """Whether a line runs along the whole course; each stretch is told, and the first that is cut ends it."""
    for part in course:
        found = trace(part)
        told = f"{len(found.path)} hexes" if found else "cut"
        note("line", clause, told, *about, text=", ".join(found.path or found.cut))
        if not found:
            return False
    return True


@lru_cache(maxsize=64)
def hangs_on(course: Course) -> tuple[str, ...]:
    """The hexes of a course whose loss alone would cut it, in the order in which it passes them."""
    found: dict[str, None] = {}
    for part in course:
        one = board(part.board)
        for id in trace(part).path:
            without = msgspec.structs.replace(part, permitted=part.permitted & ~one.bits((id,)))
            if not trace(without):
                found[f"{part.board}/{id}"] = None
    return tuple(found)


def hex_names(keys: tuple[str, ...]) -> str:
    """Hexes in words: the city where there is one, else the hex."""
    return ", ".join(here[0].name if (here := places_at(key)) else key.partition("/")[2] for key in keys)
