"""Every conformance case is a test of its own, named by its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from warcabinet.cases import Case, case_files, read_cases
from warcabinet.conformance import run_case
from warcabinet.kernel.clause import cite

FOLDER = Path(__file__).parent / "cases"
CASES = [(path, case, line) for path in case_files([FOLDER]) for case, line in read_cases(path)]


@pytest.mark.parametrize(("path", "case", "line"), CASES, ids=[case.id for _, case, _ in CASES])
def test_case(path: Path, case: Case, line: int) -> None:
    outcome = run_case(case, path.name, line)
    assert outcome.ok, f"{path.name}, line {line}: {case.title}\n{outcome.message}"


def test_ids_are_used_once() -> None:
    ids = [case.id for _, case, _ in CASES]
    assert sorted(ids) == sorted(set(ids))


def test_ids_begin_with_a_clause() -> None:
    for _, case, _ in CASES:
        clause, slash, number = case.id.partition("/")
        assert cite(clause), case.id
        assert slash, case.id
        assert number.isdigit(), case.id
