"""What a run of a plan answers: figures with their spread, chances, where it breaks, and what matters."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

import msgspec

from warcabinet.model import calendar
from warcabinet.plans.atlas import Atlas, atlas_of
from warcabinet.plans.form import Asked, Program
from warcabinet.plans.futures import hinges_of
from warcabinet.plans.hinges import Hinge, hinges
from warcabinet.plans.tally import Answer, Break, Counts, Tally, mean, quantile

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

    def worth(self, claim: bool) -> str:
        """What is told of it: the share in which a claim holds, else the median."""
        return f"{self.mean:.0%}" if claim else str(self.median)


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
    #: Futures by their number, to be opened: the lowest figure, the nearest to the median, the highest.
    worst: int = 0
    near: int = 0
    best: int = 0
    #: Whether something holds is asked, not a figure.
    claim: bool = False
    #: What is asked, in words; and why it is certain, or was not answered, where that is so.
    words: str = ""
    why: str = ""


class Where(msgspec.Struct, frozen=True):
    """Where the plan breaks: which order, by which clauses, in how many futures, first when."""

    order: str
    clauses: tuple[str, ...]
    text: str
    futures: int
    times: int
    first: str
    stuck: bool
    #: The first of these futures, by their number.
    which: tuple[int, ...] = ()


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
    hinges: tuple[Hinge, ...] = ()
    #: The map in the first of the futures.
    atlas: Atlas = Atlas()


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
        tuple(_found(asked, tally.answers.get(number, Answer())) for number, asked in enumerate(program.questions)),
        tuple(_where(it) for it in breaks),
        hinges(program, tally.went),
        atlas_of(tally.seen, seed, samples, hinges_of(program)),
    )


def _where(it: Break) -> Where:
    first = calendar.moment_name(it.first)
    return Where(it.what, it.clauses, it.text, it.futures, it.times, first, it.stuck, it.which)


def _at(turn: int, counts: Counts) -> At:
    low, lower, median, upper, high = (quantile(counts, share / 100) for share in SHARES)
    middle = round(mean(counts), 2)
    return At(calendar.turn_name(turn), low, lower, median, upper, high, middle, sum(counts.values()))


def _found(asked: Asked, answer: Answer) -> Found:
    counts = answer.counts
    whole = sum(counts.values())
    holding = sum(count for value, count in counts.items() if _holds(asked, value))
    chance = round(holding / whole, 4) if whole and (asked.claim or asked.holds is not None) else None
    spread = (quantile(counts, 0.5), quantile(counts, 0.05), quantile(counts, 0.95))
    moved = matters(answer, asked.claim) if len(counts) > 1 else ()
    worst, near, best = (answer.first[it] for it in (min(counts), spread[0], max(counts))) if counts else (0, 0, 0)
    at = calendar.moment_name(asked.moment)
    why = _why(asked, counts)
    return Found(asked.question, at, chance, whole, *spread, moved, worst, near, best, asked.claim, asked.words, why)


def _why(asked: Asked, counts: Counts) -> str:
    """Why there is nothing to doubt about an answer: all futures are alike in it, or far from the bound."""
    if not counts:
        return "No future came to this moment."
    if len(counts) == 1:
        same = "went the same way" if asked.claim else f"had the same figure, {next(iter(counts))}"
        return f"Every future {same}: nothing uncertain moves it."
    if asked.claim or asked.holds is None or len({asked.holds(it) for it in counts}) > 1:
        return ""
    which = "every" if asked.holds(min(counts)) else "no"
    return f"In {which} future it was so: the figure lay between {min(counts)} and {max(counts)}."


def _holds(asked: Asked, value: int) -> bool:
    return asked.holds(value) if asked.holds is not None else bool(value)


# -- what matters ------------------------------------------------------------------------------------------------------


def matters(answer: Answer, claim: bool) -> tuple[Matters, ...]:
    """The uncertain things by how much they move the asked figure, the most first."""
    found = []
    for name, by_outcome in answer.beside.items():
        went_so = (Went(it, sum(c.values()), quantile(c, 0.5), round(mean(c), 2)) for it, c in by_outcome.items())
        outcomes = tuple(sorted(went_so, key=lambda it: (0 if claim else it.median, it.mean, it.outcome)))
        found.append(Matters(name, round(_explained(by_outcome), 4), outcomes))
    return tuple(sorted(found, key=lambda it: (-it.share, it.thing)))


def _explained(by_outcome: Mapping[str, Counts]) -> float:
    """The part of all variance that lies between the outcomes."""
    all_counts: Counts = {}
    for counts in by_outcome.values():
        for value, count in counts.items():
            all_counts[value] = all_counts.get(value, 0) + count
    whole, middle = sum(all_counts.values()), mean(all_counts)
    # In the order of their values: a sum of fractions is the same only in the same order.
    variance = sum(count * (value - middle) ** 2 for value, count in sorted(all_counts.items()))
    parts = (by_outcome[it] for it in sorted(by_outcome))
    between = sum(sum(counts.values()) * (mean(counts) - middle) ** 2 for counts in parts)
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
    """The result as JSON lines: what it is of, then a line for every figure, question, break and hinge."""
    head = {"plan": result.plan, "seed": result.seed, "samples": result.samples, "finished": result.finished}
    lines: list[object] = [head]
    lines += [{"figure": path, "turns": turns} for path, turns in result.figures.items()]
    lines += [{"question": it} for it in result.questions]
    lines += [{"breaks": it} for it in result.breaks]
    lines += [{"hinge": it} for it in result.hinges]
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)
