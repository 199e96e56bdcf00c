"""The API of sealed orders: begin a round, seal, open together, call off."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.game.engine import as_command
from warcabinet.model.commands import AnyCommand
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.web.api.api_hall import say_to_all
from warcabinet.web.api.api_play import in_name, tell_moves, try_all
from warcabinet.web.hall.rights import Sitter, may_play
from warcabinet.web.hall.sealed_book import Round
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.table.sealed_rounds import (
    Contents,
    Opened,
    SealedRound,
    contents,
    enveloped,
    open_all,
    outcome_seen,
    round_seen,
)
from warcabinet.web.turns.battles import keep_for_battle
from warcabinet.web.turns.confirming import keep_for_confirmation

T = "/tables/{table}"


class SealedHere(msgspec.Struct, frozen=True):
    """The round under way, or the last one opened, and what you sealed yourself, by seat."""

    round: SealedRound | None
    mine: dict[str, Contents]
    #: What was in the envelopes, once they are opened.
    outcome: tuple[Opened, ...]


@endpoint("GET", T + "/sealed", "Sealed orders: who has sealed, your own envelopes, and what was opened")
def sealed(ask: Ask[None, None]) -> SealedHere:
    return _sealed_here(ask)


def _sealed_here(ask: AnyAsk) -> SealedHere:
    hall = ask.server.hall
    found = hall.sealed.open_round(ask.id)
    own = {seat.id for seat in ask.sitter.seats}
    # Whoever takes over a seat does not inherit what their predecessor thought.
    kept = hall.sealed.envelopes(found.id) if found else {}
    mine = {seat: contents(it) for seat, it in kept.items() if seat in own and it.person == ask.sitter.person.id}
    return SealedHere(round_seen(ask), mine, outcome_seen(ask))


class NewRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is chosen, and by which seats; none named: by every seat that plays."""

    title: Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
    seats: Annotated[tuple[str, ...], Meta(max_length=8)] = ()


@endpoint("POST", T + "/sealed", "Ask seats for sealed orders, to be opened together", status=201, programs=False)
def begin_sealed(ask: Ask[None, NewRound]) -> SealedHere:
    may_play(ask.sitter)
    hall = ask.server.hall
    there = hall.sitters(ask.id)
    players = [seat.id for seat in hall.seats(ask.id) if seat.role == "player" and there.get(seat.id)]
    wanted = [seat for seat in players if not ask.body.seats or seat in ask.body.seats]
    if set(ask.body.seats) - set(wanted):
        raise Problem(400, "sealed orders are asked of seats in which somebody plays")
    if len(wanted) < 2:
        raise Problem(409, "it takes two seats to choose at once")
    hall.sealed.begin_round(ask.id, ask.body.title.strip(), {it: [person.id for person in there[it]] for it in wanted})
    say_to_all(ask, ask.id, f"{ask.sitter.person.name} asks for sealed orders: {ask.body.title.strip()}")
    _news(ask)
    return _sealed_here(ask)


class Seal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat chooses: orders, words for what is no order, or nothing at all."""

    round: Annotated[int, Meta(ge=0, le=2**53)]
    seat: str
    orders: Annotated[tuple[AnyCommand, ...], Meta(max_length=30)] = ()
    words: Annotated[str, Meta(max_length=2000)] = ""


@endpoint("PUT", T + "/sealed", "Seal what your seat chooses; when all have, all are opened")
def seal(ask: Ask[None, Seal]) -> SealedHere:
    with ask.table() as table:
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        found = _under_way(ask)
        if ask.body.seat not in found.seats or ask.body.seat not in {seat.id for seat in ask.sitter.players}:
            raise forbidden("your sealed orders are not asked for")
        orders = tuple(_in_seat(ask.sitter, table, ask.body.seat, it) for it in ask.body.orders)
        try_all(table.game, list(orders))
        envelope = enveloped(ask.body.seat, ask.sitter.person.id, orders, ask.body.words.strip())
        ask.server.hall.sealed.seal(found, envelope)
        if set(ask.server.hall.sealed.envelopes(found.id)) >= set(found.seats):
            _open(ask, table, found)
    _news(ask)
    return _sealed_here(ask)


def _in_seat(sitter: Sitter, table: Table, seat: str, given: Command) -> Command:
    """An order of this very seat: nobody seals what is another's."""
    command = as_command(given)
    if isinstance(command, Advance):
        raise Problem(400, "going on is not sealed: it is the same for everybody")
    named = in_name(sitter, table.game.state, replace(command, seat=seat))
    if named.seat != seat:
        raise forbidden("this order is not of the seat that seals it")
    return named


class Which(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    round: Annotated[int, Meta(ge=0, le=2**53)]


@endpoint("POST", T + "/sealed/open", "The host opens what was sealed, though some have not", programs=False)
def open_sealed(ask: Ask[None, Which]) -> SealedHere:
    _presides(ask)
    with ask.table() as table:
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        found = _under_way(ask)
        asked = {
            seat for seat, people in ask.server.hall.sealed.asked(found.id).items() if ask.sitter.person.id in people
        }
        mine = (asked | {seat.id for seat in ask.sitter.players}) & set(found.seats)
        if mine - ask.server.hall.sealed.envelopes(found.id).keys():
            raise Problem(409, "seal your own orders first: nobody chooses after having seen the others'")
        _open(ask, table, found)
    _news(ask)
    return _sealed_here(ask)


@endpoint("POST", T + "/sealed/call-off", "The host calls a round off; nobody learns what was sealed", programs=False)
def call_off_sealed(ask: Ask[None, Which]) -> SealedHere:
    _presides(ask)
    found = _under_way(ask)
    ask.server.hall.sealed.end_round(found.id, "")
    say_to_all(ask, ask.id, f"{ask.sitter.person.name} called off the sealed orders: {found.title}")
    _news(ask)
    return _sealed_here(ask)


def _presides(ask: AnyAsk) -> None:
    if not ask.sitter.host and ask.sitter.referee is None:
        raise forbidden("the host or the referee opens a round early, or calls it off")


def _under_way(ask: Ask[None, Seal | Which]) -> Round:
    found = ask.server.hall.sealed.open_round(ask.id)
    if found is None or found.id != ask.body.round:
        raise Problem(409, "this round is over: look again")
    return found


def _open(ask: AnyAsk, table: Table, found: Round) -> None:
    moves = open_all(ask, table, found, lambda seat, command: replace(command, seat=seat))
    if moves:
        tell_moves(ask, table, moves)
    say_to_all(ask, ask.id, f"The sealed orders were opened: {found.title}")


def _news(ask: AnyAsk) -> None:
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    ask.server.herald.moved(ask.id, ask.sitter.person.id)
