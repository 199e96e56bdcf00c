"""The answers that docs/plans.md records, each held against the steward's plan on futures that no search has seen."""

from __future__ import annotations

import pytest

from warcabinet.plans.choices import Taken
from warcabinet.plans.form import Program, plan_of, read_plan
from warcabinet.plans.judging import Judged, better, left_to_stewards
from warcabinet.plans.story import story

ANSWERS: dict[str, dict[str, Taken]] = {
    "best-german-growth": {"left in 1939": 60, "left in 1940": 40, "left in 1941": 180, "left in 1942": 120},
    "best-barbarossa": {"the attack": "Spring 1942", "left in 1942": 60},
    "best-american-mobilization": {
        "first in Europe": "infantry",
        "second in Europe": "armor",
        "first in the Pacific": "wings",
        "some put off": True,
    },
    "best-aid-to-russia": {
        "Persian route opened": "Summer 1941",
        "Alaska highway built": "Spring 1942",
        "Britain by Persia": 20,
        "America by Persia": 5,
        "America by Siberia": 20,
    },
}
#: What the record says each is better by, at the least.
MARGINS = {
    "best-german-growth": 8,
    "best-barbarossa": 30,
    "best-american-mobilization": 5,
    "best-aid-to-russia": 40,
}
FIRST, FUTURES = 5_000_000, 8


@pytest.mark.parametrize("name", MARGINS)
def test_the_recorded_answer_is_better_than_the_steward(name: str) -> None:
    by, margin = _better(name, left_to_stewards(_plan(name, {})))
    assert by - margin > MARGINS[name]


def test_what_the_united_states_puts_off_is_not_lost() -> None:
    """Fifteen BRPs of 1940 are put off and brought in within four turns (36.351); the story says so."""
    best = _plan("best-american-mobilization", ANSWERS["best-american-mobilization"])
    told = [it.text for it in story(best, 1, FIRST, best.start(), ("usa",))]
    assert sum(it.startswith("Mobilize ") and ", 5 BRPs put off" in it for it in told) == 3
    assert told.count("Bring in 1 army air, 2 naval air, put off before") == 3


def _plan(name: str, taken: dict[str, Taken]) -> Program:
    return plan_of(name, read_plan(name).text, taken)


def _better(name: str, rival: Program) -> tuple[float, float]:
    """How much the answer is better than another plan, future by future, and the margin of that."""
    best = _plan(name, ANSWERS[name])
    mine, its = (Judged(it, 1, FIRST, FUTURES).verdict(it.start()) for it in (best, rival))
    assert not mine.broken
    return better(mine.values[0], its.values[0], best.goals[0].sign)[:2]
