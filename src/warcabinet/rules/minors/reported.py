"""Reported units and control of minor countries: what the force table knows, what may be taken (82.51, 82.6)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warcabinet.kernel.limits import Finding, Refusal
from warcabinet.model.commands.minors import ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.commands.politics import ReportWar
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import UNBUILT
from warcabinet.model.places import holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import (
    DUTCH,
    DUTCH_AREAS,
    EUROPEAN_FRENCH_COLONIES,
    VICHY,
    dutch_hexes,
    set_up_hexes,
)
from warcabinet.model.units import parse_unit, undamaged
from warcabinet.rules.common.pieces import STANDS_ALONE, country_of, land_beside_home, units_of
from warcabinet.rules.common.war_and_peace import vichy_places
from warcabinet.rules.economy.timing import take_places
from warcabinet.rules.kinds import limit, order
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.attack import (
    BELONGING,
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
from warcabinet.rules.minors.geography import part_fallen
from warcabinet.rules.minors.pacific import drawn_in, dutch_free_an_area
from warcabinet.rules.minors.status import (
    border_war_escalated,
    border_war_fought,
    counters_in_being,
    forces_gone,
    gone_by,
    gone_for_good,
    had_before_switch,
)
from warcabinet.rules.minors.staying import units_off_map

#: Whose forces are told of in chapters that are played outside (75.61, 77).
UNLISTED = (VICHY, *EUROPEAN_FRENCH_COLONIES)


def _listed_units(s: State, cmd: ReportUnits) -> bool:
    """Whether units of a country that has forces, which a force table knows, are reported to have come."""
    return cmd.nation not in UNLISTED and _regular_units(cmd) and not without_forces(s, cmd.nation)


def _regular_units(cmd: ReportUnits) -> bool:
    """Whether ground, air or naval units of a minor country are reported to have come."""
    known = cmd.nation in (*countries(), DUTCH)
    return known and parse_unit(cmd.unit)[0].branch in ("ground", "air", "naval") and cmd.count > 0


@limit(
    "82.51",
    on=ReportUnits,
    when=lambda s, cmd: (
        cmd.nation in (*countries(), DUTCH) and cmd.count > 0 and parse_unit(cmd.unit)[0].branch != "partisan"
    ),
    also=(
        *("82.62", "82.63", "83.21", "84.47A", "84.47C", "84.47D", "85.47", "85.481A", "85.482", "85.483"),
        *("85.52A", "85.53A", "89.25"),
    ),
    excusable=True,
)
def units_reported_are_in_play(s: State, cmd: ReportUnits) -> Iterator[Finding]:
    """A minor country's units are on the map only once they were set up, if it has forces.

    What left play for good does not come back by a report, nor what only an order builds again.
    """
    name, regular = called(cmd.nation), _regular_units(cmd)
    if regular and cmd.nation not in UNLISTED and without_forces(s, cmd.nation):
        if cmd.nation == "ukraine" and not risen(s):
            told = "Ukrainian units deploy after a diplomatic result by which the Ukraine joins a power"
            yield Refusal("82.63", told)
        else:
            yield Refusal("82.62", f"{name} has no armed forces")
    elif _listed_units(s, cmd):
        yield _not_set_up(s, cmd)
    if forces_gone(s, cmd.nation):
        yield Refusal(gone_by(s, cmd.nation), f"{name}'s units have left play for good")
    elif regular:
        clause, told = _gone_one_by_one(s, cmd)
        yield Refusal(clause, told) if told else None


def _not_set_up(s: State, cmd: ReportUnits) -> str | None:
    """Why units are not on the map yet, unless they are, only left another place or have left play (85.52A)."""
    nation, name = cmd.nation, called(cmd.nation)
    been = forces_deployed(s, nation) or units_off_map(s, nation, cmd.unit) >= cmd.count or forces_gone(s, nation)
    # Swedish infantry comes to fight in Finland (86.43).
    volunteers = nation == VOLUNTEERS and border_war_escalated(s, "finland")
    if been or (s.pieces.has_unbuilt_regulars(nation) and not volunteers):
        return None
    # Who is to be set up by an order is not set up by a report, whatever border war there was before.
    if deployer(s, nation):
        return f"{name} is set up first: deploy"
    if volunteers or (nation in SET_UP_ANEW and border_war_fought(s, nation)):
        return None  # how the second are set up then is told elsewhere (66, 67)
    fallen = s.countries[country_of(s, nation)].status == "conquered"
    told = "was conquered; its units are out of play" if fallen else "has not been attacked and stands with nobody"
    return f"{name} {told}"


def _gone_one_by_one(s: State, cmd: ReportUnits) -> tuple[str, str]:
    """Units that a change of sides eliminated, and ships that were sunk: by which clause, and how that is told."""
    nation, unit, what = cmd.nation, undamaged(cmd.unit), branch_of(cmd.unit)
    gone, had = gone_for_good(s, nation, unit), had_before_switch(s, nation, unit)
    level = force_level(s, nation, unit) or had
    if gone and level and counters_in_being(s, nation, unit) + cmd.count > level - gone:
        clause = built_again_by(s, nation, "naval") if what == "naval" else "85.53A"
        return clause, f"{gone} {unit} of {called(nation)} left play for good, of {level}"
    # What Vichy France has lost, though no table tells what it has, is rebuilt by an order, or not at all.
    lost = s.pieces.count(VICHY, UNBUILT, unit) or (what == "naval" and gone)
    if nation != VICHY or not lost or had or units_off_map(s, VICHY, cmd.unit) >= cmd.count:
        return "", ""  # after a change of sides its own clause knows what it had; others only left another place
    return built_again_by(s, VICHY, what), f"Vichy France has lost {unit}: built again by rebuild, if at all"


@limit(
    "82.61",
    on=ReportUnits,
    when=_listed_units,
    excusable=True,
)
def reported_within_table(s: State, cmd: ReportUnits) -> str | None:
    """No more units of a kind are in play than the force table gives."""
    unit = undamaged(cmd.unit)  # a damaged ship is one of its kind
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


@limit(
    "82.41",
    on=ReportWar,
    when=lambda s, cmd: s.options.declarations == "ordered" and any(it in countries() for it in cmd.between),
    also=("82.35", "82.42", "82.62", "84.42", "85.42"),
    excusable=True,
)
def wars_are_declared(s: State, cmd: ReportWar) -> Iterator[Finding]:
    """War on a minor country begins with a declaration that is paid for; who stands with a power is in its wars."""
    country = next(it for it in cmd.between if it in countries())
    # In the Pacific all but Thailand come into the war with a power (82.93).
    free = countries()[country].theater == "europe" or country == "thailand"
    if free and s.countries[country].status in STANDS_ALONE:
        power, name = next((it for it in cmd.between if it in powers()), ""), called(country)
        told = f"a war of {called(power)} on {name} is declared and paid for: declare_war" if power else ""
        by_itself = cmd.declared_by == country or not power
        told = f"{name} declares war on nobody: a power declares it" if by_itself else told
        yield Refusal("82.41", told, also=("82.62",))
    for it in () if drawn_in(s, cmd.between) else cmd.between:
        standing = s.countries.get(it)
        if standing is not None and standing.status in BELONGING and standing.by:
            name = f"{called(it)} is {standing.status} ({called(standing.by)})"
            told = f"{name}: at war as that power is, and with nobody else"
            yield Refusal("82.42", told, also=("82.35", "84.42", "85.42"))
            return


@order("82.83B", "A country that fights alone holds what it has retaken", on=ReportRecovery)
def report_recovery(p: Proceedings, cmd: ReportRecovery) -> None:
    # Vichy France's own hexes are those of its set-up; others that were French it holds in its name.
    own = set_up_hexes(VICHY) if cmd.country == VICHY else _home(p.s, cmd.country)
    take_places(p, {key: "" if key in own else cmd.country for key in cmd.places})
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
    standing = s.countries[cmd.country]
    # What Russia holds of it undeclared it takes back; what Russia has conquered is decided (86.24).
    undecided = all(holder(s, it) == "russia" and not part_fallen(s, it) for it in cmd.places)
    border_war = undecided and not standing.by and border_war_fought(s, cmd.country)
    if border_war or any(fights_alone(s, it) for it in acting):
        return None
    told = f"what it takes is {called(standing.by)}'s: report_control" if standing.by else "it fights nobody"
    if standing.status == "conquered":
        told = "it takes nothing back by itself"
    return f"{called(cmd.country)} is {standing.status}; {told}"


@limit("82.83C", on=ReportRecovery)
def recovers_at_home(s: State, cmd: ReportRecovery) -> str | None:
    """A country that fights alone takes back only what is its own: its ground units stay at home."""
    at_home = _home(s, cmd.country)
    for place in cmd.places:
        if place not in at_home:
            return f"{place_called(place)} is not in {called(cmd.country)}"
        if holder(s, place) not in powers():
            return f"{place_called(place)} is in nobody else's hands"
    return None
