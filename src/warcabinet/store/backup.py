"""Copies of games while they are played, and what can be saved of one that is damaged."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.game.throws import sealed_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State
from warcabinet.store.checking import check
from warcabinet.store.database import PATIENCE, StorageError, file_of, left_parts, refuse_taken, whole_file
from warcabinet.store.games import new_journal, open_game, open_journal
from warcabinet.store.journal import SqlJournal
from warcabinet.store.soundness import Replay

HALL = "hall.sqlite"
GAMES = "games"
#: How copies are named that take turns: by the time, so that the newest comes last.
NAMED = "%Y-%m-%d-%H%M%S"


def back_up(source: Path, target: Path) -> list[str]:
    """Copy a game's file, or a server's folder with all its games, as it is at one moment; play goes on meanwhile.

    What was copied is named. The target appears when it is whole.
    """
    if source.is_dir():
        return _back_up_folder(source, target)
    if not source.is_file():
        raise WarCabinetError(f"there is no game at {source}")
    with whole_file(target) as part:
        _copy(source, part)
    return [source.name]


def next_in(folder: Path) -> Path:
    """The name of a copy that is made now, in a folder of copies."""
    return folder / datetime.now(UTC).strftime(NAMED)


def keep_last(folder: Path, many: int) -> None:
    """Of the copies in a folder the newest stay, and no part of one that was killed; other names are left alone."""
    for old in (*sorted(filter(_is_copy, folder.iterdir()))[:-many], *left_parts(folder)):
        shutil.rmtree(old) if old.is_dir() else old.unlink()


def _is_copy(path: Path) -> bool:
    with contextlib.suppress(ValueError):
        return datetime.strptime(path.name, NAMED).strftime(NAMED) == path.name
    return False


def _back_up_folder(source: Path, target: Path) -> list[str]:
    if not (source / HALL).is_file():
        raise WarCabinetError(f"{source} is not the folder of a server: there is no {HALL} in it")
    refuse_taken(target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        (part / GAMES).mkdir(mode=0o700, parents=True)
        part.chmod(0o700)
        # The hall first: a game is written before the hall knows of it, so that every table has its file.
        copied = [_copied(source / HALL, part / HALL)]
        for game in sorted((source / GAMES).glob("[!.]*.wcg")):
            with contextlib.suppress(FileNotFoundError):  # a table that was deleted this moment
                copied.append(_copied(game, part / GAMES / game.name))
        part.rename(target)
    except OSError as error:
        raise StorageError(f"{target} cannot be written: {error.strerror or error}; nothing was left") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return copied


def _copied(source: Path, target: Path) -> str:
    if not source.exists():
        raise FileNotFoundError(str(source))
    with whole_file(target) as part:
        _copy(source, part)
    return source.name


def _copy(source: Path, target: Path) -> None:
    """By SQLite itself: a copy of the bytes could catch a move half written."""
    where = f"file:{quote(str(source.absolute()))}?mode=rw"
    try:
        with (
            contextlib.closing(sqlite3.connect(where, uri=True, timeout=PATIENCE)) as live,
            contextlib.closing(sqlite3.connect(target)) as copy,
        ):
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StorageError(f"{source.name} cannot be copied: {error}") from None


def reseeded_copy(source: Path, target: Path) -> None:
    """A second game that stands where another does, with dice of its own."""
    with whole_file(target) as part:
        _copy(source, part)
        journal = open_journal(part)
        try:
            journal.reseed()
        finally:
            journal.close()


def recover(source: str | Path, target: str | Path) -> tuple[Game, int]:
    """What is left of a damaged game as a new one: the moves up to the first that is not as it was written.

    The answer is the new game, and how many moves the damaged one still showed.
    """
    if file_of(target) is not None:
        refuse_taken(target)
    journal = open_journal(source, lenient=True)
    try:
        report = check(journal)
        if not report.whole:
            raise WarCabinetError(f"nothing can be saved of {journal.name}: {report.faults[0]}")
        seeds = [seed for seed in journal.seeds() if seed.first <= report.whole]
        with new_journal(target, [*seeds, sealed_seed(report.whole + 1)]) as saved:
            saved.append_all(_whole_moves(journal, report.whole), told=True)
    finally:
        journal.close()
    return open_game(target), report.moves


def _whole_moves(journal: SqlJournal, last: int) -> Iterator[tuple[Move, State]]:
    replay = Replay()
    for id in range(1, last + 1):
        move = journal.move(id)
        list(replay.follow(move))
        state = replay.state(move)
        assert state is not None
        yield move, state
