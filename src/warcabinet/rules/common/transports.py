"""The Western Allied transports of each ocean: how many there are, and how many carry nothing yet (40.221, R-0433)."""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.kernel.why import note
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State, total
from warcabinet.rules.kinds import value

WEST = ("usa", "britain", "france")
#: The boxes of each ocean; else its ports are those of a board.
BOXES_OF = {
    "atlantic": ("atlantic_us", "atlantic_sw"),
    "pacific": ("pacific_us",),
    "indian_ocean": ("south_africa", "india_box", "australia_box", "indian_ocean_sw"),
}


@value("40.221")
def transports_of(s: State, ocean: str) -> int:
    """The transports of an ocean: as they were counted, else those that stand at its ports and boxes (R-0433)."""
    if ocean in s.transports:
        note("counted", "40.221", s.transports[ocean], ocean)
        return s.transports[ocean]
    found = standing_transports(s, ocean)
    for it in found:
        note("transports_at", "40.221", it.count, it.nation, it.place)
    return sum(it.count for it in found)


def keeps_transports(s: State, ocean: str) -> bool:
    """Whether the table keeps an ocean's transports, by a count or on the boards; else it sees to them itself."""
    if ocean in s.transports:
        return True
    return any(it.nation in WEST for it in s.pieces.of_type("transport"))


def _ocean_at(place: str) -> str:
    """The ocean that a transport at a place serves."""
    head, _, id = place.partition("/")
    if head == "box":
        return next((ocean for ocean, known in BOXES_OF.items() if id in known), "")
    return (
        "atlantic" if head == "europe" else "indian_ocean" if by_key(place).country in ("india", "burma") else "pacific"
    )


def standing_transports(s: State, ocean: str, first: tuple[str, ...] = ()) -> list[Stack]:
    """The Western Allied transports that stand where their ocean is, those of some powers first."""
    found = [it for it in s.pieces.of_type("transport") if it.nation in WEST and _ocean_at(it.place) == ocean]
    return sorted(found, key=lambda it: (it.nation not in first, WEST.index(it.nation), it.place))


def free_transports(s: State, ocean: str) -> int:
    """The transports of an ocean that carry nothing yet in this supply determination (R-0431)."""
    used = total(s, "transports used", ocean, "phase")
    if used:
        note("carrying", "", used, ocean)
    return transports_of(s, ocean) - used
