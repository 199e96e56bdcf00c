"""The journal of a game in a database. A move is one transaction: what was acknowledged survives a kill.

The state is kept as a snapshot once in a while; others are reached from the nearest one, so loading and undoing
cost the same however long the game is.
"""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.game import Conflict, Move, accounts_of, replayed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import Why
from warcabinet.model.apply import blank
from warcabinet.model.commands import AnyCommand, as_called_today
from warcabinet.model.state import State, decode, encode
from warcabinet.store import tables
from warcabinet.store.database import (
    Damaged,
    StorageError,
    let_go,
    looking,
    trouble,
    writing,
)
from warcabinet.store.tables import Columns, digest, end_mark, snapshot_mark
from warcabinet.store.upcast import FIRST, FORMAT, check_format, read_records
from warcabinet.throws import Seed, plain_seed, sealed_seed

SNAPSHOT_EVERY = 64  # events, at least
#: A snapshot is taken when the events since the last one weigh about as much as it did: files grow in step with play.
BYTES_AN_EVENT = 256
STATES_KEPT = 128

_encode = msgspec.json.Encoder().encode
_command = msgspec.json.Decoder(AnyCommand)
_numbers = msgspec.json.Decoder(tuple[int, ...])
_whys = msgspec.json.Decoder(tuple[Why, ...])


class SqlJournal:
    """A journal in a database. Only moves that are asked for are read."""

    def __init__(self, engine: sa.Engine, name: str, *, lenient: bool = False) -> None:
        self.engine = engine
        self.name = name
        self._states: OrderedDict[int, State] = OrderedDict()
        self._recent: OrderedDict[int, Move] = OrderedDict()
        self._weight = 0
        self.meta: dict[str, str] = {}
        #: The last move that is known here, and its mark.
        self._tip = ""
        with self.reading(at_once=True) as db:
            self._look(db)
            if not lenient:
                self._tip = self._check_end(db)

    def follow(self) -> bool:
        """Whether the moves that others made since only follow those that are known here; then they are known too.

        Much less is read than by opening the game: processes of one server hear of each other's moves all the time.
        """
        if not self._tip or self.engine.dialect.name == "sqlite":
            return False  # a file may be another one by now
        known = int(self._tip.partition(" ")[0])
        with self.reading(at_once=True) as db:
            mark = db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == known)).scalar()
            if mark is None or end_mark(known, str(mark)) != self._tip:
                return False
            before, self.meta = self.meta, self._read_meta(db)
            if any(before.get(key) != value for key, value in self.meta.items() if key != "end"):
                return False
            self._seeds = self._read_seeds(db)
            self._tip = self._check_end(db)
        return True

    def _look(self, db: sa.Connection) -> None:
        """Read what the file says of itself."""
        self.columns = Columns(db)
        if self.columns.missing:
            raise WarCabinetError(f"{self.name} is not a War Cabinet game: it has no {self.columns.missing[0]}")
        self.meta = self._read_meta(db)
        check_format(self.meta.get("format"), self.name)
        last = int(db.execute(sa.select(sa.func.max(tables.moves.c.id))).scalar() or 0)
        # The moves up to this one were written in the first format; they stay so, and are told anew when read.
        self.first_until = last if self.format == FIRST else self._number(self.meta.get(FIRST, "0"), FIRST)
        self._seeds = self._read_seeds(db)

    def _read_meta(self, db: sa.Connection) -> dict[str, str]:
        return {str(row.key): str(row.value) for row in db.execute(sa.select(tables.meta))}

    @property
    def format(self) -> str:
        return self.meta["format"]

    @property
    def origin(self) -> str:
        """On what the first move's mark rests: the commitment to the dice that the game began with."""
        return self.meta.get("origin", "")

    def _check_end(self, db: sa.Connection) -> str:
        """The last move and its mark. A journal that lost its last moves is refused: play would go on from earlier."""
        last = self._end(db)
        if last is None:
            raise Damaged(f"{self.name} is damaged: it holds no move")
        if "end" in self.meta and self.meta["end"] != last:
            wanted, there = (it.partition(" ")[0] for it in (self.meta["end"], last))
            raise Damaged(
                f"{self.name} is damaged: it ended with move {wanted} and now ends with {there}; "
                "restore a copy, or save what is left with `warcabinet recover`"
            )
        return last

    def _end(self, db: sa.Connection) -> str | None:
        """The last move and its mark."""
        ids = tables.moves.c.id
        row = db.execute(sa.select(*self.columns.of(tables.moves)).order_by(ids.desc()).limit(1)).first()
        return None if row is None else end_mark(row.id, row.digest)

    def _read_seeds(self, db: sa.Connection) -> tuple[Seed, ...]:
        if "dice" not in self.columns.names:
            return (plain_seed(self._number(self.meta.get("seed", ""), "seed")),)
        rows = db.execute(sa.select(tables.dice).order_by(tables.dice.c.first)).all()
        if not rows:
            raise Damaged(f"{self.name} is damaged: the seeds of its dice are gone")
        return tuple(Seed(row.first, row.commitment, row.secret, bool(row.revealed)) for row in rows)

    def _number(self, text: str, what: str) -> int:
        if not text.lstrip("-").isdecimal() or len(text) > 20:
            raise Damaged(f"{self.name} is damaged: its {what} is {text[:40]!r}")
        return int(text)

    @contextmanager
    def reading(self, *, at_once: bool = False) -> Iterator[sa.Connection]:
        try:
            with looking(self.engine, at_once=at_once) as db:
                yield db
        except WarCabinetError:
            raise
        except Exception as error:
            # In a damaged file anything can stand where something else stood.
            raise trouble(error, self.name) from None

    # -- writing -------------------------------------------------------------------------------------------------

    def append(self, move: Move, state: State) -> None:
        """Write a move in one transaction; another writer's move in between is a conflict, and nothing is written."""
        self.append_all([(move, state)])

    def append_all(self, lines: Iterable[tuple[Move, State]]) -> None:
        """Write several moves in one transaction: all of them, or none."""
        written: list[tuple[Move, State]] = []
        tip = ""
        try:
            with writing(self.engine) as db:
                for move, state in lines:
                    if self.format != FORMAT:
                        # Its own dice were thrown by the old seed already.
                        self._begin_anew(db, self._in_force(move), move.id + 1)
                        self._look(db)
                    tip = self._write(db, move, state)
                    written = [*written[-1:], (move, state)]
        except sa.exc.IntegrityError:
            raise Conflict(f"someone else has moved in {self.name} meanwhile: load it again") from None
        except sa.exc.DBAPIError as error:
            self._look_again()
            raise trouble(error, self.name) from None
        self._tip = tip or self._tip
        for move, state in written:
            self._keep(self._recent, move.id, move)
            self._keep(self._states, move.at, state)

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
        depth, snapshot = self._depth_after(db, move)
        row = row_of(move)
        before = db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == move.id - 1)).scalar()
        mark = digest(self.origin if before is None else str(before), row)
        db.execute(tables.moves.insert(), {**row, "depth": depth, "digest": mark})
        self._read_back(db, move.id, row)
        accounts = {account for record in move.records for account in accounts_of(record)}
        if accounts:
            db.execute(tables.postings.insert(), [{"account": a, "move": move.id} for a in sorted(accounts)])
        if snapshot:
            self._take_snapshot(db, move.id, state, mark)
        end = {"value": end_mark(move.id, mark)}
        if not db.execute(tables.meta.update().where(tables.meta.c.key == "end").values(end)).rowcount:
            db.execute(tables.meta.insert(), {"key": "end", **end})
        return end["value"]

    def _read_back(self, db: sa.Connection, id: int, row: dict[str, Any]) -> None:
        """A move that could not be read again would end the game: it is read before it is acknowledged."""
        kept = db.execute(sa.select(tables.moves).where(tables.moves.c.id == id)).one()
        try:
            same = row_of(move_of(kept, FORMAT)) == row
        except Exception:
            same = False
        if not same:
            raise StorageError(f"move {id} could not be read back from {self.name}; nothing was changed")

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
        except sa.exc.DBAPIError as error:
            self._look_again()
            raise trouble(error, self.name) from None

    def _begin_anew(self, db: sa.Connection, at: int, first: int) -> None:
        """From now on the file is of today's format: what stood in it is marked as older, and so are its dice."""
        tables.bring_up_to_date(db, self.columns, self.origin)
        for seed in (*self._seeds, sealed_seed(first)):
            db.execute(tables.dice.insert(), msgspec.structs.asdict(seed))
        db.execute(tables.meta.update().where(tables.meta.c.key == "format").values(value=FORMAT))
        if self.format == FIRST:
            db.execute(tables.meta.insert(), {"key": FIRST, "value": str(self.first_until)})
            self._renew_snapshot(db, at)

    def _renew_snapshot(self, db: sa.Connection, at: int) -> None:
        """Snapshots of the first format are not read: they go, and the state in force takes their place."""
        db.execute(tables.snapshots.delete())
        mark = db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == at)).scalar_one()
        self._take_snapshot(db, at, self._states[at], str(mark))

    def _depth_after(self, db: sa.Connection, move: Move) -> tuple[int, bool]:
        """Events since the last snapshot on this line of moves; a snapshot is taken when they become many."""
        if move.at != move.id:
            return 0, False
        if move.id == 1:
            return 0, True
        before = db.execute(sa.select(tables.moves.c.depth).where(tables.moves.c.id == move.before)).scalar_one()
        depth = int(before) + len(move.records)
        if depth < SNAPSHOT_EVERY:
            return depth, False
        if not self._weight:
            size = sa.select(sa.func.max(sa.func.length(tables.snapshots.c.state)))
            self._weight = int(db.execute(size).scalar() or 0)
        enough = depth >= self._weight // BYTES_AN_EVENT
        return (0, True) if enough else (depth, False)

    def add_seed(self, seed: Seed, *, reveal: bool = False) -> None:
        """From a move on another seed throws; `reveal`: those before are published."""
        try:
            with writing(self.engine) as db:
                if reveal:
                    db.execute(tables.dice.update().values(revealed=1))
                db.execute(tables.dice.insert(), msgspec.structs.asdict(seed))
                self._seeds = self._read_seeds(db)
        except sa.exc.IntegrityError:
            raise Conflict(f"the dice of {self.name} were renewed already") from None
        except sa.exc.DBAPIError as error:
            raise trouble(error, self.name) from None

    def reseed(self) -> None:
        """A copy of a game throws by a seed of its own: the one that has thrown nothing yet is replaced."""
        unused = self._seeds[-1]
        with writing(self.engine) as db:
            last = int(db.execute(sa.select(sa.func.max(tables.moves.c.id))).scalar() or 0)
            if unused.first > last:
                db.execute(tables.dice.delete().where(tables.dice.c.first == unused.first))
            db.execute(tables.dice.insert(), msgspec.structs.asdict(sealed_seed(last + 1)))
            self._seeds = self._read_seeds(db)

    # -- reading -------------------------------------------------------------------------------------------------

    def _keep(self, kept: OrderedDict[int, Any], id: int, what: Any) -> None:
        kept[id] = what
        kept.move_to_end(id)
        while len(kept) > STATES_KEPT:
            kept.popitem(last=False)

    def selected(self) -> sa.Select[Any]:
        return sa.select(*self.columns.of(tables.moves))

    def move(self, id: int) -> Move:
        found = self._recent.get(id)
        if found is None:
            with self.reading() as db:
                found = self.read(db.execute(self.selected().where(tables.moves.c.id == id)).one())
            self._keep(self._recent, id, found)
        return found

    def last(self) -> Move:
        with self.reading() as db:
            return self.read(db.execute(self.selected().order_by(tables.moves.c.id.desc()).limit(1)).one())

    def last_id(self) -> int:
        """The last move that is written, by whomever."""
        with self.reading() as db:
            return int(db.execute(sa.select(sa.func.max(tables.moves.c.id))).scalar() or 0)

    def keyed(self, key: str) -> Move | None:
        if "key" not in self.columns.names["moves"]:
            return None
        with self.reading() as db:
            row = db.execute(self.selected().where(tables.moves.c.key == key)).first()
            return None if row is None else self.read(row)

    def state_at(self, id: int) -> State:
        """The state after a move: from memory, or replayed from the nearest snapshot before it."""
        todo: list[Move] = []
        at = id
        state = self._stored(at)
        while state is None:
            todo.append(self.move(at))
            if not todo[-1].before < at:
                raise Damaged(f"{self.name} is damaged: move {at} says that it follows move {todo[-1].before}")
            at = todo[-1].before
            state = blank() if at == 0 else self._stored(at)
        for move in reversed(todo):
            state = self._replayed(state, move)
        self._keep(self._states, id, state)
        return state

    def _replayed(self, state: State, move: Move) -> State:
        try:
            return replayed(state, move.records)
        except Exception as error:
            raise Damaged(f"{self.name} is damaged: move {move.id} cannot be followed: {error}") from None

    def _stored(self, id: int) -> State | None:
        if id in self._states:
            return self._states[id]
        if self.format == FIRST:
            return None
        with self.reading() as db:
            shot = db.execute(
                sa.select(*self.columns.of(tables.snapshots)).where(tables.snapshots.c.move == id)
            ).first()
            mark = None if shot is None else db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == id))
            return None if shot is None or mark is None else trusted(shot, str(mark.scalar() or ""))

    def moves(self, first: int, last: int) -> Iterator[Move]:
        query = self.selected().where(tables.moves.c.id.between(first, last)).order_by(tables.moves.c.id)
        with self.reading() as db:
            for row in db.execute(query):
                yield self.read(row)

    def moves_posting_to(self, account: str) -> Iterator[Move]:
        postings = tables.postings
        query = (
            self.selected()
            .join(postings, postings.c.move == tables.moves.c.id)
            .where(postings.c.account == account)
            .order_by(tables.moves.c.id)
        )
        with self.reading() as db:
            for row in db.execute(query):
                yield self.read(row)

    def befores(self) -> dict[int, int]:
        """For every move the one whose state it started from, without reading the moves themselves."""
        with self.reading() as db:
            return {row.id: row.before for row in db.execute(sa.select(tables.moves.c.id, tables.moves.c.before))}

    def moments(self) -> dict[int, int]:
        """For every move the moment it led to, without reading the moves themselves."""
        with self.reading() as db:
            return {row.id: row.moment for row in db.execute(sa.select(tables.moves.c.id, tables.moves.c.moment))}

    def read(self, row: Any) -> Move:
        """A move from its row; whatever may be wrong with it is damage."""
        try:
            return move_of(row, FIRST if row.id <= self.first_until else FORMAT)
        except Exception as error:
            raise Damaged(f"{self.name} is damaged: move {row.id} cannot be read: {error}") from None

    def seeds(self) -> tuple[Seed, ...]:
        return self._seeds

    def faults(self) -> list[str]:
        """What is wrong with the file, found by reading and replaying all of it."""
        from warcabinet.store.checking import check

        return check(self).faults

    def close(self) -> None:
        let_go(self.engine)


def trusted(shot: Any, mark: str) -> State | None:
    """A snapshot's state; none where it was changed or is of another make: then the moves are replayed instead."""
    if shot.mark and shot.mark != snapshot_mark(mark, shot.state):
        return None
    try:
        return decode(shot.state)
    except Exception:
        return None


def row_of(move: Move) -> dict[str, Any]:
    return {
        "id": move.id,
        "kind": move.kind,
        "seq": move.seq,
        "at": move.at,
        "before": move.before,
        "seat": move.seat,
        "command": None if move.command is None else _encode(move.command),
        "redo": _encode(move.redo),
        "batch": move.batch,
        "barrier": move.barrier,
        "moment": move.moment,
        "checked": _encode(move.checked),
        "records": _encode(move.records),
        "key": move.key,
        "given": int(move.given),
    }


def move_of(row: Any, format: str) -> Move:
    told = Move(
        id=row.id,
        kind=row.kind,
        seq=row.seq,
        at=row.at,
        before=row.before,
        seat=row.seat,
        command=None if row.command is None else as_called_today(_command.decode(row.command)),
        records=read_records(row.records, format),
        redo=_numbers.decode(row.redo),
        batch=row.batch,
        barrier=row.barrier,
        moment=row.moment,
        checked=_whys.decode(row.checked),
        key=row.key,
        given=bool(row.given),
    )
    if not all(isinstance(it, int) for it in (told.id, told.seq, told.at, told.before, told.batch, told.moment)):
        raise ValueError("a number is none")
    if told.kind not in ("start", "command", "undo", "redo"):
        raise ValueError(f"there is no kind of move {told.kind!r}")
    return told
