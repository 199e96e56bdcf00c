"""Decisions. The engine judges a command against a state and says what would happen; it changes nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

import msgspec

from warcabinet.kernel.dice import left_over
from warcabinet.kernel.effects import Action
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Limit, Refusal
from warcabinet.kernel.rules import RULES, Condition, Facts, Undecided
from warcabinet.kernel.why import Trace, Why, quietly

S = TypeVar("S", bound=Facts)
E = TypeVar("E")
A = ParamSpec("A")
R = TypeVar("R")


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


class Telling(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """All that can be told of a decision: its events with their reasons, checked, run and looked at."""

    records: tuple[Record[E], ...] = ()
    checked: tuple[Why, ...] = ()
    ran: tuple[str, ...] = ()
    considered: tuple[Why, ...] = ()


class Decision(msgspec.Struct, Generic[S, E], gc=False):
    """The outcome of a decision: accepted with events, refused with every refusal, or in need of something.

    Its reasons cost nothing until they are read. Rules are pure, so whoever reads them has the command decided once
    more on the very state it was given on, this time with everything that is looked at told.
    """

    state: S
    events: tuple[E, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    needs: Needs | None = None
    _telling: Telling[E] | None = None
    _again: Callable[[], Decision[S, E]] | None = None

    @property
    def accepted(self) -> bool:
        return not self.refusals and self.needs is None

    @property
    def telling(self) -> Telling[E]:
        if self._telling is None:
            self._telling = Telling() if self._again is None else self._again().telling
        return self._telling

    @property
    def records(self) -> tuple[Record[E], ...]:
        """The events with the clauses that made them and their reasons."""
        return self.telling.records

    @property
    def checked(self) -> tuple[Why, ...]:
        """Every limit that applied, and what it rested on."""
        return self.telling.checked

    @property
    def considered(self) -> tuple[Why, ...]:
        """What effects looked at that became no reason of an event."""
        return self.telling.considered

    def consulted(self) -> set[str]:
        """Every clause that governed: limits that applied, values behind them, the order that was carried out.

        That an effect merely ran shows nothing.
        """
        told = self.telling
        found: set[str] = {*told.ran[:1], *(refusal.clause for refusal in self.refusals)}
        for why in (*told.checked, *told.considered):
            found |= why.clauses()
        for record in told.records:
            found.add(record.clause)
            for why in record.why:
                found |= why.clauses()
        return found


class Refusing(Exception):
    """Raised, with the refusals, where parts of a command are refused that are judged while it is carried out."""


class WantsDie(Exception):
    """Raised where a die is needed that was not given; the decision is taken again with it."""

    def __init__(self, clause: str, purpose: str) -> None:
        super().__init__(purpose)
        self.clause, self.purpose = clause, purpose


class Proceeding(Generic[S, E]):
    """A decision under way: effects read `p.s` and change it only by `p.do(event)`.

    Each event is kept with its clause and what it followed from, and with its reasons where somebody reads them.
    """

    def __init__(self, engine: Engine[S, E], state: S, dice: Sequence[int], trace: Trace) -> None:
        self.s = state
        self.records: list[Record[E]] = []
        self.ran: list[str] = []
        self.checked: list[Why] = []
        self.considered: list[Why] = []
        self._engine = engine
        self._trace = trace
        self._dice = list(dice)
        self._asked: list[str] = []
        self._clause, self._rule = "", ""
        self._parent: int | None = None

    def do(self, event: E, clause: str = "", why: tuple[Why, ...] | None = None) -> None:
        """Let `event` happen now, and all that follows from it before the next line.

        Its reasons are what the running rule has looked at since its last event, unless they are given.
        """
        self.set(event, clause, why)
        parent = len(self.records) - 1
        for effect in RULES.reactions[type(event)]:
            if effect.when is None or self._holds(effect.when, event):
                self.run_after(parent, effect, event)

    def set(self, event: E, clause: str = "", why: tuple[Why, ...] | None = None) -> None:
        """Let `event` stand as a fact from which nothing follows: a figure that the referee sets."""
        reasons = self._trace.take() if why is None else why
        self.records.append(Record(event, clause or self._clause, self._rule, self._parent, reasons))
        self.s = self._engine.apply(self.s, event)

    def _holds(self, when: Condition, event: E) -> bool:
        """Whether an effect applies; what it looked at to say so stays in the reasons only if it does."""
        gathered = self._trace.children
        known, applies = len(gathered), when(self.s, event)
        if not applies:
            del gathered[known:]
        return applies

    def run(self, rule: Action[A, R], *args: A.args, **kwargs: A.kwargs) -> R:
        """Run a rule under its own clause; what it makes follows from what the running rule follows from."""
        return self.run_after(self._parent, rule, *args, **kwargs)

    def run_after(self, parent: int | None, rule: Action[A, R], *args: A.args, **kwargs: A.kwargs) -> R:
        """Run a rule under its own clause; what it makes follows from the event at `parent`.

        An error on the way ends the decision, so nothing is put back here in that case.
        """
        clause, name, outer, trace = self._clause, self._rule, self._parent, self._trace
        waiting, trace.children = trace.children, []
        self.ran.append(rule.clause)
        self._clause, self._rule, self._parent = rule.clause, rule.name, parent
        made: R = rule.fn(self, *args, **kwargs)
        self._clause, self._rule, self._parent = clause, name, outer
        self.considered += trace.children
        trace.children = waiting
        return made

    def give(self, *commands: object) -> None:
        """Carry out commands as parts of this one, each judged where the one before it led.

        One that is refused is left out; then the whole is refused, with every refusal of these parts.
        """
        refused: list[Refusal] = []
        for command in commands:
            waiting, self._trace.children = self._trace.children, []
            checked, against = self._engine.check(self._trace, self.s, command)
            self._trace.children = waiting
            self.checked += checked
            refused += against
            if not against:
                self.run(RULES.orders[type(command)], command)
        if refused:
            raise Refusing(*dict.fromkeys(refused))

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
        self._asked.append(purpose)
        self.do(self._engine.die_event(purpose, face))
        return face

    def finish(self) -> None:
        if self._dice:
            raise left_over(self._dice, self._asked)


class Engine(Generic[S, E]):
    """Binds the rules to one kind of state: how an event changes it, how a command's form and time are checked."""

    def __init__(
        self,
        apply: Callable[[S, E], S],
        form: Callable[[S, object], Sequence[Refusal]],
        timing: Callable[[S, object], Sequence[Refusal]],
        die_event: Callable[[str, int], E],
    ) -> None:
        self.apply = apply
        self.form = form
        self.timing = timing
        self.die_event = die_event

    def decide(
        self, state: S, command: object, dice: Sequence[int] = (), waive: bool = False, tell: bool = False
    ) -> Decision[S, E]:
        """Judge `command`: its form first, then every limit, then carry it out on paper.

        A forecast may `waive` the limits, to look past duties that nobody has seen to yet. Whoever is going to read
        all reasons, to store them, lets them be told at once.
        """
        malformed = self.form(state, command)
        if malformed:
            return Decision(state, refusals=tuple(malformed))
        with Trace() if tell else quietly() as trace:
            try:
                return self._decide(trace, state, command, dice, waive)
            except WantsDie as want:
                return Decision(state, needs=Needs("die", want.clause, want.purpose))
            except Undecided as open_question:
                return Decision(state, needs=Needs("question", "", str(open_question)))

    def _decide(self, trace: Trace, state: S, command: object, dice: Sequence[int], waive: bool) -> Decision[S, E]:
        checked, refusals = self.check(trace, state, command)
        p = Proceeding(self, state, dice, trace)
        if waive or not refusals:
            refusals = ()
            try:
                p.run(RULES.orders[type(command)], command)
            except Refusing as parts:
                refusals = parts.args
            checked = (*checked, *p.checked)
        again = partial(self.decide, state, command, tuple(dice), waive, tell=True) if trace.quiet else None
        if refusals:
            return Decision(state, (), refusals, None, None if again else Telling(checked=checked), again)
        p.finish()
        telling = None if again else Telling(tuple(p.records), checked, tuple(p.ran), tuple(p.considered))
        return Decision(p.s, tuple([it.event for it in p.records]), (), None, telling, again)

    def check(self, trace: Trace, state: S, command: object) -> tuple[tuple[Why, ...], tuple[Refusal, ...]]:
        """Every limit that applied with what it rested on, and the refusals."""
        checked: list[Why] = []
        refusals: list[Refusal] = list(self.timing(state, command))
        aside: set[Limit[Any, Any]] = set()
        for limit in RULES.limits.get(type(command), ()):
            if trace.children:
                trace.children = []
            if (limit.when is not None and not limit.when(state, command)) or limit in aside:
                continue
            if limit.displaces:
                aside.update(limit.displaces)
            found = [
                it for one in limit.findings(state, command) if one is not None and (it := limit.judge(command, one))
            ]
            refusals += found
            if not trace.quiet:
                verdict, set_aside = "may not" if found else "fine", tuple(it.name for it in limit.displaces)
                checked.append(Why(limit.name, limit.clause, (), verdict, tuple(trace.children), set_aside))
        return tuple(checked), tuple(refusals)


def explain_value(name: str, state: object, *args: object) -> Why:
    """The explanation of a value or definition, made by running it."""
    rule = RULES.values()[name]
    with Trace() as trace:
        rule(state, *args)
        return trace.children[0]
