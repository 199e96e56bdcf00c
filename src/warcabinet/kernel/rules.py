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
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, Protocol, TypeVar, cast

import msgspec

from warcabinet.kernel.asking import asking
from warcabinet.kernel.clause import cite, standing
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import SHOWN, TRACE, UNTOLD, Answer, Quiet, Trace, Why, answer

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

    A gist too long to stand beside the clause is the first paragraph of the function's documentation.

    `covers` names lines of a table that the same function reads; `also` names clauses that only restate this one.
    """

    kind = "rule"

    def __init__(
        self, clause: str, gist: str, fn: Callable[..., Any], covers: tuple[str, ...] = (), also: tuple[str, ...] = ()
    ) -> None:
        self.clause = cite(clause)
        self.covers = tuple(map(cite, covers))
        self.also = tuple(map(cite, also))
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
        """Every clause that it carries out."""
        return (self.clause, *self.covers, *self.also)


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


class _Following(dict[type, "tuple[tuple[Condition | None, Callable[..., Any]], ...]"]):
    """The same effects, each as its condition and its function side by side."""

    def __init__(self, reactions: _InOrder) -> None:
        super().__init__()
        self._reactions = reactions

    def __missing__(self, trigger: type) -> tuple[tuple[Condition | None, Callable[..., Any]], ...]:
        found = self[trigger] = tuple((it.when, it.fn) for it in self._reactions[trigger])
        return found


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
        #: What they do, for whoever does not tell of them.
        self.following = _Following(self.reactions)
        self._values: dict[str, Value[..., Any]] = {}
        #: How often a rule has come or gone: what is worked out from all of them holds until then.
        self.changes = 0

    def add(self, rule: Rule) -> None:
        if rule.name in self.by_name:
            raise Misplaced(f"two rules are called {rule.name}: {self.by_name[rule.name].where} and {rule.where}")
        self.by_name[rule.name] = rule
        self.changes += 1
        if isinstance(rule, Value):
            self._values[rule.name] = rule
        for clause in rule.clauses:
            insort(self.by_clause.setdefault(clause, []), rule, key=by_place)

    def forget(self, rule: Rule) -> None:
        """Take a rule out again that nothing else rests on."""
        self.changes += 1
        for found in (self.by_name, self._values):
            found.pop(rule.name, None)
        for clause in rule.clauses:
            self.by_clause[clause].remove(rule)
        for kept in (self.limits, self.openings, self.effects):
            for rules in kept.values():
                if rule in rules:
                    cast(list[Rule], rules).remove(rule)
        self.reactions.clear()
        self.following.clear()

    def values(self) -> dict[str, Value[..., Any]]:
        return self._values

    def react(self, trigger: type, effect: Effect[..., Any]) -> None:
        """Let an effect follow from every event of a type."""
        insort(self.effects.setdefault(trigger, []), effect, key=by_place)
        self.reactions.pop(trigger, None)
        self.following.pop(trigger, None)


def in_order(effects: list[Effect[..., Any]]) -> tuple[Effect[..., Any], ...]:
    """Effects of one event in the order of their clauses, save that each comes after those it names."""
    left, found = sorted(effects, key=by_clause), list[Any]()
    while left:
        found.append(next(it for it in left if not any(other in it.after for other in left)))
        left.remove(found[-1])
    return tuple(found)


RULES = Rules()


def rule_of(value: Value[..., Any]) -> Value[..., Any]:
    """The rule itself, where a module's function may stand for it."""
    return cast("Value[..., Any]", getattr(value, "rule", value))


Case = tuple[Condition | None, "Value[..., Any]"]


class Value(Rule, Generic[P, R]):
    """A figure or a definition. Calling it adds its node to the running explanation."""

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
        displaces = tuple(map(rule_of, displaces))
        self.displaces = displaces
        self.exceptions: list[Value[..., Any]] = []
        self.parts: list[Value[..., Any]] = []
        #: The exceptions and the parts once more, each with its condition beside it: they are gone through in a hurry.
        self.cases: tuple[list[Case], list[Case]] = [], []
        # Neither displaced by anything nor added to: its function is all there is to it.
        self.plain = True
        signature = inspect.signature(fn)
        # A parameter that would be a word of the language is written with a line after it: `from_`.
        self.parameters = tuple(name.rstrip("_") for name in tuple(signature.parameters)[1:])
        self.returns = str(signature.return_annotation)
        for name, asked in tuple(signature.parameters.items())[1:]:
            # An explanation keeps what was asked; it is stored with the game and read again.
            if str(asked.annotation) not in ("str", "int"):
                raise Misplaced(f"{self.name} asks {name} as {asked.annotation}: names and whole numbers can be kept")
        self.asked, self.figure = asking(self, tuple(signature.parameters)[1:])
        for general in displaces[:1]:
            general.exceptions.append(self)
            general.exceptions.sort(key=by_place)
            general._line_up()
        if adds_to is not None:
            total = rule_of(adds_to)
            total.parts.append(self)
            total.parts.sort(key=by_place)
            total._line_up()

    def _line_up(self) -> None:
        self.plain = False
        for cases, rules in zip(self.cases, (self.exceptions, self.parts), strict=True):
            cases[:] = [(it.when, it) for it in rules]

    def as_function(self) -> Value[P, R]:
        """The function by which this figure is asked for, with what is asked of the rule itself.

        It is what a module has under the rule's name. It passes for the rule, and is typed as such, because Python
        calls a function with much less ado than an object.
        """
        asked: Any = self.asked
        asked.rule, asked.explained, asked.general = self, self.explained, self.general
        asked.name, asked.clause, asked.gist, asked.parameters = self.name, self.clause, self.gist, self.parameters
        return cast(Value[P, R], asked)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Take the result from the trace, or compute it; either way its node goes into the explanation."""
        return cast(R, self.asked(*args, **kwargs))

    def told(self, trace: Trace | None, state: Any, asked: tuple[Any, ...]) -> Any:
        """The result where somebody reads the reasons, or where nothing has been asked yet."""
        if trace is None:
            token = TRACE.set(Quiet())
            try:
                return self.asked(state, *asked)
            finally:
                TRACE.reset(token)
        if trace.state is not state:
            trace.state, trace.cache = state, {}
        key = (self, asked)
        outer, found = trace.children, trace.cache.get(key)
        if found is not None:
            outer.append(found[0])
            return found[1]
        mine: list[Why] = []
        trace.children = mine
        if self.plain and self.name not in state.determinations:
            value = self.fn(state, *asked)
            shown: Any = value if value.__class__ in SHOWN else answer(value)
            why = Why(self.name, self.clause, asked, shown, tuple(mine))
        else:
            why, value = self._resolve(trace, state, asked)
        trace.children = outer
        if trace.state is state:
            trace.cache[key] = why, value
        outer.append(why)
        return value

    def explained(self, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Why]:
        """The result together with its own node, for an effect that posts several figures at once."""
        result = self(*args, **kwargs)
        trace = TRACE.get()
        assert trace is not None, "only under a trace"
        if trace.quiet:
            return result, UNTOLD
        return result, trace.children.pop()

    def general(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The general rule itself, for an exception that builds on what it displaces."""
        trace = TRACE.get()
        assert trace is not None, "only within a rule"
        if trace.quiet:
            return cast(R, self.fn(*args, **kwargs))
        outer, trace.children = trace.children, []
        try:
            found = self.fn(*args, **kwargs)
            because = tuple(trace.children)
        finally:
            trace.children = outer
        asked: tuple[Any, ...] = args[1:]
        outer.append(Why(self.name, self.clause, asked, answer(found), because))
        return cast(R, found)

    def fixed(self, state: Any, asked: tuple[Any, ...]) -> Determination | None:
        """What this figure was fixed at for these names, if it was."""
        return cast(Facts, state).determinations[self.name].get(", ".join(map(str, asked)))

    def nearest(self, state: Any, asked: tuple[Any, ...]) -> Value[..., Any]:
        """Of several exceptions that hold here the one that displaces the others."""
        return self._nearest([it for it in self.exceptions if it.when is None or it.when(state, *asked)], asked)

    def _nearest(self, live: Sequence[Value[..., Any]], asked: tuple[Any, ...]) -> Value[..., Any]:
        """Of several exceptions that hold the one that displaces the others."""
        for rule in live:
            if all(other is rule or other in rule.displaces for other in live):
                return rule
        raise Undecided(self.name, tuple(map(str, asked)), tuple(rule.name for rule in live))

    def _resolve(self, trace: Trace, state: Any, asked: tuple[Any, ...]) -> tuple[Why, Any]:
        """Whatever holds: a figure that was fixed, an exception, or the rule's own function; then its parts."""
        fixed = state.determinations
        if fixed and self.name in fixed:
            found = fixed[self.name].get(", ".join(map(str, asked)))
            if found is not None:
                return Why(self.name, found.clause, asked, found.value, (), (), found.reason), found.value
        rule: Value[..., Any] = self
        set_aside: tuple[str, ...] = ()
        if self.exceptions:
            exception, set_aside = self._governing(trace, state, asked)
            if exception is not None:
                rule = exception
        if rule is self or (rule.plain and rule.name not in fixed):
            value, name, clause, told = rule.fn(state, *asked), rule.name, rule.clause, ""
            because: tuple[Why, ...] = ()
        else:
            # The exception's own result: a ruling may have fixed it, an exception to it displaced it.
            why, value = rule._resolve(trace, state, asked)
            name, clause, because, told = why.rule, why.clause, why.because, why.note
            set_aside += why.set_aside
        for part in self.parts:
            if part.when is None or self._applies(trace, part.when, state, asked):
                value += part(state, *asked)
        shown: Any = value if value.__class__ in SHOWN else answer(value)
        return Why(name, clause, asked, shown, tuple(trace.children) or because, set_aside, told), value

    def _applies(self, trace: Trace, when: Condition, state: Any, asked: tuple[Any, ...]) -> bool:
        """Whether a part counts here; what was looked at to say so is no reason."""
        mine, trace.children = trace.children, []
        applies = when(state, *asked)
        trace.children = mine
        return applies

    def _governing(
        self, trace: Trace, state: Any, asked: tuple[Any, ...]
    ) -> tuple[Value[..., Any] | None, tuple[str, ...]]:
        """The exception that holds here, if any; what an exception looked at stays only if it holds."""
        mine = trace.children
        live: list[tuple[Value[..., Any], list[Why]]] | None = None
        looked_at: list[Why] = []
        trace.children = looked_at
        for exception in self.exceptions:
            if exception.when is None or exception.when(state, *asked):
                live = live or []
                live.append((exception, looked_at))
                trace.children = looked_at = []
            elif looked_at:
                trace.children = looked_at = []
        trace.children = mine
        if live is None:
            return None, ()
        if len(live) == 1:
            mine += live[0][1]
            return live[0][0], (self.name,)
        nearest = self._nearest([rule for rule, _ in live], asked)
        mine += next(looked_at for rule, looked_at in live if rule is nearest)
        return nearest, (self.name, *(rule.name for rule, _ in live if rule is not nearest))
