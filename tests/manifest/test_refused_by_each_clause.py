"""Every clause by which a limit may refuse, its own or one beside it, is told by a refusal in some case."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import outcomes
from case_list import every_case
from warcabinet.kernel.limits import Limit
from warcabinet.kernel.rules import RULES, Rule
from warcabinet.kernel.tables import read_yaml

#: By limit the clauses by which no case shows a refusal yet. What is shown goes; nothing is added.
WANTING = Path(__file__).with_name("not_refused_yet.yaml")


@cache
def refused() -> frozenset[tuple[str, str]]:
    """The rules of the documents that refused something in a case, each with the clauses that the refusal told."""
    return frozenset(it for outcome in outcomes.of_all(every_case()) for it in outcome.refused if it[0] in limits())


@cache
def limits() -> dict[str, Rule]:
    rules = RULES.by_name.items()
    return {name: it for name, it in rules if isinstance(it, Limit) and it.module.startswith("warcabinet.rules.")}


def wanting() -> set[tuple[str, str]]:
    return {
        (limit, clause) for limit, clauses in read_yaml(WANTING, dict[str, list[str]]).items() for clause in clauses
    }


def test_each_limit_refuses_by_each_of_its_clauses() -> None:
    told = {(name, clause) for name, limit in limits().items() for clause in limit.clauses}
    assert told - refused() == wanting(), "a clause no case shows, or one that is shown and still listed"


def test_a_limit_refuses_by_no_clause_that_it_does_not_carry_out() -> None:
    assert {(name, clause) for name, clause in refused() if clause not in limits()[name].clauses} == set()
