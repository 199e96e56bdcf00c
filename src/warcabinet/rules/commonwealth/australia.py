"""What is Australia's own: its ships, the outback, New Zealand (71.152C, 71.81, 71.91)."""

from __future__ import annotations

from warcabinet.board.maps import pacific
from warcabinet.kernel.limits import Bound
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.commonwealth import UseShipbuilding
from warcabinet.model.commands.minors import Rebuild, ReportIncrease, ReportUnits
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_cost
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import neighbours, units_of_kind
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.commonwealth.boxed import box_of, has_surrendered, outback
from warcabinet.rules.commonwealth.construction import POINT, own_construction_left
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.building import branch_of, commonwealth_cost, no_associated_ships
from warcabinet.rules.minors.commonwealth import shipbuilding_increases
from warcabinet.rules.minors.geography import has_port
from warcabinet.rules.minors.parts import ships_built_again
from warcabinet.rules.minors.repairs import is_shipyard

AUSTRALIA = "australia"
#: Two destroyer factors and two cruisers of two factors each are the most in play (71.152C).
SHIPS_IN_PLAY = 2


# -- ships --------------------------------------------------------------------------------------------------------


def _points(unit: str) -> int:
    """The shipbuilding points that a ship takes: one for each of its factors."""
    return unit_cost(unit) // POINT


@value("71.152C", "Shipbuilding points that Australia has in a turn: one, and what production added")
def shipbuilding_points(s: State) -> int:
    return 1 + shipbuilding_increases(s)


@value("71.152C", "Shipbuilding points that Australia has left this turn")
def shipbuilding_points_left(s: State) -> int:
    return max(0, shipbuilding_points(s) - total(s, "shipbuilding used", AUSTRALIA, "player turn"))


@remembered("71.152C", "Shipbuilding points put into Australian ships that are not finished")
def points_laid_down(s: State) -> int:
    return 0


def _lay_down(p: Proceedings, points: int, reason: str) -> None:
    points_laid_down.note(p, points_laid_down(p.s) + points, reason)


def lay_down_ships(p: Proceedings, points: int) -> None:
    """Points that the U.S. paid for go into ships that wait to be built; what no ship takes serves repairs."""
    wanted = sum(_points(unit) * count for unit, count in unbuilt(p.s, AUSTRALIA) if _ship(AUSTRALIA, unit))
    laid = min(points, max(0, wanted - points_laid_down(p.s)))
    if laid:
        _lay_down(p, laid, "paid by the U.S.")


@order("71.152C", on=UseShipbuilding, phases=("unit construction",))
def use_shipbuilding(p: Proceedings, cmd: UseShipbuilding) -> None:
    """Shipbuilding points are used: on ships that take more than a turn, or on repairs."""
    cost = POINT * cmd.points
    move_brps(p, cmd.power, -cost, f"Australian shipbuilding: {cmd.on}", Sink("brp", "unit construction"))
    p.do(Happened(Happening(p.s.moment, "spent", cmd.power, cost)))
    p.do(Happened(Happening(p.s.moment, "constructed", cmd.power, cost)), "71.153A")
    p.do(Happened(Happening(p.s.moment, "shipbuilding used", AUSTRALIA, cmd.points)))
    if cmd.on == "ships":
        _lay_down(p, cmd.points, "laid down")


@limit("71.152C", "No more shipbuilding points are used than Australia has", on=UseShipbuilding)
def points_there_are(s: State, cmd: UseShipbuilding) -> Bound:
    return Bound("points", most=shipbuilding_points_left(s), text="Australian shipbuilding points this turn")


@limit("71.152", "Australia uses no more shipbuilding points than its construction limit allows", on=UseShipbuilding)
def points_within_limit(s: State, cmd: UseShipbuilding) -> Bound:
    most = own_construction_left(s, AUSTRALIA) // POINT
    return Bound("points", most=most, text="three BRPs a point, within Australia's construction limit")


@limit("71.153A", on=UseShipbuilding)
def points_paid_by_britain(s: State, cmd: UseShipbuilding) -> Bound | str:
    """Britain pays for Australian shipbuilding points, within its own construction limit."""
    if cmd.power != "britain":
        return f"{powers()[cmd.power].name} does not; the U.S. pays by a grant to Australia (grant, shipbuilding)"
    most = min(construction_left(s, "britain"), spendable(s, "britain")) // POINT
    return Bound("points", most=most, text="three BRPs a point, within the British construction limit")


@limit("71.153A", on=UseShipbuilding, when=lambda s, cmd: reading_in_force(s, "R-0090") == "b")
def one_payer_for_ships(s: State, cmd: UseShipbuilding) -> str | None:
    """Under another reading Britain pays for no ships in a turn in which the U.S. pays (R-0090)."""
    granted = total(s, "granted for construction", f"usa {AUSTRALIA}", "turn")
    return "the U.S. pays for what Australia builds this turn, Britain does not" if granted else None


@limit("71.51D", "A country that surrendered builds no ships", on=UseShipbuilding)
def no_ships_after_surrender(s: State, cmd: UseShipbuilding) -> str | None:
    return "Australia has surrendered: nothing is built there" if has_surrendered(s, AUSTRALIA) else None


@definition("71.152C", displaces=ships_built_again, when=lambda s, nation: nation == AUSTRALIA)
def australian_ships_built(s: State, nation: str) -> bool:
    """Australian destroyers and cruisers that were lost may be built again."""
    return not has_surrendered(s, nation)


@definition(
    "71.51D",
    displaces=is_shipyard,
    when=lambda s, place, side: place == box_of(AUSTRALIA) and has_surrendered(s, AUSTRALIA),
)
def no_shipyard_after_surrender(s: State, place: str, side: str) -> bool:
    """After a surrender no ships are repaired in the Australia box."""
    return False


def _ship(nation: str, unit: str) -> bool:
    return nation == AUSTRALIA and branch_of(unit) == "naval"


@value("71.152C", displaces=commonwealth_cost, when=lambda s, nation, unit: _ship(nation, unit))
def ship_cost(s: State, nation: str, unit: str) -> int:
    """A ship costs three BRPs for each shipbuilding point that has not been put into it before."""
    return POINT * max(0, _points(unit) - points_laid_down(s))


@limit("71.152C", on=Rebuild, displaces=no_associated_ships, when=lambda s, cmd: _ship(cmd.country, cmd.unit))
def ships_within_points(s: State, cmd: Rebuild) -> str | None:
    """Australia builds its ships with shipbuilding points, two destroyer factors and two cruisers at most in play."""
    in_play = sum(it.count for it in units_of_kind(s, AUSTRALIA, cmd.unit))
    if in_play >= SHIPS_IN_PLAY:
        return f"{in_play} {cmd.unit} are in play, at most {SHIPS_IN_PLAY}"
    wanted = max(0, _points(cmd.unit) - points_laid_down(s))
    left = min(shipbuilding_points_left(s), own_construction_left(s, AUSTRALIA) // POINT)
    if wanted <= left:
        return None
    return f"{cmd.unit} still takes {wanted} shipbuilding points, {left} are left: use_shipbuilding lays them down"


@limit("71.151", on=Rebuild, when=lambda s, cmd: _ship(cmd.country, cmd.unit))
def ships_built_in_port(s: State, cmd: Rebuild) -> str | None:
    """Australian ships are built in an Australian port, or in the Australia box."""
    return None if has_port(place_key(cmd.at)) else f"{cmd.at} has no port to build a {cmd.unit} in"


@effect(
    "71.152C",
    on=UnitsMoved,
    when=lambda s, moved: _ship(moved.nation, moved.unit) and moved.origin == UNBUILT and isinstance(moved.to, At),
)
def ship_is_launched(p: Proceedings, moved: UnitsMoved) -> None:
    """A ship that is built uses the points put into it, and what else it takes of this turn's."""
    laid = min(points_laid_down(p.s), _points(moved.unit))
    if laid:
        _lay_down(p, -laid, f"{moved.unit} launched")
    used = _points(moved.unit) - laid
    if used:
        p.do(Happened(Happening(p.s.moment, "shipbuilding used", AUSTRALIA, used)))


@limit(
    "71.152C",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == AUSTRALIA and cmd.count > 0 and branch_of(cmd.unit) == "naval",
)
def ships_reported(s: State, cmd: ReportUnits) -> Bound:
    """Two destroyer factors and two cruisers of Australia at most are in play, as reports tell it too."""
    in_play = sum(it.count for it in units_of_kind(s, AUSTRALIA, cmd.unit))
    return Bound("count", most=SHIPS_IN_PLAY - in_play, text=f"Australian {cmd.unit} in play")


@limit("71.152C", on=ReportIncrease, when=lambda s, cmd: cmd.shipbuilding > 0)
def shipbuilding_in_australia(s: State, cmd: ReportIncrease) -> str | None:
    """Production adds shipbuilding points in Australia only."""
    return None if cmd.country == AUSTRALIA else f"{called(cmd.country)} has no shipbuilding"


# -- the outback --------------------------------------------------------------------------------------------------

MIDDLE = frozenset(f"pacific/NN{number}" for number in range(18, 22))


@definition("71.81", "Ground units, supply and attacks do not pass the side between two adjacent hexes")
def outback_side(s: State, one: str, other: str) -> bool:
    a, b = place_key(one), place_key(other)
    if b not in neighbours(a):
        return False
    if reading_in_force(s, "R-0084") == "c" and MIDDLE & {a, b}:
        return True
    return pacific().side(a.partition("/")[2], b.partition("/")[2]) == "outback" if {a, b} <= outback() else False


def _over_one_side(s: State, it: Presence) -> bool:
    """Whether ground units march or attack from one hex of the outback or beside it to another; reports name no way."""
    if not outback() & {it.origin, it.at} or (it.reported and it.act == "enter"):
        return False
    return it.cmd.branch == "ground" if it.act == "attack" else it.brings("ground")


@barred("71.81", acts=("enter", "attack"), when=_over_one_side, final=True)
def not_through_the_outback(s: State, it: Presence) -> str | None:
    """No ground unit moves, is redeployed or attacks over an all-outback hexside."""
    if not it.origin or not outback_side(s, it.origin, it.at):
        return None
    told = f"the side between {it.origin} and {it.at} is all outback"
    return f"{told}: go round by other hexes" if it.act == "enter" else f"{told}: nobody fights over it"


# -- New Zealand --------------------------------------------------------------------------------------------------


@value("71.91", "Units of a kind that are New Zealand's among the Australian ones; they are Australian for all else")
def new_zealand_units(s: State, unit: str) -> int:
    return 2 if unit == "infantry 1-2" else 0
