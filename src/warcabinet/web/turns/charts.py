"""The group's own chart of results, typed once for a table: columns are odds, rows are totals of the dice.

What combat comes to is told in chapters that are played outside; a cell is kept as it is written. `A6 D12 R` is read:
the attacker loses six factors, the defender twelve and goes back.
"""

from __future__ import annotations

import re
from fractions import Fraction

import msgspec

from warcabinet.web.plumbing.problems import Problem

_PARTED = re.compile(r"\s*[|;,\t]\s*")
_ODDS = re.compile(r"(\d+(?:\.\d+)?)\s*(?:[:-]\s*(\d+(?:\.\d+)?))?")


class Chart(msgspec.Struct, frozen=True):
    """Odds as they are written, and for each total of the dice a result a column."""

    odds: tuple[str, ...]
    rows: dict[int, tuple[str, ...]]
    by: str = ""

    @property
    def dice(self) -> int:
        """How many dice its totals need."""
        return max(1, -(-max(self.rows) // 6))


class ChartResult(msgspec.Struct, frozen=True):
    """What a result asks for: factors of each side, and whether the defender goes back; None: the group says it."""

    attacker: int | None = None
    defender: int | None = None
    back: bool = False

    @property
    def known(self) -> bool:
        return self.attacker is not None


def read_chart(text: str, by: str) -> Chart:
    """A chart as it was typed or pasted: a line of odds, then lines of a total and its results."""
    lines = [_PARTED.split(line.strip()) for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or len(lines[0]) < 2:
        raise Problem(400, "a chart has a line of odds, such as 'dice | 1:1 | 2:1', and a line for each total below it")
    odds = tuple(lines[0][1:])
    for it in odds:
        ratio(it)
    rows: dict[int, tuple[str, ...]] = {}
    for number, cells in enumerate(lines[1:], 2):
        if not cells[0].isdigit() or not 1 <= int(cells[0]) <= 36:
            raise Problem(400, f"line {number} begins with '{cells[0]}', not with a total of the dice")
        if len(cells) != len(odds) + 1:
            raise Problem(400, f"line {number} has {len(cells) - 1} results, not one for each of {len(odds)} odds")
        rows[int(cells[0])] = tuple(cells[1:])
    return Chart(odds, rows, by)


def ratio(text: str) -> Fraction:
    match = _ODDS.fullmatch(text.strip())
    if match is None or (match[2] is not None and not float(match[2])):
        raise Problem(400, f"'{text}' is no odds; write them as 2:1 or 1:3")
    return Fraction(match[1]) / Fraction(match[2] or 1)


def column(chart: Chart, attacker: int, defender: int) -> str:
    """The column for so many factors: the highest odds that they reach; empty below the lowest."""
    reached = [it for it in chart.odds if not defender or ratio(it) <= Fraction(attacker, defender)]
    return max(reached, key=ratio, default="")


def cell(chart: Chart, odds: str, total: int) -> str:
    return chart.rows[total][chart.odds.index(odds)] if odds in chart.odds and total in chart.rows else ""


def read_result(text: str) -> ChartResult:
    """What a written result asks for, as far as it is understood."""
    words = text.upper().replace(",", " ").split()
    found = {word[0]: int(word[1:]) for word in words if re.fullmatch(r"[AD]\d{1,3}", word)}
    understood = all(re.fullmatch(r"[AD]\d{1,3}|R", word) for word in words)
    if not words or not understood:
        return ChartResult()
    return ChartResult(found.get("A", 0), found.get("D", 0), "R" in words)
