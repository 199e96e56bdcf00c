"""The API of the hall: make tables, seat and invite people, talk, keep notes, give programs a seat."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.figures.position import Position, scenarios, set_up
from warcabinet.figures.table import Listed
from warcabinet.figures.table import listed as listed_figures
from warcabinet.game.engine import within_bounds
from warcabinet.model.names import powers
from warcabinet.web.hall.minder_book import Minder
from warcabinet.web.hall.people_book import Person, new_id
from warcabinet.web.hall.rights import may_host
from warcabinet.web.hall.schema import Seat, TableRow
from warcabinet.web.hall.tables_in_play import WALKED, usual_seats
from warcabinet.web.map.boards import BoardData, board_data
from warcabinet.web.orders.command_kinds import CommandKind, command_kinds
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.sheets.clause_pages import ClausePage, ClausesFound, clause_page, clauses_starting
from warcabinet.web.table import demonstration, starting
from warcabinet.web.table.brought import position_brought
from warcabinet.web.table.endpoints import Answer, AnyAsk, Ask, endpoint
from warcabinet.web.table.hall_list import HallList, TableLine, hall_list, table_lines
from warcabinet.web.table.minders import mind
from warcabinet.web.table.reference import kept_board, kept_commands
from warcabinet.web.turns.readiness import CLOSING, HOURS, Closing, hours_of
from warcabinet.web.turns.replays import allow_watching

GUEST = "Guest"

Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"\S")]
Title = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
T = "/tables/{table}"


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chair for one player: its name, its powers, and whether the host takes it."""

    title: Name
    powers: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    mine: bool = True
    #: Nobody sits there: its steward acts, or shows its orders first.
    steward: Literal["", "act", "show"] = ""


class Seating(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who sits at a new table. Without seats, one seat holds every power: hot-seat."""

    title: Title
    name: Name
    seats: Annotated[tuple[NewSeat, ...], Meta(max_length=8)] = ()
    reports: Literal["players", "referee"] = "players"

    def chairs(self) -> list[Seat]:
        return usual_seats([(seat.title, seat.powers) for seat in self.seats] or [("All powers", tuple(powers()))])

    def mine(self) -> set[str]:
        """The seats that the host takes."""
        return (
            {f"seat{n}" for n, seat in enumerate(self.seats, 1) if seat.mine and not seat.steward}
            if self.seats
            else {"seat1"}
        )


class NewTable(Seating, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to be made from a scenario with options, or from a position written in YAML."""

    scenario: str = "classic-1939"
    options: dict[str, Any] = {}
    position: Annotated[str, Meta(max_length=starting.LONGEST)] = ""


class MadeTable(msgspec.Struct, frozen=True):
    """A table that was made, and where its page is."""

    table: str
    title: str
    url: str


class Joined(msgspec.Struct, frozen=True):
    """The seat that was taken, and where the table's page is."""

    table: str
    title: str
    seat: str
    url: str


class Invitation(msgspec.Struct, frozen=True):
    """A link that leads to a seat. It is told once."""

    seat: str
    invitation: str
    path: str


class SeatState(msgspec.Struct, frozen=True):
    seat: str
    free: bool


class ScenarioLine(msgspec.Struct, frozen=True):
    scenario: str
    title: str
    turn: str


def known_or_new(ask: AnyAsk, name: str) -> tuple[Person, str]:
    """The person who asks, by the name that they give now, or a new one with the secret to keep."""
    if ask.person is not None:
        return renamed(ask, ask.person, name.strip()), ""
    return ask.server.hall.people.new_person(name.strip())


def renamed(ask: AnyAsk, person: Person, name: str) -> Person:
    """Someone who gives another name is called so from now on; the name of a guest is none that anybody gave."""
    if name in (person.name, GUEST):
        return person
    ask.server.hall.people.rename(person.id, name)
    for row in ask.server.hall.tables_of(person.id):
        ask.server.switchboard.tell(row.id, "seats", SeatsNews())
    return Person(person.id, name)


def room_for_a_table(ask: AnyAsk, person: Person | None) -> None:
    """Refuse one table too many before it costs anything: of a person, an address, the server, its disk."""
    server, its = ask.server, ask.server.settings
    if person is not None and server.hall.tables_hosted(person.id) >= its.tables_per_person:
        raise Problem(429, "you host as many tables as this server allows; delete one first")
    if server.hall.tables_there() >= its.tables_on_server:
        raise Problem(503, "this server has as many tables as it can keep")
    if server.folder.free() < its.free_disk:
        raise Problem(507, "the disk of this server is nearly full: no table can be made")
    if server.making.take(ask.address, time.monotonic()):
        raise Problem(429, "many tables were made from your address of late; try again in an hour")


def seated(ask: AnyAsk, row: TableRow, person: Person, chairs: list[Seat], mine: set[str]) -> MadeTable:
    for seat in chairs:
        if seat.id in mine or seat.role == "referee":
            ask.server.hall.sit(row.id, seat.id, person)
    ask.server.hall.talk.say(row.id, f"{person.name} opened the table")
    ask.server.herald.moved(row.id, person.id)
    return MadeTable(row.id, row.title, f"{ask.base}/tables/{row.id}")


def leave_to_stewards(ask: AnyAsk, row: TableRow, person: Person, seats: tuple[NewSeat, ...]) -> None:
    """Powers that nobody plays are left to their stewards from the first move on."""
    left = [(power, seat.steward) for seat in seats if seat.steward for power in seat.powers]
    for power, mode in left:
        ask.server.hall.minders.set(row.id, Minder(power, "", "act" if mode == "act" else "show", person.name, 0.0))
    if left:
        with ask.server.tables.at(row.id) as table:
            mind(ask.server, table)


@endpoint("POST", "/tables", "Make a table", who="anybody", status=201, tag="hall")
def create(ask: Ask[None, NewTable]) -> Answer[MadeTable]:
    new = ask.body
    if new.scenario not in scenarios():
        raise Problem(400, f"there is no scenario {new.scenario}; there are {', '.join(scenarios())}")
    within_bounds("an option", new.options)
    chairs = new.chairs()
    room_for_a_table(ask, ask.person)
    position = position_brought(ask.server.readers, ask.who, new.position) if new.position else Position(new.scenario)
    position = replace(position, options={**position.options, **new.options})
    set_up(position)  # whoever is refused is nobody new here
    person, secret = known_or_new(ask, new.name)
    row = ask.server.tables.create(position, new.title.strip(), person.id, chairs, new.reports)
    made = seated(ask, row, person, chairs, new.mine())
    leave_to_stewards(ask, row, person, new.seats)
    return Answer(made, secret)


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name = GUEST
    #: Only up to the position at which a newcomer is led around.
    walk: bool = False


@endpoint(
    "POST",
    "/demonstration",
    "A hot-seat table with the war as it happened, which plays itself",
    who="anybody",
    status=201,
    tag="hall",
)
def demo(ask: Ask[None, Demo]) -> Answer[MadeTable]:
    chairs = usual_seats([("All powers", tuple(powers()))])
    room_for_a_table(ask, ask.person)
    person, secret = known_or_new(ask, ask.body.name)
    if ask.body.walk:
        row = ask.server.tables.show(demonstration.walk_lines(), "Opening walk", person.id, chairs, WALKED)
    else:
        row = ask.server.tables.show(demonstration.demo_lines(), "Demonstration", person.id, chairs)
    return Answer(seated(ask, row, person, chairs, {"seat1"}), secret)


class Import(Seating, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exported game as text, and who sits at it."""

    save: str


@endpoint("POST", "/tables/import", "Make a table from an open save", who="anybody", status=201, tag="hall")
def take_in(ask: Ask[None, Import]) -> Answer[MadeTable]:
    new = ask.body
    chairs = new.chairs()
    room_for_a_table(ask, ask.person)
    # Someone new is only known once their game was taken in.
    host = ask.person or Person(new_id(), new.name.strip())
    row = ask.server.tables.take_in(new.save, new.title.strip(), host.id, chairs, new.reports)
    person, secret = (
        (renamed(ask, host, new.name.strip()), "")
        if ask.person
        else ask.server.hall.people.new_person(host.name, host.id)
    )
    made = seated(ask, row, person, chairs, new.mine())
    leave_to_stewards(ask, row, person, new.seats)
    return Answer(made, secret)


@endpoint("GET", "/tables", "The tables at which you sit: whose move, since when, what waits", who="person", tag="hall")
def my_tables(ask: Ask[None, None]) -> list[TableLine]:
    assert ask.person is not None
    return table_lines(ask.server, ask.person)


class HallLook(msgspec.Struct, frozen=True):
    """In which order the tables stand, and whether deleted ones are among them."""

    order: Literal["mine", "moved"] = "mine"
    ended: bool = False


@endpoint("GET", "/hall", "The list of your tables as a part of a page", who="person", tag="hall", programs=False)
def drawn_tables(ask: Ask[HallLook, None]) -> HallList:
    assert ask.person is not None
    return hall_list(table_lines(ask.server, ask.person), ask.query.order == "moved", ask.query.ended, ask.base)


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    invitation: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Name


@endpoint("POST", "/join", "Take the seat to which an invitation leads", who="anybody", tag="hall")
def join(ask: Ask[None, Join]) -> Answer[Joined]:
    name, bench = ask.body.name.strip(), ask.server.settings.spectators_per_table
    if ask.person is not None and name != ask.person.name:
        ask.server.hall.people.rename(ask.person.id, name)
    known = None if ask.person is None else Person(ask.person.id, name)
    row, seat, person, secret = ask.server.hall.join(ask.body.invitation, known, name, bench)
    say_to_all(ask, row.id, f"{person.name} sat down: {seat.title}")
    ask.server.switchboard.tell(row.id, "seats", SeatsNews())
    ask.server.herald.moved(row.id)
    return Answer(Joined(row.id, row.title, seat.title, f"{ask.base}/tables/{row.id}"), secret)


def say_to_all(ask: AnyAsk, table: str, text: str) -> None:
    """The table itself says something to everybody."""
    line = ask.server.hall.talk.say(table, text)
    ask.server.switchboard.tell(table, "talk", line, line)


class ClosingChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who closes a phase: all seats of the side together, or anybody of it."""

    closing: Closing
    #: After how many hours in which a seat did not look the rest of its side may close over it; 0: as it was.
    hours: Annotated[int, Meta(ge=0, le=1000)] = 0


@endpoint("PUT", T + "/closing", "Choose who closes a phase: all seats of a side, or anyone of it", programs=False)
def set_closing(ask: Ask[None, ClosingChoice]) -> ClosingChoice:
    may_host(ask.sitter)
    ask.server.hall.evening.keep(ask.id, CLOSING, ask.body.closing)
    if ask.body.hours:
        ask.server.hall.evening.keep(ask.id, HOURS, ask.body.hours)
    told = "anyone of a side closes its phases" if ask.body.closing == "anyone" else "all seats of a side close a phase"
    told += f"; over who has not looked for {hours_of(ask.server.hall, ask.id)} hours the rest of its side may close"
    say_to_all(ask, ask.id, f"From now on {told}")
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return ask.body


class Watching(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether people outside may read replays of this table by a link."""

    on: bool


@endpoint("PUT", T + "/watching", "Let people outside read replays by a link, or nobody any more", programs=False)
def set_watching(ask: Ask[None, Watching]) -> Watching:
    allow_watching(ask.server.hall, ask.id, ask.sitter, ask.body.on)
    told = "may be read by" if ask.body.on else "are closed to"
    say_to_all(ask, ask.id, f"From now on replays {told} whoever has their link")
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return ask.body


class WhatIf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Annotated[int, Meta(ge=1, le=2**31)] | None = None
    title: Annotated[str, Meta(max_length=100)] = ""


@endpoint("POST", T + "/what-if", "A copy of any moment, to try things out", status=201, programs=False)
def what_if(ask: Ask[None, WhatIf]) -> MadeTable:
    chairs = ask.server.hall.seats(ask.sitter.table.id)
    person = ask.sitter.person
    room_for_a_table(ask, person)
    with ask.table() as table:
        at = table.game.head.id if ask.body.at is None else ask.body.at
        title = ask.body.title.strip() or f"What if: {ask.sitter.table.title}, {at}"
        row = ask.server.tables.what_if(table, at, title, person.id, chairs)
    return seated(ask, row, person, chairs, {seat.id for seat in chairs if seat.role == "player"})


# -- seats ------------------------------------------------------------------------------------------------------


@endpoint("POST", T + "/seats/{seat}/invitations", "A link that leads to a seat", status=201)
def invite(ask: Ask[None, None]) -> Invitation:
    may_host(ask.sitter)
    seat = ask.server.hall.seat(ask.id, ask.path["seat"])
    if seat.role != "spectator" and ask.server.hall.sitters(ask.id).get(seat.id):
        raise Problem(409, f"{seat.title} is taken; vacate the seat to replace the player")
    secret = ask.server.hall.invite(ask.id, seat.id, ask.server.settings.links_per_table)
    return Invitation(seat.id, secret, f"{ask.base}/join/{secret}")


@endpoint("POST", T + "/seats/{seat}/vacate", "Empty a seat: its player, links and programs lose it at once")
def vacate(ask: Ask[None, None]) -> SeatState:
    seat = ask.server.hall.seat(ask.id, ask.path["seat"])
    shared = seat.role == "spectator" or ask.sitter.program
    if shared or seat.id not in {mine.id for mine in ask.sitter.seats}:
        may_host(ask.sitter)
    ask.server.hall.vacate(ask.id, seat.id)
    say_to_all(ask, ask.id, f"{seat.title} is free: {ask.sitter.person.name} vacated it")
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return SeatState(seat.id, free=True)


@endpoint("POST", T + "/seats/{seat}/sit", "The host takes a free seat")
def sit(ask: Ask[None, None]) -> SeatState:
    may_host(ask.sitter)
    seat = ask.server.hall.seat(ask.id, ask.path["seat"])
    ask.server.hall.sit(ask.id, seat.id, ask.sitter.person)
    say_to_all(ask, ask.id, f"{ask.sitter.person.name} sat down: {seat.title}")
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    return SeatState(seat.id, free=False)


class Passing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether phases pass by themselves in which the seat has nothing to decide."""

    passing: bool


@endpoint(
    "PUT", T + "/seats/{seat}/passing", "Let phases pass in which your seat has nothing to decide", programs=False
)
def set_passing(ask: Ask[None, Passing]) -> Passing:
    if ask.path["seat"] not in {seat.id for seat in ask.sitter.players}:
        raise forbidden("that seat is not yours")
    ask.server.hall.set_passing(ask.id, ask.path["seat"], ask.body.passing)
    ask.server.herald.moved(ask.id, ask.sitter.person.id)
    return Passing(ask.body.passing)


# -- reference ----------------------------------------------------------------------------------------------------


class Marked(msgspec.Struct, frozen=True):
    mark: Annotated[
        str, Meta(max_length=40, description="the version wanted: under its mark it may be kept forever")
    ] = ""


class MarkedBoard(Marked, frozen=True):
    steps: Annotated[bool, Meta(description="the coast in steps from point to point, which is shorter")] = False


@endpoint("GET", "/boards/{board}", "A board: hexes, sides, places, coast", who="anybody", tag="reference")
def one_board(ask: Ask[MarkedBoard, None]) -> Answer[BoardData]:
    name = ask.path["board"]
    kept = kept_board(name, ask.query.steps)
    return Answer(board_data(name), kept=kept, forever=ask.query.mark == kept.mark)


@endpoint("GET", "/commands", "The commands there are, with their fields", who="anybody", tag="reference")
def commands(ask: Ask[Marked, None]) -> Answer[list[CommandKind]]:
    kept = kept_commands()
    return Answer(list(command_kinds()), kept=kept, forever=ask.query.mark == kept.mark)


class Starts(msgspec.Struct, frozen=True):
    starts: Annotated[str, Meta(max_length=20)] = ""


@endpoint("GET", "/clauses", "Clauses by the beginning of their number", who="anybody", tag="reference")
def clauses(ask: Ask[Starts, None]) -> ClausesFound:
    return clauses_starting(ask.query.starts)


@endpoint(
    "GET", "/clauses/{clause}", "A clause: its gist and the rules that carry it out", who="anybody", tag="reference"
)
def clause(ask: Ask[None, None]) -> ClausePage:
    return clause_page(ask.path["clause"])


@endpoint("GET", "/figures", "The names under which figures are read and corrected", who="anybody", tag="reference")
def figures(ask: Ask[None, None]) -> list[Listed]:
    return listed_figures()


@endpoint("GET", "/scenarios", "The scenarios with which a game can start", who="anybody", tag="reference")
def list_scenarios(ask: Ask[None, None]) -> list[ScenarioLine]:
    return [ScenarioLine(s.name, s.title, s.turn) for s in scenarios().values()]


@endpoint("GET", "/options", "What can be agreed before the first turn", who="anybody", tag="reference")
def list_options(ask: Ask[None, None]) -> list[starting.OptionField]:
    return list(starting.option_fields())
