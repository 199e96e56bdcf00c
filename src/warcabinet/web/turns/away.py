"""Who has seen how much of a game: whoever comes back after an hour in which others moved is shown what happened."""

from __future__ import annotations

import time

import msgspec

from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table

#: Seconds after which what others did meanwhile is played by itself.
LONG = 3600.0


class Seen(msgspec.Struct, frozen=True):
    """The last move that somebody had before their eyes, and when."""

    move: int
    when: float


def kept_as(person: str) -> str:
    return f"seen {person}"


def looked_at(hall: Hall, table: str, sitter: Sitter, move: int) -> None:
    hall.evening.keep(table, kept_as(sitter.person.id), Seen(move, time.time()))


def away_since(hall: Hall, table: Table, sitter: Sitter) -> int:
    """The move after which others gave orders while this sitter was away for long; 0: there is none."""
    seen = hall.evening.kept(table.id, kept_as(sitter.person.id), Seen)
    head = table.game.head.id
    if seen is None or seen.move >= head or time.time() - seen.when < LONG:
        return 0
    mine = {seat.id for seat in sitter.seats}
    others = any(it.seat not in mine for it in table.game.journal.moves(seen.move + 1, head))
    return seen.move if others else 0
