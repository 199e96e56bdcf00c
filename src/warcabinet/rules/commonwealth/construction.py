"""Building Commonwealth units and ships: where, how much in a turn, with which shipyards, and who pays (70.15B, 71.15,
72.16).

What a shipbuilding point costs and a ship takes stands with the other yards, in `minors/building.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Bound, Choice, Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Shipbuilding
from warcabinet.model.commands.colonies import UseCanadianShipyard
from warcabinet.model.commands.commonwealth import UseShipbuilding
from warcabinet.model.commands.forces import Build, ReportProduction
from warcabinet.model.commands.minors import Rebuild, Repair, ReportIncrease, ReportUnits
from warcabinet.model.events import Happened, Reported, UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import Place, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import cost_of, counted, unbuilt
from warcabinet.model.units import Unit, kind_name, unit_branch, unit_cost, unit_factors
from warcabinet.rules.common.books import spend_brps
from warcabinet.rules.common.pieces import faction, side_of, units_of_kind
from warcabinet.rules.common.war_and_peace import went_to_war
from warcabinet.rules.commonwealth.boxed import BOXED, box_of, clause, has_surrendered, limit_reduction
from warcabinet.rules.economy.force_pools import site_is_controlled
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, effect, limit, order, remembered, value
from warcabinet.rules.minors.building import (
    POINT,
    american_yard,
    branch_of,
    in_australia,
    is_shipyard,
    may_repair_at,
    points_in,
    rebuild_cost,
    rebuilt,
    rebuilt_at_home,
    rebuilt_by_its_kind,
    within_means,
)
from warcabinet.rules.minors.forces_of_minors import shipbuilding_increases
from warcabinet.rules.minors.geography import has_port
from warcabinet.rules.minors.status import ships_built_again
from warcabinet.rules.minors.voyages import WEST

#: BRPs of construction in a turn (71.152, 72.162), infantry factors and air factors (71.152A, 71.152B).
BRPS_A_TURN = {"australia": ("152", 9), "india": ("162", 3)}
A_TURN = {"infantry": ("71.152A", 3), "air": ("71.152B", 1)}
AIR_FACTOR = unit_cost(Unit("army air"))


# -- how much -----------------------------------------------------------------------------------------------------


@value("71.152", covers=("71.51D", "72.51D"))
def own_construction_limit(s: State, country: str) -> int:
    """BRPs of its own units that Australia or India may build this turn, less what bombs and enemies took off."""
    number, most = BRPS_A_TURN[country]
    note("its_limit", clause(country, number), most, country)
    if has_surrendered(s, country):
        note("surrendered", clause(country, "51D"), 0, country)
        return 0
    return most - limit_reduction(s, country)


@value("71.152", "BRPs that a country's construction has used this turn, whoever paid")
def own_construction_used(s: State, country: str) -> int:
    ships = total(s, "shipbuilding used", country, "player turn")
    return rebuilt(s, country, "infantry") + AIR_FACTOR * rebuilt(s, country, "air") + POINT * ships


@value("71.152", "BRPs that are left of a country's own construction limit this turn")
def own_construction_left(s: State, country: str) -> int:
    return max(0, own_construction_limit(s, country) - own_construction_used(s, country))


def infantry_left(s: State, country: str) -> int:
    """Infantry factors that a country may still build this turn: three in Australia, in India as many as its BRPs."""
    if country != "australia":
        return own_construction_left(s, country)
    return A_TURN["infantry"][1] - rebuilt(s, country, "infantry")


@value("71.152", "What a country's unbuilt units could cost this turn, within all its limits")
def own_construction_possible(s: State, country: str) -> int:
    pool = {"infantry": 0, "air": 0}
    for unit, count in unbuilt(s, country):
        what = branch_of(unit)
        if what in pool:
            pool[what] += unit_cost(unit) * count
    infantry = min(pool["infantry"], infantry_left(s, country))
    air = min(pool["air"], AIR_FACTOR * (A_TURN["air"][1] - rebuilt(s, country, "air")))
    return max(0, min(infantry + air, own_construction_left(s, country)))


@limit(
    "71.152",
    on=Rebuild,
    covers=("71.152A", "71.152B"),
    when=lambda s, cmd: cmd.country in BOXED and branch_of(cmd.unit) != "naval",
)
def within_own_limit(s: State, cmd: Rebuild) -> Refusal | None:
    """A Commonwealth country's construction stays within its limits, of BRPs and of factors a turn."""
    what, country = branch_of(cmd.unit), cmd.country
    if country == "australia" and what in A_TURN:
        number, most = A_TURN[what]
        built, asked = rebuilt(s, country, what), unit_factors(cmd.unit) if what == "infantry" else 1
        if built + asked > most:
            return Refusal(number, f"{built} {what} factors have been built this turn, at most {most} are")
    left, cost = own_construction_left(s, country), unit_cost(cmd.unit)
    if cost <= left:
        return None
    number, most = BRPS_A_TURN[country]
    less = limit_reduction(s, country)
    told = f"{most} BRPs a turn" + (f", less {less}" if less else "")
    return Refusal(clause(country, number), f"{cost} BRPs, and {left} are left of {called(country)}'s {told}")


# -- where --------------------------------------------------------------------------------------------------------


@limit("71.151", on=Rebuild, displaces=rebuilt_at_home, covers=("72.161",), when=lambda s, cmd: cmd.country in BOXED)
def built_in_its_country(s: State, cmd: Rebuild) -> Refusal | None:
    """Units are built in a hex of their country or in its box."""
    fault = rebuilt_at_home(s, cmd)
    number = "151" if cmd.country == "australia" else "161"
    return Refusal(clause(cmd.country, number), fault.text) if isinstance(fault, Refusal) else None


def _builder(cmd: Rebuild | ReportIncrease | UseCanadianShipyard | UseShipbuilding) -> str:
    """The country that builds."""
    if isinstance(cmd, UseCanadianShipyard | UseShipbuilding):
        return "canada" if isinstance(cmd, UseCanadianShipyard) else AUSTRALIA
    return cmd.country


@limit(
    "71.51D",
    on=(Rebuild, ReportIncrease, UseShipbuilding),
    when=lambda s, cmd: _builder(cmd) in BOXED and has_surrendered(s, _builder(cmd)),
    covers=("72.51D", "71.51A", "72.51A"),
)
def nothing_built_after_surrender(s: State, cmd: Rebuild | ReportIncrease | UseShipbuilding) -> Refusal | None:
    """A country that has surrendered builds no ships, nothing in its box, and its units are gone (R-0070)."""
    country, number, told = _builder(cmd), "51D", "no ships are built there"
    if isinstance(cmd, Rebuild) and cmd.at == box_of(country):
        told = "nothing is built in its box"
    elif not isinstance(cmd, UseShipbuilding):
        if isinstance(cmd, Rebuild) or cmd.units:
            number, told = "51A", "its units are out of play for good"
        elif not cmd.shipbuilding:
            return None
    return Refusal(clause(country, number), f"{called(country)} has surrendered: {told}")


# -- who pays -----------------------------------------------------------------------------------------------------


@definition("71.153B")
def americans_may_pay(s: State, country: str) -> bool:
    """The U.S. may pay for a country's units: it went to war with Japan, or Britain surrendered."""
    return (went_to_war(s, "usa", "japan") or s.powers["britain"].surrendered) and not has_surrendered(s, country)


ATLANTIC, PACIFIC = Place("box/atlantic_us"), "box/pacific_us"
AUSTRALIA = "australia"
#: Ships of all Western Allies that Canada builds, and the factors of the largest British one.
#: Who pays for Canadian shipbuilding points, and by which clause on his construction limit.
ON_LIMIT_OF = {"britain": "70.15C(1)", "usa": "70.15C(2)"}
FOR_ALL, LARGEST = ("asw", "transport"), 2
#: Two destroyer factors and two cruisers of two factors each are the most in play (71.152C).
SHIPS_IN_PLAY = 2


# -- Canada -------------------------------------------------------------------------------------------------------


@value("70.15B", "Shipbuilding points that Canada or Australia has: one, and what production added", also=("71.152C",))
def yard_points(s: State, country: str) -> int:
    return 1 + (shipbuilding_increases(s) if country == AUSTRALIA else balance(s.ledger, Shipbuilding(country)))


@value("70.15B", "Shipbuilding points that Canada or Australia has left this turn", also=("71.152C",))
def yard_points_left(s: State, country: str) -> int:
    return max(0, yard_points(s, country) - total(s, "shipbuilding used", country, "turn"))


@value("70.15C", "What Canadian shipbuilding points cost: three BRPs each, assumed")
def points_cost(s: State, points: int) -> int:
    return POINT * points


@definition("70.15B", "A ship may be built, or repaired, in Canada (R-0094)")
def canada_takes(s: State, power: str, unit: Unit, work: str) -> bool:
    if power in ("britain", *COMMONWEALTH):
        return work == "repair" or points_in(unit) in range(1, LARGEST + 1)
    if faction(s, power) != WEST and side_of(s, power) != WEST:
        return False
    return kind_name(unit) in FOR_ALL


@definition(
    "70.15B",
    displaces=may_repair_at,
    when=lambda s, nation, place: place == ATLANTIC and not american_yard(s, ATLANTIC, side_of(s, nation)),
)
def repaired_in_canada(s: State, nation: str, place: Place) -> bool:
    """Canada repairs British ships, and of other countries of its faction none but ASW and transports (R-0094)."""
    return may_repair_at.general(s, nation, place) and canada_takes(s, nation, Unit("destroyer"), "repair")


def _points(s: State, cmd: UseCanadianShipyard) -> int:
    return sum(points_in(unit) * count for unit, count in counted(cmd.units).items())


def shipyard_cost(s: State, cmd: UseCanadianShipyard) -> int:
    """What ships cost in Canada: new ones what they cost at home, repairs their points."""
    ships = {unit: count for unit, count in counted(cmd.units).items() if points_in(unit)}
    return points_cost(s, _points(s, cmd)) if cmd.repair else cost_of(ships)


@order("70.15B", on=UseCanadianShipyard, phases=("unit construction",))
def use_canadian_shipyard(p: Proceedings, cmd: UseCanadianShipyard) -> None:
    """Ships are built in Canada and launched in the Atlantic U.S. box, or repaired there."""
    points = _points(p.s, cmd)
    owner, cost, ships = cmd.ships_of or cmd.power, shipyard_cost(p.s, cmd), ", ".join(cmd.units)
    if cmd.repair:
        p.do(Reported("repair", f"{called(owner)}: {ships} repaired in Canada"))
    else:
        for unit, count in counted(cmd.units).items():
            p.do(UnitsMoved(owner, unit, count, UNBUILT, At(ATLANTIC), f"{count} {unit} launched"))
    p.do(Happened(Happening(p.s.moment, "shipbuilding used", "canada", points)))
    american, memo = cmd.power == "usa", f"Canadian shipbuilding: {ships}"
    limit = "" if american else "70.15C(1)"
    spend_brps(p, cmd.power, cost, "unit construction", memo, clause="70.15C", limit=limit)
    if american:
        # It counts like a grant: on the American limits for construction and, before the war, for grants.
        p.do(Happened(Happening(p.s.moment, "granted for construction", "usa canada", cost)), "70.15C(2)")


@limit("70.15B", on=UseCanadianShipyard, covers=("70.15C(1)", "70.15C(2)"))
def canada_takes_ships(s: State, cmd: UseCanadianShipyard) -> Iterator[Finding]:
    """Canada builds and repairs British ships, Western ASW and transports, with its points; Britain or the U.S. pays.

    New ships are unbuilt ones of the force pool; others are repaired where they lie, in the Atlantic U.S. box.
    """
    told = "Britain or the United States pays for Canadian shipbuilding points"
    yield Choice("power", tuple(ON_LIMIT_OF), told, "70.15C")
    owner, work, ships = cmd.ships_of or cmd.power, "repair" if cmd.repair else "build", counted(cmd.units)
    for unit in ships:
        if unit_branch(unit) != "naval":
            yield f"{unit} is no ship"
        elif not points_in(unit):
            yield f"how large a {unit} is, is not told here: report it"
        elif not canada_takes(s, owner, unit, work):
            yield f"Canada does not {work} {unit} of {called(owner)}, nor builds ships of three factors or more"
    asked, left = _points(s, cmd), yard_points_left(s, "canada")
    if asked > left:
        yield f"{asked} shipbuilding points asked for, {left} are left this turn"
    clause, where = ("70.15B", "in the Atlantic U.S. box") if cmd.repair else ("36.31", "unbuilt in the force pool")
    at = At(ATLANTIC) if cmd.repair else UNBUILT
    if short := [unit for unit, count in ships.items() if s.pieces.count(owner, at, unit) < count]:
        yield Refusal(clause, f"not so many {where}: {', '.join(short)}")
    if cmd.power in ON_LIMIT_OF and (unpaid := within_means(s, cmd.power, shipyard_cost(s, cmd))):
        yield Refusal(ON_LIMIT_OF[cmd.power], unpaid)


@limit(
    "70.15B",
    on=Build,
    displaces=site_is_controlled,
    when=lambda s, cmd: cmd.power == "britain" and cmd.at in (ATLANTIC, PACIFIC),
)
def built_with_canadian_points(s: State, cmd: Build) -> str:
    """British ships are built in Canada with its shipbuilding points."""
    return "ships are built in Canada by the order for its shipyard; other British units are not built there"


@limit("70.15B", on=ReportProduction, when=lambda s, cmd: cmd.in_canada)
def west_increases_shipbuilding(s: State, cmd: ReportProduction) -> Choice:
    """Canadian shipbuilding is increased by the production of Western Allies."""
    west = tuple(it for it in powers() if faction(s, it) == WEST)
    return Choice("power", west, "the production of a Western Ally increases Canadian shipbuilding")


# -- Australia ----------------------------------------------------------------------------------------------------


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
    p.do(Happened(Happening(p.s.moment, "repairs", AUSTRALIA, points - laid)))


@order("71.152C", on=UseShipbuilding, phases=("unit construction",))
def use_shipbuilding(p: Proceedings, cmd: UseShipbuilding) -> None:
    """Shipbuilding points are used: on ships that take more than a turn, or on repairs."""
    memo = f"Australian shipbuilding: {cmd.on}"
    spend_brps(p, cmd.power, POINT * cmd.points, "unit construction", memo, limit="71.153A")
    p.do(Happened(Happening(p.s.moment, "shipbuilding used", AUSTRALIA, cmd.points)))
    if cmd.on == "ships":
        _lay_down(p, cmd.points, "laid down")
    else:
        p.do(Happened(Happening(p.s.moment, "repairs", AUSTRALIA, cmd.points)))


@limit("71.152C", on=Repair, when=lambda s, cmd: in_australia(cmd.at))
def repairs_take_points(s: State, cmd: Repair) -> str | None:
    """A ship that is repaired in Australia takes a shipbuilding point, which Britain or the U.S. has paid for."""
    paid = total(s, "repairs", AUSTRALIA, "player turn") > 0
    return None if paid else "no shipbuilding point is there for it: use_shipbuilding, on repairs, pays for one"


@limit("71.152C", on=UseShipbuilding)
def points_there_are(s: State, cmd: UseShipbuilding) -> Iterator[Finding]:
    """Australia uses the points that it has, within its construction limit and the British one: Britain pays."""
    yield Bound("points", most=yard_points_left(s, AUSTRALIA), text="Australian shipbuilding points this turn")
    most, text = own_construction_left(s, AUSTRALIA) // POINT, "three BRPs a point, within the construction limit"
    yield Bound("points", most=most, text=f"{text} of Australia", clause="71.152")
    if cmd.power != "britain":
        told = f"{powers()[cmd.power].name} does not; the U.S. pays by a grant to Australia (grant, shipbuilding)"
        yield Refusal("71.153A", told)
        return
    most = min(construction_left(s, "britain"), spendable(s, "britain")) // POINT
    yield Bound("points", most=most, text=f"{text} of Britain", clause="71.153A")


@definition("71.152C", displaces=ships_built_again, when=lambda s, nation: nation == AUSTRALIA)
def australian_ships_built(s: State, nation: str) -> bool:
    """Australian destroyers and cruisers that were lost may be built again."""
    return not has_surrendered(s, nation)


@definition(
    "71.51D", displaces=is_shipyard, when=lambda s, place, side: in_australia(place) and has_surrendered(s, AUSTRALIA)
)
def no_shipyard_after_surrender(s: State, place: Place, side: str) -> bool:
    """After a surrender no ships are repaired in Australia."""
    return False


def _ship(nation: str, unit: Unit) -> bool:
    return nation == AUSTRALIA and branch_of(unit) == "naval"


@value("71.152C", displaces=rebuild_cost, when=lambda s, nation, unit: _ship(nation, unit))
def ship_cost(s: State, nation: str, unit: Unit) -> int:
    """A ship costs three BRPs for each shipbuilding point that has not been put into it before."""
    return POINT * max(0, points_in(unit) - points_laid_down(s))


@limit(
    "71.152C",
    on=(Rebuild, ReportUnits),
    displaces=rebuilt_by_its_kind,
    when=lambda s, cmd: (
        _ship(cmd.nation, cmd.unit) and cmd.count > 0 if isinstance(cmd, ReportUnits) else _ship(cmd.country, cmd.unit)
    ),
)
def ships_within_points(s: State, cmd: Rebuild | ReportUnits) -> Iterator[Finding]:
    """Australia builds its ships with shipbuilding points, two destroyer factors and two cruisers at most in play.

    They are built in an Australian port, or in the Australia box.
    """
    in_play = sum(it.count for it in units_of_kind(s, AUSTRALIA, cmd.unit))
    if isinstance(cmd, ReportUnits):
        yield Bound("count", most=SHIPS_IN_PLAY - in_play, text=f"Australian {cmd.unit} in play")
        return
    wanted = max(0, points_in(cmd.unit) - points_laid_down(s))
    left = min(yard_points_left(s, AUSTRALIA), own_construction_left(s, AUSTRALIA) // POINT)
    if in_play >= SHIPS_IN_PLAY:
        yield f"{in_play} {cmd.unit} are in play, at most {SHIPS_IN_PLAY}"
    elif wanted > left:
        yield f"{cmd.unit} still takes {wanted} shipbuilding points, {left} are left: use_shipbuilding lays them down"
    if not has_port(cmd.at):
        yield Refusal("71.151", f"{place_called(cmd.at)} has no port to build a {cmd.unit} in")


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
