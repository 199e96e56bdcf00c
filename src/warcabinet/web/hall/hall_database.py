"""The hall's database: made, opened, and brought from an earlier format to today's in one transaction."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store.database import (
    FAILED,
    Damaged,
    database,
    let_go,
    looking,
    sqlite_engine,
    trouble,
    whole_file,
    writing,
)
from warcabinet.store.games import format_of
from warcabinet.store.upcast import FIRST
from warcabinet.web.hall import schema
from warcabinet.web.plumbing.folder import GAMES

FILE = "hall.sqlite"


class HallDatabase:
    """What the books of the hall share: questions, and changes that are one short transaction each."""

    def __init__(self, place: Path | str) -> None:
        self._engine = _opened(place)
        #: The connection by which a thread asks several questions at one look.
        self._look = threading.local()
        try:
            with self.changing() as db:
                _wait_for_turn(db)
                _check(db)
                _bring_up_to_date(db, place)
                # A table that only adds to what is remembered needs no format of its own.
                unknown_sitters = not sa.inspect(db).has_table(schema.sittings.name)
                schema.metadata.create_all(db)
                if unknown_sitters:
                    _settle_sittings(db)
                # Who may only read finds out now, not with the first order.
                its = schema.meta
                db.execute(its.update().where(its.c.key == "format").values(value=schema.FORMAT))
        except BaseException:
            let_go(self._engine)
            raise

    def close(self) -> None:
        let_go(self._engine)

    @contextmanager
    def one_look(self) -> Iterator[None]:
        """Several questions in a row of this thread, by one connection: getting one costs as much as a question."""
        if self._looking() is not None:
            yield
            return
        try:
            with looking(self._engine, apart=True) as db:
                self._look.db = db
                yield
        except FAILED as error:
            raise trouble(error, "the hall") from None
        finally:
            self._look.db = None

    def _looking(self) -> sa.Connection | None:
        found: sa.Connection | None = getattr(self._look, "db", None)
        return found

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        try:
            if (held := self._looking()) is not None:
                yield held
                return
            with looking(self._engine, apart=True) as db:
                yield db
        except FAILED as error:
            raise trouble(error, "the hall") from None

    @contextmanager
    def changing(self) -> Iterator[sa.Connection]:
        """One transaction: what is looked at in it stays so until it is over."""
        try:
            with writing(self._engine) as db:
                yield db
        except FAILED as error:
            raise trouble(error, "the hall") from None

    def one(self, query: sa.Select[Any], **asked: Any) -> Any:
        with self.reading() as db:
            return db.execute(query, asked).mappings().first()

    def all(self, query: sa.Select[Any], **asked: Any) -> list[Any]:
        with self.reading() as db:
            return list(db.execute(query, asked).mappings())

    def do(self, *statements: sa.Executable) -> None:
        with self.changing() as db:
            for statement in statements:
                db.execute(statement)


#: The number by which those who make or change a hall in PostgreSQL wait for each other; any will do.
TURN = 0x57AB


def _wait_for_turn(db: sa.Connection) -> None:
    """Two hosts that start at once on an empty database: one makes the hall, the other finds it made."""
    if db.dialect.name == "postgresql":
        db.execute(sa.select(sa.func.pg_advisory_xact_lock(TURN)))


def _check(db: sa.Connection) -> None:
    """Refuse a damaged hall before a server runs on it and makes it worse."""
    if db.dialect.name == "sqlite":
        found = db.exec_driver_sql("PRAGMA quick_check(3)").scalars().all()
        if found != ["ok"]:
            raise Damaged(f"the hall is damaged: {found[0]}; restore {FILE} from a backup")


def _opened(place: Path | str) -> sa.Engine:
    """The database of a data folder, or the one behind a URL."""
    if isinstance(place, str):
        return database(place)[0]
    file = place / FILE
    if not file.exists():
        try:
            with whole_file(file) as part:
                _make_concurrent(part)
        except FAILED as error:
            raise trouble(error, "the hall") from None
    return sqlite_engine(file, concurrent=True)


def _make_concurrent(file: Path) -> None:
    """An empty database in which readers do not wait for the writer."""
    engine = sqlite_engine(file, concurrent=True)
    try:
        with engine.connect() as db:
            db.exec_driver_sql("PRAGMA user_version=2")
    finally:
        engine.dispose()


def _bring_up_to_date(db: sa.Connection, place: Path | str) -> None:
    there = sa.inspect(db)
    if there.has_table("hall_meta"):
        found = db.execute(sa.select(schema.meta.c.value).where(schema.meta.c.key == "format")).scalar()
        if found == SECOND:
            _from_second(db)
        elif found != schema.FORMAT:
            raise WarCabinetError(f"the hall has the format {found}; this version reads {schema.FORMAT}")
        return
    if there.has_table("people"):
        _from_first(db)
        _settle_rules(db, place)
    schema.metadata.create_all(db)
    db.execute(schema.meta.insert(), {"key": "format", "value": schema.FORMAT})


#: Written by the first servers with several processes, before people were told of their turn.
SECOND = "warcabinet-hall-2"


def _from_second(db: sa.Connection) -> None:
    """Devices did not say when they were used; nobody was told of their turn."""
    db.exec_driver_sql("ALTER TABLE devices ADD COLUMN seen FLOAT NOT NULL DEFAULT 0")
    db.exec_driver_sql("ALTER TABLE devices ADD COLUMN agent VARCHAR NOT NULL DEFAULT ''")
    schema.metadata.create_all(db)
    _settle_met(db)
    db.execute(schema.meta.update().where(schema.meta.c.key == "format").values(value=schema.FORMAT))


#: The last release that did not write down by whose rules a table is played, and the one whose games tell it.
LAST_UNPINNED = "0.2.0"
FIRST_RELEASE = "0.1.0"
#: What the first format (releases 0.1.0 and 0.2.0, which did not say which it was) lacks.
_ADDED = {
    "tables": {"ends": "FLOAT NOT NULL DEFAULT 0", "rules": f"VARCHAR NOT NULL DEFAULT '{LAST_UNPINNED}'"},
    "tokens": {"made": "FLOAT NOT NULL DEFAULT 0"},
    "talk": {"heard": "VARCHAR NOT NULL DEFAULT ''"},
    "requests": {"person": "VARCHAR NOT NULL DEFAULT ''"},
}


def _from_first(db: sa.Connection) -> None:
    """A person had one secret; now every device has its own. Words to one seat become those of who sits there now."""
    db.exec_driver_sql("ALTER TABLE people RENAME TO people_1")
    schema.metadata.create_all(db)
    for table, columns in _ADDED.items():
        for name, kind in columns.items():
            db.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
    now = time.time()
    for row in db.exec_driver_sql("SELECT id, secret, name FROM people_1").mappings().all():
        db.execute(schema.people.insert(), {"id": row["id"], "name": row["name"], "made": now})
        device = {"id": secrets.token_hex(6), "secret": row["secret"], "person": row["id"]}
        db.execute(schema.devices.insert(), {**device, "label": "browser", "made": now})
    db.exec_driver_sql("DROP TABLE people_1")
    _settle_whispers(db)
    _settle_met(db)


def _settle_rules(db: sa.Connection, place: Path | str) -> None:
    """A game of the first format was begun by the rules of the first release, and stays with them."""
    if isinstance(place, str):
        return  # the first release kept its games in files alone
    tables = schema.tables
    for id in db.execute(sa.select(tables.c.id)).scalars().all():
        if format_of(place / GAMES / f"{id}.wcg") == FIRST:
            db.execute(tables.update().where(tables.c.id == id).values(rules=FIRST_RELEASE))


def _settle_met(db: sa.Connection) -> None:
    """Who plays a power now has met the others."""
    members, seats = schema.members, schema.seats
    at = sa.and_(seats.c.table == members.c.table, seats.c.id == members.c.seat)
    there = sa.select(members.c.table, members.c.person).join(seats, at).where(seats.c.role == "player").distinct()
    for table, person in db.execute(there).all():
        db.execute(schema.met.insert(), {"table": table, "person": person})


def _settle_sittings(db: sa.Connection) -> None:
    """Since when people sit was not written down: whoever sits there has always been there."""
    members, seats = schema.members, schema.seats
    at = sa.and_(seats.c.table == members.c.table, seats.c.id == members.c.seat, seats.c.role != "spectator")
    for row in db.execute(sa.select(members).join(seats, at)).mappings().all():
        db.execute(schema.sittings.insert(), {**row, "since": 0, "left": 0})


def _settle_whispers(db: sa.Connection) -> None:
    talk, members = schema.talk, schema.members
    for line in db.execute(sa.select(talk).where(talk.c.to != "")).mappings().all():
        seats = (line["to"], line["seat"])
        there = sa.select(members.c.person).where(members.c.table == line["table"], members.c.seat.in_(seats))
        db.execute(talk.update().where(talk.c.id == line["id"]).values(heard=heard_by(db.execute(there).scalars())))


def heard_by(people: Any) -> str:
    return f" {' '.join(sorted(set(people)))} "
