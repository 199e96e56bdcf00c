"""What somebody must do before play goes on, as an order with all that is known of it: offers put it first."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warcabinet.kernel.why import quietly
from warcabinet.model.state import State


class Duty(msgspec.Struct, frozen=True):
    """An order that is owed: under which clause, what for, by any one of these powers, and what of it is settled.

    `actor` is the field that names the power; without one the order is for whoever plays all of these powers.
    """

    clause: str
    text: str
    of: tuple[str, ...]
    command: str
    known: dict[str, str]
    actor: str = "by"


Asker = Callable[[State], Iterable[Duty]]
_ASKERS: list[Asker] = []


def duty(fn: Asker) -> Asker:
    """Register a function that tells what is owed in a position; a limit on `advance` keeps the game there."""
    _ASKERS.append(fn)
    _ASKERS.sort(key=lambda it: (it.__module__, it.__code__.co_firstlineno))
    return fn


def duties(s: State) -> list[Duty]:
    """What is owed in a position, by everybody; what several of those who tell it ask for is worked out once."""
    with quietly():
        return [it for asker in _ASKERS for it in asker(s)]
