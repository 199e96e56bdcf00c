"""How good a plan is: its goals in some futures, future by future, judged by any number of workers.

Every plan is judged on the same futures, so that luck is the same for all; and nothing hangs on who judges, or when.
"""

from __future__ import annotations

import multiprocessing
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State, decode
from warcabinet.plans.acting import Progress
from warcabinet.plans.choices import Taken
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.futures import Futures, Group
from warcabinet.plans.run import TRIES, end_with_parent, ray_at


class Trial(msgspec.Struct, frozen=True):
    """A plan to be judged: how its decisions are taken, and in which futures. `steward` leaves powers to theirs."""

    taken: dict[str, Taken]
    first: int
    number: int
    steward: bool = False


class Verdict(msgspec.Struct, frozen=True):
    """Each goal in each future, and in how many of them something happened that must not, or they were stuck."""

    values: tuple[tuple[int, ...], ...]
    broken: dict[str, int] = {}

    def sums(self) -> tuple[int, ...]:
        return tuple(map(sum, self.values))

    def means(self) -> tuple[float, ...]:
        return tuple(sum(it) / len(it) for it in self.values)


class Question(msgspec.Struct, frozen=True):
    """What every worker is told besides its trial."""

    text: str
    seed: int
    start: bytes


class Judged(Futures):
    """Futures of which nothing is asked but the goals; what comes after the last of them is not played."""

    def __init__(self, program: Program, seed: int, first: int, number: int) -> None:
        super().__init__(program, seed)
        self.first = first
        self.values = [array("q", [0]) * number for _ in program.goals]
        self.until = min(program.until, max(max(it.moments) for it in program.goals) + 1)

    def _observe(self, group: Group) -> None:
        s = group.progress.state
        for goal, values in zip(self.program.goals, self.values, strict=True):
            if s.moment in goal.moments:
                found = goal.read(s)
                for future in group.futures:
                    values[future - self.first] += found

    def _end(self, group: Group, finished: bool) -> None:
        self.tally.futures += len(group.futures)

    def verdict(self, start: State) -> Verdict:
        futures = array("I", range(self.first, self.first + len(self.values[0])))
        counted = self.to_the_end([Group(Progress(start), futures)])
        found = {it.what: it.futures for it in counted.breaks.values() if it.stuck or it.what.startswith("never: ")}
        return Verdict(tuple(map(tuple, self.values)), found)


def left_to_stewards(program: Program) -> Program:
    """The same plan, its powers kept by their stewards wherever a decision is about their preferences."""
    open_keeps = [power for power, keep in program.plan.keep.items() if power in chosen_for(program)]
    keep = {power: it for power, it in program.plan.keep.items() if power not in open_keeps}
    return msgspec.structs.replace(program, plan=msgspec.structs.replace(program.plan, keep=keep))


def chosen_for(program: Program) -> tuple[str, ...]:
    """The powers whose preferences hang on a decision, in the order of the plan."""
    stands, other = program.plan.keep, dict[str, bool]()
    for name, choice in program.plan.choose.items():
        for way in choice.edges() if choice.order_of is None else (tuple(reversed(choice.order_of)),):
            changed = plan_of("the plan", program.text, {**program.taken, name: way}).plan.keep
            other |= {power: True for power in stands if changed[power] != stands[power]}
    return tuple(power for power in stands if power in other)


@lru_cache(maxsize=2)
def _start(start: bytes) -> State:
    return decode(start)


def judge_trial(question: bytes, trial: bytes) -> bytes:
    """Judge a plan: what a worker does, wherever it is."""
    told = msgspec.msgpack.decode(question, type=Question)
    mine = msgspec.msgpack.decode(trial, type=Trial)
    program = plan_of("the plan", told.text, mine.taken)
    if mine.steward:
        program = left_to_stewards(program)
    verdict = Judged(program, told.seed, mine.first, mine.number).verdict(_start(told.start))
    return msgspec.msgpack.encode(verdict)


# -- who judges --------------------------------------------------------------------------------------------------------

#: Judges trials and gives their verdicts in the same order.
Judges = Callable[[bytes, Sequence[bytes]], list[bytes]]


def judges_here(question: bytes, trials: Sequence[bytes]) -> list[bytes]:
    return [judge_trial(question, it) for it in trials]


@contextmanager
def judges(workers: int, cluster: str | None = None) -> Iterator[Judges]:
    """Those who judge: this process, worker processes of this machine, or a Ray cluster."""
    if cluster:
        with ray_at(cluster) as ray:
            remote = ray.remote(max_retries=TRIES, retry_exceptions=False)(judge_trial)
            yield lambda question, trials: ray.get([remote.remote(question, it) for it in trials])
    elif workers == 1:
        yield judges_here
    else:
        with _Pool(workers) as pool:
            yield pool.judge


class _Pool:
    """Worker processes that stay for a whole search; where one dies, its trials are judged by others."""

    def __init__(self, workers: int) -> None:
        self.workers, self.pool = workers, self._open(workers)

    @staticmethod
    def _open(workers: int) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(workers, mp_context=spawn, initializer=end_with_parent)

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def judge(self, question: bytes, trials: Sequence[bytes]) -> list[bytes]:
        for _ in range(TRIES):
            try:
                return list(self.pool.map(judge_trial, [question] * len(trials), trials))
            except BrokenProcessPool:
                self.pool = self._open(self.workers)
        raise WarCabinetError("workers die again and again; try with fewer of them")


def better(one: Sequence[int], other: Sequence[int], sign: int) -> tuple[float, float, float]:
    """How much one is better than the other, future by future: the mean, its margin in 19 of 20, and in which share."""
    differences = [sign * (mine - its) for mine, its in zip(one, other, strict=True)]
    number = len(differences)
    middle = sum(differences) / number
    variance = sum((it - middle) ** 2 for it in differences) / max(1, number - 1)
    share = sum(it > 0 for it in differences) / number
    return round(middle, 4), round(1.96 * (variance / number) ** 0.5, 4), round(share, 4)


def plain(taken: Mapping[str, Taken]) -> dict[str, Taken]:
    """Decisions with lists as they come out of a file again."""
    return {name: tuple(it) if isinstance(it, list) else it for name, it in taken.items()}
