"""What is kept from state to state is what would be worked out anew, along a whole game, reasons and all."""

from __future__ import annotations

import pytest

from bounds import many
from warcabinet.bench.engine_bench import Replay, replays
from warcabinet.game.engine import decide
from warcabinet.kernel.kept import kept, room_for
from warcabinet.model.state import State, decode, encode

EVERY = many(10, all=3)  # of the war's two thousand moves, decided alone


@pytest.fixture(scope="module")
def replay() -> Replay:
    return replays()["demonstration"]


def test_a_state_that_shares_nothing_is_decided_alike(replay: Replay):
    states: dict[int, State] = {replay.start: decode(replay.first)}
    for number, (step, (command, decision)) in enumerate(zip(replay.steps, replay.decisions(), strict=True)):
        states[step.id] = decision.state
        if number % EVERY:
            continue
        alone = decide(decode(encode(states[step.before])), command, step.dice)
        assert alone.records == decision.records, step
        assert alone.checked == decision.checked, step
        assert alone.considered == decision.considered, step


def test_a_game_that_comes_back_to_an_earlier_state_is_decided_alike(replay: Replay):
    """Undo and several games at one server: states in any order, the parts of some long forgotten."""
    states: dict[int, State] = {replay.start: decode(replay.first)}
    decided = []
    for step, (_, decision) in zip(replay.steps, replay.decisions(), strict=True):
        decided.append((states[step.before], step, decision))
        states[step.id] = decision.state
    for before, step, decision in (*decided[::-17], *decided[::13]):
        again = decide(before, step.command, step.dice)
        assert (again.records, again.checked) == (decision.records, decision.checked), step


def test_the_same_part_is_worked_out_once_and_an_equal_one_anew():
    asked: list[list[str]] = []

    @kept
    def first(names: list[str], place: int) -> str:
        asked.append(names)
        return names[place]

    part, equal = ["a", "b"], ["a", "b"]
    assert [first(part, 0), first(part, 1), first(part, 0)] == ["a", "b", "a"]
    assert len(asked) == 2
    assert first(equal, 0) == "a"
    assert len(asked) == 3


def test_what_is_kept_does_not_grow_without_end():
    made: list[int] = []

    @kept
    def size(part: list[int]) -> int:
        made.append(len(part))
        return len(part)

    parts = [[0] * number for number in range(30)]
    with room_for(10):
        assert [size(part) for part in parts] == list(range(30))
        assert [size(part) for part in parts] == list(range(30))
    assert len(made) > 30, "the first were forgotten, and worked out again"
