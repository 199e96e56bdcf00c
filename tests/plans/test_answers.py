"""The answers that docs/plans.md records, each held against the steward's plan on futures that no search has seen."""

from __future__ import annotations

import pytest

from warcabinet.plans.choices import Taken
from warcabinet.plans.form import plan_of, read_plan
from warcabinet.plans.judging import Judged, better, left_to_stewards

ANSWERS: dict[str, dict[str, Taken]] = {
    "best-german-growth": {"left in 1939": 60, "left in 1940": 40, "left in 1941": 180, "left in 1942": 120},
    "best-barbarossa": {"the attack": "Spring 1942", "left in 1942": 60},
    "best-american-mobilization": {"shipyards": True},
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


@pytest.mark.parametrize("name", ANSWERS)
def test_the_recorded_answer_is_better_than_the_steward(name: str) -> None:
    text = read_plan(name).text
    best, stands = plan_of(name, text, ANSWERS[name]), left_to_stewards(plan_of(name, text, {}))
    mine, its = (Judged(it, 1, FIRST, FUTURES).verdict(it.start()) for it in (best, stands))
    assert not mine.broken
    by, margin, _ = better(mine.values[0], its.values[0], best.goals[0].sign)
    assert by - margin > MARGINS[name]
