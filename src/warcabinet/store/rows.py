"""A move, a state and a seed as they stand in the rows of a game's tables."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from warcabinet.game.journal import Move
from warcabinet.game.throws import Seed
from warcabinet.kernel.why import Why
from warcabinet.model.commands import as_called_today, name_of
from warcabinet.model.commands.base import Command, registered
from warcabinet.model.reading import as_read
from warcabinet.model.state import State, decode
from warcabinet.store.tables import snapshot_mark
from warcabinet.store.upcast import read_records

_encode = msgspec.json.Encoder().encode
_numbers = msgspec.json.Decoder(tuple[int, ...])
_whys = msgspec.json.Decoder(tuple[Why, ...])


class _Named(msgspec.Struct, frozen=True):
    do: str


_named = msgspec.json.Decoder(_Named)


@cache
def _readers() -> dict[str, type[Command]]:
    return {name_of(kind): kind for kind in registered()}


def _command(data: bytes) -> Command:
    """A command that was stored, by its name: the types of all others need not be looked into for it."""
    kind = _readers().get(_named.decode(data).do)
    if kind is None:
        raise ValueError("there is no such command")
    return msgspec.json.decode(data, type=kind)


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
        command=None if row.command is None else as_read(as_called_today(_command(row.command))),
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


#: In a row, of a seed that was revealed and has thrown nothing since; 1 is one of which that is not known.
SPENT = 2


def seed_row(seed: Seed) -> dict[str, Any]:
    revealed = SPENT if seed.spent else int(seed.revealed)
    return {"first": seed.first, "commitment": seed.commitment, "secret": seed.secret, "revealed": revealed}


def seed_of_row(row: Any) -> Seed:
    return Seed(row.first, row.commitment, row.secret, bool(row.revealed), row.revealed == SPENT)
