"""Reported units and control of minor countries: what the force table knows, what may be taken (82.51, 82.6)."""

from __future__ import annotations

from collections.abc import Collection

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import UNBUILT
from warcabinet.model.places import holder, place_called, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import (
    BELONGS,
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    VICHY,
    dutch_hexes,
    set_up_hexes,
)
from warcabinet.model.units import parse_unit, undamaged
from warcabinet.rules.common.books import in_being
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE, country_of, faction, land_beside_home, units_of
from warcabinet.rules.common.taking import country_at
from warcabinet.rules.common.war_and_peace import at_war, open_colony, vichy_places, went_to_war
from warcabinet.rules.economy.timing import take_places
from warcabinet.rules.kinds import definition, limit, order
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.attack import (
    BELONGING,
    fought_over,
    garrison_in_the_way,
    may_attack_country,
    open_eastern_poland,
    own_country,
    whole_of,
)
from warcabinet.rules.minors.building import branch_of, built_again_by
from warcabinet.rules.minors.force_pools import added_units
from warcabinet.rules.minors.forces_of_minors import (
    SET_UP_ANEW,
    VOLUNTEERS,
    deployer,
    force_level,
    forces_deployed,
    risen,
    without_forces,
)
from warcabinet.rules.minors.geography import CHINESE, country_now, held_by_force, part_fallen
from warcabinet.rules.minors.pacific import drawn_in, dutch_free_an_area
from warcabinet.rules.minors.parts import counters_in_being, forces_gone, gone_by, gone_for_good, had_before_switch
from warcabinet.rules.minors.status import border_war_escalated, border_war_fought, wages_war
from warcabinet.rules.minors.staying import units_off_map

#: Whose forces are told of in chapters that are played outside (75.61, 77).
UNLISTED = (VICHY, *EUROPEAN_FRENCH_COLONIES)


def _listed_units(s: State, cmd: ReportUnits) -> bool:
    """Whether units that a force table knows are reported to have come."""
    return cmd.nation not in UNLISTED and _regular_units(cmd)


def _regular_units(cmd: ReportUnits) -> bool:
    """Whether ground, air or naval units of a minor country are reported to have come."""
    known = cmd.nation in (*countries(), DUTCH)
    return known and parse_unit(cmd.unit)[0].branch in ("ground", "air", "naval") and cmd.count > 0


@limit(
    "82.51",
    on=ReportUnits,
    when=lambda s, cmd: _listed_units(s, cmd) and not without_forces(s, cmd.nation),
    excusable=True,
)
def reported_once_set_up(s: State, cmd: ReportUnits) -> str | None:
    """A minor country's units are on the map only once they have been set up."""
    if forces_deployed(s, cmd.nation) or units_off_map(s, cmd.nation, cmd.unit) >= cmd.count:
        return None  # they are on the map, or only left another place
    if forces_gone(s, cmd.nation):
        return None  # another limit refuses units that have left play (85.52A)
    volunteers = cmd.nation == VOLUNTEERS and border_war_escalated(s, "finland")
    if s.pieces.has_unbuilt_regulars(cmd.nation) and not volunteers:
        return None
    # Who is to be set up by an order is not set up by a report, whatever border war there was before.
    if deployer(s, cmd.nation):
        return f"{called(cmd.nation)} is set up first: deploy"
    if cmd.nation in SET_UP_ANEW and border_war_fought(s, cmd.nation):
        return None  # how they are set up then is told elsewhere (66, 67)
    if volunteers:
        return None  # its infantry comes to fight in Finland (86.43)
    fallen = s.countries[country_of(s, cmd.nation)].status == "conquered"
    told = "was conquered; its units are out of play" if fallen else "has not been attacked and stands with nobody"
    return f"{called(cmd.nation)} {told}"


@limit(
    "85.52A",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.nation in (*countries(), DUTCH) and cmd.count > 0 and parse_unit(cmd.unit)[0].branch != "partisan"
    ),
    also=("83.21", "84.47A", "84.47C", "84.47D", "85.47", "85.481A", "85.482", "85.483", "85.53A", "89.25"),
    excusable=True,
)
def not_back_by_report(s: State, cmd: ReportUnits) -> Refusal | None:
    """What left play for good does not come back by a report, nor what only an order builds again."""
    if forces_gone(s, cmd.nation):
        clause, told = gone_by(s, cmd.nation), f"{called(cmd.nation)}'s units have left play for good"
    elif _regular_units(cmd):
        clause, told = _gone_one_by_one(s, cmd)
        if not told and cmd.nation == VICHY:
            clause, told = _lost_by_vichy(s, cmd)
    else:
        return None
    return Refusal(clause, told) if told else None


def _gone_one_by_one(s: State, cmd: ReportUnits) -> tuple[str, str]:
    """Units that a change of sides eliminated, and ships that were sunk: by which clause, and how that is told."""
    unit = undamaged(cmd.unit)
    gone = gone_for_good(s, cmd.nation, unit)
    level = force_level(s, cmd.nation, unit) or had_before_switch(s, cmd.nation, unit)
    if not gone or not level or counters_in_being(s, cmd.nation, unit) + cmd.count <= level - gone:
        return "", ""
    clause = built_again_by(s, cmd.nation, "naval") if branch_of(unit) == "naval" else "85.53A"
    return clause, f"{gone} {unit} of {called(cmd.nation)} left play for good, of {level}"


def _lost_by_vichy(s: State, cmd: ReportUnits) -> tuple[str, str]:
    """What Vichy France has lost, though no table tells what it has, is rebuilt by an order, or not at all."""
    what, unit = branch_of(cmd.unit), undamaged(cmd.unit)
    lost = s.pieces.count(VICHY, UNBUILT, unit) or (what == "naval" and gone_for_good(s, VICHY, unit))
    if not lost or had_before_switch(s, VICHY, unit) or units_off_map(s, VICHY, cmd.unit) >= cmd.count:
        return "", ""  # after a change of sides its own clause knows what it had; others only left another place
    return built_again_by(s, VICHY, what), f"Vichy France has lost {unit}: built again by rebuild, if at all"


@limit(
    "82.61",
    on=ReportUnits,
    when=lambda s, cmd: _listed_units(s, cmd) and not without_forces(s, cmd.nation),
    excusable=True,
)
def reported_within_table(s: State, cmd: ReportUnits) -> str | None:
    # A damaged ship is one of its kind.
    """No more units of a kind are in play than the force table gives."""
    unit = undamaged(cmd.unit)
    have, most = counters_in_being(s, cmd.nation, unit), force_level(s, cmd.nation, unit)
    most += added_units(s, cmd.nation, unit)
    if have + cmd.count <= most:
        return None
    told = f"{have + cmd.count} {unit} of {called(cmd.nation)}: the table gives {most}"
    if s.pieces.count(cmd.nation, UNBUILT, unit):
        told += "; what is unbuilt is built again by rebuild"
    return told


@limit(
    "82.62",
    on=ReportUnits,
    when=lambda s, cmd: _listed_units(s, cmd) and without_forces(s, cmd.nation),
    also=("82.63",),
    excusable=True,
)
def no_units_without_forces(s: State, cmd: ReportUnits) -> Refusal | None:
    """A country without armed forces, or a colony, has no units, nor the Ukraine before it has joined a power."""
    if cmd.nation == "ukraine" and not risen(s):
        told = "Ukrainian units deploy after a diplomatic result by which the Ukraine joins a power"
        return Refusal("82.63", told)
    return Refusal("82.62", f"{called(cmd.nation)} has no armed forces")


@limit(
    "82.62",
    on=ReportOperation,
    # Where a minor country's own forces are said to act: no partisans, nor whom chapters outside tell of.
    when=lambda s, cmd: (
        cmd.mission != "pass"
        and cmd.nation in countries()
        and cmd.nation not in UNLISTED
        and not any(units_of(s, cmd.nation))
    ),
    also=("83.21",),
    excusable=True,
)
def operates_with_forces_only(s: State, cmd: ReportOperation) -> Refusal | None:
    """A country without armed forces attacks, flies and sails as little as a conquered one."""
    fallen = s.countries[cmd.nation].status == "conquered"
    if not fallen and not without_forces(s, cmd.nation):
        return None
    if fallen:
        return Refusal("83.21", f"{called(cmd.nation)} was conquered; its units are out of play")
    return Refusal("82.62", f"{called(cmd.nation)} has no armed forces")


#: Neutral countries in which partisans rise and operate by clauses of their own (87.23, 88.57, 88.63).
RISING = ("arabia", "ireland", "persia")


def at_peace_with(s: State, place: str, by: str) -> str:
    """The neutral country in which a place lies and on which a power has not declared war, if any."""
    country = country_now(s, place) if country_now(s, place) in CHINESE else country_at(place)
    if country not in countries():
        # Biak and the other lesser islands come into the war with the three areas.
        return DUTCH if holder(s, place) == DUTCH and not may_be_taken(s, DUTCH, by) else ""
    if not in_being(s, country):
        return ""  # a French city like any other, until France has left the war
    whole = BELONGS.get(country, country)
    if country == "eastern_poland":
        return "" if open_eastern_poland(s, by) else "poland"
    standing = s.countries[whole]
    # Where a neutral's own partisans alone have its capital, that opens it to no power (88.21, 88.62).
    risen = standing.status == "conquered" and not standing.by and whole in RISING
    if s.countries[whole].status not in STANDS_ALONE and not risen:
        return ""
    taken = s.countries[country].status == "conquered" and not risen
    if taken or (holder(s, place) in powers() and held_by_force(s, place, whole)):
        return ""
    if risen and went_to_war(s, by, whole):
        return ""
    return "" if may_be_taken(s, whole, by) or fought_over(s, by, place) else whole


@definition("82.41", "A neutral country's hexes are taken only at war with it")
def may_be_taken(s: State, country: str, by: str) -> bool:
    if country == DUTCH or country in DUTCH_AREAS:
        # They come into the war with Britain's war against Japan, not with that in Europe (82.93).
        return (went_to_war(s, "britain", "japan") and at_war(s, by, "britain")) or at_war(s, by, country)
    return may_attack_country(s, by, country)


def owner_of(s: State, place: str) -> str:
    """The power to which a place belongs: its holder's, or that of the country in which nobody else holds it."""
    now, country = holder(s, place), country_at(place)
    if now in powers() or not country:
        return now if now in powers() else ""
    standing = s.countries[whole_of(s, country)]
    return standing.by if standing.status in BELONGING else ""


def left_by_surrender(s: State, place: str, by: str) -> str:
    """The power that has surrendered and still has a colony or conquest which another may not attack (R-2412).

    How such a place is occupied, as French Indochina by Japan, is told in chapters that are played outside.
    """
    now, country = owner_of(s, place), country_at(place)
    if not country or now not in powers() or not s.powers[now].surrendered or faction(s, now) == faction(s, by):
        return ""
    # Of what is Vichy France's, and of the Axis in Iraq (88.55), other clauses tell.
    elsewhere = country in EUROPEAN_FRENCH_COLONIES or (country == "iraq" and faction(s, by) == "axis")
    return "" if elsewhere or place in vichy_places(s) or may_attack_country(s, by, country) else now


@definition("82.42", "The power of another faction with which one must be at war to take a place, if it is at peace")
def holder_at_peace(s: State, place: str, by: str) -> str:
    now, country = owner_of(s, place), country_at(place)
    if now not in powers() or s.powers[now].surrendered or faction(s, now) == faction(s, by):
        return ""
    if country and _declared_against(s, place, country, by):
        return ""
    return "" if at_war(s, by, now) or vichy_at_war(s, place, by) else now


def vichy_at_war(s: State, place: str, by: str) -> bool:
    """Whether a power fights Vichy France for a place that another has with it: war with that one is not needed.

    As in any country under a result, or in the war of an associate (82.41, R-1961), unless a garrison is in the way.
    """
    standing, now = s.countries[VICHY], holder(s, place)
    if standing.status not in ("controlled", *BOUND) or place not in vichy_places(s) or not at_war(s, by, VICHY):
        return False
    return faction(s, now) == faction(s, standing.by) and not garrison_in_the_way(s, VICHY, by)


def in_its_own_war(s: State, place: str, by: str, owner: str) -> bool:
    """Whether a place is fought over in the war that an associate had before it joined a power at peace (R-1961).

    Its enemy goes on unless units of that power stand in the country (82.34), and it takes back what is its own.
    """
    country = BELONGS.get(country_at(place), country_at(place))
    if not country or s.countries[country].status not in BOUND:
        return False
    if own_country(s, by, country):
        # What its units take back is the power's that leads it, not that power's partners'.
        return by == s.countries[country].by and wages_war(s, country, owner)
    led = faction(s, owner) == faction(s, s.countries[country].by)
    return led and wages_war(s, country, by) and not garrison_in_the_way(s, country, by)


def _declared_against(s: State, place: str, country: str, by: str) -> bool:
    """Whether a place is a power's by a result alone: war with the country opens it, not with that power (82.41)."""
    if open_colony(s, country):
        return may_attack_country(s, by, country) and not held_by_force(s, place, VICHY)
    whole = BELONGS.get(country, country)
    # A border war opens it as well (82.41).
    fights = at_war(s, by, whole) or fought_over(s, by, place)
    return s.countries[country].status != "conquered" and fights and not held_by_force(s, place, whole)


@limit(
    "82.41",
    on=ReportWar,
    when=lambda s, cmd: s.options.declarations == "ordered" and _war_on_neutral(s, cmd) != "",
    also=("82.62",),
    excusable=True,
)
def wars_on_neutrals_are_declared(s: State, cmd: ReportWar) -> str | None:
    """War on a minor country begins with a declaration that is paid for."""
    country = _war_on_neutral(s, cmd)
    if cmd.declared_by == country or not any(it in powers() for it in cmd.between):
        return f"{called(country)} declares war on nobody: a power declares it"
    power = next(it for it in cmd.between if it in powers())
    told = f"a war of {called(power)} on {called(country)}"
    return f"{told} is declared and paid for: declare_war"


def _war_on_neutral(s: State, cmd: ReportWar) -> str:
    """The neutral country that is reported to be at war, whoever is said to have declared it, if it is one."""
    target = next((it for it in cmd.between if it in countries()), "")
    if not target or s.countries[target].status not in STANDS_ALONE:
        return ""
    # In the Pacific all but Thailand come into the war with a power (82.93).
    return target if countries()[target].theater == "europe" or target == "thailand" else ""


@limit(
    "82.42",
    on=ReportWar,
    when=lambda s, cmd: (
        s.options.declarations == "ordered"
        and any(it in countries() for it in cmd.between)
        and not drawn_in(s, cmd.between)  # of those 82.93 speaks
    ),
    also=("82.35", "84.42", "85.42"),
    excusable=True,
)
def wars_are_their_powers(s: State, cmd: ReportWar) -> str | None:
    """A country that stands with a power has no war of its own: it is at war as that power is."""
    for it in cmd.between:
        if it not in countries() or s.countries[it].status not in BELONGING or not s.countries[it].by:
            continue
        standing = s.countries[it]
        name = f"{called(it)} is {standing.status} ({called(standing.by)})"
        return f"{name}: at war as that power is, and with nobody else"
    return None


@order("82.83B", "A country that fights alone holds what it has retaken", on=ReportRecovery)
def report_recovery(p: Proceedings, cmd: ReportRecovery) -> None:
    # Vichy France's own hexes are those of its set-up; others that were French it holds in its name.
    own = set_up_hexes(VICHY) if cmd.country == VICHY else _home(p.s, cmd.country)
    take_places(p, {key: "" if key in own else cmd.country for key in map(place_key, cmd.places)})
    p.run(dutch_free_an_area)


def _home(s: State, country: str) -> Collection[str]:
    """What a country that fights alone may take back: the Dutch the whole of the Indies, Poland its east (R-1840)."""
    if country in DUTCH_AREAS:
        return dutch_hexes()
    if country == VICHY:
        return vichy_places(s)
    return set_up_hexes(country) + land_beside_home(s, country)


@limit("82.83B", "Only a country that fights alone acts by itself", on=ReportRecovery)
def recovers_alone(s: State, cmd: ReportRecovery) -> str | None:
    # The Dutch in the Indies are one, and fight for an area that has fallen as well (82.91B).
    acting = DUTCH_AREAS if cmd.country in DUTCH_AREAS else (cmd.country,)
    if any(fights_alone(s, it) for it in acting) or _fights_border_war(s, cmd):
        return None
    standing = s.countries[cmd.country]
    told = f"what it takes is {called(standing.by)}'s: report_control" if standing.by else "it fights nobody"
    if standing.status == "conquered":
        told = "it takes nothing back by itself"
    return f"{called(cmd.country)} is {standing.status}; {told}"


def _fights_border_war(s: State, cmd: ReportRecovery) -> bool:
    """Whether Russia holds, undeclared, what the country takes back; what Russia has conquered is decided (86.24)."""
    keys = [place_key(it) for it in cmd.places]
    undecided = all(holder(s, it) == "russia" and not part_fallen(s, it) for it in keys)
    return undecided and not s.countries[cmd.country].by and border_war_fought(s, cmd.country)


@limit("82.83C", on=ReportRecovery)
def recovers_at_home(s: State, cmd: ReportRecovery) -> str | None:
    """A country that fights alone takes back only what is its own: its ground units stay at home."""
    at_home = _home(s, cmd.country)
    for place in cmd.places:
        key = place_key(place)
        if key not in at_home:
            return f"{place_called(place)} is not in {called(cmd.country)}"
        if holder(s, key) not in powers():
            return f"{place_called(place)} is in nobody else's hands"
    return None
