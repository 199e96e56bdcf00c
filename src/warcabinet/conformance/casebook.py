"""The book of cases: where each stands, which show a clause (found without reading them all), and one as a game.

Every case stands in the file of its clause, in a checkout beside the package and in an installed one inside it
(`setup.py` puts them there). A page about one clause wants the few cases that name it, so files are cut into cases by
their text, and only what is asked for is read as YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from warcabinet.conformance.cases import STEP_KEYS, Book, Case, case_files, read_case, read_cases
from warcabinet.conformance.running import play_step
from warcabinet.game import DieWanted, Game, Refused, Undecidable
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.tables import Document, read_text

_PACKAGE = Path(__file__).parents[1]
_SHIPPED = _PACKAGE / "rulebook" / "cases"
_CHECKOUT = _PACKAGE.parents[1] / "tests" / "cases"
_BEGINS = re.compile(r"^- \{?id: *[\"']?([^\"',\n]+)", re.MULTILINE)
_NUMBER = re.compile(r"(?:[0-9]+|WC)\.\w+(?:\(\w+\))*")
_ALIAS = re.compile(r"[:\[,] *\*\w")
_STEP = re.compile(r"\.[0-9]|[0-9A-Z]|\(\w+\)")

#: Numbers that have too many cases for one file: what stands under each has files of its own.
DIVIDED = frozenset(
    (
        "35", "36", "36.1", "36.11", "36.3", "36.32", "37", "40", "40.2", "40.4",
        "71", "72", "78", "79", "81", "81.4", "82", "82.3", "82.4", "82.5", "82.8", "83", "84", "84.4", "85", "85.4",
        "86", "87", "87.2", "88", "88.3", "88.4", "89",
    )
)  # fmt: skip


def file_of_case(id: str) -> str:
    """The file in which a case belongs, by the clause of its id alone: `82/82.41.yaml` for 82.41/1.

    A folder a chapter; in it a file for the shortest number above the clause that is not divided further.
    """
    clause = id.rpartition("/")[0]
    chapter, dot, rest = clause.partition(".")
    if chapter == "WC":
        return "house/WC.yaml"
    number = chapter
    for step in _STEP.findall(dot + rest):
        if number not in DIVIDED:
            break
        number += step
    return f"{chapter}/{number}.yaml"


def cases_folder() -> Path:
    """Where the cases stand: in the package where it is installed, else beside it; there may be none."""
    return _SHIPPED if _SHIPPED.is_dir() else _CHECKOUT if _CHECKOUT.is_dir() else Path("tests/cases")


class Written(msgspec.Struct, frozen=True):
    """A case as it is written: its id, its file, on which line it begins, and its text."""

    id: str
    file: str
    line: int
    text: str


@cache
def written_cases(folder: Path) -> dict[str, Written]:
    """Every case of a folder by its id, as text."""
    found: dict[str, Written] = {}
    for path in case_files((folder,)) if folder.is_dir() else ():
        text, file = read_text(path), path.relative_to(folder).as_posix()
        begins = list(_BEGINS.finditer(text))
        for number, begin in enumerate(begins):
            end = begins[number + 1].start() if number + 1 < len(begins) else len(text)
            line = text.count("\n", 0, begin.start()) + 1
            found[begin[1]] = Written(begin[1], file, line, text[begin.start() : end])
    return found


@lru_cache(4096)
def case_of(written: Written) -> Case:
    """A case read from its text; one that takes up what an earlier one said is read with its file."""
    if _ALIAS.search(written.text):
        return _whole_file(cases_folder() / written.file)[written.id]
    return read_case(Document(written.file, written.text), 0, _book(cases_folder()))


@cache
def _book(folder: Path) -> Book:
    return Book((folder,))


@cache
def _whole_file(path: Path) -> dict[str, Case]:
    return {case.id: case for case, _ in read_cases(path, _book(cases_folder()))}


def case_called(id: str) -> Case:
    """The case with an id."""
    book = written_cases(cases_folder())
    if id not in book:
        raise unknown("case", id, book)
    return case_of(book[id])


@cache
def _by_number(folder: Path) -> dict[str, list[Written]]:
    """Cases by every number that looks like a clause in their text."""
    found: dict[str, list[Written]] = {}
    for it in written_cases(folder).values():
        for number in set(_NUMBER.findall(it.text)):
            found.setdefault(number, []).append(it)
    return found


def cases_naming(clause: str) -> list[Written]:
    """The cases that show a clause: those that bear its number first."""
    named = _by_number(cases_folder()).get(clause, ())
    shown = [it for it in named if clause in case_of(it).clauses]
    return sorted(shown, key=lambda it: (not it.id.startswith(f"{clause}/"), _number(it)))


def cases_on_ruling(ruling: str, folder: Path | None = None) -> list[Written]:
    """The cases that speak of a ruling: they show its readings, choose one of them, or name it in what they expect."""
    return [it for it in written_cases(folder or cases_folder()).values() if ruling in _said(it)]


def _said(written: Written) -> str:
    """The text of a case without the remarks between it and the next one."""
    return re.sub(r"^#.*", "", written.text, flags=re.MULTILINE)


def _number(written: Written) -> int:
    """What was written first shows the plain meaning, and comes first."""
    return int(written.id.rpartition("/")[2])


class Said(msgspec.Struct, frozen=True):
    """What the rules said to a step that they did not simply carry out."""

    kind: Literal["refused", "die", "question", "unreadable"]
    text: str
    clause: str = ""


def play_case(game: Game, case: Case) -> Iterator[tuple[dict[str, Any], list[Said]]]:
    """Play the steps of a case as moves of a game; with each step what was said to it."""
    for step in case.when:
        yield step, [] if "ask" in step else play_case_step(game, step)


def play_case_step(game: Game, step: dict[str, Any]) -> list[Said]:
    """Play one step that does something. A case may be about its refusal, so that ends nothing."""
    try:
        play_step(game, {key: value for key, value in step.items() if key not in STEP_KEYS}, step.get("dice", []))
    except Refused as refused:
        if not refused.refusals:
            raise
        return [Said("refused", it.text, it.clause) for it in refused.refusals]
    except DieWanted as wanted:
        return [Said("die", wanted.needs.text, wanted.needs.clause)]
    except Undecidable as question:
        return [Said("question", str(question))]
    except WarCabinetError as error:
        return [Said("unreadable", str(error))]
    return []
