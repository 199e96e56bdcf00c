"""Those who mind powers: stewards and standing orders act where their power has something to decide.

They act after every move that a person makes, until somebody who sits at the table must decide. Each of their orders
says in the log by what it was given; where a plan has no answer, or an order of it is refused, it stops and says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec

from warcabinet.game import Conflict, Refused
from warcabinet.game.journal import Move
from warcabinet.house.table import goes_by_itself
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.minding import Advice, NoAnswer, advised
from warcabinet.rules.common.waiting import duties
from warcabinet.store.journal import Full
from warcabinet.views.words import command_text
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.minder_book import Minder
from warcabinet.web.hall.people_book import Person
from warcabinet.web.hall.rights import Sitter, seat_for
from warcabinet.web.hall.schema import Seat
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.stream import MoveNews, SeatsNews
from warcabinet.web.table.endpoints import ServerParts
from warcabinet.web.turns.battles import battle_at
from warcabinet.web.turns.readiness import ready_seats
from warcabinet.web.turns.standing import called, in_other_hands, over, program_of

#: What minders may do in answer to one move: a player turn or two, within seconds; the rest comes a little later.
MOST_MOVES = 240
LONGEST = 4.0


def mind(server: ServerParts, table: Table) -> list[Move]:
    """Let those who mind powers act, and tell everybody what they did."""
    server.paused.discard(table.id)
    if not server.hall.minders.at(table.id) or battle_at(server.hall, table.id) is not None:
        return []
    done = _acted(server, _Minding(server, table))
    if done:
        line = table.game.line()
        told = tuple(move_line(move, line).text for move in done[-8:])
        server.switchboard.tell(table.id, "move", MoveNews(done[-1].id, done[-1].seq, done[-1].seat, told))
        server.herald.moved(table.id)
    return done


def _acted(server: ServerParts, minding: _Minding) -> list[Move]:
    """What they do as long as they may: what is left is done a little later."""
    host, done = minding.row.host, list[Move]()
    began, until = time.thread_time(), time.monotonic() + LONGEST
    while True:
        if len(done) >= MOST_MOVES or time.monotonic() > until or server.minding.wait(host, time.monotonic()):
            server.paused.add(minding.table.id)
            break
        made = [*minding.act(), *minding.go_on()]
        if not made:
            break
        done += made
        cost, began = time.thread_time() - began, time.thread_time()
        server.minding.pay(host, cost, time.monotonic())
    return done


def mind_on(server: ServerParts, id: str) -> None:
    """Go on where those who mind powers had to pause, once they may."""
    if server.minding.wait(server.hall.table(id).host, time.monotonic()) < LONGEST / 2:
        with server.tables.at(id) as table:
            mind(server, table)


class _Minding:
    """One table whose minders are acting."""

    def __init__(self, server: ServerParts, table: Table) -> None:
        self.server, self.table = server, table
        row = server.hall.table(table.id)
        assert row is not None
        self.row = row
        self.seats = [seat for seat in server.hall.seats(table.id) if seat.role == "player"]

    def minders(self) -> list[Minder]:
        return [it for it in self.server.hall.minders.at(self.table.id) if it.mode == "act" and not it.stopped]

    def act(self) -> list[Move]:
        done: list[Move] = []
        for minder in self.minders():
            done += self.act_for(minder, people_first=True)
        return done

    def act_for(self, minder: Minder, people_first: bool = False) -> Iterator[Move]:
        """What one of them does at this moment; it remembers the moment, so that it acts there once.

        What a person may do as well is left to the person, until that one is ready; told to act, it does so at once.
        """
        moment, stopped = self.table.game.state.moment, over(minder, self.table.game.state)
        for it in () if stopped else self._advised(minder):
            if isinstance(it, NoAnswer):
                stopped = f"{it.text} ({', '.join(it.clauses)})" if it.clauses else it.text
                break
            if people_first and self._a_persons(minder.power, it.command):
                break
            try:
                yield self._give(minder, it)
            except Full as full:
                stopped = str(full)
                break
            except Conflict:
                break  # somebody moved meanwhile, and they act upon that
            except (Refused, WarCabinetError, Problem) as error:
                stopped = f"{command_text(it.command)}: {error}"
                break
        if moment != minder.acted or stopped:
            self.server.hall.minders.acted(self.table.id, minder.power, moment, stopped)
        if stopped:
            self._say_stopped(minder, stopped)

    def _a_persons(self, power: str, command: Command) -> bool:
        """Whether an order meets a duty that a person of the table may meet as well, and has not left to others."""
        hall, state = self.server.hall, self.table.game.state
        minded, ready = in_other_hands(hall.minders.at(self.table.id), state), ready_seats(hall, self.table)
        sitting = hall.sitters(self.table.id)
        people = {
            it for seat in self.seats if sitting.get(seat.id) and seat.id not in ready for it in seat.powers
        } - minded
        name, given = name_of(command), msgspec.to_builtins(command)
        for duty in duties(state):
            about = duty.command == name and all(given.get(field) == it for field, it in duty.known.items())
            if about and power in duty.of and people & {*duty.of}:
                return True
        return False

    def _advised(self, minder: Minder) -> Iterator[Advice | NoAnswer]:
        state = self.table.game.state
        fresh = state.moment != minder.acted
        return advised(state, (minder.power,), program_of(minder.text), fresh)

    def _give(self, minder: Minder, advice: Advice) -> Move:
        return self.table.game.do(self._in_name(minder.power, advice.command, advice.why))

    def _in_name(self, power: str, command: Command, why: str) -> Command:
        """A command in the name of the seat that holds a power, and only if that seat might give it by hand."""
        seat = seat_of(power, self.seats) or Seat("", powers()[power].name, "player", (power,))
        sitter = Sitter(Person("", seat.title), self.row, (seat,))
        given = seat_for(sitter, self.table.game.state, command)
        return msgspec.structs.replace(command, seat=given.id, minded=why)

    def _say_stopped(self, minder: Minder, why: str) -> None:
        """Everybody reads it in the talk; the seat is told as it is told of its move."""
        line = self.server.hall.talk.say(self.table.id, f"{called(minder)} stops: {why}", move=self.table.game.head.id)
        self.server.switchboard.tell(self.table.id, "talk", line, line)
        self.server.switchboard.tell(self.table.id, "seats", SeatsNews())
        self.server.herald.moved(self.table.id)

    def go_on(self) -> list[Move]:
        """On to the next step where all powers whose player turn it is are minded, and nobody is awaited."""
        state = self.table.game.state
        if state.waiting is not None or not state.player or not self._all_minded(state):
            return []
        ruling = self.table.game.decide(Advance())
        if ruling.refusals:
            return []
        acting = next(power for power in powers() if powers()[power].player == state.player)
        command = self._in_name(acting, Advance(), "every power of this side is minded")
        return list(self._steps(command))

    def _steps(self, command: Command) -> Iterator[Move]:
        """One step, and those after it in which nobody decides anything: a year start passes as it does by hand."""
        game = self.table.game
        batch = game.head.id + 1
        try:
            yield game.do(command, batch=batch)
            while goes_by_itself(game.state) and not game.duties():
                yield game.do(command, batch=batch)
        except (Refused, WarCabinetError):
            return

    def _all_minded(self, state: State) -> bool:
        minded = in_other_hands(self.minders(), state)
        deciding = [it for it in powers() if powers()[it].player == state.player and not state.powers[it].surrendered]
        return bool(minded) and all(power in minded for power in deciding)


def go_to(server: ServerParts, table: Table, to: str, seat: str, key: str, minded: str = "") -> list[Move]:
    """Go on to a moment. Powers that are minded act at every step on the way; where one of them stops, it ends."""
    game, before = table.game, _stopped(server, table)
    if not to or not server.hall.minders.at(table.id):
        return game.advance(to, seat=seat, key=key, minded=minded)
    target, done = calendar.parse_moment(to, game.state.moment), list[Move]()
    while game.state.moment < target and _stopped(server, table) <= before and table.id not in server.paused:
        done.append(game.do(Advance(seat=seat, minded=minded), key="" if done else key))
        mind(server, table)
    return done


def showing(hall: Hall, table: Table) -> tuple[str, ...]:
    """The powers whose minder only shows its orders and has some to show now."""
    state = table.game.state

    def has_orders(minder: Minder) -> bool:
        fresh = state.moment != minder.acted
        found = advised(state, (minder.power,), program_of(minder.text), fresh)
        return isinstance(next(found, None), Advice)

    if battle_at(hall, table.id) is not None:
        return ()  # no other order is taken meanwhile
    shown = [it for it in hall.minders.at(table.id) if it.mode == "show"]
    owing = {power for duty in duties(state) for power in duty.of} if shown else set[str]()
    only_shown = [
        it
        for it in shown
        if not it.stopped
        and not over(it, state)
        and (not state.player or powers()[it.power].player == state.player or it.power in owing)
    ]
    keys = {it.power: ("shows", table.game.head.id, it.power, it.acted, it.text) for it in only_shown}
    return tuple(it.power for it in only_shown if table.once(keys[it.power], lambda it=it: has_orders(it)))  # type: ignore[misc]


def _stopped(server: ServerParts, table: Table) -> set[str]:
    return {it.power for it in server.hall.minders.at(table.id) if it.stopped}


def give_for(server: ServerParts, table: Table, minder: Minder) -> list[Move]:
    """The orders that a minder only shows, given by whoever may; then those act that act by themselves."""
    done = list(_Minding(server, table).act_for(minder))
    return [*done, *mind(server, table)]


def seat_of(power: str, seats: list[Seat]) -> Seat | None:
    return next((seat for seat in seats if power in seat.powers), None)
