"""What is made of a part of a state, kept as long as the part is the same.

Nothing in a state changes in place: an event makes a new state that shares with the old one every part it did not
touch. So identity tells whether something has changed, and what was worked out from a part holds as long as the next
state still has that very part. A kept function is given the parts that it reads and nothing else, so it cannot rest on
anything that is not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from warcabinet.kernel.why import running

Part = TypeVar("Part")
P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

#: For how many parts a function keeps what it made of them: those of several games that take turns, and of a few
#: states of each.
KEPT = 64


def kept(fn: Callable[Concatenate[Part, P], R]) -> Callable[Concatenate[Part, P], R]:
    """Work out once what a function makes of a part of a state (and of further names and numbers)."""
    found: dict[int, tuple[Any, dict[tuple[Any, ...], R]]] = {}

    def keeping(part: Part, /, *args: Any) -> R:
        # As long as the part is held here, no other object can have its id.
        mine = found.get(id(part))
        if mine is None:
            if len(found) >= KEPT:
                found.clear()
            mine = found[id(part)] = (part, {})
        made = mine[1]
        if args not in made:
            made[args] = fn(part, *args)  # type: ignore[call-arg]
        return made[args]

    return cast(Callable[Concatenate[Part, P], R], wraps(fn)(keeping))


def kept_together(fn: Callable[P, R]) -> Callable[P, R]:
    """Work out once what a function makes of several parts of a state, as long as all of them are the same."""
    found: dict[tuple[int, ...], tuple[Any, R]] = {}

    def keeping(*parts: Any) -> R:
        key = tuple(map(id, parts))
        mine = found.get(key)
        if mine is None:
            if len(found) >= KEPT:
                found.clear()
            mine = found[key] = (parts, fn(*parts))  # type: ignore[call-arg]
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
    """Work out once and for all what a function gives: a table, or what follows from a name by the tables alone."""
    return cast(Callable[P, R], cache(fn))
