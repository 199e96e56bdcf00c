"""Force pools by the tables of 82.61: partisans that each side may have in a country, and Commonwealth units of later
dates, with what production adds to them (70.14, 71.12, 72.12, 72.93A, 79.42).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.tables import read_csv
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import Build
from warcabinet.model.commands.minors import Rebuild, ReportIncrease, ReportSubversion, ReportUnits
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.forces import force_table
from warcabinet.model.names import DATA, areas, called, countries, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, Stack
from warcabinet.model.places import areas_decided_by, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import counted, parse_count, tally, unbuilt_of
from warcabinet.model.units import parse_unit, unit_factors
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import patron, side_of, units_at, units_in, units_of
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.war_and_peace import at_war, player_of, war_between
from warcabinet.rules.kinds import effect, limit, order, remembered, value
from warcabinet.rules.minors.building import branch_of, unit_was_lost
from warcabinet.rules.minors.geography import land

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


@limit("36.341A", on=ReportIncrease, when=lambda s, cmd: cmd.shipbuilding > 0, also=("71.152C",))
def australian_rate_rises_once(s: State, cmd: ReportIncrease) -> Bound | Refusal:
    """Production adds shipbuilding points in Australia only, one a turn as to other rates."""
    if cmd.country != "australia":
        return Refusal("71.152C", f"{called(cmd.country)} has no shipbuilding that this adds to")
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


class PartisanRow(msgspec.Struct, frozen=True):
    """Partisans that a faction may have in a country: automatically, and at most."""

    nation: str
    side: str
    automatic: int
    most: int
    source: str


@cache
def partisan_table() -> tuple[PartisanRow, ...]:
    return tuple(read_csv(DATA / "partisans.csv", PartisanRow))


@value("82.61", covers=("72.93A",))
def automatic_partisans(s: State, nation: str, side: str) -> int:
    """Partisans that a faction may build in a country without further results; in India two after its subversion."""
    if (nation, side) == ("india", "japan"):
        note("subversion", "72.93A", indian_subversion(s), nation)
        return 2 if indian_subversion(s) else 0
    return sum(row.automatic for row in partisan_table() if (row.nation, row.side) == (nation, side))


@value("82.61", "The most partisans that a faction may ever build in a country")
def most_partisans(s: State, nation: str, side: str) -> int:
    return sum(row.most for row in partisan_table() if (row.nation, row.side) == (nation, side))


@remembered("82.61", "Japan has achieved the Indian subversion production result, as reported", also=("72.93A",))
def indian_subversion(s: State) -> bool:
    return False


@order("82.61", "Indian subversion allows Japan two Indian partisans", on=ReportSubversion, also=("72.93A",))
def report_subversion(p: Proceedings, cmd: ReportSubversion) -> None:
    indian_subversion.note(p, True, "reported as achieved")


@value("82.61", "Communist Chinese partisans: one, and one more each year from 1942 on", also=("79.42",))
def communist_partisans(s: State) -> int:
    return 1 + max(0, calendar.year(s.turn) - 1941)


# -- no more than the table gives ---------------------------------------------------------------------------------


def partisans_in(s: State, nation: str, country: str) -> int:
    """Partisans in a country: of a nation's faction, or all that go under the country's own name."""
    there = (it for it in units_in(s, country) if it.branch == "partisan")
    if nation == country:
        return sum(it.count for it in there if it.nation == country)
    return sum(it.count for it in there if it.nation != country and side_of(s, it.nation) == side_of(s, nation))


def _sides(s: State, nation: str, country: str) -> set[str]:
    """The factions whose lines of the table count: a nation's own, or all of them for the country itself."""
    if nation != country:
        return {side_of(s, nation)}
    return {row.side for row in partisan_table() if row.nation == country}


@value("82.61", "The most partisans that may be reported in a country for a nation")
def partisan_limit(s: State, nation: str, country: str) -> int:
    return sum(most_partisans(s, country, side) for side in _sides(s, nation, country))


@value("82.61", "Partisans that may be reported in a country for a nation without a production result")
def automatic_limit(s: State, nation: str, country: str) -> int:
    return sum(automatic_partisans(s, country, side) for side in _sides(s, nation, country))


@value("82.61", "Partisans that may still rise in a country for a nation by themselves, whatever names others bear")
def automatic_left(s: State, nation: str, country: str) -> int:
    free = {
        side: max(0, automatic_partisans(s, country, side) - _of_side(s, side, country))
        for side in _sides(s, country, country)
    }
    # Partisans under the country's own name may be any side's: they count first for the other sides' lines.
    own_name = min(partisans_in(s, country, country), automatic_limit(s, country, country))
    if nation == country:
        return max(0, sum(free.values()) - own_name)
    mine = free.pop(side_of(s, nation), 0)
    return max(0, mine - max(0, own_name - sum(free.values())))


def _of_side(s: State, side: str, country: str) -> int:
    """Partisans in a country that bear the name of a power or nation of one side."""
    there = (it for it in units_in(s, country) if it.branch == "partisan" and it.nation != country)
    return sum(it.count for it in there if side_of(s, it.nation) == side)


#: A country whose line in the table is empty: neither forces nor partisans.
EMPTY_LINE = "denmark"


@cache
def in_force_table() -> frozenset[str]:
    """The countries that have a line in the tables of minor countries; the Ukraine's partisans are Russia's own."""
    listed = {row.nation for row in force_table()} | {row.nation for row in partisan_table()} | {EMPTY_LINE}
    return frozenset(listed) - {"ukraine"}


def _new_partisans(cmd: ReportUnits) -> bool:
    return parse_unit(cmd.unit)[0].branch == "partisan" and cmd.count > 0


@limit(
    "82.61",
    on=ReportUnits,
    # What rises in the Ukraine is Russia's own.
    when=lambda s, cmd: (
        cmd.nation != "communist_china"
        and _new_partisans(cmd)
        and land(cmd.at)[0] in (countries().keys() | in_force_table()) - {"ukraine"}
    ),
)
def partisans_within_table(s: State, cmd: ReportUnits) -> str | None:
    """No more partisans rise in a country than the force tables allow, and none where it has no line (R-2200)."""
    country = land(cmd.at)[0]
    if country not in in_force_table():
        return unless_excused(cmd, f"{called(country)} has no line in the tables of forces: no partisans rise there")
    most, there = partisan_limit(s, cmd.nation, country), partisans_in(s, cmd.nation, country)
    # Whatever names they bear, together they are no more than the lines of all sides give.
    others = sum(it.count for it in units_in(s, country) if it.branch == "partisan") - there
    most = min(most, partisan_limit(s, country, country) - others)
    told = f"{there + cmd.count} partisans in {called(country)}"
    if there + cmd.count > most:
        return f"{told}; the table allows {max(most, 0)}"
    left = automatic_left(s, cmd.nation, country)
    if cmd.count <= left:
        return None
    note("by_results", "82.61", most, country)
    return unless_excused(cmd, f"{told}; {left} more rise by themselves, up to {most} in all after production results")


@limit(
    "82.61",
    on=(Build, Rebuild),
    when=lambda s, cmd: _partisans_built(cmd) > 0 and land(cmd.at)[0] in countries(),
)
def built_within_table(s: State, cmd: Build | Rebuild) -> str | None:
    """Lost partisans are built again by an order only as far as partisans rise by themselves."""
    country, nation = land(cmd.at)[0], cmd.power if isinstance(cmd, Build) else cmd.country
    # Where and how many the Communist Chinese build, a clause of their own says (79.42).
    if nation == "communist_china" or country == "ukraine":
        return None
    left = automatic_left(s, nation, country)
    if _partisans_built(cmd) <= left:
        return None
    told = f"{left} more partisans rise in {called(country)} by themselves"
    return f"{told}; those of a result are reported with it, or built by build_partisan"


def _partisans_built(cmd: Build | Rebuild) -> int:
    """How many partisans an order builds."""
    units = counted(cmd.units) if isinstance(cmd, Build) else {cmd.unit: 1}
    return sum(count for unit, count in units.items() if parse_unit(unit)[0].branch == "partisan")


@limit(
    "82.61",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == "communist_china" and _new_partisans(cmd),
    also=("79.42",),
)
def communists_within_table(s: State, cmd: ReportUnits) -> str | None:
    """Communist Chinese partisans are one, and one more each year from 1942 on, wherever they rise."""
    there = sum(it.count for it in units_of(s, "communist_china") if it.branch == "partisan")
    most = communist_partisans(s)
    if there + cmd.count <= most:
        return None
    return f"{there + cmd.count} Communist Chinese partisans; the table gives {most} in {calendar.year(s.turn)}"


# -- alone in a capital -------------------------------------------------------------------------------------------


@foresees
def places_with_partisans(s: State) -> Iterator[Foreseen]:
    """Enemy partisans alone where BRPs are decided: that they control the place is for the table to report (R-2280)."""
    for stack in s.pieces.of_type("partisan"):
        held_by = holder(s, stack.place)
        for area in areas_decided_by(stack.place):
            counts = area in countries() or areas()[area].kind == "key area"
            if counts and _alone_among_enemies(s, stack, area, held_by):
                yield _to_be_reported(s, stack.place, area, held_by)


def _alone_among_enemies(s: State, stack: Stack, area: str, held_by: str) -> bool:
    """Whether partisans stand without regular ground units in a place of a power that they fight."""
    if held_by not in powers() or any(it.branch == "ground" for it in units_at(s, stack.place)):
        return False
    # Communist China stands with nobody, and fights Japan as China does.
    leader = "china" if stack.nation == "communist_china" else patron(s, stack.nation)
    if leader:
        return at_war(s, leader, held_by)
    return area in countries() and s.countries[area].status == "conquered"


def _to_be_reported(s: State, place: str, area: str, held_by: str) -> Foreseen:
    where = areas()[area].places[deciding_places(area).index(place)]
    enemy = "britain" if player_of(held_by) == "axis" else "germany"
    when = next_step_of(s, enemy, "end of combat phase")
    text = f"Partisans stand alone in {where}: if they control it, report_control says so"
    clause = "83.11" if area in countries() else "38.21"
    return Foreseen(when, clause, text, held_by, area, f"regular ground units in {where}")
