"""What a power can mobilize now, and when each type of unit would enter its force pool: rows for offers and pages."""

from __future__ import annotations

import msgspec

from warcabinet.model import calendar
from warcabinet.model.forces import unit_kinds
from warcabinet.model.state import State
from warcabinet.rules.economy.deferral import MAY_DEFER, deferrable, deferred_brps
from warcabinet.rules.economy.mobilization import mobilization_brps, mobilization_size
from warcabinet.rules.economy.mobilization_schedule import mobilization_due, mobilization_open, theaters_of
from warcabinet.rules.economy.mobilized_units import ELIGIBLE
from warcabinet.rules.economy.turn_track import DELAYS


class Arrival(msgspec.Struct, frozen=True):
    """A type of unit: its clause, its cost, and the turn in which it would enter the force pool."""

    type: str
    clause: str
    cost: int
    per: str
    arrives: str


class Sheet(msgspec.Struct, frozen=True):
    """A power's mobilization as it stands: whether it is open or due, what it adds, and what it can bring."""

    power: str
    theater: str
    due: bool
    open: bool
    base: int
    size: int
    defer: int
    deferred: int
    arrivals: tuple[Arrival, ...]


def mobilization_sheets(s: State, power: str) -> list[Sheet]:
    """One sheet for a power, two for the United States."""
    return [_sheet(s, power, theater) for theater in theaters_of(power)]


def _sheet(s: State, power: str, theater: str) -> Sheet:
    return Sheet(
        power,
        theater,
        mobilization_due(s, power, theater),
        mobilization_open(s, power, theater),
        mobilization_brps(s, power),
        mobilization_size(s, power),
        max(0, deferrable(s, power, theater)) if power in MAY_DEFER else 0,
        deferred_brps(s, power),
        tuple(_arrivals(s, power)),
    )


def _arrivals(s: State, power: str) -> list[Arrival]:
    barred = {"russia": ("naval air", "mechanized infantry", "transport"), "usa": ()}.get(power, ("transport",))
    found = []
    for name, clause in ELIGIBLE.items():
        if name not in barred:
            kind = unit_kinds()[name]
            found.append(Arrival(name, clause, kind.cost, kind.per, calendar.turn_name(s.turn + DELAYS[name][0])))
    return found
