"""India's own: British forces in Asia, Calcutta and Dacca, Colombo, Rangoon, and the colonies beside it (72.15, 72.17,
72.8).
"""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.names import areas, called
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.presence import Presence, barred, unless_excused
from warcabinet.rules.common.waiting import Going, goal_of, nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.common.ways import must_pass
from warcabinet.rules.common.ways import strait as strait_hexes
from warcabinet.rules.commonwealth.boxed import BOXED, JAPAN, box_of
from warcabinet.rules.kinds import definition, limit, value
from warcabinet.rules.minors.voyages import Voyage, strait

# -- British forces in Asia ---------------------------------------------------------------------------------------

#: What Britain keeps in Asia until war with Japan (72.17).
BRITISH_IN_ASIA = {"armor 2-3": 1, "infantry 1-2": 3, "replacement": 2, "army air": 2, "cruiser": 1, "destroyer": 1}


def in_asia(place: str) -> bool:
    """Whether a place is on the Pacific board, or in a box of Australia or India."""
    return place.startswith("pacific/") or place in [box_of(it) for it in BOXED]


@value("72.17", "Units of a kind that Britain must keep in Asia")
def british_garrison_of_asia(s: State, unit: str) -> int:
    return 0 if went_to_war(s, "britain", "japan") else BRITISH_IN_ASIA.get(unit, 0)


def _leaves_asia(s: State, cmd: Going) -> bool:
    """Whether British units leave Asia of their own will; a report of losses is another matter."""
    if nation_of(cmd) != "britain" or not in_asia(origin_of(cmd)) or in_asia(goal_of(cmd)):
        return False
    return not (isinstance(cmd, ReportUnits) and cmd.lost)


@limit("72.17", on=(MoveUnits, ReportMove, ReportUnits), when=_leaves_asia)
def british_stay_in_asia(s: State, cmd: Going) -> str | None:
    """British forces that began the game in Asia remain there until war with Japan."""
    for unit, count in units_going(cmd).items():
        there = sum(it.count for it in s.pieces.of_kind("britain", unit) if in_asia(it.place))
        wanted, left = british_garrison_of_asia(s, unit), there - count
        if left < wanted:
            told = (
                f"{max(0, left)} British {unit} would be left in Asia, where {wanted} must remain until war with Japan"
            )
            return unless_excused(cmd, told) if isinstance(cmd, ReportUnits) else told
    return None


# -- places -------------------------------------------------------------------------------------------------------

COLOMBO = place_key("Colombo")


@definition("72.15B")
def part_of_india(s: State, place: str) -> bool:
    """A place is part of India, as Ceylon with Colombo is; only Calcutta and Dacca have BRPs of their own."""
    key = place_key(place)
    return key == box_of("india") or key in home_hexes("india")


@definition("72.82")
def japan_uses_colombo(s: State) -> bool:
    """Japan may base raiders in Colombo, and has its modifier for submarines in the Indian Ocean SW box."""
    return holder(s, COLOMBO) == JAPAN


@barred(
    "72.82",
    acts=("operate",),
    when=lambda s, it: it.how == "raid" and it.at == COLOMBO and side_of(s, it.nation) == JAPAN,
    final=True,
)
def raiders_from_colombo(s: State, it: Presence) -> str | None:
    """Japanese raiders leave Colombo for the Indian Ocean only while Japan holds it."""
    return None if japan_uses_colombo(s) else "Japan does not control Colombo"


@value("72.83", "The capital by which a British colony in Asia stands and falls: Rangoon for Burma")
def colonial_capital(s: State, colony: str) -> tuple[str, ...]:
    return areas()[colony].places


SINGAPORE = place_key("Singapore")
MALACCA = tuple(f"pacific/{id_}" for id_ in strait_hexes("malacca").hexes)
#: The hex of the Strait that has a coast on the South China Sea as well.
MALAYA_COAST = place_key("Kuala Lumpur")
WESTERN_SEAS = {"bay_of_bengal", "indian_ocean"}


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
