"""Faults that random politics found and that wait to be mended: each is a case that fails, until it is mended.

Whoever mends one moves it to `tests/cases`, under the clause that it is about.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from warcabinet.cases import case_files, open_cases, read_case
from warcabinet.conformance import run_case

FILES = list(case_files([Path(__file__).parent / "open"]))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
@pytest.mark.xfail(strict=True, raises=AssertionError, reason="an open fault: see the comment in its file")
def test_open_fault(path: Path) -> None:
    document = open_cases(path)
    outcome = run_case(read_case(document, 0), document.name, 0, lambda where: document.line((0, *where)))
    assert outcome.ok
