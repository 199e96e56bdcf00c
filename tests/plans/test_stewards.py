"""Stewards: plans that ship, one for each power, legal to the end of the war."""

from __future__ import annotations

import pytest

from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.journal import MemoryJournal
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers
from warcabinet.plans.acting import Broken, Deed, steward
from warcabinet.plans.form import check_keep, plan_of, read_plan
from warcabinet.plans.one import deeds_of, open_future

WHOLE_WAR = "plan: Nobody orders anything\nuntil: Winter 1946\n"


@pytest.mark.parametrize("power", powers())
def test_each_power_has_a_steward(power: str) -> None:
    check_keep(steward(power))
    assert steward(power).build


def test_eight_stewards_keep_house_to_the_end() -> None:
    """From Fall 1939 to the end of 1946: no order refused, no duty unmet, the journal sound."""
    program = plan_of("stewards.yaml", WHOLE_WAR)
    game = new_game(Position("classic-1939"), MemoryJournal())
    assert open_future(program, 1, 0, game) == []
    assert game.state.moment >= program.until
    assert game.verify() == []
    built = {move.command.power for move in game.log() if move.command and name_of(move.command) == "build"}  # type: ignore[attr-defined]
    assert built == set(powers())


@pytest.mark.parametrize("name", ["as-it-happened", "germany-grows-first", "allied-aid"])
@pytest.mark.parametrize("future", [0, 7])
def test_they_meet_every_duty_of_a_war(name: str, future: int) -> None:
    """With attacks, conquests and surrenders reported, the stewards answer all that the game waits for."""
    program = read_plan(name)
    found = [it for it, _ in deeds_of(program, 1939, future, program.start())]
    assert [it for it in found if isinstance(it, Broken)] == []
    assert {it.by for it in found if isinstance(it, Deed)} >= {"order", "preference", "duty", "step"}
