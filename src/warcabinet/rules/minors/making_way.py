"""Units in the capital of a country that is attacked or joins the other side make way for its own (82.56)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Choice
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import Displace, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened_to
from warcabinet.model.traits import capital
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import at_war, attackers_of
from warcabinet.rules.common.duties import Duty, duty
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import (
    BOUND,
    armed_units_at,
    faction,
    land_beside,
    move_units,
    patron,
    side_of,
    units_at,
)
from warcabinet.rules.kinds import limit, opening, order
from warcabinet.rules.minors.alliance import pooled_by_switch
from warcabinet.rules.minors.attack import taken_by_force
from warcabinet.rules.minors.forces_of_minors import forces_deployed, set_up_anew, without_forces
from warcabinet.rules.minors.stacking import enemies, may_stack
from warcabinet.rules.minors.status import all_hexes, give_back


def intruders(s: State, country: str) -> list[Stack]:
    """Ground units in the capital of sides that the country has turned against."""
    at = "" if _left_where_he_stands(s, country) or taken_by_force(s, country) else capital(country)
    mine = side_of(s, country)
    return [
        it
        for it in (units_at(s, at) if at else ())
        if it.nation != country and it.branch == "ground" and side_of(s, it.nation) != mine and _hostile(s, it, country)
    ]


def _left_where_he_stands(s: State, country: str) -> bool:
    """Whether a country switched sides: the enemy stays where he stands, whatever comes later (85.53B, R-2400)."""
    return pooled_by_switch(s, country, s.countries[country].by)


def intruders_of(s: State, country: str, power: str) -> list[Stack]:
    """Those of them that a power commands, and for which it chooses the hex."""
    return [it for it in intruders(s, country) if patron(s, it.nation) == power]


def _hostile(s: State, stack: Stack, country: str) -> bool:
    if not patron(s, stack.nation):
        return False  # units of a neutral country oppose nobody, and nobody could place them elsewhere
    side = side_of(s, stack.nation)
    standing = s.countries[country]
    at_war_with = any(at_war(s, country, it) for it in powers() if faction(s, it) == side)
    return at_war_with or (standing.status in BOUND and faction(s, standing.by) != side)


@order("82.56", "Ground units in the capital of a country that turned against them are placed beside it", on=Displace)
def displace(p: Proceedings, cmd: Displace) -> None:
    at, to = capital(cmd.country), place_key(cmd.to)
    for stack in intruders_of(p.s, cmd.country, cmd.by):
        move_units(p, stack.nation, stack.unit, at, to, stack.count)
    held = holder(p.s, at) in powers() and faction(p.s, holder(p.s, at)) == faction(p.s, cmd.by)
    if held and not intruders(p.s, cmd.country):
        standing = p.s.countries[cmd.country]
        if standing.status in BOUND:
            p.do(ControlChanged((at,), standing.by))
        else:
            give_back(p, cmd.country, (at,), "82.56")
    if _occupied_anew(p.s, cmd, to):
        p.do(ControlChanged((to,), cmd.by))


def _occupied_anew(s: State, cmd: Displace, place: str) -> bool:
    """Whether displaced units now occupy a hex of a country that they fight (R-2061)."""
    standing, held_by = s.countries[cmd.country], holder(s, place)
    theirs = held_by == cmd.country or (standing.status in BOUND and held_by == standing.by)
    side = faction(s, cmd.by)
    attacked = any(faction(s, it) == side for it in attackers_of(s, cmd.country))
    fights = attacked or (standing.by != "" and at_war(s, cmd.by, standing.by))
    return theirs and fights and place in all_hexes(s, cmd.country)


@opening("82.56", "Countries in whose capital units must make way", on=Displace)
def units_to_displace(s: State, cmd: Displace) -> Choice:
    return Choice(
        "country", tuple(to_be_cleared(s)), "no units stand in the capital of a country that turned against them"
    )


@limit("82.56", "Displaced units go from the capital to a hex beside it", on=Displace)
def displaced_beside_capital(s: State, cmd: Displace) -> str | None:
    if cmd.country not in to_be_cleared(s) or not intruders_of(s, cmd.country, cmd.by):
        return f"no ground units of {powers()[cmd.by].name} stand in the capital of {countries()[cmd.country].name}"
    if cmd.to is not None and place_key(cmd.to) not in land_beside(capital(cmd.country)):
        return f"{cmd.to} is not a land hex adjacent to the capital"
    return None


def _struck(s: State) -> list[str]:
    """Countries that were attacked or turned in this player turn, until movement: then a capital is taken by force.

    For that of one whose forces are yet to be set up, because it was told of late, nobody can have fought.
    """
    if not s.player:
        return []
    struck = happened_to(s, ("attacked", "diplomatic result", "turned", "joined"), "player turn")
    if s.step > calendar.step_index(s.player, "set-up of attacked minors"):
        return [it for it in struck if _yet_to_be_set_up(s, it)]
    return struck


def _yet_to_be_set_up(s: State, country: str) -> bool:
    """Whether a European country has forces that have never been on the map, or that are set up anew."""
    if countries()[country].theater != "europe":
        return False
    been_on_map = forces_deployed(s, country) or s.pieces.has_unbuilt_regulars(country)
    return set_up_anew(s, country) or not (been_on_map or without_forces(s, country))


def to_be_cleared(s: State) -> list[str]:
    """Countries attacked or turned in this player turn in whose capital the other side still stands."""
    return [it for it in _struck(s) if intruders(s, it)]


@limit("82.56", on=Advance, when=lambda s, cmd: bool(_struck(s)))
def capitals_cleared(s: State, cmd: Advance) -> str | None:
    """Units in the capital of a country that is attacked or turns are placed beside it before play goes on."""
    waiting = to_be_cleared(s)
    return f"ground units must be displaced from the capital of {', '.join(map(called, waiting))}" if waiting else None


@duty
def capitals_to_clear(s: State) -> Iterator[Duty]:
    for country in to_be_cleared(s):
        told = f"displace ground units from the capital of {called(country)}"
        for owner in sorted({patron(s, it.nation) for it in intruders(s, country)}):
            yield Duty("82.56", told, (owner,), "displace", {"country": country})


# -- where they are not put ----------------------------------------------------------------------------------------


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


@limit("82.56", on=(ReportMove, ReportLoss, ReportUnits), when=lambda s, cmd: bool(to_be_cleared(s)))
def displaced_by_order(s: State, cmd: ReportMove | ReportLoss | ReportUnits) -> str | None:
    """Units that must make way in a capital are placed beside it, not reported elsewhere or lost."""
    nation, place = _leaving(cmd)
    for country in to_be_cleared(s):
        if place == capital(country) and any(it.nation == nation for it in intruders(s, country)):
            return unless_excused(cmd, f"they make way in the capital of {countries()[country].name}: displace")
    return None
