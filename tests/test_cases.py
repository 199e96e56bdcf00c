"""Every conformance case is a test of its own, named by its id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import outcomes
from case_list import FOLDER, Found, every_case, wanted_cases
from plain_words import machine_words
from warcabinet.conformance.casebook import file_of_case
from warcabinet.game import Refused
from warcabinet.game.engine import GameDecision, decide
from warcabinet.kernel.clause import catalogue, cite
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.base import Command
from warcabinet.model.state import State
from warcabinet.views.words import refusal_words

CASES = wanted_cases()
#: More cases than these make a file long to read.
MOST = 80
FILES: dict[str, list[str]] = {}
for _case in every_case():
    FILES.setdefault(_case.path.relative_to(FOLDER).as_posix(), []).append(_case.id)
#: Of so many cases one is decided twice: the kernel is the same for all.
TOLD_OR_NOT = 3


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[Refusal]:
    """Every refusal that a case meets with."""
    found: list[Refusal] = []
    make = Refused.__init__

    def noting(self: Refused, command: Any, ruling: Any) -> None:
        found.extend(ruling.refusals)
        make(self, command, ruling)

    monkeypatch.setattr(Refused, "__init__", noting)
    return found


@pytest.fixture
def unlike(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    """Commands of a case that are decided otherwise when nobody reads the reasons."""
    found: list[Command] = []

    def both(state: State, command: Command, dice: Sequence[int] = (), tell: bool = False) -> GameDecision:
        told, quiet = decide(state, command, dice, tell=True), decide(state, command, dice)
        if not alike(told, quiet):
            found.append(command)
        return told

    if request.getfixturevalue("found").index % TOLD_OR_NOT == 0:
        monkeypatch.setattr("warcabinet.game.game.decide", both)
    return found


def alike(told: GameDecision, quiet: GameDecision) -> bool:
    same = (quiet.refusals, quiet.needs, quiet.events) == (told.refusals, told.needs, told.events)
    return same and quiet.state == told.state


@pytest.mark.parametrize("found", CASES, ids=[case.id for case in CASES])
def test_case(found: Found, refusals: list[Refusal], unlike: list[Command]) -> None:
    outcome = outcomes.run(found)
    assert outcome.id == found.id, "its id is not found by its text"
    told = "\n".join(f"{outcome.file}, line {fault.line}: {fault}" for fault in outcome.faults)
    assert outcome.ok, f"{outcome.title}\n{told}"
    read = [refusal_words(it) for it in refusals]
    assert not [text for text in read if machine_words(text)], "a refusal is not in a player's words"
    assert not unlike, "decided otherwise when nobody reads the reasons"


def test_ids_are_used_once() -> None:
    ids = [case.id for case in every_case()]
    assert sorted(ids) == sorted(set(ids))


def test_ids_begin_with_a_clause() -> None:
    for case in every_case():
        clause, slash, number = case.id.partition("/")
        assert cite(clause), case.id
        assert slash, case.id
        assert number.isdigit(), case.id


@pytest.mark.parametrize("file", FILES)
def test_a_case_stands_in_the_file_of_its_clause(file: str) -> None:
    wrong = {id: file_of_case(id) for id in FILES[file] if file_of_case(id) != file}
    assert not wrong, "\n".join(f"{id} stands in {file} and belongs in {right}" for id, right in wrong.items())


@pytest.mark.parametrize("file", FILES)
def test_cases_stand_in_the_order_of_clauses_and_numbers(file: str) -> None:
    clauses = list(catalogue())
    ids = FILES[file]
    right = sorted(ids, key=lambda it: (clauses.index(it.rpartition("/")[0]), int(it.rpartition("/")[2])))
    wrong = [f"{there} stands where {here} belongs" for there, here in zip(ids, right, strict=True) if there != here]
    assert not wrong, f"{file}: {wrong[0]}"


@pytest.mark.parametrize("file", FILES)
def test_no_file_of_cases_is_too_long(file: str) -> None:
    assert len(FILES[file]) <= MOST, f"divide {file}: its number goes to DIVIDED in casebook.py"
