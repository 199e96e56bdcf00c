"""Whole campaigns at random, kept by stewards; `warcabinet fuzz --campaigns` goes on for hours."""

from __future__ import annotations

from collections import Counter

import pytest

from bounds import many
from warcabinet.conformance.fuzz.campaigns import judge, opening, play
from warcabinet.conformance.fuzz.games import ADVANCE
from warcabinet.figures.position import set_up
from warcabinet.model import calendar


# The first, and those of longer runs in which something broke: 6, a Ukraine that a report made neutral (82.11); 60114,
# units of neutrals in a capital that nobody could displace (82.56); 80073, a capital to be cleared before it is set up
# (84.45A); 80096, guests too many that nobody commands (82.32); 80113, a Paris that a list gave Vichy France (83.31B).
@pytest.mark.parametrize("seed", [0, 6, 60114, 80073, 80096, 80113][: many(2, all=6)])
def test_random_campaigns_hold_to_the_end(seed: int) -> None:
    """Nothing breaks, the game can always go on, and replay, undo and the journal agree."""
    given: Counter[str] = Counter()
    state, _ = set_up(opening(seed))
    for made in play(seed):
        assert not [str(it) for it in made.faults], (seed, made.step)
        given[made.step.command["do"]] += made.accepted
        state = made.state
    assert state.turn > calendar.parse_turn("Winter 1945")
    # It was a war: orders and reports of many kinds, not only the stewards'.
    assert given.keys() >= {"declare_war", "report_control", "mobilize", "build"}
    assert len(given) > 25


def test_a_step_that_nobody_can_leave_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Fall 1939 powers must set up and mobilize; if nobody could, that would be a dead end."""
    state, _ = set_up(opening(0))
    faces = iter([1])
    assert judge(state, ADVANCE, faces, {}).faults == ()
    monkeypatch.setattr("warcabinet.conformance.fuzz.campaigns.answers", lambda state, keeps: ())
    (fault,) = judge(state, ADVANCE, faces, {}).faults
    assert fault.invariant == "dead_end"
    assert fault.clause
