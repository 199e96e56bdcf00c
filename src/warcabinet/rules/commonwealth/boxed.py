"""Australia and India: two countries that lie mostly in a box beside the Pacific board (71, 72).

Their chapters are near twins: each mechanism is written once, and this table holds in what the two differ.
"""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.board.boxes import box
from warcabinet.board.maps import pacific
from warcabinet.board.names import areas as board_areas
from warcabinet.board.supply import reach
from warcabinet.kernel.lasting import lasting
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import INA, home_hexes
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.ways import box_key, factors, ground_beside, ground_in
from warcabinet.rules.kinds import definition, value

WEST, JAPAN = "western allies", "japan"


class Boxed(msgspec.Struct, frozen=True):
    """What is peculiar to one of the two: its chapter, its box, the edge of the board it touches, whose transports."""

    chapter: str
    box: str
    edge: str
    ocean: str
    #: Whose ground units beside the box cost BRPs and count for a surrender (71.41, 72.41).
    foes: tuple[str, ...]


BOXED = {
    "australia": Boxed("71", "australia_box", "southern edge", "pacific", (JAPAN,)),
    "india": Boxed("72", "india_box", "western edge south of the Himalayas", "indian_ocean", (JAPAN, INA)),
}


def clause(country: str, number: str) -> str:
    """The clause of a country's own chapter that has this number: `23` is 71.23 for Australia."""
    return f"{BOXED[country].chapter}.{number}"


def box_of(country: str) -> str:
    """A country's box as a place."""
    return box_key(BOXED[country].box)


@lasting
def country_in(place: str) -> str:
    """The country whose box a place is, if it is one of the two."""
    return next((country for country in BOXED if box_of(country) == place_key(place)), "")


@definition("71.53", "A country has surrendered to Japan, for good", also=("72.53",))
def has_surrendered(s: State, country: str) -> bool:
    return s.countries[country].status != "commonwealth"


@cache
def outback() -> frozenset[str]:
    """The outback hexes, all on the southern edge of the Pacific board (71.81)."""
    return frozenset(board_areas()["outback"].keys)


@cache
def joined_by_land(country: str) -> frozenset[str]:
    """The hexes of a country from which one comes to its box by land, over no closed side."""
    one = pacific()
    land = one.bits(key for key in home_hexes(country) if key.startswith("pacific/"))
    found = reach(one, box(BOXED[country].box).hexes("ground"), land)
    return frozenset(key for key in home_hexes(country) if one.bits((key,)) & found)


# -- who stands in the box and beside it --------------------------------------------------------------------------


@value("71.41", "Western Allied ground factors in a country's box", also=("72.41",))
def factors_in_box(s: State, country: str) -> int:
    return factors(ground_in(s, BOXED[country].box, WEST))


def _beside(s: State, country: str, nations: tuple[str, ...]) -> int:
    found = factors(ground_beside(s, BOXED[country].box, nations))
    if country == "australia" and reading_in_force(s, "R-0084") == "b":
        found += sum(it.factors for it in s.pieces.among(outback()) if it.branch == "ground" and it.nation in nations)
    return found


@value("71.41", also=("72.41",))
def factors_beside_box(s: State, country: str) -> int:
    """Japanese ground factors beside a country's box; beside India's the Indian National Army counts too (R-0832)."""
    return _beside(s, country, BOXED[country].foes)


@value("71.41", "Enemy ground factors beside a box in excess of the Western Allied ones in it", also=("72.41",))
def excess_beside_box(s: State, country: str) -> int:
    return max(0, factors_beside_box(s, country) - factors_in_box(s, country))


@value("71.23", also=("72.23",))
def factors_that_stay(s: State, country: str) -> int:
    """Western Allied ground factors that must stay in a box: as many as Japanese ones are beside it (R-0065,
    R-0066).
    """
    return _beside(s, country, (JAPAN,))
