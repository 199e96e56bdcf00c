"""Unit construction: what may be built from the force pool, where, and what it costs (39.31 with 36.31 and 37.12).

The chapter on construction itself is not at hand; the place is judged by house rule WC.27: control, supply as far as
the boards tell, and no enemy zone of control. The referee may rule on `construction_site`.
"""

from __future__ import annotations

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.maps import board as board_named
from warcabinet.board.names import places
from warcabinet.kernel.why import note
from warcabinet.model.accounts import Sink
from warcabinet.model.commands.forces import Build
from warcabinet.model.events import Happened, UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import UNBUILT, At
from warcabinet.model.places import board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.unit_lists import cost_of, counted, unbuilt, unbuilt_of
from warcabinet.model.units import unit_cost
from warcabinet.rules.common.books import move_brps
from warcabinet.rules.common.supply_by_land import enemy_zone, supplied_from_the_east
from warcabinet.rules.economy.spending import construction_left, spendable
from warcabinet.rules.kinds import definition, limit, order

# Boxes in which a power builds though they are off the boards.
HOME_BOXES = {"usa": ("box/atlantic_us", "box/pacific_us"), "russia": ("box/urals",)}


@limit("36.31", "Only units in the force pool that are not built can be built", on=Build)
def force_pool_holds_units(s: State, cmd: Build) -> str | None:
    short = []
    for unit, count in counted(cmd.units).items():
        there = unbuilt_of(s, cmd.power, unit)
        note("unbuilt", "36.31", there, cmd.power, unit)
        if there < count:
            short.append(f"{count} {unit} asked for, {there} unbuilt in the force pool")
    return "; ".join(short) or None


@limit("36.33", "What the documents give no cost for cannot be built here", on=Build)
def cost_is_known(s: State, cmd: Build) -> str | None:
    unknown = [unit for unit in counted(cmd.units) if unit_cost(unit) == 0]
    return f"no cost is known for {', '.join(unknown)}; report it instead" if unknown else None


@definition("WC.27", "The power controls the place, or builds in its own box")
def controls_site(s: State, power: str, place: str) -> bool:
    key = place_key(place)
    return key in HOME_BOXES.get(power, ()) or holder(s, key) == power


@definition("WC.27", "No enemy zone of control covers the place")
def free_of_enemy_zone(s: State, power: str, place: str) -> bool:
    key = place_key(place)
    if key.startswith("box/"):
        return True
    board = board_named(board_of(key))
    return not enemy_zone(s, board, power) & board.bits((key,))


@definition("WC.27", "The place is in supply, unless the referee says otherwise: the sources are not in the documents")
def construction_supply(s: State, power: str, place: str) -> bool:
    return True


@definition(
    "WC.27",
    displaces=construction_supply,
    when=lambda s, power, place: power == "russia" and place_key(place).startswith("europe/"),
)
def russian_construction_supply(s: State, power: str, place: str) -> bool:
    """A Russian place on the European board needs a land line from the eastern edge."""
    return supplied_from_the_east(s, place)


@limit("WC.27", "Units are built in a place that their power controls", on=Build)
def site_is_controlled(s: State, cmd: Build) -> str | None:
    return None if controls_site(s, cmd.power, cmd.at) else f"{powers()[cmd.power].name} does not control {cmd.at}"


@limit("WC.27", "Units are not built in an enemy zone of control", on=Build)
def site_is_free(s: State, cmd: Build) -> str | None:
    return None if free_of_enemy_zone(s, cmd.power, cmd.at) else f"{cmd.at} is in an enemy zone of control"


@limit("WC.27", "Units are built in supply", on=Build)
def site_is_supplied(s: State, cmd: Build) -> str | None:
    return None if construction_supply(s, cmd.power, cmd.at) else f"{cmd.at} is not in supply"


@order("39.31", on=Build, phases=("unit construction",))
def build(p: Proceedings, cmd: Build) -> None:
    """Units are built: BRPs are spent within the construction limit, and the units stand on the board."""
    units, key = counted(cmd.units), place_key(cmd.at)
    brp = cost_of(units)
    for unit, count in units.items():
        p.do(UnitsMoved(cmd.power, unit, count, UNBUILT, At(key), f"{count} {unit} built"))
    move_brps(p, cmd.power, -brp, f"unit construction: {', '.join(cmd.units)}", Sink("brp", "unit construction"))
    p.do(Happened(Happening(p.s.moment, "spent", cmd.power, brp)), "39.11")
    p.do(Happened(Happening(p.s.moment, "constructed", cmd.power, brp)))


class Buildable(msgspec.Struct, frozen=True):
    """A line of a force pool: how many units are unbuilt, what one costs, how many can be afforded now."""

    unit: str
    unbuilt: int
    cost: int
    most: int


def buildable(s: State, power: str) -> list[Buildable]:
    """What a power may build now, unit by unit, by its BRPs and what is left of its construction limit."""
    left = min(spendable(s, power), construction_left(s, power))
    found = []
    for unit, count in sorted(unbuilt(s, power)):
        cost = unit_cost(unit)
        found.append(Buildable(unit, count, cost, min(count, max(0, left) // cost) if cost else 0))
    return found


def construction_sites(s: State, power: str) -> list[str]:
    """The named places and boxes where the power could build now."""
    home = [boxes()[key.removeprefix("box/")].name for key in HOME_BOXES.get(power, ())]
    named = [place.name for place in places().values()] + home
    return [
        place
        for place in named
        if controls_site(s, power, place)
        and free_of_enemy_zone(s, power, place)
        and construction_supply(s, power, place)
    ]
