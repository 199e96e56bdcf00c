"""What futures have in common is played once, also where they have come apart: it shows in nothing but the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from warcabinet.plans.form import read_plan
from warcabinet.plans.futures import Futures, beginning
from warcabinet.plans.looking import Memory
from warcabinet.plans.tally import Tally

FUTURES = 14


@pytest.fixture(autouse=True)
def shared_by_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.plans.looking.SHARED", 2)


def _played(name: str) -> Tally:
    program = read_plan(name)
    start = program.start()
    return Futures(program, 5, start).to_the_end([beginning(start, FUTURES)])


def _each_for_itself(self: Memory, what: object, s: Any, play: Callable[[Any], Any]) -> Any:
    return play(s)


@pytest.mark.parametrize("name", ["as-it-happened", "allied-aid", "germany-grows-first"])
def test_what_is_gone_through_again_goes_as_if_it_were_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    again = _played(name)
    monkeypatch.setattr(Memory, "through", _each_for_itself)
    assert msgspec.json.encode(_played(name)) == msgspec.json.encode(again)


def test_every_piece_goes_as_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    """Piece by piece: the events, the verdicts and the state are those of playing it."""
    found = []
    through = Memory.through

    def both(self: Memory, what: Any, s: Any, play: Callable[[Any], Any]) -> Any:
        made, after = through(self, what, s, play)
        plain, then = play(s)
        found.append(what)
        assert (after, _verdict(made)) == (then, _verdict(plain)), what
        return made, after

    monkeypatch.setattr(Memory, "through", both)
    _played("as-it-happened")
    assert len(found) > 1000


def _verdict(made: Any) -> Any:
    """What a ruling says, without the state that it was given on; anything else as it is."""
    if hasattr(made, "refusals"):
        return made.events, made.refusals, made.needs
    return tuple(map(_verdict, made)) if isinstance(made, tuple) else made
