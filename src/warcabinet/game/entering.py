"""Lines in a player's words given to a game: judged together up to each step of the sequence, all of them or none.

The same for the command line and for the page of a table that keeps the books alone. What is not understood is asked
back, what the rules refuse is told with its clauses; lines behind it are left as they are, to be given again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from warcabinet.game.engine import GameDecision, as_command, decide
from warcabinet.game.game import Game, Refused
from warcabinet.game.journal import Move
from warcabinet.game.offers import moments_to_come
from warcabinet.game.typed.entries import Asked, goes_on, parts, read_entry
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.rules import RULES
from warcabinet.model import calendar
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.state import State

#: In whose name a command is given, in a position; whoever may not give it is refused there.
Naming = Callable[[State, Command], Command]


class Understood(msgspec.Struct, frozen=True):
    """A line as it is read: the order that is meant, where the game would go on to, and what else it could mean."""

    line: str
    command: Command
    to: str = ""
    others: tuple[Command, ...] = ()


class Entered(msgspec.Struct, frozen=True):
    """What came of some lines: how many were given, by which moves, and why the next one was not."""

    given: int
    moves: tuple[Move, ...]
    #: The line that stopped it, what is asked back or refused, and what would be right.
    line: str = ""
    text: str = ""
    right: tuple[str, ...] = ()
    refused: Refused | None = None
    #: The moment to which the line belongs, where it only comes too early, or too late in this turn.
    later: str = ""
    back: str = ""

    @property
    def whole(self) -> bool:
        return not self.text


def understood(s: State, line: str, power: str = "", named: Naming = lambda s, cmd: cmd) -> Understood:
    """What a line means here: of several readings the first that the rules allow, else the likeliest; the others are
    left where they stand no worse.
    """
    orders = read_entry(s, line, power)
    to = str(orders[0].pop("to", "")) if orders[0]["do"] == "advance" else ""
    commands = [as_command(it) for it in orders]
    allowed = [it for it in commands if not decide(s, it).refusals] if len(commands) > 1 else commands
    best, *others = allowed or commands
    return Understood(line, named(s, best), to, tuple(others))


def belongs_later(s: State, command: Command) -> str:
    """The next moment, this turn or next, at which nothing would stand against a command if only time went by."""
    kind = type(command)
    power = str(getattr(command, "power", ""))
    for moment in moments_to_come(s, kind, power, 1) if not isinstance(command, Advance) else ():
        turn, step = calendar.split(moment)
        if not decide(replace(s, turn=turn, step=step), command).refusals:
            return calendar.moment_name(moment)
    return ""


class Passed(msgspec.Struct, frozen=True):
    """A place of this turn that is past, after a move, at which commands could have been given."""

    move: int
    moment: str


def belongs_back(game: Game, commands: Sequence[Command]) -> Passed | None:
    """The last place of this turn, before the phase that runs now, at which nothing would stand against commands."""
    at, state = game.head.at, game.state
    now = state.turn
    orders = [RULES.orders[type(it)].phases for it in commands]
    while state.turn == now and state.place.part != "year start":
        was = state.step
        while state.step == was and (move := game.journal.move(at)).before:
            at = move.before
            state = game.journal.state_at(at)
        if state.step == was or state.turn != now:
            return None
        belongs = all(not phases or state.place.step.name in phases for phases in orders)
        if belongs and not _stands_against(state, commands):
            return Passed(at, calendar.moment_name(state.moment))
    return None


def _before(move: Move) -> Passed:
    return Passed(move.before, calendar.moment_name(move.moment))


def _stands_against(state: State, commands: Iterable[Command]) -> bool:
    for command in commands:
        ruling = decide(state, command)
        if ruling.refusals or ruling.needs is not None:
            return True
        state = ruling.state
    return False


def instead_of(line: str) -> tuple[int, str]:
    """'instead 17: germany 20 construction': the entry that is corrected, and what is said instead; 0: none is."""
    found = re.fullmatch(r"\s*instead\s+(?:of\s+)?(\d{1,9})\s*:?\s*(.*?)\s*", line, re.IGNORECASE)
    return (int(found[1]), found[2]) if found else (0, line)


class Entering:
    """Gives lines to a game in somebody's name."""

    def __init__(
        self,
        game: Game,
        named: Naming = lambda s, cmd: cmd,
        go_on: Callable[[str, str], list[Move]] | None = None,
        key: str = "",
    ) -> None:
        self.game, self.named, self.key = game, named, key
        self.go_on = go_on or (lambda to, key: game.advance(to, key=key))

    def enter(self, lines: Iterable[str], power: str = "") -> Entered:
        """Give lines one block after the other; a block is what stands between two steps of the sequence."""
        moves: list[Move] = []
        given = 0
        for number, block in enumerate(_blocks([it for it in lines if it.strip()])):
            key = f"{self.key}-{number}" if self.key and number else self.key
            if done := self._done(key):
                moves += done
                given += len(block)
                continue
            try:
                moves += self._step(block[0], key) if goes_on(block[0]) else self._together(block, power, key)
            except _Stopped as stop:
                told = stop.told(given, moves)
                if stop.refused is None:
                    return told
                passed = belongs_back(self.game, self._said(stop.line, power))
                later = belongs_later(self.game.state, stop.refused.command)
                return replace(told, later=later, back=passed.moment if passed else "")
            given += len(block)
        return Entered(given, tuple(moves))

    def enter_back(self, line: str, power: str = "", seat: str = "") -> Entered:
        """Give a line in the phase of this turn that it belongs to, and what followed once more; all of it, or none."""
        if done := self._done(self.key):
            return Entered(1, tuple(done))
        entry, said = instead_of(line)
        try:
            with _stopping(line):
                passed = _before(self.entry(entry)) if entry else belongs_back(self.game, self._said(said, power))
                if passed is None:
                    raise WarCabinetError("no phase of this turn that is past would have taken it")
                commands = self._said(said, power, self.game.journal.state_at(passed.move))
                moves = self.game.enter_back(passed.move, commands, seat, self.key, leave=entry)
        except _Stopped as stop:
            return stop.told(0, [])
        return Entered(1, tuple(moves), back=passed.moment)

    def entry(self, number: int) -> Move:
        """An entry of this turn, which may be said anew."""
        game = self.game
        move = game.journal.move(number) if 0 < number <= game.head.id else None
        if move is None or move.id not in game.line() or move.command is None or isinstance(move.command, Advance):
            raise WarCabinetError(f"entry {number} is nothing that was entered here, or it is undone")
        if calendar.split(move.moment)[0] != game.state.turn:
            raise WarCabinetError(f"entry {number} is of {calendar.moment_name(move.moment)}: undo leads back there")
        return move

    def _said(self, line: str, power: str, at: State | None = None) -> list[Command]:
        state = self.game.state if at is None else at
        return [understood(state, part, power, self.named).command for part in parts(line) if part.strip()]

    def _done(self, key: str) -> list[Move]:
        """What these very lines did already: they came twice, because the first answer was lost."""
        first = self.game.journal.keyed(key) if key else None
        if first is None:
            return []
        later = self.game.journal.moves(first.id, self.game.head.id)
        return list(takewhile(lambda move: move.batch == first.batch, later))

    def _step(self, line: str, key: str) -> list[Move]:
        with _stopping(line):
            return self.go_on(understood(self.game.state, line, named=self.named).to, key)

    def _together(self, block: list[str], power: str, key: str) -> list[Move]:
        judged: list[tuple[Command, GameDecision]] = []
        state = self.game.state
        for line, part in _told(block):
            with _stopping(line):
                command = understood(state, part, power, self.named).command
                if block == [part]:
                    return [self.game.do(command, key=key)]
                ruling = decide(state, command, tell=True)
                if ruling.refusals:
                    raise Refused(command, ruling)
                if ruling.needs is not None:
                    raise Asked("it needs a die or an answer: give it by itself")
            judged.append((command, ruling))
            state = ruling.state
        return self.game.enter_all(judged, key)


class _Stopped(Exception):
    """A line that cannot be given, and why."""

    def __init__(self, line: str, text: str, right: tuple[str, ...] = (), refused: Refused | None = None) -> None:
        super().__init__(text)
        self.line, self.text, self.right, self.refused = line, text, right, refused

    def told(self, given: int, moves: list[Move]) -> Entered:
        text = self.text or str(self.refused)
        return Entered(given, tuple(moves), self.line, text, self.right, self.refused)


@contextmanager
def _stopping(line: str) -> Iterator[None]:
    """Say of an error which line it stops at."""
    try:
        yield
    except Asked as asked:
        raise _Stopped(line, asked.text, asked.right) from None
    except Refused as refused:
        raise _Stopped(line, "", refused=refused) from None
    except WarCabinetError as error:
        raise _Stopped(line, str(error)) from None


def _told(block: list[str]) -> Iterator[tuple[str, str]]:
    """Each line with what it says part by part; none is read before those in front of it stand."""
    for line in block:
        with _stopping(line):
            several = parts(line)
        yield from ((line, part) for part in several)


def _blocks(lines: list[str]) -> list[list[str]]:
    """Lines that are given together: what stands between two steps, and each step by itself."""
    blocks: list[list[str]] = []
    for line in lines:
        if goes_on(line) or not blocks or goes_on(blocks[-1][0]):
            blocks.append([])
        blocks[-1].append(line)
    return blocks
