"""Every conformance case is a test of its own, named by its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plain_words import machine_words
from warcabinet.conformance.cases import Book, Case, line_of, open_cases, read_case
from warcabinet.conformance.running import run_case
from warcabinet.game import Refused
from warcabinet.kernel.clause import cite
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.tables import Document
from warcabinet.views.words import spoken

FOLDER = Path(__file__).parent / "cases"
BOOK = Book([FOLDER])
DOCUMENTS = [open_cases(path) for path in BOOK.files]
CASES = [(it, index, read_case(it, index, BOOK)) for it in DOCUMENTS for index in range(len(it.data))]


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


@pytest.mark.parametrize(("document", "index", "case"), CASES, ids=[case.id for _, _, case in CASES])
def test_case(document: Document, index: int, case: Case, refusals: list[Refusal]) -> None:
    outcome = run_case(case, document.name, 0, lambda path: line_of(document, index, path), strict=True)
    told = "\n".join(f"{document.name}, line {fault.line}: {fault}" for fault in outcome.faults)
    assert outcome.ok, f"{case.title}\n{told}"
    read = [spoken(it.text) for it in refusals]
    assert not [text for text in read if machine_words(text)], "a refusal is not in a player's words"


def test_ids_are_used_once() -> None:
    ids = [case.id for _, _, case in CASES]
    assert sorted(ids) == sorted(set(ids))


def test_ids_begin_with_a_clause() -> None:
    for _, _, case in CASES:
        clause, slash, number = case.id.partition("/")
        assert cite(clause), case.id
        assert slash, case.id
        assert number.isdigit(), case.id
