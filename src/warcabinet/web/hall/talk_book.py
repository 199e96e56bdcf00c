"""What the hall remembers of words: talk, notes, and an undo that waits for consent."""

from __future__ import annotations

import time

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase, heard_by
from warcabinet.web.hall.schema import Asked, Line

#: Asked after every order.
_ASKED = sa.select(schema.requests).where(schema.requests.c.table == sa.bindparam("at"))


class TalkBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    def say(
        self,
        table: str,
        text: str,
        *,
        seat: str = "",
        name: str = "",
        to: str = "",
        move: int = 0,
        heard: tuple[str, ...] = (),
    ) -> Line:
        """Something said: to all, or to the people in one seat, whose it stays."""
        values = {"table": table, "made": time.time(), "seat": seat, "name": name, "to": to, "text": text, "move": move}
        with self._database.changing() as db:
            made = db.execute(schema.talk.insert().values(**values, heard=heard_by(heard) if to else ""))
            key = made.inserted_primary_key
        assert key is not None
        return Line(int(key[0]), values["made"], seat, name, to, text, move)  # type: ignore[arg-type]

    def heard(self, table: str, person: str, *, before: int = 0, after: int = 0, last: int = 200) -> list[Line]:
        """The last lines that someone heard, or those before or after one."""
        said = schema.talk
        heard = sa.or_(said.c.to == "", said.c.heard.contains(f" {person} ", autoescape=True))
        query = sa.select(said).where(said.c.table == table, heard, said.c.id > after)
        if before:
            query = query.where(said.c.id < before)
        rows = self._database.all(query.order_by(said.c.id.desc()).limit(last))
        return [Line(**{k: v for k, v in row.items() if k not in ("table", "heard")}) for row in reversed(rows)]

    def last_line(self, table: str, before: float = 0.0) -> int:
        """The number of the last line; or of the last that was said before a moment."""
        said = schema.talk.c
        query = sa.select(sa.func.max(said.id).label("n")).where(said.table == table)
        row = self._database.one(query.where(said.made < before) if before else query)
        return int(row["n"] or 0)

    def lines_after(self, table: str, mark: int) -> list[int]:
        """The numbers of all lines above a mark, whoever heard them."""
        said = schema.talk.c
        query = sa.select(said.id).where(said.table == table, said.id > mark).order_by(said.id)
        return [int(row["id"]) for row in self._database.all(query)]

    def note(self, table: str, person: str) -> str:
        notes = schema.notes
        row = self._database.one(sa.select(notes.c.text).where(notes.c.table == table, notes.c.person == person))
        return str(row["text"]) if row else ""

    def write_note(self, table: str, person: str, text: str) -> None:
        notes = schema.notes
        old = notes.delete().where(notes.c.table == table, notes.c.person == person)
        self._database.do(old, notes.insert().values(table=table, person=person, text=text))

    def asked(self, table: str) -> Asked | None:
        row = self._database.one(_ASKED, at=table)
        if row is None:
            return None
        return Asked(row["head"], row["seat"], row["reason"], tuple(row["agreed"].split()), row["person"])

    def ask(self, table: str, asked: Asked | None) -> None:
        """Remember an undo that waits for consent, or forget it."""
        wait = schema.requests
        statements: list[sa.Executable] = [wait.delete().where(wait.c.table == table)]
        if asked is not None:
            values = {**msgspec.to_builtins(asked), "agreed": " ".join(asked.agreed)}
            statements.append(wait.insert().values(table=table, **values))
        self._database.do(*statements)
