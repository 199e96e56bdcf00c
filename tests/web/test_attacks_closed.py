"""The list of weaknesses that were found names tests that are there, for every one of them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_weakness_has_tests_that_are_there() -> None:
    lines = re.findall(r"^\| (\d+) \|.*$", (text := (ROOT / "docs" / "attacks.md").read_text(encoding="utf-8")), re.M)
    assert lines == [str(n) for n in range(1, 27)]
    second = [it.split("|")[1] for it in text.splitlines() if it.startswith("| II.")]
    found = {int(it) for line in second for it in re.findall(r"\d+", line)}
    assert found == {*range(1, 23)}
    named = {it for line in text.splitlines() if line.startswith("| ") for it in re.findall(r"`(test_\w+)`", line)}
    assert all(re.search(r"`test_\w+`", line) for line in text.splitlines() if re.match(r"\| (II\.)?\d", line))
    files = (ROOT / "tests").rglob("test_*.py")
    there = {it for file in files for it in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))}
    assert not named - there
