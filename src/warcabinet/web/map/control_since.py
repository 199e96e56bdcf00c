"""Since when each place is held by whoever holds it: the last move that changed its holder."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from warcabinet.game.journal import Move
from warcabinet.model import calendar
from warcabinet.model.events import ControlChanged
from warcabinet.model.places import default_holders
from warcabinet.web.hall.tables_in_play import Table


class HeldSince(msgspec.Struct, frozen=True):
    """The move by which a place came to its holder, and in which turn."""

    by: str
    move: int
    turn: str


def held_since(table: Table, at: int | None, key: str) -> HeldSince | None:
    """When a place came to its holder; nothing where it has been held so since the start."""
    return _changes(table, table.moment(at)[0]).get(key)


def _changes(table: Table, move: Move) -> Mapping[str, HeldSince]:
    """Every place that changed hands up to a move. What was read before is gone on from, so each move is read once."""
    journal, befores = table.game.journal, table.game.journal.befores()
    way, at = [], move.at
    while at and _key(at) not in table.kept:
        way.append(at)
        at = befores.get(at, 0)
    known: Mapping[str, HeldSince] = table.kept.get(_key(at), {})
    if not way:
        return known
    found, on_the_way = dict(known), set(way)
    for it in journal.moves(way[-1], way[0]):
        if it.id in on_the_way:
            _note(found, it)
    return table.once(_key(move.at), lambda: found)


def _key(move: int) -> tuple[str, int]:
    return "held since", move


def _note(found: dict[str, HeldSince], move: Move) -> None:
    turn = calendar.turn_name(calendar.split(move.moment)[0])
    for record in move.records:
        event = record.event
        if isinstance(event, ControlChanged):
            for place in event.places:
                was = found[place].by if place in found else default_holders().get(place, "")
                if event.by != was:
                    found[place] = HeldSince(event.by, move.id, turn)
