"""Lent Spanish and Vichy French units, and Vichy reinforcements for its colonies (84.45E, 84.46A).

When units are lent is a matter of chapters that are played outside: the table reports it. Here is what follows.
"""

from __future__ import annotations

from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import MoveUnits, ReportLent
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import VICHY, home_hexes
from warcabinet.model.unit_lists import unbuilt, unbuilt_of
from warcabinet.rules.common.pieces import neighbours, units_of, units_of_kind
from warcabinet.rules.common.presence import Presence
from warcabinet.rules.common.war_and_peace import vichy_colony
from warcabinet.rules.kinds import definition, limit, order, remembered
from warcabinet.rules.minors.geography import fronts, in_area, land


@remembered("84.46A", "How many units of a kind a country has lent, as reported")
def lent_units(s: State, country: str, unit: str) -> int:
    return 0


@order("84.45E", "Units are lent to the power that leads their country", on=ReportLent)
def report_lent(p: Proceedings, cmd: ReportLent) -> None:
    lent_units.under("84.45E").note(p, cmd.count, "reported as lent", cmd.country, cmd.unit)


@limit("84.45E", "No more units are lent than the country has", on=ReportLent)
def lent_units_exist(s: State, cmd: ReportLent) -> Bound:
    there = sum(it.count for it in units_of_kind(s, cmd.country, cmd.unit))
    return Bound("count", most=there, text="units of that kind on the board")


#: The country that may lend units before its own forces are set up; those of Vichy are on the map from its beginning.
LENDS_AHEAD = "spain"
#: The countries whose units may be lent to the power that leads them.
LENDERS = (LENDS_AHEAD, VICHY)


def only_lent(s: State, nation: str) -> bool:
    """Whether nothing of a country is in play but what it lent, on the map or lost there: the rest is still at home."""
    if nation != LENDS_AHEAD or lent_units.name not in s.determinations:
        return False
    there = {it.unit for it in units_of(s, nation) if it.branch != "partisan"} | {it for it, _ in unbuilt(s, nation)}
    return bool(there) and all(units_in_play(s, nation, it) <= lent_units(s, nation, it) for it in there)


def units_in_play(s: State, nation: str, unit: str) -> int:
    """How many units of a kind are on the map or in the force pool."""
    return sum(it.count for it in units_of_kind(s, nation, unit)) + unbuilt_of(s, nation, unit)


@definition("84.46A", "A place in the east, to which lent units go; home they may always return")
def eastern(s: State, place: str) -> bool:
    return "eastern" in fronts(place_key(place))


def _abroad(s: State, nation: str, unit: str) -> int:
    """Units of a kind that stand on the eastern front outside their country."""
    away = (it for it in units_of_kind(s, nation, unit) if not in_area(s, nation, it.place))
    return sum(it.count for it in away if eastern(s, it.place))


@definition("84.46A", "How many more units of a kind a country may send to the eastern front, being lent")
def lent_units_left(s: State, nation: str, unit: str) -> int:
    return lent_units(s, nation, unit) - _abroad(s, nation, unit)


def moves_as_lent(s: State, it: Presence) -> bool:
    """Whether units may be where they go because they are lent: to, from and within the eastern front."""
    unit, origin = it.units[0], it.origin
    if not lent_units(s, it.nation, unit):
        return False
    if origin and eastern(s, origin) and not in_area(s, it.nation, origin):
        return eastern(s, it.at) or in_area(s, it.nation, it.at)
    return eastern(s, it.at) and it.count <= lent_units_left(s, it.nation, unit)


def fights_abroad(s: State, nation: str, place: str) -> bool:
    """Whether ground units attack from where only some may be: lent ones in the east, others in colonies of theirs."""
    away = [it for it in units_of(s, nation) if it.branch == "ground" and not in_area(s, nation, it.place)]
    if eastern(s, place) and any(lent_units(s, nation, it.unit) and eastern(s, it.place) for it in away):
        return True
    if not any(in_own_colony(s, nation, it.place) for it in away):
        return False
    return any(in_own_colony(s, nation, it) for it in (place_key(place), *neighbours(place_key(place))))


def reinforces_colony(s: State, cmd: MoveUnits) -> bool:
    """Whether Vichy units are redeployed to a Vichy colony, or move within one."""
    if cmd.nation != VICHY or not in_vichy_colony(s, cmd.to):
        return False
    note("vichy_reinforces", "84.45E", True, cmd.to)
    return cmd.how.endswith("redeployment") or land(place_key(cmd.to))[0] == land(place_key(cmd.from_))[0]


def stays_in_morocco(cmd: MoveUnits) -> bool:
    """Whether Spaniards who were first placed in Spanish Morocco move within it; none come there later (R-2140)."""
    return cmd.nation == "spain" and all(_spanish_morocco(it) for it in (cmd.from_, cmd.to))


def _spanish_morocco(place: str) -> bool:
    return place_key(place) in home_hexes("spanish_morocco")


def in_own_colony(s: State, nation: str, place: str) -> bool:
    """Whether a place lies in a colony in which units of its country may stand."""
    if nation == "spain":
        return _spanish_morocco(place)
    return nation == VICHY and in_vichy_colony(s, place)


def in_vichy_colony(s: State, place: str) -> bool:
    country = land(place_key(place))[0]
    return country in s.countries and vichy_colony(s, country)
