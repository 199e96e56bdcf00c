"""Canada: from one of its two boxes to the other, and its shipyard (70.12, 70.15B)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.kernel.limits import Choice, Refusal
from warcabinet.model.accounts import Shipbuilding, Sink
from warcabinet.model.commands.colonies import UseCanadianShipyard
from warcabinet.model.commands.forces import Build, ReportProduction
from warcabinet.model.events import Happened, Reported, UnitsMoved
from warcabinet.model.ledger import balance
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, total
from warcabinet.model.traits import COMMONWEALTH
from warcabinet.model.unit_lists import counted, unbuilt_of
from warcabinet.model.units import kind_name, parse_unit
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import faction, side_of
from warcabinet.rules.countries.middle_east import WEST
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.economy.force_pools import site_is_controlled
from warcabinet.rules.kinds import definition, limit, order, value
from warcabinet.rules.minors.building import rebuilt, within_means
from warcabinet.rules.minors.repairs import american_yard, may_repair_at

ATLANTIC, PACIFIC = "box/atlantic_us", "box/pacific_us"
#: Factors of a ship, each of which takes a shipbuilding point; for the last three it is assumed.
FACTORS = {"destroyer": 1, "cruiser": 2, "battlecruiser": 3, "submarine": 1, "asw": 1, "transport": 1}
FOR_ALL = ("asw", "transport")
LARGEST = 2
#: BRPs that a shipbuilding point costs, assumed.
POINT = 3


# -- the shipyard -------------------------------------------------------------------------------------------------


@value("70.15B", "Canadian shipbuilding points: one, and what production has added")
def canadian_shipbuilding(s: State) -> int:
    return 1 + balance(s.ledger, Shipbuilding("canada"))


@value("70.15B", "Canadian shipbuilding points that are left this turn")
def canadian_points_left(s: State) -> int:
    return canadian_shipbuilding(s) - total(s, "shipbuilding used", "canada", "turn")


@value("70.15B", "Shipbuilding points that a ship takes: one a factor; nothing where its size is not told")
def points_for_ship(s: State, unit: str) -> int:
    return FACTORS.get(kind_name(unit), 0)


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


@limit("70.15C", on=UseCanadianShipyard, when=lambda s, cmd: reading_in_force(s, "R-0090") == "b")
def one_payer_for_shipyard(s: State, cmd: UseCanadianShipyard) -> str | None:
    """Under another reading one power pays for all that Canada builds in a turn, ships and units (R-0090)."""
    american = bool(total(s, "granted for construction", "usa canada", "turn"))
    if cmd.power == "usa":
        return None if american or not _built_in_canada(s) else "Britain has paid for what Canada builds this turn"
    return "the United States pays for what Canada builds this turn" if american else None


def _built_in_canada(s: State) -> bool:
    """Whether Canada has built or repaired anything this turn."""
    ships = total(s, "shipbuilding used", "canada", "turn")
    return bool(ships or rebuilt(s, "canada", "infantry") or rebuilt(s, "canada", "armor"))


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


@tells_of("canada")
def shipyard_now(s: State) -> Iterator[Told]:
    points, left = canadian_shipbuilding(s), canadian_points_left(s)
    yield Told("70.15B", f"{left} of {points} shipbuilding points are left this turn, for ships of one or two factors")
    if not at_war(s, "usa", "germany"):
        yield Told("70.15C(2)", "until it fights Germany, what the U.S. pays counts against what tension lets it grant")
    yield Told("70.12", "its units and British ones are redeployed (SR) from one U.S. box to the other")
