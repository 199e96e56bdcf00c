"""Making and opening games: new ones whole or not at all, old ones after SQLite had its chance to put them right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import sqlalchemy as sa

from warcabinet.figures.position import Position, set_up
from warcabinet.game import Game, new_game
from warcabinet.game.engine import within_bounds
from warcabinet.game.throws import Seed, plain_seed, sealed_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import tables
from warcabinet.store.checking import Report, check
from warcabinet.store.database import (
    FAILED,
    Damaged,
    database,
    file_of,
    let_go,
    remove,
    schema_of,
    trouble,
    whole_file,
    writing,
)
from warcabinet.store.journal import SqlJournal
from warcabinet.store.rows import seed_row
from warcabinet.store.upcast import FORMAT


def create_tables(place: str | Path, seeds: Sequence[Seed]) -> SqlJournal:
    """An empty journal in a database that is there, or a file that was made for it."""
    engine, name = database(place)
    try:
        with writing(engine) as db:
            if sa.inspect(db).has_table("moves", schema := schema_of(db)):
                raise WarCabinetError(f"{name} holds a game already")
            if schema is not None:
                db.execute(sa.schema.CreateSchema(schema))
            tables.create_all(db)
            origin = seeds[0].commitment if seeds[0].first == 1 else ""
            db.execute(tables.meta.insert(), [{"key": "format", "value": FORMAT}, {"key": "origin", "value": origin}])
            db.execute(tables.dice.insert(), [seed_row(seed) for seed in seeds])
    except FAILED as error:
        let_go(engine)
        raise trouble(error, name) from None
    return SqlJournal(engine, name, lenient=True)


@contextmanager
def new_journal(place: str | Path, seeds: Sequence[Seed]) -> Iterator[SqlJournal]:
    """A journal to fill at a new place. A file takes its name when all is written; else nothing is left."""
    path = file_of(place)
    if path is None:
        journal = create_tables(place, seeds)
        try:
            yield journal
        except BaseException:
            take_away(place)
            raise
        return
    with whole_file(path) as part:
        journal = create_tables(part, seeds)
        journal.name = path.name
        try:
            yield journal
        finally:
            journal.close()


def take_away(place: str | Path) -> None:
    """Remove a game: its file, or its schema among many in a database."""
    path = file_of(place)
    if path is not None:
        remove(path)
        return
    engine, name = database(place)
    try:
        with writing(engine) as db:
            schema = schema_of(db)
            if schema is not None:
                db.execute(sa.schema.DropSchema(schema, cascade=True, if_exists=True))
    except FAILED as error:
        raise trouble(error, name) from None


def create_game(place: str | Path, position: Position | str = "classic-1939", *, seed: int | None = None) -> Game:
    """Start a game in a file from a scenario's name or a position; without a seed its dice are sealed."""
    given = Position(position) if isinstance(position, str) else position
    within_bounds("the position", msgspec.to_builtins(given))
    # A position that cannot be set up must not leave a file behind.
    set_up(given)
    with new_journal(place, [sealed_seed(1) if seed is None else plain_seed(seed)]) as journal:
        new_game(given, journal)
    return open_game(place)


def open_game(place: str | Path) -> Game:
    """Load a game from its file or database URL."""
    return Game(open_journal(place))


def open_journal(place: str | Path, *, lenient: bool = False) -> SqlJournal:
    """The journal at a place. SQLite first puts right what a kill left; only then is it judged."""
    path = file_of(place)
    if path is not None:
        _check_file(path)
    engine, name = database(place)
    try:
        with engine.connect() as db:
            there = sa.inspect(db).has_table("meta", schema_of(db))
            if there:
                tables.refuse_strange(db, name)
    except Damaged:
        let_go(engine)
        raise
    except Exception as error:
        let_go(engine)
        if "not a database" in str(error):
            raise WarCabinetError(f"{name} is not a War Cabinet game: it is not an SQLite file") from None
        if path is not None and "malformed" in str(error):
            _check_length(path)
        raise trouble(error, name) from None
    if not there:
        let_go(engine)
        raise WarCabinetError(f"{name} is not a War Cabinet game: it has no meta")
    return SqlJournal(engine, name, lenient=lenient)


def format_of(file: Path) -> str:
    """The format of a game's file; empty where it cannot be told."""
    try:
        journal = open_journal(file, lenient=True)
    except WarCabinetError:
        return ""
    journal.close()
    return journal.format


def examine(place: str | Path) -> Report:
    """A game as it lies on the disk, however damaged; only what is no game at all is an error."""
    try:
        journal = open_journal(place, lenient=True)
    except WarCabinetError as error:
        return Report(0, 0, [str(error)], [])
    try:
        return check(journal)
    finally:
        journal.close()


def checked_game(place: str | Path) -> tuple[Report, Game | None]:
    """What was found, and the game itself where it is whole."""
    if (path := file_of(place)) is not None:
        _check_file(path)
    report = examine(place)
    return report, Game(open_journal(place)) if report.ok else None


def _check_file(path: Path) -> None:
    """Refuse what cannot be a save before a database driver stumbles over it."""
    if path.is_dir():
        raise WarCabinetError(f"{path} is a folder; name the file of a game")
    if not path.is_file():
        raise WarCabinetError(f"there is no game at {path}; start one with: warcabinet new {path}")


def _check_length(path: Path) -> None:
    """Say so where a file that SQLite cannot read is shorter than it was."""
    with path.open("rb") as file:
        head = file.read(100)
    page = int.from_bytes(head[16:18], "big")
    wanted = (65536 if page == 1 else page) * int.from_bytes(head[28:32], "big")
    if (size := path.stat().st_size) < wanted:
        raise Damaged(f"{path.name} is cut short: {size} of {wanted} bytes; restore it from a copy")
