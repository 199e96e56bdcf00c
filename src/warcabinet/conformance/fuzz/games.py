"""Random games: played, and where an invariant breaks, shrunk to the few commands that it takes and saved as a case."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

from warcabinet.conformance.fuzz.invariants import INVARIANTS, Deed, Invariant
from warcabinet.conformance.fuzz.orders import opening, random_order
from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import GameRecord, as_command, decide
from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.rules.minors.set_up import awaiting_set_up

ADVANCE = {"do": "advance"}
# What is broken where no invariant is: the engine fell over, asked what a table cannot know, or gave no clause.
ENGINE_CLAUSE = "WC.1"


class Fault(msgspec.Struct, frozen=True):
    """An invariant that broke, or an engine that did; two faults are the same if invariant and matter are."""

    invariant: str
    clause: str
    about: str
    text: str
    should_be: dict[str, Any] = {}

    @property
    def key(self) -> tuple[str, str]:
        return self.invariant, self.about

    def __str__(self) -> str:
        return f"{self.invariant} [{self.clause}] {self.about}: {self.text}"


class Step(msgspec.Struct, frozen=True):
    """A command with the dice that were thrown for it."""

    command: dict[str, Any]
    dice: tuple[int, ...] = ()


class Attempt(msgspec.Struct, frozen=True):
    """A command that was given: accepted or not, where it led, and what broke."""

    step: Step
    accepted: bool
    state: State
    faults: tuple[Fault, ...] = ()


def attempt(state: State, command: dict[str, Any], faces: Iterator[int], held: Mapping[str, Invariant]) -> Attempt:
    """Give a command, throw the dice that it needs, and hold what comes of it against the invariants."""
    thrown: list[int] = []
    try:
        asked = as_command(command)
        ruling = decide(state, asked)
        while ruling.needs is not None and ruling.needs.kind == "die":
            thrown.append(next(faces))
            ruling = decide(state, asked, thrown)
        step = Step(command, tuple(thrown))
        if ruling.refusals:
            bare = [_engine(it.rule, "refuses without a clause") for it in ruling.refusals if not it.clause]
            return Attempt(step, False, state, tuple(bare))
        if ruling.needs is not None:
            return Attempt(step, False, state, (_engine("question", ruling.needs.text),))
        return Attempt(step, True, ruling.state, _broken(state, ruling.state, command, ruling.records, held))
    except Exception as error:
        # Whatever it is that the engine fell over, it is what random games are looking for.
        return Attempt(Step(command, tuple(thrown)), False, state, (_engine(type(error).__name__, str(error)),))


def _engine(about: str, text: str) -> Fault:
    return Fault("engine", ENGINE_CLAUSE, about, text)


def _broken(
    before: State,
    after: State,
    command: dict[str, Any],
    records: tuple[GameRecord, ...],
    held: Mapping[str, Invariant],
) -> tuple[Fault, ...]:
    deed = Deed(before, after, command, records)
    return tuple(
        Fault(it.name, it.clause, wrong.about, wrong.text, wrong.should_be)
        for it in held.values()
        for wrong in it.check(deed)
    )


def play(seed: int, length: int, held: Mapping[str, Invariant] = INVARIANTS) -> Iterator[Attempt]:
    """A random game of so many moves: every accepted command, and every other that showed a fault."""
    dice = random.Random(seed)
    faces = iter(lambda: dice.randint(1, 6), 0)
    state, _ = set_up(opening(seed))
    moves = 0
    # Much is refused; a position in which nearly everything is, is left.
    for _ in range(length * 10):
        made = attempt(state, random_order(state, dice), faces, held)
        if made.accepted or made.faults:
            yield made
        state = made.state
        moves += made.accepted
        if moves == length:
            return
        if not made.accepted and made.step.command == ADVANCE and not awaiting_set_up(state):
            return  # a duty that only units on the board can meet


#: Judges a command in a position: `attempt`, or what looks for more than it does.
Judge = Callable[[State, dict[str, Any], Iterator[int], Mapping[str, Invariant]], Attempt]


class Manner(NamedTuple):
    """A way of playing random games: what they are called, where they start, how they go on, and who judges them."""

    title: str
    opening: Callable[[int], Position]
    play: Callable[[int], Iterator[Attempt]]
    judge: Judge


def politics(length: int, held: Mapping[str, Invariant] = INVARIANTS) -> Manner:
    """Random politics of so many accepted commands."""
    return Manner("Random politics", opening, lambda seed: play(seed, length, held), attempt)


# -- shrinking ------------------------------------------------------------------------------------------------------


class Broken(msgspec.Struct, frozen=True):
    """The commands that lead to a fault, and the fault as it then shows."""

    steps: tuple[Step, ...]
    fault: Fault


def shrink(
    given: Position,
    broken: Broken,
    held: Mapping[str, Invariant] = INVARIANTS,
    commands: int = 20_000,
    judge: Judge = attempt,
) -> Broken:
    """Leave out commands, many at a time and then one by one, while the same fault remains.

    It ends when so many `commands` have been judged: a long campaign is shrunk as far as that goes.
    """
    start, _ = set_up(given)
    only = {name: it for name, it in held.items() if name == broken.fault.invariant}
    best, size = broken, len(broken.steps)
    while size:
        before, at = len(best.steps), 0
        while at < len(best.steps):
            if commands <= 0:
                return best
            commands -= len(best.steps)
            fewer = best.steps[:at] + best.steps[at + size :]
            left = _still_broken(start, fewer, broken.fault.key, only, judge)
            if left is None or len(left.steps) >= len(best.steps):
                at += size
            else:
                best = left
        if size > 1 or len(best.steps) == before:
            size //= 2
    return best


def _still_broken(
    start: State, steps: Sequence[Step], key: tuple[str, str], held: Mapping[str, Invariant], judge: Judge
) -> Broken | None:
    """The commands that lead to the same fault, without those now refused; nothing if it is gone."""
    kept: list[Step] = []
    state = start
    for step in steps:
        made = judge(state, step.command, chain(step.dice, repeat(1)), held)
        fault = next((it for it in made.faults if it.key == key), None)
        if fault is not None:
            return Broken((*kept, made.step), fault)
        if made.accepted:
            kept.append(made.step)
            state = made.state
    return None


# -- cases ----------------------------------------------------------------------------------------------------------


def save_case(into: Path, seed: int, given: Position, broken: Broken, title: str = "Random politics") -> Path:
    """Write a broken game as a conformance case; where figures tell that it is wrong, it fails until that is mended."""
    fault = broken.fault
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"{fault.invariant}-{fault.about}").strip("-")
    case = {
        "id": f"fuzz-{name}-{fault.clause}/{seed}",
        "title": f"{title}, game {seed}: {fault.invariant.replace('_', ' ')}, {fault.about}",
        "clauses": [],
        "given": {"scenario": given.scenario, "options": given.options},
    }
    said = [f"# {line}" for line in str(fault).splitlines()]
    head = [f"{'- ' if key == 'id' else '  '}{key}: {_flow(value)}" for key, value in case.items()]
    when = [f"    - {_flow(it)}" for it in _written(given, broken.steps)]
    then = _flow(fault.should_be or {"unchanged": False})
    into.mkdir(parents=True, exist_ok=True)
    file = into / f"fuzz-{name}-{seed}.yaml"
    file.write_text("\n".join([*said, *head, "  when:", *when, f"  then: {then}", ""]), encoding="utf-8")
    return file


def _flow(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=10**6)
    return text.removesuffix("...\n").strip()


def _written(given: Position, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """The steps of a case; several advances in a row are one that says how far."""
    state, _ = set_up(given)
    run: list[State] = []
    for step in steps:
        made = attempt(state, step.command, chain(step.dice, repeat(1)), {})
        plain = made.accepted and step == Step(ADVANCE)
        if not plain:
            yield from _advanced(run)
            run = []
            yield {**step.command, **({"dice": list(step.dice)} if step.dice else {})}
        else:
            run.append(made.state)
        state = made.state
    yield from _advanced(run)


def _advanced(run: Sequence[State]) -> Iterator[dict[str, Any]]:
    if run:
        yield ADVANCE if len(run) == 1 else {**ADVANCE, "to": calendar.moment_name(run[-1].moment)}


# -- many games -----------------------------------------------------------------------------------------------------


class Find(msgspec.Struct, frozen=True):
    """A fault that was found: in which game, how many commands it takes, and where the case is."""

    fault: Fault
    seed: int
    commands: int
    file: str


class Tally(msgspec.Struct):
    """What a run has come to so far."""

    games: int = 0
    moves: int = 0
    finds: list[Find] = []

    def known(self, fault: Fault) -> bool:
        return any(it.fault.key == fault.key for it in self.finds)


def play_game(tally: Tally, seed: int, manner: Manner, into: Path, held: Mapping[str, Invariant] = INVARIANTS) -> None:
    """Play one game to its end; what breaks for the first time in this run is shrunk and saved."""
    steps: list[Step] = []
    for made in manner.play(seed):
        for fault in made.faults:
            if not tally.known(fault):
                _keep(tally, seed, Broken((*steps, made.step), fault), into, held, manner)
        if made.accepted:
            steps.append(made.step)
            tally.moves += 1
    tally.games += 1


def _keep(tally: Tally, seed: int, broken: Broken, into: Path, held: Mapping[str, Invariant], manner: Manner) -> None:
    few, given = broken, manner.opening(seed)
    try:
        few = shrink(given, broken, held, judge=manner.judge)
    finally:
        # Stopped by hand meanwhile, it is saved as long as it is.
        file = save_case(into, seed, given, few, manner.title)
        tally.finds.append(Find(few.fault, seed, len(few.steps), str(file)))
