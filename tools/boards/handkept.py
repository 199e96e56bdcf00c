"""The hand-kept tables beside this file."""

from __future__ import annotations

import csv
from pathlib import Path

FOLDER = Path(__file__).parent / "tables"


def load(name: str) -> list[dict[str, str]]:
    """All rows of a table."""
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as text:
        return list(csv.DictReader(text))


def of(name: str, board: str) -> list[dict[str, str]]:
    """The rows of a table that concern one board."""
    return [row for row in load(name) if row["board"] == board]
