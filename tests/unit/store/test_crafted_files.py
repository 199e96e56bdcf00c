"""A file in which something acts by itself is refused by every command, before anything of it is asked."""

from __future__ import annotations

import shutil
import sqlite3
from importlib import import_module
from pathlib import Path

import pytest

from warcabinet.cli.main import main
from warcabinet.figures.position import Position
from warcabinet.store import create_game, open_game
from warcabinet.store.database import Damaged, sqlite_engine, trouble

ENDLESS = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"
#: A question of more than a million steps, which has an end.
LONG = f"{ENDLESS[:-1]} WHERE n < 100000)"
CRAFTED = {
    "trigger": "CREATE TRIGGER t AFTER INSERT ON moves BEGIN DELETE FROM moves WHERE id = 1; END",
    "view": f"""DROP TABLE meta; CREATE VIEW meta AS {ENDLESS}
        SELECT 'format' AS key, 'warcabinet-3' AS value UNION ALL SELECT n, n FROM c WHERE n < 0""",
    "table": "CREATE TABLE more (a)",
    "table of known words": "CREATE TABLE key (id INTEGER)",
    "column": "ALTER TABLE moves ADD COLUMN more VARCHAR",
    "generated": "ALTER TABLE moves ADD COLUMN mark VARCHAR AS (hex(zeroblob(900000000)))",
    "index": "CREATE INDEX i ON moves (abs(id))",
    "conflict": """ALTER TABLE postings RENAME TO was; DROP TABLE was;
        CREATE TABLE postings (account VARCHAR, move INTEGER, PRIMARY KEY (account, move) ON CONFLICT IGNORE)""",
}
COMMANDS = (
    ("status", "-g"), ("verify", "-g"), ("log", "-g"), ("export", "-g"), ("agenda", "-g"), ("dice", "-g"),
    ("do", "advance", "-g"), ("advance", "-g"), ("undo", "-g"), ("recover",), ("forecast", "-g"),
)  # fmt: skip


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("plain") / "plain.warcabinet"
    create_game(file, Position("empty", turn="Fall 1940")).journal.close()  # type: ignore[attr-defined]
    return file


@pytest.fixture
def crafted(request: pytest.FixtureRequest, plain: Path, tmp_path: Path) -> Path:
    file = tmp_path / "crafted.warcabinet"
    shutil.copy(plain, file)
    with sqlite3.connect(file) as db:
        db.executescript(CRAFTED[request.param])
    return file


@pytest.mark.parametrize("crafted", CRAFTED, indirect=True)
def test_a_file_in_which_something_acts_by_itself_is_not_opened(crafted: Path) -> None:
    with pytest.raises(Damaged, match="is not made as this program makes it"):
        open_game(crafted)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda it: it[0])
@pytest.mark.parametrize("crafted", ["trigger", "view"], indirect=True)
def test_every_command_refuses_it(
    crafted: Path, command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (str(tmp_path / "saved.warcabinet"),) if command[0] == "recover" else ()
    before = crafted.read_bytes()
    with pytest.raises(SystemExit) as ended:
        main([*command, str(crafted), *more])
    assert ended.value.code
    told = capsys.readouterr()
    assert "is not made as this program makes it" in " ".join((told.out + told.err).split())
    assert crafted.read_bytes() == before


def test_a_question_without_an_end_ends(plain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("warcabinet.store.database"), "LOADS", 3)
    engine = sqlite_engine(plain)
    with engine.connect() as db:
        for _ in range(2):  # each statement has steps of its own
            with pytest.raises(Exception, match="interrupted") as ended:
                db.exec_driver_sql(f"{ENDLESS} SELECT max(n) FROM c")
            told = trouble(ended.value, "x")
            assert isinstance(told, Damaged)
            assert "has no end" in str(told)
            assert db.exec_driver_sql(f"{LONG} SELECT max(n) FROM c").scalar() == 100_000
    engine.dispose()


def test_what_stands_in_a_file_is_not_trusted(plain: Path) -> None:
    """Whatever slipped in calls no function that does more than reckon."""
    engine = sqlite_engine(plain)
    with engine.connect() as db:
        assert db.exec_driver_sql("PRAGMA trusted_schema").scalar() == 0
    engine.dispose()
