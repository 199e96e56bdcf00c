"""The shipyards of Canada and Australia: points, whose ships they take, of which size, and who pays (70.15B, 71.152C).

What a point costs and a ship takes stands with the other yards, in `minors/yards.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Choice, Refusal
from warcabinet.model.accounts import Shipbuilding, Sink
from warcabinet.model.commands.colonies import UseCanadianShipyard
from warcabinet.model.commands.commonwealth import UseShipbuilding
from warcabinet.model.commands.forces import Build, ReportProduction
from warcabinet.model.commands.minors import Rebuild, ReportIncrease, ReportUnits
from warcabinet.model.events import Happened, Reported, UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import counted, unbuilt, unbuilt_of
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import faction, side_of, units_of_kind
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.commonwealth.boxed import box_of, has_surrendered
from warcabinet.rules.commonwealth.construction import own_construction_left
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.force_pools import site_is_controlled
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.building import (
    branch_of,
    cost_to_power,
    rebuild_cost,
    rebuilt,
    rebuilt_by_its_kind,
    within_means,
)
from warcabinet.rules.minors.force_pools import shipbuilding_increases
from warcabinet.rules.minors.geography import has_port
from warcabinet.rules.minors.parts import ships_built_again
from warcabinet.rules.minors.voyages import WEST
from warcabinet.rules.minors.yards import POINT, american_yard, is_shipyard, may_repair_at, points_in

ATLANTIC, PACIFIC = "box/atlantic_us", "box/pacific_us"
AUSTRALIA = "australia"
#: Ships of all Western Allies that Canada builds, and the factors of the largest British one.
FOR_ALL, LARGEST = ("asw", "transport"), 2
#: Two destroyer factors and two cruisers of two factors each are the most in play (71.152C).
SHIPS_IN_PLAY = 2


# -- Canada -------------------------------------------------------------------------------------------------------


@value("70.15B", "Canadian shipbuilding points: one, and what production has added")
def canadian_shipbuilding(s: State) -> int:
    return 1 + balance(s.ledger, Shipbuilding("canada"))


@value("70.15B", "Canadian shipbuilding points that are left this turn")
def canadian_points_left(s: State) -> int:
    return canadian_shipbuilding(s) - total(s, "shipbuilding used", "canada", "turn")


@value("70.15B", "Shipbuilding points that a ship takes: one a factor; nothing where its size is not told")
def points_for_ship(s: State, unit: str) -> int:
    return points_in(unit)


@value("70.15C", "What Canadian shipbuilding points cost: three BRPs each, assumed")
def points_cost(s: State, points: int) -> int:
    return POINT * points


@definition("70.15B", "A ship may be built, or repaired, in Canada (R-0094)")
def canada_takes(s: State, power: str, unit: str, work: str) -> bool:
    if power in ("britain", *COMMONWEALTH):
        return work == "repair" or points_for_ship(s, unit) in range(1, LARGEST + 1)
    if faction(s, power) != WEST and side_of(s, power) != WEST:
        return False
    return kind_name(unit) in FOR_ALL or (work == "repair" and reading_in_force(s, "R-0094") == "b")


@definition(
    "70.15B",
    displaces=may_repair_at,
    when=lambda s, nation, place: place_key(place) == ATLANTIC and not american_yard(s, ATLANTIC, side_of(s, nation)),
)
def repaired_in_canada(s: State, nation: str, place: str) -> bool:
    """Canada repairs British ships; those of other countries of its faction under another reading (R-0094)."""
    return may_repair_at.general(s, nation, place) and canada_takes(s, nation, "destroyer", "repair")


def owner(cmd: UseCanadianShipyard) -> str:
    """Whose ships are built or repaired."""
    return cmd.ships_of or cmd.power


def _points(s: State, cmd: UseCanadianShipyard) -> int:
    return sum(points_for_ship(s, unit) * count for unit, count in counted(cmd.units).items())


@order("70.15B", on=UseCanadianShipyard, phases=("unit construction",))
def use_canadian_shipyard(p: Proceedings, cmd: UseCanadianShipyard) -> None:
    """Ships are built in Canada and launched in the Atlantic U.S. box, or repaired there."""
    points = _points(p.s, cmd)
    cost, ships = points_cost(p.s, points), ", ".join(cmd.units)
    if cmd.repair:
        p.do(Reported("repair", f"{called(owner(cmd))}: {ships} repaired in Canada"))
    else:
        for unit, count in counted(cmd.units).items():
            p.do(UnitsMoved(owner(cmd), unit, count, UNBUILT, At(ATLANTIC), f"{count} {unit} launched"))
    p.do(Happened(Happening(p.s.moment, "shipbuilding used", "canada", points)))
    move_brps(p, cmd.power, -cost, f"Canadian shipbuilding: {ships}", Sink("brp", "unit construction"), "70.15C")
    p.do(Happened(Happening(p.s.moment, "spent", cmd.power, cost)), "39.11")
    if cmd.power == "usa":
        # It counts like a grant: on the American limits for construction and, before the war, for grants.
        p.do(Happened(Happening(p.s.moment, "granted for construction", "usa canada", cost)), "70.15C(2)")
    else:
        p.do(Happened(Happening(p.s.moment, "constructed", "britain", cost)), "70.15C(1)")


@limit("70.15C", "Britain or the United States pays for Canadian shipbuilding points", on=UseCanadianShipyard)
def payer_of_shipyard(s: State, cmd: UseCanadianShipyard) -> Choice:
    return Choice("power", ("britain", "usa"), "Britain or the United States pays for Canadian shipbuilding points")


def _western_allies(s: State) -> tuple[str, ...]:
    return tuple(it for it in powers() if faction(s, it) == WEST)


@limit("70.15B", "Canada builds and repairs British ships, Western Allied ASW and transports", on=UseCanadianShipyard)
def canada_takes_ships(s: State, cmd: UseCanadianShipyard) -> str | None:
    work = "repair" if cmd.repair else "build"
    for unit in counted(cmd.units):
        if parse_unit(unit)[0].branch != "naval":
            return f"{unit} is no ship"
        if not points_for_ship(s, unit):
            return f"how large a {unit} is, is not told here: report it"
        if not canada_takes(s, owner(cmd), unit, work):
            return f"Canada does not {work} {unit} of {called(owner(cmd))}, nor builds ships of three factors or more"
    return None


@limit("70.15B", "No more shipbuilding points are used than Canada has", on=UseCanadianShipyard)
def canadian_points(s: State, cmd: UseCanadianShipyard) -> str | None:
    left = canadian_points_left(s)
    if left <= 0:
        return "no Canadian shipbuilding point is left this turn"
    asked = _points(s, cmd)
    return f"{asked} shipbuilding points asked for, {left} are left this turn" if asked > left else None


@limit("36.31", on=UseCanadianShipyard, when=lambda s, cmd: not cmd.repair)
def ships_are_unbuilt(s: State, cmd: UseCanadianShipyard) -> str | None:
    """Only ships in the force pool that are not built can be built."""
    short = [unit for unit, count in counted(cmd.units).items() if unbuilt_of(s, owner(cmd), unit) < count]
    return f"not so many unbuilt in the force pool: {', '.join(short)}" if short else None


@limit("70.15B", on=UseCanadianShipyard, when=lambda s, cmd: cmd.repair)
def ships_are_there(s: State, cmd: UseCanadianShipyard) -> str | None:
    """Ships are repaired in Canada where they lie: in the Atlantic U.S. box."""
    there = {unit: s.pieces.count(owner(cmd), At(ATLANTIC), unit) for unit in counted(cmd.units)}
    short = [unit for unit, count in counted(cmd.units).items() if there[unit] < count]
    return f"not so many in the Atlantic U.S. box: {', '.join(short)}" if short else None


@limit("70.15C(1)", on=UseCanadianShipyard, also=("70.15C(2)",))
def shipyard_paid(s: State, cmd: UseCanadianShipyard) -> Refusal | None:
    """Canadian shipbuilding is paid by Britain or the United States, each within its own construction limit."""
    short = within_means(s, cmd.power, points_cost(s, _points(s, cmd)))
    return Refusal("70.15C(2)" if cmd.power == "usa" else "70.15C(1)", short) if short else None


@limit(
    "70.15B",
    on=Build,
    displaces=site_is_controlled,
    when=lambda s, cmd: cmd.power == "britain" and place_key(cmd.at) in (ATLANTIC, PACIFIC),
)
def built_with_canadian_points(s: State, cmd: Build) -> str:
    """British ships are built in Canada with its shipbuilding points."""
    return "ships are built in Canada by use_canadian_shipyard; other British units are not built there"


@limit("70.15B", on=ReportProduction, when=lambda s, cmd: cmd.in_canada)
def west_increases_shipbuilding(s: State, cmd: ReportProduction) -> Choice:
    """Canadian shipbuilding is increased by the production of Western Allies."""
    return Choice("power", _western_allies(s), "the production of a Western Ally increases Canadian shipbuilding")


# -- Australia ----------------------------------------------------------------------------------------------------


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
    wanted = sum(points_in(unit) * count for unit, count in unbuilt(p.s, AUSTRALIA) if _ship(AUSTRALIA, unit))
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


@value("71.152C", displaces=rebuild_cost, when=lambda s, nation, unit: _ship(nation, unit))
def ship_cost(s: State, nation: str, unit: str) -> int:
    """A ship costs three BRPs for each shipbuilding point that has not been put into it before."""
    return POINT * max(0, points_in(unit) - points_laid_down(s))


@limit("71.152C", on=Rebuild, displaces=rebuilt_by_its_kind, when=lambda s, cmd: _ship(cmd.country, cmd.unit))
def ships_within_points(s: State, cmd: Rebuild) -> str | None:
    """Australia builds its ships with shipbuilding points, two destroyer factors and two cruisers at most in play."""
    in_play = sum(it.count for it in units_of_kind(s, AUSTRALIA, cmd.unit))
    if in_play >= SHIPS_IN_PLAY:
        return f"{in_play} {cmd.unit} are in play, at most {SHIPS_IN_PLAY}"
    wanted = max(0, points_in(cmd.unit) - points_laid_down(s))
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
    laid = min(points_laid_down(p.s), points_in(moved.unit))
    if laid:
        _lay_down(p, -laid, f"{moved.unit} launched")
    used = points_in(moved.unit) - laid
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


# -- who pays -----------------------------------------------------------------------------------------------------

#: By country the clause on who pays for what it builds.
PAYERS = {"canada": "70.15C", "south_africa": "70.25B", "australia": "71.153A", "india": "72.163A"}


def _builder(cmd: Rebuild | UseCanadianShipyard | UseShipbuilding) -> str:
    """The country that builds."""
    if isinstance(cmd, Rebuild):
        return cmd.country
    return "canada" if isinstance(cmd, UseCanadianShipyard) else AUSTRALIA


@limit(
    "70.15C",
    on=(Rebuild, UseCanadianShipyard, UseShipbuilding),
    when=lambda s, cmd: _builder(cmd) in PAYERS and reading_in_force(s, "R-0090") == "b",
    also=tuple(PAYERS.values())[1:],
)
def one_payer(s: State, cmd: Rebuild | UseCanadianShipyard | UseShipbuilding) -> Refusal | None:
    """Under another reading one power pays for all that a country builds in a turn, ships and units (R-0090)."""
    country = _builder(cmd)
    american = bool(total(s, "granted for construction", f"usa {country}", "turn"))
    told = f"the United States pays for what {called(country)} builds this turn, Britain does not"
    if isinstance(cmd, UseCanadianShipyard) and cmd.power == "usa":
        refused, told = not american and _built_in_canada(s), "Britain has paid for what Canada builds this turn"
    else:
        free = isinstance(cmd, Rebuild) and not cost_to_power(s, country, cmd.unit)
        refused = american and not free
    return Refusal(PAYERS[country], told) if refused else None


def _built_in_canada(s: State) -> bool:
    """Whether Canada has built or repaired anything this turn."""
    ships = total(s, "shipbuilding used", "canada", "turn")
    return bool(ships or rebuilt(s, "canada", "infantry") or rebuilt(s, "canada", "armor"))


# -- as a player sees it ------------------------------------------------------------------------------------------


@tells_of("canada")
def shipyard_now(s: State) -> Iterator[Told]:
    points, left = canadian_shipbuilding(s), canadian_points_left(s)
    yield Told("70.15B", f"{left} of {points} shipbuilding points are left this turn, for ships of one or two factors")
    if not at_war(s, "usa", "germany"):
        yield Told("70.15C(2)", "until it fights Germany, what the U.S. pays counts against what tension lets it grant")
    yield Told("70.12", "its units and British ones are redeployed (SR) from one U.S. box to the other")
