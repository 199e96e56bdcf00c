"""Rules: a few kinds, each with the clause that it carries out.

- **value** and **definition**: how much, and what counts as. They take the state, then names and numbers. What is
  **remembered** is asked for in the same way: an effect noted it.
- **limit**: may not. It refuses a command, or bounds one of its fields (which also narrows the offer).
- **effect**: then. It makes events, on a trigger, at a step, for an accepted command (`order`) or when a
  promise falls due (`due`).

A general rule can be displaced by exceptions, a total can be added to by other chapters. This module holds what all
rules have in common, and values; limits and effects have modules of their own. The decorators that make rules of
functions are typed by the game's state, so they stand above it, in `rules/kinds.py`.
"""

from __future__ import annotations

import inspect
import re
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from types import CodeType
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, Protocol, TypeVar, cast

import msgspec

from warcabinet.kernel.clause import catalogue, cite, standing
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import UNTOLD, Answer, Trace, Why, answer, quietly, running

if TYPE_CHECKING:
    from warcabinet.kernel.effects import Due, Effect, Order
    from warcabinet.kernel.limits import Limit, Opening

P = ParamSpec("P")
R = TypeVar("R")
Condition = Callable[..., bool]
#: How long a figure stays fixed.
Scope = Literal["game", "year", "turn", "player turn", "phase"]


class Misplaced(WarCabinetError):
    """A rule that cannot be what it says it is: found when its module is imported, never in play."""


class Determination(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A figure fixed at a moment: by a step of the year start, or by the referee."""

    value: Answer
    clause: str = ""
    reason: str = ""
    scope: Scope = "game"


class Facts(Protocol):
    """What rules need to know of a state: which of their figures have been fixed."""

    @property
    def determinations(self) -> Mapping[str, Mapping[str, Determination]]: ...


class Undecided(WarCabinetError):
    """The rules contradict each other here: a question to the referee."""

    def __init__(self, rule: str, args: tuple[str, ...], choices: tuple[str, ...]) -> None:
        super().__init__(f"{rule}({', '.join(args)}): which governs, {' or '.join(choices)}?")
        self.rule, self.args_, self.choices = rule, args, choices


class Rule:
    """What every rule has: a clause, a name, a gist in our own words, and a place in the code.

    A gist too long to stand beside the clause is the first paragraph of the function's documentation. Clauses that the
    function names it carries out as well; `covers` tells of others, such as those of the rows that it goes through,
    `also` of its twins: those that say the same as its own again.
    """

    kind = "rule"

    def __init__(
        self, clause: str, gist: str, fn: Callable[..., Any], covers: tuple[str, ...] = (), also: tuple[str, ...] = ()
    ) -> None:
        self.clause = cite(clause)
        self.covers = tuple(map(cite, covers))
        self.also = tuple(map(cite, also))
        self.named = tuple(clauses_in(inspect.unwrap(fn).__code__.co_consts))
        self.gist = gist or _first_sentence(fn)
        self.fn = fn
        self.name = fn.__name__
        self.module = fn.__module__
        self.line = inspect.unwrap(fn).__code__.co_firstlineno
        self.where = f"{fn.__module__.removeprefix('warcabinet.').replace('.', '/')}.py:{self.line}"
        self.__doc__ = fn.__doc__
        RULES.add(self)

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands: rules of one kind are kept in this order, whichever module is imported first."""
        return self.module, self.line

    @property
    def clauses(self) -> tuple[str, ...]:
        """Every clause that it carries out, each once."""
        return tuple(dict.fromkeys((self.clause, *self.covers, *self.also, *self.named)))


def clauses_in(constants: Iterable[object]) -> Iterator[str]:
    """The clauses among the constants of a function's code, and of the functions within it."""
    for it in constants:
        if isinstance(it, str) and it in catalogue():
            yield it
        elif isinstance(it, (tuple, frozenset, CodeType)):
            yield from clauses_in(it.co_consts if isinstance(it, CodeType) else it)


def _first_sentence(fn: Callable[..., Any]) -> str:
    if not fn.__doc__:
        raise TypeError(f"{fn.__module__}.{fn.__name__} has no gist, neither beside its clause nor as a docstring")
    return re.sub(r"(?<!\.[A-Z])\.$", "", " ".join(fn.__doc__.partition("\n\n")[0].split()))


by_place = attrgetter("place")


def by_clause(rule: Rule) -> tuple[int, tuple[str, int]]:
    """Where its clause stands in the rulebook, and among rules of one clause its place in the code."""
    return standing(rule.clause), rule.place


class _InOrder(dict[type, "tuple[Effect[..., Any], ...]"]):
    """The effects of every event, brought into order when they are first asked for: events come by the thousand."""

    def __init__(self, effects: dict[type, list[Effect[..., Any]]]) -> None:
        super().__init__()
        self._effects = effects

    def __missing__(self, trigger: type) -> tuple[Effect[..., Any], ...]:
        found = self[trigger] = in_order(self._effects.get(trigger, []))
        return found


class _Values(dict[str, "Value[..., Any]"]):
    """Values by name; a name that went with a release finds what answers for it now (`RULES.old_names`)."""

    def __missing__(self, name: str) -> Value[..., Any]:
        return self[RULES.old_names[name]]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in RULES.old_names

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401


class Rules:
    """All rules of the program, found by name, clause, command or trigger.

    Nothing here depends on the order in which modules are imported.
    """

    def __init__(self) -> None:
        self.by_name: dict[str, Rule] = {}
        self.by_clause: dict[str, list[Rule]] = {}
        self.limits: dict[type, list[Limit[Any, Any]]] = {}
        self.openings: dict[type, list[Opening[Any, Any]]] = {}
        self.orders: dict[type, Order[Any, Any]] = {}
        self.dues: dict[str, Due[Any]] = {}
        self.effects: dict[type, list[Effect[..., Any]]] = {}
        #: The effects of an event, in the order of their clauses and as they themselves name others.
        self.reactions = _InOrder(self.effects)
        self._values = _Values()
        self.old_names: dict[str, str] = {}

    def add(self, rule: Rule) -> None:
        if rule.name in self.by_name:
            raise Misplaced(f"two rules are called {rule.name}: {self.by_name[rule.name].where} and {rule.where}")
        self.by_name[rule.name] = rule
        if isinstance(rule, Value):
            self._values[rule.name] = rule
        for clause in rule.clauses:
            insort(self.by_clause.setdefault(clause, []), rule, key=by_place)

    def values(self) -> _Values:
        return self._values

    def react(self, trigger: type, effect: Effect[..., Any]) -> None:
        """Let an effect follow from every event of a type."""
        insort(self.effects.setdefault(trigger, []), effect, key=by_place)
        self.reactions.pop(trigger, None)


def in_order(effects: list[Effect[..., Any]]) -> tuple[Effect[..., Any], ...]:
    """Effects of one event in the order of their clauses, save that each comes after those it names."""
    left, found = sorted(effects, key=by_clause), list[Any]()
    while left:
        found.append(next(it for it in left if not any(other in it.after for other in left)))
        left.remove(found[-1])
    return tuple(found)


RULES = Rules()


#: What a figure may be asked about: names, whatever they are names of, and whole numbers.
KEPT = ("str", "int", "Place", "Unit", "Mission", "StatusName")


class Value(Rule, Generic[P, R]):
    """A figure or a definition. Asking for it adds its node to the running explanation."""

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[P, R],
        kind: str,
        when: Condition | None,
        displaces: tuple[Value[..., Any], ...],
        adds_to: Value[..., Any] | None,
        covers: tuple[str, ...],
        also: tuple[str, ...] = (),
    ) -> None:
        super().__init__(clause, gist, fn, covers, also)
        self.kind = kind
        self.when = when
        self.displaces = displaces
        self.exceptions: list[Value[..., Any]] = []
        self.parts: list[Value[..., Any]] = []
        # A parameter that would be a word of the language is written with a line after it: `from_`.
        written = inspect.unwrap(fn)
        self._names = written.__code__.co_varnames[: written.__code__.co_argcount]
        self.parameters = tuple(name.rstrip("_") for name in self._names[1:])
        self.returns = str(written.__annotations__.get("return"))
        for name in self._names[1:]:
            # An explanation keeps what was asked; it is stored with the game and read again.
            if (asked := written.__annotations__.get(name)) not in KEPT:
                raise Misplaced(f"{self.name} asks {name} as {asked}: names and whole numbers can be kept")
        others: list[list[Value[..., Any]]] = [it.exceptions for it in displaces[:1]]
        if adds_to is not None:
            others.append(adds_to.parts)
        for it in others:
            it.append(self)
            it.sort(key=by_place)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Take the result from the trace, or compute it; either way its node goes into the explanation.

        An error on the way ends the decision and its trace with it, so nothing is put back here in that case.
        """
        trace = running()
        if trace is None:
            with quietly():
                return self(*args, **kwargs)
        state: Any = args[0]
        asked: Any = args[1:] + tuple(kwargs[it] for it in self._names[len(args) :]) if kwargs else args[1:]
        if trace.state is not state:
            trace.state, trace.known = state, {}
        # A rule may look at other states (a forecast); what is found is kept with what belongs to this one.
        known, key = trace.known, (self, asked)
        found = known.get(key)
        if found is None:
            outer, trace.children = trace.children, []
            found = known[key] = self._resolved(trace, state, asked)
            trace.children = outer
        if not trace.quiet:
            trace.children.append(found[1])
        return found[0]  # type: ignore[no-any-return]

    def explained(self, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Why]:
        """The result together with its own node, for an effect that posts several figures at once."""
        result = self(*args, **kwargs)
        trace = running()
        assert trace is not None, "only under a trace"
        return result, UNTOLD if trace.quiet else trace.children.pop()

    def general(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The general rule itself, for an exception that builds on what it displaces."""
        trace = running()
        assert trace is not None, "only within a rule"
        outer, trace.children = trace.children, []
        found = self.fn(*args, **kwargs)
        because, trace.children = tuple(trace.children), outer
        if not trace.quiet:
            asked: Any = args[1:]
            outer.append(Why(self.name, self.clause, asked, answer(found), because))
        return cast(R, found)

    def fixed(self, state: Facts, asked: tuple[Any, ...]) -> Determination | None:
        """What this figure was fixed at for these names, if it was."""
        known = state.determinations.get(self.name)
        return known.get(", ".join(map(str, asked))) if known else None

    def _resolved(self, trace: Trace, state: Any, asked: tuple[Any, ...]) -> tuple[Any, Why]:
        """Whatever holds: a figure that was fixed, an exception, or the rule's own function; then its parts."""
        if self.name in state.determinations:
            fixed = self.fixed(state, asked)
            if fixed is not None:
                return fixed.value, Why(self.name, fixed.clause, asked, fixed.value, (), (), fixed.reason)
        rule, set_aside = self._governing(trace, state, asked) if self.exceptions else (self, ())
        if rule is self:
            value, inner = self.fn(state, *asked), UNTOLD
        else:
            # The exception's own result: a ruling may have fixed it, an exception to it displaced it.
            value, inner = rule._resolved(trace, state, asked)
        for part in self.parts:
            # What was looked at to say whether a part counts here is no reason.
            mine, trace.children = trace.children, []
            counts = part.when is None or part.when(state, *asked)
            trace.children = mine
            if counts:
                value += part(state, *asked)
        if trace.quiet:
            return value, UNTOLD
        because = tuple(trace.children)
        if rule is self:
            return value, Why(self.name, self.clause, asked, answer(value), because)
        aside = set_aside + inner.set_aside
        return value, Why(inner.rule, inner.clause, asked, answer(value), because or inner.because, aside, inner.note)

    def _governing(self, trace: Trace, state: Any, asked: tuple[Any, ...]) -> tuple[Value[..., Any], tuple[str, ...]]:
        """Who governs here, the rule itself or an exception, and what is set aside by it.

        What an exception looked at stays only if it holds.
        """
        mine = trace.children
        looked_at: list[Why] = []
        trace.children = looked_at
        live: dict[Value[..., Any], list[Why]] = {}
        for exception in self.exceptions:
            if exception.when is None or exception.when(state, *asked):
                live[exception] = looked_at
                trace.children = looked_at = []
            elif looked_at:
                trace.children = looked_at = []
        trace.children = mine
        if not live:
            return self, ()
        for rule in live:
            if len(live) == 1 or all(other is rule or other in rule.displaces for other in live):
                mine += live[rule]
                return rule, (self.name, *(it.name for it in live if it is not rule))
        raise Undecided(self.name, tuple(map(str, asked)), tuple(it.name for it in live))
