"""The API of plans: written, run, opened as a game; who minds which power; and advice for the moment."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.names import power_named, powers
from warcabinet.model.state import State
from warcabinet.plans.form import LARGEST, plan_of, read_plan, shipped
from warcabinet.plans.minding import Advice, NoAnswer, advised, standing
from warcabinet.plans.one import figures_of, figures_of_game, open_future
from warcabinet.plans.results import Result, as_csv
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.growth import next_base
from warcabinet.rules.economy.year_start import year_total
from warcabinet.web.api_hall import MadeTable, room_for_a_table, say_to_all, seated
from warcabinet.web.api_play import At, T
from warcabinet.web.confirming import keep_for_confirmation
from warcabinet.web.endpoints import Ask, endpoint
from warcabinet.web.errors import Problem, forbidden, not_found
from warcabinet.web.hall_plans import KeptPlan, Minder, Run
from warcabinet.web.log_lines import move_line
from warcabinet.web.minders import give_for, mind, program_of, seat_of
from warcabinet.web.pinned import keep_to_its_rules
from warcabinet.web.plan_runs import program_of_run, start_run
from warcabinet.web.rights import may_host
from warcabinet.web.stream import MoveNews, SeatsNews
from warcabinet.web.words import command_words

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=LARGEST)]


class ShippedPlan(msgspec.Struct, frozen=True):
    name: str
    title: str
    notes: str
    text: str


class RunLine(msgspec.Struct, frozen=True):
    """A run in the list: how far it is."""

    id: str
    title: str
    samples: int
    done: int
    state: str
    trouble: str
    made: float
    at: int
    seed: int


class PlansPage(msgspec.Struct, frozen=True):
    """The plans that ship, one's own, one's runs, and who minds which power."""

    shipped: tuple[ShippedPlan, ...]
    mine: tuple[KeptPlan, ...]
    runs: tuple[RunLine, ...]
    minders: tuple[MinderLine, ...]
    most_futures: int


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


@endpoint("GET", T + "/plans", "Plans that ship, one's own, their runs, and who minds which power")
def plans(ask: Ask) -> PlansPage:
    hall, me = ask.house.hall, ask.sitter.person.id
    found = [read_plan(name) for name in shipped()]
    return PlansPage(
        tuple(ShippedPlan(n, it.plan.plan, it.plan.notes, it.text) for n, it in zip(shipped(), found, strict=True)),
        tuple(hall.plans(ask.id, me)),
        tuple(_line(run) for run in hall.runs(ask.id, me)),
        minder_lines(ask),
        ask.house.settings.futures_per_run,
    )


def _line(run: Run) -> RunLine:
    return RunLine(run.id, run.title, run.samples, run.done, run.state, run.trouble, run.made, run.at, run.seed)


class WrittenPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    text: Text


class Checked(msgspec.Struct, frozen=True):
    """What a plan holds, found sound."""

    title: str
    orders: int
    uncertain: tuple[str, ...]
    questions: tuple[str, ...]


@endpoint(
    "PUT", T + "/plans", "Keep a plan that one wrote; what is wrong with it is said with its line", body=WrittenPlan
)
def keep_plan(ask: Ask) -> Checked:
    program = plan_of(ask.body.name, ask.body.text)
    mine = ask.house.hall.plans(ask.id, ask.sitter.person.id)
    if len(mine) >= 40 and ask.body.name not in {it.name for it in mine}:
        raise Problem(409, "forty plans are the most that one keeps at a table: drop one first")
    ask.house.hall.keep_plan(ask.id, ask.sitter.person.id, ask.body.name, ask.body.text)
    asked = tuple(it.question for it in program.questions)
    return Checked(program.plan.plan, len(program.orders), tuple(program.plan.uncertain), asked)


@endpoint("DELETE", T + "/plans/{name}", "Drop a plan that one wrote")
def drop_plan(ask: Ask) -> list[KeptPlan]:
    ask.house.hall.drop_plan(ask.id, ask.sitter.person.id, ask.path["name"])
    return ask.house.hall.plans(ask.id, ask.sitter.person.id)


# -- runs --------------------------------------------------------------------------------------------------------------


class ToRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan to run from a moment of this table."""

    text: Text
    samples: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    at: At | None = None


@endpoint("POST", T + "/plans/runs", "Run a plan from this table's position", body=ToRun, status=201, programs=False)
def run_it(ask: Ask) -> RunLine:
    body: ToRun = ask.body
    if not ask.sitter.players and ask.sitter.referee is None:
        raise forbidden("plans are run by those who play; you look on")
    with ask.table() as table:
        move, state = table.moment(body.at)
    house, me = ask.house, ask.sitter.person.id
    made = start_run(house.hall, house.settings, ask.id, me, body.text, body.seed, body.samples, move.id, state)
    return _line(made)


class Drawn(msgspec.Struct, frozen=True):
    """A figure over the turns: of one future, or of what happened at the table."""

    turns: dict[str, int]


class RunPage(msgspec.Struct, frozen=True):
    """A run: how far it is, what it showed so far, one future of it, and what happened at the table since."""

    run: RunLine
    result: Result | None
    text: str
    one: dict[str, Drawn]
    happened: dict[str, Drawn]


class OneOf(msgspec.Struct, frozen=True):
    future: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


@endpoint("GET", T + "/plans/runs/{run}", "A run and what it showed so far", query=OneOf)
def see_run(ask: Ask) -> RunPage:
    run = _mine(ask)
    result = msgspec.json.decode(run.result, type=Result) if run.result else None
    with ask.table() as table:
        _, start = table.moment(run.at)
        states = (table.game.journal.state_at(it) for it in sorted(table.game.line()) if it >= run.at)
        happened = _drawn(figures_of_game(states))
    one = {}
    if ask.query.future is not None:
        one = _drawn(figures_of(program_of_run(run), run.seed, ask.query.future, start))
    return RunPage(_line(run), result, run.text, one, happened)


def _drawn(figures: dict[str, dict[int, int]]) -> dict[str, Drawn]:
    return {
        path: Drawn({calendar.turn_name(turn): it for turn, it in turns.items()}) for path, turns in figures.items()
    }


def _mine(ask: Ask) -> Run:
    run = ask.house.hall.run(ask.path["run"])
    if run is None or run.table != ask.id or run.person != ask.sitter.person.id:
        raise not_found("such run of yours at this table")
    return run


@endpoint("POST", T + "/plans/runs/{run}/stop", "Stop a run; its futures so far stay")
def stop_run(ask: Ask) -> RunLine:
    run = _mine(ask)
    ask.house.hall.stop_run(run.id)
    found = ask.house.hall.run(run.id)
    assert found is not None
    return _line(found)


@endpoint("GET", T + "/plans/runs/{run}/figures.csv", "The figures of a run as a table", media="text/csv")
def run_csv(ask: Ask) -> str:
    run = _mine(ask)
    if not run.result:
        raise Problem(409, "nothing has been played yet")
    return as_csv(msgspec.json.decode(run.result, type=Result))


class Future(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    future: Annotated[int, Meta(ge=0, le=1_000_000)]


@endpoint(
    "POST", T + "/plans/runs/{run}/open", "One future as a copy of this table", body=Future, status=201, programs=False
)
def open_one(ask: Ask) -> MadeTable:
    run, person = _mine(ask), ask.sitter.person
    room_for_a_table(ask, person)
    chairs = ask.house.hall.seats(ask.id)
    title = f"Future {ask.body.future} of {run.title}"[:100]
    with ask.table() as table:
        row = ask.house.tables.what_if(table, run.at, title, person.id, chairs)
    with ask.house.tables.at(row.id) as copy:
        open_future(program_of_run(run), run.seed, ask.body.future, copy.game)
    return seated(ask, row, person, chairs, {seat.id for seat in chairs if seat.role == "player"})


# -- who minds what ----------------------------------------------------------------------------------------------------


def minder_lines(ask: Ask) -> tuple[MinderLine, ...]:
    hall = ask.house.hall
    minders = {it.power: it for it in hall.minders(ask.id)}
    return tuple(_minder_line(ask, power, minders.get(power)) for power in powers())


def _minder_line(ask: Ask, power: str, minder: Minder | None) -> MinderLine:
    seat = seat_of(power, ask.house.hall.seats(ask.id))
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


def _taken(ask: Ask, power: str) -> bool:
    seat = seat_of(power, ask.house.hall.seats(ask.id))
    return seat is not None and bool(ask.house.hall.sitters(ask.id).get(seat.id))


class Mind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Let a power be minded: by its steward, or by a standing order; acting, or only showing what it would do."""

    text: Text = ""
    mode: Literal["act", "show"] = "act"


@endpoint(
    "PUT", T + "/minders/{power}", "Leave a power to its steward or to a standing order", body=Mind, programs=False
)
def set_minder(ask: Ask) -> list[MinderLine]:
    power = _to_be_minded(ask)
    program = program_of(ask.body.text)
    if program is not None:
        standing(program)
    made = Minder(power, ask.body.text, ask.body.mode, ask.sitter.person.name, 0.0)
    ask.house.hall.set_minder(ask.id, made)
    what = "a standing order" if ask.body.text else "its steward"
    _tell(ask, f"{powers()[power].name} is left to {what} by {ask.sitter.person.name}")
    with ask.table() as table:
        mind(ask.house, table)
    return list(minder_lines(ask))


class GivenFor(msgspec.Struct, frozen=True):
    """How many orders were given for a power."""

    orders: int


@endpoint("POST", T + "/minders/{power}/give", "Give the orders that a power's minder shows", programs=False)
def give_minded(ask: Ask) -> GivenFor:
    power = _to_be_minded(ask)
    minder = next((it for it in ask.house.hall.minders(ask.id) if it.power == power), None)
    if minder is None:
        raise Problem(409, f"nobody minds {powers()[power].name}: leave it to its steward or a standing order first")
    keep_to_its_rules(ask)
    with ask.table() as table:
        keep_for_confirmation(ask, table)
        done = give_for(ask.house, table, minder)
        if done:
            line = table.game.line()
            told = tuple(move_line(move, line).text for move in done[-8:])
            ask.house.switchboard.tell(table.id, "move", MoveNews(done[-1].id, done[-1].seq, done[-1].seat, told))
    return GivenFor(len(done))


@endpoint("DELETE", T + "/minders/{power}", "Take a power into one's own hands again", programs=False)
def lift_minder(ask: Ask) -> list[MinderLine]:
    power = _to_be_minded(ask)
    ask.house.hall.drop_minder(ask.id, power)
    _tell(ask, f"{powers()[power].name} is no longer minded: {ask.sitter.person.name} took it back")
    return list(minder_lines(ask))


def _to_be_minded(ask: Ask) -> str:
    power = power_named(ask.path["power"]).power
    if power in ask.sitter.powers:
        return power
    if _taken(ask, power):
        raise forbidden(f"{powers()[power].name} is held: only whoever holds it may leave it to somebody")
    may_host(ask.sitter)
    return power


def _tell(ask: Ask, text: str) -> None:
    say_to_all(ask, ask.id, text)
    ask.house.switchboard.tell(ask.id, "seats", SeatsNews())


# -- advice ------------------------------------------------------------------------------------------------------------


class Suggested(msgspec.Struct, frozen=True):
    """An order that is suggested: in words, why, and as it would be given."""

    power: str
    text: str
    why: str
    command: dict[str, Any]


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


class ForPower(msgspec.Struct, frozen=True):
    power: Annotated[str, Meta(max_length=20)]


@endpoint("GET", T + "/suggest", "What a power's steward would do now, with its reasons", query=ForPower)
def suggest(ask: Ask) -> AdviceFor:
    power = power_named(ask.query.power).power
    minders = {it.power: it for it in ask.house.hall.minders(ask.id)}
    text = minders[power].text if power in minders and power in ask.sitter.powers else ""
    with ask.table() as table:
        state = table.game.state
    found = list(advised(state, (power,), program_of(text)))
    orders = [it for it in found if isinstance(it, Advice)]
    after = orders[-1].state if orders else state
    stuck = next((it.text for it in found if isinstance(it, NoAnswer)), "")
    before, then = _foreseen(state, power), _foreseen(after, power)
    return AdviceFor(
        power,
        tuple(Suggested(it.power, command_words(it.command), it.why, _as_given(it)) for it in orders),
        stuck,
        Prospect(before[0], then[0]),
        Prospect(before[1], then[1]),
    )


def _as_given(it: Advice) -> dict[str, Any]:
    made: dict[str, Any] = msgspec.to_builtins(it.command)
    return {key: value for key, value in made.items() if key not in ("seat", "seq_seen", "minded")}


def _foreseen(state: State, power: str) -> tuple[int, int]:
    """The base and the total of the next year start, as the position stands."""
    if not keeps_brps(state, power):
        return 0, 0
    with quietly():
        return next_base(state, power), year_total(state, power)
