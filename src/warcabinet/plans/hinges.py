"""The hinges of a plan: what is uncertain about a moment, between which turns it lies, and how often it comes about."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.plans.chances import Outcome, told
from warcabinet.plans.form import Program


class Hinge(msgspec.Struct, frozen=True):
    """An uncertain thing on the line of turns: its range, its likeliest turn, and the share of futures that see it."""

    thing: str
    first: str
    last: str
    likeliest: str
    share: float


def hinges(program: Program, went: Mapping[str, Mapping[str, int]]) -> tuple[Hinge, ...]:
    """The things that turn out once and have a turn, the earliest first; `went` is how they did so far."""
    found = [it for name in program.plan.uncertain if went.get(name) and (it := _hinge(program, name, went[name]))]
    return tuple(sorted(found, key=lambda it: (calendar.parse_turn(it.first), it.thing)))


def _hinge(program: Program, name: str, went: Mapping[str, int]) -> Hinge | None:
    """One whose outcomes are turns lies between them; any other lies where the orders do that hang on it."""
    whole = sum(went.values())
    outcomes = [outcome for outcome, _ in program.plan.uncertain[name].odds()]
    turns = {turn: went.get(told(it), 0) for it in outcomes if (turn := _turn(it)) is not None}
    if turns:
        likeliest = max(turns, key=lambda it: (turns[it], -it))
        return _told(name, min(turns), max(turns), likeliest, sum(turns.values()) / whole)
    ordered = [it.turn for it in program.orders if name in it.hangs_on and it.turn is not None]
    if not ordered:
        return None  # it is felt again and again: no hinge of one moment
    share = went.get("yes", 0) / whole if True in outcomes else 1.0
    return _told(name, min(ordered), max(ordered), min(ordered), share)


def _told(name: str, first: int, last: int, likeliest: int, share: float) -> Hinge:
    turn = calendar.turn_name
    return Hinge(name, turn(first), turn(last), turn(likeliest), round(share, 4))


def _turn(outcome: Outcome) -> int | None:
    """The turn that an outcome names, if it names one."""
    try:
        return calendar.parse_turn(outcome) if isinstance(outcome, str) else None
    except WarCabinetError:
        return None
