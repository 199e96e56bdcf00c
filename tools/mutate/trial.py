"""Trying a change: a process of its own takes the changed module in, runs the cases that could notice, and tells.

Everything that no change touches (libraries, boards, the files of cases) is loaded once; each trial is a fork of
that. Nothing is written: the changed module exists only in the memory of its trial.
"""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.abc
import importlib.machinery
import os
import pickle
import random
import selectors
import signal
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from sites import Site, mutated

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "src" / "warcabinet" / "rules"
# What the agenda shows of the rules, cases can ask for.
USERS = (ROOT / "src" / "warcabinet" / "game" / "forecast.py",)
CASES = ROOT / "tests" / "cases"
COMPLIANCE = ROOT / "docs" / "compliance.md"
# A change can make a rule go round in circles; the longest case takes a third of a second.
SECONDS_A_TRIAL = 90
# What stays loaded from trial to trial: nothing in it knows of a rule.
KEPT = ("warcabinet.board", "warcabinet.kernel.errors", "warcabinet.kernel.tables", "warcabinet.kernel.clause")


@dataclass(frozen=True)
class Verdict:
    """What came of a change: the case that noticed it, or how it was caught otherwise; nothing if it survived."""

    site: Site
    caught_by: str
    cases: int


@dataclass
class Ground:
    """What all trials stand on: the cases in order, and which lines of the rules each of them executes."""

    documents: list[Any]
    ids: list[str]
    where: list[tuple[int, int]]
    lines: dict[str, dict[int, list[int]]] = field(default_factory=dict)
    # The compliance page as it stands: every rule with the clause it cites. Nothing where it is not up to date.
    compliance: str = ""

    def noticing(self, site: Site) -> list[int]:
        """The cases that run the lines of a change."""
        lines = self.lines.get(str(site.file), {})
        first, last = site.seen_on
        found = {index for line in range(first, last + 1) for index in lines.get(line, ())}
        return _mixed(found)

    def others(self, site: Site, tried: Sequence[int]) -> list[int]:
        """What is made at import can show anywhere: the cases that run the same module, then all the rest."""
        near = {index for indices in self.lines.get(str(site.file), {}).values() for index in indices} - set(tried)
        rest = [index for index in range(len(self.ids)) if index not in near and index not in tried]
        return [*_mixed(near), *rest]


def _mixed(indices: set[int]) -> list[int]:
    """In an order of its own but always the same: neighbours in a file often show the same thing."""
    order = sorted(indices)
    random.Random(len(order)).shuffle(order)
    return order


def prepare() -> Ground:
    """Load what never changes, and find out which lines of the rules each case executes."""
    from warcabinet.conformance.cases import case_files, open_cases

    documents = [open_cases(path) for path in case_files([CASES])]
    where = [(number, index) for number, it in enumerate(documents) for index in range(len(it.data))]
    ids = [str(documents[number].data[index]["id"]) for number, index in where]
    ground = Ground(documents, ids, where)
    page = COMPLIANCE.read_text(encoding="utf-8")
    if in_fork(_compliance_page) == page:
        ground.compliance = page
    ground.lines = in_fork(lambda: _executed(ground))
    return ground


def name_groups() -> list[list[str]]:
    """Names that can be taken for one another: powers, sides, steps, statuses, units, countries, clauses."""
    from warcabinet.kernel.clause import catalogue
    from warcabinet.model.agenda import Outcome
    from warcabinet.model.calendar import Player, steps
    from warcabinet.model.commands import command_types, fields
    from warcabinet.model.names import areas, powers
    from warcabinet.model.state import FrameKind, StatusName
    from warcabinet.model.units import unit_kinds

    return [
        list(powers()),
        list(get_args(StatusName)),
        list(get_args(Player)),
        list(get_args(FrameKind)),
        list(get_args(Outcome)),
        list(dict.fromkeys(place.step.name for place in steps())),
        list(unit_kinds()),
        [it for it in areas() if it not in powers()],
        *(list(filter(None, field.among)) for kind in command_types().values() for field in fields(kind)),
        list(catalogue()),
    ]


def _executed(ground: Ground) -> dict[str, dict[int, list[int]]]:
    """For each file of the rules and each line the cases that executed it."""
    import coverage

    watch = coverage.Coverage(data_file=None, include=[str(RULES / "*")], config_file=False)
    watch.start()
    _forget()
    run = _runner(ground)
    failed = []
    for index in range(len(ground.ids)):
        watch.switch_context(str(index))
        if not run(index):
            failed.append(ground.ids[index])
    watch.stop()
    if failed:
        raise SystemExit(f"cases fail before anything is changed: {', '.join(failed)}")
    data = watch.get_data()
    return {
        file: {
            line: sorted(int(it) for it in contexts if it) for line, contexts in data.contexts_by_lineno(file).items()
        }
        for file in data.measured_files()
    }


def _compliance_page() -> str:
    return str(importlib.import_module("warcabinet.conformance.documents").compliance_page())


def _runner(ground: Ground) -> Callable[[int], bool]:
    """Runs a case by its number with the rules as they are now loaded, and says whether it passes."""
    cases = importlib.import_module("warcabinet.conformance.cases")
    conformance = importlib.import_module("warcabinet.conformance.running")
    book = cases.Book([CASES])

    def run(index: int) -> bool:
        number, place = ground.where[index]
        case = cases.read_case(ground.documents[number], place, book)
        return bool(conformance.run_case(case, strict=True).ok)

    return run


def _forget() -> None:
    """Unload everything that knows of rules, so that it is made anew."""
    for name in list(sys.modules):
        if name.split(".")[0] == "warcabinet" and not name.startswith(KEPT):
            del sys.modules[name]


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives out the changed module where it is imported."""

    def __init__(self, module: str, file: Path, tree: ast.Module) -> None:
        self.module, self.file, self.tree = module, file, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.module:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, origin=str(self.file))

    def exec_module(self, module: types.ModuleType) -> None:
        module.__file__ = str(self.file)
        exec(compile(self.tree, str(self.file), "exec"), module.__dict__)


def attempt(site: Site, ground: Ground, names: Sequence[Sequence[str]]) -> Verdict:
    """Make the change in this process and run cases until one notices."""
    cases = ground.noticing(site)
    if not cases and not site.at_import:
        return Verdict(site, "", 0)
    _forget()
    sys.meta_path.insert(0, _Changed(site.module, site.file, mutated(site, names)))
    try:
        run = _runner(ground)
    except Exception as error:
        return Verdict(site, f"import: {type(error).__name__}", 0)
    caught = _first_failing(run, cases)
    if caught is None and ground.compliance and _compliance_page() != ground.compliance:
        # It names the clauses that a rule's function names as well; each is wanted of a case (tests/manifest).
        return Verdict(site, COMPLIANCE.name, len(cases))
    if caught is None and site.at_import:
        others = ground.others(site, cases)
        caught, cases = _first_failing(run, others), [*cases, *others]
    return Verdict(site, "" if caught is None else ground.ids[caught], len(cases))


def _first_failing(run: Callable[[int], bool], cases: Sequence[int]) -> int | None:
    for index in cases:
        try:
            if not run(index):
                return index
        except Exception:
            return index
    return None


def in_fork(work: Callable[[], Any]) -> Any:
    """The result of some work that is done in a process of its own."""
    reader, process = _fork(work)
    with os.fdopen(reader, "rb") as pipe:
        told = pipe.read()
    os.waitpid(process, 0)
    if not told:
        raise SystemExit("a process that was to look at the cases ended without an answer")
    found = pickle.loads(told)
    if isinstance(found, SystemExit):
        raise found
    return found


def _fork(work: Callable[[], Any]) -> tuple[int, int]:
    """A process of its own that writes the result of some work into a pipe, and the pipe's end."""
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return reader, process
    os.close(reader)
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        found: Any = work()
    except SystemExit as error:
        found = error
    with os.fdopen(writer, "wb") as pipe:
        pipe.write(pickle.dumps(found))
    os._exit(0)


def attempts(
    chosen: Sequence[Site], ground: Ground, names: Sequence[Sequence[str]], workers: int = 2
) -> Iterator[Verdict]:
    """Try every change, a few at a time; what takes too long counts as noticed."""
    waiting, running = list(reversed(chosen)), selectors.DefaultSelector()
    told: dict[int, tuple[Site, int, list[bytes]]] = {}
    while waiting or told:
        while waiting and len(told) < workers:
            site = waiting.pop()
            reader, process = _fork(functools.partial(_in_time, site, ground, names))
            told[reader] = (site, process, [])
            running.register(reader, selectors.EVENT_READ)
        for key, _ in running.select():
            reader = key.fd
            site, process, parts = told[reader]
            part = os.read(reader, 65536)
            if part:
                parts.append(part)
                continue
            running.unregister(reader)
            os.close(reader)
            os.waitpid(process, 0)
            del told[reader]
            yield pickle.loads(b"".join(parts)) if parts else Verdict(site, "no answer in time", 0)


def _in_time(site: Site, ground: Ground, names: Sequence[Sequence[str]]) -> Verdict:
    signal.alarm(SECONDS_A_TRIAL)
    return attempt(site, ground, names)
