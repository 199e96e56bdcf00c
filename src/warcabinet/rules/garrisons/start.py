"""With what the two garrisons begin a scenario, where a table sets its forces up (81.31, 81.41)."""

from __future__ import annotations

from warcabinet.model import calendar
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.state import State
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import units_of_kind
from warcabinet.rules.garrisons.counting import AIR, MANCHURIA, SIBERIA, TYPES, counters_in, garrison_factors
from warcabinet.rules.garrisons.departures import joins_garrison
from warcabinet.rules.garrisons.levels import (
    MANDATORY,
    infantry_for_armor,
    japanese_factors,
    lacked_at_start,
    manchurian_level,
    prequel,
    siberian_start,
)
from warcabinet.rules.kinds import limit, value

#: The units that stand in Manchuria as a classic game begins.
CLASSIC = {"armor 2-3": 2, "armor 1-3": 2, "infantry 3-2": 3, "infantry 2-2": 3, "infantry 1-2": 3, AIR: 5}


def _setting_up(s: State) -> bool:
    """Whether the first turn has not begun, in a game that sets its forces up."""
    first = s.turn == calendar.parse_turn(s.options.start) and s.step == calendar.first_step("axis")
    return first and s.options.set_up == "ordered" and s.options.scope != "europe"


def _on_boards(s: State, nation: str, unit: str) -> int:
    return sum(it.count for it in units_of_kind(s, nation, unit))


@value("81.31", "Factors of a type that Japan must set up in Manchuria: as many as it lacks nowhere")
def manchurian_start(s: State, unit_type: str) -> int:
    needed = manchurian_level(s, unit_type) - lacked_at_start(s, unit_type)
    if unit_type == "infantry":
        needed += infantry_for_armor(s)
    return needed


@limit("81.31", on=Advance, when=lambda s, cmd: prequel(s) and _setting_up(s))
def manchuria_is_set_up(s: State, cmd: Advance) -> str | None:
    """Japan begins with 45 BRPs of units in Manchuria: six armor, 18 infantry and five army air factors, if it has
    them.
    """
    for kind in TYPES:
        needed, there = manchurian_start(s, kind), garrison_factors(s, MANCHURIA, kind)
        if there < needed <= japanese_factors(s, kind):
            return f"Japan sets up {needed} factors of {kind} in Manchuria, {there} stand there"
    return None


@limit("81.31C", on=Advance, when=lambda s, cmd: not prequel(s) and _setting_up(s), also=("81.31", "81.31C(2)"))
def manchuria_is_set_up_exactly(s: State, cmd: Advance) -> str | None:
    """In a classic game exactly the units that are named stand in Manchuria at the start."""
    for unit, count in CLASSIC.items():
        there = counters_in(s, MANCHURIA, unit)
        if there < count <= _on_boards(s, "japan", unit):
            return f"Japan sets up {count} {unit} in Manchuria, {there} stand there"
    return None


@limit("81.41A", on=Advance, when=lambda s, cmd: _setting_up(s), also=("81.41F",))
def siberia_is_set_up(s: State, cmd: Advance) -> str | None:
    """Siberia starts with the units that Russia's military counters give, and no others."""
    for unit in MANDATORY:
        starts, there = siberian_start(s, unit), counters_in(s, SIBERIA, unit)
        if there > starts or there < starts <= _on_boards(s, "russia", unit):
            return f"{starts} {unit} start in Siberia, Mongolia and Tannu Tuva; {there} stand there"
    return None


@limit(
    "81.41A", on=ReportUnits, when=lambda s, cmd: _setting_up(s) and joins_garrison(s, cmd, SIBERIA), also=("81.41F",)
)
def nothing_more_at_start(s: State, cmd: ReportUnits) -> str | None:
    """Before play begins no Russian units are reported in Siberia but those that start there."""
    starts = siberian_start(s, cmd.unit)
    if counters_in(s, SIBERIA, cmd.unit) + cmd.count <= starts:
        return None
    return unless_excused(cmd, f"{starts} {cmd.unit} start in Siberia, no more")
