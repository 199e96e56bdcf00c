"""Reasons. A `Why` is made by running a rule, never written beside it.

While a decision or an explanation runs, a `Trace` collects a node for every value, definition and limit that
governed. Values already computed for the same state are taken from the trace's cache, node and all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Any, TypeVar

import msgspec

Answer = int | str | bool | None | tuple[str, ...]
# A rule with its arguments: by this an explanation remembers what it has told.
Told = tuple[str, tuple[str | int, ...]]


class Why(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, gc=False):
    """One step of an explanation: the rule that governed, its clause, its result, and what it rested on.

    Stored as an array; the gist is looked up by the rule's name when it is shown. Like all that never changes and
    cannot contain itself, it is left alone by the garbage collector.
    """

    rule: str
    clause: str
    args: tuple[str | int, ...] = ()
    value: Answer = None
    because: tuple[Why, ...] = ()
    set_aside: tuple[str, ...] = ()
    note: str = ""

    def clauses(self) -> set[str]:
        """Every clause that this explanation rests on."""
        return {node.clause for node in nodes(self) if node.clause}


#: Stands for a node where none is made, because nobody reads it.
UNTOLD = Why("", "")

T = TypeVar("T")


def fold(why: Why, make: Callable[[Why, list[T], bool], T], told: set[Told] | None = None) -> T:
    """Build something from an explanation, reasons first: the one walk that every printer goes.

    `make` is given a node, what was made of its reasons, and whether it was told before: with `told` (a set to
    remember by) what has been gone into once is not gone into again.
    """
    if told is None:
        return make(why, [fold(reason, make) for reason in why.because], False)
    again = (why.rule, why.args) in told
    told.add((why.rule, why.args))
    return make(why, [] if again else [fold(reason, make, told) for reason in why.because], again)


def nodes(why: Why) -> Iterator[Why]:
    """Every node of an explanation, from the top."""
    yield why
    for reason in why.because:
        yield from nodes(reason)


class Trace:
    """What the running computation has consulted so far, and what it has found out about the state it looks at.

    `with Trace() as trace` runs a computation under one of its own. A quiet one makes no nodes, for nobody reads them.
    """

    __slots__ = ("_outer", "children", "known", "quiet", "state")

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.state: object = None
        self.known: dict[Any, Any] = {}
        self.children: list[Why] = []

    def __enter__(self) -> Trace:
        self._outer = TRACE.set(self)
        return self

    def __exit__(self, *error: object) -> None:
        TRACE.reset(self._outer)

    def take(self) -> tuple[Why, ...]:
        """The nodes gathered since the last call; gathering starts afresh."""
        taken, self.children = tuple(self.children), []
        return taken


TRACE: ContextVar[Trace | None] = ContextVar("trace", default=None)
# Asked for at every turn.
running = TRACE.get


def quietly() -> AbstractContextManager[Trace]:
    """Go on under a trace that tells nothing: the one that is running, with all it has found out, if it is such."""
    known = running()
    return nullcontext(known) if known is not None and known.quiet else Trace(quiet=True)


def telling() -> bool:
    """Whether anybody will read the reasons: what only they need may be left out otherwise."""
    trace = running()
    return trace is not None and not trace.quiet


def answer(value: object) -> Answer:
    """A rule's result in the form in which explanations keep it."""
    if value is None or isinstance(value, int | str):
        return value
    if isinstance(value, tuple | list | frozenset | set):
        return tuple(sorted(map(str, value)) if isinstance(value, frozenset | set) else map(str, value))
    return str(value)


def note(rule: str, clause: str, value: object, *args: object, because: tuple[Why, ...] = (), text: str = "") -> None:
    """Add a node for something read rather than computed: a table, a stored amount, a fact."""
    trace = running()
    if trace is not None and not trace.quiet:
        asked = tuple([it if isinstance(it, int | str) else str(it) for it in args])
        trace.children.append(Why(rule, clause, asked, answer(value), because, (), text))
