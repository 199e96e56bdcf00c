"""Sealed orders: where several seats choose at once, each gives its orders in an envelope, and all are opened together.

What is in an envelope is in the hall, not in the game: no view, log, save, copy or stream can hold it. The orders are
judged when they are sealed, and given, one seat after the other, when they are opened; what the orders of another seat
made impossible meanwhile is told with its reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from warcabinet.game import Conflict, Refused, Undecidable
from warcabinet.game.journal import Move
from warcabinet.model.commands import AnyCommand
from warcabinet.model.commands.base import Command
from warcabinet.web.hall.sealed_book import Envelope, Round
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.order_words import command_words
from warcabinet.web.table.endpoints import AnyAsk


class Contents(msgspec.Struct, frozen=True):
    """What a seat chose: orders, and words for what is no order."""

    orders: tuple[AnyCommand, ...] = ()
    words: str = ""


class OpenedOrder(msgspec.Struct, frozen=True):
    """An order out of an envelope: the move that it became, or why it did not."""

    text: str
    move: int
    refused: tuple[str, ...] = ()


class Opened(msgspec.Struct, frozen=True):
    """What was in the envelope of one seat, and what came of it."""

    seat: str
    title: str
    sealed: bool
    words: str
    orders: tuple[OpenedOrder, ...]


class SealedSeat(msgspec.Struct, frozen=True):
    seat: str
    title: str
    sealed: bool
    mine: bool


class SealedRound(msgspec.Struct, frozen=True):
    """A round as everybody sees it: who has sealed, never what."""

    id: int
    title: str
    seats: tuple[SealedSeat, ...]
    made: float
    #: When it was opened; 0: it is sealed.
    opened: float


def round_seen(ask: AnyAsk) -> SealedRound | None:
    hall = ask.server.hall
    found = hall.sealed.last_round(ask.sitter.table.id)
    if found is None:
        return None
    there = set(hall.sealed.envelopes(found.id)) | {it.seat for it in _outcome(found) if it.sealed}
    chairs = {seat.id: seat for seat in hall.seats(found.table)}
    mine = {seat.id for seat in ask.sitter.seats}
    seats = tuple(SealedSeat(it, chairs[it].title, it in there, it in mine) for it in found.seats if it in chairs)
    return SealedRound(found.id, found.title, seats, found.made, found.opened)


def outcome_seen(ask: AnyAsk) -> tuple[Opened, ...]:
    """What was in the envelopes of the last round, once they are opened."""
    found = ask.server.hall.sealed.last_round(ask.sitter.table.id)
    return _outcome(found) if found is not None else ()


def _outcome(found: Round) -> tuple[Opened, ...]:
    return msgspec.json.decode(found.outcome, type=tuple[Opened, ...]) if found.outcome else ()


def contents(envelope: Envelope) -> Contents:
    return Contents(msgspec.json.decode(envelope.orders, type=tuple[AnyCommand, ...]), envelope.words)


def enveloped(seat: str, person: str, orders: tuple[Command, ...], words: str) -> Envelope:
    return Envelope(seat, person, msgspec.json.encode(orders).decode(), words)


def open_all(ask: AnyAsk, table: Table, round_: Round, named: Callable[[str, Command], Command]) -> list[Move]:
    """Open every envelope: the orders of one seat after those of the other. Opened twice, each is given once."""
    hall = ask.server.hall
    kept = hall.sealed.envelopes(round_.id)
    chairs = {seat.id: seat.title for seat in hall.seats(round_.table)}
    moves: list[Move] = []
    outcome: list[Opened] = []
    for seat in round_.seats:
        envelope = kept.get(seat)
        found = contents(envelope) if envelope else Contents()
        orders = []
        for number, command in enumerate(found.orders):
            batch = moves[-1].batch if moves and moves[-1].id == table.game.head.id else 0
            told, move = _given(ask, table, named(seat, command), batch, f"sealed-{round_.id}-{seat}-{number}")
            orders.append(told)
            moves += [move] if move else []
        outcome.append(Opened(seat, chairs.get(seat, seat), envelope is not None, found.words, tuple(orders)))
    hall.sealed.end_round(round_.id, msgspec.json.encode(outcome).decode())
    return moves


def _given(
    ask: AnyAsk, table: Table, command: Any, batch: int, key: str, again: bool = False
) -> tuple[OpenedOrder, Move | None]:
    text = command_words(command)
    before = table.game.journal.keyed(key)
    if before is not None:
        return OpenedOrder(text, before.id), None
    try:
        move = table.game.do(command, batch=batch, key=key)
    except Refused as refusal:
        return OpenedOrder(text, 0, tuple(f"{it.text} ({it.clause})" for it in refusal.refusals)), None
    except Undecidable as question:
        return OpenedOrder(text, 0, (str(question),)), None
    except Conflict:
        # Another process moved, or opens the same envelopes: what it gave is found by its key.
        if again:
            raise
        ask.server.tables.look(table)
        return _given(ask, table, command, 0, key, again=True)
    return OpenedOrder(text, move.id), move
