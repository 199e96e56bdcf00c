"""Force pools and the turn record track as they stand: what a power has, waits for, and may build now, and where."""

from __future__ import annotations

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.names import places
from warcabinet.model import calendar
from warcabinet.model.keys import Unit
from warcabinet.model.names import powers
from warcabinet.model.pieces import LOST
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt, waiting
from warcabinet.model.units import unit_cost
from warcabinet.rules.economy.force_pools import (
    HOME_BOXES,
    construction_supply,
    controls_site,
    counters_listed,
    free_of_enemy_zone,
)
from warcabinet.rules.economy.spending import construction_left, spendable


class TrackRow(msgspec.Struct, frozen=True):
    """Units that enter a force pool in one turn."""

    turn: str
    power: str
    unit: str
    count: int
    brp: int


def turn_record_track(s: State) -> list[TrackRow]:
    """Everything on the turn record track, soonest first."""
    found = [(turn, power, unit, count) for power in powers() for turn, unit, count in sorted(waiting(s, power))]
    found.sort(key=lambda it: it[0])
    return [
        TrackRow(calendar.turn_name(turn), power, unit, count, count * unit_cost(unit))
        for turn, power, unit, count in found
    ]


class PoolRow(msgspec.Struct, frozen=True):
    """A line of a power's force pool: what stands on the board, is unbuilt, waits on the track, or is lost for good.

    `listed` is what its list of counters has of the kind, beside mobilization and production (WC.28).
    """

    unit: str
    on_board: int
    unbuilt: int
    on_track: int
    lost: int
    listed: int


def force_pool(s: State, power: str) -> list[PoolRow]:
    """A power's units by type and strength, as far as the position and the players' reports know them."""
    counts: dict[str, list[int]] = {}
    found: tuple[list[tuple[Unit, int]], ...] = (
        [(it.unit, it.count) for it in s.pieces.of(power)],
        list(unbuilt(s, power)),
        [(unit, count) for _, unit, count in waiting(s, power)],
        list(s.pieces.off(power, LOST).items()),
    )
    for column, lines in enumerate(found):
        for unit, count in lines:
            counts.setdefault(unit, [0, 0, 0, 0, counters_listed(s, power, unit)])[column] += count
    return [PoolRow(unit, *columns) for unit, columns in sorted(counts.items())]


class Buildable(msgspec.Struct, frozen=True):
    """A line of a force pool: how many units are unbuilt, what one costs, how many can be afforded now."""

    unit: Unit
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
        for place, key in ((it, place_key(it)) for it in named)
        if controls_site(s, power, key) and free_of_enemy_zone(s, power, key) and construction_supply(s, power, key)
    ]
