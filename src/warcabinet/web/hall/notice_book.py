"""What the hall remembers of turns: whose move it is at each table, who looked at it, who is told how, and what of."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.web.hall import schema
from warcabinet.web.hall.hall_database import HallDatabase
from warcabinet.web.hall.whose_move import Kind, Waits

#: Longer than any message takes: after that another process may take it in hand.
LEASE = 120.0


class Way(msgspec.Struct, frozen=True):
    """One way in which a person is told, as it was set up and as it went of late."""

    person: str
    way: str
    on: bool = False
    address: str = ""
    form: str = ""
    every: float = 60.0
    confirmed: float = 0.0
    sent: float = 0.0
    tries: int = 0
    again: float = 0.0
    lease: float = 0.0
    trouble: str = ""


class WaitRow(msgspec.Struct, frozen=True):
    """A seat that must decide, since when, and what."""

    table: str
    seat: str
    kind: Kind
    key: str
    text: str
    since: float


class Stand(msgspec.Struct, frozen=True):
    """Where the game of a table is, and when it was last moved."""

    table: str
    head: int
    moment: str
    moved: float


class Letter(msgspec.Struct, frozen=True):
    """Something to be told to a person: that a seat of theirs must decide."""

    id: int
    person: str
    way: str
    table: str
    seat: str
    key: str
    made: float


class NoticeBook:
    def __init__(self, database: HallDatabase) -> None:
        self._database = database

    # -- whose move --------------------------------------------------------------------------------------------------

    def set_waiting(self, seen: Iterable[tuple[Stand, list[Waits]]]) -> dict[str, list[WaitRow]]:
        """Write down who must decide at these tables; the answer is who must decide something new at each.

        All in one transaction: on a busy evening the disk is waited for once and not for every table.
        """
        with self._database.changing() as db:
            return {stand.table: _set_waiting(db, stand, waits) for stand, waits in seen}

    def waiting(self, tables: Iterable[str]) -> list[WaitRow]:
        rows = schema.waiting
        return [WaitRow(**row) for row in self._database.all(sa.select(rows).where(rows.c.table.in_(list(tables))))]

    def stands(self, tables: Iterable[str]) -> dict[str, Stand]:
        rows = schema.stands
        found = self._database.all(sa.select(rows).where(rows.c.table.in_(list(tables))))
        return {row["table"]: Stand(**row) for row in found}

    # -- who looked --------------------------------------------------------------------------------------------------

    def look(self, table: str, person: str, line: int = 0) -> None:
        """Someone has a table before their eyes, and has read its talk up to a line."""
        rows = schema.looked
        mine = sa.and_(rows.c.table == table, rows.c.person == person)
        with self._database.changing() as db:
            read = db.execute(sa.select(rows.c.line).where(mine)).scalar() or 0
            db.execute(rows.delete().where(mine))
            values = {"at": time.time(), "line": max(line, read)}
            db.execute(rows.insert().values(table=table, person=person, **values))

    def looked(self, person: str, tables: Iterable[str]) -> dict[str, tuple[float, int]]:
        """When someone last looked at each table, and what they read there."""
        rows = schema.looked
        query = sa.select(rows).where(rows.c.person == person, rows.c.table.in_(list(tables)))
        return {row["table"]: (row["at"], row["line"]) for row in self._database.all(query)}

    def unread(self, person: str, tables: Iterable[str]) -> dict[str, int]:
        """How many lines of talk someone has not read at each table; whoever speaks has read all before."""
        said, rows = schema.talk, schema.looked
        read = sa.select(rows.c.line).where(rows.c.table == said.c.table, rows.c.person == person).scalar_subquery()
        heard = sa.or_(said.c.to == "", said.c.heard.contains(f" {person} ", autoescape=True))
        query = (
            sa.select(said.c.table, sa.func.count().label("n"))
            .where(said.c.table.in_(list(tables)), said.c.seat != "", heard)
            .where(said.c.id > sa.func.coalesce(read, 0))
            .group_by(said.c.table)
        )
        return {row["table"]: int(row["n"]) for row in self._database.all(query)}

    # -- how people are told -----------------------------------------------------------------------------------------

    def ways(self, person: str) -> dict[str, Way]:
        found = self._database.all(sa.select(schema.ways).where(schema.ways.c.person == person))
        return {row["way"]: Way(**row) for row in found}

    def set_way(self, way: Way) -> None:
        """Keep how someone is told by one way; what waited for the old address is told to nobody."""
        ways, out = schema.ways, schema.outbox
        statements: list[sa.Executable] = [
            ways.delete().where(ways.c.person == way.person, ways.c.way == way.way),
            ways.insert().values(msgspec.to_builtins(way)),
        ]
        if not way.on:
            statements.append(out.delete().where(out.c.person == way.person, out.c.way == way.way))
        self._database.do(*statements)

    def change_way(self, person: str, way: str, **values: Any) -> None:
        ways = schema.ways
        self._database.do(ways.update().where(ways.c.person == person, ways.c.way == way).values(values))

    # -- what is to be told ------------------------------------------------------------------------------------------

    def post(self, row: WaitRow, people: Iterable[str]) -> None:
        """Put a new turn in the outbox of everybody it concerns who wants to be told."""
        ways = schema.ways
        wanted = sa.select(ways.c.person, ways.c.way).where(ways.c.person.in_(list(people)), ways.c.on)
        with self._database.changing() as db:
            for person, way in db.execute(wanted.where(ways.c.way != "browser")).all():
                told = {"person": person, "way": way, "table": row.table, "seat": row.seat, "key": row.key}
                db.execute(schema.outbox.insert().values(**told, made=row.since))

    def letters(self, person: str = "", way: str = "") -> list[Letter]:
        out = schema.outbox
        query = sa.select(out).order_by(out.c.id)
        if person:
            query = query.where(out.c.person == person, out.c.way == way)
        return [Letter(**row) for row in self._database.all(query)]

    def forget_letters(self, ids: Iterable[int]) -> None:
        self._database.do(schema.outbox.delete().where(schema.outbox.c.id.in_(list(ids))))

    def due(self, now: float, window: float) -> list[Way]:
        """The ways on which something is to be told now: digested for a while, not too soon after the last."""
        ways, out = schema.ways, schema.outbox
        oldest = (
            sa.select(out.c.person, out.c.way, sa.func.min(out.c.made).label("first"))
            .group_by(out.c.person, out.c.way)
            .subquery()
        )
        query = (
            sa.select(ways)
            .join(oldest, sa.and_(oldest.c.person == ways.c.person, oldest.c.way == ways.c.way))
            .where(ways.c.on, oldest.c.first <= now - window, ways.c.sent + ways.c.every * 60 <= now)
            .where(ways.c.again <= now, ways.c.lease <= now)
        )
        return [Way(**row) for row in self._database.all(query)]

    def take_in_hand(self, way: Way, now: float) -> bool:
        """Whether this process is the one that sends it: only one is."""
        ways = schema.ways
        mine = ways.update().where(ways.c.person == way.person, ways.c.way == way.way, ways.c.lease <= now)
        with self._database.changing() as db:
            return db.execute(mine.values(lease=now + LEASE)).rowcount == 1

    # -- links that mails carry --------------------------------------------------------------------------------------

    def signed(self, what: str, person: str, about: str = "") -> str:
        """A link's secret for one purpose and person; nothing is kept for it but the hall's own key."""
        told = f"{what} {person} {about}".encode("utf-8", "replace")
        return f"{person}-{hmac.new(self._key(), told, hashlib.sha256).hexdigest()[:32]}"

    def signer(self, what: str, secret: str, about: str = "") -> str:
        """The person for whom a link was made for this purpose; empty where it was not."""
        person = secret.partition("-")[0]
        return person if hmac.compare_digest(secret.encode(), self.signed(what, person, about).encode()) else ""

    def _key(self) -> bytes:
        """The hall's own key, made when it is first wanted."""
        query = sa.select(schema.meta.c.value).where(schema.meta.c.key == "key")
        with self._database.reading() as db:
            found = db.execute(query).scalar()
        if found is None:
            with self._database.changing() as db:
                found = db.execute(query).scalar()
                if found is None:
                    found = secrets.token_hex(32)
                    db.execute(schema.meta.insert().values(key="key", value=found))
        return bytes.fromhex(str(found))


# Asked and written after every order.
_WAITING = sa.select(schema.waiting).where(schema.waiting.c.table == sa.bindparam("at"))
_STANDS = schema.stands.update().where(schema.stands.c.table == sa.bindparam("at"))


def _set_waiting(db: sa.Connection, stand: Stand, waits: list[Waits]) -> list[WaitRow]:
    rows = schema.waiting
    old = {row.seat: row for row in db.execute(_WAITING, {"at": stand.table})}
    new, fresh = {}, []
    for it in waits:
        known = old.get(it.seat)
        since = known.since if known is not None and known.key == it.key else 0.0
        new[it.seat] = row = WaitRow(stand.table, it.seat, it.kind, it.key, it.text, since or stand.moved)
        if not since:
            fresh.append(row)
    # Most moves leave it to the same people to decide the same.
    if new != {seat: WaitRow(**row._mapping) for seat, row in old.items()}:
        db.execute(rows.delete().where(rows.c.table == stand.table))
        for row in new.values():
            db.execute(rows.insert(), msgspec.to_builtins(row))
    values = msgspec.to_builtins(stand)
    if not db.execute(_STANDS, {**values, "at": stand.table}).rowcount:
        db.execute(schema.stands.insert(), values)
    return fresh
