"""Units off the boards: what lies in the force pools, and what the turn record track will bring."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt, waiting


class Pile(msgspec.Struct, frozen=True):
    """Units of one kind in a force pool, or on the turn record track for a turn."""

    nation: str
    unit: str
    count: int
    arrives: str = ""


def piles(state: State, nations: Iterable[str]) -> tuple[Pile, ...]:
    """The piles of some nations, each nation's pool before its track, the track turn by turn."""
    found: list[Pile] = []
    for nation in nations:
        found += [Pile(nation, unit, count) for unit, count in sorted(unbuilt(state, nation))]
        found += [
            Pile(nation, unit, count, calendar.turn_name(turn)) for turn, unit, count in sorted(waiting(state, nation))
        ]
    return tuple(found)
