"""Is a game whole? Everything in its file is read, replayed and compared; nothing that is found ends the search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.game.engine import GameRecord
from warcabinet.game.journal import Move, accounts_of
from warcabinet.game.throws import Seed, judged
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import decode
from warcabinet.store import tables
from warcabinet.store.database import first_line
from warcabinet.store.reading import JournalReader
from warcabinet.store.soundness import Replay
from warcabinet.store.tables import digest, end_mark, snapshot_mark
from warcabinet.store.upcast import FIRST

#: Of faults of one kind so many are told; a damaged file can hold one a move.
MOST = 20


class Report(msgspec.Struct, frozen=True):
    """What was found: faults, what is whole, and what is worth knowing of the dice."""

    moves: int
    #: The first moves, up to the first that cannot be followed: `warcabinet recover` saves them.
    whole: int
    faults: list[str]
    dice: list[str]

    @property
    def ok(self) -> bool:
        return not self.faults


def check(journal: JournalReader) -> Report:
    found = _Findings(journal)
    for part in (found.moves, found.end, found.snapshots, found.postings, found.damage):
        try:
            found.faults += _few(part())
        except WarCabinetError as error:
            found.faults.append(str(error))
        except Exception as error:
            # Anything can stand where something else stood: whatever cannot be compared is damage.
            found.faults.append(f"{journal.name} is damaged: {type(error).__name__}: {first_line(error)}")
    return Report(found.last, found.whole, list(dict.fromkeys(found.faults)), found.dice())


def _few(faults: Iterator[str]) -> list[str]:
    told = []
    for fault in faults:
        told.append(fault)
        if len(told) == MOST:
            told.append("... and more of the kind")
            break
    return told


class _Findings:
    def __init__(self, journal: JournalReader) -> None:
        self.journal = journal
        self.faults: list[str] = []
        self.last = 0
        self.whole = 0
        self._fingerprints: dict[int, str] = {}
        self._marks: dict[int, str] = {}
        self._accounts: dict[int, set[str]] = {}
        self._end: str | None = None
        self._shots = self._kept_shots()
        self._seeds: tuple[Seed, ...] = ()
        self._late: list[int] = []

    def _kept_shots(self) -> set[int]:
        try:
            with self.journal.reading() as db:
                return set(db.execute(sa.select(tables.snapshots.c.move)).scalars())
        except WarCabinetError:
            return set()

    def moves(self) -> Iterator[str]:
        """Each move: unchanged since it was written, readable, in its place, followed by its state; honest dice."""
        replay, mark, changed, broken = Replay(), self.journal.origin, False, False
        # Of one moment: a seed that is committed to meanwhile is no seed of these moves.
        with self.journal.reading(at_once=True) as db:
            self._seeds = self.journal.read_seeds(db)
            ends = sa.select(tables.meta.c.value).where(tables.meta.c.key == "end")
            self._end = db.execute(ends).scalar()
            for row in db.execute(self.journal.selected().order_by(tables.moves.c.id)):
                told = list(self._mark(row, mark)) if not changed else []
                changed = changed or bool(told)
                mark = str(row.digest)
                told += self._one(row, replay)
                self.last = row.id
                broken = broken or bool(told)
                self.whole = self.whole if broken else row.id
                yield from (f"move {row.id}: {it}" for it in told)
                if replay.lost:
                    yield f"move {row.id}: what follows rests on it and was not replayed"
                    return

    def _mark(self, row: Any, before: str) -> Iterator[str]:
        if "digest" not in self.journal.columns.names["moves"]:
            return
        made = digest(before, row._mapping)
        if made != row.digest or row.id != self.last + 1:
            yield "it, or one before it, was changed after it was written"
        self._marks[row.id] = made

    def _one(self, row: Any, replay: Replay) -> Iterator[str]:
        try:
            move = self.journal.read(row)
        except WarCabinetError as error:
            replay.lost = True
            yield str(error)
            return
        yield from replay.follow(move)
        state = replay.state(move)
        if move.id in self._shots and state is not None and move.at == move.id:
            self._fingerprints[move.id] = state.fingerprint()
        self._accounts[move.id] = _accounts(move)
        if move.faces and not move.given:
            verdict, _, wrong = judged(self._seeds, move.id, move.faces)
            if verdict == "wrong":
                yield wrong
            elif verdict == "late":
                self._late.append(move.id)

    def end(self) -> Iterator[str]:
        """The last move is the one that was written last."""
        if not self.last:
            yield "it holds no move"
        wanted = self._end
        if wanted is not None and wanted.partition(" ")[0] != str(self.last):
            yield f"the journal ended with move {wanted.partition(' ')[0]}; now it ends with {self.last}"
        elif wanted is not None and self.last in self._marks and wanted != end_mark(self.last, self._marks[self.last]):
            yield f"move {self.last}: it is not the one that was written last"

    def snapshots(self) -> Iterator[str]:
        """Every stored state is the one to which its moves lead."""
        if self.journal.format == FIRST:
            return  # they are not read any more
        with self.journal.reading() as db:
            for row in db.execute(sa.select(*self.journal.columns.of(tables.snapshots))):
                if row.move not in self._fingerprints:
                    if row.move > self.last or row.move < 1:
                        yield f"a state is stored for move {row.move}, which is not in the journal"
                    continue
                if row.mark and row.mark != snapshot_mark(self._marks.get(row.move, ""), row.state):
                    yield f"move {row.move}: its stored state was changed after it was written"
                elif not _leads_to(row.state, self._fingerprints[row.move]):
                    yield f"move {row.move}: the events do not lead to the stored state"

    def postings(self) -> Iterator[str]:
        """The index of postings says of every move what its entries say."""
        kept: dict[int, set[str]] = {}
        with self.journal.reading() as db:
            for row in db.execute(sa.select(tables.postings)):
                kept.setdefault(row.move, set()).add(row.account)
        # Moves of the first format are told anew: their index speaks of accounts as they were called then.
        for id in sorted(set(kept) | set(self._accounts)):
            if self.journal.first_until < id <= self.last and id in self._accounts:
                if kept.get(id, set()) != self._accounts[id]:
                    yield f"move {id}: the table of entries does not hold what it posted"
            elif id > self.last:
                yield f"the table of entries speaks of move {id}, which is not in the journal"

    def damage(self) -> Iterator[str]:
        """What the database itself finds wrong with its file."""
        if self.journal.engine.dialect.name == "sqlite":
            with self.journal.reading() as db:
                found = [str(row[0]) for row in db.execute(sa.text(f"PRAGMA integrity_check({MOST})"))]
            yield from (it for it in found if it != "ok")

    def dice(self) -> list[str]:
        """What can be said of the dice of each stretch of moves, and of throws that could have been foretold."""
        told = [f"from move {seed.first} on: {_told_of(seed)}" for seed in self._seeds]
        if self._late:
            named = ", ".join(map(str, self._late[:MOST])) + (" and more" if len(self._late) > MOST else "")
            told.append(
                f"of move {named}: thrown by a seed that had been revealed before, as earlier builds did where several "
                "processes served a game; no damage, but whoever knew the seed could foretell them"
            )
        return told


def _told_of(seed: Seed) -> str:
    if not seed.sealed:
        return "a seed that is not sealed; whoever knows it knows the faces"
    if not seed.secret:
        return f"sealed elsewhere by {seed.commitment}; without its seed the faces cannot be checked"
    return f"sealed by {seed.commitment}" + (", revealed" if seed.revealed else "")


def _accounts(move: Move) -> set[str]:
    records: tuple[GameRecord, ...] = move.records
    return {account for record in records for account in accounts_of(record)}


def _leads_to(stored: bytes, fingerprint: str) -> bool:
    try:
        return decode(stored).fingerprint() == fingerprint
    except Exception:
        return False
