"""Effects of one event that name no other may come in any order: the same state comes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from warcabinet.conformance.running import run_files
from warcabinet.game.engine import GameDecision, decide
from warcabinet.kernel.effects import Effect
from warcabinet.kernel.rules import RULES
from warcabinet.model.commands.base import Command
from warcabinet.model.state import State, encode

CASES = Path(__file__).parents[1] / "cases"

#: What comes first, what later, and why the order of their clauses is right.
BOUND = {
    ("one_turn_to_recapture", "conquest_reported_late"): "what others had of the area is looked at before it falls",
    ("promise_diplomatic_loss", "conquest_reported_late"): "and what they had by a diplomatic result",
    ("garrisoned_joins", "denmark_does_not_resist"): "a Denmark with a garrison has joined the other side (82.34)",
    ("attackers_inside_supplied", "partisans_disperse"): "82.352 counts who is inside before the partisans are gone",
    ("join_when_war_comes", "finland_joins"): "84.22 comes first where Finland joins by either clause (84.11B)",
}


def shuffled(effects: Sequence[Effect[..., Any]], chance: Random) -> tuple[Effect[..., Any], ...]:
    """The effects in an order drawn by lot among those that nothing binds."""
    left, found = chance.sample(effects, len(effects)), list[Effect[..., Any]]()
    while left:
        free = next(it for it in left if not any(_comes_first(other, it) for other in left))
        found.append(free)
        left.remove(free)
    return tuple(found)


def _comes_first(one: Effect[..., Any], other: Effect[..., Any]) -> bool:
    return one in other.after or (one.name, other.name) in BOUND


def outcome(state: State) -> Any:
    """A state without the numbers of promises and the order in which they and happenings were noted."""
    return _unordered(json.loads(encode(state)))


def _unordered(part: Any) -> Any:
    match part:
        case dict():
            numbered = {"id"} if "effect" in part else {"promised"}
            return {key: _unordered(found) for key, found in part.items() if key not in numbered}
        case list():
            return sorted(map(_unordered, part), key=lambda it: json.dumps(it, sort_keys=True))
    return part


def test_effects_that_nothing_binds_come_in_any_order(monkeypatch: pytest.MonkeyPatch):
    chance, ordered = Random(1939), {trigger: RULES.reactions[trigger] for trigger in RULES.effects}
    turned, differing = 0, list[Any]()

    def both(state: State, command: Command, dice: Sequence[int] = (), tell: bool = False) -> GameDecision:
        nonlocal turned
        first = decide(state, command, dice, tell=tell)
        follow = {kind for kind in map(type, first.events) if len(ordered.get(kind, ())) > 1}
        if not first.accepted or not follow:
            return first
        drawn = {kind: shuffled(ordered[kind], chance) for kind in follow}
        with pytest.MonkeyPatch.context() as other_way:
            for kind, effects in drawn.items():
                other_way.setitem(RULES.reactions, kind, effects)
            second = decide(state, command, dice)
        if not second.accepted or outcome(second.state) != outcome(first.state):
            differing.append((command, _names(drawn)))
        turned += 1
        return first

    monkeypatch.setattr("warcabinet.game.game.decide", both)
    run_files(sorted(CASES.rglob("*.yaml"))[::14])
    assert not differing
    assert turned > 100


def _names(drawn: dict[type, tuple[Effect[..., Any], ...]]) -> dict[str, list[str]]:
    return {kind.__name__: [it.name for it in effects] for kind, effects in drawn.items()}


def test_what_is_bound_comes_in_the_order_of_its_clauses():
    for first, later in BOUND:
        one, other = RULES.by_name[first], RULES.by_name[later]
        assert isinstance(one, Effect), first
        assert isinstance(other, Effect), later
        shared = [RULES.reactions[it] for it in one.on if it in other.on]
        assert shared, first
        assert all(found.index(one) < found.index(other) for found in shared), (first, later)
