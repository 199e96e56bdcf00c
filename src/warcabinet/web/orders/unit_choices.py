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
#: Those about units that stand somewhere.
STANDING = ("move", "report_move", "report_loss", "report_inversion", "report_damage", "displace_fleet")


class CounterChoice(msgspec.Struct, frozen=True):
    """A counter that can be chosen: how many there are (0: as many as wanted), and what one costs."""

    unit: str
    count: int
    cost: int
    where: str


def counters_for(state: State, command: str, nation: str) -> tuple[CounterChoice, ...]:
    """What a field of units is filled from; nothing where any kind of unit may be named."""
    if not nation:
        return ()
    if command == "build":
        return tuple(CounterChoice(unit, n, unit_cost(unit), "unbuilt") for unit, n in sorted(unbuilt(state, nation)))
    if command in YARDS:
        ships = [(unit, n) for unit, n in sorted(unbuilt(state, nation)) if unit_branch(unit) == "naval"]
        return tuple(CounterChoice(unit, n, unit_cost(unit), "unbuilt") for unit, n in ships)
    if command in STANDING:
        there: Counter[Unit] = Counter()
        for stack in state.pieces.of(nation):
            there[stack.unit] += stack.count
        return tuple(CounterChoice(unit, n, unit_cost(unit), "on the map") for unit, n in sorted(there.items()))
    if command in ADDING and nation in powers() and watched(state):
        pieces = [Unit(kind.unit) for kind in unit_kinds().values() if kind.per == "piece"]
        if command in MOBILIZING:
            pieces = [unit for unit in pieces if unit in types_open_to(nation)]
        listed = [*ground_units_listed(state, nation), *pieces]
        return tuple(CounterChoice(unit, 0, unit_cost(unit), ON_THE_LIST) for unit in listed)
    return ()
