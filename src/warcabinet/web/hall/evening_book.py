"""What is under way at a table beside its game, as JSON by name: an open battle, the group's chart, who is ready."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase

T = TypeVar("T")

_ALL = sa.select(schema.under_way).where(schema.under_way.c.table == sa.bindparam("at"))


class EveningBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def all(self, table: str) -> dict[str, str]:
        """All that is kept of a table, by name."""
        return {row["name"]: row["value"] for row in self._database.all(_ALL, at=table)}

    def kept(self, table: str, name: str, kind: type[T]) -> T | None:
        """One thing that is kept of a table, if it is."""
        value = self.all(table).get(name)
        return None if value is None else msgspec.json.decode(value, type=kind)

    def keep(self, table: str, name: str, value: Any) -> None:
        """Keep something of a table in place of what was kept by this name; None: nothing any more."""
        kept = schema.under_way
        gone = kept.delete().where(kept.c.table == table, kept.c.name == name)
        if value is None:
            self._database.do(gone)
        else:
            text = msgspec.json.encode(value).decode()
            self._database.do(gone, kept.insert().values(table=table, name=name, value=text))
