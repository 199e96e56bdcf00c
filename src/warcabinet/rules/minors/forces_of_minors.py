"""The forces of minor countries: how many, who sets them up, where (82.5, 82.6, 82.92, 84.45A, 85.45A); what enters
force pools later, and the partisans that each side may have in a country (70.14, 71.12, 72.12, 72.93A, 79.42).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import msgspec

from warcabinet.kernel.limits import Bound, Finding, Refusal
from warcabinet.kernel.tables import read_csv
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.forces import Build
from warcabinet.model.commands.minors import Deploy, Rebuild, ReportIncrease, ReportSubversion, ReportUnits
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.forces import force_rows, force_table, unit_names
from warcabinet.model.names import DATA, areas, called, countries, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At, Stack
from warcabinet.model.places import NOWHERE, Place, areas_decided_by, deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened, total
from warcabinet.model.traits import BELONGS, COMMONWEALTH_BOXES, DUTCH, PACIFIC, capital, home_hexes, set_up_hexes
from warcabinet.model.unit_lists import Placement, counted, parse_count, parse_placement, tally, unbuilt, unbuilt_of
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_factors
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of, reading_in_force
from warcabinet.rules.common.pieces import (
    BOUND,
    armed_units_at,
    country_of,
    faction,
    friendly,
    land_beside_home,
    patron,
    place_units,
    said_of,
    side_of,
    units_at,
    units_in,
    units_of,
    units_of_kind,
)
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of, war_between
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.attack import newly_attacked, outlasted
from warcabinet.rules.minors.building import supplied_hex
from warcabinet.rules.minors.geography import has_port, land
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought, russians_invaded
from warcabinet.rules.minors.units import LENDS_AHEAD, only_lent, units_in_play

#: Nations whose forces, which stand in their country from the start, a clause of their own names once more.
NAMED_AGAIN = {"thailand": "89.51C", "philippines": "89.44", DUTCH: "89.25"}


@value("82.61", covers=tuple(NAMED_AGAIN.values()), also=("84.31",))
def force_level(s: State, nation: str, unit: Unit) -> int:
    """How many units of a kind the force tables give a nation by now; the Ukraine none before it has risen."""
    rows = force_rows(nation, unit)
    if nation in NAMED_AGAIN:
        note("from_the_start", NAMED_AGAIN[nation], len(rows), nation)
    if nation == "ukraine" and not risen(s):
        note("not_risen", "82.63", True, nation)
        return 0
    return sum([row.count for row in rows if not row.since or calendar.parse_turn(row.since) <= s.turn])


def risen(s: State) -> bool:
    """Whether a diplomatic result has made the Ukraine an associate or minor ally."""
    return s.countries["ukraine"].status in BOUND


@definition("82.62", "A country without armed forces: its line in the force table is empty, or it has none")
def without_forces(s: State, nation: str) -> bool:
    return not any(force_level(s, nation, unit) for unit in unit_names(nation))


def full_strength(s: State, nation: str) -> dict[Unit, int]:
    """Every unit with which a nation is set up: what the tables give it now, or at start."""
    levels = {unit: set_up_level(s, nation, unit) for unit in unit_names(nation)}
    return {unit: count for unit, count in levels.items() if count}


@value("82.61", also=("71.12A", "72.12A"))
def set_up_level(s: State, nation: str, unit: Unit) -> int:
    """How many units of a kind a nation is set up with; those of the Commonwealth that come later enter unbuilt."""
    if nation in COMMONWEALTH_BOXES:
        return sum(row.count for row in force_rows(nation, unit) if not row.since)
    if nation in countries() and set_up_anew(s, nation):
        note("on_the_board", "82.52", True, nation)
        return sum(it.count for it in units_of_kind(s, nation, unit))
    # What was sent ahead stays where it is: set up is the rest.
    ahead = units_in_play(s, nation, unit) if only_sent_ahead(s, nation) else 0
    return max(0, force_level(s, nation, unit) - ahead)


#: The country whose forces depend on the diplomatic result, told of in tables that are not here (R-2440).
BY_RESULT = "ukraine"
#: Countries that Russia fights in border wars, and whose units may be set up a second time.
SET_UP_ANEW = ("finland", "rumania")
#: The country whose infantry may be on the map before its forces are set up, to help another (86.43).
VOLUNTEERS = "sweden"
#: Countries that may send units ahead of their own set-up.
AHEAD = (VOLUNTEERS, LENDS_AHEAD)


@definition("82.51")
def only_sent_ahead(s: State, nation: str) -> bool:
    """Nothing of a country is in play but what it sent ahead of its own set-up: lent Spaniards, Swedes in Finland."""
    if nation != VOLUNTEERS or not border_war_escalated(s, "finland"):
        return only_lent(s, nation)
    note("volunteers", "86.43", True, nation)
    on_map = [it.unit for it in units_of(s, nation) if it.branch != "partisan"]
    return all(kind_name(unit) == "infantry" for unit in (*on_map, *(unit for unit, _ in unbuilt(s, nation))))


@definition("82.52")
def set_up_anew(s: State, nation: str) -> bool:
    """Britain sets a country's units up anew: Germany attacks it after its border war with Russia.

    As play begins it may place Australia's or India's units itself instead of where a list has them.
    """
    if nation in COMMONWEALTH_BOXES:
        note("listed", "82.92", s.options.forces, nation)
        first = s.player == "axis" and s.turn == calendar.parse_turn(s.options.start)
        listed = s.options.forces == "listed" and countries()[nation].theater == "pacific"
        begins = first and listed and s.moment == s.since("player turn")
        return begins and not happened(s, "set up anew", nation, "turn")
    if nation not in SET_UP_ANEW or not border_war_fought(s, nation) or not newly_attacked(s, nation):
        return False
    # Another power's declaration of war in a later turn is no second one of Germany's.
    by_germany = "germany" in attackers_of(s, nation) and not outlasted(s, nation, "germany")
    return by_germany and not happened(s, "set up anew", nation, "player turn") and any(units_of(s, nation))


@remembered("82.51")
def forces_deployed(s: State, nation: str) -> bool:
    """A country's forces have been set up; until then they are on no map, but for what was sent ahead of them."""
    # Partisans that bear a country's name rise whether or not its forces have been set up.
    here = any(it.branch != "partisan" for it in units_of(s, nation))
    return here and not (nation in AHEAD and only_sent_ahead(s, nation))


def joined_in_peace(s: State, country: str) -> bool:
    """Whether a country stands with a power without having been attacked: by a result, not as a garrisoned victim."""
    return s.countries[country].status in BOUND and not attackers_of(s, country)


@value("82.52", covers=("85.45A",))
def deployer(s: State, nation: str) -> tuple[str, ...]:
    """Who sets up a country's forces: Britain or the U.S. against the Axis, Germany against the Allies; who leads it.

    Pacific and Commonwealth forces stand on the board from the start, placed by the powers that control them.
    """
    if nation in PACIFIC:
        note("deployed_at_start", "82.92", True, nation)
        return (PACIFIC[nation],)
    if nation not in countries():
        return ()
    standing, against = s.countries[nation], attackers_of(s, nation)
    if nation in COMMONWEALTH_BOXES and standing.status == "commonwealth":
        note("british_units", "82.13", True, nation)
        if countries()[nation].theater == "pacific":
            note("deployed_at_start", "82.92", True, nation)
        return ("britain",)
    if joined_in_peace(s, nation):
        note("joined_a_power", said_of(s, nation, "84.45A"), True, nation)
        return (standing.by,)
    if set_up_anew(s, nation):
        return ("britain",)
    if not against:
        return ()
    return ("britain", "usa") if player_of(against[0]) == "axis" else ("germany",)


@definition("82.55", "A hex in which a country's units can be set up: its own, without enemy units")
def open_for_set_up(s: State, nation: str, place: Place) -> bool:
    if nation == "spain":
        note("with_spanish_morocco", "83.447", True, nation)
    mine = side_of(s, nation)
    seat = place == capital(country_of(s, nation))
    there = [it for it in armed_units_at(s, place) if not seat or it.branch == "ground"]
    foes = (it for it in there if it.nation != nation and side_of(s, it.nation) != mine)
    # A part that was conquered by itself, such as Bessarabia, is its country's no more (83.12).
    fallen = any(s.countries[part].status == "conquered" and place in home_hexes(part) for part in BELONGS)
    its_own = place in _home(s, nation) and not fallen
    if nation in SET_UP_ANEW and "russia" in (holder(s, place), *(it.nation for it in there)):
        # By a border war it was lost to Russia (R-2061), told of by its units alone or as control.
        its_own = its_own and not russians_invaded(s, nation)
    return its_own and not any(_enemy(s, it.nation, nation) for it in foes)


def _home(s: State, nation: str) -> tuple[Place, ...]:
    """The hexes of a country in which its units are set up; eastern Poland is Poland's until it falls (R-1840)."""
    return set_up_hexes(nation) + land_beside_home(s, nation)


def _enemy(s: State, other: str, nation: str) -> bool:
    """Whether units of another side are enemies and not merely a garrison that may stay."""
    country, side = country_of(s, nation), side_of(s, other)
    if any(at_war(s, country, it) for it in powers() if faction(s, it) == side):
        return True
    return s.countries[country].status in BOUND and faction(s, s.countries[country].by) != side


def by_unit(placements: list[Placement]) -> dict[Unit, int]:
    return tally((it.unit, it.count) for it in placements)


def named(cmd: Deploy) -> list[Placement]:
    return [parse_placement(text) for text in cmd.units]


def without_room(cmd: Deploy) -> dict[Unit, int]:
    """Units that are said to find no room."""
    return tally(map(parse_count, cmd.no_room))


@order("82.51", "A country's forces come on the map", on=Deploy)
def deploy(p: Proceedings, cmd: Deploy) -> None:
    bring_on_map(p, cmd)


def bring_on_map(p: Proceedings, cmd: Deploy) -> None:
    """A country's units stand where they are placed, and the rest of them where it is usual."""
    country, strength, placed = cmd.country, full_strength(p.s, cmd.country), named(cmd)
    anew = set_up_anew(p.s, country)
    for it in tuple(units_of(p.s, country)) if anew else ():
        by = "82.92" if country in COMMONWEALTH_BOXES else "82.52"
        p.do(UnitsMoved(country, it.unit, it.count, At(it.place), OUT_OF_PLAY, f"{it.unit} is set up anew"), by)
    if anew or (country in SET_UP_ANEW and border_war_fought(p.s, country)):
        # A first set-up after a border war counts as the set-up anew: there is no second one.
        p.do(Happened(Happening(p.s.moment, "set up anew", country)), "82.52")
    for one in placed:
        place_units(p, country, one.unit, one.place, one.count, "set-up")
    crowded_out = without_room(cmd)
    reason = "units that found no room were eliminated" if crowded_out else "set up"
    # Units of the Ukraine that are not named stay off the map: the result in force does not give them.
    for unit, count in ({} if country == BY_RESULT and cmd.units else strength).items():
        left = count - by_unit(placed).get(unit, 0) - crowded_out.get(unit, 0)
        rest = _default_hex(p.s, country, unit) if left else NOWHERE
        if left and rest:
            place_units(p, country, unit, rest, left, "set-up")
        elif left:
            note("no_legal_hex", "82.55", left, unit)
            reason = "units that found no legal hex were eliminated"
            if unit_branch(unit) != "naval":
                crowded_out[unit] = crowded_out.get(unit, 0) + left
    # Units that cannot be placed go to the force pool like any that are eliminated.
    for unit, count in crowded_out.items():
        p.do(UnitsMoved(country, unit, count, OUT_OF_PLAY, UNBUILT, f"{unit} finds no room and is eliminated"), "82.55")
    forces_deployed.note(p, True, reason, country)


def _default_hex(s: State, nation: str, unit: Unit) -> Place:
    """Where units stand that nobody placed: the capital, or else any hex that is open; for ships a port."""
    ship = unit_branch(unit) == "naval"
    hexes = (capital(country_of(s, nation)), *COMMONWEALTH_BOXES.get(nation, ()), *_home(s, nation))
    sites = (key for key in hexes if key and (not ship or has_port(key)))
    return next((key for key in sites if open_for_set_up(s, nation, key) and supplied_site(s, nation, key)), NOWHERE)


def supplied_site(s: State, nation: str, place: Place) -> bool:
    """A country that joined a power in peace places its units in hexes that it controls and that are supplied."""
    if nation not in countries() or not joined_in_peace(s, nation):
        return True
    return friendly(s, place, side_of(s, nation)) and supplied_hex(s, nation, nation, place)


@definition("82.13B", "Commonwealth units are built in their home country, other units where their power may")
def built_at_home_only(s: State, nation: str) -> bool:
    return nation in countries() and s.countries[nation].status == "commonwealth"


# -- what enters force pools later ---------------------------------------------------------------------------------

SPRING_1942 = calendar.turn_number(calendar.SPRING, 1942)
DENOMINATIONS = (Unit("infantry 2-2"), Unit("infantry 1-2"))


@effect("82.61", also=("70.14B", "70.14C", "71.12B"), when=lambda s: s.player == "allied")
def commonwealth_grows(p: Proceedings) -> None:
    """Commonwealth units of a later date enter their force pool, unbuilt, in the turn that the table names.

    Those of dates before the game's start enter it in its first turn.
    """
    first = p.s.turn == calendar.parse_turn(p.s.options.start)
    for row in force_table():
        since = calendar.parse_turn(row.since) if row.since else 0
        due = since == p.s.turn or (since and since < p.s.turn and first and not unbuilt_of(p.s, row.nation, row.unit))
        if due and row.nation in COMMONWEALTH_BOXES and p.s.countries[row.nation].status == "commonwealth":
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
def added_units(s: State, nation: str, unit: Unit) -> int:
    return 0


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


@limit("82.61", on=ReportIncrease)
def increase_within_three(s: State, cmd: ReportIncrease) -> Iterator[Finding]:
    """The Australian and Indian pools grow by three infantry factors each, in Allied player turns of the Japanese war.

    Production adds shipbuilding points by this report in Australia only, one a turn as to other rates.
    """
    clause = {"australia": "71.12C", "india": "72.12B", "canada": "70.14D", "south_africa": "70.24"}[cmd.country]
    name, most = called(cmd.country), extra_infantry_factors(s, cmd.country)
    if cmd.country not in ("australia", "india") and (cmd.units or cmd.country != "canada"):
        yield Refusal(clause, f"production adds nothing to {name}'s forces")
    elif cmd.units and not most:
        yield Refusal(clause, "not before Britain and Japan are at war, or Spring 1942")
    elif cmd.units and s.player != "allied":
        yield Refusal(clause, "this is done in an Allied player turn")
    elif cmd.units:
        wanted = tally(map(parse_count, cmd.units))
        added = sum(added_units(s, cmd.country, unit) * unit_factors(unit) for unit in DENOMINATIONS)
        if reading_in_force(s, "R-0064") == "b":  # the three are those of a player turn
            added = total(s, "infantry factors added", cmd.country, "player turn")
        asked, left = sum(count * unit_factors(unit) for unit, count in wanted.items()), most - added
        if wrong := next((unit for unit in wanted if unit not in DENOMINATIONS), ""):
            yield Refusal(clause, f"{wrong}: only {' and '.join(DENOMINATIONS)} are added")
        elif asked > left:
            yield Refusal(clause, f"{asked} infantry factors; {left} may still be added to the pool of {name}")
    if not (cmd.units or cmd.shipbuilding):
        yield Refusal(clause, "name the units that production adds")
    if cmd.shipbuilding > 0 and cmd.country == "canada":
        yield Refusal("70.15B", "shipbuilding points in Canada are added by report_production, with in_canada")
    elif cmd.shipbuilding > 0 and cmd.country != "australia":
        yield Refusal("71.152C", f"{name} has no shipbuilding that this adds to")
    elif cmd.shipbuilding > 0:
        left = max(0, 1 - total(s, "shipbuilding", cmd.country, "turn"))
        yield Bound("shipbuilding", most=left, text="a rate rises once a turn", clause="36.341A", also=("71.152C",))


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


@value("82.61")
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


# -- no more than the table gives ---------------------------------------------------------------------------------


def partisans_in(s: State, nation: str, country: str) -> int:
    """Partisans in a country: of a nation's faction, or all that go under the country's own name."""
    own = nation == country
    return _risen(s, country, lambda it: it == country) if own else _of_side(s, side_of(s, nation), country)


def _of_side(s: State, side: str, country: str) -> int:
    """Partisans in a country that bear the name of a power or nation of one side."""
    return _risen(s, country, lambda it: it != country and side_of(s, it) == side)


def _risen(s: State, country: str, of: Callable[[str], bool]) -> int:
    return sum(it.count for it in units_in(s, country) if it.branch == "partisan" and of(it.nation))


def _sides(s: State, nation: str, country: str) -> set[str]:
    """The factions whose lines of the table count: a nation's own, or all of them for the country itself."""
    if nation != country:
        return {side_of(s, nation)}
    return {row.side for row in partisan_table() if row.nation == country}


def _most(s: State, nation: str, country: str) -> int:
    return sum(most_partisans(s, country, side) for side in _sides(s, nation, country))


def _left(s: State, nation: str, country: str) -> int:
    """Partisans that may still rise in a country for a nation by themselves, whatever names others bear."""
    rise = {side: automatic_partisans(s, country, side) for side in _sides(s, country, country)}
    free = {side: max(0, count - _of_side(s, side, country)) for side, count in rise.items()}
    # Partisans under the country's own name may be any side's: they count first for the other sides' lines.
    own_name = min(partisans_in(s, country, country), sum(rise.values()))
    if nation == country:
        return max(0, sum(free.values()) - own_name)
    mine = free.pop(side_of(s, nation), 0)
    return max(0, mine - max(0, own_name - sum(free.values())))


#: A country whose line in the table is empty: neither forces nor partisans.
EMPTY_LINE = "denmark"


@cache
def in_force_table() -> frozenset[str]:
    """The countries that have a line in the tables of minor countries; the Ukraine's partisans are Russia's own."""
    listed = {row.nation for row in force_table()} | {row.nation for row in partisan_table()} | {EMPTY_LINE}
    return frozenset(listed) - {"ukraine"}


def _partisans(cmd: ReportUnits | Build | Rebuild) -> int:
    """How many partisans an order builds, or a report tells of."""
    if isinstance(cmd, Build):
        units: Mapping[Unit, int] = counted(cmd.units)
    else:
        units = {cmd.unit: cmd.count if isinstance(cmd, ReportUnits) else 1}
    return sum(count for unit, count in units.items() if unit_branch(unit) == "partisan")


@limit("82.61", on=(ReportUnits, Build, Rebuild), when=lambda s, cmd: _partisans(cmd) > 0, covers=("79.42",))
def partisans_within_table(s: State, cmd: ReportUnits | Build | Rebuild) -> str | None:
    """No more partisans rise in a country than the force tables allow, and none where it has no line (R-2200).

    By an order lost ones are built again only as far as they rise by themselves.
    """
    country, count, reported = land(cmd.at)[0], _partisans(cmd), isinstance(cmd, ReportUnits)
    nation = cmd.power if isinstance(cmd, Build) else cmd.nation if isinstance(cmd, ReportUnits) else cmd.country
    if nation == "communist_china":
        # Where and how many they build, a clause of their own says (79.42); how many there are, the table.
        most = most_partisans(s, nation, "russia")
        there = sum(it.count for it in units_of(s, nation) if it.branch == "partisan")
        told = f"{there + count} Communist Chinese partisans; the table gives {most} in {calendar.year(s.turn)}"
        return told if reported and there + count > most else None
    # What rises in the Ukraine is Russia's own.
    if country == "ukraine" or country not in countries().keys() | in_force_table():
        return None
    left = _left(s, nation, country)
    if not isinstance(cmd, ReportUnits):
        told = f"{left} more partisans rise in {called(country)} by themselves"
        told += "; those of a result are reported with it, or built by build_partisan"
        return told if count > left else None
    if country not in in_force_table():
        return unless_excused(cmd, f"{called(country)} has no line in the tables of forces: no partisans rise there")
    most, there = _most(s, nation, country), partisans_in(s, nation, country)
    # Whatever names they bear, together they are no more than the lines of all sides give.
    most = min(most, _most(s, country, country) - _risen(s, country, lambda it: True) + there)
    told = f"{there + count} partisans in {called(country)}"
    if there + count > most:
        return f"{told}; the table allows {max(most, 0)}"
    note("by_results", "82.61", most, country)
    beyond = f"{told}; {left} more rise by themselves, up to {most} in all after production results"
    return unless_excused(cmd, beyond) if count > left else None


# -- alone in a capital -------------------------------------------------------------------------------------------


@foresees
def places_with_partisans(s: State) -> Iterator[Foreseen]:
    """Enemy partisans alone where BRPs are decided: that they control the place is for the table to report (R-2280)."""
    for stack in s.pieces.of_type("partisan"):
        held_by = holder(s, stack.place)
        counts = (it for it in areas_decided_by(stack.place) if it in countries() or areas()[it].kind == "key area")
        for area in (it for it in counts if _alone_among_enemies(s, stack, it, held_by)):
            where = areas()[area].places[deciding_places(area).index(stack.place)]
            when = next_step_of(s, "britain" if player_of(held_by) == "axis" else "germany", "end of combat phase")
            text = f"Partisans stand alone in {where}: if they control it, report_control says so"
            clause = "83.11" if area in countries() else "38.21"
            yield Foreseen(when, clause, text, held_by, area, f"regular ground units in {where}")


def _alone_among_enemies(s: State, stack: Stack, area: str, held_by: str) -> bool:
    """Whether partisans stand without regular ground units in a place of a power that they fight."""
    if held_by not in powers() or any(it.branch == "ground" for it in units_at(s, stack.place)):
        return False
    # Communist China stands with nobody, and fights Japan as China does.
    leader = "china" if stack.nation == "communist_china" else patron(s, stack.nation)
    if leader:
        return at_war(s, leader, held_by)
    return area in countries() and s.countries[area].status == "conquered"
