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
from warcabinet.kernel.kept import lasting
from warcabinet.model.keys import Place
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import INA, home_hexes
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import neighbours
from warcabinet.rules.common.presence import Presence, barred
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
    """The clause of a country's own chapter that has this number: `23` is 71.23 for Australia, nothing for others."""
    return f"{BOXED[country].chapter}.{number}" if country in BOXED else ""


def box_of(country: str) -> Place:
    """A country's box as a place."""
    return Place(box_key(BOXED[country].box))


@lasting
def country_in(place: str) -> str:
    """The country whose box a place is, if it is one of the two."""
    return next((country for country in BOXED if box_of(country) == place_key(place)), "")


@definition("71.53", "A country has surrendered to Japan, for good", also=("72.53",))
def has_surrendered(s: State, country: str) -> bool:
    return s.countries[country].status != "commonwealth"


#: The outback hexes, all on the southern edge of the Pacific board (71.81).
OUTBACK = frozenset(board_areas()["outback"].keys)


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
        found += sum(it.factors for it in s.pieces.among(OUTBACK) if it.branch == "ground" and it.nation in nations)
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


# -- the outback --------------------------------------------------------------------------------------------------

MIDDLE = frozenset(f"pacific/NN{number}" for number in range(18, 22))


@definition("71.81", "Ground units, supply and attacks do not pass the side between two adjacent hexes")
def outback_side(s: State, one: str, other: str) -> bool:
    a, b = place_key(one), place_key(other)
    if b not in neighbours(a):
        return False
    if reading_in_force(s, "R-0084") == "c" and MIDDLE & {a, b}:
        return True
    return pacific().side(a.partition("/")[2], b.partition("/")[2]) == "outback" if {a, b} <= OUTBACK else False


def _over_one_side(s: State, it: Presence) -> bool:
    """Whether ground units march or attack from one hex of the outback or beside it to another; reports name no way."""
    if not it.at.startswith("pacific/") or not OUTBACK & {it.origin, it.at} or (it.reported and it.act == "enter"):
        return False
    return it.cmd.branch == "ground" if it.act == "attack" else it.brings("ground")


@barred("71.81", acts=("enter", "attack"), when=_over_one_side, final=True)
def not_through_the_outback(s: State, it: Presence) -> str | None:
    """No ground unit moves, is redeployed or attacks over an all-outback hexside."""
    if not it.origin or not outback_side(s, it.origin, it.at):
        return None
    told = f"the side between {it.origin} and {it.at} is all outback"
    return f"{told}: go round by other hexes" if it.act == "enter" else f"{told}: nobody fights over it"


# -- New Zealand --------------------------------------------------------------------------------------------------


@value("71.91", "Units of a kind that are New Zealand's among the Australian ones; they are Australian for all else")
def new_zealand_units(s: State, unit: str) -> int:
    return 2 if unit == "infantry 1-2" else 0
