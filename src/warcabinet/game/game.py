"""The public API: start a game, ask what may be done, do it, and ask why.

A game is a journal of moves. Each move holds the command, the events that followed and their reasons; the state
after it is the state before it with those events applied. Undo and redo are moves as well: they point at another
place in the journal, so nothing is ever erased and any moment can be visited.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from warcabinet.figures.arguments import arguments
from warcabinet.figures.position import Position, set_up
from warcabinet.figures.table import read
from warcabinet.game.engine import GameDecision, as_command, decide, dice_ahead
from warcabinet.game.forecast import Item, YearStart, agenda, as_year_ends, year_start
from warcabinet.game.journal import Journal, LedgerLine, MemoryJournal, Move, postings
from warcabinet.game.offers import Offer, narrow, offers
from warcabinet.game.throws import Dice, Seed, dice_for
from warcabinet.house.table import goes_by_itself
from warcabinet.kernel.decision import Needs, Record, explain_value
from warcabinet.kernel.dice import ScriptedDice, left_over
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.accounts import Account
from warcabinet.model.commands import name_of
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import DiceRolled, DiceSeeded, Event, OperationOpened
from warcabinet.model.names import powers
from warcabinet.model.state import State


class Refused(WarCabinetError):
    """A command that the rules forbid, with the decision: every reason and its clause. Nothing was changed."""

    def __init__(self, command: Command, ruling: GameDecision) -> None:
        self.command, self.ruling = command, ruling
        lines = [f"{', '.join((r.clause, *r.also))}: {r.text}" if r.clause else r.text for r in self.refusals]
        super().__init__(f"{name_of(command)} refused\n  " + "\n  ".join(lines))

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        return self.ruling.refusals

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(refusal.clause for refusal in self.refusals)


class Conflict(WarCabinetError):
    """A command that had not seen what happened meanwhile."""


class SeedRevealed(Conflict):
    """A throw by a seed that was in force no longer when it was to be written. Nothing was, and nobody saw it."""


class DieWanted(WarCabinetError):
    """Going on by scripted dice has come to a die that the script does not give. The game stands before it."""

    def __init__(self, needs: Needs, state: State, command: Command, faces: Sequence[int]) -> None:
        super().__init__(f"a die is needed ({needs.text}), and none is left of those that were given")
        self.needs = needs
        self._state, self._command, self._faces = state, command, faces
        #: Dice that steps before this one have taken of the same hand.
        self.taken: list[str] = []

    def in_order(self) -> str:
        """Every die that is asked for and what for, in order: those that were given, then those that are missing."""
        ahead = dice_ahead(self._state, self._command, self._faces)
        asked = [_die_words(it) for it in ahead.dice]
        lines = [*self.taken, *(f"{what}: {face}" for what, face in zip(asked, self._faces, strict=False))]
        lines += [f"{what}: missing" for what in asked[len(self._faces) :]]
        rest = ["what comes after that hangs on the faces"] if ahead.more else []
        return "\n".join([*(f"die {number}, {line}" for number, line in enumerate(lines, 1)), *rest])


def _die_words(needs: Needs) -> str:
    return f"{needs.text} ({needs.clause})" if needs.clause else needs.text


def _rolled(moves: Iterable[Move]) -> list[DiceRolled]:
    return [it.event for move in moves for it in move.records if isinstance(it.event, DiceRolled)]


class Undecidable(WarCabinetError):
    """The rules contradict each other: the referee must rule first."""


class Game:
    """A game in progress. Everything that is asked changes nothing; `do`, `advance`, `undo` and `redo` do."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self._head = journal.last()
        self._state = journal.state_at(self._head.at)
        self.on_ruling: Callable[[GameDecision], None] = lambda ruling: None

    @classmethod
    def new(
        cls,
        scenario: str = "classic-1939",
        *,
        options: dict[str, Any] | None = None,
        readings: dict[str, str] | None = None,
        seed: int = 0,
    ) -> Game:
        """A game in memory from a scenario; `create_game` makes one in a file."""
        return new_game(Position(scenario, options=options or {}, readings=readings or {}), MemoryJournal(seed))

    @property
    def state(self) -> State:
        return self._state

    @property
    def head(self) -> Move:
        return self._head

    @property
    def seq(self) -> int:
        """How many events the journal holds: what a client must have seen before it commands."""
        return self._head.seq

    # -- doing ---------------------------------------------------------------------------------------------

    def decide(self, command: Command | dict[str, Any], dice: Sequence[int] = ()) -> GameDecision:
        """What would come of a command now; nothing is done."""
        return decide(self._state, as_command(command), dice)

    def do(
        self, command: Command | dict[str, Any], dice: Sequence[int] | None = None, batch: int = 0, key: str = ""
    ) -> Move:
        """Give a command. Dice that it needs are thrown here (or taken from `dice`), and kept in the log."""
        given = as_command(command)
        self.has_seen(given.seq_seen)
        try:
            return self._do(given, dice, batch, key)
        except SeedRevealed:
            return self._do(given, dice, batch, key)  # by the seed that follows

    def _do(self, given: Command, dice: Sequence[int] | None, batch: int, key: str) -> Move:
        ruling = self._throw_for(given, dice)
        self.on_ruling(ruling)
        if ruling.refusals:
            raise Refused(given, ruling)
        if ruling.needs is not None:
            raise Undecidable(f"{ruling.needs.text} The referee can settle it with the command `rule`.")
        faces_given = dice is not None and bool(dice)
        return self._enter(given, ruling, batch, key, faces_given)

    def has_seen(self, seq: int | None) -> None:
        """Refuse whoever had not seen all that happened, and so may mean another position."""
        if seq is not None and seq != self.seq:
            raise Conflict(f"the command had seen {seq} events, but there are {self.seq}: look again and repeat it")

    def _throw_for(self, command: Command, dice: Sequence[int] | None) -> GameDecision:
        source: Dice | None = None if dice is None else ScriptedDice(dice)
        faces: list[int] = []
        while True:
            ruling = decide(self._state, command, faces, tell=True)
            if ruling.needs is None or ruling.needs.kind != "die":
                break
            source = source or self._dice()
            faces.append(source.throw())
        if isinstance(source, ScriptedDice) and source.left:
            raise left_over(source.left, [it.purpose for it in ruling.events if isinstance(it, DiceRolled)])
        return ruling

    def _dice(self) -> Dice:
        """Dice go on from the whole journal, so an undone throw is not thrown again the same way by intent."""
        return dice_for(self.journal.seeds(), self._head.id + 1)

    def do_all(self, commands: Iterable[Command | dict[str, Any]], batch: int = 0, key: str = "") -> list[Move]:
        """Give commands together: all of them, or none; none may need a die."""
        judged: list[tuple[Command, GameDecision]] = []
        state = self._state
        for command in map(as_command, commands):
            ruling = decide(state, command, tell=True)
            if ruling.refusals:
                raise Refused(command, ruling)
            if ruling.needs is not None:
                raise Undecidable(f"{ruling.needs.text} Give it by itself.")
            judged.append((command, ruling))
            state = ruling.state
        return self.enter_all(judged, key, batch)

    def enter_all(self, judged: Iterable[tuple[Command, GameDecision]], key: str = "", batch: int = 0) -> list[Move]:
        """Orders that were judged one after the other, each from the state that the one before led to: all, or none.

        None of them throws a die: who throws has seen how it fell, whatever comes of the others.
        """
        lines: list[tuple[Move, State]] = []
        state, last, batch = self._state, self._head, batch or self._head.id + 1
        for command, ruling in judged:
            last = self._made(state, last, command, ruling, batch, "" if lines else key, given=False)
            state = ruling.state
            lines.append((last, state))
        self.journal.append_all(lines)
        self._head, self._state = last, state
        return [move for move, _ in lines]

    def _enter(self, command: Command, ruling: GameDecision, batch: int, key: str, given: bool) -> Move:
        move = self._made(self._state, self._head, command, ruling, batch, key, given)
        self._append(move, ruling.state)
        return move

    def _made(
        self, state: State, last: Move, command: Command, ruling: GameDecision, batch: int, key: str, given: bool
    ) -> Move:
        """The move after another by which a judged command is entered."""
        id = last.id + 1
        return Move(
            id=id,
            kind="command",
            seq=last.seq + len(ruling.events),
            at=id,
            before=last.at,
            seat=command.seat,
            command=command,
            records=ruling.records,
            batch=batch or id,
            barrier=_barrier(state, ruling),
            moment=ruling.state.moment,
            checked=ruling.checked,
            key=key,
            given=given,
        )

    def _append(self, move: Move, state: State) -> None:
        self.journal.append(move, state)
        self._head, self._state = move, state

    def advance(
        self, to: str = "", seat: str = "", dice: Sequence[int] | None = None, key: str = "", minded: str = ""
    ) -> list[Move]:
        """Go on to the next step where something is decided, or step by step to the moment `to`.

        `minded` says who closed the step, where not the seat alone did.
        """
        target = calendar.parse_moment(to, self._state.moment) if to else None
        if target is not None and target <= self._state.moment:
            raise WarCabinetError(
                f"{calendar.moment_name(target)} is not ahead; it is {calendar.moment_name(self._state.moment)}"
            )
        batch = self._head.id + 1
        # One hand of scripted dice serves all steps; each takes what it asks for.
        script = None if dice is None else ScriptedDice(dice)
        moves: list[Move] = []
        try:
            moves.append(self._step(seat, script, batch, key, minded))
            while self._state.moment < target if target is not None else self._goes_on():
                moves.append(self._step(seat, script, batch))
        except DieWanted as wanted:
            wanted.taken = [f"{it.purpose}: {it.face}" for it in _rolled(moves)]
            raise
        if script is not None and script.left:
            raise left_over(script.left, [it.purpose for it in _rolled(moves)])
        return moves

    def _step(self, seat: str, script: ScriptedDice | None, batch: int, key: str = "", minded: str = "") -> Move:
        """One advance; of scripted dice it takes only those it needs."""
        if script is None:
            return self.do(Advance(seat=seat, minded=minded), None, batch, key)
        faces: list[int] = []
        while (needs := decide(self._state, Advance(seat=seat), faces).needs) is not None and needs.kind == "die":
            if not script.left:
                raise DieWanted(needs, self._state, Advance(seat=seat), faces)
            faces.append(script.throw())
        return self.do(Advance(seat=seat), faces, batch, key)

    def _goes_on(self) -> bool:
        """An automatic step is passed by itself, unless a duty keeps the game there."""
        return goes_by_itself(self._state) and not self.duties()

    def duties(self) -> tuple[Refusal, ...]:
        """What must be done before the game can go on."""
        return narrow(self._state, "advance", {}).refusals

    # -- undoing -------------------------------------------------------------------------------------------

    def undo(self, seat: str = "", consent: bool = False, key: str = "") -> Move:
        """Take back the last command (with the automatic steps that came with it). The journal keeps it as undone."""
        batch = self.last_batch()
        if batch[0].kind == "start":
            raise WarCabinetError("nothing to undo: this is the start of the game")
        barriers = sorted({move.barrier for move in batch if move.barrier})
        if barriers and not consent:
            raise WarCabinetError(
                f"undo would cross a {' and a '.join(barriers)}: it needs the consent of the other seats"
            )
        first = self.journal.move(batch[-1].batch or batch[-1].id)
        # What was entered back replaced what stood there: its undo brings that back.
        before = first.before if first.kind == "undo" else batch[-1].before
        return self._jump("undo", before, (*self._head.redo, *(move.id for move in batch)), seat, key)

    def last_batch(self, at: int = 0) -> list[Move]:
        """The moves that one undo takes back, the last first: a command with the automatic steps that came with it."""
        batch = [self.journal.move(at or self._head.at)]
        while batch[-1].before and batch[-1].batch:
            before = self.journal.move(batch[-1].before)
            if before.batch != batch[0].batch:
                break
            batch.append(before)
        return batch

    def enter_back(
        self, at: int, commands: Iterable[Command], seat: str = "", key: str = "", leave: int = 0
    ) -> list[Move]:
        """Enter commands at an earlier place of the line, and then once more what followed it: all of it, or nothing.

        What `leave` names is not entered once more. Dice show what they showed. One undo takes all of it back.
        """
        again: list[tuple[Command, list[int]]] = []
        move = self.journal.move(self._head.at)
        while move.id > at and move.command is not None:
            again[:0] = [(move.command, move.faces)] if move.id != leave else []
            move = self.journal.move(move.before)
        if move.id != at:
            raise WarCabinetError(f"move {at} is no place of the game as it stands")
        back = self._jumped("undo", at, (), seat, "")
        lines, state, last = [(back, self.journal.state_at(at))], self.journal.state_at(at), back
        for command, faces in [*((it, []) for it in commands), *again]:
            ruling = decide(state, command, faces, tell=True)
            if ruling.refusals:
                raise Refused(command, ruling)
            if ruling.needs is not None or len(_faces(ruling)) != len(faces):
                raise WarCabinetError(
                    f"{name_of(command)}: its dice would be others then, so nothing is entered before"
                )
            last = self._made(state, last, command, ruling, back.id, "" if last is not back else key, given=bool(faces))
            state = ruling.state
            lines.append((last, state))
        self.journal.append_all(lines)
        self._head, self._state = last, state
        return [move for move, _ in lines[1:]]

    def redo(self, seat: str = "", key: str = "") -> Move:
        """Do again what was undone last."""
        if not self._head.redo:
            raise WarCabinetError("nothing to redo")
        rest = list(self._head.redo)
        batch = self.journal.move(rest[-1]).batch
        target = rest[-1]
        while rest and self.journal.move(rest[-1]).batch == batch:
            target = rest.pop()
        return self._jump("redo", target, tuple(rest), seat, key)

    def _jump(self, kind: Literal["undo", "redo"], at: int, redo: tuple[int, ...], seat: str, key: str) -> Move:
        move = self._jumped(kind, at, redo, seat, key)
        self._append(move, self.journal.state_at(at))
        return move

    def _jumped(self, kind: Literal["undo", "redo"], at: int, redo: tuple[int, ...], seat: str, key: str) -> Move:
        id, seq = self._head.id + 1, self._head.seq + 1
        moment = self.journal.state_at(at).moment
        return Move(id, kind, seq, at, self._head.at, seat, redo=redo, moment=moment, key=key)

    # -- asking --------------------------------------------------------------------------------------------

    def explain(self, rule: str, *args: object) -> Why:
        """How a value comes about, made by running it."""
        asked = arguments(rule, args)
        try:
            return explain_value(rule, self._state, *asked)
        except KeyError as missing:
            # Not every argument is checked by its name before: what a rule looks up in vain is what was asked for.
            if missing.args[0] not in asked:
                raise
            raise WarCabinetError(f"{rule}: '{missing.args[0]}' is nothing of which it tells") from None

    def offers(self, *held: str) -> list[Offer]:
        """What can be commanded now for these powers (none named: all), and what not, and why."""
        return offers(self._state, held)

    def narrow(self, command: str, **known: Any) -> Offer:
        """What is open for the other fields of a command when some are known."""
        return narrow(self._state, command, known)

    def forecast(self) -> YearStart:
        """The next year start as if the year ended now."""
        return year_start(as_year_ends(self._state))

    def agenda(self) -> list[Item]:
        """What falls due, soonest first."""
        return agenda(self._state)

    def figure(self, path: str) -> Any:
        """A public figure by name, such as powers.germany.base."""
        return read(self._state, path)

    def ledger(self, account: Account | str) -> list[LedgerLine]:
        """Every posting that made an account (also one of pieces, by its text) what it is; undone ones are left out."""
        line, text = self.line(), str(account)
        found = (move for move in self.journal.moves_posting_to(text) if move.id in line)
        return [it for move in found for it in postings(move, text)]

    def line(self) -> set[int]:
        """The moves that led to the state in force; the others have been undone."""
        befores = self.journal.befores()
        found: set[int] = set()
        at = self._head.at
        while at:
            found.add(at)
            before = befores.get(at, 0)
            if before >= at:
                raise WarCabinetError(f"move {at} says that it follows move {before}: the journal is damaged")
            at = before
        return found

    def log(self, last: int = 0) -> list[Move]:
        """The moves in order, undone ones too; with `last`, only so many from the end."""
        return list(self.journal.moves(max(1, self._head.id - last + 1) if last else 1, self._head.id))

    def during(self, operation: str, at: int = 0) -> list[Move]:
        """The moves of an operation that waits, from the one that opened it to the one in force (or another)."""
        found: list[Move] = []
        number = at or self._head.at
        while number:
            move = self.journal.move(number)
            found.insert(0, move)
            opened = (it.event for it in move.records if isinstance(it.event, OperationOpened))
            if any(it.operation.id == operation for it in opened):
                return found
            number = move.before
        return []

    def verify(self) -> list[str]:
        """What is wrong with the journal: nothing, if it replays to the stored states and the books balance."""
        return self.journal.faults()

    def redecide(self) -> list[str]:
        """Commands that today's rules would judge differently; only reported, never changed."""
        return list(_differences(self.journal))


def _faces(ruling: GameDecision) -> list[int]:
    return [it.face for it in ruling.events if isinstance(it, DiceRolled)]


def _barrier(before: State, ruling: GameDecision) -> str:
    """What undo may not cross without consent: a die, or a hand-over to the other side."""
    if any(isinstance(event, DiceRolled) for event in ruling.events):
        return "die"
    return "hand-over" if hands_over(before, ruling.state) else ""


def hands_over(before: State, after: State) -> bool:
    """Whether a move leaves the next decision to another side: by the end of a player turn, or by asking it."""
    return _deciding(before) != _deciding(after)


def _deciding(state: State) -> set[str]:
    """Which sides decide what comes next: those an operation waits for, else the one whose player turn it is."""
    if state.waiting is None:
        return {state.player}
    return {powers()[power].player for power in state.waiting.waits_for}


def new_game(position: Position, journal: Journal) -> Game:
    """Start a game from a position: the first move of its journal holds the facts that make it."""
    state, facts = set_up(position)
    seeded = Record[Event](DiceSeeded(_told_seed(journal.seeds()[-1])), "WC.2", "set_up")
    records = (seeded, *(Record(fact, clause, "set_up") for fact, clause in facts))
    start = Move(1, "start", len(records), 1, records=records, moment=state.moment)
    journal.append(start, state)
    game = Game(journal)
    if state.place.part != "year start" and state.moment < _first_moment(state):
        game.advance()
    return game


def _told_seed(seed: Seed) -> int:
    """What the journal itself says of the dice: a seed that someone chose; nothing of one that is sealed."""
    return 0 if seed.sealed else int(seed.secret)


def _first_moment(state: State) -> int:
    return calendar.moment(calendar.parse_turn(state.options.start), 0)


def _differences(journal: Journal) -> Iterator[str]:
    for move in journal.moves(1, journal.last().id):
        if move.command is None:
            continue
        ruling = decide(journal.state_at(move.before), move.command, move.faces)
        name = name_of(move.command)
        if ruling.refusals:
            yield f"move {move.id} ({name}): today refused by {', '.join(r.clause for r in ruling.refusals)}"
        elif _facts(ruling.events) != _facts(record.event for record in move.records):
            yield f"move {move.id} ({name}): today it would lead to other events"


def _facts(happened: Iterable[Event]) -> list[bytes]:
    """What happened, whatever came first: in which order several stacks of one country go is not a difference."""
    return sorted(map(msgspec.json.encode, happened))


__all__ = ["Conflict", "Game", "MemoryJournal", "Move", "Refused", "decide", "new_game"]
