"""What is read of a journal: what it says of itself, its moves, and the states that they lead to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from warcabinet.game.journal import Move, replayed
from warcabinet.game.throws import Seed, plain_seed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.apply import blank
from warcabinet.model.state import State
from warcabinet.store import tables
from warcabinet.store.database import Damaged, let_go, looking, trouble
from warcabinet.store.rows import move_of, seed_of_row, trusted
from warcabinet.store.tables import Columns, end_mark, end_of
from warcabinet.store.upcast import FIRST, FORMAT, check_format

STATES_KEPT = 128
#: Asked with every order, so it is put into words once.
_LAST = sa.select(sa.func.max(tables.moves.c.id))


class JournalReader:
    """A journal in a database, to be read. Only moves that are asked for are."""

    def __init__(self, engine: sa.Engine, name: str, *, lenient: bool = False) -> None:
        self.engine = engine
        self.name = name
        self._states: OrderedDict[int, State] = OrderedDict()
        self._recent: OrderedDict[int, Move] = OrderedDict()
        self._befores: dict[int, int] = {}
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
        known = end_of(self._tip)
        with self.reading(at_once=True) as db:
            mark = db.execute(sa.select(tables.moves.c.digest).where(tables.moves.c.id == known)).scalar()
            if mark is None or end_mark(known, str(mark)) != self._tip:
                return False
            before, self.meta = self.meta, self._read_meta(db)
            if any(before.get(key) != value for key, value in self.meta.items() if key != "end"):
                return False
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
        self.read_seeds(db)

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

    def read_seeds(self, db: sa.Connection, *, to_throw: bool = False, to_reveal: bool = False) -> tuple[Seed, ...]:
        """The seeds as they are now; `to_throw`, `to_reveal`: and stay until the transaction ends.

        Whoever throws keeps others from revealing meanwhile, whoever reveals keeps them from throwing. SQLite lets
        only one write anyway.
        """
        if "dice" not in self.columns.names:
            return (plain_seed(self._number(self.meta.get("seed", ""), "seed")),)
        query = sa.select(tables.dice).order_by(tables.dice.c.first)
        if to_throw or to_reveal:
            query = query.with_for_update(read=not to_reveal)
        rows = db.execute(query).all()
        if not rows:
            raise Damaged(f"{self.name} is damaged: the seeds of its dice are gone")
        return tuple(map(seed_of_row, rows))

    def _number(self, text: str, what: str) -> int:
        if not text.lstrip("-").isdecimal() or len(text) > 20:
            raise Damaged(f"{self.name} is damaged: its {what} is {text[:40]!r}")
        return int(text)

    @contextmanager
    def reading(self, *, at_once: bool = False, apart: bool = False) -> Iterator[sa.Connection]:
        try:
            with looking(self.engine, at_once=at_once, apart=apart) as db:
                yield db
        except WarCabinetError:
            raise
        except Exception as error:
            # In a damaged file anything can stand where something else stood.
            raise trouble(error, self.name) from None

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
            row = db.execute(self.selected().order_by(tables.moves.c.id.desc()).limit(1)).one()
        if self._tip:
            self._tip = end_mark(row.id, row.digest)  # another writer may have moved since it was looked at
        return self.read(row)

    def last_id(self) -> int:
        """The last move that is written, by whomever."""
        with self.reading(apart=True) as db:
            return int(db.execute(_LAST).scalar() or 0)

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
        rows = self._rows_since_snapshot(at) if state is None else {}
        while state is None:
            todo.append(self.read(rows[at]) if at in rows else self.move(at))
            if not todo[-1].before < at:
                raise Damaged(f"{self.name} is damaged: move {at} says that it follows move {todo[-1].before}")
            at = todo[-1].before
            state = blank() if at == 0 else self._states.get(at) if at in rows else self._stored(at)
        for move in reversed(todo):
            state = self._replayed(state, move)
        self._keep(self._states, id, state)
        return state

    def _rows_since_snapshot(self, id: int) -> dict[int, Any]:
        """The rows of a move and of those before it up to the nearest snapshot, all at once; there is none among them.

        Where moves were undone some of them belong to another line, and the snapshot may: whoever follows the line
        takes what is on it, and asks for whatever else he needs.
        """
        shots, moves = tables.snapshots.c.move, tables.moves.c.id
        with self.reading() as db:
            nearest = None
            if self.format != FIRST:
                nearest = db.execute(sa.select(sa.func.max(shots)).where(shots < id)).scalar()
            found = db.execute(self.selected().where(moves.between(int(nearest or 0) + 1, id)))
            return {row.id: row for row in found}

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
        kept = self._befores
        if not self._tip or end_of(self._tip) != len(kept):
            query = sa.select(tables.moves.c.id, tables.moves.c.before).where(tables.moves.c.id > len(kept))
            with self.reading() as db:
                found = {row.id: row.before for row in db.execute(query)}
            if not self._tip or max(found, default=0) != len(kept) + len(found):
                return {**kept, **found}  # a damaged game: as it is, again and again
            kept.update(found)
        return kept

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
        """Read whenever it is asked: a seed is revealed without a move, by any process."""
        with self.reading() as db:
            return self.read_seeds(db)

    def close(self) -> None:
        let_go(self.engine)
