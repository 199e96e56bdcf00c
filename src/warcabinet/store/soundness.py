"""Whether moves follow from each other as in play: one after the other, each from the position in force before it.

Play itself can make no other journal; a file that was damaged, edited or brought along can hold anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from warcabinet.game.journal import Move, replayed, unbalanced
from warcabinet.model import calendar
from warcabinet.model.apply import blank
from warcabinet.model.events import DiceRolled, EntryPosted, Fact, Happened, Promised
from warcabinet.model.names import powers
from warcabinet.model.state import State

BARRIERS = ("", "die", "hand-over")
#: No game begins before or comes beyond.
YEARS = range(1930, 1961)


class _Step(msgspec.Struct, frozen=True):
    """What later moves must know of an earlier one."""

    before: int
    batch: int
    undo: bool


class Replay:
    """Follows the moves of a journal. `needed` says which states a later move comes back to; others are let go."""

    def __init__(self, needed: Mapping[int, int] | None = None) -> None:
        self._needed = needed
        self._steps: dict[int, _Step] = {}
        self._states: dict[int, State] = {0: blank()}
        self._head: Move | None = None
        self.lost = False

    def follow(self, move: Move) -> Iterator[str]:
        """What is wrong with the next move; nothing, if it is as play would have made it."""
        wrong = next(self._misfits(move), "")
        if wrong:
            yield wrong
        source = move.before if move.at == move.id else move.at
        state = self._states.get(source)
        if state is None:
            self.lost = True
            if not wrong:
                yield f"rests on move {source}, which is missing"
        elif move.at == move.id:
            yield from self._enter(move, state)
        self._steps[move.id] = _Step(move.before, move.batch, move.kind == "undo")
        self._head = move
        self._let_go(move.id)

    def state(self, move: Move) -> State | None:
        """The state in force after a move that was just followed."""
        return self._states.get(move.at)

    def _let_go(self, id: int) -> None:
        if self._needed is not None and self._head is not None:
            for old in [old for old in self._states if old != self._head.at and self._needed.get(old, 0) <= id]:
                del self._states[old]

    def _enter(self, move: Move, before: State) -> Iterator[str]:
        try:
            state = replayed(before, move.records)
            faults = list(_oddities(state, move))
        except Exception as error:
            self.lost = True
            yield f"its events cannot be followed: {type(error).__name__}: {error}"
            return
        self._states[move.id] = state
        yield from faults

    # -- the place of a move among the others ----------------------------------------------------------------------

    def _misfits(self, move: Move) -> Iterator[str]:
        head = self._head
        last = 0 if head is None else head.id
        if move.id != last + 1:
            yield f"stands where move {last + 1} should stand"
        elif head is None:
            if move.kind != "start" or (move.at, move.before, move.batch) != (1, 0, 0) or move.redo:
                yield "a journal begins with the start of its game"
        elif move.before != head.at:
            yield f"follows move {move.before}, but move {head.at} was in force"
        elif move.kind == "start":
            yield "is a second start"
        elif move.kind == "command":
            yield from self._command_misfits(move)
        else:
            yield from self._jump_misfits(move, head)
        events = (0 if head is None else head.seq) + (len(move.records) if move.at == move.id else 1)
        if move.seq != events:
            yield f"says {move.seq} events, but there are {events}"

    def _command_misfits(self, move: Move) -> Iterator[str]:
        if move.command is None or move.at != move.id or move.redo:
            yield "is not made as an order is"
        before, last = self._steps.get(move.before), self._steps[move.id - 1]
        entered_back = last.undo and move.batch == move.id - 1
        joined = before is not None and move.batch == before.batch and 0 < move.batch < move.id
        if move.batch != move.id and not entered_back and not joined:
            yield f"says that it came with move {move.batch}"

    def _jump_misfits(self, move: Move, head: Move) -> Iterator[str]:
        if move.command is not None or move.records or move.batch or move.barrier:
            yield "takes something back and orders something as well"
        expected = self._undone(head) if move.kind == "undo" else self._redone(head)
        if expected != (move.at, move.redo) and not self._goes_back(move, head):
            yield f"goes to move {move.at}, where {move.kind} does not lead"

    def _batch(self, id: int) -> list[int]:
        """A move with those that came with it, the last first."""
        found = [id]
        while (step := self._steps[found[-1]]).before and step.batch:
            if self._steps[step.before].batch != step.batch:
                break
            found.append(step.before)
        return found

    def _undone(self, head: Move) -> tuple[int, tuple[int, ...]] | None:
        if head.at not in self._steps or not self._steps[head.at].before:
            return None
        batch = self._batch(head.at)
        first = self._steps[batch[-1]]
        opened = self._steps.get(first.batch)
        return opened.before if opened is not None and opened.undo else first.before, (*head.redo, *batch)

    def _goes_back(self, move: Move, head: Move) -> bool:
        """Whether a move goes back along the line, where something is entered; what followed is entered anew."""
        at = head.at
        while at > move.at and at in self._steps:
            at = self._steps[at].before
        return move.kind == "undo" and not move.redo and 0 < at == move.at < head.at

    def _redone(self, head: Move) -> tuple[int, tuple[int, ...]] | None:
        rest = [id for id in head.redo if id in self._steps]
        if not rest:
            return None
        batch, target = self._steps[rest[-1]].batch, rest[-1]
        while rest and self._steps[rest[-1]].batch == batch:
            target = rest.pop()
        return target, tuple(rest)


def _oddities(state: State, move: Move) -> Iterator[str]:
    """What no position of the game can be."""
    if not (0 <= state.step < len(calendar.steps()) and calendar.year(state.turn) in YEARS):
        yield f"leads to a moment that there is not: turn {state.turn}, step {state.step}"
    elif move.moment != state.moment:
        yield f"says the moment {move.moment}, but it is {state.moment}"
    if set(state.powers) - set(powers()) or any(_strangers(record.event) for record in move.records):
        yield "names a power that there is not"
    for told in (moment for record in move.records for moment in _moments(record.event) if not _is_moment(moment)):
        yield f"tells of a moment that there is not: {told}"
    thrown = any(isinstance(record.event, DiceRolled) for record in move.records)
    if move.barrier not in BARRIERS or (move.barrier == "die") != thrown:
        yield f"says the barrier {move.barrier!r}"
    for unit, total in unbalanced(state).items():
        yield f"the accounts of {unit} sum to {total}, not zero"


def _strangers(event: Fact) -> set[str]:
    """The powers that an event posts to and that there are not."""
    if not isinstance(event, EntryPosted):
        return set()
    return {getattr(posting.account, "power", "") for posting in event.entry.postings} - {"", *powers()}


def _moments(event: Fact) -> tuple[int, ...]:
    """The moments of which an event tells: every page that names one must find it in the calendar."""
    if isinstance(event, Happened):
        return (event.happening.moment,)
    if isinstance(event, Promised):
        return (event.promise.due, event.promise.opened)
    return ()


def _is_moment(told: int) -> bool:
    turn, step = calendar.split(told)
    return 0 <= step < len(calendar.steps()) and calendar.year(turn) in YEARS
