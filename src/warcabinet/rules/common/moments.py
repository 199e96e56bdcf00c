"""Moments of the sequence that rules look ahead to, what is foreseen for them, and which reading is in force."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warcabinet.kernel.kept import lasting
from warcabinet.model import calendar
from warcabinet.model.events import WarBegan
from warcabinet.model.names import powers
from warcabinet.model.rulings import ruling_named
from warcabinet.model.state import State
from warcabinet.rules.common.war_and_peace import player_of


def end_of_diplomacy(s: State) -> int:
    """The end of the diplomatic phase of the player turn under way; past it, what is due is due at once."""
    return calendar.moment(s.turn, calendar.step_index(s.player or "axis", "end of diplomatic phase"))


def end_of_combat(s: State) -> int:
    return calendar.moment(s.turn, calendar.step_index(s.player or "axis", "end of combat phase"))


def next_step_of(s: State, power: str, name: str) -> int:
    """The next time that a power's player turn reaches a step; now does not count."""
    step = calendar.step_index(player_of(power), name)
    return calendar.moment(s.turn if step > s.step else s.turn + 1, step)


def step_of_next_turn(s: State, power: str, name: str) -> int:
    """A step of the next player turn that a power begins."""
    return calendar.moment(next_turn_of(s, power), step_of(power, name))


def next_turn_of(s: State, power: str) -> int:
    """The game turn of a power's next player turn: this one if its side has yet to move."""
    mine = calendar.first_step(player_of(power))
    return s.turn if s.step < mine else s.turn + 1


def captured_before(s: State, by: str) -> bool:
    """Whether what a power took is told only in the other side's player turn, and so was taken in the one before.

    Nobody takes anything in his opponent's player turn (R-2550).
    """
    return by in powers() and s.player != "" and player_of(by) != s.player


def turn_to_retake(s: State, power: str, by: str) -> int:
    """The game turn of the player turn in which a power may retake what another took."""
    begun = captured_before(s, by) and player_of(power) == s.player
    return s.turn if begun else next_turn_of(s, power)


def told_late(s: State, began: WarBegan) -> bool:
    """Whether a war is reported in the player turn after its declaration: each side declares war in its own."""
    return captured_before(s, began.declared_by)


def first_turn_of_war(s: State, began: WarBegan, power: str) -> int:
    """The game turn of a power's first player turn after a war broke out, also of a war told of only in that one."""
    return s.turn if told_late(s, began) else next_turn_of(s, power)


def step_of(power: str, name: str) -> int:
    return calendar.step_index(player_of(power), name)


class Foreseen(msgspec.Struct, frozen=True):
    """At a moment, for a power, about a country: what, by which clause, and what would avert it."""

    moment: int
    clause: str
    text: str
    power: str
    about: str
    averted_by: str
    brp: int = 0


Seer = Callable[[State], Iterable[Foreseen]]
_SEERS: list[Seer] = []


def foresees(fn: Seer) -> Seer:
    """Register a function that tells what is foreseen in a position."""
    _SEERS.append(fn)
    _SEERS.sort(key=lambda it: (it.__module__, it.__code__.co_firstlineno))
    return fn


def foreseen(s: State) -> list[Foreseen]:
    return [it for seer in _SEERS for it in seer(s)]


def reading_in_force(s: State, ruling: str) -> str:
    """The reading that this game uses: the table's choice while that may be chosen, or ours."""
    chosen = s.readings.get(ruling)
    return chosen if chosen and chosen in ruling_named(ruling).selectable else _ours(ruling)


@lasting
def _ours(ruling: str) -> str:
    return ruling_named(ruling).choice
