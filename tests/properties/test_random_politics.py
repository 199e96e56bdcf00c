"""Random sequences of attacks, captures, recaptures, results and surrenders; `warcabinet fuzz` goes on for hours."""

from __future__ import annotations

from itertools import repeat

import pytest

from warcabinet.figures.position import set_up
from warcabinet.fuzz.games import attempt, play
from warcabinet.fuzz.invariants import INVARIANTS
from warcabinet.fuzz.orders import opening

# What random politics has found and the rules do not answer yet: invariant, country and the result that shows it.
OPEN = {
    # A result for Vichy France is taken while France still fights and holds Vichy.
    ("explained", "vichy_france"): 9,
}


@pytest.mark.parametrize("block", range(8))
def test_random_politics(block: int) -> None:
    moves = 0
    for seed in range(block * 15, block * 15 + 15):
        for made in play(seed, 160):
            assert not [str(it) for it in made.faults if it.key not in OPEN], (seed, made.step)
            moves += made.accepted
    assert moves > 1500


@pytest.mark.xfail(strict=True, reason="an open point of the rules")
@pytest.mark.parametrize("fault", OPEN, ids=" ".join)
def test_open_faults(fault: tuple[str, str]) -> None:
    """Each is still there; whoever mends one, or has it refused, takes it off the list."""
    state, _ = set_up(opening(0))
    result = {"do": "report_result", "country": fault[1], "result": OPEN[fault]}
    for command in ({"do": "advance"}, result, {"do": "advance"}):
        made = attempt(state, command, repeat(1), INVARIANTS)
        assert fault not in [it.key for it in made.faults]
        state = made.state
