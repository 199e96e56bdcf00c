"""The API of great moments: the sheet of one, its lines given by one press each, confirmed, worded, let go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from warcabinet.game import Refused, Undecidable
from warcabinet.game.journal import Move
from warcabinet.house.moments import Said, stack_id
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import REFEREE
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.politics import ReportMoment
from warcabinet.model.places import place_called, place_key
from warcabinet.views.moments import Fact, batch_of, commands_of, sheet_named
from warcabinet.web.api.api_hall import say_to_all
from warcabinet.web.api.api_play import Since, T, tell_moves
from warcabinet.web.hall.rights import may_play
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.log_lines import MoveLine, amount_of
from warcabinet.web.orders.refusal_lines import refused_order
from warcabinet.web.plumbing.problems import Problem
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.table.endpoints import Ask, endpoint
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.table.table_view import TableUpdate, table_update
from warcabinet.web.turns import moments
from warcabinet.web.turns.battles import keep_for_battle
from warcabinet.web.turns.moments import MomentStand

Which = Annotated[str, Meta(max_length=60, description="a great moment, such as 'fall of France'")]
Words = Annotated[str, Meta(max_length=120)]


class MomentQuery(msgspec.Struct, frozen=True):
    moment: Which


class MomentStack(msgspec.Struct, frozen=True):
    """Counters that still stand, by which a part of them is named."""

    id: str
    nation: str
    unit: str
    count: int
    place: str


class MomentRow(msgspec.Struct, frozen=True):
    """A line: what it is about, its clause, whose it is, how much waits, and the choices."""

    id: str
    title: str
    clause: str
    whose: tuple[str, ...]
    open: bool
    presses: tuple[str, ...]
    stacks: tuple[MomentStack, ...]
    places: tuple[str, ...]
    asks: str
    land: str
    level: int
    #: Settled by word, which may be taken back.
    worded: bool


class MomentFact(msgspec.Struct, frozen=True):
    """What a moment brought by rule; the BRPs that it moved open to their sum by the number of its event."""

    text: str
    clause: str
    kind: str
    amount: int | None
    number: int | None
    #: What falls due: its item, by which its sum opens.
    due: str


def _fact(it: Fact, move: Move) -> MomentFact:
    amount = (it.amount or None) if it.number is None else amount_of(move.records[it.number])
    return MomentFact(it.text, it.clause, it.kind, amount, it.number, it.due)


class MomentPage(msgspec.Struct, frozen=True):
    """A great moment: what came of it by rule, its lines, its headline, and who has confirmed it; null: it is over."""

    id: str
    title: str
    move: int
    turn: str
    facts: tuple[MomentFact, ...]
    lines: tuple[MomentRow, ...]
    #: The hexes of the country that it is about.
    land: tuple[str, ...]
    #: The facts, the lines and what holds from now on as parts of a page.
    drawn: dict[str, str]
    headline: str
    #: Whether one undo still takes back all of it.
    one_undo: bool
    stand: MomentStand | None


@endpoint("GET", T + "/moment", "A great moment: what the rules did at once, and the lines that are open")
def moment_page(ask: Ask[MomentQuery, None]) -> MomentPage:
    with ask.table() as table:
        return _page(ask, table, ask.query.moment)


def _page(ask: Ask[MomentQuery, None], table: Table, moment: str) -> MomentPage:
    try:
        sheet = table.once(("moment", table.game.head.id, moment), lambda: sheet_named(table.game, moment))
    except WarCabinetError as error:
        raise Problem(404, str(error)) from None
    hall = ask.server.hall
    stand = next((it for it in moments.moments_at(hall, table, ask.sitter) if it.id == moment), None)
    waits = {it.id for it in sheet.waits}
    lines = tuple(
        MomentRow(
            id=it.id,
            title=it.title,
            clause=it.clause,
            whose=it.whose,
            open=it.id in waits,
            presses=tuple(one.label for one in it.presses),
            stacks=tuple(MomentStack(stack_id(s), s.nation, s.unit, s.count, s.place) for s in it.stacks),
            places=it.places,
            asks=it.asks,
            land=it.land,
            level=it.level,
            worded=it.worded,
        )
        for it in sheet.lines
    )
    headline = moments.word_on(hall, table, moment).headline if not sheet.closed else ""
    undo = bool(batch_of(table.game, sheet.move))
    worded = headline or sheet.headline
    move = table.game.journal.move(sheet.move)
    facts = tuple(_fact(it, move) for it in sheet.facts)
    known: dict[str, Any] = {"move": sheet.move, "facts": facts, "lines": lines, "at": place_called}
    known["concerned"] = stand is not None and stand.concerned
    parts = {part: drawn("sheet-moment.html", part=part, **known) for part in ("facts", "lines", "since")}
    return MomentPage(
        sheet.id, sheet.title, sheet.move, sheet.turn, facts, lines, sheet.land, parts, worded, undo, stand
    )


class OfMoment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    moment: Which


class LineGiven(OfMoment, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A press of a line: which choice, and what is said with it: some of its counters, places, a number."""

    line: Annotated[str, Meta(max_length=60)]
    press: Annotated[str, Meta(max_length=60)] = ""
    stacks: Annotated[tuple[Annotated[str, Meta(max_length=80)], ...], Meta(max_length=200)] = ()
    places: Annotated[tuple[Annotated[str, Meta(max_length=60)], ...], Meta(max_length=300)] = ()
    level: Annotated[int, Meta(ge=-200, le=200)] | None = None
    #: The word on the line is taken back: it waits again.
    reopen: bool = False


class MomentDone(msgspec.Struct, frozen=True):
    """What came of it: the moves, and what changed for the page."""

    moves: tuple[MoveLine, ...]
    update: TableUpdate


@endpoint("POST", T + "/moment/line", "Give what a line of a great moment proposes: ordinary commands, all or none")
def give_line(ask: Ask[Since, LineGiven]) -> MomentDone:
    it = ask.body
    with ask.table() as table:
        keep_to_its_rules(ask)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        moments.may_speak(ask.server.hall, table, ask.sitter, it.moment)
        try:
            said = Said(it.stacks, tuple(map(place_key, it.places)), it.level)
            commands = (
                [ReportMoment(moment=it.moment, line=it.line, reopen=True)]
                if it.reopen
                else commands_of(table.game, it.moment, it.line, it.press, said)
            )
        except WarCabinetError as error:
            raise Problem(404, str(error)) from None
        moves = _given(ask, table, it.moment, commands)
        moments.changed(ask.server.hall, table, it.moment)
        return MomentDone(tell_moves(ask, table, moves), table_update(ask, table, ask.query.since))


def _given(ask: Ask[Since, Any], table: Table, moment: str, commands: Sequence[Command]) -> list[Move]:
    """Give commands in the name of the seat that speaks, under one undo with the moment while nothing came between."""
    seat = may_play(ask.sitter)
    name = REFEREE if seat.role == "referee" else seat.id
    game = table.game
    batch = batch_of(game, sheet_named(game, moment).move)
    try:
        return game.do_all([replace(it, seat=name) for it in commands], batch, ask.key)
    except Refused as refusal:
        refused = refused_order(game.state, refusal.command, refusal.ruling)
        raise Problem(422, "not allowed; nothing was given", refused=refused) from None
    except Undecidable as question:
        raise Problem(409, str(question), question=True) from None


@endpoint("POST", T + "/moment/confirm", "Confirm a great moment for the seats that one holds; with the last it closes")
def confirm_moment(ask: Ask[Since, OfMoment]) -> MomentDone:
    with ask.table() as table:
        hall, moment = ask.server.hall, ask.body.moment
        if moments.confirm(hall, table, ask.sitter, moment):
            says = moments.word_on(hall, table, moment).headline
            moves = _given(ask, table, moment, [ReportMoment(moment=moment, says=says)])
            return MomentDone(tell_moves(ask, table, moves), table_update(ask, table, ask.query.since))
        return _told(ask, table)


class Headline(OfMoment, frozen=True, forbid_unknown_fields=True, kw_only=True):
    headline: Words


@endpoint("POST", T + "/moment/headline", "Word the headline of a great moment for the chronicle")
def word_headline(ask: Ask[Since, Headline]) -> MomentDone:
    with ask.table() as table:
        hall, it = ask.server.hall, ask.body
        may_play(ask.sitter)
        moments.stand_of(hall, table, ask.sitter, it.moment)
        word = moments.word_on(hall, table, it.moment)
        moments.keep_word(hall, table, it.moment, replace(word, headline=it.headline.strip()))
        return _told(ask, table)


@endpoint("POST", T + "/moment/open", "Let the phase go on with lines of a great moment open")
def let_go_on(ask: Ask[Since, OfMoment]) -> MomentDone:
    with ask.table() as table:
        moments.let_go_on(ask.server.hall, table, ask.sitter, ask.body.moment)
        stand = moments.stand_of(ask.server.hall, table, ask.sitter, ask.body.moment)
        open_ = f", {stand.open} of {stand.lines} lines open" if stand.open else ""
        say_to_all(ask, ask.id, f"{ask.sitter.person.name} lets the phase go on: {stand.title}{open_}")
        return _told(ask, table)


def _told(ask: Ask[Since, object], table: Table) -> MomentDone:
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    ask.server.herald.moved(ask.id, ask.sitter.person.id)
    return MomentDone((), table_update(ask, table, ask.query.since))
