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


#: So many seconds somebody who began to read what happened meanwhile is shown as doing so, at most.
READING = 900.0
CATCHING = "catching up"


def catches_up(hall: Hall, table: str, sitter: Sitter, reads: bool) -> bool:
    """Somebody begins to read what happened meanwhile, or has ended; whether that is other than before."""
    known = catching_up(hall, table)
    if reads == (sitter.person.id in known):
        return False
    others = {person: since for person, since in known.items() if person != sitter.person.id}
    now = {**others, sitter.person.id: time.time()} if reads else others
    hall.evening.keep(table, CATCHING, now or None)
    return True


def catching_up(hall: Hall, table: str) -> dict[str, float]:
    """Who reads what happened meanwhile, and since when."""
    kept = hall.evening.kept(table, CATCHING, dict[str, float]) or {}
    return {person: since for person, since in kept.items() if time.time() - since < READING}


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
