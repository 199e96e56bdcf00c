"""What is India's own: British forces in Asia, Calcutta and Dacca, Colombo, Rangoon (72.15, 72.17, 72.8)."""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.names import areas
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.departures import Going, goal_of, nation_of, origin_of, units_going
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.commonwealth.boxed import BOXED, JAPAN, box_of
from warcabinet.rules.kinds import definition, limit, value

# -- British forces in Asia ---------------------------------------------------------------------------------------

#: What Britain keeps in Asia until war with Japan (72.17).
BRITISH_IN_ASIA = {"armor 2-3": 1, "infantry 1-2": 3, "replacement": 2, "army air": 2, "cruiser": 1, "destroyer": 1}


def in_asia(place: str) -> bool:
    """Whether a place is on the Pacific board, or in a box of Australia or India."""
    return place.startswith("pacific/") or place in map(box_of, BOXED)


@value("72.17", "Units of a kind that Britain must keep in Asia")
def british_garrison_of_asia(s: State, unit: str) -> int:
    return 0 if went_to_war(s, "britain", "japan") else BRITISH_IN_ASIA.get(unit, 0)


def _left_in_asia(s: State, unit: str) -> int:
    return sum(it.count for it in s.pieces.of_kind("britain", unit) if in_asia(it.place))


def _leaves_asia(s: State, cmd: Going) -> bool:
    """Whether British units leave Asia of their own will; a report of losses is another matter."""
    if nation_of(cmd) != "britain" or not in_asia(origin_of(cmd)) or in_asia(goal_of(cmd)):
        return False
    return not (isinstance(cmd, ReportUnits) and cmd.lost)


@limit("72.17", on=(MoveUnits, ReportMove, ReportUnits), when=_leaves_asia)
def british_stay_in_asia(s: State, cmd: Going) -> str | None:
    """British forces that began the game in Asia remain there until war with Japan."""
    for unit, count in units_going(cmd).items():
        wanted, left = british_garrison_of_asia(s, unit), _left_in_asia(s, unit) - count
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


@limit(
    "72.82",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission == "raid"
        and bool(cmd.origin)
        and place_key(cmd.origin) == COLOMBO
        and side_of(s, cmd.nation) == JAPAN
    ),
)
def raiders_from_colombo(s: State, cmd: ReportOperation) -> str | None:
    """Japanese raiders leave Colombo for the Indian Ocean only while Japan holds it."""
    return None if japan_uses_colombo(s) else "Japan does not control Colombo"


@value("72.83", "The capital by which a British colony in Asia stands and falls: Rangoon for Burma")
def colonial_capital(s: State, colony: str) -> tuple[str, ...]:
    return areas()[colony].places
