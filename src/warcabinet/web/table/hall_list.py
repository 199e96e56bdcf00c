"""The list in the hall: each of a person's tables with whose move it is, since when, and what waits."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from warcabinet.web.hall.notice_book import Stand, WaitRow
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.hall.whose_move import Kind
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.table.table_view import SeatLine
from warcabinet.web.turns.words_of_turn import turn_words

PACIFIC = ("japan", "china", "usa")
DAY = 24 * 3600


class HallWait(msgspec.Struct, frozen=True):
    """A seat that must decide: who, since when, and what."""

    seat: str
    title: str
    people: tuple[str, ...]
    kind: Kind
    text: str
    since: float
    mine: bool


class TableLine(msgspec.Struct, frozen=True):
    """A table at which someone sits: where its game is, whose move, and what was said since they looked."""

    table: str
    title: str
    scenario: str
    made: float
    parent: str
    parent_move: int
    #: What the table is called of which this is a copy.
    parent_title: str
    #: When it is taken away for good; 0: it stays.
    ends: float
    hosted: bool
    #: Where the game is, its last move and when that was; empty where nobody has looked yet.
    moment: str
    head: int
    moved: float
    seats: tuple[SeatLine, ...]
    waiting: tuple[HallWait, ...]
    #: Whether it waits for the reader.
    mine: bool
    unread: int


class HallList(msgspec.Struct, frozen=True):
    """The list as it is drawn, and what stands round it: how many tables wait, deleted ones, the one moved last."""

    drawn: str
    waiting: int
    gone: int
    last: str


def hall_list(lines: Sequence[TableLine], by_move: bool, ended: bool, base: str) -> HallList:
    shown = [it for it in lines if ended or not it.ends]
    if by_move:
        shown.sort(key=lambda it: -it.moved)
    waiting = [
        it for it in lines if it.mine and not it.ends and not all(s.mine for s in it.seats if s.role == "player")
    ]
    own = [it for it in lines if not it.ends and not it.parent]
    last = max(own, key=lambda it: it.moved).table if own else ""
    page = drawn("hall-tables.html", tables=shown, base=base, now=time.time(), day=DAY, pacific=PACIFIC)
    return HallList(page, len(waiting), sum(bool(it.ends) for it in lines), last)


def table_lines(server: ServerParts, person: Person) -> list[TableLine]:
    """What waits for the reader first, then by the last move."""
    hall = server.hall
    rows = [row for row in hall.tables_of(person.id) if not row.ends or row.host == person.id]
    ids = [row.id for row in rows]
    stands, unread = hall.notices.stands(ids), hall.notices.unread(person.id, ids)
    waits: dict[str, list[WaitRow]] = {}
    for it in hall.notices.waiting(ids):
        waits.setdefault(it.table, []).append(it)
    for row in rows:
        if row.id not in stands:
            server.herald.moved(row.id, person.id)  # a table of an earlier release: it is listed in a moment
    titles = {row.id: row.title for row in rows}
    lines = [
        _line(server, person, row, stands.get(row.id), waits.get(row.id, []), unread.get(row.id, 0), titles)
        for row in rows
    ]
    return sorted(lines, key=lambda it: (bool(it.ends), bool(it.parent), not it.mine, -it.moved))


def _line(
    server: ServerParts,
    person: Person,
    row: TableRow,
    stand: Stand | None,
    waits: list[WaitRow],
    unread: int,
    titles: dict[str, str],
) -> TableLine:
    sitters = server.hall.sitters(row.id)
    chairs = {seat.id: seat for seat in server.hall.seats(row.id)}
    mine = {seat for seat, people in sitters.items() if any(it.id == person.id for it in people)}

    def people(seat: str) -> tuple[str, ...]:
        return tuple(it.name for it in sitters.get(seat, []))

    stewards = {it.power for it in server.hall.minders.at(row.id) if not it.text}

    def minded(chair: Seat) -> tuple[str, ...]:
        return tuple(power for power in chair.powers if power in stewards)

    def wait(it: WaitRow, chair: Seat) -> HallWait:
        text = turn_words(it.kind, it.text)
        return HallWait(it.seat, chair.title, people(it.seat), it.kind, text, it.since, it.seat in mine)

    found = tuple(wait(it, chairs[it.seat]) for it in waits if it.seat in chairs)
    return TableLine(
        table=row.id,
        title=row.title,
        scenario=row.scenario,
        made=row.made,
        parent=row.parent,
        parent_move=row.parent_move,
        parent_title=titles.get(row.parent, ""),
        ends=row.ends,
        hosted=row.host == person.id,
        moment=stand.moment if stand else "",
        head=stand.head if stand else 0,
        moved=stand.moved if stand else row.made,
        seats=tuple(
            SeatLine(it.id, it.title, it.role, it.powers, people(it.id), it.id in mine, minded(it))
            for it in chairs.values()
        ),
        waiting=found,
        mine=any(it.mine for it in found) and not row.parent,
        unread=unread,
    )
