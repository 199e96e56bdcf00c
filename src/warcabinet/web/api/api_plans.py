"""The API of plans: written, run, read, put side by side, and one future opened as a game."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.asking import Put, WrongField, from_here, with_question
from warcabinet.plans.atlas import Atlas, Chance, Look
from warcabinet.plans.chart import DESK, PHONE
from warcabinet.plans.counsel import Counsel, plain_plan
from warcabinet.plans.counsel_page import counsel_part
from warcabinet.plans.editing import Edit, edited
from warcabinet.plans.form import LARGEST, Gist, Program, plan_of, read_plan, shipped
from warcabinet.plans.intake import SHORT
from warcabinet.plans.one import fate_of, figures_of, figures_of_game, open_future
from warcabinet.plans.played import as_plan
from warcabinet.plans.result_page import charts_part
from warcabinet.plans.results import Found, Result, as_csv, as_lines
from warcabinet.plans.side_by_side import Comparison, compared, of_game, side_by_side, spreads
from warcabinet.plans.stewardship import what_is_best
from warcabinet.plans.trying import TriedOut, tried_out
from warcabinet.views.words import joined
from warcabinet.web.api.api_hall import MadeTable, room_for_a_table, seated
from warcabinet.web.api.api_minders import MinderLine, minder_lines
from warcabinet.web.api.api_play import At, T
from warcabinet.web.hall.plan_book import SEARCH, KeptPlan, Run
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.map.chances import ChancesMap, chances_map
from warcabinet.web.plumbing.problems import Problem, forbidden, not_found
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.sheets.plan_sheet import PaletteLine, PlanSheet, palette, plan_sheet
from warcabinet.web.table.endpoints import AnyAsk, Ask, endpoint
from warcabinet.web.table.plan_runs import program_of_run, resume_run, start_run, start_search

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(max_length=LARGEST)]


#: Plans that one keeps at a table.
MOST_KEPT = 40
#: Seconds for which the likeliest future is played while somebody waits.
TRIED_SECONDS = 4.0
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
    #: Plans that leave the preferences of one's own powers open, from where the table stands.
    best: tuple[ShippedPlan, ...] = ()
    #: The table that this one is a copy of, by its title: what is played here can become a plan there.
    copy_of: str = ""


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
        tuple(_what_is_best(power, now) for power in ask.sitter.powers if _looks_ahead(power, now, here)),
        _origin(ask),
    )


def _looks_ahead(power: str, now: State, here: Program) -> bool:
    """Whether a year start is still to come that a plan from here reaches."""
    last = calendar.year(calendar.parse_turn(str(here.plan.until)))
    return calendar.year(now.turn) < last and not now.powers[power].surrendered


def _what_is_best(power: str, now: State) -> ShippedPlan:
    name = powers()[power].name
    return ShippedPlan(f"best-for-{power}", f"What is best for {name}?", "", what_is_best(power, now))


def _origin(ask: AnyAsk) -> str:
    parent = ask.sitter.table.parent
    origin = ask.server.hall.table(parent) if parent else None
    return origin.title if origin is not None else ""


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
    if len(mine) >= MOST_KEPT and ask.body.name not in {it.name for it in mine}:
        raise Problem(409, "forty plans are the most that one keeps at a table: drop one first")
    ask.server.hall.plans.keep_plan(ask.id, ask.sitter.person.id, ask.body.name, ask.body.text)
    return Checked(plan.title, plan.orders, plan.uncertain, plan.questions)


@endpoint("DELETE", T + "/plans/{name}", "Drop a plan that one wrote")
def drop_plan(ask: Ask[None, None]) -> list[KeptPlan]:
    ask.server.hall.plans.drop_plan(ask.id, ask.sitter.person.id, ask.path["name"])
    return ask.server.hall.plans.kept(ask.id, ask.sitter.person.id)


# -- by hand -----------------------------------------------------------------------------------------------------------


class ByHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plan and what is changed in it: some of its values, or one question more by its form."""

    text: Text
    edits: Annotated[tuple[Edit, ...], Meta(max_length=40)] = ()
    ask: Put | None = None


class HandedPlan(msgspec.Struct, frozen=True):
    """The plan after that, as text and as it is looked at; everything that is wrong with it stands beside its line."""

    text: str
    sheet: PlanSheet


@endpoint("GET", T + "/plans/palette", "Lines that can be put into a plan, with their fields")
def plan_palette(ask: Ask[None, None]) -> tuple[PaletteLine, ...]:
    return palette()


@endpoint("POST", T + "/plans/hand", "Look at a plan, or change it where it is written")
def by_hand(ask: Ask[None, ByHand]) -> HandedPlan:
    body, me = ask.body, ask.sitter.person.id
    with ask.server.readers.turn(me):
        text = edited("the plan", in_bounds_by_hand(body.text), body.edits)
        if body.ask is not None:
            with ask.table() as table:
                now = table.game.state
            text = _asking(plan_of("the plan", text).gist(), text, body.ask, now)
        return HandedPlan(text, plan_sheet("the plan", text))


def in_bounds_by_hand(text: str) -> str:
    """What is read here at every key is no longer than what is read in an instant."""
    if len(text) > SHORT:
        raise Problem(413, f"a plan of more than {SHORT:,} letters is changed as YAML alone")
    return text


class ToTry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: Text
    at: At | None = None


@endpoint("POST", T + "/plans/try", "The likeliest future of a plan: what each order costs, what is refused")
def try_plan(ask: Ask[None, ToTry]) -> TriedOut:
    with ask.table() as table:
        _, start = table.moment(ask.body.at)
    with ask.server.readers.turn(ask.sitter.person.id):
        program = plan_of("the plan", in_bounds_by_hand(ask.body.text))
        if start.moment >= program.until:
            raise Problem(400, f"the game is past {program.plan.until}, where the plan ends")
        return tried_out(program, start, TRIED_SECONDS)


class PlayedPlan(msgspec.Struct, frozen=True):
    """A plan of what was played on a copy, kept at the table that it was copied from."""

    name: str
    text: str
    url: str


@endpoint("POST", T + "/plans/played", "What was played on this copy, as a plan at the table it was copied from")
def played_plan(ask: Ask[None, None]) -> PlayedPlan:
    row, person = ask.sitter.table, ask.sitter.person
    origin = ask.server.hall.table(row.parent) if row.parent else None
    if origin is None:
        raise Problem(409, "this table is no copy: choose *Play ahead* at the table that the plan is for")
    with ask.table() as table:
        text = as_plan(table.game, row.parent_move, f"Played ahead from {origin.title}"[:100])
    kept = {it.name for it in ask.server.hall.plans.kept(origin.id, person.id)}
    name = next(it for it in ("played ahead", *(f"played ahead {n}" for n in range(2, 100))) if it not in kept)
    if len(kept) >= MOST_KEPT:
        raise Problem(409, "forty plans are the most that one keeps at a table: drop one first")
    ask.server.hall.plans.keep_plan(origin.id, person.id, name, text)
    return PlayedPlan(name, text, f"{ask.base}/tables/{origin.id}#plans")


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


class ByWhen(msgspec.Struct, frozen=True):
    """By the end of which turn (the last one if nothing is said), and among which futures: `europe/M24 is germany`."""

    by: Annotated[str, Meta(max_length=40)] = ""
    among: Annotated[str, Meta(max_length=120)] = ""


class OfWhat(msgspec.Struct, frozen=True):
    of: Annotated[str, Meta(max_length=80)]
    by: Annotated[str, Meta(max_length=40)] = ""
    among: Annotated[str, Meta(max_length=120)] = ""


@endpoint("GET", T + "/plans/runs/{run}/map", "Who holds what in how many futures of a run")
def run_map(ask: Ask[ByWhen, None]) -> ChancesMap:
    with ask.table() as table:
        start = table.moment(_mine(ask).at)[1]
    return chances_map(Look(_result(_mine(ask)).atlas, ask.query.by, ask.query.among), start)


@endpoint("GET", T + "/plans/runs/{run}/chance", "A place or country in the futures of a run, and what decides it")
def run_chance(ask: Ask[OfWhat, None]) -> Chance:
    return Look(_result(_mine(ask)).atlas, ask.query.by, ask.query.among).chance(ask.query.of)


@endpoint(
    "GET",
    T + "/plans/runs/{run}/chance.html",
    "The same as a part of a page",
    media="text/html; charset=utf-8",
)
def chance_html(ask: Ask[OfWhat, None]) -> str:
    return drawn("chance-card.html", it=run_chance(ask), among=ask.query.among, percent=_percent)


def _percent(share: float) -> int:
    """A share in whole percent; what is not all of it, or none, is not said to be."""
    return 100 if share == 1 else 0 if share == 0 else min(99, max(1, round(100 * share)))


class OneOf(msgspec.Struct, frozen=True):
    future: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


@endpoint("GET", T + "/plans/runs/{run}", "A run and what it showed so far")
def see_run(ask: Ask[OneOf, None]) -> RunPage:
    run, future = _mine(ask), ask.query.future
    with ask.table() as table:
        happened = _happened(table, run)
        one = {} if future is None else table.once(("future", run.id, future), lambda: _one(table, run, future))
    fate = {} if future is None else fate_of(program_of_run(run), run.seed, future)
    result = msgspec.structs.replace(_result(run), atlas=Atlas()) if run.result and not run.search else None
    return RunPage(_line(run), result, SEARCH.sub("", run.text), _drawn(one), fate, _drawn(happened))


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


class OfPlan(msgspec.Struct, frozen=True):
    plan: Annotated[str, Meta(max_length=2000, description="a plan by its name: a runner-up, or one of the curve")] = ""


@endpoint("GET", T + "/plans/runs/{run}/counsel", "What a search for the best plan says")
def see_counsel(ask: Ask[OfPlan, None]) -> Counsel:
    """`text` is the best plan with nothing open in it, or the one that is asked for."""
    run = _mine(ask)
    found, wanted = _counsel(run), ask.query.plan
    if not wanted:
        return found
    rival = next((it for it in (*found.runners, *found.curve) if it.name == wanted), None)
    if rival is None:
        raise not_found("such plan among the runner-ups of this search")
    return msgspec.structs.replace(found, text=plain_plan(program_of_run(run), rival.taken, "a runner-up"))


@endpoint(
    "GET",
    T + "/plans/runs/{run}/counsel.html",
    "The same as a part of a page",
    media="text/html; charset=utf-8",
)
def counsel_html(ask: Ask[None, None]) -> str:
    run = _mine(ask)
    return counsel_part(_counsel(run), table=run.stands == "done")


class ToDraw(msgspec.Struct, frozen=True):
    """Whose figures are drawn, beside which future and which other run, and which question is asked of."""

    power: Annotated[str, Meta(max_length=20)]
    future: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    other: Annotated[str, Meta(max_length=32)] = ""
    asked: Annotated[int, Meta(ge=0, le=1000)] = 0
    #: What stands in a table below the charts: another run by its id, or what happened.
    beside: Annotated[str, Meta(max_length=32)] = ""
    narrow: bool = False


@endpoint(
    "GET",
    T + "/plans/runs/{run}/charts.html",
    "A power's figures in the futures of a run as charts, and what moves the asked one",
    media="text/html; charset=utf-8",
)
def run_charts(ask: Ask[ToDraw, None]) -> str:
    run, query = _mine(ask), ask.query
    if query.power not in powers():
        raise Problem(404, f"no power is called {query.power!r}")
    with ask.table() as table:
        beside = {"happened": _happened(table, run)}
        if query.future is not None:
            beside["one"] = table.once(("future", run.id, query.future), lambda: _one(table, run, query.future or 0))
    other = _result(_mine(ask, query.other)) if query.other else None
    if other:
        beside["other"] = {
            path: {calendar.parse_turn(it.turn): it.median for it in turns} for path, turns in other.figures.items()
        }
    size = PHONE if query.narrow else DESK
    charts = charts_part(_result(run), query.power, beside, other.plan if other else "", query.asked, size)
    if not query.beside:
        return charts
    told = _beside(ask, "" if query.beside == "happened" else query.beside)
    return charts + drawn("plan-beside.html", told=told, power=query.power)


class OfRun(OneOf, frozen=True):
    asked: Annotated[int, Meta(ge=0, le=1000, description="the question that is looked at")] = 0


@endpoint(
    "GET",
    T + "/plans/runs/{run}/results.html",
    "What a run answers as a part of a page: questions, where the plan breaks, one future",
    media="text/html; charset=utf-8",
)
def run_results(ask: Ask[OfRun, None]) -> str:
    run, asked, future = _mine(ask), ask.query.asked, ask.query.future
    result = _result(run)
    question = result.questions[asked] if asked < len(result.questions) else None
    return drawn(
        "plan-results.html",
        result=result,
        run=_line(run),
        asked=asked,
        future=future,
        fate={} if future is None else fate_of(program_of_run(run), run.seed, future),
        drawn=any(it.chance is not None and not it.why for it in result.questions),
        picks=_picks(result, question),
    )


def _picks(result: Result, asked: Found | None) -> dict[int, str]:
    """Futures worth a look, by their number; one that is several of these is named once."""
    found: dict[int, list[str]] = {}
    if asked and asked.futures:
        for label, number in (("lowest", asked.worst), ("near the median", asked.near), ("highest", asked.best)):
            found.setdefault(number, []).append(label)
    if broken := [number for it in result.breaks for number in it.which]:
        found.setdefault(min(broken), []).append("first broken")
    return {number: joined(labels).capitalize() for number, labels in found.items()}


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
    return _beside(ask, ask.query.other)


def _beside(ask: AnyAsk, other: str) -> Comparison:
    """Beside another run, or, where none is named, beside what happened."""
    run = _mine(ask)
    one = _result(run)
    if other:
        return compared(one, _result(_mine(ask, other)))
    with ask.table() as table:
        happened = of_game(_happened(table, run))
    return side_by_side((one.plan, spreads(one)), ("as it happened", happened))


class Future(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A future by its number; those on which the best plan was judged again are numbered from a million on."""

    future: Annotated[int, Meta(ge=0, le=2_000_000)]


@endpoint("POST", T + "/plans/runs/{run}/open", "One future as a copy of this table", status=201, programs=False)
def open_one(ask: Ask[None, Future]) -> MadeTable:
    run, person = _mine(ask), ask.sitter.person
    room_for_a_table(ask, person)
    if run.search and not _counsel(run).text:
        raise Problem(409, "the best plan is not judged yet")
    chairs = ask.server.hall.seats(ask.id)
    title = f"Future {ask.body.future} of {run.title}"[:100]
    with ask.table() as table:
        row = ask.server.tables.what_if(table, run.at, title, person.id, chairs)
    with ask.server.tables.at(row.id) as copy:
        program = plan_of("the plan", _counsel(run).text) if run.search else program_of_run(run)
        open_future(program, run.seed, ask.body.future, copy.game)
    return seated(ask, row, person, chairs, {seat.id for seat in chairs if seat.role == "player"})
