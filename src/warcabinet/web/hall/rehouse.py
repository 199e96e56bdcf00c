"""From a folder to a database: hall and games go over whole, are compared and verified there, or nothing is left.

Every game goes in a transaction of its own, the hall last: where there is no hall nobody was served, so that what a
killed run left can be taken away by the next. The folder is not changed but for being brought to today's format.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import sqlalchemy as sa

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import tables as game_tables
from warcabinet.store.database import FAILED, database, looking, one_of_many, schema_of, sqlite_engine, trouble, writing
from warcabinet.store.games import examine, open_journal, take_away
from warcabinet.web.hall import schema
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.hall_database import FILE
from warcabinet.web.plumbing.folder import GAMES, Folder

#: Rows that travel together.
A_LOAD = 500
GAME_PREFIX = "game_"
#: Whoever waits is told how many games of how many have gone over.
Tell = Callable[[int, int], None]


class Rehoused(msgspec.Struct, frozen=True):
    """What went over."""

    tables: int
    moves: int
    people: int


def rehouse(data: Path, url: str, tell: Tell = lambda done, of: None) -> Rehoused:
    """Carry hall and games of a server's folder into an empty PostgreSQL; no server may run on either meanwhile."""
    if not (data / FILE).is_file():
        raise WarCabinetError(f"{data} is not the folder of a server: it has no {FILE}")
    engine, name = database(url)
    if engine.dialect.name != "postgresql":
        raise WarCabinetError(f"{name} is not PostgreSQL: postgresql://user@host/name")
    with _held(data) as hall:
        ids = hall.table_ids()
        moves = sum(_sound(data, id) for id in ids)
        try:
            _refuse_what_is_there(engine, name, ids)
            _carry(data, url, engine, ids, tell)
        except FAILED as error:
            raise trouble(error, name) from None
        return Rehoused(len(ids), moves, len(hall.people.called("")))


@contextlib.contextmanager
def _held(data: Path) -> Iterator[Hall]:
    """The folder, so that no server runs on it, and its hall in today's format."""
    folder = Folder(data)
    try:
        with contextlib.closing(Hall(data)) as hall:
            yield hall
    finally:
        folder.close()


def _file(data: Path, id: str) -> Path:
    return data / GAMES / f"{id}.wcg"


def _sound(data: Path, id: str) -> int:
    """The moves of a game in today's format. One that is damaged is not carried on: nothing is."""
    with contextlib.closing(open_journal(_file(data, id))) as journal:
        journal.renew()
    report = examine(_file(data, id))
    if not report.ok:
        raise WarCabinetError(f"game {id} is not whole: {report.faults[0]}; recover it, or delete its table, first")
    return report.moves


def _refuse_what_is_there(engine: sa.Engine, name: str, ids: list[str]) -> None:
    """Refuse a database that is not empty; games of this folder without a hall are what a killed run left."""
    with looking(engine) as db:
        there = sa.inspect(db)
        found = there.get_table_names()
        games = {it for it in there.get_schema_names() if it.startswith(GAME_PREFIX)}
    left = {GAME_PREFIX + id for id in ids}
    if found or games - left:
        what = f"the table {found[0]}" if found else f"the game {min(games - left).removeprefix(GAME_PREFIX)}"
        raise WarCabinetError(f"{name} is not empty: it holds {what}; name an empty database")
    with writing(engine) as db:
        for it in sorted(games):
            db.execute(sa.schema.DropSchema(it, cascade=True))


def _carry(data: Path, url: str, engine: sa.Engine, ids: list[str], tell: Tell) -> None:
    made: list[str] = []
    try:
        for id in ids:
            made.append(id)
            _carry_game(_file(data, id), one_of_many(url, id))
            tell(len(made), len(ids))
        _carry_hall(data, engine)
    except BaseException:
        for id in made:
            with contextlib.suppress(WarCabinetError):
                take_away(one_of_many(url, id))
        raise


def _carry_game(file: Path, place: str) -> None:
    engine, name = database(place)
    source = sqlite_engine(file)
    try:
        with looking(source) as old, writing(engine) as new:
            where = schema_of(new)
            assert where is not None
            new.execute(sa.schema.CreateSchema(where))
            game_tables.create_all(new)
            for table in game_tables.metadata.sorted_tables:
                _copy(old, new, table)
    finally:
        source.dispose()
    report = examine(place)
    if not report.ok:
        raise WarCabinetError(f"{name} did not arrive whole: {report.faults[0]}")


def _carry_hall(data: Path, engine: sa.Engine) -> None:
    """All of the hall in one transaction: with it the database is one that can be served."""
    source = sqlite_engine(data / FILE, concurrent=True)
    try:
        with looking(source) as old, writing(engine) as new:
            schema.metadata.create_all(new)
            for table in schema.metadata.sorted_tables:
                _copy(old, new, table)
                _count_on(new, table)
    finally:
        source.dispose()


def _copy(old: sa.Connection, new: sa.Connection, table: sa.Table) -> None:
    """Every row of a table; what arrived is compared with what was sent."""
    query = sa.select(table).order_by(*table.primary_key)
    for rows in old.execute(query).mappings().partitions(A_LOAD):
        new.execute(table.insert(), [dict(row) for row in rows])
    for sent, came in zip(_rows(old, table), _rows(new, table), strict=True):
        if sent != came:
            raise WarCabinetError(f"a row of {table.name} did not arrive as it was sent; nothing was left")


def _rows(db: sa.Connection, table: sa.Table) -> Iterator[tuple[object, ...]]:
    # Each database sorts letters in its own way: both by bytes.
    keys = [
        it.collate("BINARY" if db.dialect.name == "sqlite" else "C") if _text(it) else it for it in table.primary_key
    ]
    for row in db.execute(sa.select(table).order_by(*keys).execution_options(yield_per=A_LOAD)):
        yield tuple(row)


def _text(column: sa.Column[object]) -> bool:
    return isinstance(column.type, sa.String)


def _count_on(db: sa.Connection, table: sa.Table) -> None:
    """Numbers that the database gives go on after the last one that was given."""
    column = table.autoincrement_column
    if column is None:
        return
    last = sa.select(sa.func.max(column)).scalar_subquery()
    sequence = sa.func.pg_get_serial_sequence(table.name, column.name)
    db.execute(sa.select(sa.func.setval(sequence, sa.func.coalesce(last, 1), last.is_not(None))))
