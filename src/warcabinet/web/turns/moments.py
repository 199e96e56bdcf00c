"""Great moments at a table: lines given by the seats concerned, confirmed by all of them, then closed by a headline.

While one is fresh the phase waits until every seat concerned has confirmed; the host or the referee may let it go on
with lines open, which then stay in What now. A table at which one person plays all waits for nobody.
"""

from __future__ import annotations

import time

import msgspec
from msgspec.structs import replace

from warcabinet.house import moments
from warcabinet.house.moments import Moment
from warcabinet.model import calendar
from warcabinet.views.moments import waiting
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.schema import Seat
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.turns.standing import in_other_hands


class Given(msgspec.Struct, frozen=True):
    """A seat's word for a moment as it stood then."""

    name: str
    when: float
    at: int


class MomentWord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a table has said of a moment: who confirmed, who let the phase go on, the headline as it is worded."""

    given: dict[str, Given] = {}
    opened: str = ""
    opened_at: int = 0
    headline: str = ""


class SeatWord(msgspec.Struct, frozen=True):
    """A seat concerned: who sits there, and whether it has confirmed."""

    seat: str
    title: str
    powers: tuple[str, ...]
    people: tuple[str, ...]
    by: str
    mine: bool
    steward: bool


class MomentStand(msgspec.Struct, frozen=True):
    """A great moment that stands before the table: how much of it is open, and whose word is missing."""

    id: str
    title: str
    lines: int
    open: int
    fresh: bool
    seats: tuple[SeatWord, ...]
    missing: tuple[str, ...]
    #: Whether the reader may say something of it, and whether it is theirs to confirm.
    concerned: bool
    mine: bool
    #: Whether the phase waits for it.
    waits: bool
    opened_by: str
    may_open: bool


def _kept_as(moment: str) -> str:
    return f"moment {moment}"


def word_on(hall: Hall, table: Table, moment: str) -> MomentWord:
    """What the table has said of a moment on the line of play that holds now."""
    kept = hall.evening.kept(table.id, _kept_as(moment), MomentWord) or MomentWord()
    given = {seat: it for seat, it in kept.given.items() if _on_line(table, it.at)}
    gone = bool(kept.opened) and not _on_line(table, kept.opened_at)
    return replace(kept, given=given, opened="" if gone else kept.opened)


def _on_line(table: Table, move: int) -> bool:
    befores, at = table.game.journal.befores(), table.game.head.at
    while at > move:
        at = befores[at]
    return at == move


def keep_word(hall: Hall, table: Table, moment: str, word: MomentWord | None) -> None:
    hall.evening.keep(table.id, _kept_as(moment), word)


def _before_the_turn(table: Table) -> frozenset[str]:
    """The moments that had come when the turn began: those are not fresh any more."""
    journal, head = table.game.journal, table.game.head.at
    before = journal.move(head).before
    kept: frozenset[str] | None = table.kept.get(("moments before", before))
    if kept is None or _turn(journal.move(before).moment) != _turn(journal.move(head).moment):
        return table.once(("moments before", head), lambda: _begun_at(table, head))
    return table.once(("moments before", head), lambda: kept)


def _begun_at(table: Table, at: int) -> frozenset[str]:
    """The moments that had come when the turn of a move began; the way back there is read all together."""
    journal = table.game.journal
    befores, when = journal.befores(), journal.moments()
    while befores[at] and _turn(when[befores[at]]) == _turn(when[at]):
        at = befores[at]
    return frozenset(it.id for it in moments.begun(journal.state_at(befores[at] or at)))


def _turn(moment: int) -> int:
    return calendar.split(moment)[0]


Standing = tuple[tuple[Moment, int, int, bool], ...]


def standing_now(table: Table) -> Standing:
    """Each moment that is not over: how many lines it has, how many wait, and whether it is of this turn."""
    return table.once(("moments", table.game.head.id), lambda: _standing(table))


def _standing(table: Table) -> Standing:
    state, before = table.game.state, _before_the_turn(table)
    found = []
    for it in moments.begun(state):
        fresh = it.id not in before and not moments.settled(state, it.id, "")
        if not fresh and it.kind != "fall":
            continue  # only a fallen power leaves something standing on the map
        lines = moments.lines(state, it)
        left = len(waiting(lines, fresh))
        if fresh or left:
            found.append((it, len(lines), left, fresh))
    return tuple(found)


def moments_at(hall: Hall, table: Table, sitter: Sitter) -> tuple[MomentStand, ...]:
    """The great moments that stand before the table, as this sitter sees them."""
    return tuple(_stand(hall, table, sitter, *it) for it in standing_now(table))


def _stand(hall: Hall, table: Table, sitter: Sitter, it: Moment, lines: int, left: int, fresh: bool) -> MomentStand:
    word, people = word_on(hall, table, it.id), hall.sitters(table.id)
    mine = {seat.id for seat in sitter.players}
    minded = in_other_hands(hall.minders.at(table.id), table.game.state)
    seats = tuple(
        SeatWord(
            seat=seat.id,
            title=seat.title,
            powers=seat.powers,
            people=tuple(one.name for one in people.get(seat.id, [])),
            by=word.given[seat.id].name if seat.id in word.given else "",
            mine=seat.id in mine,
            steward=minded.issuperset(seat.powers),
        )
        for seat in _concerned(hall, table, it)
    )
    awaited = [one for one in seats if one.people and not one.by and not one.steward]
    several = len({name for one in seats for name in one.people}) > 1
    return MomentStand(
        id=it.id,
        title=it.title,
        lines=lines,
        open=left,
        fresh=fresh,
        seats=seats,
        missing=tuple(one.title for one in awaited),
        concerned=any(one.mine for one in seats) or sitter.referee is not None,
        mine=fresh and any(one.mine for one in awaited),
        waits=fresh and bool(lines) and bool(awaited) and several and not word.opened,
        opened_by=word.opened,
        may_open=sitter.host or sitter.referee is not None,
    )


def _concerned(hall: Hall, table: Table, it: Moment) -> list[Seat]:
    powers = {*moments.concerned(table.game.state, it)}
    return [seat for seat in hall.seats(table.id) if seat.role == "player" and powers & {*seat.powers}]


def stand_of(hall: Hall, table: Table, sitter: Sitter, moment: str) -> MomentStand:
    found = next((it for it in moments_at(hall, table, sitter) if it.id == moment), None)
    if found is None:
        raise Problem(409, f"nothing of this is open at the table: {moment}")
    return found


def may_speak(hall: Hall, table: Table, sitter: Sitter, moment: str) -> MomentStand:
    """Those concerned say what becomes of it, and the referee; where reports are the referee's, the referee alone."""
    found = stand_of(hall, table, sitter, moment)
    if sitter.table.reports == "referee" and sitter.referee is None:
        raise forbidden("at this table the referee alone reports outcomes")
    if not found.concerned:
        raise forbidden(f"{found.title} is settled by the seats concerned; you hold: {sitter.title}")
    return found


def changed(hall: Hall, table: Table, moment: str) -> None:
    """A line was given: whoever had confirmed looks at it again."""
    keep_word(hall, table, moment, replace(word_on(hall, table, moment), given={}))


def confirm(hall: Hall, table: Table, sitter: Sitter, moment: str) -> bool:
    """The reader's seats confirm; whether with that nobody's word is missing any more."""
    found = may_speak(hall, table, sitter, moment)
    seats = [it.seat for it in found.seats if it.mine] or ([] if sitter.referee is None else ["referee"])
    now = Given(sitter.person.name, time.time(), table.game.head.at)
    word = word_on(hall, table, moment)
    keep_word(hall, table, moment, replace(word, given={**word.given, **dict.fromkeys(seats, now)}))
    return not stand_of(hall, table, sitter, moment).missing


def let_go_on(hall: Hall, table: Table, sitter: Sitter, moment: str) -> None:
    found = stand_of(hall, table, sitter, moment)
    if not found.may_open:
        raise forbidden("the host or the referee may let the phase go on with lines open")
    word = replace(word_on(hall, table, moment), opened=sitter.person.name, opened_at=table.game.head.at)
    keep_word(hall, table, moment, word)


def keep_for_moment(hall: Hall, table: Table, sitter: Sitter) -> None:
    """Refuse to close the phase while seats still settle a great moment; the referee's word passes."""
    found = next((it for it in moments_at(hall, table, sitter) if it.waits), None)
    if found is not None and not sitter.impartial:
        whose = " and ".join(found.missing)
        text = f"{found.title}: the phase goes on when every seat concerned has confirmed; it waits for {whose}. "
        raise Problem(409, f"{text}The host or the referee may let it go on before that", moment=found.id)
