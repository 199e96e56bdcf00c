"""Who must leave a place before play goes on: fleets out of ports that fell, infantry called home, guests too many."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from warcabinet.board.names import places
from warcabinet.model.commands.middle_east import DisplaceFleet
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.keys import Place
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import side_of
from warcabinet.rules.commonwealth.boxed import BOXED, box_of
from warcabinet.rules.commonwealth.deployment import abroad, missing_at_home
from warcabinet.rules.countries.displacement import ANCHORAGES, friendly_port, leaving
from warcabinet.rules.minors.limits import (
    admitted,
    armor_admitted,
    axis_armor_in_finland,
    axis_factors_admitted,
    axis_factors_in_finland,
    axis_in_finland,
    foreign_factors,
    guests,
    limited,
)

Leaving = DisplaceFleet | ReportUnits | MoveUnits


@cache
def _ports() -> tuple[Place, ...]:
    return tuple(dict.fromkeys(Place(it.key) for it in places().values() if it.has("port")))


def departures(s: State) -> Iterator[Leaving]:
    """Ways out for whoever must leave; a fleet for which there is no port left goes down (73.61, 88.35, 89.43).

    What a country does not admit any more is eliminated: where it might march to is the player's to say.
    """
    for fleet in leaving(s):
        yield from _harbours(s, fleet)
        yield ReportUnits(nation=fleet.nation, unit=fleet.unit, at=fleet.place, count=-fleet.count, lost=True)
    for country in BOXED:
        if missing_at_home(s, country):
            for away in abroad(s, country):
                yield MoveUnits(
                    nation=country, unit=away.unit, from_=away.place, to=box_of(country), how="redeployment"
                )
    yield from _guests_too_many(s)


def _guests_too_many(s: State) -> Iterator[ReportUnits]:
    """One unit of those that are too many in a country that admits only so many (82.32, 82.322)."""
    crowds = [guests(s, it) for it in limited(s) if foreign_factors(s, it) > admitted(s, it)]
    tanks = axis_armor_in_finland(s) > armor_admitted(s)
    if tanks or axis_factors_in_finland(s) > axis_factors_admitted(s):
        crowds.append([it for it in axis_in_finland(s) if not tanks or it.unit.startswith("armor")])
    for stack in (it for crowd in crowds for it in crowd):
        yield ReportUnits(nation=stack.nation, unit=stack.unit, at=stack.place, count=-1, lost=True)


def _harbours(s: State, fleet: Stack) -> Iterator[DisplaceFleet]:
    side = side_of(s, fleet.nation)
    for port in (*ANCHORAGES, *(it for it in _ports() if friendly_port(s, it, side))):
        yield DisplaceFleet(nation=fleet.nation, unit=fleet.unit, from_=fleet.place, to=port, count=fleet.count)
