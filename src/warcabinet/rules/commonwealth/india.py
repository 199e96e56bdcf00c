"""What is India's own: British forces in Asia, Calcutta and Dacca, Colombo, Rangoon (72.15, 72.17, 72.8)."""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.names import areas
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.model.unit_lists import counted
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.commonwealth.boxed import JAPAN, box_of, country_in
from warcabinet.rules.kinds import definition, limit, value

# -- British forces in Asia ---------------------------------------------------------------------------------------

#: What Britain keeps in Asia until war with Japan (72.17).
BRITISH_IN_ASIA = {
    "armor 2-3": 1,
    "infantry 1-2": 3,
    "replacement": 2,
    "army air": 2,
    "cruiser": 1,
    "destroyer": 1,
}


def in_asia(place: str) -> bool:
    """Whether a place is on the Pacific board, or in a box of Australia or India."""
    return place.startswith("pacific/") or bool(country_in(place))


@value("72.17", "Units of a kind that Britain must keep in Asia")
def british_garrison_of_asia(s: State, unit: str) -> int:
    return 0 if went_to_war(s, "britain", "japan") else BRITISH_IN_ASIA.get(unit, 0)


def _left_in_asia(s: State, unit: str) -> int:
    return sum(it.count for it in s.pieces.of_kind("britain", unit) if in_asia(it.place))


def _short_of(s: State, unit: str, count: int) -> str | None:
    wanted, left = british_garrison_of_asia(s, unit), _left_in_asia(s, unit) - count
    if left >= wanted:
        return None
    return f"{max(0, left)} British {unit} would be left in Asia, where {wanted} must remain until war with Japan"


@limit(
    "72.17",
    "British forces that began the game in Asia remain there until war with Japan",
    on=MoveUnits,
    when=lambda s, cmd: cmd.nation == "britain" and in_asia(place_key(cmd.from_)) and not in_asia(place_key(cmd.to)),
)
def british_stay_in_asia(s: State, cmd: MoveUnits) -> str | None:
    return _short_of(s, cmd.unit, cmd.count)


@limit(
    "72.17",
    "Until war with Japan British forces that began in Asia are not reported to have left it",
    on=ReportMove,
    when=lambda s, cmd: cmd.power == "britain" and in_asia(place_key(cmd.origin)) and not in_asia(place_key(cmd.to)),
)
def british_reported_in_asia(s: State, cmd: ReportMove) -> str | None:
    found = (_short_of(s, unit, count) for unit, count in counted(cmd.units).items())
    return next((it for it in found if it), None)


@limit(
    "72.17",
    "Until war with Japan British forces that began in Asia are not reported gone, unless they were lost",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == "britain" and in_asia(place_key(cmd.at)) and cmd.count < 0 and not cmd.lost,
)
def british_not_gone_from_asia(s: State, cmd: ReportUnits) -> str | None:
    return unless_excused(cmd, _short_of(s, cmd.unit, -cmd.count))


# -- places -------------------------------------------------------------------------------------------------------

COLOMBO = place_key("Colombo")


@definition(
    "72.15B", "A place is part of India, as Ceylon with Colombo is; only Calcutta and Dacca have BRPs of their own"
)
def part_of_india(s: State, place: str) -> bool:
    key = place_key(place)
    return key == box_of("india") or key in home_hexes("india")


@definition(
    "72.82", "Japan may base raiders in Colombo, and has its modifier for submarines in the Indian Ocean SW box"
)
def japan_uses_colombo(s: State) -> bool:
    return holder(s, COLOMBO) == JAPAN


@limit(
    "72.82",
    "Japanese raiders leave Colombo for the Indian Ocean only while Japan holds it",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.mission == "raid"
        and bool(cmd.origin)
        and place_key(cmd.origin) == COLOMBO
        and side_of(s, cmd.nation) == JAPAN
    ),
)
def raiders_from_colombo(s: State, cmd: ReportOperation) -> str | None:
    return None if japan_uses_colombo(s) else "Japan does not control Colombo"


@value("72.83", "The capital by which a British colony in Asia stands and falls: Rangoon for Burma")
def colonial_capital(s: State, colony: str) -> tuple[str, ...]:
    return areas()[colony].places
