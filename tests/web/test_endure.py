"""A few of what `dev.py endure` does a thousandfold: kills, damage, nonsense."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "endure"))
pytest.importorskip("schemathesis", reason="schemathesis is not installed: pip install schemathesis")

from damage import Truth, damage_all
from kills import kill_command_line
from nonsense import pester

from children import DONE, Children


class Ticks:
    count = 0

    def __call__(self, *_: object) -> None:
        self.count += 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_command_line_loses_and_doubles_nothing(tmp_path: Path) -> None:
    children = Children()
    try:
        assert children.child(_killed_eight_times, tmp_path) == DONE
    finally:
        children.end()


def _killed_eight_times(folder: Path) -> None:
    ticks = Ticks()
    assert list(kill_command_line(folder, 8, random.Random(1), ticks)) == []
    assert ticks.count == 8


def test_damage_gives_a_clear_word_and_no_other_state(tmp_path: Path) -> None:
    ticks = Ticks()
    assert list(damage_all(tmp_path, 60, random.Random(2), ticks)) == []
    assert ticks.count == 60


def test_another_state_would_be_noticed(tmp_path: Path) -> None:
    truth = Truth(tmp_path / "truth.warcabinet")
    assert truth.same(truth.game)
    truth.game.do({"do": "report_brp", "power": "germany", "brp": 1, "cause": "other"})
    assert not truth.same(truth.game)


def test_nonsense_is_no_server_error(tmp_path: Path) -> None:
    ticks = Ticks()
    assert list(pester(tmp_path, 600, random.Random(3), ticks, most=120)) == []
    assert ticks.count
