"""What will come about by itself if nothing changes, though nobody promised it: shown on the agenda beside promises.

A promise is made once; what hangs on how things stand at a moment (iron ore, partisans at a border) is foreseen anew
each time it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warcabinet.model.state import State


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
