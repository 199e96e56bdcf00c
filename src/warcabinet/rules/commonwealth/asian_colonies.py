"""British colonies in Asia: from when they count, and the Strait of Malacca, which Singapore controls (74)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.board.maps import by_key
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.names import called
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import BY_SEA
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.straits import strait
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.timing import counted_in_level
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.operations import activity_of, sails

# Calcutta and Dacca are British colonies as far as BRPs go (72.15A).
COLONIES = ("burma", "calcutta", "dacca", "hong_kong", "malaya", "sarawak", "singapore")
SINGAPORE = place_key("Singapore")
MALACCA = tuple(f"pacific/{id_}" for id_ in strait("malacca").hexes)
#: The hex of the Strait that has a coast on the South China Sea as well.
MALAYA_COAST = place_key("Kuala Lumpur")
WESTERN_SEAS = {"bay_of_bengal", "indian_ocean"}


@definition(
    "74.21",
    "Britain's Asian colonies enter its BRP level in the 1940 year start (R-0082)",
    displaces=counted_in_level,
    when=lambda s, power, area: (
        power == "britain"
        and area in COLONIES
        and s.turn < calendar.turn_number(calendar.SPRING, 1940)
        and reading_in_force(s, "R-0082") == "a"
    ),
)
def not_before_1940(s: State, power: str, area: str) -> bool:
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


def _passes(s: State, origin: str, to: str, through: str) -> bool:
    if origin and to and reading_in_force(s, "R-0741") == "a" and into_malacca(origin, to):
        return True
    return through == "strait of malacca"


def _shut(s: State, nation: str) -> str | None:
    if malacca_open(s, nation):
        return None
    held_by = called(holder(s, SINGAPORE))
    return f"the Strait of Malacca (DD11, EE10) is shut to {called(nation)}: Singapore is held by {held_by}"


def _invades_singapore(to: str, activity: str) -> bool:
    return to == SINGAPORE and activity == "seaborne invasion"


@limit(
    "74.31",
    "Nobody sails through the Strait of Malacca without Singapore, save to invade it from the west",
    on=MoveUnits,
    when=lambda s, cmd: (
        (cmd.how in BY_SEA or parse_unit(cmd.unit)[0].branch == "naval")
        and _passes(s, place_key(cmd.from_), place_key(cmd.to), cmd.through)
    ),
)
def moves_by_malacca(s: State, cmd: MoveUnits) -> str | None:
    if _invades_singapore(place_key(cmd.to), cmd.how):
        return None
    return _shut(s, cmd.nation)


@limit(
    "74.31",
    "Reported ships have not gone into or out of a Strait of Malacca that is shut",
    on=ReportMove,
    when=lambda s, cmd: (
        any(parse_unit(unit)[0].branch == "naval" for unit in counted(cmd.units))
        and _passes(s, place_key(cmd.origin), place_key(cmd.to), "")
    ),
)
def ships_moved_by_malacca(s: State, cmd: ReportMove) -> str | None:
    return _shut(s, cmd.power)


def _operates_there(s: State, cmd: ReportOperation) -> bool:
    origin, at = (place_key(it) if it else "" for it in (cmd.origin, cmd.at))
    if cmd.branch == "ground" and not (origin and at and sails(cmd)):
        return False
    return cmd.branch != "air" and _passes(s, origin, at, cmd.through)


@limit(
    "74.31",
    "No naval activity, sea supply or submarine leads through the Strait of Malacca without Singapore",
    on=ReportOperation,
    when=_operates_there,
)
def operates_by_malacca(s: State, cmd: ReportOperation) -> str | None:
    if cmd.at and _invades_singapore(place_key(cmd.at), activity_of(cmd)):
        return None
    refusal = _shut(s, cmd.nation)
    return unless_excused(cmd, refusal) if refusal else None


@tells_of(SINGAPORE, *MALACCA, "singapore", "malaya", "sumatra")
def malacca_now(s: State) -> Iterator[Told]:
    held_by = called(holder(s, SINGAPORE))
    told = "whoever controls Singapore alone sails, supplies and redeploys through the Strait of Malacca"
    yield Told("74.31", f"{told}: now {held_by}; Singapore itself may be invaded through it from the west")


@tells_of(*COLONIES)
def counted_since_1940(s: State) -> Iterator[Told]:
    if not counted_in_level(s, "britain", "burma"):
        yield Told("74.21", "Britain counts its BRPs from the 1940 year start on; lost before, it costs nothing")
