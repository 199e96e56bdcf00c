"""The list of what players expect: every line names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]


def rows() -> list[tuple[int, list[str]]]:
    lines = (ROOT / "docs" / "expected.md").read_text().splitlines()
    found = (re.match(r"\| (\d+) \|.*", line) for line in lines)
    return [(int(it[1]), re.findall(r"`(test_\w+)`", it[0])) for it in found if it]


def test_every_line_names_a_test_that_is_there() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    known = {name for file in files for name in re.findall(r"^def (test_\w+)", file.read_text(), re.MULTILINE)}
    assert [number for number, _ in rows()] == list(range(1, 58))
    for number, named in rows():
        assert named, number
        assert set(named) <= known, (number, set(named) - known)
