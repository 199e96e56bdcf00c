"""The journal of a game in a database. A move is one transaction: what was acknowledged survives a kill.

The state is kept as a snapshot once in a while; others are reached from the nearest one, so loading and undoing
cost the same however long the game is.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from warcabinet.figures.position import Position
from warcabinet.game import Conflict, Game, Move, accounts_of, new_game, replayed
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import Why
from warcabinet.model.apply import blank
from warcabinet.model.commands import AnyCommand, as_called_today
from warcabinet.model.state import State, decode, encode
from warcabinet.store.upcast import FIRST, FORMAT, check_format, read_records

SNAPSHOT_EVERY = 64  # events
STATES_KEPT = 128

_tables = sa.MetaData()
_meta = sa.Table("meta", _tables, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String))
_moves = sa.Table(
    "moves",
    _tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("at", sa.Integer, nullable=False),
    sa.Column("before", sa.Integer, nullable=False),
    sa.Column("seat", sa.String, nullable=False),
    sa.Column("command", sa.LargeBinary),
    sa.Column("redo", sa.LargeBinary, nullable=False),
    sa.Column("batch", sa.Integer, nullable=False),
    sa.Column("barrier", sa.String, nullable=False),
    sa.Column("moment", sa.Integer, nullable=False),
    sa.Column("checked", sa.LargeBinary, nullable=False),
    sa.Column("records", sa.LargeBinary, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("digest", sa.String, nullable=False),
)
_postings = sa.Table(
    "postings",
    _tables,
    sa.Column("account", sa.String, primary_key=True),
    sa.Column("move", sa.Integer, primary_key=True),
)
_snapshots = sa.Table(
    "snapshots",
    _tables,
    sa.Column("move", sa.Integer, primary_key=True),
    sa.Column("state", sa.LargeBinary, nullable=False),
)

_encode = msgspec.json.Encoder().encode
_command = msgspec.json.Decoder(AnyCommand)
_numbers = msgspec.json.Decoder(tuple[int, ...])
_whys = msgspec.json.Decoder(tuple[Why, ...])


class SqlJournal:
    """A journal in a database. Only moves that are asked for are read."""

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self._engine = engine
        self._name = name
        self._states: OrderedDict[int, State] = OrderedDict()
        self._recent: OrderedDict[int, Move] = OrderedDict()
        with self._reading() as db:
            meta: dict[str, str] = {row.key: row.value for row in db.execute(sa.select(_meta))}
            last = db.execute(sa.select(sa.func.max(_moves.c.id))).scalar() or 0
        self._seed = self._number(meta.get("seed", ""), "seed")
        # The moves up to this one were written in the first format; they stay so, and are told anew when read.
        self._first_until = last if meta["format"] == FIRST else self._number(meta.get(FIRST, "0"), FIRST)
        self._written_anew = meta["format"] != FIRST

    def _number(self, text: str, what: str) -> int:
        if not text.lstrip("-").isdigit():
            raise WarCabinetError(f"{self._name} is damaged: its {what} is {text!r}")
        return int(text)

    @contextmanager
    def _reading(self) -> Iterator[sa.Connection]:
        try:
            with self._engine.connect() as db:
                yield db
        except (sa.exc.DatabaseError, sa.exc.NoResultFound, msgspec.MsgspecError) as error:
            raise WarCabinetError(f"{self._name} is damaged and cannot be read: {_first_line(error)}") from None

    def append(self, move: Move, state: State) -> None:
        """Write a move in one transaction; another writer's move in between is a conflict, and nothing is written."""
        self.append_all([(move, state)])

    def append_all(self, lines: Iterable[tuple[Move, State]]) -> None:
        """Write several moves in one transaction: all of them, or none."""
        written = list(lines)
        try:
            with self._engine.begin() as db:
                for move, state in written:
                    self._write(db, move, state)
        except sa.exc.IntegrityError:
            raise Conflict(f"someone else has moved in {self._name} meanwhile: load it again") from None
        except sa.exc.OperationalError as error:
            raise WarCabinetError(f"{self._name} cannot be written: {_first_line(error)}") from None
        self._written_anew = True
        for move, state in written:
            self._keep(self._recent, move.id, move)
            self._keep(self._states, move.at, state)

    def _write(self, db: sa.Connection, move: Move, state: State) -> None:
        if not self._written_anew:
            self._begin_anew(db, move, state)
        depth = self._depth_after(db, move)
        row = _row(move)
        digest = _digest(self._digest_of(db, move.id - 1), row)
        db.execute(_moves.insert(), {**row, "depth": depth, "digest": digest})
        accounts = {account for record in move.records for account in accounts_of(record)}
        if accounts:
            db.execute(_postings.insert(), [{"account": a, "move": move.id} for a in sorted(accounts)])
        if depth == 0 and move.at == move.id:
            db.execute(_snapshots.insert(), {"move": move.id, "state": encode(state)})

    def _begin_anew(self, db: sa.Connection, move: Move, state: State) -> None:
        """From now on the file is of today's format: what stood in it is marked as older, its snapshots go."""
        db.execute(_meta.update().where(_meta.c.key == "format").values(value=FORMAT))
        db.execute(_meta.insert(), {"key": FIRST, "value": str(self._first_until)})
        db.execute(_snapshots.delete())
        before = move.before if move.at == move.id else move.at
        kept = self._states.get(before) if move.at == move.id else state
        if kept is not None:
            db.execute(_snapshots.insert(), {"move": before, "state": encode(kept)})

    def _digest_of(self, db: sa.Connection, id: int) -> str:
        return str(db.execute(sa.select(_moves.c.digest).where(_moves.c.id == id)).scalar() or "")

    def _depth_after(self, db: sa.Connection, move: Move) -> int:
        """Events since the last snapshot on this line of moves; a snapshot is taken when they become many."""
        if move.at != move.id or move.id == 1:
            return 0
        before = db.execute(sa.select(_moves.c.depth).where(_moves.c.id == move.before)).scalar_one()
        depth = int(before) + len(move.records)
        return 0 if depth >= SNAPSHOT_EVERY else depth

    def _keep(self, kept: OrderedDict[int, Any], id: int, what: Any) -> None:
        kept[id] = what
        kept.move_to_end(id)
        while len(kept) > STATES_KEPT:
            kept.popitem(last=False)

    def move(self, id: int) -> Move:
        found = self._recent.get(id)
        if found is None:
            with self._reading() as db:
                found = self._move(db.execute(sa.select(_moves).where(_moves.c.id == id)).one())
            self._keep(self._recent, id, found)
        return found

    def last(self) -> Move:
        with self._reading() as db:
            return self._move(db.execute(sa.select(_moves).order_by(_moves.c.id.desc()).limit(1)).one())

    def state_at(self, id: int) -> State:
        """The state after a move: from memory, or replayed from the nearest snapshot before it."""
        todo: list[Move] = []
        at = id
        state = self._stored(at)
        while state is None:
            todo.append(self.move(at))
            at = todo[-1].before
            state = blank() if at == 0 else self._stored(at)
        for move in reversed(todo):
            state = replayed(state, move.records)
        self._keep(self._states, id, state)
        return state

    def _stored(self, id: int) -> State | None:
        if id in self._states:
            return self._states[id]
        if not self._written_anew:
            return None
        with self._reading() as db:
            found = db.execute(sa.select(_snapshots.c.state).where(_snapshots.c.move == id)).scalar()
            return None if found is None else decode(found)

    def moves(self, first: int, last: int) -> Iterator[Move]:
        query = sa.select(_moves).where(_moves.c.id.between(first, last)).order_by(_moves.c.id)
        with self._reading() as db:
            for row in db.execute(query):
                yield self._move(row)

    def moves_posting_to(self, account: str) -> Iterator[Move]:
        query = (
            sa.select(_moves)
            .join(_postings, _postings.c.move == _moves.c.id)
            .where(_postings.c.account == account)
            .order_by(_moves.c.id)
        )
        with self._reading() as db:
            for row in db.execute(query):
                yield self._move(row)

    def befores(self) -> dict[int, int]:
        """For every move the one whose state it started from, without reading the moves themselves."""
        with self._reading() as db:
            return {row.id: row.before for row in db.execute(sa.select(_moves.c.id, _moves.c.before))}

    def _move(self, row: Any) -> Move:
        return _move(row, FIRST if row.id <= self._first_until else FORMAT)

    def seed(self) -> int:
        return self._seed

    def faults(self) -> list[str]:
        """What is wrong with the file: moves that were changed after they were written, or damage to the database."""
        return [*self._changed_moves(), *self._damage()]

    def _changed_moves(self) -> Iterator[str]:
        digest, last = "", 0
        with self._reading() as db:
            for row in db.execute(sa.select(_moves).order_by(_moves.c.id)).mappings():
                digest = _digest(digest, {key: row[key] for key in _ROW})
                if digest != row["digest"] or row["id"] != last + 1:
                    yield f"move {row['id']}: it, or one before it, was changed after it was written"
                    return
                last = row["id"]

    def _damage(self) -> list[str]:
        if self._engine.dialect.name != "sqlite":
            return []
        with self._reading() as db:
            found = [str(row[0]) for row in db.execute(sa.text("PRAGMA integrity_check"))]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        self._engine.dispose()


def _row(move: Move) -> dict[str, Any]:
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
    }


_ROW = tuple(column.name for column in _moves.columns if column.name not in ("depth", "digest"))


def _digest(before: str, row: dict[str, Any]) -> str:
    """A move's mark: it rests on the mark before it, so no line can be altered or left out unnoticed."""
    marked = hashlib.sha256(before.encode())
    for name in _ROW:
        value = row[name]
        told = value if isinstance(value, bytes) else b"" if value is None else str(value).encode()
        marked.update(len(told).to_bytes(8, "big") + told)
    return marked.hexdigest()


def _move(row: Any, format: str) -> Move:
    return Move(
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
    )


def _first_line(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def database(place: str | Path) -> tuple[sa.Engine, str]:
    """The database behind a file name or URL, and what to call it in messages."""
    text = str(place)
    if "://" in text:
        try:
            return sa.create_engine(text), sa.make_url(text).render_as_string(hide_password=True)
        except (sa.exc.ArgumentError, ModuleNotFoundError) as error:
            raise WarCabinetError(
                f"no such database: {_first_line(error)}; PostgreSQL needs: pip install 'warcabinet[postgres]'"
            ) from None
    engine = sa.create_engine(f"sqlite:///{Path(text).as_posix()}")
    sa.event.listen(engine, "connect", _durable)
    return engine, Path(text).name


def _durable(connection: Any, _record: Any) -> None:
    """A move is on the disk before it is acknowledged."""
    connection.execute("PRAGMA synchronous=FULL")


def refuse_taken(place: str | Path) -> None:
    """Refuse a place where no new game can be put: a file that is there already, a folder that is not."""
    if "://" in str(place):
        return
    if Path(place).exists():
        raise WarCabinetError(f"{place} exists already; choose another name or remove it")
    if not Path(place).resolve().parent.is_dir():
        raise WarCabinetError(f"there is no folder {Path(place).resolve().parent}")


def create_tables(place: str | Path, seed: int) -> SqlJournal:
    """An empty journal at a new place; a file that is there already is left alone."""
    refuse_taken(place)
    engine, name = database(place)
    with engine.begin() as db:
        if sa.inspect(db).has_table("moves"):
            raise WarCabinetError(f"{name} holds a game already")
        _tables.create_all(db)
        db.execute(_meta.insert(), [{"key": "format", "value": FORMAT}, {"key": "seed", "value": str(seed)}])
    return SqlJournal(engine, name)


def create_game(place: str | Path, position: Position | str = "classic-1939", *, seed: int = 0) -> Game:
    """Start a game in a file from a scenario's name or a position."""
    given = Position(position) if isinstance(position, str) else position
    # A position that cannot be set up must not leave a file behind.
    from warcabinet.figures.position import set_up

    set_up(given)
    return new_game(given, create_tables(place, seed))


def open_game(place: str | Path) -> Game:
    """Load a game from its file or database URL."""
    if "://" not in str(place):
        _check_file(Path(place))
    engine, name = database(place)
    try:
        with engine.connect() as db:
            found = db.execute(sa.select(_meta.c.value).where(_meta.c.key == "format")).scalar()
    except sa.exc.DatabaseError as error:
        unreached = "://" in str(place) and isinstance(error, sa.exc.OperationalError)
        what = "cannot be reached" if unreached else "is not a War Cabinet game"
        raise WarCabinetError(f"{name} {what}: {_first_line(error)}") from None
    check_format(found, name)
    return Game(SqlJournal(engine, name))


def _check_file(path: Path) -> None:
    """Refuse what cannot be a save before a database driver stumbles over it."""
    if path.is_dir():
        raise WarCabinetError(f"{path} is a folder; name the file of a game")
    if not path.is_file():
        raise WarCabinetError(f"there is no game at {path}; start one with: warcabinet new {path}")
    with path.open("rb") as file:
        head = file.read(100)
    if not head.startswith(b"SQLite format 3\0"):
        raise WarCabinetError(f"{path.name} is not a War Cabinet game: it is not an SQLite file")
    page = int.from_bytes(head[16:18], "big") or 1
    page = 65536 if page == 1 else page
    wanted = page * int.from_bytes(head[28:32], "big")
    if path.stat().st_size < wanted:
        raise WarCabinetError(
            f"{path.name} is cut short: {path.stat().st_size} of {wanted} bytes; restore it from a copy"
        )
