"""Games of earlier formats: their events told in today's types. What was written is never changed, only read anew.

`warcabinet-1` (release 0.1.0) had accounts and pieces as paths (`piece/germany/at/europe/K28/armor 4-6`), and promises
whose matter was a text.
"""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import msgspec

from warcabinet.game.engine import GameRecord
from warcabinet.game.journal import Move
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.accounts import account_named
from warcabinet.model.agenda import Arrival, Caught, Deferment, Joined, Matter, OfArea, Promise
from warcabinet.model.commands import as_called_today
from warcabinet.model.events import UnitsMoved
from warcabinet.model.names import StatusName
from warcabinet.model.pieces import OUT_OF_PLAY, piece_named
from warcabinet.model.reading import as_read

FORMAT = "warcabinet-3"
SECOND = "warcabinet-2"
FIRST = "warcabinet-1"
READABLE = (FIRST, SECOND, FORMAT)


@cache
def _reader(kind: Any) -> msgspec.json.Decoder[Any]:
    """What reads a type, made when something of it is read first: most programs read few of them."""
    return msgspec.json.Decoder(kind)


def check_format(found: str | None, name: str) -> None:
    """Refuse what is older or newer than can be read."""
    if found not in READABLE:
        raise WarCabinetError(f"{name} has the format {found}; this version reads {', '.join(READABLE)}")


def read_records(data: bytes, format: str) -> tuple[GameRecord, ...]:
    """The records of a move as they were stored in a format."""
    if format != FIRST:
        return cast(tuple[GameRecord, ...], _reader(tuple[GameRecord, ...]).decode(data))
    return msgspec.convert(_upcast(msgspec.json.decode(data)), tuple[GameRecord, ...])


def read_move(line: str, format: str) -> Move:
    """A line of an export in a format."""
    if format != FIRST:
        return _today(_reader(Move).decode(line))
    raw = msgspec.json.decode(line, type=dict[str, Any])
    return _today(msgspec.convert({**raw, "records": _upcast(raw.get("records", []))}, Move))


def _today(move: Move) -> Move:
    """A move with its command as it is called and read today."""
    if move.command is None:
        return move
    return msgspec.structs.replace(move, command=as_read(as_called_today(move.command)))


def _upcast(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**record, "event": _event(record["event"])} for record in records]


def _event(event: dict[str, Any]) -> dict[str, Any]:
    match event["event"]:
        case "EntryPosted":
            return _entry(event)
        case "Promised":
            return {**event, "promise": _promise(event["promise"])}
        case "Closed":
            return {**event, "id": _number(event["id"])}
    return event


def _entry(event: dict[str, Any]) -> dict[str, Any]:
    """Points stay an entry between accounts; pieces that went from one account to another are units that moved."""
    entry = event["entry"]
    postings = [(account, amount) for account, amount in entry["postings"]]
    if not postings[0][0].startswith("piece/"):
        typed = [[msgspec.to_builtins(account_named(account)), amount] for account, amount in postings]
        return {**event, "entry": {**entry, "postings": typed}}
    (first, amount), (second, _) = postings
    to, origin = (first, second) if amount >= 0 else (second, first)
    # The world outside was one account for all: whose units, and which, the other one says.
    nation, _, unit = piece_named(first if second == _WORLD else second)
    left, went = (OUT_OF_PLAY if it == _WORLD else piece_named(it)[1] for it in (origin, to))
    moved = UnitsMoved(nation, unit, abs(amount), left, went, entry["memo"])
    return dict(msgspec.to_builtins(moved))


_WORLD = "piece/world"


def _number(id: str) -> int:
    return int(id.removeprefix("P"))


def _promise(old: dict[str, Any]) -> dict[str, Any]:
    made = Promise(
        _number(old["id"]),
        old["due"],
        old["effect"],
        old["clause"],
        old["opened"],
        old.get("power", ""),
        _matter(old["effect"], old.get("about", ""), old.get("note", "")),
        old.get("brp", 0),
    )
    return dict(msgspec.to_builtins(made))


def _matter(effect: str, about: str, note: str) -> Matter:
    """What a promise is about, from the texts that it had."""
    match effect:
        case "enter_force_pool":
            return Arrival(calendar.parse_turn(about))
        case "deferred_lapse":
            turn, _, mobilization = about.partition(", mobilization ")
            return Deferment(calendar.parse_turn(turn), mobilization)
        case "grace_ends":
            return Caught(about, note)
        case "negate_activation" | "negate_following":
            status, by, had, paid = note.split(":")
            was = msgspec.convert(status, StatusName)
            return Joined(about, was, by, None if had == "kept" else int(had), int(paid))
    return OfArea(about, retaken=note == "retaken for its side")
