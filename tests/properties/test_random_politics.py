"""Random sequences of attacks, captures, recaptures, results and surrenders; `warcabinet fuzz` goes on for hours."""

from __future__ import annotations

import pytest

from bounds import many
from warcabinet.conformance.fuzz.games import play


@pytest.mark.parametrize("block", range(many(3, all=8)))
def test_random_politics(block: int) -> None:
    moves = 0
    for seed in range(block * 15, block * 15 + 15):
        for made in play(seed, 160):
            assert not [str(it) for it in made.faults], (seed, made.step)
            moves += made.accepted
    assert moves > 1500


# Games of longer runs in which something broke: what was mended stays so.
@pytest.mark.parametrize("seed", [500811, 502567, 502664, 510496, 600160, 620105])
def test_games_that_found_faults(seed: int) -> None:
    for made in play(seed, 160):
        assert not [str(it) for it in made.faults], made.step
