"""Who came from where to what was taken, and who left it: the arrows of a season's maps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.game.journal import Move
from warcabinet.model import events
from warcabinet.model.pieces import At
from warcabinet.model.places import holder
from warcabinet.model.state import State


class March(msgspec.Struct, frozen=True):
    """Units of a nation that went from one hex to another; `left` says that they gave up the first."""

    nation: str
    origin: str
    to: str
    count: int
    left: bool = False


def marches(moves: Iterable[Move], before: State, taken: Iterable[tuple[str, str]]) -> dict[str, tuple[March, ...]]:
    """By place that was taken: the strongest march of the taker into it, and of the loser out of it."""
    gone = list(went(moves))
    found = {}
    for place, by in taken:
        had = holder(before, place)
        came = [it for it in gone if it.to == place and it.nation != had]
        into = [it for it in came if it.nation == by] or came
        out = [msgspec.structs.replace(it, left=True) for it in gone if it.origin == place and it.nation == had != by]
        strongest = [max(some, key=lambda it: it.count) for some in (into, out) if some]
        if strongest:
            found[place] = tuple(strongest)
    return found


def went(moves: Iterable[Move]) -> Iterator[March]:
    """Who went from one hex of a board to another."""
    for move in moves:
        for record in move.records:
            event = record.event
            if isinstance(event, events.UnitsMoved) and isinstance(event.origin, At) and isinstance(event.to, At):
                origin, to = event.origin.place, event.to.place
                if origin.partition("/")[0] == to.partition("/")[0]:
                    yield March(event.nation, origin, to, event.count)
