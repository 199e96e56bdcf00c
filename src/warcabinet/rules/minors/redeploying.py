"""Redeployment of minor allies' ground units: never through areas that are closed to them (85.461).

Whose the hexes on the way are is judged by chapters that are played outside. Here it is only asked whether a way leads
through areas in which the units may be.
"""

from __future__ import annotations

from warcabinet.board.maps import europe
from warcabinet.board.seas import ports
from warcabinet.board.supply import reach
from warcabinet.kernel.kept import once
from warcabinet.kernel.why import Quiet, tracing
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import called, countries
from warcabinet.model.places import board_of, place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import SR, TR
from warcabinet.rules.common.pieces import friendly, side_of
from warcabinet.rules.countries.traits import VICHY
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.geography import in_area

#: Redeployment that does not say by which way, and the two kinds that lead over land; ships carry the third.
AT_LARGE = "redeployment"
NOT_BY_SEA = (AT_LARGE, TR, SR)
#: Whose units pass through areas in which they may not stay, as volunteers do (85.46E, 85.46H).
PASS_THROUGH = ("spain", VICHY)


@once
def open_land(s: State, nation: str) -> int:
    """The European hexes that are open to a nation's units, as a bitmap; why each of them is need not be told."""
    with tracing(Quiet()):
        return europe().bits(it.key for it in europe() if it.is_land and in_area(s, nation, it.key))


def _leads_to(s: State, nation: str, place: str) -> int:
    """The hexes to which open land leads from a place."""
    return reach(europe(), (place,), open_land(s, nation) | europe().bits((place,)))


def _port_beside(s: State, nation: str, place: str) -> bool:
    """Whether open land leads from a place to a port that the nation's side holds."""
    there, side = _leads_to(s, nation, place), side_of(s, nation)
    held = (it for it in ports(europe()).values() if there & europe().single[it])
    return any(friendly(s, f"{europe().name}/{it}", side) for it in held)


@definition("85.461", "A way leads from one place to another on which a nation's ground units enter no closed area")
def open_way(s: State, nation: str, origin: str, to: str, how: str) -> bool:
    goal = europe().single[to]
    if _leads_to(s, nation, origin) & goal or not reach(europe(), (origin,), europe().land) & goal:
        return True  # to where no land leads at all they go by sea, whatever that is called
    return how == AT_LARGE and _port_beside(s, nation, origin) and _port_beside(s, nation, to)


def _led_through(s: State, cmd: MoveUnits) -> bool:
    """Whether units of a European minor ally are redeployed in a way that may lead over land."""
    if cmd.how not in NOT_BY_SEA or cmd.nation not in countries() or cmd.nation in PASS_THROUGH:
        return False
    return countries()[cmd.nation].theater == "europe" and s.countries[cmd.nation].status == "allied"


@limit(
    "85.461",
    "Ground units of a minor ally are not redeployed through areas that are closed to it",
    on=MoveUnits,
    when=_led_through,
)
def not_redeployed_through(s: State, cmd: MoveUnits) -> str | None:
    if parse_unit(cmd.unit)[0].branch != "ground":
        return None
    origin, to = place_key(cmd.from_), place_key(cmd.to)
    # Where they may not go at all 85.46 refuses it.
    if {board_of(origin), board_of(to)} != {europe().name} or not in_area(s, cmd.nation, to):
        return None
    if open_way(s, cmd.nation, origin, to, cmd.how):
        return None
    return f"{called(cmd.nation)}: over land every way to {cmd.to} leads through areas that its units may not enter"
