"""The book of cases: cut by their text they are the same cases as read file by file, and the wheel has them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from warcabinet.conformance.casebook import (
    case_called,
    case_of,
    cases_folder,
    cases_naming,
    file_of_case,
    written_cases,
)
from warcabinet.conformance.cases import case_files, cases_that_name, read_cases
from warcabinet.kernel.errors import WarCabinetError

ROOT = Path(__file__).parents[3]


def test_every_case_is_found_once_by_its_text() -> None:
    begun = sum(
        line.startswith(("- id:", "- {id:"))
        for path in case_files((cases_folder(),))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    assert len(written_cases(cases_folder())) == begun


@pytest.mark.parametrize("file", ["40/40.45.yaml", "82/82.51.yaml"])
def test_a_case_by_itself_is_the_case_of_its_file(file: str) -> None:
    """Also where one takes up what an earlier one said."""
    book = written_cases(cases_folder())
    for case, line in read_cases(cases_folder() / file):
        assert case_of(book[case.id]) == case
        assert (book[case.id].file, book[case.id].line) == (file, line)


@pytest.mark.parametrize(("file", "clause"), [("40/40.45.yaml", "40.45A"), ("82/82.51.yaml", "82.51")])
def test_only_cases_that_name_a_clause_are_read(file: str, clause: str) -> None:
    """The first of these files takes up in a case what an earlier one said; the second does not."""
    path = cases_folder() / file
    every = [case for case, _ in read_cases(path)]
    assert cases_that_name(path, "") == every
    assert cases_that_name(path, "no clause") == []
    shown = [it for it in cases_that_name(path, clause) if clause in it.clauses]
    assert shown
    assert shown == [it for it in every if clause in it.clauses]


def test_cases_of_a_clause_begin_with_its_own() -> None:
    found = cases_naming("83.22A")
    assert found[0].id == "83.22A/1"
    assert all("83.22A" in case_of(it).clauses for it in found)
    assert cases_naming("no clause") == []


@pytest.mark.parametrize(
    ("id", "file"),
    [
        ("70.15/1", "70/70.yaml"),  # a chapter with few cases
        ("82.13A/1", "82/82.1.yaml"),  # a section
        ("82.41/7", "82/82.41.yaml"),  # a clause of a section with many
        ("82.321A/1", "82/82.32.yaml"),
        ("36.11/1", "36/36.11.yaml"),  # a clause with many cases itself, and what stands under it
        ("36.11B(5)/1", "36/36.11B.yaml"),
        ("WC.28/1", "house/WC.yaml"),
    ],
)
def test_the_clause_of_a_case_says_its_file(id: str, file: str) -> None:
    assert file_of_case(id) == file


def test_an_unknown_case_is_told() -> None:
    with pytest.raises(WarCabinetError, match=r"99\.99/1"):
        case_called("99.99/1")


def test_the_built_package_has_the_cases(tmp_path: Path) -> None:
    runpy.run_path(str(ROOT / "setup.py"))["put_cases"](tmp_path)
    shipped = tmp_path / "warcabinet" / "rulebook" / "cases"
    assert set(written_cases(shipped)) == set(written_cases(cases_folder()))
