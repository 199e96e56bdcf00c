"""Reports of units in the Australia and India boxes: how they came and went is ordered, not reported (71.22, 71.23)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import counted
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.commonwealth.boxed import (
    JAPAN,
    clause,
    country_in,
    has_surrendered,
)
from warcabinet.rules.commonwealth.passing_into_boxes import IN_MOVEMENT, branch_of
from warcabinet.rules.kinds import limit


def _in_or_out(cmd: ReportMove) -> str:
    """The country whose box a report says that units went to or from, if any."""
    return country_in(cmd.to) or country_in(cmd.origin)


@limit(
    "71.221A",
    "Units that enter a box are ordered to, so that it can be seen how",
    on=ReportMove,
    also=("72.221A", "71.23", "72.23"),
    when=lambda s, cmd: bool(_in_or_out(cmd)) and place_key(cmd.to) != place_key(cmd.origin),
)
def box_by_order(s: State, cmd: ReportMove) -> Refusal | None:
    country = _in_or_out(cmd)
    into = country_in(cmd.to) == country
    branches = [branch_of(unit) for unit in counted(cmd.units)]
    number = IN_MOVEMENT[branches[0]][0] if into and branches else "23"
    told = "units enter" if into else "units leave"
    return Refusal(clause(country, number), f"{told} the {called(country)} box by the order move, which says how")


def _appears(s: State, cmd: ReportUnits) -> bool:
    return bool(country_in(cmd.at)) and cmd.count > 0


@limit(
    "71.224",
    "Japanese units are not reported in the Australia or India box",
    on=ReportUnits,
    also=("72.224",),
    when=lambda s, cmd: _appears(s, cmd) and side_of(s, cmd.nation) == JAPAN,
)
def japan_not_reported_in_box(s: State, cmd: ReportUnits) -> Refusal | None:
    country = country_in(cmd.at)
    return Refusal(clause(country, "224"), f"Japanese units do not enter the {called(country)} box")


@limit(
    "71.51C",
    "After a country has surrendered no Western Allied units are reported in its box",
    on=ReportUnits,
    also=("72.51C",),
    when=lambda s, cmd: _appears(s, cmd) and has_surrendered(s, country_in(cmd.at)),
)
def none_reported_after_surrender(s: State, cmd: ReportUnits) -> Refusal | None:
    country = country_in(cmd.at)
    return Refusal(clause(country, "51C"), f"{called(country)} has surrendered: nobody's units stand in its box")


def _set_up(s: State) -> bool:
    """Whether the game is in its first turn, when units come on the map."""
    return s.turn <= calendar.parse_turn(s.options.start)


@limit(
    "71.221A",
    "Western Allied units come into a box by an order, once the game is under way",
    on=ReportUnits,
    also=("72.221A",),
    when=lambda s, cmd: _appears(s, cmd) and not _set_up(s) and cmd.nation not in COMMONWEALTH,
)
def appears_in_box_by_order(s: State, cmd: ReportUnits) -> Refusal | None:
    country = country_in(cmd.at)
    if side_of(s, cmd.nation) == JAPAN:
        return None  # refused already
    told = f"units enter the {called(country)} box by the order move, which says how"
    text = unless_excused(cmd, told)
    return Refusal(clause(country, IN_MOVEMENT[branch_of(cmd.unit)][0]), text) if text else None


@limit(
    "71.23",
    "Units that leave a box are ordered to",
    on=ReportUnits,
    also=("72.23",),
    when=lambda s, cmd: bool(country_in(cmd.at)) and cmd.count < 0 and not cmd.lost,
)
def leaves_box_by_order(s: State, cmd: ReportUnits) -> Refusal | None:
    country = country_in(cmd.at)
    told = f"units leave the {called(country)} box by the order move, which says how"
    text = unless_excused(cmd, told)
    return Refusal(clause(country, "23"), text) if text else None
