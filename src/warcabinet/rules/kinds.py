"""The decorators that make rules of functions, typed by the game's own state, commands and events.

mypy holds every rule to what it is for: a limit's function and its `when` to the commands named in `on`, an exception
to the parameters of the rule that it displaces, an effect to its event. What types cannot tell is checked at import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from functools import wraps
from inspect import isgeneratorfunction
from typing import (
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from warcabinet.kernel.effects import Due, Effect, Order
from warcabinet.kernel.limits import Choice, Finding, Findings, Limit, Opening, Refusal
from warcabinet.kernel.rules import Determination, Misplaced, Scope, Value
from warcabinet.kernel.why import answer
from warcabinet.model.agenda import Lapsed, Matter, Promise
from warcabinet.model.commands.base import Command
from warcabinet.model.events import Closed, Determined, Fact, Released
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.restatements import with_restatements
from warcabinet.model.state import State

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=Command)
C1 = TypeVar("C1", bound=Command)
C2 = TypeVar("C2", bound=Command)
C3 = TypeVar("C3", bound=Command)
E = TypeVar("E", bound=Fact)
M = TypeVar("M", bound=Matter)

# A value's own parameters are named and typed; its first is the state.
Figure = Callable[Concatenate[State, P], R]
Asked = Value[Concatenate[State, P], R]
Clauses = tuple[str, ...]


class Cited(TypedDict, total=False):
    """Clauses that a rule carries out beside its own: lines of a table that it reads, others that say the same."""

    covers: Clauses
    also: Clauses


@overload
def value(clause: str, gist: str = "", **cited: Unpack[Cited]) -> Callable[[Figure[P, R]], Asked[P, R]]: ...


@overload
def value(
    clause: str,
    gist: str = "",
    *,
    displaces: Asked[P, R] | tuple[Asked[P, R], ...],
    when: Callable[Concatenate[State, P], bool],
    **cited: Unpack[Cited],
) -> Callable[[Figure[P, R]], Asked[P, R]]: ...


@overload
def value(
    clause: str,
    gist: str = "",
    *,
    adds_to: Asked[P, R],
    when: Callable[Concatenate[State, P], bool] | None = None,
    **cited: Unpack[Cited],
) -> Callable[[Figure[P, R]], Asked[P, R]]: ...


def value(clause: str, gist: str = "", *, adds_to: Any = None, **more: Any) -> Any:
    """Register a figure. `displaces` makes it an exception that holds `when`; `adds_to` a part of a total.

    `covers` names the lines of a table or list that the same function reads; it notes each line it uses. `also` names
    clauses that say the same again elsewhere.
    """
    return _valued(clause, gist, "value", adds_to=adds_to, **more)


@overload
def definition(clause: str, gist: str = "", **cited: Unpack[Cited]) -> Callable[[Figure[P, R]], Asked[P, R]]: ...


@overload
def definition(
    clause: str,
    gist: str = "",
    *,
    displaces: Asked[P, R] | tuple[Asked[P, R], ...],
    when: Callable[Concatenate[State, P], bool],
    **cited: Unpack[Cited],
) -> Callable[[Figure[P, R]], Asked[P, R]]: ...


def definition(clause: str, gist: str = "", **more: Any) -> Any:
    """Register what counts as something."""
    return _valued(clause, gist, "definition", **more)


def _valued(
    clause: str,
    gist: str,
    kind: str,
    *,
    when: Callable[..., bool] | None = None,
    displaces: Any = (),
    adds_to: Any = None,
    covers: Clauses = (),
    also: Clauses = (),
) -> Any:
    others = displaces if isinstance(displaces, tuple) else (displaces,)

    def register(fn: Callable[..., Any]) -> Value[..., Any]:
        return Value(clause, gist, fn, kind, when, others, adds_to, covers, with_restatements(clause, also))

    return register


class Remembered(Value[Concatenate[State, P], R], Generic[P, R]):
    """What the game remembers because an order or effect noted it; until then what its function says.

    It is noted under its own clause and lasts `until` its scope ends, unless it is said otherwise by `under`.
    """

    until: Scope = "game"
    #: The clause by which it is noted, where that is another.
    by: str = ""

    def under(self, clause: str, until: Scope | None = None) -> Remembered[P, R]:
        """The same with another clause by which it is noted or forgotten; the event bears it too."""
        other = copy(self)
        other.by, other.until = clause, until or self.until
        return other

    def note(self, p: Proceedings, value: R, reason: str, *args: P.args, **kwargs: P.kwargs) -> None:
        noted = Determination(answer(value), self.by or self.clause, reason, self.until)
        p.do(Determined(self.name, _names(*args, **kwargs), noted), self.by)

    def forget(self, p: Proceedings, *args: P.args, **kwargs: P.kwargs) -> None:
        p.do(Released(self.name, _names(*args, **kwargs)), self.by)

    def noted(self, s: State, *args: P.args, **kwargs: P.kwargs) -> Determination | None:
        """What was noted of these names, if anything was."""
        return self.fixed(s, (*args, *kwargs.values()))

    def noted_by(self, s: State, *args: P.args, **kwargs: P.kwargs) -> str:
        """The clause by which it was noted of these names; its own if it was not."""
        found = self.noted(s, *args, **kwargs)
        return (found.clause if found else "") or self.clause

    def kept(self, s: State) -> Iterator[tuple[tuple[str, ...], R]]:
        """All that is noted: of which names, and what."""
        for key, found in s.determinations.get(self.name, {}).items():
            yield tuple(key.split(", ")) if key else (), cast(R, found.value)


def _names(*args: object, **kwargs: object) -> tuple[str, ...]:
    return tuple(map(str, (*args, *kwargs.values())))


def remembered(
    clause: str, gist: str = "", *, until: Scope = "game", covers: Clauses = (), also: Clauses = ()
) -> Callable[[Figure[P, R]], Remembered[P, R]]:
    """Register what the game remembers: the function says what holds as long as nothing was noted."""

    def register(fn: Figure[P, R]) -> Remembered[P, R]:
        again = with_restatements(clause, also)
        fact = Remembered[P, R](clause, gist, fn, "remembered", None, (), None, covers, again)
        fact.until = until
        return fact

    return register


class Judges(TypedDict, Generic[C], total=False):
    """When a limit holds and what it sets aside; by which clause it refuses, and whether a report can be excused."""

    when: Callable[[State, C], bool] | None
    displaces: Limit[State, Any] | tuple[Limit[State, Any], ...]
    covers: Clauses
    also: Clauses
    by: Callable[[State, C], str] | None
    excusable: bool


Limiting = Callable[[Callable[[State, C], Findings]], Limit[State, C]]


@overload
def limit(clause: str, gist: str = "", *, on: type[C], **more: Unpack[Judges[C]]) -> Limiting[C]: ...


@overload
def limit(
    clause: str, gist: str = "", *, on: tuple[type[C1], type[C2]], **more: Unpack[Judges[C1 | C2]]
) -> Limiting[C1 | C2]: ...


@overload
def limit(
    clause: str, gist: str = "", *, on: tuple[type[C1], type[C2], type[C3]], **more: Unpack[Judges[C1 | C2 | C3]]
) -> Limiting[C1 | C2 | C3]: ...


@overload
def limit(clause: str, gist: str = "", *, on: tuple[type[C], ...], **more: Unpack[Judges[C]]) -> Limiting[C]: ...


def limit(
    clause: str,
    gist: str = "",
    *,
    on: Any,
    when: Callable[..., bool] | None = None,
    displaces: Any = (),
    covers: Clauses = (),
    also: Clauses = (),
    by: Callable[..., str] | None = None,
    excusable: bool = False,
) -> Any:
    """Register what may not be done with a command: the function returns a text that refuses it, a `Bound` or a
    `Choice` of one of its fields, or nothing; it may yield several of them, each by its clause.

    Offers are narrowed by it as soon as the fields that it looks at are known. `by` tells the clause that a refusal
    cites; where it names none the limit does not hold. A report that is `excusable` may name a rule outside the
    documents that allows it. Its twins in other chapters (`also`) are named beside its clause; other clauses are named
    with what they refuse, or `covers` tells of them.
    """
    commands = on if isinstance(on, tuple) else (on,)
    others = displaces if isinstance(displaces, tuple) else (displaces,)
    _must_be(Command, commands, f"limit {clause}: limits judge commands")

    def holds(s: State, cmd: Any) -> bool:
        return (when is None or when(s, cmd)) and (by is None or by(s, cmd) != "")

    def named(s: State, cmd: Any, finding: Finding) -> Finding:
        if by is not None and isinstance(finding, str):
            finding = Refusal(by(s, cmd), finding)
        return refused_unless_excused(cmd, finding) if excusable else finding

    def register(fn: Callable[[State, Any], Any]) -> Limit[State, Any]:
        @wraps(fn)
        def judged(s: State, cmd: Any) -> Finding:
            return named(s, cmd, fn(s, cmd))

        @wraps(fn)
        def each_judged(s: State, cmd: Any) -> Iterator[Finding]:
            for finding in fn(s, cmd):
                yield named(s, cmd, finding)

        wrapped = fn if by is None and not excusable else each_judged if isgeneratorfunction(fn) else judged
        again = with_restatements(clause, also)
        return Limit(clause, gist, wrapped, commands, holds if by else when, others, covers, again)

    return register


HINT = "; or name the rule outside these documents that allows it (by_rule)"


class Excusable(Protocol):
    """A report with the field that names a rule outside these documents."""

    @property
    def by_rule(self) -> str: ...


def excused(cmd: Excusable) -> bool:
    """Whether a report names the rule that allows it."""
    return bool(cmd.by_rule.strip())


def unless_excused(cmd: Excusable, refusal: str | None) -> str | None:
    """A limit's refusal, unless the report is excused.

    The excuse is looked at last, so that a draft in which it is still open is not shut.
    """
    if refusal is None or excused(cmd):
        return None
    return refusal if refusal.endswith(HINT) else f"{refusal}{HINT}"


def refused_unless_excused(cmd: Any, finding: Finding) -> Finding:
    """The same of a refusal that names its clause, where the report can be excused."""
    if "by_rule" not in cmd.__class__.__struct_fields__:
        return finding
    if isinstance(finding, Refusal):
        text = unless_excused(cmd, finding.text)
        return Refusal(finding.clause, text, also=finding.also) if text else None
    return unless_excused(cmd, finding) if isinstance(finding, str) else finding


def opening(clause: str, gist: str = "", *, on: type[C]) -> Callable[[Callable[[State, C], Choice]], Opening[State, C]]:
    """Register what is open for a field before it is filled in: a field that nothing is open for is shut."""
    _must_be(Command, (on,), f"opening {clause}: openings are for commands")

    def register(fn: Callable[[State, C], Choice]) -> Opening[State, C]:
        return Opening(clause, gist, fn, on)

    return register


def order(
    clause: str,
    gist: str = "",
    *,
    on: type[C],
    phases: tuple[str, ...] = (),
    out_of_turn: bool = False,
    also: Clauses = (),
) -> Callable[[Callable[[Proceedings, C], None]], Order[C, Proceedings]]:
    """Register what a command does, and in which phases it may be given (none named: in any).

    `out_of_turn` leaves it to the command's own limits whose player turn it must be.
    """
    _must_be(Command, (on,), f"order {clause}: orders carry out commands")

    def register(fn: Callable[[Proceedings, C], None]) -> Order[C, Proceedings]:
        return Order(clause, gist, fn, on, phases, out_of_turn, with_restatements(clause, also))

    return register


@overload
def effect(
    clause: str,
    gist: str = "",
    *,
    on: type[E] | tuple[type[E], ...],
    after: Effect[..., Any] | tuple[Effect[..., Any], ...] = (),
    when: Callable[[State, E], bool] | None = None,
    covers: Clauses = (),
    also: Clauses = (),
) -> Callable[[Callable[[Proceedings, E], None]], Effect[[E], None]]: ...


@overload
def effect(
    clause: str,
    gist: str = "",
    *,
    when: Callable[[State], bool] | None = None,
    covers: Clauses = (),
    also: Clauses = (),
) -> Callable[[Callable[Concatenate[Proceedings, P], R]], Effect[P, R]]: ...


def effect(
    clause: str,
    gist: str = "",
    *,
    on: Any = None,
    after: Any = (),
    when: Any = None,
    covers: Clauses = (),
    also: Clauses = (),
) -> Any:
    """Register an effect: on every event of type `on`, or of several; without it, at the steps that list it or when it
    is run.
    """
    events = () if on is None else _several(on)
    _must_be(Fact, events, f"effect {clause}: effects follow from events")

    def register(fn: Callable[..., Any]) -> Effect[..., Any]:
        return Effect(clause, gist, fn, events, _several(after), when, covers, with_restatements(clause, also))

    return register


def _several(named: Any) -> tuple[Any, ...]:
    return named if isinstance(named, tuple) else (named,)


def due(
    clause: str,
    gist: str = "",
    *,
    sign: int = 1,
    averted_by: str = "",
    covers: Clauses = (),
    prorated: bool = True,
    also: Clauses = (),
) -> Callable[[Callable[[Proceedings, Promise[M]], int | str | None]], Due[Promise[M]]]:
    """Register what falls due: a gain, or with `sign=-1` a loss; `averted_by` says what would avert it.

    The function says in the type of its promise what its promises are about, and returns the BRPs to settle; or a
    text, why it was averted, or has `Lapsed`.

    What is not `prorated` it posts itself, in full, and returns nothing to settle.
    """

    def register(fn: Callable[[Proceedings, Promise[M]], int | str | None]) -> Due[Promise[M]]:
        @wraps(fn)
        def comes_to(p: Proceedings, due_now: Promise[M]) -> int:
            came = fn(p, due_now)
            if isinstance(came, str):
                p.do(Closed(due_now.id, "lapsed" if isinstance(came, Lapsed) else "averted", str(came)))
            return came if isinstance(came, int) else 0

        again = with_restatements(clause, also)
        return Due(clause, gist, comes_to, sign, averted_by, covers, prorated, again, _matter(fn))

    return register


def _matter(fn: Callable[..., object]) -> type:
    """The type of what a due rule's promises are about, as its function says."""
    hints = [get_args(it) for name, it in get_type_hints(fn).items() if name != "return" and get_origin(it) is Promise]
    if len(hints) != 1:
        raise Misplaced(f"{fn.__name__}: a due rule takes a Promise[...] of what it is about")
    return cast(type, hints[0][0])


def _must_be(base: type, kinds: tuple[Any, ...], told: str) -> None:
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, base)):
            raise Misplaced(f"{told}, and {getattr(kind, '__name__', kind)} is none")
