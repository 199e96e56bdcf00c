"""Following a grant from one ledger to the other: from the giver's entry to the receiver's, over the sea, and back.

BRPs on their way stand in an account of their own. What entered it since it was last empty is what leaves it, so the
entries between two moments at which it is empty are one passage; what befell it between is told move by move.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import LedgerLine
from warcabinet.model import calendar
from warcabinet.model.accounts import AtSea, Brp, account_named
from warcabinet.model.events import OperationMoved, OperationOpened
from warcabinet.views.convoy_sheet import Step, steps
from warcabinet.views.words import account_name


class End(msgspec.Struct, frozen=True):
    """An entry at the other end of a passage: in which account, how much, and where it is found."""

    account: str
    name: str
    amount: int
    move: int
    when: str
    clause: str
    memo: str


class Trail(msgspec.Struct, frozen=True):
    """Where BRPs went to or came from, and what befell them on the way; open while they are still under way."""

    ends: tuple[End, ...]
    between: tuple[Step, ...] = ()
    #: What still stands in the account of the passage, and which one that is.
    under_way: int = 0
    passage: str = ""


class Trails:
    """The trails of a game's entries; accounts that several entries passed are read once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._read: dict[str, list[LedgerLine]] = {}

    def of(self, account: str, line: LedgerLine) -> Trail | None:
        """Where the BRPs of an entry went or came from; nothing where no other power has part in it."""
        if not account.startswith("brp/"):
            return None
        seas = [it for it, _ in line.others if isinstance(account_named(it), AtSea)]
        if isinstance(account_named(account), AtSea):
            seas.append(account)
        if seas:
            return self._over_sea(account, line, seas)
        ends = tuple(_end(it, amount, line) for it, amount in line.others if isinstance(account_named(it), Brp))
        return Trail(ends) if ends else None

    def _over_sea(self, account: str, line: LedgerLine, seas: list[str]) -> Trail:
        """By the accounts of the passage to the entries that put BRPs in, or took them out."""
        out = line.amount < 0
        passages = [(sea, self._passage(sea, line)) for sea in seas]
        found: dict[End, None] = {}
        for _, entries in passages:
            for it in entries:
                leaves = it.amount < 0
                if leaves == out or it.move == line.move:
                    found |= dict.fromkeys(_ends(it, leaves))
        ends = tuple(it for it in found if (it.account, it.move) != (account, line.move))
        left = {sea: sum(it.amount for it in entries) for sea, entries in passages}
        open_one = next((sea for sea, amount in left.items() if amount), "")
        moves = [it.move for _, entries in passages for it in entries]
        befell = self._befell(min(moves), self._game.head.at if open_one else max(moves))
        return Trail(ends, befell, sum(left.values()), open_one)

    def _passage(self, sea: str, line: LedgerLine) -> list[LedgerLine]:
        """The entries of an account at sea from when it was last empty before a move until it was empty again."""
        if sea not in self._read:
            self._read[sea] = self._game.ledger(sea)
        entries: list[LedgerLine] = []
        for it in self._read[sea]:
            entries.append(it)
            if sum(one.amount for one in entries):
                continue
            if entries[0].move <= line.move <= entries[-1].move:
                break
            entries = []
        return entries

    def _befell(self, first: int, last: int) -> tuple[Step, ...]:
        """What happened to it move by move, where an operation waited for others on the way."""
        sent = (it.event for it in self._game.journal.move(first).records)
        waiting = [it.operation.id for it in sent if isinstance(it, OperationOpened | OperationMoved)]
        if not waiting:
            return ()
        moves = self._game.during(waiting[0], last)
        return tuple(steps(self._game.state, [(it.command, it.records) for it in moves]))


def _ends(entry: LedgerLine, leaves: bool) -> Iterator[End]:
    """The other side of an entry of an account at sea: who received, or who gave; what was lost, too."""
    for account, amount in entry.others:
        if (amount > 0) == leaves and not isinstance(account_named(account), AtSea):
            yield _end(account, amount, entry)


def _end(account: str, amount: int, line: LedgerLine) -> End:
    when = calendar.moment_name(line.moment)
    return End(account, account_name(account), amount, line.move, when, line.clause, line.memo)
