"""The API of those who mind powers: stewards and standing orders, and advice for the moment."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from warcabinet.kernel.why import quietly
from warcabinet.model.names import power_named, powers
from warcabinet.model.reading import as_written
from warcabinet.model.state import State
from warcabinet.plans.form import LARGEST
from warcabinet.plans.intake import SHORT
from warcabinet.plans.lines import OneLine, as_standing_order, with_line
from warcabinet.plans.minding import Advice, NoAnswer, advised
from warcabinet.rules.economy.base import keeps_brps, level, next_base
from warcabinet.rules.economy.year_start import year_total
from warcabinet.web.api.api_hall import say_to_all
from warcabinet.web.api.api_play import T
from warcabinet.web.hall.minder_book import Minder, Mode
from warcabinet.web.hall.rights import may_host
from warcabinet.web.orders.log_lines import move_line
from warcabinet.web.orders.order_words import command_words
from warcabinet.web.plumbing.problems import Problem, forbidden
from warcabinet.web.plumbing.stream import MoveNews, SeatsNews
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.minders import give_for, mind, seat_of
from warcabinet.web.table.pinned import keep_to_its_rules
from warcabinet.web.turns.battles import keep_for_battle
from warcabinet.web.turns.confirming import keep_for_confirmation
from warcabinet.web.turns.standing import program_of

Text = Annotated[str, Meta(max_length=LARGEST)]


class MinderLine(msgspec.Struct, frozen=True):
    """A power that is minded, or could be: by what, whether it acts or only shows, and whether it has stopped."""

    power: str
    name: str
    seat: str
    minded: bool
    own_plan: bool
    mode: str
    by: str
    stopped: str
    #: Whether the reader may set or lift it.
    mine: bool
    text: str


def minder_lines(ask: AnyAsk) -> tuple[MinderLine, ...]:
    hall = ask.server.hall
    minders = {it.power: it for it in hall.minders.at(ask.id)}
    return tuple(_minder_line(ask, power, minders.get(power)) for power in powers())


def _minder_line(ask: AnyAsk, power: str, minder: Minder | None) -> MinderLine:
    seat = seat_of(power, ask.server.hall.seats(ask.id))
    mine = power in ask.sitter.powers or (ask.sitter.host and not _taken(ask, power))
    return MinderLine(
        power,
        powers()[power].name,
        seat.title if seat else "",
        minder is not None,
        bool(minder and minder.text),
        minder.mode if minder else "",
        minder.by if minder else "",
        minder.stopped if minder else "",
        mine,
        minder.text if minder and power in ask.sitter.powers else "",
    )


def _taken(ask: AnyAsk, power: str) -> bool:
    seat = seat_of(power, ask.server.hall.seats(ask.id))
    return seat is not None and bool(ask.server.hall.sitters(ask.id).get(seat.id))


class Mind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let a power be minded: by its steward, or by a standing order; acting, or only showing what it would do."""

    text: Text = ""
    mode: Mode = "act"


@endpoint("PUT", T + "/minders/{power}", "Leave a power to its steward or to a standing order", programs=False)
def set_minder(ask: Ask[None, Mind]) -> list[MinderLine]:
    return _left(ask, _to_be_minded(ask), ask.body.text, ask.body.mode)


@endpoint(
    "POST",
    T + "/minders/{power}/line",
    "Leave a power to a plan of one line: build, mobilize, grant like this; pass until",
    programs=False,
)
def leave_a_line(ask: Ask[None, OneLine]) -> list[MinderLine]:
    power = _to_be_minded(ask)
    minder = _minder_of(ask, power)
    return _left(ask, power, with_line(minder.text if minder else "", power, ask.body), "act")


def _left(ask: AnyAsk, power: str, text: str, mode: Mode) -> list[MinderLine]:
    """Leave a power to a standing order, or without a text to its steward; it acts at once."""
    text = _standing(ask, text)
    ask.server.hall.minders.set(ask.id, Minder(power, text, mode, ask.sitter.person.name, 0.0))
    what = "a standing order" if text else "its steward"
    _tell(ask, f"{powers()[power].name} is left to {what} by {ask.sitter.person.name}")
    with ask.table() as table:
        mind(ask.server, table)
    return list(minder_lines(ask))


def _standing(ask: AnyAsk, text: str) -> str:
    """A standing order as it can be left, read in its turn; the steward has no text."""
    if len(text) > SHORT:
        raise Problem(400, f"a standing order has {len(text):,} letters; it has at most {SHORT:,}")
    with ask.server.readers.turn(ask.sitter.person.id):
        return as_standing_order(text) if text else ""


def _minder_of(ask: AnyAsk, power: str) -> Minder | None:
    return next((it for it in ask.server.hall.minders.at(ask.id) if it.power == power), None)


class GivenFor(msgspec.Struct, frozen=True):
    """How many orders were given for a power."""

    orders: int


@endpoint("POST", T + "/minders/{power}/give", "Give the orders that a power's minder shows", programs=False)
def give_minded(ask: Ask[None, None]) -> GivenFor:
    power = _to_be_minded(ask)
    minder = _minder_of(ask, power)
    if minder is None:
        raise Problem(409, f"nobody minds {powers()[power].name}: leave it to its steward or a standing order first")
    keep_to_its_rules(ask)
    with ask.table() as table:
        keep_for_confirmation(ask.server.hall, table, ask.sitter)
        keep_for_battle(ask.server.hall, table, ask.sitter)
        done = give_for(ask.server, table, minder)
        if done:
            line = table.game.line()
            told = tuple(move_line(move, line).text for move in done[-8:])
            ask.server.switchboard.tell(table.id, "move", MoveNews(done[-1].id, done[-1].seq, done[-1].seat, told))
    return GivenFor(len(done))


@endpoint("DELETE", T + "/minders/{power}", "Take a power into one's own hands again", programs=False)
def lift_minder(ask: Ask[None, None]) -> list[MinderLine]:
    power = _to_be_minded(ask)
    ask.server.hall.minders.drop(ask.id, power)
    _tell(ask, f"{powers()[power].name} is no longer minded: {ask.sitter.person.name} took it back")
    ask.server.herald.moved(ask.id, ask.sitter.person.id)
    return list(minder_lines(ask))


def _to_be_minded(ask: AnyAsk) -> str:
    power = power_named(ask.path["power"]).power
    if power in ask.sitter.powers:
        return power
    if _taken(ask, power):
        raise forbidden(f"{powers()[power].name} is held: only whoever holds it may leave it to somebody")
    may_host(ask.sitter)
    return power


def _tell(ask: AnyAsk, text: str) -> None:
    say_to_all(ask, ask.id, text)
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())


# -- advice ------------------------------------------------------------------------------------------------------------


class Suggested(msgspec.Struct, frozen=True):
    """An order that is suggested: in words, why, and as it would be given."""

    power: str
    text: str
    why: str
    command: dict[str, Any]
    #: The BRPs that it costs the power.
    cost: int


class Prospect(msgspec.Struct, frozen=True):
    """A figure as it stands, and as it would be."""

    stands: int
    becomes: int


class AdviceFor(msgspec.Struct, frozen=True):
    """What a power's steward, or its own plan, would do now, and what the forecast makes of it."""

    power: str
    orders: tuple[Suggested, ...]
    #: Where the plan has no answer.
    stuck: str
    #: The next year start as it stands, and after these orders: base and level.
    base: Prospect
    total: Prospect
    #: Whether it is left to a minder of the asker's own: then that gives the orders.
    minded: bool = False


class ForPower(msgspec.Struct, frozen=True):
    power: Annotated[str, Meta(max_length=20)]


@endpoint("GET", T + "/suggest", "What a power's steward would do now, with its reasons")
def suggest(ask: Ask[ForPower, None]) -> AdviceFor:
    power = power_named(ask.query.power).power
    minders = {it.power: it for it in ask.server.hall.minders.at(ask.id)}
    minded = power in minders and power in ask.sitter.powers
    return _advice(ask, power, minders[power].text if minded else "", minded)


class Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A standing order that is not left yet: a plan, or one line of it; neither: the steward."""

    text: Text = ""
    line: OneLine | None = None


@endpoint("POST", T + "/minders/{power}/shown", "What a standing order would do now, before it is left to act")
def shown_first(ask: Ask[None, Standing]) -> AdviceFor:
    power, text = _to_be_minded(ask), ask.body.text
    if ask.body.line is not None:
        minder = _minder_of(ask, power)
        text = with_line(minder.text if minder else "", power, ask.body.line)
    return _advice(ask, power, _standing(ask, text), False)


def _advice(ask: AnyAsk, power: str, text: str, minded: bool) -> AdviceFor:
    with ask.table() as table:
        state = table.game.state
    found = list(advised(state, (power,), program_of(text)))
    orders = [it for it in found if isinstance(it, Advice)]
    after = orders[-1].state if orders else state
    stuck = next((it.text for it in found if isinstance(it, NoAnswer)), "")
    before, then = _foreseen(state, power), _foreseen(after, power)
    return AdviceFor(
        power,
        tuple(
            Suggested(it.power, command_words(it.command), it.why, _as_given(it), _paid(before_it, it.state, it.power))
            for before_it, it in zip((state, *(it.state for it in orders)), orders, strict=False)
        ),
        stuck,
        Prospect(before[0], then[0]),
        Prospect(before[1], then[1]),
        minded,
    )


def _paid(before: State, after: State, power: str) -> int:
    return level(before, power) - level(after, power) if keeps_brps(before, power) else 0


def _as_given(it: Advice) -> dict[str, Any]:
    made = as_written(it.command)
    return {key: value for key, value in made.items() if key not in ("seat", "seq_seen", "minded")}


def _foreseen(state: State, power: str) -> tuple[int, int]:
    """The base and the total of the next year start, as the position stands."""
    if not keeps_brps(state, power):
        return 0, 0
    with quietly():
        return next_base(state, power), year_total(state, power)
