"""Whole campaigns at random: stewards keep every power's economy, chance does the rest, from Fall 1939 to the end.

Between the stewards' deeds come orders that are offered, of every chapter, and reports that a table might bring. Every
accepted move is held against the invariants of random politics, and besides: the game can always go on, what is
offered whole is accepted, every refusal has its clause; and at the end the whole game is played again move by move,
taken back and put forward, and verified.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from warcabinet.conformance.fuzz.filling import offered_order
from warcabinet.conformance.fuzz.games import ADVANCE, Attempt, Fault, Manner, Step, attempt
from warcabinet.conformance.fuzz.invariants import INVARIANTS, Invariant
from warcabinet.conformance.fuzz.orders import random_order
from warcabinet.figures.position import Position, set_up
from warcabinet.game import new_game
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import narrow
from warcabinet.model import calendar
from warcabinet.model.commands import fields, name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.acting import MOST_ANSWERS, steward
from warcabinet.plans.form import Keep
from warcabinet.plans.housekeeping import answers, matters

LAST = calendar.parse_turn("Winter 1945")
#: How many things chance brings to a step on average, and which part of them is drawn from offers.
EVENTS, OFFERED = 0.6, 0.5
#: Moves at the end of a campaign that are taken back and made again.
TAKEN_BACK = 40
#: Fields of a command that say who gave it at a table.
UNWRITTEN = {"do", "seat", "seq_seen", "minded"}
TENSIONS = ("usat", "usjt", "rgt")


def opening(seed: int) -> Position:
    """Where a campaign starts: the classic one, everything ordered that can be ordered."""
    return Position("classic-1939")


def judge(state: State, command: dict[str, Any], faces: Iterator[int], held: Mapping[str, Invariant]) -> Attempt:
    """A command as in any random game; and where it is refused, whether the game or its offers are at fault."""
    made = attempt(state, command, faces, held)
    if made.accepted or made.faults:
        return made
    fault = _dead_end(state) if command == ADVANCE else _offered_but_refused(state, command)
    return msgspec.structs.replace(made, faults=(fault,)) if fault is not None else made


def _dead_end(state: State) -> Fault | None:
    """A step that cannot be left, and nothing that anybody could do about it."""
    if first_accepted(state, answers(state, keeps())) is not None:
        return None
    refusals = decide(state, as_command(ADVANCE)).refusals
    clause = refusals[0].clause if refusals else "WC.10"
    where = calendar.moment_name(state.moment)
    return Fault("dead_end", clause, clause, f"{where}: {'; '.join(it.text for it in refusals) or 'no reply'}")


def _offered_but_refused(state: State, command: dict[str, Any]) -> Fault | None:
    """A command that the offers had nothing against, every field of it known, and that was refused all the same."""
    asked = as_command(command)
    refused = decide(state, asked).refusals
    if not refused or not all(it.clause for it in refused):
        return None  # malformed: no rule has been asked
    given = msgspec.to_builtins(asked)
    whole = {it.name: given.get(it.name, it.default) for it in fields(type(asked))}
    if narrow(state, name_of(asked), whole).refusals:
        return None
    told = f"{command} was offered and refused: {refused[0].text}"
    return Fault("offered", refused[0].clause, f"{command['do']} {refused[0].clause}", told)


def first_accepted(state: State, ways: Iterable[Command]) -> tuple[dict[str, Any], tuple[int, ...]] | None:
    """The first of some commands that the rules accept, with dice of one where they ask for any."""
    for command in ways:
        thrown: list[int] = []
        ruling = decide(state, command)
        while ruling.needs is not None and ruling.needs.kind == "die":
            thrown.append(1)
            ruling = decide(state, command, thrown)
        if ruling.accepted:
            return _written(command), tuple(thrown)
    return None


def _written(command: Command) -> dict[str, Any]:
    """A command as a case writes it."""
    given: dict[str, Any] = msgspec.to_builtins(command)
    return {"do": name_of(command)} | {key: value for key, value in given.items() if key not in UNWRITTEN}


def keeps() -> dict[str, Keep]:
    return {power: steward(power) for power in powers()}


class Campaign:
    """A random campaign under way: the position, the dice, and what every move is held against.

    Another position than the usual one may be given, and how much chance brings: nothing, and stewards play alone.
    """

    def __init__(
        self,
        seed: int,
        held: Mapping[str, Invariant],
        until: int = LAST,
        position: Position | None = None,
        events: float = EVENTS,
    ) -> None:
        self.dice = random.Random(seed)
        self.faces = iter(lambda: self.dice.randint(1, 6), 0)
        self.state, _ = set_up(position or opening(seed))
        self.held, self.until, self.events = held, until, events
        self.stuck = False

    def play(self) -> Iterator[Attempt]:
        """Every accepted command to the end, and every other that showed a fault."""
        while self.state.turn <= self.until and not self.stuck:
            yield from self._happenings()
            yield from self._housekeeping()
            yield from self._onward()

    def _give(self, command: dict[str, Any]) -> Attempt:
        made = judge(self.state, command, self.faces, self.held)
        self.state = made.state
        return made

    def _happenings(self) -> Iterator[Attempt]:
        """What chance brings to this step: much of it is refused."""
        while self.state.player and self.dice.random() < self.events:
            command = self._something()
            if command is not None and command["do"] != "advance":
                made = self._give(command)
                if made.accepted or made.faults:
                    yield made

    def _something(self) -> dict[str, Any] | None:
        if self.dice.random() < OFFERED or self.state.waiting is not None:
            return offered_order(self.state, self.dice)
        if self.dice.random() < 0.1:
            track = self.dice.choice(TENSIONS)
            level = self.state.tracks.get(track, 0) + self.dice.randint(0, 3)
            return {"do": "report_track", "track": track, "level": level}
        return random_order(self.state, self.dice)

    def _housekeeping(self) -> Iterator[Attempt]:
        for matter in matters(self.state, keeps()):
            found = first_accepted(self.state, matter.ways(self.state, keeps()[matter.power]))
            if found is not None:
                yield self._give(found[0])

    def _onward(self) -> Iterator[Attempt]:
        """On to the next step; what the game waits for is answered first."""
        for _ in range(MOST_ANSWERS):
            made = self._give(ADVANCE)
            if made.accepted:
                yield made
                return
            if made.faults:
                self.stuck = True
                yield made
                return
            found = first_accepted(self.state, answers(self.state, keeps()))
            if found is not None:
                yield self._give(found[0])
        self.stuck = True
        circle = Fault("dead_end", "WC.10", "answers", "answers do not come to an end")
        yield Attempt(Step(ADVANCE), False, self.state, (circle,))


def play(seed: int, held: Mapping[str, Invariant] = INVARIANTS, until: int = LAST) -> Iterator[Attempt]:
    """A random campaign: every accepted command, every other that showed a fault, and what its end shows."""
    campaign = Campaign(seed, held, until)
    steps: list[Step] = []
    for made in campaign.play():
        if made.accepted:
            steps.append(made.step)
        yield made
    faults = tuple(played_again(seed, steps, campaign.state))
    if faults:
        yield Attempt(steps[-1], False, campaign.state, faults)


def played_again(seed: int, steps: list[Step], end: State) -> Iterator[Fault]:
    """What is wrong with the whole game: played again, taken back and made again, verified."""
    game = new_game(opening(seed), MemoryJournal())
    for step in steps:
        game.do(step.command, step.dice)
    if game.state != end:
        yield Fault("replay", "WC.2", "the end", "played again, the game ends otherwise")
    stood = []
    for _ in range(min(TAKEN_BACK, len(steps))):
        stood.append(game.state)
        game.undo(consent=True)
    for state in reversed(stood):
        game.redo()
        if game.state != state:
            yield Fault("undo", "WC.2", "redo", f"{calendar.moment_name(state.moment)} is not what it was")
            break
    for wrong in game.verify():
        yield Fault("verify", "WC.2", "verify", wrong)


def manner(until: int = LAST, held: Mapping[str, Invariant] = INVARIANTS) -> Manner:
    """Random campaigns, for a run of many."""
    return Manner("Random campaign", opening, lambda seed: play(seed, held, until), judge)
