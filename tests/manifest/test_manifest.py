"""The manifest is complete and true: every clause is there, and what is called implemented has code and a case."""

from __future__ import annotations

import hashlib
from functools import cache

import pytest

import outcomes
from case_list import every_case
from warcabinet.conformance.coverage import Coverage, coverage, with_code
from warcabinet.conformance.running import Outcome
from warcabinet.kernel.clause import catalogue
from warcabinet.model.rulings import rulings

# How many numbered clauses each chapter of the documents has.
CLAUSES = {
    "35": 71, "36": 48, "37": 39, "38": 35, "39": 13, "40": 155, "70": 23, "71": 64, "72": 76, "73": 17, "74": 11,
    "78": 34, "79": 38, "80": 13, "81": 58, "82": 82, "83": 59, "84": 44, "85": 71, "86": 40, "87": 22, "88": 64,
    "89": 24,
}  # fmt: skip

# Of all their ids, sorted, one a line.
DIGEST = "b17a0d501b744c32672f0e6249f30c9ac9019bae09caf52563ff31ac574061e4"


@cache
def runs() -> list[Outcome]:
    return outcomes.of_all(every_case())


@cache
def shown() -> Coverage:
    """What the cases show of the documents' clauses."""
    return coverage(runs())


@cache
def house_rules() -> Coverage:
    return coverage(runs(), "WC")


def marked(status: str) -> set[str]:
    return {id for id, row in catalogue().items() if row.status == status}


def numbered(chapter: str) -> list[str]:
    return [id for id, row in catalogue().items() if row.chapter == chapter and "(" not in id]


@pytest.mark.parametrize("chapter", CLAUSES)
def test_every_clause_is_in_the_manifest(chapter: str) -> None:
    assert len(numbered(chapter)) == CLAUSES[chapter]


def test_the_clauses_are_those_of_the_documents() -> None:
    ids = sorted(id for id in catalogue() if "(" not in id and not id.startswith("WC"))
    assert hashlib.sha256("\n".join(ids).encode()).hexdigest() == DIGEST


def test_every_clause_has_a_gist_and_what_cannot_be_computed_a_reason() -> None:
    for id, row in catalogue().items():
        assert row.gist, id
        assert len(row.gist) <= 120, id
        assert bool(row.reason) != row.computable, id


def test_bullets_follow_their_clause() -> None:
    ids = list(catalogue())
    for id in ids:
        if "(" in id:
            assert id.partition("(")[0] in ids[: ids.index(id)], id


@pytest.mark.parametrize("status", ["enforced", "answered"])
def test_the_manifest_says_what_the_cases_show(status: str) -> None:
    found = {*getattr(shown(), status), *getattr(house_rules(), status)}
    assert marked(status) == found, "run: python3 dev.py manifest"


def test_what_is_marked_has_code() -> None:
    # Who sits where is looked at with the form of a command, before any rule is asked.
    assert (marked("enforced") | marked("answered")) - with_code() == {"WC.9"}


def test_every_limit_refuses_and_every_effect_acts_in_some_case() -> None:
    assert shown().untried == {}


@pytest.mark.parametrize("clause", ["71.91", "72.83", "78.21"])
def test_a_figure_that_nothing_asks_for_is_only_answered(clause: str) -> None:
    """If something comes to be refused or done by one of these, it leaves this list."""
    assert clause in shown().answered


def test_house_rules_are_counted_apart() -> None:
    assert not any(id.startswith("WC") for id in shown().computable)
    assert set(shown().house_rules) <= set(shown().all_house_rules)
    assert len(shown().computable) == sum(row.computable for row in catalogue().values() if not row.house_rule)


def test_sentences_are_counted_where_there_is_something_to_compute() -> None:
    for id, row in catalogue().items():
        assert bool(row.sentences) == row.computable or row.house_rule, id
        assert row.shown <= max(1, row.sentences), id
        if not row.house_rule:
            assert row.shown == shown().sentences.get(id, 0), f"{id}: run python3 dev.py manifest"


@pytest.mark.parametrize("chapter", ["35", "36", "37", "38", "39", "82", "83", "84", "85"])
def test_finished_chapters_are_covered_whole(chapter: str) -> None:
    wanted = {id for id, row in catalogue().items() if row.chapter == chapter and row.computable}
    assert wanted - set(shown().covered) == set()


def test_house_rules_are_covered_whole() -> None:
    assert set(house_rules().planned) == set()


def test_rulings_are_sound() -> None:
    for id, ruling in rulings().items():
        assert ruling.id == id
        assert ruling.choice in ruling.selectable
        assert set(ruling.selectable) <= set(ruling.readings)
        assert len(ruling.readings) > 1
        assert ruling.reason.strip()
        for letter, same in ruling.same_as.items():
            other, _, reading = same.partition("/")
            assert letter in ruling.selectable
            assert reading in rulings()[other].selectable
            assert (letter == ruling.choice) == (reading == rulings()[other].choice)
