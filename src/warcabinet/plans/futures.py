"""Many futures of a plan at once. What they have in common is played once: they come apart where they differ, and
where they are alike again they go on together.

States share what they did not touch, so whether two are alike is mostly a matter of identity. Where futures have
come apart, what goes alike in them all the same is played once for all of them (`plans/looking`).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec

from warcabinet.game.engine import few_looks
from warcabinet.kernel.kept import room_for
from warcabinet.kernel.why import quietly
from warcabinet.model import calendar
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.ledger import balance
from warcabinet.model.names import powers
from warcabinet.model.state import State, decode, encode
from warcabinet.plans.acting import Actor, Broken, Progress
from warcabinet.plans.atlas import changes
from warcabinet.plans.chances import Fate, Odds, Split, told, turns_out
from warcabinet.plans.form import Asked, Program
from warcabinet.plans.tally import Tally, starts_turn

#: Groups that are played side by side; more of them are divided, so that memory does not grow with their number.
ABREAST = 512
#: Where groups that have become alike are put together: at the start of each player turn.
MEETING = frozenset(map(calendar.first_step, calendar.PLAYERS))


class Group(msgspec.Struct, frozen=True):
    """Futures that are alike so far, and where they stand. `refused` names the orders refused in them before."""

    progress: Progress
    futures: Sequence[int]
    refused: frozenset[str] = frozenset()

    @property
    def moment(self) -> int:
        return self.progress.state.moment


def hinges_of(program: Program) -> dict[str, Odds]:
    """What turns out once in a future, with its odds; a thing of every turn is many things, none of them a hinge."""
    plan = program.plan
    return {name: it.odds() for name, it in plan.uncertain.items() if not it.each and name not in plan.choose}


def beginning(start: State, samples: int) -> Group:
    return Group(Progress(start), array("I", range(samples)))


class Futures:
    """Plays groups of futures on, and counts what they show."""

    def __init__(self, program: Program, seed: int, start: State | None = None) -> None:
        self.program, self.seed, self.start = program, seed, start
        self.odds = hinges_of(program)
        self.actor = Actor(program, self._pauses)
        self.tally, self.until = Tally(), program.until
        #: What is to be noted of the map: by turn and what it became, a state and the futures in which it is so.
        self.looked: dict[tuple[int, int, int], tuple[State, list[Sequence[int]]]] = {}
        self.asked: dict[int, list[tuple[int, Asked]]] = {}
        for number, asked in enumerate(program.questions):
            self.asked.setdefault(asked.moment, []).append((number, asked))

    def _pauses(self, s: State) -> bool:
        """Whether futures stop at this moment: something is ordered, asked or watched, or they may go on together."""
        moment = s.moment
        meets = moment % calendar.ROOM in (*MEETING, 0) or moment >= self.until or bool(self.program.nevers)
        return meets or moment in self.asked or bool(self.actor.due(s))

    def to_the_end(self, groups: list[Group]) -> Tally:
        """Play groups until all have ended; too many of them in two halves, one after the other."""
        waiting = [groups]
        with quietly(), few_looks(), room_for(8 * ABREAST):
            while waiting:
                now = waiting.pop()
                while now and len(now) <= ABREAST:
                    now = self.advance_earliest(now)
                if now:
                    half = len(now) // 2
                    waiting += [now[half:], now[:half]]
                    waiting += [self.advance_earliest(waiting.pop())] if half else []
        return self.tally

    def advance_earliest(self, groups: list[Group]) -> list[Group]:
        """Those furthest behind go on by one step; what is alike afterwards goes on together.

        That is looked for where it is likely: where futures have just come apart, and as a player turn starts.
        """
        moment = min(group.moment for group in groups)
        behind = [group for group in groups if group.moment == moment]
        self.actor.memory.groups = len(behind)
        found = list(self._going_on(it for group in behind for it in self._step(group)))
        self._looked()
        apart = len(found) > len(behind)
        meet = apart or any(calendar.split(it.moment)[1] in MEETING for it in found)
        return [*(it for it in groups if it.moment != moment), *(together(found) if meet else found)]

    def _going_on(self, groups: Iterable[Group]) -> Iterable[Group]:
        """Groups that have not ended; what is asked and counted at this moment is asked of each."""
        for group in map(self._minding, groups):
            self._observe(group)
            if group.moment < self.until:
                yield group
            else:
                self._end(group, finished=True)

    def _step(self, group: Group) -> list[Group]:
        """A group as it stands one step later: in as many groups as its futures came apart into."""
        found: list[Group] = []
        waiting, start = [group], group.moment
        while waiting:
            group = waiting.pop()
            try:
                after = self._act(group)
            except Split as split:
                waiting += [Group(group.progress, it, group.refused) for it in split.parts.values()]
                continue
            if after is not None:
                (waiting if after.moment == start else found).append(after)
        return found

    def _act(self, group: Group) -> Group | None:
        done = self.actor.act(group.progress, Fate(self.seed, group.futures).of)
        self.tally.played += len(done.deeds)
        refused = group.refused
        if done.broken is not None:
            what = done.broken.what
            self.tally.broke(done.broken, group.moment, group.futures, what in refused)
            refused = refused | {what}
            if done.broken.stuck:
                self._end(group, finished=False)
                return None
        return Group(done.progress, group.futures, refused)

    def _minding(self, group: Group) -> Group:
        """A group that remembers what must never happen and has happened in it."""
        for claim, holds in self.program.nevers:
            what = f"never: {claim}"
            if what not in group.refused and holds(group.progress.state):
                self.tally.broke(Broken(what, (), "it came about"), group.moment, group.futures, again=False)
                group = Group(group.progress, group.futures, group.refused | {what})
        return group

    def _observe(self, group: Group) -> None:
        s = group.progress.state
        if starts_turn(s):
            self.tally.watch(s, len(group.futures))
            self._look(group)
        for number, asked in self.asked.get(s.moment, ()):
            self.tally.ask(number, asked.read(s), group.futures, self.went)

    def _look(self, group: Group) -> None:
        """What the map has become by the end of the turn before."""
        s = group.progress.state
        if self.start is not None and s.turn > self.start.turn:
            key = s.turn - 1, id(s.control), id(s.countries)
            self.looked.setdefault(key, (s, []))[1].append(group.futures)

    def _looked(self) -> None:
        """Futures in which the map is the same are noted together."""
        for (turn, *_), (s, groups) in self.looked.items():
            assert self.start is not None
            self.tally.seen.look(turn, chain.from_iterable(groups), changes(self.start, s))
        self.looked.clear()

    def _end(self, group: Group, finished: bool) -> None:
        self.tally.end(group.futures, finished, self.went)
        if finished and not starts_turn(group.progress.state):
            self._look(group)

    def felt(self, future: int) -> tuple[str, ...]:
        """How the things turn out in a future that orders hang on."""
        named = {name for order in self.program.orders for name in order.hangs_on}
        return tuple(how for name, how in self.went(future).items() if name in named)

    def went(self, future: int) -> Mapping[str, str]:
        return {name: told(turns_out(self.seed, future, name, odds)) for name, odds in self.odds.items()}


def together(groups: Iterable[Group]) -> list[Group]:
    """Groups that stand alike made into one."""
    kinds: dict[object, list[Group]] = {}
    for group in groups:
        kind = kinds.setdefault(_kind(group.progress.state), [])
        for at, other in enumerate(kind):
            if group.refused == other.refused and alike(group.progress.state, other.progress.state):
                joined = array("I", sorted((*other.futures, *group.futures)))
                kind[at] = Group(other.progress, joined, other.refused)
                break
        else:
            kind.append(group)
    return [group for kind in kinds.values() for group in kind]


def _kind(s: State) -> object:
    """Something that is the same for states that are alike, and quickly found."""
    levels = tuple(balance(s.ledger, account(power)) for power in powers() for account in (Brp, Base))
    return s.moment, levels, s.promised, len(s.control), len(s.wars), tuple(sorted(s.tracks.items()))


def alike(one: State, other: State) -> bool:
    return all(
        (mine := getattr(one, field)) is (its := getattr(other, field)) or mine == its
        for field in State.__struct_fields__
    )


def sharing(groups: Iterable[Group]) -> list[Group]:
    """Groups that were read one by one, with all that is alike in their states held once: sharing is known by that."""
    known: dict[str, list[Any]] = {field: [] for field in State.__struct_fields__}
    found = []
    for group in groups:
        s = group.progress.state
        parts = {field: _held(known[field], getattr(s, field)) for field in known}
        progress = msgspec.structs.replace(group.progress, state=msgspec.structs.replace(s, **parts))
        found.append(msgspec.structs.replace(group, progress=progress))
    return found


def _held(known: list[Any], part: Any) -> Any:
    same = next((it for it in known if it == part), None)
    if same is None:
        known.append(part)
    return part if same is None else same


# -- to and from other processes --------------------------------------------------------------------------------------


class Packed(msgspec.Struct, frozen=True):
    """A group as it travels to a worker."""

    state: bytes
    passed: int
    kept: bool
    #: Their numbers, four bytes each.
    futures: bytes
    refused: tuple[str, ...]

    @property
    def number(self) -> int:
        return len(self.futures) // array("I").itemsize


def packed(group: Group) -> Packed:
    progress = group.progress
    refused = tuple(sorted(group.refused))
    return Packed(encode(progress.state), progress.passed, progress.kept, array("I", group.futures).tobytes(), refused)


def unpacked(it: Packed) -> Group:
    futures = array("I")
    futures.frombytes(it.futures)
    return Group(Progress(decode(it.state), it.passed, it.kept), futures, frozenset(it.refused))
