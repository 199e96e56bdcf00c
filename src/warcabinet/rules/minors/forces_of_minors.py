"""The forces of minor countries: how many, who sets them up, where (82.5, 82.6, 82.92, 84.45A, 85.45A)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.commands.minors import Deploy
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.forces import force_rows, unit_names
from warcabinet.model.names import countries, powers
from warcabinet.model.pieces import OUT_OF_PLAY, UNBUILT, At
from warcabinet.model.places import holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened
from warcabinet.model.traits import BELONGS, COMMONWEALTH_BOXES, DUTCH, PACIFIC, capital, home_hexes, set_up_hexes
from warcabinet.model.unit_lists import Placement, parse_count, parse_placement, tally, unbuilt
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.pieces import (
    BOUND,
    armed_units_at,
    country_of,
    faction,
    friendly,
    land_beside_home,
    place_units,
    said_of,
    side_of,
    units_of,
    units_of_kind,
)
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of
from warcabinet.rules.kinds import definition, order, remembered, value
from warcabinet.rules.minors.attack import newly_attacked, outlasted
from warcabinet.rules.minors.building import supplied_hex
from warcabinet.rules.minors.geography import has_port
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought, russians_invaded
from warcabinet.rules.minors.staying import only_lent, units_in_play

#: Nations whose forces, which stand in their country from the start, a clause of their own names once more.
NAMED_AGAIN = {"thailand": "89.51C", "philippines": "89.44", DUTCH: "89.25"}


@value("82.61", covers=(*NAMED_AGAIN.values(), "82.63"), also=("84.31",))
def force_level(s: State, nation: str, unit: str) -> int:
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


def full_strength(s: State, nation: str) -> dict[str, int]:
    """Every unit with which a nation is set up: what the tables give it now, or at start."""
    levels = {unit: set_up_level(s, nation, unit) for unit in unit_names(nation)}
    return {unit: count for unit, count in levels.items() if count}


@value("82.61", covers=("82.52",), also=("71.12A", "72.12A"))
def set_up_level(s: State, nation: str, unit: str) -> int:
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


@definition("82.51", covers=("86.43",))
def only_sent_ahead(s: State, nation: str) -> bool:
    """Nothing of a country is in play but what it sent ahead of its own set-up: lent Spaniards, Swedes in Finland."""
    if nation != VOLUNTEERS or not border_war_escalated(s, "finland"):
        return only_lent(s, nation)
    note("volunteers", "86.43", True, nation)
    on_map = [it.unit for it in units_of(s, nation) if it.branch != "partisan"]
    return all(kind_name(unit) == "infantry" for unit in (*on_map, *(unit for unit, _ in unbuilt(s, nation))))


@definition("82.52", covers=("82.92",))
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


@remembered("82.51", "A country's forces have been set up; until then they are on no map")
def forces_deployed(s: State, nation: str) -> bool:
    # Partisans that bear a country's name rise whether or not its forces have been set up.
    return any(it.branch != "partisan" for it in units_of(s, nation))


@definition("82.51", displaces=forces_deployed, when=lambda s, nation: only_sent_ahead(s, nation))
def rest_waits_at_home(s: State, nation: str) -> bool:
    """With what was sent ahead a country's forces have not been set up."""
    return False


def joined_in_peace(s: State, country: str) -> bool:
    """Whether a country stands with a power without having been attacked: by a result, not as a garrisoned victim."""
    return s.countries[country].status in BOUND and not attackers_of(s, country)


@value("82.52", covers=("82.13", "82.92", "84.45A", "85.45A"))
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


@definition("82.55", "A hex in which a country's units can be set up: its own, without enemy units", covers=("83.447",))
def open_for_set_up(s: State, nation: str, place: str) -> bool:
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


def _home(s: State, nation: str) -> tuple[str, ...]:
    """The hexes of a country in which its units are set up; eastern Poland is Poland's until it falls (R-1840)."""
    return set_up_hexes(nation) + land_beside_home(s, nation)


def _enemy(s: State, other: str, nation: str) -> bool:
    """Whether units of another side are enemies and not merely a garrison that may stay."""
    country, side = country_of(s, nation), side_of(s, other)
    if any(at_war(s, country, it) for it in powers() if faction(s, it) == side):
        return True
    return s.countries[country].status in BOUND and faction(s, s.countries[country].by) != side


def by_unit(placements: list[Placement]) -> dict[str, int]:
    return tally((it.unit, it.count) for it in placements)


def named(cmd: Deploy) -> list[Placement]:
    return [parse_placement(text) for text in cmd.units]


def without_room(cmd: Deploy) -> dict[str, int]:
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
        rest = _default_hex(p.s, country, unit) if left else ""
        if left and rest:
            place_units(p, country, unit, rest, left, "set-up")
        elif left:
            note("no_legal_hex", "82.55", left, unit)
            reason = "units that found no legal hex were eliminated"
            if parse_unit(unit)[0].branch != "naval":
                crowded_out[unit] = crowded_out.get(unit, 0) + left
    # Units that cannot be placed go to the force pool like any that are eliminated.
    for unit, count in crowded_out.items():
        p.do(UnitsMoved(country, unit, count, OUT_OF_PLAY, UNBUILT, f"{unit} finds no room and is eliminated"), "82.55")
    forces_deployed.note(p, True, reason, country)


def _default_hex(s: State, nation: str, unit: str) -> str:
    """Where units stand that nobody placed: the capital, or else any hex that is open; for ships a port."""
    ship = parse_unit(unit)[0].branch == "naval"
    hexes = (capital(country_of(s, nation)), *COMMONWEALTH_BOXES.get(nation, ()), *_home(s, nation))
    sites = (key for key in hexes if key and (not ship or has_port(key)))
    return next((key for key in sites if open_for_set_up(s, nation, key) and supplied_site(s, nation, key)), "")


def supplied_site(s: State, nation: str, place: str) -> bool:
    """A country that joined a power in peace places its units in hexes that it controls and that are supplied."""
    if nation not in countries() or not joined_in_peace(s, nation):
        return True
    return friendly(s, place, side_of(s, nation)) and supplied_hex(s, nation, nation, place)


@definition("82.13B", "Commonwealth units are built in their home country, other units where their power may")
def built_at_home_only(s: State, nation: str) -> bool:
    return nation in countries() and s.countries[nation].status == "commonwealth"
