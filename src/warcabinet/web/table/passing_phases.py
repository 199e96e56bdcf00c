"""Phases in which a seat has nothing to decide pass by themselves, where it wishes so."""

from __future__ import annotations

from warcabinet.game import Refused, Undecidable
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.schema import Seat
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.hall.whose_move import whose_move
from warcabinet.web.map.hands import WAYS
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.orders.offer_list import offer_list
from warcabinet.web.plumbing.stream import MoveNews
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.table.minders import mind
from warcabinet.web.table.table_view import offers_of
from warcabinet.web.turns.open_turns import open_at

#: No player turn has so many phases.
MOST = 40


def pass_phases(server: ServerParts, id: str) -> int:
    """Go on while every seat whose move it is wishes so and has nothing to decide; how many times it went on.

    The end of a player turn does not pass: to hand over is a decision. What was undone is not done again.
    """
    wishing = server.hall.passing(id)
    if not wishing:
        return 0
    gone = 0
    with server.tables.at(id) as table:
        while gone < MOST and (seat := _may_pass(server, table, wishing)):
            try:
                moves = table.game.advance("", seat=seat.id)
            except (Refused, Undecidable):
                break
            gone += 1
            line = table.game.line()
            news = MoveNews(moves[-1].id, moves[-1].seq, seat.id, tuple(move_line(it, line).text for it in moves))
            server.switchboard.tell(id, "move", news)
            mind(server, table)
    if gone:
        server.herald.moved(id)
    return gone


def _may_pass(server: ServerParts, table: Table, wishing: set[str]) -> Seat | None:
    """The seat in whose name the phase passes; none where someone must decide, or does not wish it."""
    state = table.game.state
    if table.game.head.kind != "command" or not state.player or _last_phase(state):
        return None
    chairs = {seat.id: seat for seat in server.hall.seats(table.id)}
    waits = whose_move(state, chairs.values(), open_at(server.hall, table))
    if not waits or any(it.kind != "move" or it.seat not in wishing for it in waits):
        return None
    row = server.hall.table(table.id)
    for it in waits:
        # Nobody in particular: what there is to decide depends on the seat alone.
        if decides(Sitter(Person("", ""), row, (chairs[it.seat],)), table):
            return None
    return chairs[waits[0].seat]


def _last_phase(state: State) -> bool:
    later = [it for i, it in enumerate(calendar.steps()) if i > state.step and it.part == state.place.part]
    return all(it.step.automatic for it in later)


def decides(sitter: Sitter, table: Table) -> bool:
    """Whether this seat has something to decide now: units to move by hand, or an order of this phase."""
    state = table.game.state
    if state.place.step.name in WAYS:
        return True
    lines = offer_list(state, offers_of(table, sitter, table.game.head.id))
    return any(line.rank and line.available for line in lines)
