"""Commonwealth force pools: units of later dates, and what production adds to them (82.61, 70.14, 71.12, 72.12)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model import calendar
from warcabinet.model.commands.minors import ReportIncrease
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import parse_count, tally
from warcabinet.model.units import unit_factors
from warcabinet.rules.common.alliances import war_between
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.kinds import effect, limit, order, remembered, value
from warcabinet.rules.minors.forces_of_minors import force_table

SPRING_1942 = calendar.turn_number(calendar.SPRING, 1942)
DENOMINATIONS = ("infantry 2-2", "infantry 1-2")


@effect("82.61", also=("70.14B", "70.14C", "71.12B"), when=lambda s: s.player == "allied")
def commonwealth_grows(p: Proceedings) -> None:
    """Commonwealth units of a later date enter their force pool, unbuilt, in the turn that the table names."""
    for row in force_table():
        due = row.since and calendar.parse_turn(row.since) == p.s.turn
        if due and row.nation in COMMONWEALTH and p.s.countries[row.nation].status == "commonwealth":
            p.do(UnitsMoved(row.nation, row.unit, row.count, OUT_OF_PLAY, UNBUILT, f"added in {row.since}"))


@value("82.61", "Infantry factors by which the Australian or Indian pool may be increased at the Japanese war")
def extra_infantry_factors(s: State, country: str) -> int:
    from_1942 = s.turn >= SPRING_1942
    war = war_between(s, "britain", "japan")
    open_now = war is not None or from_1942
    if reading_in_force(s, "R-0064") == "c":
        # Only in the turn in which the Japanese war breaks out, or in Spring 1942 if that comes first.
        open_now = s.turn == min(war.since if war else SPRING_1942, SPRING_1942)
    return 3 if country in ("australia", "india") and open_now else 0


@remembered("82.61", "Units of a kind that production has added to a Commonwealth force pool")
def added_units(s: State, nation: str, unit: str) -> int:
    return 0


def added_factors(s: State, country: str) -> int:
    """Infantry factors added so far, or (R-0064 b) in this player turn."""
    if reading_in_force(s, "R-0064") == "b":
        return total(s, "infantry factors added", country, "player turn")
    return sum(added_units(s, country, unit) * unit_factors(unit) for unit in DENOMINATIONS)


@remembered("71.152C", "By how much production has raised Australia's shipbuilding")
def shipbuilding_increases(s: State) -> int:
    return 0


@order("82.61", "Production increases the Australian or Indian infantry force pool", on=ReportIncrease)
def report_increase(p: Proceedings, cmd: ReportIncrease) -> None:
    for unit, count in tally(map(parse_count, cmd.units)).items():
        added_units.note(p, added_units(p.s, cmd.country, unit) + count, "added by production", cmd.country, unit)
        p.do(Happened(Happening(p.s.moment, "infantry factors added", cmd.country, count * unit_factors(unit))))
        p.do(UnitsMoved(cmd.country, unit, count, OUT_OF_PLAY, UNBUILT, "added by production"))
    if cmd.shipbuilding:
        more = shipbuilding_increases(p.s) + cmd.shipbuilding
        shipbuilding_increases.note(p, more, "added by production")


@limit("82.61", on=ReportIncrease, also=("71.12C", "72.12B"))
def increase_within_three(s: State, cmd: ReportIncrease) -> Refusal | None:
    """The Australian and Indian pools grow by three infantry factors each, in Allied player turns of the Japanese
    war.
    """
    clause = {"australia": "71.12C", "india": "72.12B"}[cmd.country]
    if not cmd.units:
        return None if cmd.shipbuilding else Refusal(clause, "name the units that production adds")
    if not extra_infantry_factors(s, cmd.country):
        return Refusal(clause, "not before Britain and Japan are at war, or Spring 1942")
    if s.player != "allied":
        return Refusal(clause, "this is done in an Allied player turn")
    wanted = tally(map(parse_count, cmd.units))
    wrong = [unit for unit in wanted if unit not in DENOMINATIONS]
    if wrong:
        return Refusal(clause, f"{wrong[0]}: only {' and '.join(DENOMINATIONS)} are added")
    left = extra_infantry_factors(s, cmd.country) - added_factors(s, cmd.country)
    asked = sum(count * unit_factors(unit) for unit, count in wanted.items())
    if asked <= left:
        return None
    return Refusal(clause, f"{asked} infantry factors; {left} may still be added to the pool of {called(cmd.country)}")
