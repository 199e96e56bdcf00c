"""What the hall remembers of year starts: who has confirmed them, and who let the spring begin."""

from __future__ import annotations

import time

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase


class Confirmation(msgspec.Struct, frozen=True):
    """A seat's word that it has read a year start; `opened` by whoever let the spring begin without all of them."""

    seat: str
    name: str
    made: float
    opened: bool


class YearBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def confirmations(self, table: str, move: int) -> list[Confirmation]:
        """Who has confirmed the year start that a move counted, the first first."""
        given = schema.confirmations
        query = sa.select(given).where(given.c.table == table, given.c.move == move).order_by(given.c.made)
        return [Confirmation(row["seat"], row["name"], row["made"], row["opened"]) for row in self._database.all(query)]

    def confirm(self, table: str, move: int, seats: tuple[str, ...], name: str, opened: bool = False) -> None:
        """Seats confirm a year start; whoever has done so before stays as he was."""
        given = schema.confirmations
        with self._database.changing() as db:
            here = sa.select(given.c.seat).where(given.c.table == table, given.c.move == move)
            there = set(db.execute(here).scalars())
            for seat in seats:
                if opened and seat in there:
                    mine = (given.c.table == table, given.c.move == move, given.c.seat == seat)
                    db.execute(given.update().where(*mine).values(opened=True))
                elif seat not in there:
                    row = {"table": table, "move": move, "seat": seat, "name": name, "made": time.time()}
                    db.execute(given.insert().values(**row, opened=opened))
