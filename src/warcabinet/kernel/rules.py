"""Rules: four kinds, each with the clause that it carries out.

- **value** and **definition**: how much, and what counts as. They take the state, then names and numbers.
- **limit**: may not. It refuses a command, or bounds one of its fields (which also narrows the offer).
- **effect**: then. It makes events, on a trigger, at a step, for an accepted command (`order`) or when a
  promise falls due (`due`).

A general rule can be displaced by exceptions, a total can be added to by other chapters.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Generic, Literal, ParamSpec, Protocol, TypeVar, cast

import msgspec

from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import TRACE, Answer, Trace, Why, answer

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])
Condition = Callable[..., bool]


class Determination(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure fixed at a moment: by a step of the year start, or by the referee."""

    value: Answer
    clause: str = ""
    reason: str = ""
    scope: Literal["game", "year", "turn", "player turn", "phase"] = "game"


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
    """What every rule has: a clause, a name, a gist in our own words, and a place in the code."""

    kind = "rule"

    def __init__(self, clause: str, gist: str, fn: Callable[..., Any], covers: tuple[str, ...] = ()) -> None:
        self.clause = cite(clause)
        self.covers = tuple(map(cite, covers))
        self.gist = gist
        self.fn = fn
        self.name = fn.__name__
        code = fn.__code__
        self.module = fn.__module__
        self.where = f"{fn.__module__.removeprefix('warcabinet.').replace('.', '/')}.py:{code.co_firstlineno}"
        RULES.add(self)


class Rules:
    """All rules of the program, found by name, clause, command, trigger or step."""

    def __init__(self) -> None:
        self.by_name: dict[str, Rule] = {}
        self.by_clause: dict[str, list[Rule]] = {}
        self.limits: dict[type, list[Limit]] = {}
        self.openings: dict[type, list[Opening]] = {}
        self.orders: dict[type, Order] = {}
        self.reactions: dict[type, list[Effect]] = {}

    def add(self, rule: Rule) -> None:
        if rule.name in self.by_name:
            raise ValueError(f"two rules are called {rule.name}: {self.by_name[rule.name].where} and {rule.where}")
        self.by_name[rule.name] = rule
        for clause in (rule.clause, *rule.covers):
            self.by_clause.setdefault(clause, []).append(rule)

    def values(self) -> dict[str, Value[..., Any]]:
        return {name: rule for name, rule in self.by_name.items() if isinstance(rule, Value)}


RULES = Rules()


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
    ) -> None:
        super().__init__(clause, gist, fn, covers)
        self.kind = kind
        self.when = when
        self.displaces = displaces
        self.exceptions: list[Value[..., Any]] = []
        self.parts: list[Value[..., Any]] = []
        signature = inspect.signature(fn)
        # A parameter that would be a word of the language is written with a line after it: `from_`.
        self.parameters = tuple(name.rstrip("_") for name in tuple(signature.parameters)[1:])
        self.returns = str(signature.return_annotation)
        for general in displaces[:1]:
            general.exceptions.append(self)
        if adds_to is not None:
            adds_to.parts.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Take the result from the trace, or compute it; either way its node goes into the explanation."""
        given: tuple[Any, ...] = inspect.signature(self.fn).bind(*args, **kwargs).args if kwargs else args
        trace = TRACE.get()
        if trace is None:
            return self._alone(given)  # type: ignore[no-any-return]
        state = given[0]
        if trace.state is not state:
            trace.state, trace.cache = state, {}
        key = (self, given[1:])
        found = trace.cache.get(key)
        outer = trace.children
        if found is None:
            # The hottest path of all. An error on the way ends the decision and its trace with it, so nothing is
            # put back here in that case.
            trace.children = []
            found = self._resolve(trace, given)
            trace.children = outer
            # A rule may look at other states (a forecast); only what belongs to this one is kept.
            if trace.state is state:
                trace.cache[key] = found
        outer.append(found[0])
        return found[1]  # type: ignore[no-any-return]

    def _computed(self, trace: Trace, args: tuple[Any, ...], how: Callable[..., tuple[Why, Any]]) -> tuple[Why, Any]:
        """Run a computation with a fresh list for the nodes it rests on."""
        outer, trace.children = trace.children, []
        try:
            return how(trace, args)
        finally:
            trace.children = outer

    def _alone(self, args: tuple[Any, ...]) -> Any:
        token = TRACE.set(Trace())
        try:
            return cast(Any, self)(*args)
        finally:
            TRACE.reset(token)

    def explained(self, *args: P.args, **kwargs: P.kwargs) -> tuple[R, Why]:
        """The result together with its own node, for an effect that posts several figures at once."""
        result = self(*args, **kwargs)
        trace = TRACE.get()
        assert trace is not None, "only under a trace"
        return result, trace.children.pop()

    def general(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The general rule itself, for an exception that builds on what it displaces."""
        trace = TRACE.get()
        assert trace is not None, "only within a rule"
        why, found = self._computed(trace, args, self._body)
        trace.children.append(why)
        return cast(R, found)

    def _resolve(self, trace: Trace, args: tuple[Any, ...]) -> tuple[Why, Any]:
        asked = args[1:]
        fixed = args[0].determinations
        if fixed and self.name in fixed:
            found = fixed[self.name].get(", ".join(map(str, asked)))
            if found is not None:
                return Why(self.name, found.clause, asked, found.value, (), (), found.reason), found.value
        if self.exceptions:
            exception, set_aside = self._governing(trace, args)
            if exception is not None:
                return self._displaced(trace, args, exception, set_aside)
        value = self.fn(*args)
        if self.parts:
            value = self._with_parts(trace, args, value)
        shown = value if value.__class__ is int or value.__class__ is bool else answer(value)
        return Why(self.name, self.clause, asked, shown, tuple(trace.children)), value

    def _displaced(
        self, trace: Trace, args: tuple[Any, ...], exception: Value[..., Any], set_aside: tuple[str, ...]
    ) -> tuple[Why, Any]:
        """The exception's own result (a ruling may have fixed it, an exception to it displaced it), with the parts."""
        why, value = exception._resolve(trace, args)
        if self.parts:
            value = self._with_parts(trace, args, value)
        because = tuple(trace.children) or why.because
        return Why(
            why.rule, why.clause, why.args, answer(value), because, (*set_aside, *why.set_aside), why.note
        ), value

    def _with_parts(self, trace: Trace, args: tuple[Any, ...], value: Any) -> Any:
        for part in self.parts:
            value = self._add(trace, part, args, value)
        return value

    def _body(self, trace: Trace, args: tuple[Any, ...]) -> tuple[Why, Any]:
        value = self.fn(*args)
        return Why(self.name, self.clause, args[1:], answer(value), tuple(trace.children)), value

    def _add(self, trace: Trace, part: Value[..., Any], args: tuple[Any, ...], value: Any) -> Any:
        if part.when is not None:
            mine, trace.children = trace.children, []
            applies = part.when(*args)
            trace.children = mine
            if not applies:
                return value
        return value + part(*args)

    def _governing(self, trace: Trace, args: tuple[Any, ...]) -> tuple[Value[..., Any] | None, tuple[str, ...]]:
        """The exception that holds here, if any; what an exception looked at stays only if it holds."""
        mine = trace.children
        live: list[tuple[Value[..., Any], list[Why]]] = []
        for exception in self.exceptions:
            looked_at: list[Why] = []
            trace.children = looked_at
            if exception.when is None or exception.when(*args):
                live.append((exception, looked_at))
        trace.children = mine
        if not live:
            return None, ()
        names = tuple(rule.name for rule, _ in live)
        for rule, looked_at in live:
            if all(other is rule or other in rule.displaces for other, _ in live):
                mine.extend(looked_at)
                return rule, (self.name, *(name for name in names if name != rule.name))
        raise Undecided(self.name, tuple(map(str, args[1:])), names)


def value(
    clause: str,
    gist: str,
    *,
    when: Condition | None = None,
    displaces: Value[..., Any] | tuple[Value[..., Any], ...] = (),
    adds_to: Value[..., Any] | None = None,
    covers: tuple[str, ...] = (),
    kind: str = "value",
) -> Callable[[Callable[P, R]], Value[P, R]]:
    """Register a figure. `displaces` makes it an exception that holds `when`; `adds_to` a part of a total.

    `covers` names the lines of a table or list that the same function reads; it notes each line it uses.
    """
    others = displaces if isinstance(displaces, tuple) else (displaces,)

    def register(fn: Callable[P, R]) -> Value[P, R]:
        return Value(clause, gist, fn, kind, when, others, adds_to, covers)

    return register


def definition(
    clause: str,
    gist: str,
    *,
    when: Condition | None = None,
    displaces: Value[..., Any] | tuple[Value[..., Any], ...] = (),
    covers: tuple[str, ...] = (),
) -> Callable[[Callable[P, R]], Value[P, R]]:
    """Register what counts as something."""
    return value(clause, gist, when=when, displaces=displaces, covers=covers, kind="definition")


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Why a command may not be carried out: the clause, what is wrong, and what would be right."""

    clause: str
    text: str
    rule: str = ""


class Bound(msgspec.Struct, frozen=True):
    """A field may be at most (and at least) so much."""

    field: str
    most: int | None = None
    least: int | None = None
    text: str = ""


class Choice(msgspec.Struct, frozen=True):
    """A field must be one of these."""

    field: str
    among: tuple[str, ...]
    text: str = ""


Finding = Refusal | Bound | Choice | str | None


class Limit(Rule):
    """What may not be done. A text is a refusal; a bound or a choice refuses only what lies outside it."""

    kind = "limit"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[..., Finding],
        on: tuple[type, ...],
        when: Condition | None,
        reads: tuple[str, ...] | None,
    ) -> None:
        super().__init__(clause, gist, fn)
        self.when = when
        self.reads = reads
        self.on = on
        for command in on:
            RULES.limits.setdefault(command, []).append(self)

    def judge(self, command: object, finding: Finding) -> Refusal | None:
        """The refusal that `finding` means for this command, if it means one."""
        if finding is None:
            return None
        if isinstance(finding, str):
            return Refusal(self.clause, finding, self.name)
        if isinstance(finding, Refusal):
            return Refusal(finding.clause or self.clause, finding.text, self.name)
        asked = getattr(command, finding.field)
        if isinstance(finding, Choice):
            if asked in finding.among:
                return None
            allowed = ", ".join(finding.among) or "nothing"
            return Refusal(self.clause, finding.text or f"{finding.field} must be one of: {allowed}", self.name)
        return self._judge_bound(finding, asked)

    def _judge_bound(self, bound: Bound, asked: int) -> Refusal | None:
        if bound.most is not None and asked > bound.most:
            text = bound.text or self.gist
            return Refusal(self.clause, f"{text}: {bound.field} is {asked}, at most {bound.most}", self.name)
        if bound.least is not None and asked < bound.least:
            text = bound.text or self.gist
            return Refusal(self.clause, f"{text}: {bound.field} is {asked}, at least {bound.least}", self.name)
        return None


def limit(
    clause: str,
    gist: str,
    *,
    on: type | tuple[type, ...],
    when: Condition | None = None,
    reads: tuple[str, ...] | None = None,
) -> Callable[[F], F]:
    """Register what may not be done with a command.

    `reads` names the fields that it looks at: an offer is narrowed by it as soon as they are known. Without it the
    limit looks at the whole command and only judges.
    """

    def register(fn: F) -> F:
        Limit(clause, gist, fn, on if isinstance(on, tuple) else (on,), when, reads)
        return fn

    return register


class Opening(Rule):
    """Which values of a field are open before it is filled. It narrows offers; whole commands are judged by limits."""

    kind = "opening"

    def __init__(self, clause: str, gist: str, fn: Callable[..., Choice], on: type, reads: tuple[str, ...]) -> None:
        super().__init__(clause, gist, fn)
        self.reads = reads
        RULES.openings.setdefault(on, []).append(self)


def opening(
    clause: str, gist: str, *, on: type, reads: tuple[str, ...] = ()
) -> Callable[[Callable[..., Choice]], Callable[..., Choice]]:
    """Register what is open for a field once the fields in `reads` are known: one that nothing is open for is shut."""

    def register(fn: Callable[..., Choice]) -> Callable[..., Choice]:
        Opening(clause, gist, fn, on, reads)
        return fn

    return register


class Effect(Rule):
    """What then happens: on a trigger (an event type), or at a step of the sequence that lists it."""

    kind = "effect"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[..., Any],
        on: type | None,
        order: int,
        when: Condition | None,
        covers: tuple[str, ...],
    ) -> None:
        super().__init__(clause, gist, fn, covers)
        self.order = order
        self.when = when
        if on is not None:
            reactions = RULES.reactions.setdefault(on, [])
            reactions.append(self)
            reactions.sort(key=lambda effect: effect.order)


def effect(
    clause: str,
    gist: str,
    *,
    on: type | None = None,
    order: int = 0,
    when: Condition | None = None,
    covers: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Register an effect: on every event of type `on`, or (without `on`) at the steps that list its name."""

    def register(fn: F) -> F:
        Effect(clause, gist, fn, on, order, when, covers)
        return fn

    return register


class Order(Rule):
    """What an accepted command does."""

    kind = "order"

    def __init__(
        self, clause: str, gist: str, fn: Callable[..., Any], on: type, phases: tuple[str, ...], out_of_turn: bool
    ) -> None:
        super().__init__(clause, gist, fn)
        self.on = on
        self.phases = phases
        self.out_of_turn = out_of_turn
        RULES.orders[on] = self


def order(
    clause: str, gist: str, *, on: type, phases: tuple[str, ...] = (), out_of_turn: bool = False
) -> Callable[[F], F]:
    """Register what a command does, and in which phases it may be given (none named: in any).

    `out_of_turn` leaves it to the command's own limits whose player turn it must be.
    """

    def register(fn: F) -> F:
        Order(clause, gist, fn, on, phases, out_of_turn)
        return fn

    return register


class Due(Rule):
    """What a promise does when its moment comes. It returns the BRPs to settle then, before prorating."""

    kind = "due"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[..., int],
        sign: int,
        averted_by: str,
        covers: tuple[str, ...],
        prorated: bool,
    ) -> None:
        super().__init__(clause, gist, fn, covers)
        self.sign = sign
        self.averted_by = averted_by
        self.prorated = prorated


def due(
    clause: str,
    gist: str,
    *,
    sign: int = 1,
    averted_by: str = "",
    covers: tuple[str, ...] = (),
    prorated: bool = True,
) -> Callable[[F], F]:
    """Register what falls due: a gain, or with `sign=-1` a loss; `averted_by` says what would avert it.

    What is not `prorated` it posts itself, in full, and returns nothing to settle.
    """

    def register(fn: F) -> F:
        Due(clause, gist, fn, sign, averted_by, covers, prorated)
        return fn

    return register
