"""Decisions. The engine judges a command against a state and says what would happen; it changes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

import msgspec

from warcabinet.kernel.effects import Action, Effect
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Limit, Refusal
from warcabinet.kernel.rules import RULES, Facts, Undecided
from warcabinet.kernel.why import TRACE, Trace, Why, tracing

S = TypeVar("S", bound=Facts)
E = TypeVar("E")
A = ParamSpec("A")
R = TypeVar("R")


_NOTHING: dict[str, Any] = {}


class Needs(msgspec.Struct, frozen=True):
    """What the decision still wants: a die, or the referee's answer to a question."""

    kind: str
    clause: str
    text: str


class Record(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """An event with the clause that made it, the event it followed from, and its reasons."""

    event: E
    clause: str
    rule: str
    parent: int | None = None
    why: tuple[Why, ...] = ()


class Decision(msgspec.Struct, Generic[S, E], frozen=True, gc=False):
    """The outcome of a decision: accepted with events, refused with every reason, or in need of something."""

    state: S
    records: tuple[Record[E], ...] = ()
    refusals: tuple[Refusal, ...] = ()
    needs: Needs | None = None
    checked: tuple[Why, ...] = ()
    ran: tuple[str, ...] = ()
    considered: tuple[Why, ...] = ()

    @property
    def accepted(self) -> bool:
        return not self.refusals and self.needs is None

    def consulted(self) -> set[str]:
        """Every clause that governed: limits that applied, values behind them, effects that ran."""
        found: set[str] = {*self.ran, *(refusal.clause for refusal in self.refusals)}
        for why in (*self.checked, *self.considered):
            found |= why.clauses()
        for record in self.records:
            found.add(record.clause)
            for why in record.why:
                found |= why.clauses()
        return found


class WantsDie(Exception):
    """Raised where a die is needed that was not given; the decision is taken again with it."""

    def __init__(self, clause: str, purpose: str) -> None:
        super().__init__(purpose)
        self.clause, self.purpose = clause, purpose


class Proceeding(Generic[S, E]):
    """A decision under way: effects read `p.s` and change it only by `p.do(event)`."""

    def __init__(self, engine: Engine[S, E], state: S, dice: Sequence[int], trace: Trace) -> None:
        self.s = state
        self.records: list[Record[E]] = []
        self._engine = engine
        self._dice = list(dice)
        self._trace = trace
        self._clause = ""
        self._rule = ""
        self._parent: int | None = None
        self.ran: list[str] = []
        self.considered: list[Why] = []

    def do(self, event: E, clause: str = "", why: tuple[Why, ...] | None = None) -> None:
        """Let `event` happen now, and all that follows from it before the next line.

        Its reasons are what the running rule has looked at since its last event, unless they are given.
        """
        records, trace = self.records, self._trace
        if why is None:
            why = tuple(trace.children)
            trace.children = []
        records.append(Record(event, clause or self._clause, self._rule, self._parent, why))
        self.s = self._engine.apply(self.s, event)
        following = RULES.reactions(type(event))
        if following:
            index = len(records) - 1
            for effect in following:
                if effect.when is None or self._holds(effect, event):
                    self._run(index, effect, (event,), _NOTHING)

    def set(self, event: E, clause: str = "", why: tuple[Why, ...] | None = None) -> None:
        """Let `event` stand as a fact from which nothing follows: a figure that the referee sets."""
        reasons = self._trace.take() if why is None else why
        self.records.append(Record(event, clause or self._clause, self._rule, self._parent, reasons))
        self.s = self._engine.apply(self.s, event)

    def _holds(self, effect: Effect[..., Any], event: E) -> bool:
        """Whether the effect applies; what it looked at to say so stays in the reasons only if it does."""
        mine, self._trace.children = self._trace.children, []
        assert effect.when is not None
        applies = effect.when(self.s, event)
        self._trace.children = mine + self._trace.children if applies else mine
        return applies

    def run(self, rule: Action[A, R], *args: A.args, **kwargs: A.kwargs) -> R:
        """Run a rule under its own clause; what it makes follows from what the running rule follows from."""
        return self._run(self._parent, rule, args, kwargs)

    def run_after(self, parent: int, rule: Action[A, R], *args: A.args, **kwargs: A.kwargs) -> R:
        """Run a rule under its own clause; what it makes follows from the event at `parent`."""
        return self._run(parent, rule, args, kwargs)

    def _run(self, parent: int | None, rule: Action[..., R], args: Any, kwargs: Any) -> R:
        # An error on the way ends the decision, so nothing is put back here in that case.
        clause, name, outer, trace = self._clause, self._rule, self._parent, self._trace
        waiting, trace.children = trace.children, []
        self.ran.append(rule.clause)
        self._clause, self._rule, self._parent = rule.clause, rule.name, parent
        made: R = rule.fn(self, *args, **kwargs)
        self._clause, self._rule, self._parent = clause, name, outer
        if trace.children:
            self.considered += trace.children
        trace.children = waiting
        return made

    def clear(self) -> None:
        """Forget what was looked at: the reasons are given with each event."""
        self.considered += self._trace.take()

    def last(self) -> int:
        """The place of the latest event in this decision, to be the parent of what follows."""
        return len(self.records) - 1

    def roll(self, purpose: str) -> int:
        """A die for `purpose`; where none was given, the decision ends with that need."""
        if not self._dice:
            raise WantsDie(self._clause, purpose)
        face = self._dice.pop(0)
        if face not in range(1, 7):
            raise WarCabinetError(f"a die shows 1 to 6, not {face}")
        self.do(self._engine.die_event(purpose, face))
        return face

    def finish(self) -> None:
        if self._dice:
            raise WarCabinetError(f"{len(self._dice)} dice were given that nothing asked for: {self._dice}")


class Engine(Generic[S, E]):
    """Binds the rules to one kind of state: how an event changes it, how a command's form and time are checked."""

    def __init__(
        self,
        apply: Callable[[S, E], S],
        form: Callable[[S, object], Iterable[Refusal]],
        timing: Callable[[S, object], Iterable[Refusal]],
        die_event: Callable[[str, int], E],
    ) -> None:
        self.apply = apply
        self.form = form
        self.timing = timing
        self.die_event = die_event

    def decide(self, state: S, command: object, dice: Sequence[int] = (), waive: bool = False) -> Decision[S, E]:
        """Judge `command`: its form first, then every limit, then carry it out on paper.

        A forecast may `waive` the limits, to look past duties that nobody has seen to yet.
        """
        malformed = tuple(self.form(state, command))
        if malformed:
            return Decision(state, refusals=malformed)
        trace = Trace()
        token = TRACE.set(trace)
        try:
            checked, refusals = self._check(trace, state, command)
            if refusals and not waive:
                return Decision(state, refusals=refusals, checked=checked)
            return self._carry_out(trace, state, command, dice, checked)
        except WantsDie as want:
            return Decision(state, needs=Needs("die", want.clause, want.purpose))
        except Undecided as open_question:
            return Decision(state, needs=Needs("question", "", str(open_question)))
        finally:
            TRACE.reset(token)

    def _check(self, trace: Trace, state: S, command: object) -> tuple[tuple[Why, ...], tuple[Refusal, ...]]:
        checked: list[Why] = []
        refusals: list[Refusal] = list(self.timing(state, command))
        aside: set[Limit[Any, Any]] = set()
        for limit in RULES.limits.get(type(command), ()):
            if trace.children:
                trace.children = []
            if (aside and limit in aside) or (limit.when is not None and not limit.when(state, command)):
                continue
            set_aside: tuple[str, ...] = ()
            if limit.displaces:
                aside.update(limit.displaces)
                set_aside = tuple(it.name for it in limit.displaces)
            finding = limit.fn(state, command)
            refusal = None if finding is None else limit.judge(command, finding)
            verdict = "may not" if refusal else "fine"
            checked.append(Why(limit.name, limit.clause, (), verdict, tuple(trace.children), set_aside))
            if refusal is not None:
                refusals.append(refusal)
        trace.children = []
        return tuple(checked), tuple(refusals)

    def _carry_out(
        self, trace: Trace, state: S, command: object, dice: Sequence[int], checked: tuple[Why, ...]
    ) -> Decision[S, E]:
        p = Proceeding(self, state, dice, trace)
        p.run(RULES.orders[type(command)], command)
        p.finish()
        return Decision(p.s, tuple(p.records), checked=checked, ran=tuple(p.ran), considered=tuple(p.considered))


def explain_value(name: str, state: object, *args: object) -> Why:
    """The explanation of a value or definition, made by running it."""
    rule = RULES.values()[name]
    with tracing() as trace:
        rule(state, *args)
        return trace.children[0]


__all__ = ["TRACE", "Decision", "Engine", "Needs", "Proceeding", "Record", "WantsDie", "explain_value"]
