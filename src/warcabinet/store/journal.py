"""The journal of a game in a database. A move is one transaction: what was acknowledged survives a kill.

The state is kept as a snapshot once in a while; others are reached from the nearest one, so loading and undoing
cost the same however long the game is.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.game import Conflict, SeedRevealed
from warcabinet.game.journal import Move, accounts_of
from warcabinet.game.throws import may_throw, sealed_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State, decode, encode
from warcabinet.store import tables
from warcabinet.store.checking import check
from warcabinet.store.database import FAILED, Damaged, StorageError, trouble, writing
from warcabinet.store.reading import JournalReader
from warcabinet.store.rows import SPENT, move_of, row_of, seed_row
from warcabinet.store.tables import digest, end_mark, snapshot_mark
from warcabinet.store.upcast import FIRST, FORMAT

SNAPSHOT_EVERY = 64  # events, at least
#: A snapshot is taken when the events since the last one weigh about as much as it did: files grow in step with play.
BYTES_AN_EVENT = 256
#: A game is weighed after so many moves; and about what else a save says of each.
WEIGHED_EVERY = 64
BYTES_A_MOVE = 300

# What every move asks and writes is put into words once, and not for each: that took longer than the database.
_KNOWN = sa.select(*tables.moves.c["id", "depth", "digest"]).where(
    sa.or_(tables.moves.c.id == sa.bindparam("last"), tables.moves.c.id == sa.bindparam("from"))
)
_WRITTEN = tables.moves.insert()
_WRITTEN_AND_READ = _WRITTEN.returning(tables.moves)
_READ = sa.select(tables.moves).where(tables.moves.c.id == sa.bindparam("move"))
_LAST = sa.select(sa.func.coalesce(sa.func.max(tables.moves.c.id), 0))
_BLOBS = (tables.moves.c.records, tables.moves.c.checked, tables.moves.c.redo, tables.moves.c.command)
_WEIGHT = sa.select(sa.func.sum(sum(sa.func.coalesce(sa.func.length(it), 0) for it in _BLOBS))).where(
    tables.moves.c.id > sa.bindparam("last")
)
_END = tables.meta.update().where(tables.meta.c.key == "end")


class Room(msgspec.Struct, frozen=True):
    """How long a game may become: what is played on stays small enough for its save to be read back."""

    moves: int
    bytes: int


class Full(Conflict):
    """A game that is as long as one may become. Nothing was changed."""


class SqlJournal(JournalReader):
    """A journal in a database. Only moves that are asked for are read."""

    room: Room | None = None
    #: How many moves were weighed, and how many bytes of a save they make.
    _weighed = (0, 0)

    def append(self, move: Move, state: State) -> None:
        """Write a move in one transaction; another writer's move in between is a conflict, and nothing is written."""
        self.append_all([(move, state)])
        if len(self._befores) == move.id - 1:
            self._befores[move.id] = move.before

    def append_all(self, lines: Iterable[tuple[Move, State]], *, told: bool = False) -> None:
        """Write several moves in one transaction: all of them, or none.

        `told`: they were made elsewhere or before, and are written as they were, whatever their dice show.
        """
        written: list[tuple[Move, State]] = []
        tip = ""
        try:
            with writing(self.engine) as db:
                for move, state in lines:
                    if self.format != FORMAT:
                        # Its own dice were thrown by the old seed already.
                        self._begin_anew(db, self._in_force(move), move.id + 1)
                        self._look(db)
                    if not told:
                        self._hold_to_seed(db, move)
                        self._keep_room(db, move)
                    tip = self._write(db, move, state)
                    written = [*written[-1:], (move, state)]
        except sa.exc.IntegrityError:
            raise Conflict(f"someone else has moved in {self.name} meanwhile: load it again") from None
        except FAILED as error:
            self._look_again()
            raise trouble(error, self.name) from None
        self._tip = tip or self._tip
        for move, state in written:
            self._keep(self._recent, move.id, move)
            self._keep(self._states, move.at, state)

    def _hold_to_seed(self, db: sa.Connection, move: Move) -> None:
        """Refuse a throw by any seed but the one in force, which stays so until the throw is written."""
        if move.faces and not move.given and not may_throw(self.read_seeds(db, to_throw=True), move.id, move.faces):
            raise SeedRevealed(f"the seed of the dice of {self.name} was revealed meanwhile: look again and repeat it")

    def _keep_room(self, db: sa.Connection, move: Move) -> None:
        """Refuse a move by which the game becomes longer than its save may be; weighed now and then."""
        if self.room is None:
            return
        last, weight = self._weighed
        if move.id - 1 >= last + WEIGHED_EVERY:
            weight += int(db.execute(_WEIGHT, {"last": last}).scalar() or 0) + (move.id - 1 - last) * BYTES_A_MOVE
            self._weighed = (move.id - 1, weight)
        if move.id > self.room.moves or weight > self.room.bytes:
            raise Full(
                f"this game is full: its save would hold more than {self.room.moves:,} moves or {self.room.bytes:,} "
                "bytes; it can be looked at and saved, and its position be played on as a new game"
            )

    def _in_force(self, move: Move) -> int:
        """The move whose state is in force around another that is about to be written."""
        at = move.before if move.at == move.id else move.at
        self.state_at(at)
        return at

    def _look_again(self) -> None:
        """A transaction that failed changed nothing, though it may have been read from meanwhile."""
        self._weight = 0
        with contextlib.suppress(WarCabinetError), self.reading() as db:
            self._look(db)

    def _write(self, db: sa.Connection, move: Move, state: State) -> str:
        known = self._known(db, move)
        depth, snapshot = self._depth_after(db, move, known)
        row = row_of(move)
        mark = digest(known[move.id - 1].digest if move.id - 1 in known else self.origin, row)
        self._insert(db, row, {"depth": depth, "digest": mark})
        accounts = {account for record in move.records for account in accounts_of(record)}
        if accounts:
            db.execute(tables.postings.insert(), [{"account": a, "move": move.id} for a in sorted(accounts)])
        if snapshot:
            self._take_snapshot(db, move.id, state, mark)
        end = {"value": end_mark(move.id, mark)}
        if not db.execute(_END, end).rowcount:
            db.execute(tables.meta.insert(), {"key": "end", **end})
        return end["value"]

    def _known(self, db: sa.Connection, move: Move) -> dict[int, Any]:
        """What a move rests on: the one written before it, and the one whose state it starts from."""
        rows = db.execute(_KNOWN, {"last": move.id - 1, "from": move.before})
        return {row.id: row for row in rows}

    def _insert(self, db: sa.Connection, row: dict[str, Any], more: dict[str, Any]) -> None:
        """A move that could not be read again would end the game: it is read before it is acknowledged."""
        if db.dialect.name == "postgresql":
            kept = db.execute(_WRITTEN_AND_READ, {**row, **more}).one()  # one message to and fro instead of two
        else:
            db.execute(_WRITTEN, {**row, **more})
            kept = db.execute(_READ, {"move": row["id"]}).one()
        try:
            same = row_of(move_of(kept, FORMAT)) == row
        except Exception:
            same = False
        if not same:
            raise StorageError(f"move {row['id']} could not be read back from {self.name}; nothing was changed")

    def _take_snapshot(self, db: sa.Connection, id: int, state: State, mark: str) -> None:
        kept = encode(state)
        if decode(kept).fingerprint() != state.fingerprint():
            raise StorageError(f"the state after move {id} cannot be stored; nothing was changed")
        self._weight = len(kept)
        values = {"move": id, "state": kept, "mark": snapshot_mark(mark, kept)}
        db.execute(tables.snapshots.insert(), values)

    def renew(self) -> None:
        """Make a file of an earlier format one of today's without waiting for a move: its dice are sealed from now."""
        if self.format == FORMAT:
            return
        last = self.last()
        self.state_at(last.at)
        try:
            with writing(self.engine) as db:
                self._begin_anew(db, last.at, last.id + 1)
                self._look(db)
                end = self._end(db) or ""
                db.execute(tables.meta.insert(), {"key": "end", "value": end})
        except FAILED as error:
            self._look_again()
            raise trouble(error, self.name) from None

    def _begin_anew(self, db: sa.Connection, at: int, first: int) -> None:
        """From now on the file is of today's format: what stood in it is marked as older, and so are its dice."""
        seeds = (*self.read_seeds(db), sealed_seed(first))
        tables.bring_up_to_date(db, self.columns, self.origin)
        db.execute(tables.dice.insert(), [seed_row(seed) for seed in seeds])
        db.execute(tables.meta.update().where(tables.meta.c.key == "format").values(value=FORMAT))
        if self.format == FIRST:
            db.execute(tables.meta.insert(), {"key": FIRST, "value": str(self.first_until)})
            self._renew_snapshot(db, at)

    def _renew_snapshot(self, db: sa.Connection, at: int) -> None:
        """Snapshots of the first format are not read: they go, and the state in force takes their place."""
        db.execute(tables.snapshots.delete())
        mark = db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == at)).scalar_one()
        self._take_snapshot(db, at, self._states[at], str(mark))

    def _depth_after(self, db: sa.Connection, move: Move, known: dict[int, Any]) -> tuple[int, bool]:
        """Events since the last snapshot on this line of moves; a snapshot is taken when they become many."""
        if move.at != move.id:
            return 0, False
        if move.id == 1:
            return 0, True
        if move.before not in known:
            raise Damaged(f"{self.name} is damaged: move {move.before} is gone")
        depth = int(known[move.before].depth) + len(move.records)
        if depth < SNAPSHOT_EVERY:
            return depth, False
        if not self._weight:
            size = sa.select(sa.func.max(sa.func.length(tables.snapshots.c.state)))
            self._weight = int(db.execute(size).scalar() or 0)
        enough = depth >= self._weight // BYTES_AN_EVENT
        return (0, True) if enough else (depth, False)

    def reveal(self) -> None:
        """Publish the seeds so far and commit to another, by which everything that is not written yet is thrown."""
        try:
            with writing(self.engine) as db:
                seeds = self.read_seeds(db, to_reveal=True)
                # Only now: a throw that was being written meanwhile is one of the seed that is published.
                last = int(db.execute(_LAST).scalar_one())
                if seeds[-1].first > last:
                    raise Conflict("nothing was thrown by the present seed yet")
                db.execute(tables.dice.update().where(tables.dice.c.revealed == 0).values(revealed=SPENT))
                db.execute(tables.dice.insert(), seed_row(sealed_seed(last + 1)))
        except sa.exc.IntegrityError:
            raise Conflict(f"the dice of {self.name} were renewed already") from None
        except FAILED as error:
            raise trouble(error, self.name) from None

    def reseed(self) -> None:
        """A copy of a game throws by a seed of its own: the one that has thrown nothing yet is replaced."""
        with writing(self.engine) as db:
            unused, last = self.read_seeds(db, to_reveal=True)[-1], int(db.execute(_LAST).scalar_one())
            if unused.first > last:
                db.execute(tables.dice.delete().where(tables.dice.c.first == unused.first))
            db.execute(tables.dice.insert(), seed_row(sealed_seed(last + 1)))

    def faults(self) -> list[str]:
        """What is wrong with the file, found by reading and replaying all of it."""
        return check(self).faults
