"""The API of a game: see what can be done, try it, do it, take it back."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import takewhile
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.game import Conflict, Game, Refused, Undecidable
from warcabinet.game.engine import GameDecision, as_command, decide
from warcabinet.game.journal import Move
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands import REFEREE, AnyCommand
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import nation_named, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import unit_spelled
from warcabinet.web.hall.rights import Sitter, may_play, seat_for
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.map.hands import Lifted, lifted
from warcabinet.web.map.legal_places import LegalPlaces, legal_places, the_board
from warcabinet.web.orders.log_lines import MoveLine, move_line
from warcabinet.web.orders.offer_list import OfferLine
from warcabinet.web.orders.order_form import OrderForm, known_fields, order_form
from warcabinet.web.orders.preview import Preview
from warcabinet.web.orders.preview import preview as previewed
from warcabinet.web.orders.refusal_lines import refused_order
from warcabinet.web.orders.typed_line import TypedLine, typed_line
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.plumbing.stream import MoveNews, SeatsNews
from warcabinet.web.sheets.completing import Completion, completions
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.minders import go_to, mind
from warcabinet.web.table.passing_phases import decides
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.table.table_view import TableUpdate, TableView, shown, table_update, table_view
from warcabinet.web.turns import undoing
from warcabinet.web.turns.battles import keep_for_battle, keep_in_line
from warcabinet.web.turns.confirming import keep_for_confirmation
from warcabinet.web.turns.moments import keep_for_moment
from warcabinet.web.turns.readiness import (
    InHand,
    close_over,
    closes_alone,
    hands_of,
    not_ready,
    say_ready,
    take_in_hand,
)

Seq = Annotated[int, Meta(ge=0, le=2**31, description="how many events the sender had seen")]
At = Annotated[int, Meta(ge=1, le=2**31, description="a move: the position after it; absent: the latest")]
T = "/tables/{table}"
#: A moment that is not on the calendar: the next phase in which the seat has something to decide.
NEXT_DECISION = "my next decision"


class Moment(msgspec.Struct, frozen=True):
    at: At | None = None


class Since(msgspec.Struct, frozen=True):
    since: Annotated[str, Meta(max_length=60, description="the mark of the view that the page shows")] = ""


class Looked(Since, frozen=True):
    at: At | None = None


@endpoint("GET", T, "The table as this seat may see it, now or after any move")
def view(ask: Ask[Moment, None]) -> TableView:
    with ask.table() as table:
        return table_view(ask, table, ask.query.at)


@endpoint("GET", T + "/changes", "What changed since a view that the page shows, by its mark")
def changes(ask: Ask[Looked, None]) -> TableUpdate:
    with ask.table() as table:
        return table_update(ask, table, ask.query.since, ask.query.at)


@endpoint("GET", T + "/offers", "What this seat can do now, and what not, and why")
def offers(ask: Ask[None, None]) -> list[OfferLine]:
    with ask.table() as table:
        return list(shown(table, ask.sitter, None).offers)


class Narrow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of which some fields are known."""

    command: str
    known: dict[str, Any] = {}


@endpoint("POST", T + "/narrow", "The form of a command: what is left open when some fields are known")
def narrow(ask: Ask[None, Narrow]) -> OrderForm:
    with ask.table() as table:
        return order_form(table.game.state, ask.body.command, ask.body.known)


class Typed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    line: Annotated[str, Meta(max_length=400)]


@endpoint("POST", T + "/read", "A typed line as an order: what was understood, what not, and what could follow")
def read_line(ask: Ask[None, Typed]) -> TypedLine | None:
    with ask.table() as table:
        return typed_line(table.game.state, ask.body.line, ask.sitter.powers)


@endpoint("POST", T + "/complete", "What a line could become as it is typed: orders, places, countries, clauses")
def complete_line(ask: Ask[None, Typed]) -> list[Completion]:
    with ask.table() as table:
        return completions(table.game.state, ask.body.line, ask.sitter.powers)


class Places(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field that names a place, and what is known of the rest of its command."""

    command: str
    field: str
    known: dict[str, Any] = {}
    board: Literal["europe", "pacific"] = "europe"
    #: Only this place; otherwise every place of the board.
    place: Annotated[str, Meta(max_length=60)] = ""
    #: For units that are set up: how many of what, such as '2 infantry 1-3'.
    unit: Annotated[str, Meta(max_length=60)] = "infantry 1-3"


@endpoint("POST", T + "/places", "Where a command may name a place, and why not elsewhere")
def places(ask: Ask[None, Places]) -> LegalPlaces:
    body = ask.body
    with ask.table() as table:
        known = known_fields(body.command, body.known)
        one = the_board(body.board)
        return legal_places(table.game.state, body.command, known, body.field, one, body.unit, body.place)


class Lift(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units of a kind that are taken up by hand."""

    nation: Annotated[str, Meta(max_length=60)]
    unit: Annotated[str, Meta(max_length=60)]
    place: Annotated[str, Meta(max_length=60)]
    count: Annotated[int, Meta(ge=1, le=999)] = 1
    board: Literal["europe", "pacific"] = "europe"


@endpoint("POST", T + "/lift", "Where units that are taken up may be put down, and by which order")
def lift(ask: Ask[None, Lift]) -> Lifted:
    body = ask.body
    with ask.table() as table:
        nation = nation_named(body.nation)
        return lifted(
            table.game.state, nation, unit_spelled(body.unit), body.count, place_key(body.place), the_board(body.board)
        )


def _named(ask: Ask[object, AnyCommand], table: Table) -> Command:
    """The command in the name of the seat that may give it; any other seat is refused here."""
    return in_name(ask.sitter, table.game.state, ask.body)


def in_name(sitter: Sitter, state: State, command: Command) -> Command:
    command = as_command(command)
    seat = seat_for(sitter, state, command)
    return msgspec.structs.replace(command, seat=REFEREE if seat.role == "referee" else seat.id, minded="")


@endpoint("POST", T + "/preview", "Everything that would come of a command; nothing is done")
def preview(ask: Ask[None, AnyCommand]) -> Preview:
    with ask.table() as table:
        return previewed(table.game.state, _named(ask, table))


class Done(msgspec.Struct, frozen=True):
    """What was done, and, for a page that named the mark of its view, what changed by it."""

    moves: tuple[MoveLine, ...]
    seq: int
    head: int
    update: TableUpdate | None


def _tell_news(ask: AnyAsk, table: Table, moves: list[Move]) -> tuple[MoveLine, ...]:
    line = table.game.line()
    said = tuple(move_line(move, line) for move in moves)
    news = MoveNews(moves[-1].id, moves[-1].seq, moves[-1].seat, tuple(it.text for it in said))
    ask.server.switchboard.tell(table.id, "move", news)
    return said


def tell_moves(ask: AnyAsk, table: Table, moves: list[Move]) -> tuple[MoveLine, ...]:
    """Tell everybody that something was done; then those act who mind powers."""
    ask.server.metrics.count("orders")
    said = _tell_news(ask, table, moves)
    ask.server.herald.moved(table.id, ask.sitter.person.id)
    mind(ask.server, table)
    return said


def _told(ask: Ask[Since, object], table: Table, moves: list[Move]) -> Done:
    """Tell everybody that something was done, and the doer all about it."""
    said = tell_moves(ask, table, moves)
    return Done(said, table.game.seq, table.game.head.id, _update(ask, table))


def _before(ask: AnyAsk, table: Table, kind: type[Command] | None) -> list[Move]:
    """What this very request did already: it came twice, because its first answer was lost."""
    first = table.game.journal.keyed(ask.key) if ask.key else None
    if first is None:
        return []
    if (None if first.command is None else type(first.command)) is not kind:
        raise Problem(409, "this key was used for another request")
    if not first.batch:
        return [first]
    together = takewhile(lambda move: move.batch == first.batch, table.game.journal.moves(first.id, table.game.head.id))
    return list(together)


def _repeated(ask: Ask[Since, object], table: Table, moves: list[Move]) -> Done:
    """The answer to a request that was carried out already; whoever did may have ended before the others were told."""
    said = _tell_news(ask, table, moves)
    return Done(said, table.game.seq, table.game.head.id, _update(ask, table))


def _update(ask: Ask[Since, object], table: Table) -> TableUpdate | None:
    """What changed for the one who did it: the page need not ask again."""
    return table_update(ask, table, ask.query.since) if ask.query.since else None


def enter(ask: AnyAsk, table: Table, command: Command, batch: int = 0) -> Move:
    """Give a command in the name that it bears; what the rules say against it is told as the page shows it."""
    try:
        return table.game.do(command, batch=batch, key=ask.key)
    except Refused as refusal:
        ask.server.metrics.count("refusals")
        text = f"not allowed: {len(refusal.refusals)} reason{'s' if len(refusal.refusals) > 1 else ''}"
        raise Problem(422, text, refused=refused_order(table.game.state, command, refusal.ruling)) from None
    except Conflict as conflict:
        ask.server.metrics.count("conflicts")
        raise Problem(409, str(conflict), head=table.game.head.id, seq=table.game.seq) from None
    except Undecidable as question:
        raise Problem(409, str(question), question=True) from None


@endpoint("POST", T + "/do", "Give a command; what it needs is thrown, what follows is told to all")
def do(ask: Ask[Since, AnyCommand]) -> Done:
    with ask.table() as table:
        if done := _before(ask, table, type(as_command(ask.body))):
            return _repeated(ask, table, done)
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        command = _named(ask, table)
        if isinstance(command, Advance):
            keep_for_moment(ask.server.hall, table, ask.sitter)
        if isinstance(command, Advance) and (closed := say_ready(ask.server.hall, table, ask.sitter)) is not None:
            command = msgspec.structs.replace(command, minded=closed)
        elif isinstance(command, Advance):
            return _waiting_for_others(ask, table)
        move = enter(ask, table, command)
        not_ready(ask.server.hall, table, ask.sitter)
        return _told(ask, table, [move])


class To(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far to go: a moment such as 'Winter 1939, Allied, combat' or a phase; empty: the next decision."""

    to: Annotated[str, Meta(max_length=80)] = ""
    #: Why the host or the referee closes the phase though others are not ready.
    over: Annotated[str, Meta(max_length=200)] = ""
    seq_seen: Seq | None = None


@endpoint("POST", T + "/advance", "Go on to the next step where something is decided, or to a moment")
def advance(ask: Ask[Since, To]) -> Done:
    with ask.table() as table:
        game = table.game
        if done := _before(ask, table, Advance):
            return _repeated(ask, table, done)
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        keep_for_moment(ask.server.hall, table, ask.sitter)
        _seen(ask, table)
        seat = seat_for(ask.sitter, game.state, Advance())
        name = REFEREE if seat.role == "referee" else seat.id
        alone = closes_alone(ask.server.hall, table, ask.sitter)
        closed = _closed(ask, table)
        if closed is None:
            return _waiting_for_others(ask, table)
        try:
            if ask.body.to == NEXT_DECISION and alone:
                return _told(ask, table, _to_next_decision(ask, table, name, closed))
            # Where several close a phase together, they close this one and no other.
            to = reachable(ask.sitter, game, ask.body.to) if ask.body.to and alone else ""
            return _told(ask, table, _advanced(ask, table, to, name, ask.key, closed))
        except Refused as refusal:
            refused = refused_order(game.state, refusal.command, refusal.ruling)
            raise Problem(422, "the table cannot go on yet", refused=refused) from None
        except Undecidable as question:
            raise Problem(409, str(question), question=True) from None


def _closed(ask: Ask[Since, To], table: Table) -> str | None:
    """By whom the phase is closed if this sitter closes it or is ready; None while others are not."""
    hall = ask.server.hall
    if not ask.body.over.strip():
        return say_ready(hall, table, ask.sitter)
    closed = close_over(hall, table, ask.sitter, ask.body.over)
    line = hall.talk.say(table.id, f"{table.game.state.place.step.name} {closed}", move=table.game.head.id)
    ask.server.switchboard.tell(table.id, "talk", line, line)
    return closed


def _waiting_for_others(ask: Ask[Since, object], table: Table) -> Done:
    """Nothing moved: the seat is ready, and all see it."""
    ask.server.switchboard.tell(table.id, "seats", SeatsNews())
    ask.server.herald.moved(table.id, ask.sitter.person.id)
    return Done((), table.game.seq, table.game.head.id, _update(ask, table))


class Ready(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """That the own seats are ready to close the phase is said by going on, and taken back here."""

    seq_seen: Seq | None = None


@endpoint("POST", T + "/ready", "Not ready after all: the phase is not closed before one says so again")
def take_back_ready(ask: Ask[Since, Ready]) -> Done:
    with ask.table() as table:
        may_play(ask.sitter)
        not_ready(ask.server.hall, table, ask.sitter)
        return _waiting_for_others(ask, table)


class Hand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page holds: a counter, a form with something in it; empty: nothing."""

    what: Annotated[str, Meta(max_length=120)] = ""
    nation: Annotated[str, Meta(max_length=60)] = ""
    unit: Annotated[str, Meta(max_length=60)] = ""
    at: Annotated[str, Meta(max_length=60)] = ""


class Held(msgspec.Struct, frozen=True):
    """What counts as put back by now, because the page that held it gave no sign for long; told once."""

    put_back: str = ""


@endpoint("PUT", T + "/hand", "Say what one holds: a phase is not closed over a full hand")
def hold(ask: Ask[None, Hand]) -> Held:
    with ask.table() as table:
        may_play(ask.sitter)
        it, before = ask.body, hands_of(ask.server.hall, table.id)
        held = InHand(it.what.strip(), time.time(), it.nation, it.unit, it.at)
        put_back = take_in_hand(ask.server.hall, table, ask.sitter, held)
        if hands_of(ask.server.hall, table.id) != before:
            ask.server.switchboard.tell(table.id, "seats", SeatsNews())
        return Held(put_back)


class Reminded(msgspec.Struct, frozen=True):
    """Who was reminded."""

    people: tuple[str, ...]


@endpoint("POST", T + "/remind", "Remind those for whom the table waits: in the talk, and as they wish to be told")
def remind(ask: Ask[None, None]) -> Reminded:
    hall = ask.server.hall
    may_play(ask.sitter)
    ask.server.herald.look()
    sitting, mine = hall.sitters(ask.id), {it.id for it in ask.sitter.seats}
    rows = [it for it in hall.notices.waiting([ask.id]) if it.seat not in mine and sitting.get(it.seat)]
    if not rows:
        raise Problem(409, "the table waits for nobody but you")
    for row in rows:
        hall.notices.post(row, {it.id for it in sitting[row.seat]})
    names = tuple(it.name for row in rows for it in sitting[row.seat])
    said = f"{ask.sitter.person.name} reminds {' and '.join(names)}: {rows[0].text or 'it is your move'}"
    line = hall.talk.say(ask.id, said)
    ask.server.switchboard.tell(ask.id, "talk", line, line)
    return Reminded(names)


def _seen(ask: Ask[object, To | Orders | Seen], table: Table) -> None:
    """Refuse whoever had not seen all that happened, and so may mean another position."""
    try:
        table.game.has_seen(ask.body.seq_seen)
    except Conflict:
        ask.server.metrics.count("conflicts")
        head = table.game.head
        raise Problem(409, "something happened meanwhile: look again", head=head.id, seq=head.seq) from None


def _advanced(ask: AnyAsk, table: Table, to: str, seat: str, key: str, closed: str = "") -> list[Move]:
    """Go on; the steps that were taken before one that was refused stay, and are told."""
    start = table.game.head.id
    try:
        return go_to(ask.server, table, to, seat, key, closed)
    except (Refused, Undecidable):
        done = list(table.game.journal.moves(start + 1, table.game.head.id))
        if not done:
            raise
        return done


def _to_next_decision(ask: AnyAsk, table: Table, seat: str, closed: str) -> list[Move]:
    """Go on phase by phase until this seat has something to decide, or the other side's player turn begins."""
    part, done = table.game.state.place.part, list(_advanced(ask, table, "", seat, ask.key, closed))
    while not mind(ask.server, table) and table.game.state.place.part == part and not decides(ask.sitter, table):
        try:
            done += _advanced(ask, table, "", seat, "", closed)
        except (Refused, Undecidable):
            break
    return done


def reachable(sitter: Sitter, game: Game, to: str) -> str:
    """The moment meant. Nobody leaps over decisions of the other side: at most to the start of its player turn."""
    turn, step = calendar.split(game.state.moment)
    part = game.state.place.part
    try:
        target = calendar.parse_moment(to)
    except WarCabinetError:
        target = _phase(game, to)
    if target <= game.state.moment or target > calendar.moment(turn + 8, 0):
        raise Problem(400, f"{calendar.moment_name(target)} is not ahead within two years")
    beyond = next((i for i, place in enumerate(calendar.steps()) if i > step and place.part != part), None)
    # After the Allied player turn the next season begins; a year start on the way decides nothing.
    limit = (
        calendar.moment(turn, beyond) if beyond is not None else calendar.moment(turn + 1, calendar.first_step("axis"))
    )
    sides = {powers()[p].player for p in sitter.powers}
    if target > limit and len(sides) < 2 and sitter.referee is None:
        raise forbidden("that lies beyond the other side's decisions; go on to the end of your player turn")
    return calendar.moment_name(target)


def _phase(game: Game, name: str) -> int:
    """A phase of the player turn under way, by its name."""
    try:
        return calendar.moment(game.state.turn, calendar.step_index(game.state.place.part, name))
    except WarCabinetError as error:
        raise Problem(400, str(error)) from None


class Orders(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Orders that are given together: all of them, or none."""

    orders: Annotated[tuple[AnyCommand, ...], Meta(min_length=1, max_length=60)]
    seq_seen: Seq | None = None


@endpoint("POST", T + "/do-all", "Give several orders together: all of them, or none")
def do_all(ask: Ask[Since, Orders]) -> Done:
    with ask.table() as table:
        game = table.game
        if done := _before(ask, table, type(ask.body.orders[0])):
            return _repeated(ask, table, done)
        keep_to_its_rules(ask)
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        _seen(ask, table)
        orders = [in_name(ask.sitter, game.state, command) for command in ask.body.orders]
        for order in orders:
            game.has_seen(order.seq_seen)
        moves = game.enter_all(try_all(game, orders), ask.key)
        not_ready(ask.server.hall, table, ask.sitter)
        return _told(ask, table, moves)


def try_all(game: Game, orders: list[Command]) -> list[tuple[Command, GameDecision]]:
    """Judge them one after the other; the first that cannot be done is named, and nothing happens."""
    judged: list[tuple[Command, GameDecision]] = []
    state = game.state
    for index, command in enumerate(orders):
        ruling = decide(state, command, tell=True)
        if ruling.refusals:
            text = f"order {index + 1} of {len(orders)} is not allowed; none was given"
            raise Problem(422, text, refused=refused_order(state, command, ruling), index=index)
        if ruling.needs is not None:
            raise Problem(409, f"order {index + 1} needs an answer first: give it by itself", index=index)
        judged.append((command, ruling))
        state = ruling.state
    return judged


class UndoOutcome(msgspec.Struct, frozen=True):
    """Whether it was undone or done again, or the others are asked; and what changed by it."""

    done: bool
    asked: bool
    reason: str
    head: int
    seq: int
    update: TableUpdate | None


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the page had seen: how many events. What happened since is not taken back unseen."""

    seq_seen: Seq | None = None


@endpoint("POST", T + "/undo", "Take back the last command, or ask for consent where it is not free")
def undo(ask: Ask[Since, Seen]) -> UndoOutcome:
    return _jumped(ask, lambda table: undoing.undo(ask.server.hall, table, ask.sitter, ask.key))


@endpoint("POST", T + "/redo", "Do again what was undone last")
def redo(ask: Ask[Since, Seen]) -> UndoOutcome:
    return _jumped(ask, lambda table: undoing.redo(ask.server.hall, table, ask.sitter, ask.key))


class Consent(Seen, frozen=True, forbid_unknown_fields=True, kw_only=True):
    agree: bool


@endpoint("POST", T + "/consent", "Agree to an undo that waits, or not")
def consent(ask: Ask[Since, Consent]) -> UndoOutcome:
    def answer(table: Table) -> undoing.Undone:
        return undoing.consent(ask.server.hall, table, ask.sitter, ask.body.agree, ask.key)

    return _jumped(ask, answer, in_battle=True)


def _jumped(ask: Ask[Since, Seen], jump: Callable[[Table], undoing.Undone], in_battle: bool = False) -> UndoOutcome:
    with ask.table() as table:
        if _before(ask, table, None):
            head = table.game.head
            return UndoOutcome(True, False, "", head.id, head.seq, _update(ask, table))
        if not in_battle:
            keep_for_battle(ask.server.hall, table, ask.sitter)
        _seen(ask, table)
        outcome = jump(table)
        keep_in_line(ask.server.hall, table)
        return _after_undo(ask, table, outcome)


def _after_undo(ask: Ask[Since, object], table: Table, outcome: undoing.Undone) -> UndoOutcome:
    head = table.game.head
    if outcome.done:
        news = MoveNews(head.id, head.seq, head.seat, (move_line(head, table.game.line()).text,))
        ask.server.switchboard.tell(table.id, "move", news)
    else:
        ask.server.switchboard.tell(table.id, "seats", SeatsNews())
    ask.server.herald.moved(table.id, ask.sitter.person.id)
    return UndoOutcome(outcome.done, outcome.asked, outcome.reason, head.id, head.seq, _update(ask, table))
