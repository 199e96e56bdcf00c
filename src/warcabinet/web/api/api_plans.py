"""The API of plans: written, run, read, put side by side, and one future opened as a game."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.plans.asking import Put, WrongField, from_here, with_question
from warcabinet.plans.counsel import Counsel
from warcabinet.plans.counsel_page import counsel_part
from warcabinet.plans.form import LARGEST, Gist, plan_of, read_plan, shipped
from warcabinet.plans.one import fate_of, figures_of, figures_of_game, open_future
from warcabinet.plans.results import Result, as_csv, as_lines
from warcabinet.plans.side_by_side import Comparison, compared, of_game, side_by_side, spreads
from warcabinet.web.api.api_hall import MadeTable, room_for_a_table, seated
from warcabinet.web.api.api_minders import MinderLine, minder_lines
from warcabinet.web.api.api_play import At, T
from warcabinet.web.hall.plan_book import KeptPlan, Run
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.plan_runs import program_of_run, resume_run, start_run, start_search

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=LARGEST)]


#: Figures by path and turn.
Figures = dict[str, dict[int, int]]


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
    #: Plans are tried, not futures played.
    search: bool = False


class PlansPage(msgspec.Struct, frozen=True):
    """The plans that ship, one's own, one's runs, and who minds which power."""

    shipped: tuple[ShippedPlan, ...]
    mine: tuple[KeptPlan, ...]
    runs: tuple[RunLine, ...]
    minders: tuple[MinderLine, ...]
    most_futures: int
    #: A plan that orders nothing from where the table stands, and whether that is later than the scenario starts.
    here: ShippedPlan
    later: bool


@endpoint("GET", T + "/plans", "Plans that ship, one's own, their runs, and who minds which power")
def plans(ask: Ask[None, None]) -> PlansPage:
    hall, me = ask.server.hall, ask.sitter.person.id
    with ask.table() as table:
        now = table.game.state
    here = plan_of("the plan from here", from_here(now))
    return PlansPage(
        _shipped(),
        tuple(hall.plans.kept(ask.id, me)),
        tuple(_line(run) for run in hall.plans.runs(ask.id, me)),
        minder_lines(ask),
        ask.server.settings.futures_per_run,
        ShippedPlan("from-here", here.plan.plan, here.plan.notes, here.text),
        now.moment > here.start().moment,
    )


@cache
def _shipped() -> tuple[ShippedPlan, ...]:
    found = ((name, read_plan(name)) for name in shipped())
    return tuple(ShippedPlan(name, it.plan.plan, it.plan.notes, it.text) for name, it in found)


def _line(run: Run) -> RunLine:
    return RunLine(
        run.id, run.title, run.samples, run.done, run.stands, run.trouble, run.made, run.at, run.seed, run.search > 0
    )


class WrittenPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    text: Text


class Checked(msgspec.Struct, frozen=True):
    """What a plan holds, found sound."""

    title: str
    orders: int
    uncertain: tuple[str, ...]
    questions: tuple[str, ...]


@endpoint("PUT", T + "/plans", "Keep a plan that one wrote; what is wrong with it is said with its line")
def keep_plan(ask: Ask[None, WrittenPlan]) -> Checked:
    plan = ask.server.readers.gist(ask.sitter.person.id, ask.body.name, ask.body.text)
    mine = ask.server.hall.plans.kept(ask.id, ask.sitter.person.id)
    if len(mine) >= 40 and ask.body.name not in {it.name for it in mine}:
        raise Problem(409, "forty plans are the most that one keeps at a table: drop one first")
    ask.server.hall.plans.keep_plan(ask.id, ask.sitter.person.id, ask.body.name, ask.body.text)
    return Checked(plan.title, plan.orders, plan.uncertain, plan.questions)


@endpoint("DELETE", T + "/plans/{name}", "Drop a plan that one wrote")
def drop_plan(ask: Ask[None, None]) -> list[KeptPlan]:
    ask.server.hall.plans.drop_plan(ask.id, ask.sitter.person.id, ask.path["name"])
    return ask.server.hall.plans.kept(ask.id, ask.sitter.person.id)


# -- runs --------------------------------------------------------------------------------------------------------------


class ToRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan to run from a moment of this table, with one question more if a form asks one."""

    text: Text
    samples: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    seed: Annotated[int, Meta(ge=0, le=2**31)] = 0
    at: At | None = None
    ask: Put | None = None
    #: Look for the best way to take the decisions that it leaves open, instead.
    best: bool = False


@endpoint("POST", T + "/plans/runs", "Run a plan from this table's position", status=201, programs=False)
def run_it(ask: Ask[None, ToRun]) -> RunLine:
    body = ask.body
    if not ask.sitter.players and ask.sitter.referee is None:
        raise forbidden("plans are run by those who play; you look on")
    with ask.table() as table:
        move, state = table.moment(body.at)
    server, me = ask.server, ask.sitter.person.id
    plan, text = server.readers.gist(me, "the plan", body.text), body.text
    if body.ask is not None:
        text = _asking(plan, text, body.ask, state)
        plan = server.readers.gist(me, "the plan", text)
    if body.best:
        return _line(start_search(server.hall, server.settings, ask.id, me, plan, text, body.seed, move.id, state))
    made = start_run(server.hall, server.settings, ask.id, me, plan, text, body.seed, body.samples, move.id, state)
    return _line(made)


def _asking(plan: Gist, text: str, put: Put, state: State) -> str:
    try:
        return with_question(plan, text, put, state)
    except WrongField as wrong:
        raise Problem(400, str(wrong), field=wrong.field) from None


class Drawn(msgspec.Struct, frozen=True):
    """A figure over the turns: of one future, or of what happened at the table."""

    turns: dict[str, int]


class RunPage(msgspec.Struct, frozen=True):
    """A run: how far it is, what it showed so far, one future of it, and what happened at the table since."""

    run: RunLine
    result: Result | None
    text: str
    one: dict[str, Drawn]
    #: How the uncertain things turned out in that future.
    fate: dict[str, str]
    happened: dict[str, Drawn]


class OneOf(msgspec.Struct, frozen=True):
    future: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


@endpoint("GET", T + "/plans/runs/{run}", "A run and what it showed so far")
def see_run(ask: Ask[OneOf, None]) -> RunPage:
    run, future = _mine(ask), ask.query.future
    with ask.table() as table:
        happened = _happened(table, run)
        one = {} if future is None else table.once(("future", run.id, future), lambda: _one(table, run, future))
    fate = {} if future is None else fate_of(program_of_run(run), run.seed, future)
    result = msgspec.json.decode(run.result, type=Result) if run.result and not run.search else None
    return RunPage(_line(run), result, run.text, _drawn(one), fate, _drawn(happened))


def _one(table: Table, run: Run, future: int) -> Figures:
    return figures_of(program_of_run(run), run.seed, future, table.moment(run.at)[1])


def _happened(table: Table, run: Run) -> Figures:
    """The figures of the game since the moment from which a run was played, turn by turn."""
    return table.once(("happened", run.at, table.game.head.id), lambda: figures_of_game(table.game, run.at))


def _drawn(figures: Figures) -> dict[str, Drawn]:
    return {
        path: Drawn({calendar.turn_name(turn): it for turn, it in turns.items()}) for path, turns in figures.items()
    }


def _mine(ask: AnyAsk, id: str = "") -> Run:
    run = ask.server.hall.plans.run(id or ask.path["run"])
    if run is None or run.table != ask.id or run.person != ask.sitter.person.id:
        raise not_found("such run of yours at this table")
    return run


@endpoint("POST", T + "/plans/runs/{run}/stop", "Stop a run; its futures so far stay")
def stop_run(ask: Ask[None, None]) -> RunLine:
    run = _mine(ask)
    ask.server.hall.plans.stop_run(run.id)
    return _line(_mine(ask))


@endpoint("POST", T + "/plans/runs/{run}/resume", "Go on with a run that was stopped", programs=False)
def go_on_with_run(ask: Ask[None, None]) -> RunLine:
    run = _mine(ask)
    with ask.table() as table:
        _, start = table.moment(run.at)
    resume_run(ask.server.hall, ask.server.settings, run, start)
    return _line(_mine(ask))


def _counsel(run: Run) -> Counsel:
    if not run.search:
        raise Problem(409, "this run plays a plan; it does not look for the best one")
    if not run.result:
        raise Problem(409, "no plan has been tried yet")
    return msgspec.json.decode(run.result, type=Counsel)


@endpoint("GET", T + "/plans/runs/{run}/counsel", "What a search for the best plan says")
def see_counsel(ask: Ask[None, None]) -> Counsel:
    return _counsel(_mine(ask))


@endpoint(
    "GET",
    T + "/plans/runs/{run}/counsel.html",
    "The same as a part of a page",
    media="text/html; charset=utf-8",
)
def counsel_html(ask: Ask[None, None]) -> str:
    return counsel_part(_counsel(_mine(ask)))


@endpoint("GET", T + "/plans/runs/{run}/figures.csv", "The figures of a run as a table", media="text/csv")
def run_csv(ask: Ask[None, None]) -> str:
    return as_csv(_result(_mine(ask)))


@endpoint("GET", T + "/plans/runs/{run}/result.jsonl", "A run as JSON lines", media="text/plain; charset=utf-8")
def run_lines(ask: Ask[None, None]) -> str:
    return as_lines(_result(_mine(ask)))


def _result(run: Run) -> Result:
    if run.search:
        raise Problem(409, "this run looks for the best plan; run that plan to have figures")
    if not run.result:
        raise Problem(409, "nothing has been played yet")
    return msgspec.json.decode(run.result, type=Result)


class BesideWhat(msgspec.Struct, frozen=True):
    """Another run of one's own by its id; without one, what happened at the table."""

    other: Annotated[str, Meta(max_length=32)] = ""


@endpoint("GET", T + "/plans/runs/{run}/compare", "A run beside another one, or beside what happened")
def compare_run(ask: Ask[BesideWhat, None]) -> Comparison:
    run = _mine(ask)
    one = _result(run)
    if ask.query.other:
        return compared(one, _result(_mine(ask, ask.query.other)))
    with ask.table() as table:
        happened = of_game(_happened(table, run))
    return side_by_side((one.plan, spreads(one)), ("as it happened", happened))


class Future(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    future: Annotated[int, Meta(ge=0, le=1_000_000)]


@endpoint("POST", T + "/plans/runs/{run}/open", "One future as a copy of this table", status=201, programs=False)
def open_one(ask: Ask[None, Future]) -> MadeTable:
    run, person = _mine(ask), ask.sitter.person
    room_for_a_table(ask, person)
    chairs = ask.server.hall.seats(ask.id)
    title = f"Future {ask.body.future} of {run.title}"[:100]
    with ask.table() as table:
        row = ask.server.tables.what_if(table, run.at, title, person.id, chairs)
    with ask.server.tables.at(row.id) as copy:
        open_future(program_of_run(run), run.seed, ask.body.future, copy.game)
    return seated(ask, row, person, chairs, {seat.id for seat in chairs if seat.role == "player"})
