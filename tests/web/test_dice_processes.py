"""Dice where several processes serve a game: a revealed seed never throws again, whatever a process has in memory."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks import ROLL, file_of

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.game.throws import Seed, dice_for, sealed_seed
from warcabinet.model.state import State
from warcabinet.store.fork import fork
from warcabinet.store.games import create_game, examine, open_game
from warcabinet.store.journal import SqlJournal
from warcabinet.store.transfer import export_game, import_game
from warcabinet.web.plumbing.settings import Settings
from warcabinet.web.sheets.dice_check import dice_check

#: So many throws of two seeds are not alike by chance.
MANY = 12


@pytest.fixture
def file(two: Any, settings: Settings) -> Path:
    """The game of a table at which a die was thrown."""
    two[0].do(**ROLL)
    return file_of(settings, two[0].table)


@pytest.fixture
def outside(file: Path) -> Iterator[Game]:
    """The same game, open in another process."""
    game = open_game(file)
    yield game
    game.journal.close()  # type: ignore[attr-defined]


def faces(moves: list[Move]) -> list[int]:
    return [face for move in moves for face in move.faces]


def thrown_by(seed: Seed, moves: list[Move]) -> list[int]:
    return [dice_for([seed], move.id).throw() for move in moves]


def right_at_table_and_in_verify(person: Any, file: Path) -> None:
    """What the table says of every throw, and what `verify` does, once every seed is told."""
    person.post("/dice/reveal")
    told = person.get("/dice/check").json()
    assert (told["wrong"], told["late"], told["sealed"]) == (0, 0, 0)
    assert told["checked"] == len(told["throws"])
    report = examine(file)
    assert report.faults == []
    assert not any("revealed before" in line for line in report.dice)


def test_a_seed_that_was_revealed_at_the_table_throws_nowhere(two: Any, file: Path, outside: Game) -> None:
    axis, allies = two
    told, *_ = allies.post("/dice/reveal").json()
    moves = [outside.do(ROLL) for _ in range(MANY)]
    assert faces(moves) != thrown_by(Seed(1, told["commitment"], told["secret"]), moves)
    assert faces(moves) == thrown_by(open_game(file).journal.seeds()[-1], moves)
    right_at_table_and_in_verify(axis, file)


def test_a_seed_that_was_revealed_elsewhere_does_not_throw_at_the_table(two: Any, file: Path) -> None:
    axis, allies = two
    seed, *_ = open_game(file).journal.seeds()
    subprocess.run([sys.executable, "-m", "warcabinet", "dice", "--reveal", "--game", str(file)], check=True)
    assert [bool(it.get("secret")) for it in allies.get("/dice").json()] == [True, False]
    assert allies.get("/dice/check").json()["checked"] == 1
    thrown = [axis.do(**ROLL).json()["moves"][0] for _ in range(MANY)]
    foretold = [dice_for([seed], it["id"]).throw() for it in thrown]
    assert [face for it in thrown for face in it["dice"]] != foretold
    right_at_table_and_in_verify(axis, file)


def test_a_seed_that_is_revealed_between_throwing_and_writing_has_not_thrown(
    two: Any, file: Path, outside: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order is carried out once, by the seed that follows; what was thrown first nobody ever saw."""
    axis, allies = two
    append, revealed = SqlJournal.append, []

    def revealed_first(journal: SqlJournal, move: Move, state: State) -> None:
        if journal is outside.journal and len(revealed) < move.id:
            revealed.append(allies.post("/dice/reveal").status_code)
        append(journal, move, state)

    monkeypatch.setattr(SqlJournal, "append", revealed_first)
    head = outside.head.id
    moves = [outside.do(ROLL, key=f"once {n}") for n in range(MANY)]
    assert [move.id for move in moves] == list(range(head + 1, head + MANY + 1))
    assert revealed.count(200) == MANY
    seeds = open_game(file).journal.seeds()
    assert [seed.first for seed in seeds] == [1, *(move.id for move in moves)]
    assert faces(moves) == [dice_for(seeds, move.id).throw() for move in moves]
    right_at_table_and_in_verify(axis, file)


def test_what_is_revealed_begins_after_the_last_throw_of_any_process(two: Any, file: Path, outside: Game) -> None:
    """A process that does not know of the last throws reveals their seed, and not one that never threw."""
    axis, _ = two
    thrown = [axis.do(**ROLL).json()["moves"][0]["id"] for _ in range(MANY)]
    assert outside.head.id < thrown[0]
    assert isinstance(outside.journal, SqlJournal)
    outside.journal.reveal()
    assert outside.journal.seeds()[-1].first == thrown[-1] + 1
    right_at_table_and_in_verify(axis, file)


def test_dice_that_were_taken_back_and_done_again_are_right(two: Any, file: Path, outside: Game) -> None:
    axis, allies = two
    thrown = axis.get("/log").json()[0]["dice"]
    outside.undo(consent=True)
    assert allies.post("/dice/reveal").status_code == 200
    assert outside.redo().at == outside.head.at
    assert outside.journal.move(outside.head.at).faces == thrown
    outside.undo(consent=True)
    again = [outside.do(ROLL) for _ in range(MANY)]
    assert faces(again) == thrown_by(open_game(file).journal.seeds()[-1], again)
    right_at_table_and_in_verify(axis, file)


def test_a_copy_knows_what_was_revealed_by_another_process(two: Any, outside: Game, tmp_path: Path) -> None:
    _, allies = two
    seed, *_ = allies.post("/dice/reveal").json()
    copy = fork(outside, tmp_path / "copy.warcabinet")
    brought = import_game(export_game(outside), tmp_path / "brought.warcabinet")
    for game in (copy, brought):
        known, own = game.journal.seeds()
        assert (known.secret, known.revealed, known.spent) == (seed["secret"], True, True)
        moves = [game.do(ROLL) for _ in range(MANY)]
        assert faces(moves) == thrown_by(own, moves)
        assert game.verify() == []
        assert dice_check(game, game.journal.seeds()).checked == 1


# -- games of before -------------------------------------------------------------------------------------------------


def whatever_was_thrown(journal: SqlJournal, move: Move, state: State) -> None:
    """A move is written as earlier builds did: without a look at its seed."""
    journal.append_all([(move, state)], told=True)


def stale(place: Path, monkeypatch: pytest.MonkeyPatch, revealed: int) -> Game:
    """A game whose last throws are those of a seed that was revealed: by an earlier build (1), or today's (2)."""
    game = create_game(place)
    game.do(ROLL)
    (known,) = game.journal.seeds()
    fresh = sealed_seed(game.head.id + 1)
    with sqlite3.connect(place) as db:
        db.execute("update dice set revealed = ?", (revealed,))
        db.execute("insert into dice values (?, ?, ?, 0)", (fresh.first, fresh.commitment, fresh.secret))
    with monkeypatch.context() as patched:
        patched.setattr(SqlJournal, "append", whatever_was_thrown)
        patched.setattr(SqlJournal, "seeds", lambda journal: (known,))
        moves = [game.do(ROLL) for _ in range(MANY)]
    assert faces(moves) == thrown_by(known, moves)
    game.do(ROLL)
    return game


def test_throws_of_earlier_builds_by_a_revealed_seed_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "old.warcabinet"
    game = stale(place, monkeypatch, 1)
    report = examine(place)
    assert report.ok
    assert "thrown by a seed that had been revealed before" in report.dice[-1]
    assert isinstance(game.journal, SqlJournal)
    game.journal.reveal()
    told = dice_check(game, game.journal.seeds())
    assert told.wrong == 0
    assert told.late + told.checked == MANY + 2
    assert told.late > MANY // 4  # one face in six is that of either seed
    late = [it for it in told.throws if it.verdict == "late"]
    assert {it.seed for it in late} == {1}
    assert all("could foretell" in it.text for it in late)
    brought = import_game(export_game(game), tmp_path / "brought.warcabinet")
    assert brought.verify() == []
    assert dice_check(brought, brought.journal.seeds()).late == told.late


def test_a_throw_by_a_seed_that_today_is_spent_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "forged.warcabinet"
    game = stale(place, monkeypatch, 2)
    assert any("its seed throws" in fault for fault in examine(place).faults)
    assert isinstance(game.journal, SqlJournal)
    game.journal.reveal()
    told = dice_check(game, game.journal.seeds())
    assert (told.late, told.wrong > MANY // 2) == (0, True)
    brought = import_game(export_game(game), tmp_path / "brought.warcabinet")
    assert dice_check(brought, brought.journal.seeds()).wrong == told.wrong
    assert brought.verify() != []


def test_a_false_face_of_an_earlier_build_stays_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the seed in force nor one that was revealed threw it."""
    game = stale(tmp_path / "old.warcabinet", monkeypatch, 1)
    seeds = game.journal.seeds()
    may = {dice_for([seed], game.head.id).throw() for seed in seeds}
    false = next(face for face in range(1, 7) if face not in may)
    with monkeypatch.context() as patched:
        patched.setattr(Move, "faces", property(lambda move: [false]))
        told = dice_check(game, [Seed(it.first, it.commitment, it.secret, revealed=True) for it in seeds])
    assert told.throws[0].verdict == "wrong"
