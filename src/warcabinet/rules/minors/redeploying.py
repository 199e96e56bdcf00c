"""Ways of minor allies' ground units: never through areas that are closed to them (85.46, 85.461).

Nor do they lead through countries that are closed to the power which they follow (82.41, 82.42). Whose the hexes on the
way are otherwise is judged by chapters that are played outside.
"""

from __future__ import annotations

from heapq import heappop, heappush

from warcabinet.board.maps import europe
from warcabinet.board.seas import ports
from warcabinet.board.supply import reach
from warcabinet.kernel.kept import once
from warcabinet.kernel.lasting import lasting
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import Quiet, tracing
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.names import called, countries
from warcabinet.model.places import board_of, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import NR, REDEPLOYMENTS, TR
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import country_of, friendly, patron, side_of
from warcabinet.rules.common.presence import presences
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import at_home, european, has_port, in_area, land
from warcabinet.rules.minors.ground import entry_closed
from warcabinet.rules.minors.lent import eastern, in_vichy_colony, lent_units, lent_units_left
from warcabinet.rules.minors.staying import AFTER_COMBAT, ASIANS, places_left, stands_again, units_off_map

#: Redeployment by ships, and the kind that does not say by which way; the other two lead over land.
PERHAPS_BY_SEA = (NR, "redeployment")
#: Movement that leads over land.
ON_FOOT = ("movement", "exploitation", "advance")
#: Movement by ships, which take units on board in a port.
ON_BOARD = ("sea transport", "seaborne invasion")
#: How Spaniards do not pass through the western front, as they do by ships and strategic redeployment (85.46E).
NOT_THROUGH = (*ON_FOOT, TR)


@once
def open_land(s: State, nation: str) -> int:
    """The European hexes that are open to a nation's units, as a bitmap; why each of them is need not be told."""
    with tracing(Quiet()):
        return europe().bits(it.key for it in europe() if it.is_land and _open_to(s, nation, it.key))


def _open_to(s: State, nation: str, place: str) -> bool:
    """Whether a nation's units may pass a place: it lies in their area, and is not closed to the power they follow."""
    return in_area(s, nation, place) and not _closed_to_leader(s, nation, place)


def _closed_to_leader(s: State, nation: str, place: str) -> bool:
    """Whether a place lies in a neutral country, or is that of a power at peace with the one that leads a nation.

    As with what units enter, a position that does not know the wars leaves this to the table.
    """
    if s.options.declarations != "ordered" or at_home(nation, place):
        return False
    return entry_closed(s, nation, place)


def _leads_to(s: State, nation: str, place: str) -> int:
    """The hexes to which open land leads from a place; out of a country that was closed behind them they may go."""
    there = europe().bits((place,)) if in_area(s, nation, place) else _country_around(land(place)[0])
    return reach(europe(), (place,), open_land(s, nation) | there)


@lasting
def _country_around(country: str) -> int:
    """The land hexes of a country, as a bitmap."""
    return europe().bits(it.key for it in europe() if it.is_land and it.country == country)


def _port_beside(s: State, nation: str, place: str) -> bool:
    """Whether open land leads from a place to a port that the nation's side holds."""
    there, side = _leads_to(s, nation, place), side_of(s, nation)
    held = (it for it in ports(europe()).values() if there & europe().single[it])
    return any(friendly(s, f"{europe().name}/{it}", side) for it in held)


def _taken_on_board(s: State, nation: str, place: str) -> bool:
    """Whether ships can take units from a place: open land leads to a port, or there is none on their island at all."""
    # Most of those who go by sea stand in a port already.
    here = has_port(place) and friendly(s, place, side_of(s, nation))
    return here or _port_beside(s, nation, place) or not _port_by_land(place)


@lasting
def _port_by_land(place: str) -> bool:
    """Whether land leads from a place to any port."""
    around = reach(europe(), (place,), europe().land)
    return any(around & europe().single[it] for it in ports(europe()).values())


def _way_by_land(s: State, nation: str, origin: str, to: str) -> bool:
    """Whether open land leads from a place to another: looked for towards it, so few hexes are asked about."""
    board, country = europe(), "" if in_area(s, nation, origin) else land(origin)[0]
    start, goal = board[origin].id, board[to].id
    ahead, seen = [(0, start)], board.single[start]
    with tracing(Quiet()):
        while ahead:
            _, here = heappop(ahead)
            if here == goal:
                return True
            around = board.spread(board.single[here], board.ground_sides) & ~seen
            seen |= around
            for beside in map(board.__getitem__, board.ids(around)):
                if _open_to(s, nation, beside.key) or (country and beside.country == country):
                    heappush(ahead, (board.distance(beside.id, goal), beside.id))
    return False


@definition("85.461", "A way leads from one place to another on which a nation's ground units enter no closed area")
def open_way(s: State, nation: str, origin: str, to: str, how: str) -> bool:
    goal = europe().single[to]
    if how not in ON_BOARD and _way_by_land(s, nation, origin, to):
        return True
    if how in ON_BOARD or not reach(europe(), (origin,), europe().land) & goal:
        # To where no land leads at all they go by sea, whatever that is called.
        return _taken_on_board(s, nation, origin)
    # Ships do not take them on board where no open ground leads to a port.
    return how in PERHAPS_BY_SEA and _port_beside(s, nation, origin) and _port_beside(s, nation, to)


def _restricted(s: State, cmd: MoveUnits | ReportUnits) -> bool:
    """Whether units of a European minor ally move that do not pass through areas in which they may not stay.

    Vichy units are restricted nowhere (85.46H); how reported Spaniards went is not told.
    """
    if cmd.nation not in countries() or cmd.nation == VICHY:
        return False
    if cmd.nation == "spain" and (isinstance(cmd, ReportUnits) or cmd.how not in NOT_THROUGH):
        return False
    return countries()[cmd.nation].theater == "europe" and s.countries[cmd.nation].status == "allied"


def _closed_way(s: State, cmd: MoveUnits) -> str | None:
    if parse_unit(cmd.unit)[0].branch != "ground":
        return None
    origin, to = place_key(cmd.from_), place_key(cmd.to)
    # Where they may not go at all 85.46 refuses it, or 82.41.
    if {board_of(origin), board_of(to)} != {europe().name} or not _open_to(s, cmd.nation, to):
        return None
    if open_way(s, cmd.nation, origin, to, cmd.how):
        return None
    way = f"every way to {cmd.to} or to a port" if cmd.how not in ON_FOOT else f"over land every way to {cmd.to}"
    return f"{called(cmd.nation)}: {way} leads through areas that its units may not enter"


@limit("85.461", on=MoveUnits, when=lambda s, cmd: cmd.how in REDEPLOYMENTS and _restricted(s, cmd))
def not_redeployed_through(s: State, cmd: MoveUnits) -> str | None:
    """Ground units of a minor ally are not redeployed through areas that are closed to it."""
    return _closed_way(s, cmd)


@limit("85.46", on=MoveUnits, when=lambda s, cmd: cmd.how in (*ON_FOOT, *ON_BOARD) and _restricted(s, cmd))
def not_moved_through(s: State, cmd: MoveUnits) -> str | None:
    """A minor ally's units do not move through areas closed to it, on foot or to the ships that carry them."""
    return _closed_way(s, cmd)


@limit(
    "85.46",
    on=ReportUnits,
    when=lambda s, cmd: cmd.count > 0 and _restricted(s, cmd) and units_off_map(s, cmd.nation, cmd.unit) > 0,
    also=("85.461",),
)
def not_reported_through(s: State, cmd: ReportUnits) -> Refusal | None:
    """A minor ally's units are not reported where no open way, over land or to a port, leads from a place they left."""
    to, left = place_key(cmd.at), places_left(s, cmd.nation, cmd.unit)
    if parse_unit(cmd.unit)[0].branch != "ground" or {board_of(it) for it in (to, *left)} != {europe().name}:
        return None
    # How they went is not told: by any way that is open to them in this phase.
    redeployed = s.place.step.name == "redeployment"
    hows = ("redeployment",) if redeployed else ("movement", "sea transport")
    ways = (open_way(s, cmd.nation, it, to, how) for it in left for how in hows)
    if not _open_to(s, cmd.nation, to) or not left or any(ways):
        return None
    why = f"{called(cmd.nation)}: every way to {cmd.at} leads through areas that its units may not enter"
    told = unless_excused(cmd, why)
    return Refusal("85.461" if redeployed else "85.46", told) if told else None


@limit(
    "84.45E",
    on=ReportUnits,
    when=lambda s, cmd: (
        s.place.step.name in AFTER_COMBAT
        and any(it.regular for it in presences(cmd))
        and _kept_from_redeploying(s, cmd)
    ),
    also=("82.83A",),
)
def not_redeployed_by_report(s: State, cmd: ReportUnits) -> Refusal | None:
    """Units that leave a place and come to another after combat are redeployed, as a report tells it too."""
    status = s.countries[country_of(s, cmd.nation)].status
    told = unless_excused(cmd, f"{called(cmd.nation)} is {status}: its units are not redeployed")
    return Refusal("84.45E" if status == "associated" else "82.83A", told) if told else None


def _kept_from_redeploying(s: State, cmd: ReportUnits) -> bool:
    """Whether units that come are those of an associated or independent country, and left another place before."""
    if cmd.nation not in ASIANS and not european(cmd.nation):
        return False
    if not units_off_map(s, cmd.nation, cmd.unit) or stands_again(s, cmd) or _vichy_may(s, cmd):
        return False
    if cmd.nation in ASIANS:
        return patron(s, cmd.nation) != "" or cmd.nation == DUTCH
    if s.countries[cmd.nation].status == "associated":
        # To, from and within the eastern front lent ones are redeployed; who comes home is missing in the east.
        may = eastern(s, cmd.at) or lent_units_left(s, cmd.nation, cmd.unit) >= cmd.count
        return not (lent_units(s, cmd.nation, cmd.unit) and may)
    return fights_alone(s, cmd.nation)


def _vichy_may(s: State, cmd: ReportUnits) -> bool:
    """Whether these are Vichy units that may be redeployed: while it fights alone, or to a colony of its own."""
    alone = s.countries[VICHY].status != "associated"
    return cmd.nation == VICHY and (alone or in_vichy_colony(s, cmd.at))
