"""Two plans, or a plan and what happened, side by side: the figures that differ, turn by turn."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from warcabinet.model import calendar
from warcabinet.plans.results import Result


class Spread(msgspec.Struct, frozen=True):
    """A figure of either side: its median, and between which values nine in ten lie."""

    median: int
    low: int
    high: int


class Beside(msgspec.Struct, frozen=True):
    """A figure in a turn on both sides; the difference is that of the medians."""

    figure: str
    turn: str
    one: Spread
    other: Spread
    difference: int


class AskedOfBoth(msgspec.Struct, frozen=True):
    """The chance of a question on both sides, where both ask it."""

    question: str
    one: float | None
    other: float | None


class Comparison(msgspec.Struct, frozen=True):
    one: str
    other: str
    figures: tuple[Beside, ...]
    questions: tuple[AskedOfBoth, ...]


def spreads(result: Result) -> dict[str, dict[str, Spread]]:
    return {
        path: {it.turn: Spread(it.median, it.low, it.high) for it in turns} for path, turns in result.figures.items()
    }


def of_game(figures: Mapping[str, Mapping[int, int]]) -> dict[str, dict[str, Spread]]:
    """A game has one value for each turn."""
    return {
        path: {calendar.turn_name(turn): Spread(it, it, it) for turn, it in turns.items()}
        for path, turns in figures.items()
    }


def side_by_side(
    one: tuple[str, Mapping[str, Mapping[str, Spread]]],
    other: tuple[str, Mapping[str, Mapping[str, Spread]]],
    chances: tuple[Mapping[str, float | None], Mapping[str, float | None]] = ({}, {}),
) -> Comparison:
    """Every figure and turn that both know and in which they differ."""
    found = [
        Beside(path, turn, turns[turn], its[turn], its[turn].median - turns[turn].median)
        for path, turns in one[1].items()
        if (its := other[1].get(path))
        for turn in sorted(set(turns) & set(its), key=calendar.parse_turn)
        if turns[turn] != its[turn]
    ]
    asked = [AskedOfBoth(it, chances[0][it], chances[1][it]) for it in chances[0] if it in chances[1]]
    return Comparison(one[0], other[0], tuple(found), tuple(asked))


def compared(one: Result, other: Result) -> Comparison:
    chances = tuple({it.question: it.chance for it in result.questions} for result in (one, other))
    return side_by_side((one.plan, spreads(one)), (other.plan, spreads(other)), (chances[0], chances[1]))
