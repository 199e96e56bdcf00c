"""The API of the books: lines in a player's words, read as they are typed and given all together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet.figures.written import position_text
from warcabinet.game import Refused
from warcabinet.game.engine import decide
from warcabinet.game.entering import Entered, Entering, Understood, belongs_back, belongs_later, instead_of, understood
from warcabinet.game.journal import Move
from warcabinet.game.typed.entries import Asked, completed, parts
from warcabinet.house.books_alone import Question, questions
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import REFEREE, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.economy.spending import construction_left
from warcabinet.store.workbook import MOST_BYTES
from warcabinet.views.tables import TABLES
from warcabinet.web.api.api_play import in_name, reachable, tell_moves
from warcabinet.web.hall.rights import Sitter, seat_for
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.as_typed import as_typed
from warcabinet.web.orders.log_lines import MoveLine
from warcabinet.web.orders.order_words import command_words
from warcabinet.web.orders.preview import FigureChange, Preview
from warcabinet.web.orders.preview import preview as previewed
from warcabinet.web.orders.refusal_lines import RefusalLine, refused_order
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.sheets.books_sheet import BooksSheet, books_sheet
from warcabinet.web.table.brought import sheet_brought
from warcabinet.web.table.endpoints import Answer, Ask, endpoint
from warcabinet.web.table.minders import go_to
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.table.reckoning import reckoned
from warcabinet.web.turns.battles import keep_for_battle
from warcabinet.web.turns.confirming import keep_for_confirmation
from warcabinet.web.turns.moments import keep_for_moment
from warcabinet.web.turns.readiness import closes_alone, not_ready, say_ready, waited_for

LEFT = "left of the limit (39.31)"
T = "/tables/{table}"
CSV, YAML = "text/csv; charset=utf-8", "text/plain; charset=utf-8"
Line = Annotated[str, Meta(max_length=2000)]
Chosen = Annotated[str, Meta(max_length=20, description="the power that is meant where a line names none")]


@endpoint("GET", T + "/books", "The books of a table: the turn, the powers, what falls due, the next year")
def books(ask: Ask[None, None]) -> BooksSheet:
    with ask.table() as table:
        return books_sheet(table.game, ask.sitter.powers)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@endpoint("GET", T + "/sheets.xlsx", "Ledger, powers by turn, force pools and agenda as one workbook", media=XLSX)
def workbook(ask: Ask[None, None]) -> Answer[bytes]:
    return Answer(reckoned(ask, "workbook"), filename="books.xlsx")


@endpoint("GET", T + "/sheets/{sheet}", "One of these tables as CSV: ledger, powers, pools, agenda", media=CSV)
def sheet(ask: Ask[None, None]) -> Answer[str]:
    name = ask.path["sheet"].removesuffix(".csv")
    if name not in TABLES:
        raise not_found("such table")
    return Answer(reckoned(ask, "sheet", name), filename=f"{name}.csv")


class OwnSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of a player's own, CSV or XLSX; JSON carries it in base 64."""

    data: Annotated[bytes, Meta(max_length=MOST_BYTES)]


@endpoint(
    "POST",
    "/setup/sheet",
    "A player's own sheet, CSV or XLSX, as a position file",
    who="anybody",
    tag="setup",
    media=YAML,
)
def own_sheet(ask: Ask[None, OwnSheet]) -> Answer[str]:
    position = sheet_brought(ask.server.readers, ask.who, ask.body.data)
    return Answer(position_text(position), filename="position.yaml")


class EntryTyped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: Line
    power: Chosen = ""


class EntryRead(msgspec.Struct, frozen=True):
    """A line as it is understood, and what would come of it; or what is asked back."""

    understood: bool
    allowed: bool
    #: The order in words, and the command that it is.
    sentence: str = ""
    command: str = ""
    changes: tuple[FigureChange, ...] = ()
    refusals: tuple[RefusalLine, ...] = ()
    #: What is asked back, and lines that would be right.
    asks: str = ""
    right: tuple[str, ...] = ()
    #: What the players answer for themselves: whoever gives the line says yes.
    asked: tuple[Question, ...] = ()
    #: The moment to which the line belongs, where it only comes too early: it can be kept for that.
    later: str = ""
    #: The phase of this turn to which it belonged: the referee may enter it there.
    back: str = ""
    #: Other readings, as lines that are understood as just that; and the line with its last words completed, as long
    #: as it cannot be given.
    readings: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()


@endpoint("POST", T + "/entries/read", "A line in a player's words: how it is understood, and what would come of it")
def read_entry(ask: Ask[None, EntryTyped]) -> EntryRead:
    read = _read(ask)
    return read if read.allowed else msgspec.structs.replace(read, endings=completed(ask.body.line))


def _read(ask: Ask[None, EntryTyped]) -> EntryRead:
    with ask.table() as table:
        entry, line = instead_of(ask.body.line)
        if entry:
            return _corrects(ask, table, entry, line)
        said: list[Command] = []
        try:
            read = _read_here(ask, table.game.state, said)
        except Asked as asked:
            return EntryRead(False, False, asks=asked.text, right=asked.right)
        except WarCabinetError as error:
            return EntryRead(False, False, asks=str(error))
        except Problem as problem:
            # What somebody else commands may still be the referee's to enter back.
            if ask.sitter.referee is None:
                raise
            read = EntryRead(True, False, asks=problem.text)
        if not read.allowed and (passed := belongs_back(table.game, said)):
            return _with_place(ask.sitter, read, passed.moment)
    return read


def _corrects(ask: Ask[None, EntryTyped], table: Table, entry: int, line: str) -> EntryRead:
    """What is said instead of an entry: the words of it; what came after is judged when it is given."""
    if ask.sitter.referee is None:
        return EntryRead(False, False, asks="the referee corrects what was entered; the last entry is undone by Undo")
    try:
        move = Entering(table.game).entry(entry)
        before = table.game.journal.state_at(move.before)
        said = "; ".join(command_words(understood(before, it, ask.body.power).command) for it in parts(line) if line)
    except WarCabinetError as error:
        return EntryRead(False, False, asks=str(error), right=getattr(error, "right", ()))
    return EntryRead(True, True, f"Instead of entry {entry}: {said}" if said else f"Entry {entry} is taken out")


def _read_here(ask: Ask[None, EntryTyped], state: State, said: list[Command]) -> EntryRead:
    """What comes of a line, part by part; what is understood of it is put down in `said`."""
    read: EntryRead | None = None
    for part in parts(ask.body.line):
        meant = understood(state, part, ask.body.power)
        said.append(meant.command)
        command = in_name(ask.sitter, state, meant.command)
        after = decide(state, command).state
        limits = _limits_left(state, after)
        one = _entry_read(meant, previewed(state, command), questions(state, command), limits)
        if one.refusals:
            one = msgspec.structs.replace(one, later=belongs_later(state, command))
        if meant.others:
            one = msgspec.structs.replace(one, readings=tuple(as_typed(state, it) for it in meant.others))
        read = _then(read, one)
        state = after
    assert read is not None
    return read


def _with_place(sitter: Sitter, read: EntryRead, moment: str) -> EntryRead:
    """A line whose phase is past: the referee may enter it there, and others are told so."""
    if sitter.referee is not None:
        return msgspec.structs.replace(read, back=moment)
    return msgspec.structs.replace(read, asks=f"its phase, {moment}, is past: the referee may enter it back")


def _limits_left(before: State, after: State) -> tuple[FigureChange, ...]:
    """What is left of construction limits and would be less."""
    if before.step != after.step:
        return ()
    left = ((power, construction_left(before, power), construction_left(after, power)) for power in powers())
    return tuple(FigureChange(power, LEFT, was, now) for power, was, now in left if was != now)


def _entry_read(
    meant: Understood, shown: Preview, asked: tuple[Question, ...], limits: tuple[FigureChange, ...]
) -> EntryRead:
    sentence = f"On to {meant.to}" if meant.to else command_words(meant.command)
    refusals = shown.refused.refusals if shown.refused is not None else ()
    command = name_of(type(meant.command))
    return EntryRead(True, shown.accepted, sentence, command, shown.changes + limits, refusals, asked=asked)


def _then(first: EntryRead | None, read: EntryRead) -> EntryRead:
    """A line that says several things: all of it in words, and what becomes of each figure in the end."""
    if first is None:
        return read
    changes = {(it.power, it.figure): it for it in first.changes}
    for it in read.changes:
        was = changes.get((it.power, it.figure), it).was
        changes[it.power, it.figure] = msgspec.structs.replace(it, was=was)
    return msgspec.structs.replace(
        first,
        allowed=first.allowed and read.allowed,
        sentence=f"{first.sentence}; {read.sentence}",
        changes=tuple(changes.values()),
        refusals=first.refusals + read.refusals,
        asked=tuple(dict.fromkeys(first.asked + read.asked)),
        later=first.later or read.later,
        readings=(),
    )


class Lines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lines: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=100)]
    power: Chosen = ""
    #: One line is entered in the phase of this turn to which it belonged, and what followed it once more.
    back: bool = False


class EntriesGiven(msgspec.Struct, frozen=True):
    """How many lines were given, by which moves; and of the first that was not, why, and what would be right."""

    given: int
    moves: tuple[MoveLine, ...]
    line: str = ""
    asks: str = ""
    right: tuple[str, ...] = ()
    refusals: tuple[RefusalLine, ...] = ()
    #: The moment to which that line belongs, where it only comes too early, or too late in this turn.
    later: str = ""
    back: str = ""


@endpoint("POST", T + "/entries", "Give lines in a player's words: those between two steps all together, or none")
def give_entries(ask: Ask[None, Lines]) -> EntriesGiven:
    with ask.table() as table:
        game, before = table.game, table.game.head.id
        keep_to_its_rules(ask)
        desk = _Desk(ask, table)
        entering = Entering(game, desk.named, desk.go_on, ask.key)
        back = ask.body.back or any(instead_of(it)[0] for it in ask.body.lines)
        made = desk.back(entering) if back else entering.enter(ask.body.lines, ask.body.power)
        if desk.forbids is not None and not made.moves:
            raise desk.forbids
        new = [move for move in made.moves if move.id > before]
        if any(not isinstance(move.command, Advance) for move in new):
            not_ready(ask.server.hall, table, ask.sitter)
        said = tell_moves(ask, table, new) if new else ()
        refused = made.refused
        return EntriesGiven(
            given=made.given,
            moves=said,
            line=made.line,
            asks="" if refused is not None else made.text,
            right=made.right,
            refusals=_reasons(game.state, refused) if refused is not None else (),
            later=made.later,
            back=made.back if ask.sitter.referee is not None else "",
        )


def _reasons(state: State, refused: Refused) -> tuple[RefusalLine, ...]:
    return refused_order(state, refused.command, refused.ruling).refusals


class _Desk:
    """A sitter's rights over the lines that are given: what is not theirs to give stops the lines, in words."""

    def __init__(self, ask: Ask[None, Lines], table: Table) -> None:
        self.ask, self.table = ask, table
        self.forbids: Problem | None = None

    def named(self, state: State, command: Command) -> Command:
        with self._in_words():
            return in_name(self.ask.sitter, state, command)

    def back(self, entering: Entering) -> Entered:
        """Enter a line where it was forgotten: the referee's right, for whichever power it is."""
        ask, referee = self.ask, self.ask.sitter.referee
        if referee is None:
            raise forbidden(f"a phase is past: the referee may enter it back; you hold: {ask.sitter.title}")
        if len(ask.body.lines) != 1:
            raise Problem(400, "one line is entered back at a time")
        keep_for_confirmation(ask.server.hall, self.table, ask.sitter)
        entering.named = lambda state, command: msgspec.structs.replace(command, seat=REFEREE)
        made = entering.enter_back(ask.body.lines[0], ask.body.power, REFEREE)
        if made.back:
            said = f"{referee.title} entered at {made.back}: {ask.body.lines[0]}; what followed is judged anew"
            ask.server.hall.talk.say(self.table.id, said, move=self.table.game.head.id)
        return made

    def go_on(self, to: str, key: str) -> list[Move]:
        """Go on, or be ready for it where others share the phase: then this one closes with the last of them."""
        server, table, sitter = self.ask.server, self.table, self.ask.sitter
        with self._in_words():
            keep_for_battle(server.hall, table, sitter)
            keep_for_moment(server.hall, table, sitter)
            seat, alone = seat_for(sitter, table.game.state, Advance()), closes_alone(server.hall, table, sitter)
            closed = say_ready(server.hall, table, sitter)
            if closed is None:
                server.switchboard.tell(table.id, "seats", SeatsNews())
                server.herald.moved(table.id, sitter.person.id)
                raise WarCabinetError(f"you are ready; the phase closes when all are: {waited_for(server.hall, table)}")
            there = reachable(sitter, table.game, to) if to and alone else ""
            return go_to(server, table, there, REFEREE if seat.role == "referee" else seat.id, key, closed)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            keep_for_confirmation(self.ask.server.hall, self.table, self.ask.sitter)
            yield
        except Problem as problem:
            self.forbids = problem
            raise WarCabinetError(problem.text) from None
