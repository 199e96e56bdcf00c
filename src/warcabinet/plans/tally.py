"""What futures show, counted: whole numbers that can be added in any order, so that the sum is always the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.unit_lists import cost_of, unbuilt
from warcabinet.plans.acting import Broken
from warcabinet.plans.atlas import Sightings
from warcabinet.rules.economy.base import base, keeps_brps, level
from warcabinet.rules.economy.spending import construction_limit

#: What is counted of every power at the start of every turn.
WATCHED = ("base", "level", "construction limit", "unbuilt")

Value = TypeVar("Value", int, str)
#: How often a number came about.
Counts = dict[int, int]
#: How each uncertain thing turned out in a future.
Went = Callable[[int], Mapping[str, str]]
#: Futures in which an order was refused that are remembered by their number, to be opened.
REMEMBERED = 24


class Break(msgspec.Struct):
    """An order that was refused, or a step where futures are stuck: in how many, by what, first when."""

    what: str
    clauses: tuple[str, ...]
    text: str
    stuck: bool
    futures: int = 0
    times: int = 0
    first: int = 0
    which: tuple[int, ...] = ()


class Answer(msgspec.Struct):
    """What a question found: how often each value, in which future first, and how often beside each outcome.

    Nothing of it is kept for every future, so that a million of them take no more room than a thousand.
    """

    counts: Counts = {}
    first: Counts = {}
    beside: dict[str, dict[str, Counts]] = {}

    def put(self, value: int, futures: Sequence[int], went: Went) -> None:
        self.counts[value] = self.counts.get(value, 0) + len(futures)
        self.first[value] = min(self.first.get(value, futures[0]), futures[0])
        for future in futures:
            for thing, outcome in went(future).items():
                counts = self.beside.setdefault(thing, {}).setdefault(outcome, {})
                counts[value] = counts.get(value, 0) + 1

    def add(self, other: Answer) -> None:
        _add_counts(self.counts, other.counts)
        for value, future in other.first.items():
            self.first[value] = min(self.first.get(value, future), future)
        for thing, outcomes in other.beside.items():
            mine = self.beside.setdefault(thing, {})
            for outcome, counts in outcomes.items():
                _add_counts(mine.setdefault(outcome, {}), counts)


class Tally(msgspec.Struct):
    """Everything that is counted over some futures."""

    futures: int = 0
    finished: int = 0
    played: int = 0  # commands that were judged and accepted; what futures have in common is played once
    figures: dict[str, dict[int, Counts]] = {}
    breaks: dict[str, Break] = {}
    answers: dict[int, Answer] = {}
    went: dict[str, dict[str, int]] = {}  # how uncertain things turned out, in the futures that have ended
    seen: Sightings = msgspec.field(default_factory=Sightings)

    def watch(self, s: State, futures: int) -> None:
        """Count every power's figures at the start of a turn."""
        for path, value in watched(s).items():
            turns = self.figures.setdefault(path, {}).setdefault(s.turn, {})
            turns[value] = turns.get(value, 0) + futures

    def ask(self, question: int, value: int, futures: Sequence[int], went: Went) -> None:
        """Count what a question found in some futures."""
        self.answers.setdefault(question, Answer()).put(value, futures, went)

    def end(self, futures: Sequence[int], finished: bool, went: Went) -> None:
        """Count futures that have come to their end, or to where they are stuck."""
        self.futures += len(futures)
        self.finished += len(futures) if finished else 0
        for future in futures:
            for thing, outcome in went(future).items():
                outcomes = self.went.setdefault(thing, {})
                outcomes[outcome] = outcomes.get(outcome, 0) + 1

    def broke(self, broken: Broken, moment: int, futures: Sequence[int], again: bool) -> None:
        """Count an order that was refused; `again` where these futures have seen it refused before."""
        key = f"{broken.what} {' '.join(broken.clauses)}"
        found = self.breaks.get(key)
        if found is None:
            found = self.breaks[key] = Break(broken.what, broken.clauses, broken.text, broken.stuck, first=moment)
        found.times += len(futures)
        if not again:
            found.futures += len(futures)
            found.which = _fewest(found.which, futures[:REMEMBERED])
        if moment < found.first:
            found.first, found.text = moment, broken.text

    def add(self, other: Tally) -> None:
        """Put another count to this one."""
        self.futures += other.futures
        self.finished += other.finished
        self.played += other.played
        for path, turns in other.figures.items():
            mine = self.figures.setdefault(path, {})
            for turn, counts in turns.items():
                _add_counts(mine.setdefault(turn, {}), counts)
        for key, it in other.breaks.items():
            self._add_break(key, it)
        for question, answer in other.answers.items():
            self.answers.setdefault(question, Answer()).add(answer)
        for thing, outcomes in other.went.items():
            _add_counts(self.went.setdefault(thing, {}), outcomes)
        self.seen.add(other.seen)

    def _add_break(self, key: str, other: Break) -> None:
        mine = self.breaks.get(key)
        if mine is None:
            self.breaks[key] = msgspec.structs.replace(other)
            return
        mine.futures += other.futures
        mine.times += other.times
        mine.which = _fewest(mine.which, other.which)
        if (other.first, other.text) < (mine.first, mine.text):
            mine.first, mine.text = other.first, other.text


def _add_counts(mine: dict[Value, int], other: Mapping[Value, int]) -> None:
    for value, count in other.items():
        mine[value] = mine.get(value, 0) + count


def _fewest(mine: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The first numbers of both, so that the same are remembered however futures were divided."""
    return tuple(sorted({*mine, *other}))[:REMEMBERED]


def watched(s: State) -> dict[str, int]:
    """A power's figures as a planner follows them, by path."""
    found: dict[str, int] = {}
    for power in powers():
        if keeps_brps(s, power) and not s.powers[power].surrendered:
            numbers = (base(s, power), level(s, power), construction_limit(s, power), _unbuilt(s, power))
            found |= {f"{power} {name}": number for name, number in zip(WATCHED, numbers, strict=True)}
    return found


def _unbuilt(s: State, power: str) -> int:
    return cost_of(dict(unbuilt(s, power)))


def starts_turn(s: State) -> bool:
    return s.step == calendar.first_step("axis")


def quantile(counts: Mapping[int, int], share: float) -> int:
    """The value below or at which so much of all lies."""
    wanted = share * sum(counts.values())
    reached = 0
    for value in sorted(counts):
        reached += counts[value]
        if reached >= wanted:
            return value
    return max(counts, default=0)


def mean(counts: Mapping[int, int]) -> float:
    whole = sum(counts.values())
    return sum(value * count for value, count in counts.items()) / whole if whole else 0.0


def total(parts: Iterable[Tally]) -> Tally:
    found = Tally()
    for part in parts:
        found.add(part)
    return found
