"""The table as one sitter sees it, whole or as what changed since the sitter last looked.

A view carries a mark: the move it shows and a seal over whom it was made for. A page that names its mark receives
what changed; where the seal does not fit any more (other seats, a server that was started anew), it receives the
whole view.
"""

from __future__ import annotations

import hashlib
import secrets
from functools import cache
from typing import Any

import msgspec

from warcabinet.game.offers import Offer
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.schema import Role
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.hall.whose_move import Kind, Waits, whose_move
from warcabinet.web.map.marched import Marched, Way, marched, ways_so_far
from warcabinet.web.orders.log_lines import MoveLine, log_since
from warcabinet.web.orders.offer_list import offer_list, offered
from warcabinet.web.sheets.position_changes import PositionChanges, changes
from warcabinet.web.sheets.position_view import PositionView, position
from warcabinet.web.table.endpoints import AnyAsk
from warcabinet.web.table.minders import showing
from warcabinet.web.table.sealed_rounds import SealedRound, round_seen
from warcabinet.web.turns.away import away_since, catching_up
from warcabinet.web.turns.battle_view import BattleView, battle_seen
from warcabinet.web.turns.confirming import YearStartStand, stand_now
from warcabinet.web.turns.moments import MomentStand, moments_at
from warcabinet.web.turns.open_turns import open_at
from warcabinet.web.turns.readiness import PhaseReady, ready_at
from warcabinet.web.turns.replays import watching
from warcabinet.web.turns.undoing import UndoOutlook, outlook
from warcabinet.web.turns.words_of_turn import turn_words

#: Another run of the server may draw positions otherwise: what it drew before is not the base of anything.
#: The processes of one server are one run: they are forked from one that has read this.
RUN = secrets.token_hex(8)


class TableFacts(msgspec.Struct, frozen=True):
    """The table as the hall lists it, and whether the reader hosts it."""

    id: str
    title: str
    scenario: str
    host: bool
    made: float
    parent: str
    parent_move: int
    reports: str


class OwnSeat(msgspec.Struct, frozen=True):
    id: str
    title: str
    role: Role
    powers: tuple[str, ...]
    #: Whether phases pass by themselves in which it has nothing to decide.
    passing: bool


class Me(msgspec.Struct, frozen=True):
    """The reader's own place at the table."""

    name: str
    host: bool
    seats: tuple[OwnSeat, ...]
    powers: tuple[str, ...]
    player: bool
    referee: bool


class SeatLine(msgspec.Struct, frozen=True):
    """A chair and who sits in it."""

    id: str
    title: str
    role: Role
    powers: tuple[str, ...]
    people: tuple[str, ...]
    mine: bool
    #: Its powers that stewards or standing orders mind.
    stewards: tuple[str, ...]
    #: Who of them reads what happened while they were away.
    catching_up: tuple[str, ...] = ()


class SeatWaits(msgspec.Struct, frozen=True):
    """A seat that must decide, and what for."""

    seat: str
    kind: Kind
    text: str
    mine: bool


class TableHead(msgspec.Struct, frozen=True, kw_only=True):
    """What is around the position: the table, the people, where the game is, whose move, and what can be undone."""

    table: TableFacts
    me: Me
    seats: tuple[SeatLine, ...]
    head: int
    seq: int
    undo: UndoOutlook
    #: Whose move it is now.
    waiting: tuple[SeatWaits, ...]
    #: The round of sealed orders under way, or the last one that was opened.
    sealed: SealedRound | None
    #: The year start that stands before the table, while no order has been given since.
    year_start: YearStartStand | None
    #: The powers whose steward has orders to show; whoever holds them, or the host where nobody does, gives them.
    showing: tuple[str, ...]
    #: Who is ready to close the phase, of the side whose player turn it is.
    ready: PhaseReady | None
    #: The battle under way.
    battle: BattleView | None
    #: Others gave orders since this move while the reader was away for an hour or more; 0: nothing to catch up with.
    away: int
    #: Great moments that stand before the table.
    moments: tuple[MomentStand, ...]
    #: Marches of this phase through an enemy's empty hexes: taken where the group says so.
    marched: tuple[Marched, ...]
    #: Whether people outside may read replays by a link.
    watching: bool
    #: Names this view; send it as `since` to receive only what changes.
    mark: str


class TableView(TableHead, frozen=True, kw_only=True):
    """The table as this seat may see it, after one move."""

    position: PositionView


class TableUpdate(TableHead, frozen=True, kw_only=True):
    """What changed since a view: either `changes` of the position, or all of it where the mark is not known."""

    changes: PositionChanges | None
    position: PositionView | None
    #: New lines of the log, and those that were undone or redone; null where the page must ask for its log anew.
    log: tuple[MoveLine, ...] | None


def table_view(ask: AnyAsk, table: Table, at: int | None) -> TableView:
    return TableView(**_head(ask, table, at), position=shown(table, ask.sitter, at))


def table_update(ask: AnyAsk, table: Table, since: str, at: int | None = None) -> TableUpdate:
    """What changed for this sitter since a view."""
    head = _head(ask, table, at)
    new = shown(table, ask.sitter, at)
    base = _known(table, ask.sitter, since)
    if base is None:
        return TableUpdate(**head, changes=None, position=new, log=None)
    move, live = base
    old = _position(table, ask.sitter, move, live)
    follows = live and (at is None or at >= table.game.head.id)
    log = tuple(log_since(table.game, table.game.journal.move(move))) if follows else None
    return TableUpdate(**head, changes=changes(old, new), position=None, log=log)


def shown(table: Table, sitter: Sitter, at: int | None) -> PositionView:
    """The position at a move with what this sitter can do there: nothing, where it is the past."""
    move, _ = table.moment(at)
    return _position(table, sitter, move.id, live=move.id == table.game.head.id)


def offers_of(table: Table, sitter: Sitter, move: int) -> list[Offer]:
    """What this sitter could ask for when a move was the latest, made once for all who see the same."""
    key = ("offered", move, *_roles(sitter))
    return table.once(key, lambda: offered(table.moment(move)[1], sitter))


def _position(table: Table, sitter: Sitter, move: int, live: bool) -> PositionView:
    """The position after a move, made once for all who see the same."""

    def make() -> PositionView:
        _, state = table.moment(move)
        lines = offer_list(state, offers_of(table, sitter, move)) if live else ()
        return position(state, sitter, move, lines)

    return table.once(("position", move, live, *_roles(sitter)), make)


def _roles(sitter: Sitter) -> tuple[object, ...]:
    """All of a sitter that decides what the position looks like."""
    return sitter.powers, sitter.referee is not None, bool(sitter.players), sitter.table.reports


def _mark(sitter: Sitter, move: int, live: bool) -> str:
    return f"{move}-{'now' if live else 'then'}-{_seal(repr(_roles(sitter)))}"


@cache
def _seal(roles: str) -> str:
    """Stands for whom a view was made and by which run of the server."""
    return hashlib.sha256(f"{RUN} {roles}".encode()).hexdigest()[:12]


def _known(table: Table, sitter: Sitter, mark: str) -> tuple[int, bool] | None:
    """The move that a mark names and whether it was the latest then, if the view can be made again."""
    move, _, rest = mark.partition("-")
    live = rest.startswith("now-")
    if not move.isascii() or not move.isdigit() or len(move) > 9 or not 1 <= int(move) <= table.game.head.id:
        return None
    return (int(move), live) if mark == _mark(sitter, int(move), live) else None


def _ways(table: Table) -> tuple[Way, ...]:
    """The marches of the phase: one more than at the move before, of which they are kept."""
    at = table.game.head.at
    before = table.kept.get(("ways", table.journal.move(at).before))
    return table.once(("ways", at), lambda: ways_so_far(table.game, before))


def _head(ask: AnyAsk, table: Table, at: int | None) -> dict[str, Any]:
    head, row = table.game.head, ask.sitter.table
    move, _ = table.moment(at)
    return {
        "table": TableFacts(
            row.id, row.title, row.scenario, ask.sitter.host, row.made, row.parent, row.parent_move, row.reports
        ),
        "me": _me(ask.sitter, ask.server.hall.passing(row.id)),
        "seats": _seats(ask),
        "head": head.id,
        "seq": head.seq,
        "undo": outlook(ask.server.hall, table, ask.sitter),
        "waiting": waiting_now(ask, table),
        "sealed": round_seen(ask),
        "showing": _showing(ask, table),
        "ready": ready_at(ask.server.hall, table, ask.sitter),
        "battle": battle_seen(ask.server.hall, table, ask.sitter),
        "away": away_since(ask.server.hall, table, ask.sitter),
        "moments": moments_at(ask.server.hall, table, ask.sitter),
        "watching": watching(ask.server.hall, row.id),
        "marched": table.once(("marched", head.id), lambda: marched(table.game.state, _ways(table))),
        "year_start": stand_now(ask.server.hall, table, ask.sitter),
        "mark": _mark(ask.sitter, move.id, move.id == head.id),
    }


def _showing(ask: AnyAsk, table: Table) -> tuple[str, ...]:
    """What this reader is shown: orders for the own powers, to the host those of powers in whose seat nobody sits."""
    hall = ask.server.hall
    sitting = hall.sitters(table.id)
    empty = {it for seat in hall.seats(table.id) if not sitting.get(seat.id) for it in seat.powers}
    mine = {*ask.sitter.powers, *(empty if ask.sitter.host else ())}
    return tuple(it for it in showing(hall, table) if it in mine) if mine else ()


def waiting_now(ask: AnyAsk, table: Table) -> tuple[SeatWaits, ...]:
    """The seats that must decide, and whether they are the reader's."""
    hall, game = ask.server.hall, table.game
    open_ = open_at(hall, table)

    def make() -> tuple[Waits, ...]:
        return whose_move(game.state, hall.seats(table.id), open_)

    mine = {seat.id for seat in ask.sitter.seats}
    found = table.once(("waits", game.head.id, open_), make)
    return tuple(SeatWaits(it.seat, it.kind, turn_words(it.kind, it.text), it.seat in mine) for it in found)


def _me(sitter: Sitter, passing: set[str]) -> Me:
    return Me(
        name=sitter.person.name,
        host=sitter.host,
        seats=tuple(OwnSeat(s.id, s.title, s.role, s.powers, s.id in passing) for s in sitter.seats),
        powers=sitter.powers,
        player=bool(sitter.players),
        referee=sitter.referee is not None,
    )


def _seats(ask: AnyAsk) -> tuple[SeatLine, ...]:
    sitters = ask.server.hall.sitters(ask.sitter.table.id)
    minded = {it.power for it in ask.server.hall.minders.at(ask.sitter.table.id)}
    mine = {seat.id for seat in ask.sitter.seats}
    reading = catching_up(ask.server.hall, ask.sitter.table.id)
    return tuple(
        SeatLine(
            id=seat.id,
            title=seat.title,
            role=seat.role,
            powers=seat.powers,
            people=tuple(person.name for person in sitters.get(seat.id, [])),
            mine=seat.id in mine,
            stewards=tuple(it for it in seat.powers if it in minded),
            catching_up=tuple(person.name for person in sitters.get(seat.id, []) if person.id in reading),
        )
        for seat in ask.server.hall.seats(ask.sitter.table.id)
    )
