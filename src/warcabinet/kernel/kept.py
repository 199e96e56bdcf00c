"""What is made of a part of a state, kept as long as the part is the same.

Nothing in a state changes in place: an event makes a new state that shares with the old one every part it did not
touch. So identity tells whether something has changed, and what was worked out from a part holds as long as the next
state still has that very part. A kept function is given the parts that it reads and nothing else, so it cannot rest on
anything that is not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from warcabinet.kernel.why import running

Part = TypeVar("Part")
P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

#: How many answers a function keeps: for the parts of several games that take turns, and of a few states of each.
_room = 512
_NAMES = (str, int, frozenset)


@contextmanager
def room_for(answers: int) -> Iterator[None]:
    """Keep so many: for whoever plays many games side by side."""
    global _room
    before, _room = _room, answers
    try:
        yield
    finally:
        _room = before


def kept(fn: Callable[P, R]) -> Callable[P, R]:
    """Work out once what a function makes of parts of a state, as long as they are the same, and of names and numbers.

    A part that is only stood in for (it has `made`) takes what is made of it upon itself.
    """
    found: dict[tuple[Any, ...], tuple[Any, R]] = {}

    def keeping(*asked: Any) -> R:
        # As long as the parts are held here, no other objects can have their ids.
        key = tuple([it if isinstance(it, _NAMES) else id(it) for it in asked])
        mine = found.get(key)
        if mine is None:
            stands_in = next((it for it in asked if hasattr(it, "made")), None)
            if stands_in is not None:
                return stands_in.made(keeping, asked)  # type: ignore[no-any-return]
            if len(found) >= _room:
                found.clear()
            mine = found[key] = asked, fn(*asked)  # type: ignore[call-arg]
        return mine[1]

    return cast(Callable[P, R], wraps(fn)(keeping))


def once(fn: Callable[Concatenate[Part, P], R]) -> Callable[Concatenate[Part, P], R]:
    """Work out once for a state what helpers of several rules ask for, as long as nobody reads their reasons.

    Whoever tells the reasons goes all the way each time, so that every rule names what it rests on.
    """

    def asking(state: Part, /, *args: Any) -> R:
        trace = running()
        if trace is None or not trace.quiet:
            return fn(state, *args)  # type: ignore[call-arg]
        if trace.state is not state:
            trace.state, trace.known = state, {}
        cache, key = trace.known, (fn, args)
        if key in cache:
            return cache[key]  # type: ignore[no-any-return]
        found = cache[key] = fn(state, *args)  # type: ignore[call-arg]
        return found

    return cast(Callable[Concatenate[Part, P], R], wraps(fn)(asking))


def lasting(fn: Callable[P, R]) -> Callable[P, R]:
    """Work out once and for all what a function gives: a table, or of names, of which it keeps the last."""
    return cast(Callable[P, R], lru_cache(1 << 14)(fn))
