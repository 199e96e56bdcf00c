"""What is made of a part of a state, kept as long as the part is the same.

Nothing in a state changes in place: an event makes a new state that shares with the old one every part it did not
touch. So identity tells whether something has changed, and what was worked out from a part holds as long as the next
state still has that very part. A kept function is given the parts that it reads and nothing else, so it cannot rest on
anything that is not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from operator import is_
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from warcabinet.kernel.why import running, telling

Part = TypeVar("Part")
P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

#: For how many parts a function keeps what it made of them: those of several games that take turns, and of a few
#: states of each.
KEPT = 64

_UNKNOWN = object()


def kept(fn: Callable[Concatenate[Part, P], R]) -> Callable[Concatenate[Part, P], R]:
    """Work out once what a function makes of a part of a state (and of further names and numbers)."""
    found: dict[int, tuple[Any, dict[tuple[Any, ...], Any]]] = {}

    # The part that was asked about last, which mostly comes again, with what was made of it.
    latest: tuple[Any, dict[tuple[Any, ...], Any]] = (_UNKNOWN, {})
    latest_one: tuple[Any, Any] = (_UNKNOWN, None)

    def keeping(part: Part, /, *args: Any) -> R:
        nonlocal latest
        mine = latest
        if mine[0] is not part:
            # As long as the part is held here, no other object can have its id.
            known = found.get(id(part))
            if known is None:
                if len(found) >= KEPT:
                    found.clear()
                known = found[id(part)] = (part, {})
            latest = mine = known
        made = mine[1]
        if args in made:
            return made[args]  # type: ignore[no-any-return]
        result = made[args] = fn(part, *args)  # type: ignore[call-arg]
        return result

    def keeping_one(part: Part, /) -> R:
        nonlocal latest_one
        mine = latest_one
        if mine[0] is not part:
            known = made_of.get(id(part))
            if known is None:
                if len(made_of) >= KEPT:
                    made_of.clear()
                known = made_of[id(part)] = (part, fn(part))  # type: ignore[call-arg]
            latest_one = mine = known
        return mine[1]  # type: ignore[no-any-return]

    made_of: dict[int, tuple[Any, R]] = {}
    alone = len(signature(fn).parameters) == 1
    return cast(Callable[Concatenate[Part, P], R], wraps(fn)(keeping_one if alone else keeping))


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


def rests_on(what: Callable[[S], tuple[object, tuple[object, ...]]]) -> Callable[[Callable[[S], R]], Callable[[S], R]]:
    """Keep what a function makes of a whole state as long as the parts are the same that it says it rests on.

    `what` gives names and numbers to tell cases apart, then the parts. Only while nobody reads the reasons.
    """

    def register(fn: Callable[[S], R]) -> Callable[[S], R]:
        found: dict[object, tuple[tuple[object, ...], R]] = {}

        def asking(state: S) -> R:
            if telling():
                return fn(state)
            case, parts = what(state)
            mine = found.get(case)
            if mine is None or not all(map(is_, mine[0], parts)):
                if len(found) >= KEPT:
                    found.clear()
                mine = found[case] = parts, fn(state)
            return mine[1]

        return wraps(fn)(asking)

    return register


def once(fn: Callable[Concatenate[Part, P], R]) -> Callable[Concatenate[Part, P], R]:
    """Work out once for a state what helpers of several rules ask for, as long as nobody reads their reasons.

    Whoever tells the reasons goes all the way each time, so that every rule names what it rests on.
    """

    def asking(state: Part, /, *args: Any) -> R:
        trace = running()
        if trace is None or not trace.quiet:
            return fn(state, *args)  # type: ignore[call-arg]
        if trace.state is not state:
            trace.state, trace.cache = state, {}
        cache, key = trace.cache, (fn, args)
        if key in cache:
            return cache[key]  # type: ignore[no-any-return]
        found = cache[key] = fn(state, *args)  # type: ignore[call-arg]
        return found

    return cast(Callable[Concatenate[Part, P], R], wraps(fn)(asking))
