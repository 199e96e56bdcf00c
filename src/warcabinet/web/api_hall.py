"""The API of the hall: make tables, seat and invite people, talk, keep notes, give programs a seat."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.figures.position import Position, scenarios
from warcabinet.figures.table import Listed
from warcabinet.figures.table import listed as listed_figures
from warcabinet.model.names import powers
from warcabinet.web import demonstration, starting
from warcabinet.web.boards import BoardData, board_data
from warcabinet.web.clause_pages import ClausePage, ClausesFound, clause_page, clauses_starting
from warcabinet.web.command_kinds import CommandKind, command_kinds
from warcabinet.web.endpoints import Answer, Ask, endpoint
from warcabinet.web.errors import Problem, forbidden
from warcabinet.web.hall import Person
from warcabinet.web.reference import kept_board, kept_commands
from warcabinet.web.rights import may_host, may_play
from warcabinet.web.schema import Line, Seat, TableRow
from warcabinet.web.stream import SeatsNews
from warcabinet.web.tables import SPECTATORS, usual_seats

Name = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"\S")]
Title = Annotated[str, Meta(min_length=1, max_length=100, pattern=r"\S")]
T = "/tables/{table}"


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chair for one player: its name, its powers, and whether the host takes it."""

    title: Name
    powers: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    mine: bool = True


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
        return {f"seat{n}" for n, seat in enumerate(self.seats, 1) if seat.mine} if self.seats else {"seat1"}


class NewTable(Seating, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table to be made from a scenario with options, or from a position written in YAML."""

    scenario: str = "classic-1939"
    options: dict[str, Any] = {}
    position: Annotated[str, Meta(max_length=60_000)] = ""


class MadeTable(msgspec.Struct, frozen=True):
    """A table that was made, and where its page is."""

    table: str
    title: str
    url: str


class TableLine(msgspec.Struct, frozen=True):
    """A table at which someone sits."""

    table: str
    title: str
    scenario: str
    made: float
    parent: str


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


class SeatToken(msgspec.Struct, frozen=True):
    """A token by which a program holds a seat. It is told once."""

    seat: str
    token: str


class ScenarioLine(msgspec.Struct, frozen=True):
    scenario: str
    title: str
    turn: str


def _who(ask: Ask, name: str) -> tuple[Person, str]:
    """The person who asks, or a new one with the secret to keep."""
    if ask.person is not None:
        return ask.person, ""
    return ask.house.hall.new_person(name.strip())


def _room(ask: Ask, person: Person) -> None:
    if ask.house.hall.tables_hosted(person.id) >= ask.house.settings.tables_per_person:
        raise Problem(429, "you host as many tables as this server allows")


def _seated(ask: Ask, row: TableRow, person: Person, chairs: list[Seat], mine: set[str]) -> MadeTable:
    for seat in chairs:
        if seat.id in mine or seat.role == "referee":
            ask.house.hall.sit(row.id, seat.id, person.id)
    ask.house.hall.say(row.id, f"{person.name} opened the table")
    return MadeTable(row.id, row.title, f"{ask.base}/tables/{row.id}")


@endpoint("POST", "/tables", "Make a table", who="anybody", body=NewTable, status=201, tag="hall")
def create(ask: Ask) -> Answer[MadeTable]:
    new: NewTable = ask.body
    if new.scenario not in scenarios():
        raise Problem(400, f"there is no scenario {new.scenario}; there are {', '.join(scenarios())}")
    position = starting.read_position(new.position) if new.position else Position(new.scenario)
    position = replace(position, options={**position.options, **new.options})
    chairs = new.chairs()
    person, secret = _who(ask, new.name)
    _room(ask, person)
    row = ask.house.tables.create(position, new.title.strip(), person.id, chairs, new.reports)
    return Answer(_seated(ask, row, person, chairs, new.mine()), secret)


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name = "Guest"


@endpoint(
    "POST",
    "/demonstration",
    "A hot-seat table with the first years played",
    who="anybody",
    body=Demo,
    status=201,
    tag="hall",
)
def demo(ask: Ask) -> Answer[MadeTable]:
    chairs = usual_seats([("All powers", tuple(powers()))])
    person, secret = _who(ask, ask.body.name)
    _room(ask, person)
    row = ask.house.tables.take_in(demonstration.demo_lines(), "Demonstration", person.id, chairs)
    return Answer(_seated(ask, row, person, chairs, {"seat1"}), secret)


class Import(Seating, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An exported game as text, and who sits at it."""

    save: str


@endpoint(
    "POST", "/tables/import", "Make a table from an open save", who="anybody", body=Import, status=201, tag="hall"
)
def take_in(ask: Ask) -> Answer[MadeTable]:
    new: Import = ask.body
    chairs = new.chairs()
    person, secret = _who(ask, new.name)
    _room(ask, person)
    lines_ = new.save.splitlines()
    row = ask.house.tables.take_in(lines_, new.title.strip(), person.id, chairs, new.reports)
    return Answer(_seated(ask, row, person, chairs, new.mine()), secret)


@endpoint("GET", "/tables", "The tables at which you sit", who="person", tag="hall")
def my_tables(ask: Ask) -> list[TableLine]:
    assert ask.person is not None
    return [
        TableLine(row.id, row.title, row.scenario, row.made, row.parent)
        for row in ask.house.hall.tables_of(ask.person.id)
    ]


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    invitation: Annotated[str, Meta(min_length=1, max_length=100)]
    name: Name


@endpoint("POST", "/join", "Take the seat to which an invitation leads", who="anybody", body=Join, tag="hall")
def join(ask: Ask) -> Answer[Joined]:
    row, seat = ask.house.hall.invitation(ask.body.invitation)
    person, secret = _who(ask, ask.body.name)
    ask.house.hall.sit(row.id, seat.id, person.id)
    if seat.role != "spectator":
        ask.house.hall.use_up(ask.body.invitation)
    _say(ask, row.id, f"{person.name} sat down: {seat.title}")
    ask.house.switchboard.tell(row.id, "seats", SeatsNews())
    return Answer(Joined(row.id, row.title, seat.title, f"{ask.base}/tables/{row.id}"), secret)


def _say(ask: Ask, table: str, text: str) -> None:
    """The table itself says something to everybody."""
    line = ask.house.hall.say(table, text)
    ask.house.switchboard.tell(table, "talk", line, line)


class WhatIf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: Annotated[int, Meta(ge=1, le=2**31)] | None = None
    title: Annotated[str, Meta(max_length=100)] = ""


@endpoint("POST", T + "/what-if", "A copy of any moment, to try things out", body=WhatIf, status=201)
def what_if(ask: Ask) -> MadeTable:
    if ask.sitter.program:
        raise forbidden("a program plays its seat; it opens no tables")
    chairs = ask.house.hall.seats(ask.sitter.table.id)
    person = ask.sitter.person
    _room(ask, person)
    with ask.table() as table:
        at = table.game.head.id if ask.body.at is None else ask.body.at
        title = ask.body.title.strip() or f"What if: {ask.sitter.table.title}, {at}"
        row = ask.house.tables.what_if(table, at, title, person.id, chairs)
    return _seated(ask, row, person, chairs, {seat.id for seat in chairs if seat.role == "player"})


# -- seats ------------------------------------------------------------------------------------------------------


@endpoint("POST", T + "/seats/{seat}/invitations", "A link that leads to a seat", status=201)
def invite(ask: Ask) -> Invitation:
    may_host(ask.sitter)
    seat = ask.house.hall.seat(ask.id, ask.path["seat"])
    if seat.role != "spectator" and ask.house.hall.sitters(ask.id).get(seat.id):
        raise Problem(409, f"{seat.title} is taken; vacate the seat to replace the player")
    secret = ask.house.hall.invite(ask.id, seat.id)
    return Invitation(seat.id, secret, f"{ask.base}/join/{secret}")


@endpoint("POST", T + "/seats/{seat}/vacate", "Empty a seat: its player, links and programs lose it at once")
def vacate(ask: Ask) -> SeatState:
    seat = ask.house.hall.seat(ask.id, ask.path["seat"])
    shared = seat.role == "spectator" or ask.sitter.program
    if shared or seat.id not in {mine.id for mine in ask.sitter.seats}:
        may_host(ask.sitter)
    ask.house.hall.vacate(ask.id, seat.id)
    _say(ask, ask.id, f"{seat.title} is free: {ask.sitter.person.name} vacated it")
    ask.house.switchboard.tell(ask.id, "seats", SeatsNews())
    return SeatState(seat.id, free=True)


@endpoint("POST", T + "/seats/{seat}/sit", "The host takes a free seat")
def sit(ask: Ask) -> SeatState:
    may_host(ask.sitter)
    seat = ask.house.hall.seat(ask.id, ask.path["seat"])
    ask.house.hall.sit(ask.id, seat.id, ask.sitter.person.id)
    _say(ask, ask.id, f"{ask.sitter.person.name} sat down: {seat.title}")
    ask.house.switchboard.tell(ask.id, "seats", SeatsNews())
    return SeatState(seat.id, free=False)


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: str
    label: Annotated[str, Meta(min_length=1, max_length=60)] = "program"


@endpoint("POST", T + "/tokens", "A token by which a program holds one of your seats", body=NewToken, status=201)
def token(ask: Ask) -> SeatToken:
    if ask.sitter.program:
        raise forbidden("a program cannot make tokens")
    if ask.body.seat not in {seat.id for seat in ask.sitter.seats}:
        raise forbidden("that seat is not yours")
    secret = ask.house.hall.new_token(ask.id, ask.body.seat, ask.sitter.person.id, ask.body.label)
    return SeatToken(ask.body.seat, secret)


# -- talk and notes -----------------------------------------------------------------------------------------------


@endpoint("GET", T + "/talk", "What was said at the table, as far as it was said to you")
def talk(ask: Ask) -> list[Line]:
    return [line for line in ask.house.hall.talk(ask.id) if ask.sitter.hears(line)]


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to say: to everybody, or to one seat alone."""

    text: Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S")]
    to: str = ""


@endpoint("POST", T + "/talk", "Say something, to all or to one seat", body=Say, status=201)
def say(ask: Ask) -> Line:
    hall = ask.house.hall
    # A host who gave every seat away still speaks, to all.
    seat = ask.sitter.seats[0] if ask.sitter.seats else SPECTATORS
    if ask.body.to:
        hall.seat(ask.id, ask.body.to)
        if ask.body.to == "spectators":
            raise forbidden("what spectators hear, everybody hears: say it to all")
        seat = may_play(ask.sitter)
    with ask.table() as table:
        move = table.game.head.id
    line = hall.say(ask.id, ask.body.text.strip(), seat=seat.id, name=ask.sitter.person.name, to=ask.body.to, move=move)
    ask.house.switchboard.tell(ask.id, "talk", line, line)
    return line


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(max_length=20000)]


@endpoint("GET", T + "/notes", "Your private notes; nobody else ever gets them")
def notes(ask: Ask) -> Note:
    return Note(ask.house.hall.note(ask.id, ask.sitter.person.id))


@endpoint("PUT", T + "/notes", "Write your private notes", body=Note)
def write_notes(ask: Ask) -> Note:
    ask.house.hall.write_note(ask.id, ask.sitter.person.id, ask.body.text)
    return Note(ask.body.text)


# -- reference ----------------------------------------------------------------------------------------------------


class Marked(msgspec.Struct, frozen=True):
    mark: Annotated[
        str, Meta(max_length=40, description="the version wanted: under its mark it may be kept forever")
    ] = ""


@endpoint(
    "GET",
    "/boards/{board}",
    "A board: hexes, sides, places, coast",
    who="anybody",
    query=Marked,
    tag="reference",
)
def one_board(ask: Ask) -> Answer[BoardData]:
    name = ask.path["board"]
    return Answer(board_data(name), kept=kept_board(name), forever=ask.query.mark == kept_board(name).mark)


@endpoint("GET", "/commands", "The commands there are, with their fields", who="anybody", query=Marked, tag="reference")
def commands(ask: Ask) -> Answer[list[CommandKind]]:
    kept = kept_commands()
    return Answer(list(command_kinds()), kept=kept, forever=ask.query.mark == kept.mark)


class Starts(msgspec.Struct, frozen=True):
    starts: Annotated[str, Meta(max_length=20)] = ""


@endpoint("GET", "/clauses", "Clauses by the beginning of their number", who="anybody", query=Starts, tag="reference")
def clauses(ask: Ask) -> ClausesFound:
    return clauses_starting(ask.query.starts)


@endpoint(
    "GET", "/clauses/{clause}", "A clause: its gist and the rules that carry it out", who="anybody", tag="reference"
)
def clause(ask: Ask) -> ClausePage:
    return clause_page(ask.path["clause"])


@endpoint("GET", "/figures", "The names under which figures are read and corrected", who="anybody", tag="reference")
def figures(ask: Ask) -> list[Listed]:
    return listed_figures()


@endpoint("GET", "/scenarios", "The scenarios with which a game can start", who="anybody", tag="reference")
def list_scenarios(ask: Ask) -> list[ScenarioLine]:
    return [ScenarioLine(s.name, s.title, s.turn) for s in scenarios().values()]


@endpoint("GET", "/options", "What can be agreed before the first turn", who="anybody", tag="reference")
def list_options(ask: Ask) -> list[starting.OptionField]:
    return list(starting.option_fields())
