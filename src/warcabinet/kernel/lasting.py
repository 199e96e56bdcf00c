"""What is read or worked out once and for all: tables, and what follows from a name by the tables alone.

Rules ask for such things some ninety times a command. `functools.cache` does it well, but makes a tuple of the
arguments and a key of it at each call; most of these functions have one argument or none, and need neither.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


class _Found(dict[Any, Any]):
    """What a function of one argument has given so far; what it has not yet been asked for is asked of it."""

    __slots__ = ("_fn",)

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self._fn = fn

    def __missing__(self, asked: Any) -> Any:
        found = self[asked] = self._fn(asked)
        return found


def lasting(fn: Callable[P, R]) -> Callable[P, R]:
    """Work out once and for all what a function gives. It is asked by position."""
    code = fn.__code__
    if code.co_argcount > 1 or code.co_kwonlyargcount or fn.__defaults__:
        return cast(Callable[P, R], cache(fn))
    return cast(Callable[P, R], _Found(fn).__getitem__ if code.co_argcount else _read_once(fn))


def _read_once(fn: Callable[..., Any]) -> Callable[[], Any]:
    made: Any = None

    def read() -> Any:
        nonlocal made
        if made is None:
            made = fn()
        return made

    return read
