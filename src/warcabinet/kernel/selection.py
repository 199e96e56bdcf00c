"""Which limits can concern a command at all.

Limits are many, and most are about one nation, one kind of unit, one phase or one way to play. So before a command is
judged, those are left out that say no to everything like it: a limit's own `when` is asked with a draft of which one
field is known and a sketch of a state of which next to nothing is. What says no all the same says no to every command
with that value; what looks at anything else stops there and stays in. Rules are pure, so this is found out once for
each value, nothing declares it, and no declaration can be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from warcabinet.kernel.limits import Draft, Limit, StillOpen
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Trace, tracing

S = TypeVar("S", contravariant=True)

#: For how many kinds of commands in games of different options, and for how many values of a field, it is remembered.
REMEMBERED = 2048


class Unseen(Exception):
    """A part of a state was looked at of which a sketch shows nothing."""


class Outline(Protocol[S]):
    """What is cheap to know of a state and a command before it is judged."""

    def game(self, state: S) -> Hashable:
        """What never changes in a game."""

    def phase(self, state: S) -> Hashable:
        """What often decides whether a limit holds, and has few values."""

    def sketch(self, state: S, with_phase: bool) -> Any:
        """A state that shows what never changes (and its phase), and raises `Unseen` for everything else."""

    def fields(self, kind: type) -> tuple[str, ...]:
        """The fields of a command that hold one of few names."""


class Selection:
    """The limits of one kind of command in games of the same options, less those that cannot concern it."""

    def __init__(self, kind: type, fields: tuple[str, ...], sketch: Any) -> None:
        self.limits: tuple[Limit[Any, Any], ...] = tuple(RULES.limits.get(kind, ()))
        self._kind, self._sketch = kind, sketch
        # By field and value, and by phase: the limits that are out, each as a bit.
        self._fields: tuple[tuple[str, dict[Hashable, int]], ...] = tuple((name, {}) for name in fields)
        self._phases: dict[Hashable, int] = {}
        self._left: dict[int, tuple[Limit[Any, Any], ...]] = {}

    def left(self, command: object, state: S, phase: Hashable, outline: Outline[S]) -> tuple[Limit[Any, Any], ...]:
        """The limits that may concern a command in a phase, in their order."""
        out = self._phases.get(phase)
        if out is None:
            out = self._phases[phase] = self._out(outline.sketch(state, with_phase=True), {})
        for name, known in self._fields:
            value = getattr(command, name)
            mine = known.get(value)
            if mine is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                mine = known[value] = self._out(self._sketch, {name: value})
            out |= mine
        found = self._left.get(out)
        if found is None:
            found = tuple(limit for bit, limit in enumerate(self.limits) if not out >> bit & 1)
            self._left[out] = found
        return found

    def _out(self, sketch: Any, known: dict[str, Any]) -> int:
        """The limits that say no whatever else is the case."""
        draft, out = Draft(self._kind, known), 0
        with tracing(Trace(quiet=True)):
            for bit, limit in enumerate(self.limits):
                if limit.when is not None and _asked(limit.when, sketch, draft) is False:
                    out |= 1 << bit
        return out


class Prospects(NamedTuple):
    """The limits that may have something to say about a draft, and those that have been put aside already."""

    limits: tuple[Limit[Any, Any], ...]
    aside: frozenset[Limit[Any, Any]]


def prospects(kind: type, known: dict[str, Any], sketch: Any) -> Prospects:
    """What can be said of a draft's limits by its known fields alone.

    Out are those that say no to it, and those that look at an open field before they look at the state: whether they
    hold, or what they would find, is open on every state.
    """
    draft, left, aside = Draft(kind, known), list[Limit[Any, Any]](), set[Limit[Any, Any]]()
    with tracing(Trace(quiet=True)):
        for limit in RULES.limits.get(kind, ()):
            holds = True if limit.when is None else _asked(limit.when, sketch, draft)
            if holds is StillOpen:
                aside.update(limit.displaces)
            elif holds is not False and (limit.displaces or _asked(limit.fn, sketch, draft) is not StillOpen):
                left.append(limit)
    return Prospects(tuple(left), frozenset(aside))


def _asked(fn: Callable[..., Any], sketch: Any, draft: Draft) -> Any:
    """What a limit answers to a sketch; that a field is still open; or nothing, where it needs to see more."""
    try:
        return fn(sketch, draft)
    except StillOpen:
        return StillOpen
    except Exception:  # Whatever it looked for and did not find.
        return None


class Selections(Generic[S]):
    """All selections, found by the kind of command and what never changes in a game."""

    def __init__(self, outline: Outline[S]) -> None:
        self._outline = outline
        self._found: dict[tuple[type, Hashable], Selection] = {}
        self._prospects: dict[Hashable, Prospects] = {}
        self._rules = -1

    def left(self, state: S, command: object) -> tuple[Limit[Any, Any], ...]:
        """The limits that may concern a command on a state, in their order."""
        outline = self._outline
        if self._rules != RULES.changes:
            self._keep_up()
        kind, game = type(command), outline.game(state)
        found = self._found.get((kind, game))
        if found is None:
            self._keep_up()
            sketch = outline.sketch(state, with_phase=False)
            found = self._found[kind, game] = Selection(kind, outline.fields(kind), sketch)
        return found.left(command, state, outline.phase(state), outline)

    def prospects(self, state: S, kind: type, known: dict[str, Any]) -> Prospects:
        """The limits that may have something to say about a draft of which these fields, all names, are known."""
        if self._rules != RULES.changes:
            self._keep_up()
        key = kind, self._outline.game(state), *known.items()
        found = self._prospects.get(key)
        if found is None:
            self._keep_up()
            found = self._prospects[key] = prospects(kind, known, self._outline.sketch(state, with_phase=False))
        return found

    def _keep_up(self) -> None:
        """Forget everything when rules have come or gone, or when it gets too much."""
        if self._rules != RULES.changes or len(self._found) + len(self._prospects) > REMEMBERED:
            self._found, self._prospects, self._rules = {}, {}, RULES.changes
