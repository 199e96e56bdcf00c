"""A game of its own that stands where another stood: what-if copies of any moment, however long the game."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from warcabinet.game import Game
from warcabinet.game.throws import published, sealed_seed
from warcabinet.store import tables
from warcabinet.store.database import writing
from warcabinet.store.games import new_journal, open_game
from warcabinet.store.journal import SqlJournal
from warcabinet.store.upcast import FIRST

#: So many rows are in memory at a time.
ROWS = 500


def fork(game: Game, place: str | Path, upto: int = 0) -> Game:
    """A copy in a new place of what a game was after a move.

    What was written is taken over as it stands, which costs next to nothing beside playing it again. Its dice from now
    on are its own, and of the other's it knows no more than was revealed.
    """
    source, last = game.journal, upto or game.head.id
    assert isinstance(source, SqlJournal)
    seeds = [*(seed for seed in published(source.seeds()) if seed.first <= last), sealed_seed(last + 1)]
    with new_journal(place, seeds) as journal:
        _hand_over(source, journal, last)
    return open_game(place)


def _hand_over(source: SqlJournal, to: SqlJournal, last: int) -> None:
    """The moves up to one with their postings and snapshots, and what the game says of itself."""
    numbered = (
        (tables.moves, tables.moves.c.id),
        (tables.postings, tables.postings.c.move),
        (tables.snapshots, tables.snapshots.c.move),
    )
    with source.reading(at_once=True) as here, writing(to.engine) as there:
        for table, number in numbered:
            for rows in here.execute(sa.select(table).where(number <= last)).mappings().partitions(ROWS):
                there.execute(table.insert(), [dict(row) for row in rows])
        mark = here.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == last)).scalar_one()
        said = {"origin": source.origin, "end": tables.end_mark(last, str(mark))}
        if source.first_until:
            said[FIRST] = str(min(source.first_until, last))
        there.execute(tables.meta.delete().where(tables.meta.c.key.in_(said)))
        there.execute(tables.meta.insert(), [{"key": key, "value": value} for key, value in said.items()])
