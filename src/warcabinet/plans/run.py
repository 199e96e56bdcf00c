"""A run of a plan: its futures divided into parts, played by workers, kept in a folder so that it can be resumed.

How many workers there are, and where, changes nothing of the result: the parts are the same, and what they count are
whole numbers that are added up.
"""

from __future__ import annotations

import hashlib
import logging
import multiprocessing
import os
import socket
import threading
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State, decode, encode
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.futures import Futures, Group, Packed, beginning, packed, sharing, unpacked
from warcabinet.plans.results import Result, summed_up
from warcabinet.plans.tally import Tally, total

#: Groups that the futures have come apart into before they are handed out, and the parts that are made of them: as many
#: as have so many futures each, for these share what goes alike in them; at least a few, so that workers have something
#: to do, and at most so many. What comes before is played by one alone.
SHARING = 500
PARTS = 64
FEW_PARTS, LEAST = 8, 16
#: How often a part is handed out again after its worker died.
TRIES = 5
#: Told of progress: futures that are done now.
Progress = Callable[[int], None]


class Part(msgspec.Struct, frozen=True):
    """Some groups of futures, to be played to their end by one worker."""

    number: int
    groups: tuple[Packed, ...]

    @property
    def futures(self) -> int:
        return sum(it.number for it in self.groups)


class Brief(msgspec.Struct, frozen=True):
    """What every worker is told besides its part."""

    name: str
    text: str
    seed: int
    start: bytes


class Setting(msgspec.Struct, frozen=True):
    """What a run is of: only the same can be resumed."""

    plan: str
    start: str
    seed: int
    samples: int
    parts: int
    release: str


@lru_cache(maxsize=4)
def _program(name: str, text: str) -> Program:
    return plan_of(name, text)


@lru_cache(maxsize=4)
def _start(start: bytes) -> State:
    return decode(start)


def play_part(brief: bytes, part: bytes) -> bytes:
    """Play a part to its end: what a worker does, wherever it is."""
    told = msgspec.msgpack.decode(brief, type=Brief)
    mine = msgspec.msgpack.decode(part, type=Part)
    futures = Futures(_program(told.name, told.text), told.seed, _start(told.start))
    return msgspec.msgpack.encode(futures.to_the_end(sharing(map(unpacked, mine.groups))))


class Run:
    """A plan that is being run: its parts, those of them that are done, and what they showed so far."""

    def __init__(
        self,
        program: Program,
        samples: int,
        seed: int,
        start: State | None = None,
        folder: Path | None = None,
        parts: int = 0,
    ) -> None:
        if samples < 1:
            raise WarCabinetError("at least one future is played")
        self.program, self.samples, self.seed = program, samples, seed
        self.start = start if start is not None else program.start()
        if self.start.moment >= program.until:
            raise WarCabinetError(f"the game is past {program.plan.until}, where the plan ends")
        self.brief = msgspec.msgpack.encode(Brief("the plan", program.text, seed, encode(self.start)))
        few = min(FEW_PARTS, samples // LEAST)
        self.folder, self.parts = folder, parts or max(1, min(PARTS, max(few, samples // SHARING)))
        self.done: dict[int, Tally] = {}

    def prepare(self) -> list[Part]:
        """Play what all futures have in common, and divide the rest; what an earlier run has done is taken from it."""
        futures = Futures(self.program, self.seed, self.start)
        groups = [beginning(self.start, self.samples)]
        while groups and len(groups) < self.parts:
            groups = futures.advance_earliest(groups)
        self.done[0] = futures.tally
        parts = _divided(groups, self.parts, futures.felt)
        self._resume()
        return [part for part in parts if part.number not in self.done]

    def result(self) -> Result:
        return summed_up(self.program, self.seed, self.samples, total(self.done[it] for it in sorted(self.done)))

    # -- the folder ----------------------------------------------------------------------------------------

    def _setting(self) -> Setting:
        plan, start = (hashlib.sha256(it).hexdigest() for it in (self.program.text.encode(), encode(self.start)))
        return Setting(plan, start, self.seed, self.samples, self.parts, version("warcabinet"))

    def _resume(self) -> None:
        if self.folder is None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        about = self.folder / "run.json"
        if about.exists():
            try:
                same = msgspec.json.decode(about.read_bytes(), type=Setting) == self._setting()
            except msgspec.DecodeError:
                raise WarCabinetError(f"{about} is damaged; name another folder, or empty this one") from None
            if not same:
                told = "the plan, its start, the seed, the number of futures or the release is another"
                raise WarCabinetError(
                    f"{self.folder} holds another run ({told}); name another folder, or empty this one"
                )
        else:
            _write(about, msgspec.json.encode(self._setting()))
        for file in sorted(self.folder.glob("part-*.bin")):
            # A part that is half written is played again.
            with suppress(msgspec.DecodeError):
                self.done[int(file.stem.removeprefix("part-"))] = msgspec.msgpack.decode(file.read_bytes(), type=Tally)

    def finish(self, number: int, counted: bytes) -> None:
        self.done[number] = msgspec.msgpack.decode(counted, type=Tally)
        if self.folder is not None:
            _write(self.folder / f"part-{number:04}.bin", counted)


def _write(file: Path, data: bytes) -> None:
    """A file that is whole or not there."""
    draft = file.with_suffix(".draft")
    draft.write_bytes(data)
    os.replace(draft, file)


def _divided(groups: list[Group], number: int, felt: Callable[[int], tuple[str, ...]]) -> list[Part]:
    """Parts of about as many futures each; where the same turns out they are in one, for these have most in common."""
    group_of = {future: group for group in groups for future in group.futures}
    alike: dict[tuple[tuple[str, ...], int], list[int]] = {}
    for future in sorted(group_of):
        alike.setdefault((felt(future), group_of[future].futures[0]), []).append(future)
    size = max(1, -(-len(group_of) // number))
    parts: list[list[int]] = [[]]
    for _, futures in sorted(alike.items()):
        for first in range(0, len(futures), size):
            if len(parts[-1]) >= size:
                parts.append([])
            parts[-1] += futures[first : first + size]
    return [Part(place, _of(group_of, it)) for place, it in enumerate(parts, 1) if it]


def _of(group_of: Mapping[int, Group], futures: Sequence[int]) -> tuple[Packed, ...]:
    """The groups of some futures, without the others."""
    found: dict[int, list[int]] = {}
    for future in sorted(futures):
        found.setdefault(id(group_of[future]), []).append(future)
    return tuple(
        packed(msgspec.structs.replace(group_of[mine[0]], futures=array("I", mine))) for mine in found.values()
    )


# -- who plays ---------------------------------------------------------------------------------------------------------

#: Plays parts and yields each with what it counted, in whatever order they end.
Players = Callable[[bytes, Sequence[Part]], Iterator[tuple[Part, bytes]]]


def here(brief: bytes, parts: Sequence[Part]) -> Iterator[tuple[Part, bytes]]:
    """Play parts in this process, one after the other."""
    for part in parts:
        yield part, play_part(brief, msgspec.msgpack.encode(part))


def end_with_parent() -> None:
    """A worker whose run was killed would wait for parts for ever: it ends with the process that started it."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True, name="watches its parent").start()


def by_processes(workers: int, player: Callable[[bytes, bytes], bytes] = play_part) -> Players:
    """Play parts in worker processes of this machine; one that dies has its part played by another."""

    def play(brief: bytes, parts: Sequence[Part]) -> Iterator[tuple[Part, bytes]]:
        left = {part.number: part for part in parts}
        for attempt in range(TRIES):
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(workers, mp_context=spawn, initializer=end_with_parent) as pool:
                sent: dict[Future[bytes], Part] = {
                    pool.submit(player, brief, msgspec.msgpack.encode(part)): part for part in left.values()
                }
                try:
                    for ended in as_completed(sent):
                        counted = ended.result()
                        part = left.pop(sent[ended].number)
                        yield part, counted
                except BrokenProcessPool:
                    if attempt == TRIES - 1:
                        raise WarCabinetError("workers die again and again; try with fewer of them") from None
                except GeneratorExit:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
            if not left:
                return

    return play


def _imported() -> Any:
    try:
        import ray
    except ImportError:
        raise WarCabinetError("Ray is not installed: pip install 'warcabinet[cluster]'") from None
    return ray


@contextmanager
def ray_at(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster for as long as it is needed."""
    ray = _imported()
    started = not ray.is_initialized()
    if started:
        _answers(address)
    try:
        if started:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise WarCabinetError(f"no Ray cluster answers at {address}: {str(error).splitlines()[0]}") from None
    try:
        yield ray
    finally:
        if started:
            ray.shutdown()


def by_ray(address: str) -> Players:
    """Play parts on a cluster through Ray; one whose worker dies is played by another."""
    _imported()

    def play(brief: bytes, parts: Sequence[Part]) -> Iterator[tuple[Part, bytes]]:
        with ray_at(address) as ray:
            yield from _over_ray(ray, brief, parts)

    return play


def _answers(address: str) -> None:
    """Refuse an address where nothing listens: Ray itself would wait for long, and then end the program."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=5).close()
        except OSError as error:
            raise WarCabinetError(f"no Ray cluster answers at {address}: {error.strerror or error}") from None


def _over_ray(ray: Any, brief: bytes, parts: Sequence[Part]) -> Iterator[tuple[Part, bytes]]:
    remote = ray.remote(max_retries=TRIES, retry_exceptions=False)(play_part)
    told = ray.put(brief)
    sent = {remote.remote(told, msgspec.msgpack.encode(part)): part for part in parts}
    while sent:
        ended, _ = ray.wait(list(sent), num_returns=1)
        for it in ended:
            yield sent.pop(it), ray.get(it)


def run_plan(run: Run, players: Players, progress: Progress = lambda futures: None) -> Result:
    """Run a plan to its end, part by part; stopped in between, what is done is kept in its folder."""
    parts = run.prepare()
    progress(sum(it.futures for it in run.done.values()))
    for part, counted in players(run.brief, parts) if parts else ():
        run.finish(part.number, counted)
        progress(part.futures)
    return run.result()
