"""The book of cases: cut by their text they are the same cases as read file by file, and the wheel has them."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from warcabinet.conformance.casebook import case_called, case_files, case_of, cases_folder, cases_naming, written_cases
from warcabinet.conformance.cases import cases_that_name, read_cases
from warcabinet.kernel.errors import WarCabinetError

ROOT = Path(__file__).parents[2]


def test_every_case_is_found_once_by_its_text() -> None:
    begun = sum(
        line.startswith(("- id:", "- {id:"))
        for path in case_files((cases_folder(),))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    assert len(written_cases(cases_folder())) == begun


@pytest.mark.parametrize("file", ["aid/convoy_fights.yaml", "minors/conquest.yaml"])
def test_a_case_by_itself_is_the_case_of_its_file(file: str) -> None:
    """Also where one takes up what an earlier one said."""
    book = written_cases(cases_folder())
    for case, line in read_cases(cases_folder() / file):
        assert case_of(book[case.id]) == case
        assert (book[case.id].file, book[case.id].line) == (file, line)


@pytest.mark.parametrize("file", ["aid/convoy_fights.yaml", "minors/conquest.yaml"])
def test_only_cases_that_name_a_clause_are_read(file: str) -> None:
    """The first of these files takes up in a case what an earlier one said, and is read whole."""
    path = cases_folder() / file
    every = [case for case, _ in read_cases(path)]
    assert cases_that_name(path, "") == every
    assert cases_that_name(path, "no clause") == []
    named = cases_that_name(path, "83.22A")
    assert [it for it in named if "83.22A" in it.clauses] == [it for it in every if "83.22A" in it.clauses]


def test_cases_of_a_clause_begin_with_its_own() -> None:
    found = cases_naming("83.22A")
    assert found[0].id == "83.22A/1"
    assert all("83.22A" in case_of(it).clauses for it in found)
    assert cases_naming("no clause") == []


def test_an_unknown_case_is_told() -> None:
    with pytest.raises(WarCabinetError, match=r"99\.99/1"):
        case_called("99.99/1")


def test_the_built_package_has_the_cases(tmp_path: Path) -> None:
    runpy.run_path(str(ROOT / "setup.py"))["put_cases"](tmp_path)
    shipped = tmp_path / "warcabinet" / "rulebook" / "cases"
    assert set(written_cases(shipped)) == set(written_cases(cases_folder()))
