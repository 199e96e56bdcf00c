"""What a country's own chapter says of it as things stand: told on its page, each line with its clause."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warcabinet.model.state import State


class Told(msgspec.Struct, frozen=True):
    """A line on a country's page."""

    clause: str
    text: str


Teller = Callable[[State], Iterable[Told]]
_TELLERS: dict[str, list[Teller]] = {}


def tells_of(*names: str) -> Callable[[Teller], Teller]:
    """Register a function that tells something of these countries."""

    def register(fn: Teller) -> Teller:
        for name in names:
            tellers = _TELLERS.setdefault(name, [])
            tellers.append(fn)
            tellers.sort(key=lambda it: (it.__module__, it.__code__.co_firstlineno))
        return fn

    return register


def told_of(s: State, country: str) -> tuple[Told, ...]:
    return tuple(it for teller in _TELLERS.get(country, ()) for it in teller(s))
