"""Where units of minor countries are, attack and base, and by which ways they go (84.46, 85.46, 85.461, 89.51C).

One limit holds every nation to its area (`areas.py`), by order and by report; by exception lent ones are in the east,
others in colonies of theirs (`units.py`). Ways of minor allies' ground units lead through no closed area, nor through
countries that are closed to the power which they follow (82.41, 82.42); whose the hexes on the way are otherwise is
judged by chapters that are played outside. Units in the capital of a country that turned make way (82.56).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from warcabinet.board.maps import by_key, europe
from warcabinet.board.seas import ports
from warcabinet.board.supply import reach
from warcabinet.kernel.kept import lasting, once
from warcabinet.kernel.limits import Choice, Finding, Refusal
from warcabinet.kernel.why import note, quietly
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportLoss, ReportMove
from warcabinet.model.commands.minors import Displace, Mission, MoveUnits, ReportOperation, ReportUnits
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import ControlChanged
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import NOWHERE, Place, board_of, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, happened_to
from warcabinet.model.traits import DUTCH, NO_RAIDS, SCANDINAVIANS, VICHY, capital
from warcabinet.model.units import unit_branch
from warcabinet.rules.common import pieces
from warcabinet.rules.common.pieces import NEUTRAL, faction, land_beside, side_of, units_at
from warcabinet.rules.common.presence import ATTACKS, Presence, barred
from warcabinet.rules.common.waiting import Duty, duty, nation_of, origin_of, units_going
from warcabinet.rules.common.war_and_peace import at_war, attackers_of
from warcabinet.rules.common.ways import NR, REDEPLOYMENTS, TR
from warcabinet.rules.kinds import definition, limit, order
from warcabinet.rules.minors import units
from warcabinet.rules.minors.areas import ASIANS, enemies, may_stack, minor_ally
from warcabinet.rules.minors.association import fights_alone, pooled_by_switch
from warcabinet.rules.minors.attack import taken_by_force
from warcabinet.rules.minors.building import repaired_abroad
from warcabinet.rules.minors.forces_of_minors import forces_deployed, set_up_anew, without_forces
from warcabinet.rules.minors.geography import at_home, european, fronts, group, has_port, land, stranded
from warcabinet.rules.minors.ground import entry_closed, in_area, like
from warcabinet.rules.minors.operations import sails
from warcabinet.rules.minors.status import all_hexes, give_back

#: How air and naval units go to another base.
BASING = ("basing", "base change", "staging")
#: By which clause it is said again how far a nation's units go, and whom they do not attack.
SAID_AGAIN = {"thailand": ("89.51C",)}


def _restricted(s: State, nation: str, allied: str) -> str:
    """The clause that says how far a nation's units go, attack or base, if one does; `allied` is a minor ally's."""
    if nation == "vlasov" or nation in ASIANS:
        return "84.46B" if nation in ASIANS else "85.46I"
    if not european(nation):
        return ""
    status = s.countries[nation].status
    return allied if status == "allied" else "84.46A" if status == "associated" or fights_alone(s, nation) else ""


def area_clause(s: State, it: Presence) -> str:
    """The clause that says where a nation's units may be, if one does."""
    clause = _restricted(s, it.nation, "85.46")
    if clause == "85.46":
        branch = unit_branch(it.units[0])
        based = it.how in BASING or branch == "naval" or (branch == "air" and (not it.how or it.how in REDEPLOYMENTS))
        if it.nation == "rumania" and it.brings("naval") and it.at not in group("black_sea"):
            return "85.46A(3)"
        # They may attack what stands beside their area, and have a sentence of their own on advancing there.
        return "85.461" if based else "85.462" if it.how == "advance" else "85.46"
    if clause or not european(it.nation) or s.countries[it.nation].status == "commonwealth":
        return clause
    # What is said of a neutral that has no forces 82.51 refuses.
    known = s.pieces.has_regulars(it.nation) or s.pieces.has_unbuilt_regulars(it.nation)
    known = known or units.units_off_map(s, it.nation, it.units[0]) > 0
    forces = not it.reported or (known and s.countries[it.nation].status in NEUTRAL)
    return "84.46A" if forces or stranded(it.units[0], it.at) else ""


@barred(
    "84.46A",
    acts=("enter",),
    when=lambda s, it: it.regular,
    by=area_clause,
    covers=("82.83C", "84.46B", "85.46", "85.462", "85.46I", "89.51C"),
)
def stays_in_its_areas(s: State, it: Presence) -> Finding:
    """Units of a minor country stay in the areas open to it, ships in ports."""
    unit, clause = it.units[0], area_clause(s, it)
    if clause == "85.46A(3)":
        return f"{it.place} is not on the Black Sea"
    if it.how in BASING and clause == "85.461" and unit_branch(unit) not in ("air", "naval"):
        return "only air and naval units change base"
    # A Thai of whom it is reported that he left stands there again, or has moved.
    left = units.places_left(s, it.nation, unit) if it.reported else ["somewhere else"]
    if left and it.at not in left and (told := units.stand_still(s, it.nation)):
        return told
    if it.nation != "vlasov" and stranded(unit, it.at):
        return f"{it.place} is no port"
    # Where only some may be: lent ones, those in colonies of their country, ships to be repaired.
    abroad = units.moves_as_lent(s, it) or units.in_colony(s, it) or repaired_abroad(s, it.nation, unit, it.at)
    if abroad or in_area(s, it.nation, it.at):
        return None
    told = f"{called(it.nation)}: its units may not enter {it.place}{f' by {it.how}' if it.how else ''}"
    return Refusal(clause, told, also=SAID_AGAIN.get(it.nation, ()))


def _bound_to_bases(s: State, it: Presence) -> str:
    """By which clause aircraft or ships of a country fly or sail from its own bases, where it is said from where."""
    return "" if it.cmd.branch == "ground" else _restricted(s, it.nation, "85.461")


@barred("84.46A", acts=("operate",), by=_bound_to_bases, covers=("84.46B", "85.461"))
def operates_from_its_bases(s: State, it: Presence) -> str | None:
    """Aircraft and ships of a minor country operate from bases in its own areas."""
    # Lent ones are in the east, others in colonies of theirs (R-2140).
    lent = any(units.lent_units(s, it.nation, one.unit) for one in s.pieces.at(it.at) if one.nation == it.nation)
    abroad = units.in_own_colony(s, it.nation, it.at) or (lent and units.eastern(s, it.at))
    if in_area(s, it.nation, it.at) or (abroad and _bound_to_bases(s, it) == "84.46A"):
        return None
    return f"{called(it.nation)}'s {'aircraft' if it.cmd.branch == 'air' else 'ships'} do not base in {it.place}"


def _carried(it: Presence) -> bool:
    """Whether ships bring ground units ashore; on their way, at sea, they are nowhere yet."""
    carried = (it.cmd.branch, it.how) == ("ground", "sea transport")
    return carried and (it.at.startswith("box/") or by_key(it.at).is_land)


def _reach_clause(s: State, it: Presence) -> str:
    """By which clause a nation's ground units attack only so far, or a minor ally's are carried only so far."""
    if _carried(it):
        return "85.46" if minor_ally(s, it.nation) else ""
    return _restricted(s, it.nation, "85.462") if it.exact and it.how in ATTACKS and it.cmd.branch == "ground" else ""


@barred("84.46A", acts=("attack", "join"), by=_reach_clause, covers=("84.46B", "85.46I", "89.51C"))
def attacks_beside_its_areas(s: State, it: Presence) -> Finding:
    """Ground units of a minor country attack in the areas open to them, and next to these; ships carry them there."""
    clause = _reach_clause(s, it)
    # Who lands from the sea comes ashore in the hex itself, and not beside it.
    ashore = clause == "85.46" or (clause == "85.462" and _lands(it.cmd))
    abroad = clause == "84.46A" and units.fights_abroad(s, it.nation, it.at)
    if abroad or may_enter(s, it.nation, it.at, "advance" if ashore else "attack"):
        return None
    if clause == "85.46":
        return f"{called(it.nation)}: its units may not enter {it.place} by sea transport"
    return Refusal(clause, f"{called(it.nation)} may not attack {it.place}", also=SAID_AGAIN.get(it.nation, ()))


@limit(
    "84.46B",
    on=ReportOperation,
    also=("89.51C",),
    when=lambda s, cmd: cmd.nation == "thailand" and cmd.branch == "ground" and cmd.mission in ATTACKS,
)
def thais_spare_the_west(s: State, cmd: ReportOperation) -> str | None:
    """Thais do not attack Western Allied units."""
    western = bool(cmd.against) and side_of(s, cmd.against) == "western allies"
    return "Thai units do not attack Western Allied ones" if western else None


def _lands(cmd: ReportOperation) -> bool:
    """Whether ground units attack a coast from a coast that does not lie beside it."""
    coasts = (not it.startswith("box/") and by_key(it).seas for it in (cmd.origin, cmd.at))
    return bool(cmd.origin) and sails(cmd) and all(coasts)


@limit(
    "85.461",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "naval" and minor_ally(s, cmd.nation),  # not an associate's (R-0494)
)
def fleets_keep_to_their_seas(s: State, cmd: ReportOperation) -> str | None:
    """Rumanian ships keep to the Black Sea; Swedish, Spanish, Turkish and Vichy ships do not raid."""
    seas = by_key(cmd.at).seas if cmd.at and not cmd.at.startswith("box/") else ()
    if any(fleet_may_operate(s, cmd.nation, sea, cmd.mission) for sea in seas or ("",)):
        return None
    if cmd.mission == "raid":
        return f"{called(cmd.nation)}'s ships do not raid"
    return f"{called(cmd.nation)}'s ships operate only in the Black Sea" + ("" if seas else ": say in which hex (at)")


@definition("85.461", "Where a nation's ships may operate from their bases")
def fleet_may_operate(s: State, nation: str, sea: str, mission: Mission) -> bool:
    if nation == "rumania":
        note("rumanian_ships", "85.46A(3)", "black_sea")
        return sea == "black_sea"
    return not (nation in NO_RAIDS and mission == "raid")


@definition("85.46", covers=("89.51C",), also=("86.51",))
def may_enter(s: State, nation: str, place: Place, purpose: str) -> bool:
    """Whether a nation's units may enter a place for a purpose, attack there, or pass it by sea or redeployment."""
    if in_area(s, nation, place) and not (purpose == "attack" and nation == "thailand"):
        return True
    if purpose == "attack" and nation not in powers():
        # They may attack enemies next to their area, but not advance out of it; on its sea hexes nobody stands.
        note("beside_its_area", "85.462", True, nation)
        there = {side_of(s, it.nation) for it in units_at(s, place)} or {faction(s, holder(s, place))}
        if nation == "thailand" and "western allies" in there:
            note("thais_do_not_attack_the_west", "84.46B", True, place)
            return False
        return in_area(s, nation, place) or any(in_area(s, nation, it) for it in land_beside(place))
    if purpose not in ("sea transport", "redeployment") or not minor_ally(s, nation):
        return False
    if nation == "spain":
        note("passes_the_western_front", "85.46E", True, nation)
        return "western" in fronts(place)
    if nation not in SCANDINAVIANS:
        return False
    note("passes_the_norwegian_coast_and_the_baltic", "85.46D", True, nation)
    return place in group("norwegian_coast") or (not place.startswith("box/") and "baltic_sea" in by_key(place).seas)


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
    left = units.places_left(s, nation, it.units[0]) if it.reported else [it.origin]
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
        return None if "redeployment" in units.phases_of(s, it.nation) else Refusal("82.83A", told)
    lends = it.nation in units.LENDERS
    if lends and (units.moves_as_lent(s, it) or (it.nation == VICHY and units.in_colony(s, it))):
        return None
    if lends and units.eastern(s, it.at):
        told += "; lent ones are, to the eastern front (report_lent)"
    return Refusal("84.45E", told)


def _redeployed(s: State, it: Presence) -> bool:
    """Whether units are redeployed: so is all that moves in that phase, or left a place and stands at another then."""
    if not it.reported:
        return s.place.step.name == "redeployment" or it.how in REDEPLOYMENTS
    if not isinstance(it.cmd, ReportUnits) or s.place.step.name not in units.AFTER_COMBAT:
        return False
    return units.units_off_map(s, it.nation, it.units[0]) > 0 and not units.stands_again(s, it.cmd)


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
