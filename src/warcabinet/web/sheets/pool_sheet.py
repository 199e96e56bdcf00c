"""The force pool as one builds from it by hand: counters in groups with their price, and what comes later."""

from __future__ import annotations

import msgspec

from warcabinet.model import calendar
from warcabinet.model.keys import Unit
from warcabinet.model.names import power_named
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt, waiting
from warcabinet.model.units import UnitKind, unit_cost, unit_kind

#: Groups by the branch of a unit; the ground's armor and infantry lie apart.
GROUPS = {"ground": "Infantry", "partisan": "Infantry", "air": "Air", "naval": "Naval", "other": "Other"}
ORDER = ("Armor", "Infantry", "Air", "Naval", "Other")


class PoolPile(msgspec.Struct, frozen=True):
    """Counters of one kind that can be built: how many, what one costs (0: the documents give no cost)."""

    unit: Unit
    count: int
    cost: int
    assumed: bool


class PoolGap(msgspec.Struct, frozen=True):
    """A kind of which nothing is left, and the turn in which some come."""

    unit: Unit
    arrives: str


class PoolGroup(msgspec.Struct, frozen=True):
    """Counters of a group; what all of them cost, where it is one price."""

    name: str
    rate: str
    piles: tuple[PoolPile, ...]
    gaps: tuple[PoolGap, ...]


class PoolTurn(msgspec.Struct, frozen=True):
    turn: str
    text: str


class PoolSheet(msgspec.Struct, frozen=True):
    power: str
    groups: tuple[PoolGroup, ...]
    #: What the turn record track brings, turn by turn.
    later: tuple[PoolTurn, ...]


def pool_sheet(state: State, power: str) -> PoolSheet:
    power = power_named(power).power
    stock = [_pile(unit, count) for unit, count in sorted(unbuilt(state, power))]
    track = sorted(waiting(state, power))
    first: dict[Unit, int] = {}
    for turn, unit, _ in track:
        first.setdefault(unit, turn)
    gaps = [
        PoolGap(unit, calendar.turn_name(turn)) for unit, turn in first.items() if unit not in {it.unit for it in stock}
    ]
    groups = (_group(name, stock, gaps) for name in ORDER)
    turns = {turn: [f"{count} {unit}" for at, unit, count in track if at == turn] for turn, _, _ in track}
    return PoolSheet(
        power,
        tuple(it for it in groups if it.piles or it.gaps),
        tuple(PoolTurn(calendar.turn_name(turn), ", ".join(units)) for turn, units in turns.items()),
    )


def _pile(unit: Unit, count: int) -> PoolPile:
    return PoolPile(unit, count, unit_cost(unit), _kind(unit).source.startswith("assumed"))


def _kind(unit: Unit) -> UnitKind:
    return unit_kind(unit)


def _group_of(unit: Unit) -> str:
    return "Armor" if _kind(unit).unit == "armor" else GROUPS[_kind(unit).branch]


def _group(name: str, stock: list[PoolPile], gaps: list[PoolGap]) -> PoolGroup:
    piles = tuple(it for it in stock if _group_of(it.unit) == name)
    rates = {f"{_kind(it.unit).cost} a {_kind(it.unit).per}" for it in piles if it.cost}
    rate = rates.pop() if len(rates) == 1 and all(it.cost for it in piles) else ""
    return PoolGroup(name, rate, piles, tuple(it for it in gaps if _group_of(it.unit) == name))
