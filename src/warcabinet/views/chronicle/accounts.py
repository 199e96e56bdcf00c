"""What became of every power's BRPs, season by season: rows that add up across and down."""

from __future__ import annotations

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import LedgerLine
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.names import powers

#: The columns between the level at the start and at the end.
COLUMNS = ("Year start", "Gained", "War", "Offensives", "Built", "Other")


class Row(msgspec.Struct, frozen=True):
    """A power's season: the level at its start, what was added and paid, the level at its end."""

    power: str
    start: int
    moved: tuple[int, ...]
    end: int
    base: int


class Books:
    """All postings to the powers' BRPs and bases, read once."""

    def __init__(self, game: Game) -> None:
        self.brps = {power: game.ledger(Brp(power)) for power in powers()}
        self.bases = {power: game.ledger(Base(power)) for power in powers()}
        self.opening = calendar.split(game.journal.move(1).moment)[0]

    def rows(self, turn: int) -> list[Row]:
        return [self._row(power, turn) for power in powers()]

    def _row(self, power: str, turn: int) -> Row:
        moved = dict.fromkeys(COLUMNS, 0)
        start = 0
        for line in self.brps[power]:
            when = calendar.split(line.moment)[0]
            # What the first move sets up was there before anything was played.
            if when < turn or (line.move == 1 and when == turn):
                start += line.amount
            elif when == turn:
                moved[column_of(line)] += line.amount
        base = sum(line.amount for line in self.bases[power] if calendar.split(line.moment)[0] <= turn)
        return Row(power, start, tuple(moved.values()), start + sum(moved.values()), base)

    def of(self, power: str, turn: int, part: str) -> list[LedgerLine]:
        """The postings of one side's player turn, or of the year start."""
        return [line for line in self.brps[power] if line.move > 1 and placed(line.moment) == (turn, part)]


def placed(moment: int) -> tuple[int, str]:
    """The turn and the part of it in which a moment falls."""
    turn, step = calendar.split(moment)
    return turn, calendar.steps()[step].part


def column_of(line: LedgerLine) -> str:
    """The column of the table to which a posting belongs."""
    if placed(line.moment)[1] == "year start":
        return "Year start"
    said = line.memo.partition(":")[0]
    if said.startswith("declaration of war"):
        return "War"
    if said == "offensive operations":
        return "Offensives"
    if said == "unit construction":
        return "Built"
    return "Gained" if line.amount > 0 else "Other"
