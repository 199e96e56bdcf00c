"""A year start is read and confirmed by every seat before the spring begins.

An error is corrected where it arose: the year start is undone and counted again, and so confirmed again. The host and
the referee may let the spring begin without waiting. A table at which one person plays all powers waits for nobody.
"""

from __future__ import annotations

import msgspec

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.model import calendar
from warcabinet.model.commands.table import Advance
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden


class SeatConfirmation(msgspec.Struct, frozen=True):
    """A seat at the table: who sits there, and whether it has confirmed."""

    seat: str
    title: str
    powers: tuple[str, ...]
    people: tuple[str, ...]
    #: Who confirmed for it, and when; empty while it is awaited, or while nobody sits there.
    by: str
    when: float
    mine: bool
    #: Stewards mind all that it holds, and confirm by themselves.
    steward: bool


class YearStartStand(msgspec.Struct, frozen=True):
    """How far a year start has been confirmed, and whether the game waits for that."""

    year: int
    move: int
    #: What was counted, step by step.
    steps: tuple[str, ...]
    seats: tuple[SeatConfirmation, ...]
    #: The seats whose word is missing, by title.
    missing: tuple[str, ...]
    #: Whether it is for the reader to confirm.
    mine: bool
    #: Whether orders wait for it.
    waits: bool
    #: Who let the spring begin before all had confirmed.
    opened_by: str
    may_open: bool


def counted_last(game: Game) -> Move | None:
    """The first move of a year start after which nothing came but the way to the spring and the referee's word."""
    if game.state.season != calendar.SPRING:
        return None
    first, since = None, set()
    at = game.head.at
    while at:
        move = game.journal.move(at)
        if calendar.steps()[calendar.split(move.moment)[1]].part == "year start":
            first = move
        elif first is not None:
            break
        elif isinstance(move.command, Advance):
            since.add(move.batch)
        elif move.command is None or not type(move.command).referee_only:
            return None
        at = move.before
    return first if first is not None and since <= {first.batch} else None


def stand(hall: Hall, table: Table, sitter: Sitter, move: Move | None) -> YearStartStand | None:
    """How far the year start that a move counted has been confirmed."""
    if move is None:
        return None
    given = {it.seat: it for it in hall.years.confirmations(table.id, move.id)}
    people = hall.sitters(table.id)
    mine = {seat.id for seat in sitter.seats}
    chairs = [seat for seat in hall.seats(table.id) if seat.role == "player"]
    minded = {it.power for it in hall.minders.at(table.id) if not it.text and not it.stopped}
    seats = tuple(
        SeatConfirmation(
            seat=seat.id,
            title=seat.title,
            powers=seat.powers,
            people=tuple(it.name for it in people.get(seat.id, [])),
            by=given[seat.id].name if seat.id in given else "",
            when=given[seat.id].made if seat.id in given else 0.0,
            mine=seat.id in mine,
            steward=minded.issuperset(seat.powers),
        )
        for seat in chairs
    )
    awaited = [it for it in seats if it.people and not it.by and not it.steward]
    several = len({name for it in seats for name in it.people}) > 1
    opened = next((it.name for it in given.values() if it.opened), "")
    return YearStartStand(
        year=calendar.year(calendar.split(move.moment)[0]),
        move=move.id,
        steps=tuple(it.step.name for it in calendar.steps() if it.part == "year start"),
        seats=seats,
        missing=tuple(it.title for it in awaited),
        mine=any(it.mine for it in awaited),
        waits=bool(awaited) and several and not opened and counted_last(table.game) is not None,
        opened_by=opened,
        may_open=sitter.host or sitter.referee is not None,
    )


def stand_now(hall: Hall, table: Table, sitter: Sitter) -> YearStartStand | None:
    """The year start that stands before the reader: counted, and no order given since."""
    return stand(hall, table, sitter, counted_now(table))


def counted_now(table: Table) -> Move | None:
    return table.once(("counted last", table.game.head.id), lambda: counted_last(table.game))


def confirm(hall: Hall, table: Table, sitter: Sitter, year: int) -> YearStartStand:
    """The reader's seats confirm a year start that stands before them."""
    found = _standing(hall, table, sitter, year)
    seats = tuple(it.seat for it in found.seats if it.mine)
    if not seats:
        raise forbidden("a year start is confirmed by those who play; you look on")
    hall.years.confirm(table.id, found.move, seats, sitter.person.name)
    return _standing(hall, table, sitter, year)


def open_spring(hall: Hall, table: Table, sitter: Sitter, year: int) -> YearStartStand:
    """The host or the referee lets the spring begin without waiting for every seat."""
    found = _standing(hall, table, sitter, year)
    if not found.may_open:
        raise forbidden("the host or the referee may go on before every seat has confirmed")
    seat = next((seat.id for seat in sitter.seats), "host")
    hall.years.confirm(table.id, found.move, (seat,), sitter.person.name, opened=True)
    return _standing(hall, table, sitter, year)


def _standing(hall: Hall, table: Table, sitter: Sitter, year: int) -> YearStartStand:
    found = stand_now(hall, table, sitter)
    if found is None or found.year != year:
        raise Problem(409, f"the {year} year start does not stand at this table: it was undone, or play has gone on")
    return found


def keep_for_confirmation(hall: Hall, table: Table, sitter: Sitter) -> None:
    """Refuse an order of the spring while seats still read the year start; the referee's word passes."""
    found = stand_now(hall, table, sitter)
    if found is not None and found.waits and not sitter.impartial:
        whose = " and ".join(found.missing)
        raise Problem(
            409,
            f"Spring {found.year} opens when every seat has confirmed the year start; it waits for {whose}. "
            "The host or the referee may go on before that",
            year_start=True,
        )
