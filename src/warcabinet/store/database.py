"""Databases and files: opened without making any, written through to the disk, new ones whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from warcabinet.kernel.errors import WarCabinetError

#: Seconds to wait for another writer before saying that the game is busy.
PATIENCE = 10.0
#: Kilobytes that SQLite keeps in memory of a game that is open: a server has many, and the system keeps files as well.
GAME_CACHE = 256
#: Seconds after which an unused connection to a database is asked whether it is still there.
UNUSED = 1.0
#: The part of a URL that names one game among many in a database.
GAME = "game"
_BESIDE = ("", "-journal", "-wal", "-shm")


#: What a database that fails raises; after a connection was ended under a transaction, the latter.
FAILED = (sa.exc.DBAPIError, sa.exc.PendingRollbackError)


class StorageError(WarCabinetError):
    """The disk, the folder or the database does not let it be done. Nothing was changed."""


class Damaged(WarCabinetError):
    """What was written cannot be read back, or is not what was written."""


def database(place: str | Path) -> tuple[sa.Engine, str]:
    """The database behind a file name or URL, and what to call it in messages. A file is never made by opening it."""
    path = file_of(place)
    if path is not None:
        return sqlite_engine(path), path.name
    try:
        url = sa.make_url(str(place))
        game = str(url.query.get(GAME, ""))
        url = url.difference_update_query([GAME])
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        engine = _shared(url)
        if game:
            return engine.execution_options(schema_translate_map={None: f"game_{game}"}), f"game {game}"
        return engine, url.render_as_string(hide_password=True)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        raise WarCabinetError(
            f"no such database: {first_line(error)}; PostgreSQL needs: pip install 'warcabinet[postgres]'"
        ) from None


def one_of_many(database: str, game: str) -> str:
    """The place of one game among many in a database: a schema of its own."""
    return sa.make_url(database).update_query_dict({GAME: game}).render_as_string(hide_password=False)


_engines: dict[str, sa.Engine] = {}


def _shared(url: sa.URL) -> sa.Engine:
    """One pool of connections for a database, however many games are in it."""
    key = url.render_as_string(hide_password=False)
    if key not in _engines:
        patient = {"connect_timeout": int(PATIENCE)} if url.get_backend_name() == "postgresql" else {}
        # The newest connection is taken first: it needs no question whether it is still there. Those that a rush needed
        # are kept: a new one costs PostgreSQL a process that knows none of the games yet.
        pool = {"pool_size": 24, "max_overflow": 16, "pool_use_lifo": True}
        made = _engines[key] = sa.create_engine(url, connect_args=patient, **pool)
        sa.event.listen(made, "checkin", _note_use)
        sa.event.listen(made, "checkout", _ask_whether_there)
    return _engines[key]


def _note_use(_connection: Any, record: Any) -> None:
    record.info["used"] = time.monotonic()


def _ask_whether_there(connection: Any, record: Any, _proxy: Any) -> None:
    """A connection that lay unused may have been ended meanwhile: then another one takes its place."""
    if time.monotonic() - record.info.get("used", time.monotonic()) < UNUSED:
        return
    try:
        connection.execute("")
        connection.rollback()
    except Exception as error:
        raise sa.exc.DisconnectionError from error


@contextmanager
def looking(engine: sa.Engine, *, at_once: bool = False, apart: bool = False) -> Iterator[sa.Connection]:
    """A connection to read by. `at_once`: all that is read is of one moment, as it is in SQLite unless it is `apart`.

    PostgreSQL needs no transaction for single questions; each would be two more messages to and fro.
    """
    with engine.connect() as db:
        if db.dialect.name == "postgresql":
            db = db.execution_options(isolation_level="REPEATABLE READ" if at_once else "AUTOCOMMIT")
        elif apart:
            db = db.execution_options(apart=True)
        yield db


def let_go(engine: sa.Engine) -> None:
    """Close the connections to a file; those to a database are shared."""
    if engine.dialect.name == "sqlite":
        engine.dispose()


def share_nothing() -> None:
    """Close all connections to databases: a process that is about to fork must not share them."""
    for engine in _engines.values():
        engine.dispose()


def schema_of(db: sa.Connection) -> str | None:
    """The schema in which a game stands, where it is one of many in a database."""
    names = db.get_execution_options().get("schema_translate_map") or {}
    found = names.get(None)
    return None if found is None else str(found)


def file_of(place: str | Path) -> Path | None:
    """The file that a place names; None where it is a database elsewhere."""
    text = str(place)
    if "://" not in text:
        return Path(text)
    if text.startswith("sqlite://"):
        return Path(sa.make_url(text).database or "")
    return None


#: How SQLite waits for the disk. EXTRA: the folder is synced as well, so that a journal which was removed stays so
#: after a loss of power.
WITH_A_LOG, ALONE = "FULL", "EXTRA"


#: A question that takes more steps of SQLite than this, a thousand million, has no end: no file of a game is so large.
A_LOAD, LOADS = 1_000_000, 1_000


class _Patience:
    """Counts the steps of a statement, and ends one that has no end."""

    def __init__(self) -> None:
        self.loads = 0

    def __call__(self) -> int:
        self.loads += 1
        return int(self.loads > LOADS)


class _Connection(sqlite3.Connection):
    """A connection to a file that anybody may have made."""

    patience: _Patience

    def guard(self) -> None:
        self.patience = _Patience()
        self.set_progress_handler(self.patience, A_LOAD)
        # What stands in the file may call no function that does more than reckon.
        self.execute("PRAGMA trusted_schema=OFF")


def _begin_statement(db: Any, *_: Any) -> None:
    db.connection.driver_connection.patience.loads = 0


def sqlite_engine(path: Path, *, concurrent: bool = False) -> sa.Engine:
    """An SQLite file that is there. `concurrent`: readers do not wait for the writer (a log beside the file)."""
    where = f"file:{quote(str(path.absolute()))}?mode=rw"

    def connect() -> sqlite3.Connection:
        made = sqlite3.connect(
            where, uri=True, timeout=PATIENCE, check_same_thread=False, isolation_level=None, factory=_Connection
        )
        try:
            made.guard()
            if concurrent:
                made.execute("PRAGMA journal_mode=WAL")
            made.execute(f"PRAGMA synchronous={WITH_A_LOG if concurrent else ALONE}")
            if not concurrent:
                made.execute(f"PRAGMA cache_size=-{GAME_CACHE}")
        except UnicodeDecodeError:
            # SQLite quotes what it cannot understand, and that is no text.
            made.close()
            raise sqlite3.DatabaseError("malformed database schema") from None
        return made

    # A server keeps many games open: one connection each, and more only while they are asked for.
    most = 8 if concurrent else 1
    engine = sa.create_engine("sqlite://", creator=connect, poolclass=sa.QueuePool, pool_size=most, max_overflow=64)
    sa.event.listen(engine, "begin", _begin)
    sa.event.listen(engine, "before_cursor_execute", _begin_statement)
    return engine


def _begin(db: sa.Connection) -> None:
    """A writer says so at once: two who read first and then write would wait for each other."""
    options = db.get_execution_options()
    if not options.get("apart"):
        db.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writing") else "BEGIN")


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """One transaction that writes: all of it, or nothing."""
    with engine.connect().execution_options(writing=True) as db, db.begin():
        yield db


def trouble(error: Exception, name: str) -> WarCabinetError:
    """What a database's error means for whoever runs the game."""
    text = first_line(error)
    if isinstance(error, sa.exc.OperationalError):
        if "disk is full" in text or "disk I/O" in text:
            return StorageError(f"{name} cannot be written: the disk is full or failing ({text}); nothing was changed")
        if "readonly" in text or "read-only" in text or "unable to open" in text:
            return StorageError(f"{name} cannot be written: it, or its folder, is read-only ({text})")
        if "interrupted" in text:
            return Damaged(f"{name} is not read: a question to it has no end")
        if "locked" in text:
            return StorageError(f"{name} is busy: another program holds it; try again")
        if not text.startswith(("no such", "Could not decode")):
            return StorageError(f"{name} cannot be reached: {text}")
    if isinstance(error, sa.exc.PendingRollbackError):
        return StorageError(f"{name} cannot be reached: its connection was lost; nothing was changed")
    if isinstance(error, sa.exc.DataError):
        return WarCabinetError(f"{name} cannot keep this: {text}; nothing was changed")
    if "permission denied" in text or "read-only transaction" in text:
        return StorageError(f"{name} cannot be used: {text}")
    return Damaged(f"{name} is damaged and cannot be read: {text}; `warcabinet recover` saves what is left")


def first_line(error: Exception) -> str:
    return (str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__])[0]


# -- files ------------------------------------------------------------------------------------------------------


def refuse_taken(place: str | Path) -> None:
    """Refuse a place where no new game can be put: a file that is there already, a folder that is not."""
    path = file_of(place)
    if path is None:
        return
    if path.exists():
        raise WarCabinetError(f"{path} exists already; choose another name or remove it")
    if not path.resolve().parent.is_dir():
        raise WarCabinetError(f"there is no folder {path.resolve().parent}")


@contextmanager
def whole_file(place: Path) -> Iterator[Path]:
    """Where to write a new file: it takes its name only when it is whole and on the disk; else nothing is left.

    A kill leaves at most a hidden part, which the next one at this place takes away. Only its owner can read it: games
    hold seeds of dice, the hall notes and whispers.
    """
    refuse_taken(place)
    clear_parts(place)
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        yield part
        _sync(part)
        _settle(part, place)
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {error.strerror or error}; nothing was left") from None
    finally:
        remove(part)
    with contextlib.suppress(OSError):
        _sync(place.parent)


def _settle(part: Path, place: Path) -> None:
    """Give a file its name, unless someone else took it meanwhile."""
    try:
        os.link(part, place)
    except FileExistsError:
        raise WarCabinetError(f"{place} exists already; choose another name or remove it") from None
    except OSError:
        # A file system without links: nothing else makes a name its own and refuses one that is taken.
        refuse_taken(place)
        part.rename(place)


def _sync(path: Path) -> None:
    if path.is_dir() and sys.platform == "win32":
        return  # a folder cannot be opened there, and needs not
    held = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(held)
    finally:
        os.close(held)


def remove(path: Path) -> None:
    """Take away a database file and what SQLite keeps beside it."""
    for ending in _BESIDE:
        with contextlib.suppress(OSError):
            path.with_name(path.name + ending).unlink()


def clear_parts(place: Path) -> None:
    """Take away what a program that was killed left of a file by this name."""
    with contextlib.suppress(OSError):  # it is only tidying
        for part in left_parts(place.resolve().parent, _literal(place.name)):
            remove(part)


def left_parts(folder: Path, named: str = "*") -> Iterator[Path]:
    """Parts of files and folders in the making whose programs run no more; `named` is a pattern."""
    for part in folder.glob(f".{named}.*.part"):
        number = part.name.removesuffix(".part").rpartition(".")[2]
        if number.isascii() and number.isdigit() and not _alive(int(number)):
            yield part


def _literal(name: str) -> str:
    return "".join(f"[{c}]" if c in "[*?" else c for c in name)


def _alive(process: int) -> bool:
    if sys.platform == "win32":
        return False  # a file that a program holds cannot be removed there anyway
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
