"""Who is ready to close a phase: each seat of the side says so, and with the last one the phase closes.

A seat in which nobody sits is not asked, nor one whose powers have surrendered; what stewards and standing orders mind
is ready when they have acted. Whoever holds a counter or a filled form is never cut off. Where one person holds the
whole side, or the table lets anybody close, nothing is asked.
"""

from __future__ import annotations

import time
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter, seat_for
from warcabinet.web.hall.schema import Seat
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.turns.away import Seen, kept_as
from warcabinet.web.turns.standing import in_other_hands

Closing = Literal["all", "anyone"]
READY, CLOSING, HANDS, HOURS = "ready", "closing", "hands", "hours"
#: A hand of which the browser gives no sign for so many seconds counts as put back.
SILENT = 300.0
#: After so many hours without a look the rest of a side may close over a seat, where a table says nothing else.
WAITED = 24


class Readiness(msgspec.Struct, frozen=True):
    """The seats that are ready at a moment of the game, and since when."""

    moment: int
    seats: dict[str, float] = {}


class InHand(msgspec.Struct, frozen=True):
    """What somebody holds, and when the browser last said so."""

    what: Annotated[str, Meta(max_length=120)]
    when: float
    #: The counter and where it was taken up; empty: a form.
    nation: str = ""
    unit: str = ""
    at: str = ""


class SeatReady(msgspec.Struct, frozen=True):
    """A seat that must be ready: who sits there, since when it is, and what keeps it."""

    seat: str
    title: str
    powers: tuple[str, ...]
    people: tuple[str, ...]
    since: float
    mine: bool
    steward: bool
    #: What is in its hand; told to its own side alone.
    hand: str
    held: InHand | None
    #: Since when nobody of it has looked at the table, where that is long ago.
    away: float


class PhaseReady(msgspec.Struct, frozen=True):
    """How far the side is ready to close the phase."""

    seats: tuple[SeatReady, ...]
    ready: int
    #: Whether the reader's own seats are ready, and whether closing asks nobody else.
    mine: bool
    alone: bool
    #: Whether the reader may close over others.
    may_override: bool
    closing: Closing
    #: After how many hours in which a seat did not look the rest of its side may close over it.
    hours: int
    #: Powers of this side that have surrendered: they are not asked.
    surrendered: tuple[str, ...]


def gone(state: State, power: str) -> bool:
    return state.powers[power].surrendered


def closing_of(hall: Hall, table: str) -> Closing:
    return "anyone" if hall.evening.kept(table, CLOSING, str) == "anyone" else "all"


def hours_of(hall: Hall, table: str) -> int:
    return hall.evening.kept(table, HOURS, int) or WAITED


def _asked(hall: Hall, table: Table) -> list[Seat]:
    """The seats of the side whose player turn it is in which somebody sits."""
    state, sitting = table.game.state, hall.sitters(table.id)
    side = {it for it in powers() if powers()[it].player == state.player and not state.powers[it].surrendered}
    return [it for it in hall.seats(table.id) if it.role == "player" and side & {*it.powers} and sitting.get(it.id)]


def _kept_house(hall: Hall, table: Table) -> list[Seat]:
    """Seats of that side in which nobody sits, and of which a steward or a standing order minds a power."""
    state, sitting = table.game.state, hall.sitters(table.id)
    minded = {it.power for it in hall.minders.at(table.id)}
    chairs = [it for it in hall.seats(table.id) if it.role == "player" and not sitting.get(it.id)]
    return [it for it in chairs if _of_side(state, it) & minded]


def _minded(hall: Hall, table: Table) -> set[str]:
    """Seats whose powers of this side are all minded: nobody need say that they are ready."""
    state = table.game.state
    hands = in_other_hands(hall.minders.at(table.id), state)
    return {it.id for it in _asked(hall, table) if _of_side(state, it) <= hands}


def _of_side(state: State, seat: Seat) -> set[str]:
    return {it for it in seat.powers if powers()[it].player == state.player and not state.powers[it].surrendered}


def ready_seats(hall: Hall, table: Table) -> dict[str, float]:
    kept = hall.evening.kept(table.id, READY, Readiness)
    return kept.seats if kept is not None and kept.moment == table.game.state.moment else {}


def hands_of(hall: Hall, table: str) -> dict[str, InHand]:
    """What is in whose hand, as far as browsers gave a sign of late."""
    return {seat: it for seat, it in _hands(hall, table).items() if it.what and time.time() - it.when < SILENT}


def _hands(hall: Hall, table: str) -> dict[str, InHand]:
    return hall.evening.kept(table, HANDS, dict[str, InHand]) or {}


def _away(hall: Hall, table: Table, people: list[Person]) -> float:
    """Since when none of these people has looked, once that is so long ago that their partners may close."""
    seen = [hall.evening.kept(table.id, kept_as(it.id), Seen) for it in people]
    last = max((it.when for it in seen if it is not None), default=0.0)
    return last if last and time.time() - last > hours_of(hall, table.id) * 3600 else 0.0


def take_in_hand(hall: Hall, table: Table, sitter: Sitter, held: InHand) -> str:
    """A seat takes something up, or puts it down; whoever takes something up is not ready any more.

    What was put back meanwhile, because its browser gave no sign for long, is told to whoever comes back.
    """
    hands, of_late = _hands(hall, table.id), hands_of(hall, table.id)
    put_back = ""
    for seat in sitter.players:
        old = hands.pop(seat.id, None)
        if old is not None and seat.id not in of_late and not held.what:
            put_back = old.what
        if held.what:
            hands[seat.id] = held
    hall.evening.keep(table.id, HANDS, hands or None)
    if held.what:
        not_ready(hall, table, sitter)
    return put_back


def ready_at(hall: Hall, table: Table, sitter: Sitter) -> PhaseReady | None:
    """How far the side whose player turn it is is ready; nothing in the year start."""
    if not table.game.state.player:
        return None
    asked, ready = _asked(hall, table), ready_seats(hall, table)
    minded, hands = _minded(hall, table), hands_of(hall, table.id)
    sitting, mine = hall.sitters(table.id), {it.id for it in sitter.players}
    own_side = any(it.id in mine for it in asked) or sitter.impartial
    seats = tuple(
        SeatReady(
            seat=it.id,
            title=it.title,
            powers=it.powers,
            people=tuple(person.name for person in sitting.get(it.id, [])),
            since=ready.get(it.id, 0.0),
            mine=it.id in mine,
            steward=it.id in minded,
            hand=_told_of(hands.get(it.id), sitter, own_side),
            held=hands.get(it.id) if own_side else None,
            away=_away(hall, table, sitting.get(it.id, [])),
        )
        for it in asked
    ) + tuple(
        SeatReady(it.id, it.title, it.powers, (), 0.0, mine=False, steward=True, hand="", held=None, away=0.0)
        for it in _kept_house(hall, table)
    )
    late = [it for it in seats if not it.since and not it.steward]
    waited = bool(late) and all(it.away and not it.mine for it in late) and any(it.mine for it in seats)
    return PhaseReady(
        surrendered=tuple(
            it for it in powers() if powers()[it].player == table.game.state.player and gone(table.game.state, it)
        ),
        seats=seats,
        ready=sum(1 for it in seats if it.since or it.steward),
        mine=any(it.mine for it in seats) and all(it.since or it.steward for it in seats if it.mine),
        alone=closes_alone(hall, table, sitter),
        may_override=waited or sitter.referee is not None or (sitter.host and any(it.mine for it in seats)),
        closing=closing_of(hall, table.id),
        hours=hours_of(hall, table.id),
    )


def _told_of(held: InHand | None, sitter: Sitter, own_side: bool) -> str:
    """What of a full hand is told: all to partners, that it is full to a referee who plays the other side."""
    if held is None or not (own_side or sitter.referee is not None):
        return ""
    return held.what if own_side else "something"


def closes_alone(hall: Hall, table: Table, sitter: Sitter) -> bool:
    """Whether this sitter's word alone closes the phase: all the side is theirs or minded, or anybody closes here."""
    if not table.game.state.player or closing_of(hall, table.id) == "anyone":
        return True
    mine, minded = {it.id for it in sitter.seats}, _minded(hall, table)
    return all(it.id in mine or it.id in minded for it in _asked(hall, table))


def say_ready(hall: Hall, table: Table, sitter: Sitter) -> str | None:
    """A sitter is ready: by whom the phase is closed with that, or None while others are not."""
    seat_for(sitter, table.game.state, Advance())
    if closes_alone(hall, table, sitter):
        people = {one.id for seat in hall.sitters(table.id).values() for one in seat}
        return f"closed by {sitter.person.name}" if len(people) > 1 else ""
    mine = [it for it in sitter.players if it.id in {one.id for one in _asked(hall, table)}]
    if not mine:
        raise Problem(409, "the side whose player turn it is closes; as referee close over it, with a word why")
    now = {**ready_seats(hall, table), **dict.fromkeys((it.id for it in mine), time.time())}
    hall.evening.keep(table.id, READY, Readiness(table.game.state.moment, now))
    minded = _minded(hall, table)
    if any(it.id not in now and it.id not in minded for it in _asked(hall, table)):
        return None
    return f"closed by all: {_names(hall, table)}; last {sitter.person.name}"


def waited_for(hall: Hall, table: Table) -> str:
    """Who must still say that they are ready, by name."""
    now, minded, sitting = ready_seats(hall, table), _minded(hall, table), hall.sitters(table.id)
    late = [it.id for it in _asked(hall, table) if it.id not in now and it.id not in minded]
    return ", ".join(person.name for it in late for person in sitting.get(it, []))


def _names(hall: Hall, table: Table) -> str:
    sitting, minded = hall.sitters(table.id), _minded(hall, table)
    people = [person.name for it in _asked(hall, table) if it.id not in minded for person in sitting.get(it.id, [])]
    stewards = len(minded) + len(_kept_house(hall, table))
    return ", ".join([*people, *([f"{stewards} steward{'s' if stewards > 1 else ''}"] if stewards else [])])


def not_ready(hall: Hall, table: Table, sitter: Sitter) -> bool:
    """A sitter is not ready after all, or gave an order: whether that took something back."""
    now = ready_seats(hall, table)
    left = {seat: since for seat, since in now.items() if seat not in {it.id for it in sitter.players}}
    if len(left) == len(now):
        return False
    hall.evening.keep(table.id, READY, Readiness(table.game.state.moment, left))
    return True


def _after(hours: int) -> str:
    return f"its side, after {'an hour' if hours == 1 else f'{hours} hours'}"


def close_over(hall: Hall, table: Table, sitter: Sitter, why: str) -> str:
    """The host of the side or the referee closes though others are not ready, with a word why: by whom it is closed."""
    found = ready_at(hall, table, sitter)
    if found is None or not found.may_override:
        raise forbidden("the host of this side or the referee may close over others")
    late = [it for it in found.seats if not it.since and not it.steward and not it.mine]
    full = [it.title for it in late if it.seat in hands_of(hall, table.id)]
    if full:
        raise Problem(409, f"{' and '.join(full)} holds something: nobody is cut off with a full hand")
    over = " and ".join(", ".join(it.people) or it.title for it in late) or "nobody"
    impartial = sitter.referee is not None and not any(it.mine for it in found.seats)
    role = "referee" if impartial else "host" if sitter.host else _after(found.hours)
    return f"closed by {sitter.person.name}, {role}, over {over}: {why.strip()}"
