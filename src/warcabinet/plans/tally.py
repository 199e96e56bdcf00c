"""What futures show, counted: whole numbers that can be added in any order, so that the sum is always the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from warcabinet.model import calendar
from warcabinet.model.forces import cost_of, unbuilt
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.acting import Broken
from warcabinet.rules.economy.base import base, keeps_brps, level
from warcabinet.rules.economy.spending import construction_limit

#: What is counted of every power at the start of every turn.
WATCHED = ("base", "level", "construction limit", "unbuilt")

#: How often a number came about.
Counts = dict[int, int]


class Break(msgspec.Struct):
    """An order that was refused, or a step where futures are stuck: in how many, by what, first when."""

    what: str
    clauses: tuple[str, ...]
    text: str
    stuck: bool
    futures: int = 0
    times: int = 0
    first: int = 0


class Answer(msgspec.Struct, frozen=True):
    """What a question found in some futures."""

    question: int
    value: int
    futures: tuple[int, ...]


class Tally(msgspec.Struct):
    """Everything that is counted over some futures."""

    futures: int = 0
    finished: int = 0
    played: int = 0  # commands that were judged and accepted; what futures have in common is played once
    figures: dict[str, dict[int, Counts]] = {}
    breaks: dict[str, Break] = {}
    answers: list[Answer] = []

    def watch(self, s: State, futures: int) -> None:
        """Count every power's figures at the start of a turn."""
        for path, value in watched(s).items():
            turns = self.figures.setdefault(path, {}).setdefault(s.turn, {})
            turns[value] = turns.get(value, 0) + futures

    def broke(self, broken: Broken, moment: int, futures: int, again: bool) -> None:
        """Count an order that was refused; `again` where these futures have seen it refused before."""
        key = f"{broken.what} {' '.join(broken.clauses)}"
        found = self.breaks.get(key)
        if found is None:
            found = self.breaks[key] = Break(broken.what, broken.clauses, broken.text, broken.stuck, first=moment)
        found.times += futures
        found.futures += 0 if again else futures
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
        self.answers += other.answers

    def _add_break(self, key: str, other: Break) -> None:
        mine = self.breaks.get(key)
        if mine is None:
            self.breaks[key] = msgspec.structs.replace(other)
            return
        mine.futures += other.futures
        mine.times += other.times
        if (other.first, other.text) < (mine.first, mine.text):
            mine.first, mine.text = other.first, other.text


def _add_counts(mine: Counts, other: Mapping[int, int]) -> None:
    for value, count in other.items():
        mine[value] = mine.get(value, 0) + count


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


def tally_from(stored: Any) -> Tally:
    return msgspec.convert(stored, Tally, strict=False)


def total(parts: Iterable[Tally]) -> Tally:
    found = Tally()
    for part in parts:
        found.add(part)
    return found
