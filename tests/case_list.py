"""Which cases there are and which are wanted, found without parsing a file: each is parsed by who runs its cases."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from warcabinet.conformance.cases import Book, case_files, clause_of, open_cases, read_case
from warcabinet.kernel.clause import catalogue
from warcabinet.kernel.errors import unknown
from warcabinet.kernel.tables import Document

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "cases"
PACKAGE = ROOT / "src" / "warcabinet"
#: How a case begins: a mark at the margin, and its id.
_BEGINS = re.compile(r"""^- (?:\{?id: *["']?([^"',\s]+))?""", re.MULTILINE)


@cache
def book() -> Book:
    """Where cases find those that they are like."""
    return Book([FOLDER])


class Found(NamedTuple):
    """A case by its id, and where it stands."""

    id: str
    path: Path
    index: int

    @property
    def document(self) -> Document:
        return _opened(self.path)


@lru_cache(8)
def _opened(path: Path) -> Document:
    return open_cases(path)


@cache
def every_case() -> tuple[Found, ...]:
    return tuple(Found(id, path, index) for path in case_files([FOLDER]) for index, id in enumerate(ids_of(path)))


def ids_of(path: Path) -> list[str]:
    """The ids in a file's text; where one does not stand at the beginning of its case, of the parsed file."""
    found = _BEGINS.findall(path.read_text(encoding="utf-8"))
    return (
        found
        if found and all(found)
        else [read_case(_opened(path), index, book()).id for index in range(len(_opened(path).data))]
    )


class _Wanted:
    names: tuple[str, ...] = ()
    touched = False


def want(names: str, touched: bool) -> None:
    """Keep to the cases of these ids, clauses, chapters and files, and of what was touched."""
    _Wanted.names, _Wanted.touched = tuple(filter(None, names.split(","))), touched


def wanted_cases() -> list[Found]:
    if not (_Wanted.names or _Wanted.touched):
        return list(every_case())
    names = {str(path) if (path := ROOT / name).exists() else name for name in _Wanted.names}
    known = {name for case in every_case() for name in _names(case)}
    if strange := sorted(names - known):
        raise unknown("case, clause or file of cases", strange[0], known)
    names |= touched() if _Wanted.touched else set()
    return [case for case in every_case() if names & _names(case)]


def _names(case: Found) -> set[str]:
    """All by which a case may be meant: its id, its clause and those above it, its chapter, its file and folder."""
    clause = clause_of(case.id)
    above = (clause[:end] for end in range(4, len(clause) + 1))
    return {case.id, catalogue()[clause].chapter, *above, str(case.path), str(case.path.parent)}


# -- What was touched ----------------------------------------------------------------------------------------------


def touched() -> set[str]:
    """Chapters and files of cases that what was changed may concern, since this work left the main branch."""
    changed = _changed()
    found: set[str] = set()
    for path in changed if changed is not None else {PACKAGE}:
        if path.is_relative_to(FOLDER):
            found.add(str(path))  # one that is no more names no case
        elif path.is_relative_to(PACKAGE):
            found |= concerned(path)
    return found


def concerned(path: Path) -> set[str]:
    """The chapters that a file of the package concerns: those that a module of rules cites, else all or none."""
    every = {row.chapter for row in catalogue().values()}
    if not path.is_file():
        return every
    if path.is_relative_to(PACKAGE / "rules"):
        return every & set(re.findall(r"\b(?:\d\d|WC)(?=\.\d)", path.read_text(encoding="utf-8")))
    loaded = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return every if str(path) in loaded or path.suffix in (".csv", ".yaml") else set()


def _changed() -> set[Path] | None:
    """The files that differ from where this work left the main branch, or are new; None where git cannot tell."""
    bases = (_git("merge-base", "HEAD", main) for main in ("main", "origin/main"))
    base = next(filter(None, bases), ["HEAD"])[0]
    differing = _git("diff", "--name-only", "--relative", base)
    new = _git("ls-files", "--others", "--exclude-standard")
    return None if differing is None or new is None else {ROOT / name for name in (*differing, *new)}


def _git(*words: str) -> list[str] | None:
    try:
        told = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return told.stdout.splitlines() if told.returncode == 0 else None
