"""Every conformance case is a test of its own, named by its id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plain_words import machine_words
from warcabinet.conformance.casebook import file_of_case
from warcabinet.conformance.cases import Book, Case, line_of, open_cases, read_case
from warcabinet.conformance.running import run_case
from warcabinet.game import Refused
from warcabinet.kernel.clause import catalogue, cite
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.tables import Document
from warcabinet.views.words import spoken

FOLDER = Path(__file__).parent / "cases"
#: More cases than these make a file long to read.
MOST = 80
BOOK = Book([FOLDER])
DOCUMENTS = {path.relative_to(FOLDER).as_posix(): open_cases(path) for path in BOOK.files}
FILES = {
    file: [read_case(document, index, BOOK) for index in range(len(document.data))]
    for file, document in DOCUMENTS.items()
}
CASES = [(DOCUMENTS[file], index, case) for file, cases in FILES.items() for index, case in enumerate(cases)]


@pytest.fixture
def refusals(monkeypatch: pytest.MonkeyPatch) -> list[Refusal]:
    """Every refusal that a case meets with."""
    found: list[Refusal] = []
    make = Refused.__init__

    def noting(self: Refused, command: Any, reasons: Any, checked: Any = ()) -> None:
        found.extend(reasons)
        make(self, command, reasons, checked)

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


@pytest.mark.parametrize("file", FILES)
def test_a_case_stands_in_the_file_of_its_clause(file: str) -> None:
    wrong = {case.id: file_of_case(case.id) for case in FILES[file] if file_of_case(case.id) != file}
    assert not wrong, "\n".join(f"{id} stands in {file} and belongs in {right}" for id, right in wrong.items())


@pytest.mark.parametrize("file", FILES)
def test_cases_stand_in_the_order_of_clauses_and_numbers(file: str) -> None:
    clauses = list(catalogue())
    ids = [case.id for case in FILES[file]]
    right = sorted(ids, key=lambda it: (clauses.index(it.rpartition("/")[0]), int(it.rpartition("/")[2])))
    wrong = [f"{there} stands where {here} belongs" for there, here in zip(ids, right, strict=True) if there != here]
    assert not wrong, f"{file}: {wrong[0]}"


@pytest.mark.parametrize("file", FILES)
def test_no_file_of_cases_is_too_long(file: str) -> None:
    assert len(FILES[file]) <= MOST, f"divide {file}: its number goes to DIVIDED in casebook.py"
