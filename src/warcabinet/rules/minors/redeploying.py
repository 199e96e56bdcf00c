"""Ways of minor allies' ground units, never through closed areas, and units that make way (85.46, 85.461).

Nor do they lead through countries that are closed to the power which they follow (82.41, 82.42). Whose the hexes on the
way are otherwise is judged by chapters that are played outside.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from warcabinet.board.maps import europe
from warcabinet.board.seas import ports
from warcabinet.board.supply import reach
from warcabinet.kernel.kept import lasting, once
from warcabinet.kernel.limits import Choice, Finding, Refusal
from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import Displace, MoveUnits, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import NOWHERE, Place, board_of, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened_to
from warcabinet.model.traits import DUTCH, VICHY, capital
from warcabinet.model.units import unit_branch
from warcabinet.rules.common import pieces
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.waiting import Duty, duty, nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import at_war, attackers_of
from warcabinet.rules.common.ways import NR, REDEPLOYMENTS, TR
from warcabinet.rules.kinds import definition, limit, order
from warcabinet.rules.minors import staying
from warcabinet.rules.minors.areas import enemies, may_stack, minor_ally
from warcabinet.rules.minors.association import fights_alone, pooled_by_switch
from warcabinet.rules.minors.attack import taken_by_force
from warcabinet.rules.minors.forces_of_minors import forces_deployed, set_up_anew, without_forces
from warcabinet.rules.minors.geography import at_home, european, has_port, land
from warcabinet.rules.minors.ground import entry_closed, in_area, like
from warcabinet.rules.minors.status import all_hexes, give_back
from warcabinet.rules.minors.units import phases_of

#: Redeployment by ships, and the kind that does not say by which way; the other two lead over land.
PERHAPS_BY_SEA = (NR, "redeployment")
#: Movement that leads over land.
ON_FOOT = ("movement", "exploitation", "advance")
#: Movement by ships, which take units on board in a port.
ON_BOARD = ("sea transport", "seaborne invasion")
#: Ways that lead through areas, and not only over them.
ON_THE_WAY = (*REDEPLOYMENTS, *ON_FOOT, *ON_BOARD)
#: How Spaniards do not pass through the western front, as they do by ships and strategic redeployment (85.46E).
NOT_THROUGH = (*ON_FOOT, TR)


@once
def open_land(s: State, nation: str) -> int:
    """The European hexes that are open to a nation's units, as a bitmap; why each of them is need not be told."""
    with quietly():
        return reduce(or_, (land for first, land in _alike_land(s).items() if _open_to(s, nation, first)), 0)


@once
def _alike_land(s: State) -> dict[Place, int]:
    """The land hexes of Europe that lie and stand as one of them does, as a bitmap, by that one."""
    found: dict[Place, int] = {}
    for place, bit in _land():
        first = like(s, place)
        found[first] = found.get(first, 0) | bit
    return found


@lasting
def _land() -> tuple[tuple[Place, int], ...]:
    """The land hexes of Europe, each with its bit."""
    return tuple((it.key, europe().single[it.key]) for it in europe() if it.is_land)


@once
def _open_to(s: State, nation: str, place: Place) -> bool:
    """Whether a nation's units may pass a place: it lies in their area, and is not closed to the power they follow.

    As with what units enter, a position that does not know the wars leaves the second to the table.
    """
    judged = s.options.declarations == "ordered" and not at_home(nation, place)
    return in_area(s, nation, place) and not (judged and entry_closed(s, nation, place))


def _leads_to(s: State, nation: str, place: Place) -> int:
    """The hexes to which open land leads from a place; out of a country that was closed behind them they may go."""
    there = europe().bits((place,)) if in_area(s, nation, place) else _country_around(land(place)[0])
    return reach(europe(), (place,), open_land(s, nation) | there)


@lasting
def _country_around(country: str) -> int:
    """The land hexes of a country, as a bitmap."""
    return europe().bits(it.key for it in europe() if it.is_land and it.country == country)


def _port_beside(s: State, nation: str, place: Place) -> bool:
    """Whether open land leads from a place to a port that the nation's side holds."""
    there, side = _leads_to(s, nation, place), pieces.side_of(s, nation)
    held = (it for it in ports(europe()).values() if there & europe().single[it])
    return any(pieces.friendly(s, Place(f"{europe().name}/{it}"), side) for it in held)


def _taken_on_board(s: State, nation: str, place: Place) -> bool:
    """Whether ships can take units from a place: open land leads to a port, or there is none on their island at all."""
    # Most of those who go by sea stand in a port already.
    here = has_port(place) and pieces.friendly(s, place, pieces.side_of(s, nation))
    return here or _port_beside(s, nation, place) or not _port_by_land(place)


@lasting
def _port_by_land(place: Place) -> bool:
    """Whether land leads from a place to any port."""
    around = reach(europe(), (place,), europe().land)
    return any(around & europe().single[it] for it in ports(europe()).values())


@definition("85.461", "A way leads from one place to another on which a nation's ground units enter no closed area")
def open_way(s: State, nation: str, origin: Place, to: Place, how: str) -> bool:
    goal = europe().single[to]
    if how not in ON_BOARD and _leads_to(s, nation, origin) & goal:
        return True
    if how in ON_BOARD or not reach(europe(), (origin,), europe().land) & goal:
        # To where no land leads at all they go by sea, whatever that is called.
        return _taken_on_board(s, nation, origin)
    # Ships do not take them on board where no open ground leads to a port.
    return how in PERHAPS_BY_SEA and _port_beside(s, nation, origin) and _port_beside(s, nation, to)


def _hows(s: State, it: Presence) -> tuple[str, ...]:
    """By which ways units went; of reported ones that is not told: by any that is open to them in this phase."""
    if not it.reported:
        return (it.how,) if it.how in ON_THE_WAY else ()
    return ("redeployment",) if s.place.step.name == "redeployment" else ("movement", "sea transport")


def _on_its_way(s: State, it: Presence) -> bool:
    """Whether ground units of a European minor ally move that do not pass through areas in which they may not stay.

    Vichy units are restricted nowhere (85.46H); how reported Spaniards went is not told.
    """
    if not minor_ally(s, it.nation) or it.nation == VICHY or not isinstance(it.cmd, (MoveUnits, ReportUnits)):
        return False
    if it.nation == "spain" and (it.reported or it.how not in NOT_THROUGH):
        return False
    return european(it.nation) and it.brings("ground") and bool(_hows(s, it))


@barred("85.46", acts=("enter",), when=_on_its_way)
def not_moved_through(s: State, it: Presence) -> Refusal | None:
    """A minor ally's ground units do not pass closed areas: redeployed, on foot or to the ships that carry them."""
    nation, to, hows = it.nation, it.at, _hows(s, it)
    left = staying.places_left(s, nation, it.units[0]) if it.reported else [it.origin]
    # Where they may not go at all 85.46 refuses it, or 82.41.
    if not left or {board_of(one) for one in (to, *left)} != {europe().name} or not _open_to(s, nation, to):
        return None
    if any(open_way(s, nation, origin, to, how) for origin in left for how in hows):
        return None
    way = f"over land every way to {it.place}" if set(hows) <= set(ON_FOOT) else f"every way to {it.place} or to a port"
    told = f"{called(nation)}: {way} leads through areas that its units may not enter"
    return Refusal("85.461" if hows[0] in REDEPLOYMENTS else "85.46", told)


def _kept_as(s: State, it: Presence) -> str:
    """How the country stands whose units are redeployed, if it is one: as an associate, or as one that fights alone."""
    if it.nation not in (*countries(), DUTCH) or (it.reported and not it.regular) or it.cmd.__class__ is Displace:
        return ""
    country = pieces.country_of(s, it.nation)
    if s.countries[country].status == "associated":
        return "associated"
    return "independent" if fights_alone(s, country) else ""


@barred("84.45E", acts=("enter",), when=lambda s, it: _redeployed(s, it) and _kept_as(s, it) != "")
def not_redeployed(s: State, it: Presence) -> Refusal | None:
    """Units of associated and independent countries are not redeployed, whatever that is called."""
    told = f"{called(it.nation)}: its units are not redeployed"
    if _kept_as(s, it) != "associated":
        return None if "redeployment" in phases_of(s, it.nation) else Refusal("82.83A", told)
    lends = it.nation in staying.LENDERS
    if lends and (staying.moves_as_lent(s, it) or (it.nation == VICHY and staying.in_colony(s, it))):
        return None
    if lends and staying.eastern(s, it.at):
        told += "; lent ones are, to the eastern front (report_lent)"
    return Refusal("84.45E", told)


def _redeployed(s: State, it: Presence) -> bool:
    """Whether units are redeployed: so is all that moves in that phase, or left a place and stands at another then."""
    if not it.reported:
        return s.place.step.name == "redeployment" or it.how in REDEPLOYMENTS
    if not isinstance(it.cmd, ReportUnits) or s.place.step.name not in staying.AFTER_COMBAT:
        return False
    return staying.units_off_map(s, it.nation, it.units[0]) > 0 and not staying.stands_again(s, it.cmd)


def intruders(s: State, country: str) -> list[Stack]:
    """Ground units in the capital of sides that the country has turned against."""
    # Where it switched sides the enemy stays where he stands, whatever comes later (85.53B, R-2400).
    stays = pooled_by_switch(s, country, s.countries[country].by) or taken_by_force(s, country)
    at = NOWHERE if stays else capital(country)
    mine = pieces.side_of(s, country)
    return [
        it
        for it in (pieces.units_at(s, at) if at else ())
        if it.nation != country
        and it.branch == "ground"
        and pieces.side_of(s, it.nation) != mine
        and _hostile(s, it, country)
    ]


def intruders_of(s: State, country: str, power: str) -> list[Stack]:
    """Those of them that a power commands, and for which it chooses the hex."""
    return [it for it in intruders(s, country) if pieces.patron(s, it.nation) == power]


def _hostile(s: State, stack: Stack, country: str) -> bool:
    if not pieces.patron(s, stack.nation):
        return False  # units of a neutral country oppose nobody, and nobody could place them elsewhere
    side = pieces.side_of(s, stack.nation)
    standing = s.countries[country]
    at_war_with = any(at_war(s, country, it) for it in powers() if pieces.faction(s, it) == side)
    return at_war_with or (standing.status in pieces.BOUND and pieces.faction(s, standing.by) != side)


@order("82.56", "Ground units in the capital of a country that turned against them are placed beside it", on=Displace)
def displace(p: Proceedings, cmd: Displace) -> None:
    at, to = capital(cmd.country), cmd.to
    for stack in intruders_of(p.s, cmd.country, cmd.by):
        pieces.move_units(p, stack.nation, stack.unit, at, to, stack.count)
    held = holder(p.s, at) in powers() and pieces.faction(p.s, holder(p.s, at)) == pieces.faction(p.s, cmd.by)
    if held and not intruders(p.s, cmd.country):
        standing = p.s.countries[cmd.country]
        if standing.status in pieces.BOUND:
            p.do(ControlChanged((at,), standing.by))
        else:
            give_back(p, cmd.country, (at,), "82.56")
    if _occupied_anew(p.s, cmd, to):
        p.do(ControlChanged((to,), cmd.by))


def _occupied_anew(s: State, cmd: Displace, place: Place) -> bool:
    """Whether displaced units now occupy a hex of a country that they fight (R-2061)."""
    standing, held_by = s.countries[cmd.country], holder(s, place)
    theirs = held_by == cmd.country or (standing.status in pieces.BOUND and held_by == standing.by)
    side = pieces.faction(s, cmd.by)
    attacked = any(pieces.faction(s, it) == side for it in attackers_of(s, cmd.country))
    fights = attacked or (standing.by != "" and at_war(s, cmd.by, standing.by))
    return theirs and fights and place in all_hexes(s, cmd.country)


@limit("82.56", "Displaced units go from the capital to a hex beside it", on=Displace)
def displaced_beside_capital(s: State, cmd: Displace) -> Iterator[Finding]:
    waiting = tuple(to_be_cleared(s))
    yield Choice("country", waiting, "no units stand in the capital of a country that turned against them")
    if cmd.country not in waiting:
        return
    if not intruders_of(s, cmd.country, cmd.by):
        yield f"no ground units of {called(cmd.by)} stand in the capital of {called(cmd.country)}"
        return
    if cmd.to is None:
        return
    if cmd.to not in pieces.land_beside(capital(cmd.country)):
        yield f"{place_called(cmd.to)} is not a land hex adjacent to the capital"
        return
    there = [it.nation for it in pieces.armed_units_at(s, cmd.to) if it.branch != "partisan"]
    if set_up_anew(s, cmd.country):
        there = [it for it in there if it != cmd.country]  # they leave their hexes to be set up after this (82.52)
    for mine in (it.nation for it in intruders_of(s, cmd.country, cmd.by)):
        # To all who make way the country's own units are enemies, even if only an ally of theirs declared war on it.
        met = (it for it in there if it == cmd.country or (not may_stack(s, mine, it) and enemies(s, mine, it)))
        if enemy := next(met, ""):
            yield Refusal("84.45B", f"units of {called(enemy)}, an enemy, stand at {place_called(cmd.to)}")
            return


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
        for owner in sorted({pieces.patron(s, it.nation) for it in intruders(s, country)}):
            yield Duty("82.56", told, (owner,), "displace", {"country": country})


@limit("82.56", on=(ReportMove, ReportLoss, ReportUnits), when=lambda s, cmd: bool(to_be_cleared(s)), excusable=True)
def displaced_by_order(s: State, cmd: ReportMove | ReportLoss | ReportUnits) -> str | None:
    """Ground units that must make way in a capital are placed beside it, not reported elsewhere or lost."""
    if not any(unit_branch(it) == "ground" for it in units_going(cmd)):
        return None
    for country in to_be_cleared(s):
        if origin_of(cmd) == capital(country) and any(it.nation == nation_of(cmd) for it in intruders(s, country)):
            return f"they make way in the capital of {called(country)}: displace"
    return None
