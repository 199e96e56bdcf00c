"""A game's file beside others who write or look for it: no false alarm, nothing made by looking (2, 8, 26)."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from warcabinet.cli.main import main
from warcabinet.store import Damaged, create_game, export_game, import_game, open_game, open_journal
from warcabinet.store.backup import back_up
from warcabinet.store.database import database, sqlite_engine

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files are locked otherwise there")
SPEND = {"do": "spend", "power": "germany", "brp": 9, "on": "other"}
#: Another program in the middle of a move: it holds the file, whose first page tells of pages that are not there yet.
WRITER = """
import os, sqlite3, sys
file = sys.argv[1]
db = sqlite3.connect(file, isolation_level=None)
db.execute("begin exclusive")
db.execute("update meta set value = value")
raw = os.open(file, os.O_RDWR)  # stays open: closing it would give up the lock
was = os.pread(raw, 4, 28)
os.pwrite(raw, (10_000).to_bytes(4, "big"), 28)
print("half", flush=True)
sys.stdin.readline()
os.pwrite(raw, was, 28)
db.execute("rollback")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "game.warcabinet"
    game = create_game(made)
    game.do(SPEND)
    game.journal.close()  # type: ignore[attr-defined]
    return made


def test_another_writer_raises_no_false_alarm(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a game while another program writes waits for it; the file is not judged before."""
    asked, found = threading.Event(), []

    def waits(place: Any) -> Any:
        asked.set()  # the database is asked now: it waits until the other has done
        return database(place)

    def look() -> None:
        try:
            found.append(open_game(file).head.id)
        except Damaged as error:
            found.append(str(error))
        finally:
            asked.set()

    monkeypatch.setattr("warcabinet.store.games.database", waits)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "half\n"
    looking = threading.Thread(target=look)
    looking.start()
    assert asked.wait(60)
    writer.communicate("done\n", timeout=60)
    looking.join(60)
    assert found == [2]


def test_the_folder_is_synced_with_every_new_file(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file whose name is not on the disk is gone after a loss of power, however well it was written itself."""
    lines = list(export_game(open_game(file)))
    synced: list[str] = []
    sync = os.fsync

    def noted(held: int) -> None:
        there = os.fstat(held)
        synced.append("folder" if stat.S_ISDIR(there.st_mode) else "file")
        sync(held)

    monkeypatch.setattr(os, "fsync", noted)
    for make in (
        lambda: create_game(tmp_path / "new.warcabinet"),
        lambda: import_game(lines, tmp_path / "taken in.warcabinet"),
        lambda: back_up(file, tmp_path / "copy.warcabinet"),
    ):
        synced.clear()
        make()
        assert synced == ["file", "folder"]


READING = ("status", "offers", "log", "forecast", "agenda", "verify", "undo", "redo", "dice", "countries", "garrisons")


@pytest.mark.parametrize("command", READING)
@pytest.mark.parametrize("scheme", ["", "sqlite:///"])
def test_looking_makes_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, scheme: str) -> None:
    place = tmp_path / "none.warcabinet"
    with pytest.raises(SystemExit):
        main([command, "-g", f"{scheme}{place}"])
    told = capsys.readouterr()
    assert "there is no game at" in " ".join((told.out + told.err).split())
    assert list(tmp_path.iterdir()) == []


def test_a_database_is_not_made_by_connecting(tmp_path: Path) -> None:
    """The file may go between the look for it and the opening: then it is not made anew either."""
    with pytest.raises(Exception, match="unable to open"):
        sqlite_engine(tmp_path / "none.warcabinet").connect()
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_goes_while_it_is_opened_is_not_made_anew(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(place: Any) -> Any:
        file.unlink(missing_ok=True)
        return database(place)

    monkeypatch.setattr("warcabinet.store.games.database", gone)
    with pytest.raises(Exception, match="unable to open"):
        open_journal(file)
    assert not file.exists()
