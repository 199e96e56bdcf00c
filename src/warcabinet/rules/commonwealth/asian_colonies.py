"""British colonies in Asia: from when they count, and the Strait of Malacca, which Singapore controls (74)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import by_key
from warcabinet.model import calendar
from warcabinet.model.names import called
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.straits import must_pass
from warcabinet.rules.common.straits import strait as strait_hexes
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.timing import counted_in_level
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.voyages import Voyage, strait

# Calcutta and Dacca are British colonies as far as BRPs go (72.15A).
COLONIES = ("burma", "calcutta", "dacca", "hong_kong", "malaya", "sarawak", "singapore")
SINGAPORE = place_key("Singapore")
MALACCA = tuple(f"pacific/{id_}" for id_ in strait_hexes("malacca").hexes)
#: The hex of the Strait that has a coast on the South China Sea as well.
MALAYA_COAST = place_key("Kuala Lumpur")
WESTERN_SEAS = {"bay_of_bengal", "indian_ocean"}


@definition(
    "74.21",
    displaces=counted_in_level,
    when=lambda s, power, area: (
        power == "britain"
        and area in COLONIES
        and s.turn < calendar.turn_number(calendar.SPRING, 1940)
        and reading_in_force(s, "R-0082") == "a"
    ),
)
def not_before_1940(s: State, power: str, area: str) -> bool:
    """Britain's Asian colonies enter its BRP level in the 1940 year start (R-0082)."""
    return False


# -- the Strait of Malacca ----------------------------------------------------------------------------------------


@definition("74.31", "A nation's side controls Singapore, and so the Strait of Malacca")
def malacca_open(s: State, nation: str) -> bool:
    return friendly(s, SINGAPORE, side_of(s, nation))


def _in_the_west(place: str) -> bool:
    """Whether ships there are in the Bay of Bengal or the Indian Ocean, not east of Malaya."""
    if place.startswith("box/"):
        return place == "box/india_box"
    seas = set(by_key(place).seas)
    return bool(seas & WESTERN_SEAS) and "south_china_sea" not in seas


def into_malacca(origin: str, to: str) -> bool:
    """Whether ships go into the Strait, or come out of it, at one of its ends."""
    inside = [it for it in (origin, to) if it in MALACCA]
    if len(inside) != 1:
        return False
    other = to if origin in MALACCA else origin
    return inside[0] != MALAYA_COAST or _in_the_west(other)


def _by_malacca(s: State, it: Voyage) -> bool:
    """Whether a voyage leads into the Strait or through it; Singapore itself may be invaded from the west."""
    # Troops of which only the place is reported may have marched.
    if it.past is not must_pass or (it.to == SINGAPORE and it.how == "seaborne invasion"):
        return False
    inside = it.origin and it.to and reading_in_force(s, "R-0741") == "a" and into_malacca(it.origin, it.to)
    return bool(inside) or it.through == "strait of malacca"


@strait("74.31", passes=_by_malacca)
def malacca_is_shut(s: State, it: Voyage) -> str | None:
    """No ships, nor what they carry or supply, pass the Strait of Malacca without Singapore, save to invade it."""
    if malacca_open(s, it.nation):
        return None
    held_by = called(holder(s, SINGAPORE))
    return f"the Strait of Malacca (DD11, EE10) is shut to {called(it.nation)}: Singapore is held by {held_by}"


@tells_of(SINGAPORE, *MALACCA, "singapore", "malaya", "sumatra")
def malacca_now(s: State) -> Iterator[Told]:
    held_by = called(holder(s, SINGAPORE))
    told = "whoever controls Singapore alone sails, supplies and redeploys through the Strait of Malacca"
    yield Told("74.31", f"{told}: now {held_by}; Singapore itself may be invaded through it from the west")


@tells_of(*COLONIES)
def counted_since_1940(s: State) -> Iterator[Told]:
    if not counted_in_level(s, "britain", "burma"):
        yield Told("74.21", "Britain counts its BRPs from the 1940 year start on; lost before, it costs nothing")
