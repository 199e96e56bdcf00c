"""Where units that make way in a capital are not put: into a neutral, on peaceful soil, among enemies (82.41, 82.56).

The hex is of their power's choosing (82.56), but it is no way into a country that is closed to them otherwise.
"""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import Displace, ReportUnits
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import capital
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import armed_units_at, land_beside
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.forces_of_minors import set_up_anew
from warcabinet.rules.minors.making_way import intruders, intruders_of, to_be_cleared
from warcabinet.rules.minors.stacking import enemies, may_stack


def _beside(s: State, cmd: Displace) -> bool:
    """Whether they go to a hex beside the capital at all, which 82.56 asks."""
    seat = capital(cmd.country)
    return bool(seat) and place_key(cmd.to) in land_beside(seat)


@limit("84.45B", "Displaced units are not put among units of an enemy", on=Displace, when=_beside)
def displaced_apart_from_enemies(s: State, cmd: Displace) -> str | None:
    there = [it.nation for it in armed_units_at(s, place_key(cmd.to)) if it.branch != "partisan"]
    if set_up_anew(s, cmd.country):
        there = [it for it in there if it != cmd.country]  # they leave their hexes to be set up after this (82.52)
    for stack in intruders_of(s, cmd.country, cmd.by):
        # To all who make way the country's own units are enemies, even if only an ally of theirs declared war on it.
        enemy = next((it for it in there if it == cmd.country or _fight(s, stack.nation, it)), "")
        if enemy:
            return f"units of {called(enemy)}, an enemy, stand at {cmd.to}"
    return None


def _fight(s: State, nation: str, other: str) -> bool:
    """Whether two nations are on different sides, and fight each other."""
    return not may_stack(s, nation, other) and enemies(s, nation, other)


def _leaving(cmd: ReportMove | ReportLoss | ReportUnits) -> tuple[str, str]:
    """The nation whose ground units are reported to leave a place, and the place."""
    if isinstance(cmd, ReportUnits):
        ground = cmd.count < 0 and parse_unit(cmd.unit)[0].branch == "ground"
        return (cmd.nation, place_key(cmd.at)) if ground else ("", "")
    ground = any(parse_unit(it)[0].branch == "ground" for it in counted(cmd.units))
    origin = cmd.origin if isinstance(cmd, ReportMove) else cmd.at
    return (cmd.power, place_key(origin)) if ground else ("", "")


@limit(
    "82.56",
    "Units that must make way in a capital are placed beside it, not reported elsewhere or lost",
    on=(ReportMove, ReportLoss, ReportUnits),
    when=lambda s, cmd: bool(to_be_cleared(s)),
)
def displaced_by_order(s: State, cmd: ReportMove | ReportLoss | ReportUnits) -> str | None:
    nation, place = _leaving(cmd)
    for country in to_be_cleared(s):
        if place == capital(country) and any(it.nation == nation for it in intruders(s, country)):
            return unless_excused(cmd, f"they make way in the capital of {countries()[country].name}: displace")
    return None
