"""Saves and files that someone wrote who can reckon: judged as play itself would, and bounded (3, 11, 13, 18)."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from warcabinet.game import Game
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.store import create_game, examine, export_game, import_game
from warcabinet.store.journal import SNAPSHOT_EVERY
from warcabinet.store.soundness import Replay
from warcabinet.store.transfer import Bounds, _Reader

SMALL = 16
SPEND = {"do": "spend", "power": "germany", "brp": 9, "on": "other"}


def marked(head: str, moves: list[str]) -> list[str]:
    """An export whose last line fits what comes before."""
    mark = hashlib.sha256("".join(f"{line}\n" for line in moves).encode()).hexdigest()
    return [head, *moves, f'{{"end":{len(moves)},"mark":"{mark}"}}']


@pytest.fixture(scope="module")
def start() -> tuple[str, str]:
    """The first lines of an export: what it is, and the start of its game."""
    head, first, _ = export_game(Game.new())
    return head, first


@pytest.mark.parametrize(("turn", "step"), [(7758, 99), (7758, 1_000_000), (7758, -1), (9758, 3), (0, 3), (-7758, 3)])
def test_a_game_stands_at_a_moment_that_there_is(start: tuple[str, str], tmp_path: Path, turn: int, step: int) -> None:
    """Turn, step and the moment of the move fit each other: only the calendar knows better."""
    head, first = start
    was = calendar.moment(7758, 3)
    assert '"turn":7758,"step":3' in first
    assert f'"moment":{was}' in first
    moved = first.replace('"turn":7758,"step":3', f'"turn":{turn},"step":{step}')
    moved = moved.replace(f'"moment":{was}', f'"moment":{calendar.moment(turn, step)}')
    import_game(marked(head, [first]), tmp_path / "fine.warcabinet")
    with pytest.raises(WarCabinetError):
        import_game(marked(head, [moved]), tmp_path / "wrong.warcabinet")
    assert not list(tmp_path.glob("*wrong*"))


def test_an_export_that_was_cut_at_the_end_of_a_line_is_refused(tmp_path: Path) -> None:
    game = Game.new()
    for _ in range(3):
        game.do(SPEND)
    lines = list(export_game(game))
    for cut in range(1, len(lines)):
        with pytest.raises(WarCabinetError, match=r"cut short|nothing to import"):
            import_game(lines[:-cut], tmp_path / "wrong.warcabinet")
    with pytest.raises(WarCabinetError, match="4 moves were written, but 3 are there"):
        import_game([*lines[:-2], lines[-1]], tmp_path / "wrong.warcabinet")
    assert not list(tmp_path.iterdir())


def long_game(moves: int) -> Game:
    game = Game.new()
    for number in range(moves):
        game.do({"do": "report_control", "places": ["Paris"], "by": ("germany", "france")[number % 2]})
    return game


def test_a_long_import_keeps_few_states_and_few_snapshots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory and file grow in step with the save, not with its square: the larger a state, the fewer are stored."""
    monkeypatch.setattr("warcabinet.store.journal.BYTES_AN_EVENT", SMALL)  # as if states were many times as large
    game = long_game(400)
    lines = list(export_game(game))
    reader = _Reader(lines, Bounds())
    replay, most = Replay(reader._needed), 0
    for move in game.log():
        assert list(replay.follow(move)) == []
        most = max(most, len(replay._states))
    assert most <= 3
    import_game(lines, tmp_path / "long.warcabinet")
    with sqlite3.connect(tmp_path / "long.warcabinet") as db:
        taken, largest = db.execute("select count(*), max(length(state)) from snapshots").fetchone()
    db.close()
    events = sum(len(move.records) for move in game.log()[1:])
    assert events > 4 * SNAPSHOT_EVERY
    assert largest // SMALL > 4 * SNAPSHOT_EVERY
    assert (taken - 1) * (largest // SMALL) <= events


def test_verify_knows_the_last_move_that_was_written(tmp_path: Path) -> None:
    """A throw posts nothing and has no snapshot: where it was, only the mark of the end tells."""
    file = tmp_path / "game.warcabinet"
    game = create_game(file)
    game.do({"do": "roll", "purpose": "weather"})
    game.journal.close()  # type: ignore[attr-defined]
    with sqlite3.connect(file) as db:
        db.execute("delete from moves where id = 2")
    db.close()
    assert examine(file).faults == ["the journal ended with move 2; now it ends with 1"]


CYCLES = {
    "a move that follows itself": "update moves set before = 3 where id = 3",
    "moves that follow each other": "update moves set before = 4 where id = 2",
}
#: What is done with a damaged game; each by itself, so that none hides behind another.
LOOKS = {
    "verify": "examine(file)",
    "a state": "[open_journal(file, lenient=True).state_at(id) for id in (2, 3, 4)]",
    "recover": "recover(file, file + '-saved')",
}
LOOK = """
import sys
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import examine, open_journal
from warcabinet.store.backup import recover
file = sys.argv[1]
try:
    {look}
except WarCabinetError as error:
    print(error)
"""


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("cycle", CYCLES)
def test_moves_in_a_circle_are_looked_at_once(tmp_path: Path, look: str, cycle: str) -> None:
    file = tmp_path / "game.warcabinet"
    game = create_game(file)
    for _ in range(3):
        game.do(SPEND)
    game.journal.close()  # type: ignore[attr-defined]
    with sqlite3.connect(file) as db:
        db.execute("delete from snapshots")  # or a state is found before the circle is gone round
        db.execute(CYCLES[cycle])
    db.close()
    command = [sys.executable, "-c", LOOK.format(look=LOOKS[look]), str(file)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode == 0, told.stderr
    assert examine(file).faults


LINE = """
import sqlite3, sys
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import open_game
game = open_game(sys.argv[1])
with sqlite3.connect(sys.argv[1]) as db:
    db.execute(sys.argv[2])
try:
    game.line()
except WarCabinetError as error:
    print(error)
"""


@pytest.mark.parametrize("cycle", CYCLES)
def test_a_line_of_moves_does_not_go_round_for_ever(tmp_path: Path, cycle: str) -> None:
    """The state is in memory already, and what comes before is read only now."""
    file = tmp_path / "game.warcabinet"
    game = create_game(file)
    for _ in range(3):
        game.do(SPEND)
    game.journal.close()  # type: ignore[attr-defined]
    command = [sys.executable, "-c", LINE, str(file), CYCLES[cycle]]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert "says that it follows" in told.stdout
