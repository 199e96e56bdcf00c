"""The program does not grow: what tests/budgets.yaml counts may fall and never rise."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import budgets

from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.effects import Effect
from warcabinet.kernel.rules import RULES

ALLOWED, WORDS = budgets.budgets()


def test_nothing_stands_above_its_budget():
    above = list(budgets.risen(budgets.measured(WORDS), ALLOWED))
    assert not above, f"{'; '.join(above)} (python3 dev.py budgets; CONTRIBUTING.md says what to do)"


def test_every_chapter_of_the_documents_has_a_budget():
    assert set(WORDS) == {row.chapter for row in catalogue().values() if not row.house_rule}
    assert set(budgets.measured(WORDS)) == set(ALLOWED)


def test_every_line_is_some_chapters_or_serves_all():
    counted = budgets.lines_by_chapter()
    with_rules = {rule.module for rule in budgets.rules_of_documents()}
    theirs = sum(map(budgets.lines_of, with_rules))
    # Each module's shares are rounded by themselves.
    assert counted.total() == pytest.approx(theirs, abs=len(with_rules))


def test_a_figure_above_its_budget_is_named():
    name = f"{budgets.PER_CHAPTER} of 82"
    figures = {"limits": 12, "rules": 9, name: 100 + budgets.SHIFT}
    assert list(budgets.risen(figures, {"limits": 11, "rules": 9, name: 100})) == ["limits: 12, budget 11"]
    figures[name] += 1
    assert len(list(budgets.risen(figures, {"limits": 11, "rules": 9, name: 100}))) == 2


def test_budgets_are_lowered_never_raised_and_remarks_stay():
    text = 'limits: 12  # why\nrules: 40\nlines per 100 words:\n  "82": 99\nwords:\n  "82": 99\n'
    allowed = {"limits": 12, "rules": 40, f"{budgets.PER_CHAPTER} of 82": 99}
    figures = {"limits": 10, "rules": 41, f"{budgets.PER_CHAPTER} of 82": 90}
    assert budgets.lowered(text, figures, allowed) == (
        'limits: 10  # why\nrules: 40\nlines per 100 words:\n  "82": 90\nwords:\n  "82": 99\n'
    )


def test_a_chain_is_as_long_as_the_effects_that_wait_for_each_other():
    effects = [rule for rule in RULES.by_name.values() if isinstance(rule, Effect)]
    bound = [it for it in effects if it.after]
    if bound:
        assert budgets.longest_chain([bound[0]]) == 2
    assert budgets.longest_chain([it for it in effects if not it.after]) == 1
    assert budgets.longest_chain([]) == 0
