"""A copy of a moment: the same game up to there, sound, with dice of its own, knowing nothing of the other's."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from warcabinet.game import Game
from warcabinet.store import create_game, open_game
from warcabinet.store.checking import check
from warcabinet.store.fork import fork
from warcabinet.store.journal import SqlJournal

HERE = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def played(tmp_path: Path) -> Game:
    """A short game with something taken back in it."""
    game = create_game(tmp_path / "long.warcabinet")
    game.do({"do": "report_brp", "power": "germany", "brp": 7, "cause": "other"})
    game.do({"do": "report_brp", "power": "italy", "brp": 3, "cause": "other"})
    game.undo()
    game.do({"do": "report_brp", "power": "britain", "brp": 5, "cause": "other"})
    return game


def sound(game: Game) -> bool:
    assert isinstance(game.journal, SqlJournal)
    return not check(game.journal).faults


@pytest.mark.parametrize("move", [1, 2, 3, 4, 5])
def test_it_stands_where_the_game_stood_after_that_move(played: Game, tmp_path: Path, move: int) -> None:
    copy = fork(played, tmp_path / "copy.warcabinet", move)
    at = played.journal.move(move).at
    assert copy.state.fingerprint() == played.journal.state_at(at).fingerprint()
    assert copy.head.id == move
    assert [it.command for it in copy.log()] == [it.command for it in played.log()][:move]
    assert sound(copy)


def test_it_plays_on_by_itself_and_the_other_does_not_notice(played: Game, tmp_path: Path) -> None:
    before = played.head.id
    copy = fork(played, tmp_path / "copy.warcabinet", 2)
    copy.do({"do": "report_brp", "power": "japan", "brp": 1, "cause": "other"})
    assert sound(open_game(tmp_path / "copy.warcabinet"))
    assert open_game(tmp_path / "long.warcabinet").head.id == before
    copy.undo()
    copy.undo()
    assert copy.state.fingerprint() == played.journal.state_at(1).fingerprint()


def test_its_dice_are_its_own_and_it_does_not_know_the_others(played: Game, tmp_path: Path) -> None:
    mine, *_ = played.journal.seeds()
    copy = fork(played, tmp_path / "copy.warcabinet")
    known, own = copy.journal.seeds()
    assert (known.commitment, known.secret) == (mine.commitment, "")
    assert own.first == copy.head.id + 1
    assert own.secret not in ("", mine.secret)


def test_the_ledger_of_the_copy_tells_what_was_posted_until_then(played: Game, tmp_path: Path) -> None:
    copy = fork(played, tmp_path / "copy.warcabinet", 2)
    assert [line.move for line in copy.ledger("brp/germany")][-1] == 2
    assert not any(line.move > 2 for line in copy.ledger("brp/britain"))


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_game_of_the_first_release_is_copied_too(tmp_path: Path, share: float) -> None:
    old = open_game(shutil.copy(HERE / "game-0.1.0.warcabinet", tmp_path / "old.warcabinet"))
    assert isinstance(old.journal, SqlJournal)
    old.journal.renew()
    move = max(1, int(old.head.id * share))
    copy = fork(old, tmp_path / "copy.warcabinet", move)
    assert copy.state.fingerprint() == old.journal.state_at(old.journal.move(move).at).fingerprint()
    copy.do({"do": "report_track", "track": "usat", "level": 3})
    assert sound(open_game(tmp_path / "copy.warcabinet"))
