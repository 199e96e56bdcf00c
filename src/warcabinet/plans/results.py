"""What a run of a plan answers: figures with their spread, chances, where it breaks, and what matters."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping

import msgspec

from warcabinet.model import calendar
from warcabinet.plans.chances import turns_out
from warcabinet.plans.form import Asked, Program
from warcabinet.plans.tally import Answer, Counts, Tally, mean, quantile

SHARES = (5, 25, 50, 75, 95)


class At(msgspec.Struct, frozen=True):
    """A figure at the start of a turn: the median, half of the futures, and nine in ten."""

    turn: str
    low: int
    lower: int
    median: int
    upper: int
    high: int
    mean: float
    futures: int


class Went(msgspec.Struct, frozen=True):
    """How an uncertain thing went in some futures, and what they made of the figure that is asked for."""

    outcome: str
    futures: int
    median: int
    mean: float


class Matters(msgspec.Struct, frozen=True):
    """How much an uncertain thing moves the asked figure: its share of all that moves it, and each outcome."""

    thing: str
    share: float
    outcomes: tuple[Went, ...]


class Found(msgspec.Struct, frozen=True):
    """A question and its answer: the chance that it holds, or the figure with its spread."""

    question: str
    at: str
    chance: float | None
    futures: int
    median: int
    low: int
    high: int
    matters: tuple[Matters, ...]


class Where(msgspec.Struct, frozen=True):
    """Where the plan breaks: which order, by which clauses, in how many futures, first when."""

    order: str
    clauses: tuple[str, ...]
    text: str
    futures: int
    times: int
    first: str
    stuck: bool


class Result(msgspec.Struct, frozen=True):
    """Everything that a run answers. The same plan, seed and number of futures give the same result, bit by bit."""

    plan: str
    seed: int
    samples: int
    futures: int
    finished: int
    figures: dict[str, tuple[At, ...]]
    questions: tuple[Found, ...]
    breaks: tuple[Where, ...]


def summed_up(program: Program, seed: int, samples: int, tally: Tally) -> Result:
    figures = {path: tuple(_at(turn, turns[turn]) for turn in sorted(turns)) for path, turns in tally.figures.items()}
    breaks = sorted(tally.breaks.values(), key=lambda it: (-it.futures, it.first, it.what))
    return Result(
        program.plan.plan,
        seed,
        samples,
        tally.futures,
        tally.finished,
        {path: figures[path] for path in sorted(figures)},
        tuple(_found(program, seed, number, asked, tally) for number, asked in enumerate(program.questions)),
        tuple(
            Where(it.what, it.clauses, it.text, it.futures, it.times, calendar.moment_name(it.first), it.stuck)
            for it in breaks
        ),
    )


def _at(turn: int, counts: Counts) -> At:
    low, lower, median, upper, high = (quantile(counts, share / 100) for share in SHARES)
    middle = round(mean(counts), 2)
    return At(calendar.turn_name(turn), low, lower, median, upper, high, middle, sum(counts.values()))


def _found(program: Program, seed: int, number: int, asked: Asked, tally: Tally) -> Found:
    answers = [it for it in tally.answers if it.question == number]
    counts = _counted(answers)
    whole = sum(counts.values())
    holding = sum(count for value, count in counts.items() if _holds(asked, value))
    chance = round(holding / whole, 4) if whole and (asked.claim or asked.holds is not None) else None
    spread = (quantile(counts, 0.5), quantile(counts, 0.05), quantile(counts, 0.95))
    moved = tuple(matters(program, seed, asked, answers)) if len(counts) > 1 else ()
    return Found(asked.question, calendar.moment_name(asked.moment), chance, whole, *spread, moved)


def _holds(asked: Asked, value: int) -> bool:
    return asked.holds(value) if asked.holds is not None else bool(value)


def _counted(answers: list[Answer]) -> Counts:
    counts: Counts = {}
    for it in answers:
        counts[it.value] = counts.get(it.value, 0) + len(it.futures)
    return counts


# -- what matters ------------------------------------------------------------------------------------------------------


def matters(program: Program, seed: int, asked: Asked, answers: list[Answer]) -> Iterator[Matters]:
    """The uncertain things by how much they move the asked figure, the most first."""
    found = []
    for name, thing in program.plan.uncertain.items():
        if thing.each:
            continue  # a thing of every turn is many things; none of them is a hinge
        by_outcome: dict[str, Counts] = {}
        for answer in answers:
            for future in answer.futures:
                went = _told(turns_out(seed, future, name, thing.odds()))
                counts = by_outcome.setdefault(went, {})
                counts[answer.value] = counts.get(answer.value, 0) + 1
        share = _explained(by_outcome)
        went_so = (Went(it, sum(c.values()), quantile(c, 0.5), round(mean(c), 2)) for it, c in by_outcome.items())
        found.append(Matters(name, round(share, 4), tuple(sorted(went_so, key=lambda it: (it.mean, it.outcome)))))
    yield from sorted(found, key=lambda it: (-it.share, it.thing))


def _told(outcome: object) -> str:
    return {True: "yes", False: "no"}.get(outcome, str(outcome)) if isinstance(outcome, bool) else str(outcome)


def _explained(by_outcome: Mapping[str, Counts]) -> float:
    """The part of all variance that lies between the outcomes."""
    all_counts: Counts = {}
    for counts in by_outcome.values():
        for value, count in counts.items():
            all_counts[value] = all_counts.get(value, 0) + count
    whole, middle = sum(all_counts.values()), mean(all_counts)
    variance = sum(count * (value - middle) ** 2 for value, count in all_counts.items())
    between = sum(sum(counts.values()) * (mean(counts) - middle) ** 2 for counts in by_outcome.values())
    return between / variance if whole and variance else 0.0


# -- as files ----------------------------------------------------------------------------------------------------------


def as_csv(result: Result) -> str:
    """Every figure at every turn, one line each."""
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(("figure", "turn", "5%", "25%", "median", "75%", "95%", "mean", "futures"))
    for path, turns in result.figures.items():
        for it in turns:
            lines.writerow((path, it.turn, it.low, it.lower, it.median, it.upper, it.high, it.mean, it.futures))
    return out.getvalue()


def as_lines(result: Result) -> str:
    """The result as JSON lines: what it is of, then a line for every figure, question and break."""
    head = {"plan": result.plan, "seed": result.seed, "samples": result.samples, "finished": result.finished}
    lines: list[object] = [head]
    lines += [{"figure": path, "turns": turns} for path, turns in result.figures.items()]
    lines += [{"question": it} for it in result.questions]
    lines += [{"breaks": it} for it in result.breaks]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
