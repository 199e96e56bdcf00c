"""The journal of a game: its moves, what they posted to which account, and a journal that lives in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Protocol

import msgspec

from warcabinet.game.engine import GameRecord
from warcabinet.game.throws import Seed, plain_seed
from warcabinet.kernel.why import Why
from warcabinet.model.apply import apply, blank
from warcabinet.model.commands import AnyCommand
from warcabinet.model.events import DiceRolled, EntryPosted, Event, UnitsMoved
from warcabinet.model.ledger import Part, imbalance
from warcabinet.model.pieces import piece_account
from warcabinet.model.state import State

MoveKind = Literal["start", "command", "undo", "redo"]


class Move(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line of the journal.

    `at` is the move whose state is now in force (itself, unless it is an undo or redo), `before` the one whose
    state it started from. `redo` lists the moves that can be redone from here. `key` names the request that made it,
    so that the same request made twice moves once; `given` says that faces of its dice were given, not thrown.
    """

    id: int
    kind: MoveKind
    seq: int  # events in the journal after this move
    at: int
    before: int = 0
    seat: str = ""
    command: AnyCommand | None = None
    records: tuple[GameRecord, ...] = ()
    redo: tuple[int, ...] = ()
    batch: int = 0
    barrier: str = ""
    moment: int = 0
    checked: tuple[Why, ...] = ()
    key: str = ""
    given: bool = False

    @property
    def faces(self) -> list[int]:
        """What its dice showed."""
        return [record.event.face for record in self.records if isinstance(record.event, DiceRolled)]


class Journal(Protocol):
    """Where a game is kept: in memory, or in a file."""

    def append(self, move: Move, state: State) -> None: ...
    def move(self, id: int) -> Move: ...
    def last(self) -> Move: ...
    def state_at(self, id: int) -> State: ...
    def append_all(self, lines: Iterable[tuple[Move, State]]) -> None: ...
    def moves(self, first: int, last: int) -> Iterator[Move]: ...
    def moves_posting_to(self, account: str) -> Iterator[Move]: ...
    def befores(self) -> dict[int, int]: ...
    def moments(self) -> dict[int, int]: ...
    def keyed(self, key: str) -> Move | None: ...
    def seeds(self) -> tuple[Seed, ...]: ...
    def faults(self) -> list[str]: ...


class LedgerLine(msgspec.Struct, frozen=True):
    """One posting to an account as a reader wants it: when, how much, by which clause, and of what it was added up."""

    move: int
    moment: int
    clause: str
    memo: str
    amount: int
    parts: tuple[Part, ...]
    why: tuple[Why, ...]
    #: The other accounts that the same entry posts to, and how much.
    others: tuple[tuple[str, int], ...] = ()
    #: The number of its event in the move.
    event: int = 0


def replayed(state: State, records: Iterable[GameRecord]) -> State:
    for record in records:
        state = apply(state, record.event)
    return state


def unbalanced(state: State) -> dict[str, int]:
    """Points and pieces that came from nowhere or went nowhere: none, ever."""
    return {**imbalance(state.ledger), **state.pieces.imbalance()}


class MemoryJournal:
    """A journal that lives as long as the program."""

    def __init__(self, seed: int = 0) -> None:
        self._moves: list[Move] = []
        self._states: dict[int, State] = {}
        self._seeds = (plain_seed(seed),)

    def append(self, move: Move, state: State) -> None:
        self._moves.append(move)
        if move.at == move.id:
            self._states[move.id] = state

    def append_all(self, lines: Iterable[tuple[Move, State]]) -> None:
        for move, state in lines:
            self.append(move, state)

    def move(self, id: int) -> Move:
        return self._moves[id - 1]

    def last(self) -> Move:
        return self._moves[-1]

    def state_at(self, id: int) -> State:
        return self._states[id]

    def moves(self, first: int, last: int) -> Iterator[Move]:
        return iter(self._moves[first - 1 : last])

    def moves_posting_to(self, account: str) -> Iterator[Move]:
        return (move for move in self._moves if any(account in accounts_of(r) for r in move.records))

    def befores(self) -> dict[int, int]:
        return {move.id: move.before for move in self._moves}

    def moments(self) -> dict[int, int]:
        return {move.id: move.moment for move in self._moves}

    def keyed(self, key: str) -> Move | None:
        return next((move for move in self._moves if move.key == key), None)

    def seeds(self) -> tuple[Seed, ...]:
        return self._seeds

    def faults(self) -> list[str]:
        """Moves that do not lead to their states, and books that do not balance."""
        return [fault for move in self._moves if move.at == move.id for fault in self._wrong(move)]

    def _wrong(self, move: Move) -> Iterator[str]:
        state = replayed(self._states[move.before] if move.before else blank(), move.records)
        if state.fingerprint() != self._states[move.id].fingerprint():
            yield f"move {move.id}: the events do not lead to the stored state"
        for unit, total in unbalanced(state).items():
            yield f"move {move.id}: the accounts of {unit} sum to {total}, not zero"


def accounts_of(record: GameRecord) -> list[str]:
    """The accounts that an event posts to."""
    return [account for account, _ in posted(record.event)]


def posted(event: Event) -> list[tuple[str, int]]:
    """What an event adds to which accounts, those of pieces included, by their text."""
    if isinstance(event, EntryPosted):
        return [(str(posting.account), posting.amount) for posting in event.entry.postings]
    if isinstance(event, UnitsMoved):
        to, origin = (piece_account(event.nation, where, event.unit) for where in (event.to, event.origin))
        return [(to, event.count), (origin, -event.count)]
    return []


def memo_of(event: Event) -> str:
    """What an entry or a move of units was made for."""
    if isinstance(event, EntryPosted):
        return event.entry.memo
    return event.memo if isinstance(event, UnitsMoved) else ""


def postings(move: Move, account: str) -> Iterator[LedgerLine]:
    for number, record in enumerate(move.records):
        parts = record.event.entry.parts if isinstance(record.event, EntryPosted) else ()
        postings = posted(record.event)
        for posted_to, amount in postings:
            if posted_to == account:
                memo, others = memo_of(record.event), tuple(it for it in postings if it[0] != account)
                yield LedgerLine(move.id, move.moment, record.clause, memo, amount, parts, record.why, others, number)
