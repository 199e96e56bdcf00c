"""How a plan acts at one moment: its orders in their order, then each power's preferences, then on to the next step.

Everything is judged by the engine. An order that it refuses is left out and told of; preferences take what it accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Literal

import msgspec

from warcabinet.game.engine import GameDecision, decide
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.tables import read_yaml
from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.commands import name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import DATA, powers
from warcabinet.model.state import State
from warcabinet.plans.chances import FACES, Outcome
from warcabinet.plans.form import Keep, Order, Plan, Program
from warcabinet.plans.housekeeping import Matter, answers, matters
from warcabinet.plans.looking import NOTING, Memory

#: Asks how something turns out: by its name and its odds.
Ask = Callable[[str, Sequence[tuple[Outcome, float]]], Outcome]
Judge = Callable[[State, Command, Sequence[int]], GameDecision]
#: Answers to one refused step: a game that needs more of them goes round in circles.
MOST_ANSWERS = 200


class Deed(msgspec.Struct, frozen=True):
    """A command that was given in a future, with the dice it took, and why it was given."""

    command: Command
    dice: tuple[int, ...]
    by: Literal["order", "preference", "duty", "step"]
    told: str = ""
    #: The place of the plan's order among all of them.
    order: int | None = None


STEP = Deed(Advance(), (), "step")


class Broken(msgspec.Struct, frozen=True):
    """An order that was refused, or a step that could not be left: what, by which clauses, and the first reason."""

    what: str
    clauses: tuple[str, ...]
    text: str
    stuck: bool = False
    order: int | None = None


class Progress(msgspec.Struct, frozen=True):
    """Where a future stands within a moment: how many orders have been looked at, and whether house has been kept."""

    state: State
    passed: int = 0
    kept: bool = False


class Done(msgspec.Struct, frozen=True):
    """What came of one act: the progress after it, what was given, and what was refused."""

    progress: Progress
    deeds: tuple[Deed, ...] = ()
    broken: Broken | None = None


@cache
def steward(power: str) -> Keep:
    """The preferences that ship for a power, by which it is kept when nobody says otherwise."""
    return read_yaml(DATA / "plans" / "stewards" / f"{power}.yaml", Plan).keep[power]


def keeps(program: Program) -> dict[str, Keep]:
    """By which preferences each power is kept."""
    own = program.plan.keep
    if program.plan.others == "nobody":
        return dict(own)
    return {power: own.get(power) or steward(power) for power in powers()}


class Actor:
    """A plan that acts, for futures that are alike."""

    def __init__(self, program: Program, pauses: Callable[[State], bool] = lambda s: True) -> None:
        self.program, self.keeps, self.pauses = program, keeps(program), pauses
        self.memory = Memory()
        self.by_step: dict[int, list[Order]] = {}
        for order in program.orders:
            for step in order.steps:
                self.by_step.setdefault(step, []).append(order)
        self._due: dict[int, list[Order]] = {}

    def due(self, s: State) -> list[Order]:
        """The orders that are due now: that hangs on the moment alone."""
        if s.moment not in self._due:
            self._due[s.moment] = [order for order in self.by_step.get(s.step, ()) if order.due(s)]
        return self._due[s.moment]

    def act(self, progress: Progress, ask: Ask) -> Done:
        """One act: the next order that is due, or the house, or the next step. What it finds out is shared."""
        with quietly():
            return self._act(progress, ask)

    def _act(self, progress: Progress, ask: Ask) -> Done:
        draw = self._draw(ask)
        due = self.due(progress.state)
        for number in range(progress.passed, len(due)):
            if due[number].condition(progress.state, draw):
                return self._order(progress, number, due[number], ask)
        progress = msgspec.structs.replace(progress, passed=len(due))
        if not progress.kept:
            (steps, found, ruling), state = self.memory.through("on", progress.state, self._quietly_on)
            if steps:
                return Done(Progress(state), steps * (STEP,))
            if found:
                return self._keep_house(progress, found, ask)
            return self._on(progress, ask, ruling)
        return self._on(progress, ask)

    def _quietly_on(self, s: State) -> tuple[tuple[int, tuple[Matter, ...], GameDecision | None], State]:
        """On from step to step as long as nobody has anything to see to and nothing is thrown; what there is then."""
        steps = 0
        while not (found := matters(s, self.keeps)):
            ruling = NOTING.decide(s, Advance())
            if not ruling.accepted:
                return (steps, (), ruling), s
            s, steps = ruling.state, steps + 1
            if self.pauses(s):
                return (steps, (), None), s
        return (steps, tuple(found), None), s

    def _judge(self, state: State, command: Command, faces: Sequence[int]) -> GameDecision:
        def play(s: State) -> tuple[GameDecision, State]:
            ruling = NOTING.decide(s, command, faces)
            return ruling, ruling.state

        ruling, after = self.memory.through((command, tuple(faces)), state, play)
        return GameDecision(after, ruling.events, ruling.refusals, ruling.needs)

    def _draw(self, ask: Ask) -> Callable[[State, str], Outcome]:
        uncertain = self.program.plan.uncertain

        def draw(s: State, name: str) -> Outcome:
            thing = uncertain[name]
            when = {"turn": calendar.turn_name(s.turn), "year": str(s.year)}.get(thing.each, "")
            return ask(f"{name} {when}".strip(), thing.odds())

        return draw

    def _order(self, progress: Progress, number: int, order: Order, ask: Ask) -> Done:
        after = msgspec.structs.replace(progress, passed=number + 1)
        try:
            command = order.command(progress.state, self._draw(ask))
        except WarCabinetError as error:
            return Done(after, broken=Broken(order.label, (), str(error), order=order.number))
        if command is None:
            return Done(after)
        dice, ruling = thrown(progress.state, command, ask, f"{order.label} {order.number}", order.dice, self._judge)
        if not ruling.accepted:
            return Done(after, broken=msgspec.structs.replace(_broken(order.label, ruling), order=order.number))
        deed = Deed(command, dice, "order", order.label, order.number)
        return Done(msgspec.structs.replace(after, state=ruling.state), (deed,))

    def _keep_house(self, progress: Progress, found: tuple[Matter, ...], ask: Ask) -> Done:
        state, deeds = progress.state, []
        for matter in found:
            deed, state = self.memory.through(matter, state, partial(self._see_to, matter, ask))
            if deed is not None:
                deeds.append(deed)
        return Done(Progress(state, progress.passed, True), tuple(deeds))

    def _see_to(self, matter: Matter, ask: Ask, s: State) -> tuple[Deed | None, State]:
        for command in matter.ways(s, self.keeps[matter.power]):
            dice, ruling = thrown(s, command, ask, f"{matter.power} {name_of(command)}", judge=NOTING.decide)
            if ruling.accepted:
                return Deed(command, dice, "preference", matter.power), ruling.state
        return None, s

    def _on(self, progress: Progress, ask: Ask, ruling: GameDecision | None = None) -> Done:
        """On to the next step; what the game waits for is answered first, if something answers it."""
        state, deeds = progress.state, list[Deed]()
        for _ in range(MOST_ANSWERS):
            dice, ruling = thrown(state, Advance(), ask, "advance", None, self._judge, ruling)
            if ruling.accepted:
                return Done(Progress(ruling.state), (*deeds, msgspec.structs.replace(STEP, dice=dice)))
            answer = self._answer(state, ask) if self.program.plan.others == "stewards" else None
            if answer is None:
                return Done(Progress(state, progress.passed, True), tuple(deeds), _stuck(state, ruling))
            (deed, state), ruling = answer, None
            deeds.append(deed)
        raise WarCabinetError(f"{calendar.moment_name(state.moment)}: answers do not come to an end")

    def _answer(self, state: State, ask: Ask) -> tuple[Deed, State] | None:
        for command in answers(state, self.keeps):
            dice, ruling = thrown(state, command, ask, name_of(command), judge=self._judge)
            if ruling.accepted:
                return Deed(command, dice, "duty"), ruling.state
        return None


def thrown(
    state: State,
    command: Command,
    ask: Ask,
    what: str,
    given: tuple[int, ...] | None = None,
    judge: Judge = decide,
    ruling: GameDecision | None = None,
) -> tuple[tuple[int, ...], GameDecision]:
    """A command judged with the dice it needs: those that the plan gives, or as they fall in this future."""
    faces = list(given or ())
    while True:
        ruling = ruling or judge(state, command, faces)
        if ruling.needs is None or ruling.needs.kind != "die":
            return tuple(faces), ruling
        face = ask(f"die {len(faces)} of {what} at {state.moment}", FACES)
        assert isinstance(face, int)
        faces.append(face)
        ruling = None


def _broken(label: str, ruling: GameDecision) -> Broken:
    refusals: Sequence[Refusal] = ruling.refusals
    if not refusals:
        assert ruling.needs is not None
        return Broken(label, (ruling.needs.clause,), ruling.needs.text)
    return Broken(label, tuple(dict.fromkeys(it.clause for it in refusals)), refusals[0].text)


def _stuck(state: State, ruling: GameDecision) -> Broken:
    told = _broken(f"going on from {calendar.moment_name(state.moment)}", ruling)
    return msgspec.structs.replace(told, stuck=True)


def play(actor: Actor, progress: Progress, until: int, ask: Ask) -> Iterator[Done]:
    """One future, act by act, to its end or to where it is stuck."""
    while progress.state.moment < until:
        done = actor.act(progress, ask)
        yield done
        if done.broken is not None and done.broken.stuck:
            return
        progress = done.progress
