"""The counters from which an order's units are chosen: those in the force pool, on the map, or on a power's list."""

from __future__ import annotations

from collections import Counter

import msgspec

from warcabinet.game.mobilization_calendar import types_open_to
from warcabinet.model.keys import Unit
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import unit_branch, unit_cost, unit_kinds
from warcabinet.rules.economy.force_pools import ground_units_listed, watched

#: Orders and reports that bring units into a force pool: from the list of counters, which may be gone beyond.
ADDING = ("mobilize", "trigger_deferred", "report_production", "report_pool")
#: Of these, what a mobilization brings: only some types of units may be named (36.32, 36.33).
MOBILIZING = ("mobilize", "trigger_deferred")
#: Orders to yards, which take ships alone.
YARDS = ("use_canadian_shipyard",)
#: Where counters come from that are not in play yet.
ON_THE_LIST = "on the list"
#: Orders and reports that take units out of what is unbuilt, each with its price; of a minor country what it has lost.
UNBUILT = ("build", "build_by_count")
LOST = ("rebuild", "rebuild_by_count")
#: Those about units that stand somewhere.
STANDING = ("move", "report_move", "report_loss", "report_inversion", "report_damage", "report_lent", "displace_fleet")


class CounterChoice(msgspec.Struct, frozen=True):
    """A counter that can be chosen: how many there are (0: as many as wanted), all of it in words."""

    unit: str
    count: int
    said: str


def counters_for(state: State, command: str, nation: str) -> tuple[CounterChoice, ...]:
    """What a field of units is filled from; nothing where any kind of unit may be named."""
    if not nation:
        return ()
    if command in (*UNBUILT, *YARDS):
        pool = [
            (unit, n)
            for unit, n in sorted(unbuilt(state, nation))
            if command in UNBUILT or unit_branch(unit) == "naval"
        ]
        return tuple(_choice(unit, n, f"{n} unbuilt, {price_words(unit_cost(unit))}") for unit, n in pool)
    if command in LOST:
        return tuple(_choice(unit, n, f"{n} lost") for unit, n in sorted(unbuilt(state, nation)))
    if command in STANDING:
        there: Counter[Unit] = Counter()
        for stack in state.pieces.of(nation):
            if command != "report_inversion" or unit_branch(stack.unit) == "air":
                there[stack.unit] += stack.count
        return tuple(_choice(unit, n, f"{n} on the map") for unit, n in sorted(there.items()))
    if command in ADDING and nation in powers() and watched(state):
        pieces = [Unit(kind.unit) for kind in unit_kinds().values() if kind.per == "piece"]
        if command in MOBILIZING:
            pieces = [unit for unit in pieces if unit in types_open_to(nation)]
        listed = [*ground_units_listed(state, nation), *pieces]
        return tuple(_choice(unit, 0, f"{ON_THE_LIST}, {price_words(unit_cost(unit))}") for unit in listed)
    return ()


def _choice(unit: Unit, count: int, how: str) -> CounterChoice:
    return CounterChoice(unit, count, f"{unit}: {how}")


def price_words(cost: int, one: str = "each") -> str:
    """What a unit costs; of some kinds the documents give no cost, and none is reckoned."""
    return f"{cost} BRP{'' if cost == 1 else 's'} {one}" if cost else "no cost known"
