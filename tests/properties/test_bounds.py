"""What an offer shows as the most is what the judge takes: that much is taken, one more is refused.

Asked of every number of every order that cases and the demonstration give, wherever an offer bounds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from test_offers import accepted, filled, moves

import outcomes
from case_list import wanted_cases
from warcabinet.game.engine import GameDecision, as_command, decide
from warcabinet.game.offers import narrow
from warcabinet.model.commands import Command, fields, name_of
from warcabinet.model.state import State
from warcabinet.rules.economy.force_pools import buildable

#: Cases whose orders are looked at: one in so many.
EVERY = 9


def hold_to_bounds(state: State, command: Command, seen: Counter[str]) -> None:
    """Every bounded number of an accepted command, all else being as it is."""
    name, whole = name_of(command), filled(command)
    for field in fields(type(command)):
        if isinstance(whole[field.name], bool) or not isinstance(whole[field.name], int):
            continue
        rest = {it: value for it, value in whole.items() if it != field.name}
        offered = narrow(state, name, rest).fields[field.name]
        if offered.most is None or offered.shut:
            continue
        seen[f"{name} {field.name}"] += 1
        assert offered.most >= 0, (command, offered)
        assert accepted(state, as_command({"do": name, **rest, field.name: offered.most})), (command, offered)
        assert not accepted(state, as_command({"do": name, **rest, field.name: offered.most + 1})), (command, offered)


def test_the_most_that_is_offered_is_the_most_that_is_taken_in_a_whole_game() -> None:
    seen: Counter[str] = Counter()
    for state, command in moves()[::3]:
        hold_to_bounds(state, command, seen)
    assert seen.keys() >= {"spend brp", "grant brp", "move count"}, seen


def test_the_most_that_is_offered_is_the_most_that_is_taken_in_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[State, Command]] = []

    def noting(state: State, command: Command, dice: Sequence[int] = (), tell: bool = False) -> GameDecision:
        ruling = decide(state, command, dice, tell=tell)
        if not ruling.refusals:
            given.append((state, command))
        return ruling

    monkeypatch.setattr("warcabinet.game.game.decide", noting)
    for case in wanted_cases()[::EVERY]:
        outcomes.run(case)
    seen: Counter[str] = Counter()
    for state, command in given:
        hold_to_bounds(state, command, seen)
    assert seen.keys() >= {"spend brp", "grant brp", "move count", "mobilize defer"}, seen


def test_as_many_units_are_built_as_the_list_of_what_can_be_built_says() -> None:
    built = 0
    for state, command in moves():
        if name_of(command) != "build":
            continue
        whole = filled(command)
        for it in buildable(state, whole["power"]):
            if it.unit not in {unit.split(" ", 1)[-1] for unit in whole["units"]}:
                continue
            most = as_command({"do": "build", **whole, "units": [f"{it.most} {it.unit}"]})
            more = as_command({"do": "build", **whole, "units": [f"{it.most + 1} {it.unit}"]})
            assert accepted(state, most), (most, it)
            assert not accepted(state, more), (more, it)
            built += 1
    assert built > 20
