"""Who minds which power, as the hall remembers it: stewards and standing orders."""

from __future__ import annotations

from typing import Literal

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase

Mode = Literal["act", "show"]


class Minder(msgspec.Struct, frozen=True):
    """Who acts for a power: its steward, or a standing order of the seat that holds it.

    It stops where its plan has no answer. `acted` is the moment up to which it has acted.
    """

    power: str
    #: The text of a standing order; empty: the steward that ships.
    text: str
    mode: Mode
    by: str
    made: float
    stopped: str = ""
    acted: int = 0


#: Asked after every order.
_MINDERS = (
    sa.select(schema.minders).where(schema.minders.c.table == sa.bindparam("at")).order_by(schema.minders.c.power)
)


class MinderBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def at(self, table: str) -> list[Minder]:
        rows = self._database.all(_MINDERS, at=table)
        return [Minder(**{k: v for k, v in row.items() if k != "table"}) for row in rows]

    def set(self, table: str, minder: Minder) -> None:
        its = schema.minders
        old = its.delete().where(its.c.table == table, its.c.power == minder.power)
        self._database.do(old, its.insert().values(table=table, **msgspec.structs.asdict(minder)))

    def drop(self, table: str, power: str) -> None:
        its = schema.minders
        self._database.do(its.delete().where(its.c.table == table, its.c.power == power))

    def acted(self, table: str, power: str, acted: int, stopped: str = "") -> None:
        its = schema.minders
        here = (its.c.table == table, its.c.power == power)
        self._database.do(its.update().where(*here).values(acted=acted, stopped=stopped))
