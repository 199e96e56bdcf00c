"""Futures: the same however they are divided, and together the same as one by one."""

from __future__ import annotations

import os
import signal
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.plans.chances import turns_out
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.futures import Futures, beginning
from warcabinet.plans.one import deeds_of, figures_of, open_future
from warcabinet.plans.result_page import as_page
from warcabinet.plans.results import Result, as_csv, as_lines
from warcabinet.plans.run import Run, by_processes, here, play_part, run_plan
from warcabinet.plans.side_by_side import compared
from warcabinet.plans.tally import quantile

TEXT = """
plan: A short one
until: Winter 1939
uncertain:
  Poland holds: {chance: 40%}
  cost: {one of: {"5": 1, "10": 1, "15": 1}}
orders:
  - {when: "Fall 1939, Axis, combat", if: not Poland holds, do: report_control, places: [Warsaw], by: germany}
  - {name: an offensive, each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
  - name: too dear
    when: "Winter 1939, Axis, combat"
    if: cost is 15
    do: spend
    power: italy
    brp: 500
    "on": offensive operations
ask:
  - {question: Warsaw, at: "Winter 1939", if: Warsaw is German}
  - {question: German level, at: "Winter 1939, Allied", figure: germany level}
  - {question: More than 100, at: "Winter 1939, Allied", figure: germany level, is: "> 100"}
"""
SAMPLES = 24


@pytest.fixture(scope="module")
def program() -> Program:
    return plan_of("short.yaml", TEXT)


@pytest.fixture(scope="module")
def result(program: Program) -> Result:
    return run_plan(Run(program, SAMPLES, 3), here)


def test_chances_breaks_and_what_matters(program: Program, result: Result) -> None:
    """What the plan says happens in every future in which it says so, and nowhere else."""
    falls = [future for future in range(SAMPLES) if not _drawn(program, future, "Poland holds")]
    dear = [future for future in range(SAMPLES) if _drawn(program, future, "cost") == 15]
    warsaw, level, _ = result.questions
    assert (result.futures, result.finished) == (SAMPLES, SAMPLES)
    assert warsaw.chance == round(len(falls) / SAMPLES, 4)
    assert warsaw.matters[0].thing == "Poland holds"
    assert warsaw.matters[0].share == 1.0
    assert level.matters[0].thing == "cost"
    (broken,) = result.breaks
    assert (broken.order, broken.futures, broken.first) == ("too dear", len(dear), "Winter 1939, Axis, combat")
    assert broken.clauses == ("39.22B", "39.22C")


def _drawn(program: Program, future: int, name: str) -> object:
    return turns_out(3, future, name, program.plan.uncertain[name].odds())


def test_together_is_as_one_by_one(program: Program) -> None:
    """Groups that come apart and join count what each future counts by itself."""
    together = Futures(program, 3).to_the_end([beginning(program.start(), 6)])
    for path, turns in together.figures.items():
        alone = [figures_of(program, 3, future, program.start())[path] for future in range(6)]
        for turn, counts in turns.items():
            assert sorted(values[turn] for values in alone) == sorted(v for v, n in counts.items() for _ in range(n))


def test_common_beginnings_are_played_once(program: Program) -> None:
    six, one = Futures(program, 3), Futures(program, 3)
    six.to_the_end([beginning(program.start(), 6)])
    one.to_the_end([beginning(program.start(), 1)])
    assert six.tally.played < 6 * one.tally.played


def test_workers_change_nothing(program: Program, result: Result) -> None:
    by_two = run_plan(Run(program, SAMPLES, 3, parts=6), by_processes(2))
    assert msgspec.json.encode(by_two) == msgspec.json.encode(result)


DICE = """
plan: Dice of two turns
until: Winter 1939
uncertain:
  cost: {between: [1, 6], each: turn}
  luck: {chance: 30%}
orders:
  - {each: "Axis, combat", do: spend, power: germany, brp: "{cost}", "on": offensive operations}
ask:
  - {question: German level, at: "Winter 1939, Allied", figure: germany level}
"""


def test_memory_does_not_grow_with_the_number_of_futures() -> None:
    """Ten times as many futures take no more room, neither while they are played nor in what is counted of them."""
    program, heights, sizes = plan_of("dice.yaml", DICE), [], []
    Futures(program, 3).to_the_end([beginning(program.start(), 3_000)])  # whatever is kept for good is kept now
    for samples in (3_000, 30_000):
        start = beginning(program.start(), samples)
        tracemalloc.start()
        tally = Futures(program, 3).to_the_end([start])
        heights.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        sizes.append(len(msgspec.msgpack.encode(tally)))
        assert tally.futures == samples
    assert sizes[1] < 1.1 * sizes[0]
    # The numbers of the futures themselves are four bytes each, held a few times over while they come apart.
    assert heights[1] - heights[0] < 27_000 * 4 * 6


def test_work_is_divided_evenly_and_little_of_it_is_done_twice() -> None:
    """Why two workers take half the time: parts are of one size, and what they play adds up to little more."""
    program = plan_of("dice.yaml", DICE.replace("Winter 1939", "Spring 1940", 1))
    alone = Futures(program, 3).to_the_end([beginning(program.start(), 400)]).played
    run = Run(program, 400, 3, parts=4)
    parts = run.prepare()
    for part, counted in here(run.brief, parts):
        run.finish(part.number, counted)
    assert max(part.futures for part in parts) - min(part.futures for part in parts) <= 100
    assert sum(it.played for it in run.done.values()) < 2 * alone
    assert run.done[0].played < alone / 3
    shares = [run.done[part.number].played for part in parts]
    assert max(shares) < 0.5 * sum(shares)


def test_few_futures_are_divided_too() -> None:
    """Not everything is played before the first part is handed out, however few there are."""
    assert len(Run(plan_of("dice.yaml", DICE), 64, 3).prepare()) > 1


def test_hinges_lie_where_their_turns_and_orders_do(result: Result) -> None:
    """`Poland holds` hangs on one order of Fall 1939; `cost` is felt every turn, but an order of winter hangs on it."""
    hinges = {it.thing: it for it in result.hinges}
    assert (hinges["Poland holds"].first, hinges["Poland holds"].last) == ("Fall 1939", "Fall 1939")
    assert hinges["Poland holds"].share == round(
        1 - next(it.chance for it in result.questions if it.question == "Warsaw"), 4
    )
    assert hinges["cost"].first == "Winter 1939"
    text = DICE.replace("luck: {chance: 30%}", "falls: {one of: {Winter 1939: 3, Fall 1939: 1, never: 1}}")
    (falls,) = run_plan(Run(plan_of("falls.yaml", text), 40, 3), here).hinges
    assert (falls.first, falls.last, falls.likeliest) == ("Fall 1939", "Winter 1939", "Winter 1939")
    assert 0.5 < falls.share < 1


def test_futures_to_open_are_named(program: Program, result: Result) -> None:
    """The lowest, the middling and the highest figure, and where an order was refused, each by a future's number."""
    level = result.questions[1]
    found = {name: _level(program, getattr(level, name)) for name in ("worst", "near", "best")}
    every = sorted(_level(program, future) for future in range(SAMPLES))
    assert (found["worst"], found["best"], found["near"]) == (every[0], every[-1], level.median)
    dear = [future for future in range(SAMPLES) if _drawn(program, future, "cost") == 15]
    assert list(result.breaks[0].which) == dear[:24]


def _level(program: Program, future: int) -> int:
    game = new_game(Position("classic-1939"), MemoryJournal())
    stop = plan_of("short.yaml", TEXT).questions[1]
    states = [state for _, state in deeds_of(program, 3, future, game.state) if state.moment == stop.moment]
    return stop.read(states[0])


def test_a_killed_worker_loses_nothing(program: Program, result: Result, tmp_path: Path) -> None:
    """One worker kills itself in its first part; the run ends with the same result."""
    mark = tmp_path / "killed"
    run = Run(program, SAMPLES, 3, parts=6)
    parts = run.prepare()
    os.environ["WARCABINET_TEST_KILL"] = str(mark)
    try:
        for part, counted in by_processes(2, _dying)(run.brief, parts):
            run.finish(part.number, counted)
    finally:
        del os.environ["WARCABINET_TEST_KILL"]
    assert mark.exists()
    assert msgspec.json.encode(run.result()) == msgspec.json.encode(result)


def _dying(brief: bytes, part: bytes) -> bytes:
    mark = Path(os.environ["WARCABINET_TEST_KILL"])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_part(brief, part)


def test_a_run_is_resumed(program: Program, result: Result, tmp_path: Path) -> None:
    first = Run(program, SAMPLES, 3, folder=tmp_path, parts=6)
    parts = first.prepare()
    for part, counted in here(first.brief, parts[:2]):
        first.finish(part.number, counted)
    (tmp_path / "part-0003.bin").write_bytes(b"half a part")
    again = Run(program, SAMPLES, 3, folder=tmp_path, parts=6)
    assert len(again.prepare()) == len(parts) - 2 > 0
    assert msgspec.json.encode(
        run_plan(Run(program, SAMPLES, 3, folder=tmp_path, parts=6), here)
    ) == msgspec.json.encode(result)
    with pytest.raises(WarCabinetError, match="holds another run"):
        Run(program, SAMPLES, 4, folder=tmp_path, parts=6).prepare()


def test_one_future_is_a_game(program: Program, result: Result) -> None:
    """A future opens as a game that verifies, with the figures that the run counted."""
    game = new_game(Position("classic-1939"), MemoryJournal())
    broken = open_future(program, 3, 2, game)
    assert game.verify() == []
    assert game.state.moment >= program.until
    assert bool(broken) == (_drawn(program, 2, "cost") == 15)


def test_two_results_side_by_side(program: Program, result: Result) -> None:
    dearer = plan_of("dearer.yaml", TEXT.replace('"5": 1, "10": 1, "15": 1', '"15": 1'))
    other = run_plan(Run(dearer, SAMPLES, 3), here)
    found = compared(result, other)
    assert {it.figure for it in found.figures} == {"germany level"}
    assert all(it.difference <= 0 for it in found.figures)
    assert [it.question for it in found.questions] == ["Warsaw", "German level", "More than 100"]
    assert compared(result, result).figures == ()


def test_a_result_as_page_lines_and_table(result: Result) -> None:
    page = as_page(result)
    assert all(text in page for text in ("<svg", "too dear", "39.22B"))
    assert "http" not in page
    assert as_csv(result).startswith("figure,turn,5%,25%,median,75%,95%,mean,futures\n")
    lines = [msgspec.json.decode(line) for line in as_lines(result).splitlines()]
    assert lines[0]["finished"] == SAMPLES
    assert sum("question" in line for line in lines) == 3


def test_quantiles() -> None:
    counts = {10: 1, 20: 2, 30: 1}
    assert [quantile(counts, share) for share in (0.05, 0.25, 0.5, 0.75, 0.95)] == [10, 10, 20, 20, 30]
