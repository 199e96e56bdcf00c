"""Commonwealth force pools: units of later dates, and what production adds to them (82.61, 70.14, 71.12, 72.12)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Rebuild, ReportIncrease
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.forces import force_table
from warcabinet.model.names import called
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import parse_count, tally, unbuilt_of
from warcabinet.model.units import unit_factors
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import war_between
from warcabinet.rules.kinds import effect, limit, order, remembered, value
from warcabinet.rules.minors.building import branch_of, unit_was_lost

SPRING_1942 = calendar.turn_number(calendar.SPRING, 1942)
DENOMINATIONS = ("infantry 2-2", "infantry 1-2")


@effect("82.61", also=("70.14B", "70.14C", "71.12B"), when=lambda s: s.player == "allied")
def commonwealth_grows(p: Proceedings) -> None:
    """Commonwealth units of a later date enter their force pool, unbuilt, in the turn that the table names.

    Those of dates before the game's start enter it in its first turn.
    """
    first = p.s.turn == calendar.parse_turn(p.s.options.start)
    for row in force_table():
        since = calendar.parse_turn(row.since) if row.since else 0
        due = since == p.s.turn or (since and since < p.s.turn and first and not unbuilt_of(p.s, row.nation, row.unit))
        if due and row.nation in COMMONWEALTH and p.s.countries[row.nation].status == "commonwealth":
            p.do(UnitsMoved(row.nation, row.unit, row.count, OUT_OF_PLAY, UNBUILT, f"added in {row.since}"))


def _added_later(s: State, country: str, unit: str) -> str:
    """The turn in which the first units of a kind enter a Commonwealth force pool, if that is still to come."""
    rows = (it for it in force_table() if (it.nation, it.unit) == (country, unit) and it.since)
    later = (it.since for it in rows if calendar.parse_turn(it.since) > s.turn)
    return next(later, "") if country in COMMONWEALTH else ""


@limit(
    "82.61",
    on=Rebuild,
    displaces=unit_was_lost,
    when=lambda s, cmd: not unbuilt_of(s, cmd.country, cmd.unit) and bool(_added_later(s, cmd.country, cmd.unit)),
    also=("70.14B", "70.14C", "71.12B"),
)
def units_of_later_dates_wait(s: State, cmd: Rebuild) -> Refusal:
    """Commonwealth units of a later date are not built before it."""
    canadian = "70.14C" if branch_of(cmd.unit) == "armor" else "70.14B"
    clause = {"canada": canadian, "australia": "71.12B"}.get(cmd.country, "82.61")
    told = f"{cmd.unit} is added to the force pool in {_added_later(s, cmd.country, cmd.unit)}"
    return Refusal(clause, f"{called(cmd.country)}: {told}")


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
        p.do(Happened(Happening(p.s.moment, "shipbuilding", cmd.country, cmd.shipbuilding)), "36.341A")


@limit("36.341A", on=ReportIncrease, when=lambda s, cmd: cmd.shipbuilding > 0)
def australian_rate_rises_once(s: State, cmd: ReportIncrease) -> Bound:
    """The Australian shipbuilding rate rises by one a turn, as others do."""
    left = 1 - total(s, "shipbuilding", cmd.country, "turn")
    return Bound("shipbuilding", most=max(0, left), text="a rate rises once a turn")


@limit("82.61", on=ReportIncrease, also=("71.12C", "72.12B", "70.14D", "70.24"))
def increase_within_three(s: State, cmd: ReportIncrease) -> Refusal | None:
    """The Australian and Indian pools grow by three infantry factors each, in Allied player turns of the Japanese
    war.
    """
    clause = {"australia": "71.12C", "india": "72.12B", "canada": "70.14D", "south_africa": "70.24"}[cmd.country]
    if cmd.country not in ("australia", "india"):
        return Refusal(clause, f"production adds nothing to {called(cmd.country)}'s forces")
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
