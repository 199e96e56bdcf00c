"""The constraints of the documents, each a test of its own; and proof that the phrases they use can fail."""

from __future__ import annotations

import pytest

from warcabinet.board import check_phrases, checks
from warcabinet.board.maps import europe, pacific

OUTCOMES = checks.run_all()


@pytest.mark.parametrize("outcome", OUTCOMES, ids=[f"{o.clause} {o.text[:60]}" for o in OUTCOMES])
def test_constraint(outcome: checks.Outcome) -> None:
    assert outcome.problems == ()


def test_all_groups_of_constraints_are_there() -> None:
    clauses = {o.clause for o in OUTCOMES}
    wanted = (
        "40.412 40.42 40.44 40.53 40.51 40.62 40.63 40.252 40.73 40.831 40.841 40.851 81.63 37.72 72.61 72.71 71.61 "
        "71.71 71.81 88.42 86.13 88.341 88.342 74.31 73.41 73.31 83.22B 81.44 85.46 83.12 84.46 83.441 83.442 83.443 "
        "83.444 83.445 83.446 83.447 72.15 37.21 38.31 38.32 38.33 38.34 38.35 38.36 38.37 79.21 81.11 89.21 89.41 "
        "82.91 82.12 87.21 87.11 86.11 88.11 89.31 37.72 38.371 70.12 71.22 72.22 72.221 73.21 78.21 78.91 88.36 89.26"
    )
    assert set(wanted.split()) <= clauses


def test_the_phrases_report_what_is_wrong() -> None:
    assert list(check_phrases.in_country("france", "Berlin")) == ["Berlin (europe/L31) is in germany, not in france"]
    assert list(check_phrases.all_different("Haiphong", "Hanoi"))
    assert list(check_phrases.is_port("Moscow"))
    assert list(check_phrases.by_land(europe(), "London", "Paris"))
    assert list(check_phrases.by_land(pacific(), "Haiphong", "Kunming", ["french_indochina"]))
    assert list(check_phrases.count("nepal", 4)) == ["Nepal has 3 hexes, not 4"]
    assert list(check_phrases.cut_off(europe(), ["europe/L31"]))
    assert list(check_phrases.expect(False, "wrong")) == ["wrong"]
