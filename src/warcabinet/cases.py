"""The form of conformance cases: read strictly, checked as far as it can be without running them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.figures.position import AgendaLine, PoolLine, Position, UnitLine
from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.tables import Document, read_document, split_path
from warcabinet.model.commands import command_types
from warcabinet.model.names import power_named
from warcabinet.rules.common.readings import ruling_named

EXPECTATIONS = ("refused", "ledger", "agenda", "closed", "offer", "needs", "unchanged")
OUTCOMES = ("done", "averted", "passed on", "lapsed")
# What a line of an expectation may say.
LEDGER_KEYS = ("power", "brp", "base", "clause")
AGENDA_KEYS = ("clause", "due", "power", "about", "brp")
CLOSED_KEYS = (*AGENDA_KEYS, "effect", "outcome", "reason")
BOUND_KEYS = ("most", "least", "among", "by")

# Where in a case something stands: keys and places in lists.
Where = tuple[str | int, ...]


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str
    clauses: tuple[str, ...]
    source: str = "own"
    given: Position = Position()
    when: tuple[dict[str, Any], ...] = ()
    then: dict[str, Any] = {}
    then_by_reading: dict[str, dict[str, Any]] = {}
    disputed: str = ""
    ask: dict[str, Any] = {}
    expect: Any = msgspec.UNSET


class Failure(Exception):
    """What a case expected and did not find, and where in the case it says so."""

    def __init__(self, message: str, path: Where = ()) -> None:
        super().__init__(message)
        self.path = path


def case_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files that are named or lie in a named folder, each once."""
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise DataError(f"no such file or folder: {path}")
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else (path,):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def read_cases(path: Path) -> list[tuple[Case, int]]:
    """The cases of a file with the lines on which they stand; anything unknown in it is an error."""
    document = open_cases(path)
    return [(read_case(document, index), document.line((index,))) for index in range(len(document.data))]


def open_cases(path: Path) -> Document:
    """A file of cases that can be read, each by itself."""
    document = read_document(path)
    if not isinstance(document.data, list):
        raise DataError(f"{document.name}, line 1: a file of cases is a list: each begins with `- id:`")
    return document


def read_case(document: Document, index: int) -> Case:
    """One case of a file, with its form checked."""
    try:
        case = msgspec.convert(document.data[index], Case)
    except msgspec.ValidationError as error:
        path, message = split_path(str(error))
        where = document.line((index, *path))
        raise DataError(f"{document.name}, line {where}: {message}{_known_keys(path, message)}") from None
    try:
        _check_form(case)
    except Failure as failure:
        where = document.line((index, *failure.path))
        raise DataError(f"{document.name}, line {where}: case {case.id}: {failure}") from None
    return case


_STRUCTS: dict[str, type[msgspec.Struct]] = {
    "given": Position,
    "agenda": AgendaLine,
    "pools": PoolLine,
    "units": UnitLine,
}


def _known_keys(path: Where, message: str) -> str:
    """The keys that would be right where an unknown one stands."""
    if not message.startswith("unknown key"):
        return ""
    above = [step for step in path[:-1] if isinstance(step, str)]
    struct = _STRUCTS.get(above[-1]) if above else Case
    return f"; known are {', '.join(struct.__struct_fields__)}" if struct else ""


def _check_form(case: Case) -> None:
    """Everything that can be said of a case without running it."""
    with at("clauses"):
        for clause in case.clauses:
            cite(clause)
    with at("id"):
        clause, _, number = case.id.partition("/")
        cite(clause)
        if not number:
            raise WarCabinetError("an id is a clause and a running number, such as 35.33A/1")
    with at("source"):
        if case.source.startswith("ruling "):
            ruling_named(case.source.removeprefix("ruling "))
        elif case.source not in ("own", "rulebook-example"):
            raise WarCabinetError(f"source is own, rulebook-example or 'ruling R-nnnn', not '{case.source}'")
    _check_readings(case)
    with at():
        _check_asks_something(case)
    _check_steps(case)
    for path, expected in _expectations(case):
        _check_expectation(path, expected)


@contextmanager
def at(*path: str | int) -> Iterator[None]:
    """Say of an error where in the case it stands."""
    try:
        yield
    except WarCabinetError as error:
        raise Failure(str(error), path) from None


def _check_readings(case: Case) -> None:
    with at("disputed"):
        if case.disputed:
            ruling_named(case.disputed)
        elif case.then_by_reading:
            raise WarCabinetError("then_by_reading needs the ruling whose readings it means: disputed: R-nnnn")
    for letter in case.then_by_reading:
        with at("then_by_reading", letter):
            known = ruling_named(case.disputed).selectable
            if letter not in known:
                raise unknown(f"selectable reading of {case.disputed}", letter, known)


def _check_asks_something(case: Case) -> None:
    """A case that asks or expects nothing would pass whatever the rules say."""
    then = case.then or case.then_by_reading or any("then" in step for step in case.when)
    if case.ask and (case.when or case.then_by_reading):
        raise WarCabinetError("a case either asks for a value or does something, not both")
    if bool(case.ask) != (case.expect is not msgspec.UNSET):
        raise WarCabinetError("`ask` and `expect` go together: what is asked, and what must come out")
    if not case.ask and not then and not (case.when and case.clauses):
        raise WarCabinetError("nothing is asked, done or expected")


def _check_steps(case: Case) -> None:
    for index, step in enumerate(case.when):
        with at("when", index):
            if "do" not in step:
                raise WarCabinetError("a step says what is done, such as {do: advance}")


def _expectations(case: Case) -> Iterator[tuple[Where, Any]]:
    """Everything that a case expects, with where it says so."""
    yield ("then",), case.then
    for letter, then in case.then_by_reading.items():
        yield ("then_by_reading", letter), then
    for index, step in enumerate(case.when):
        if "then" in step:
            yield ("when", index, "then"), step["then"]


def _check_expectation(path: Where, expected: Any) -> None:
    with at(*path):
        _mapping("then", expected)
    with at(*path, "refused"):
        refused = expected.get("refused", [])
        if not isinstance(refused, list):
            raise WarCabinetError('refused is a list of clauses, such as ["39.22A"]')
        for clause in refused:
            if clause:
                cite(clause)
    with at(*path, "unchanged"):
        if not isinstance(expected.get("unchanged", True), bool):
            raise WarCabinetError("unchanged is true or false")
    for name, known, least in (
        ("ledger", LEDGER_KEYS, ("power", "clause")),
        ("agenda", AGENDA_KEYS, ()),
        ("closed", CLOSED_KEYS, ()),
    ):
        with at(*path, name):
            _check_lines(name, expected.get(name, []), known, least)
    with at(*path, "offer"):
        _check_offer_form(expected.get("offer", {}))


def _mapping(name: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise WarCabinetError(f"{name}: names with their values are wanted, not {given!r}")
    return given


def _check_lines(name: str, lines: Any, known: tuple[str, ...], least: tuple[str, ...]) -> None:
    if not isinstance(lines, list):
        raise WarCabinetError(f"{name} is a list of lines such as {{{', '.join(known[:3])}: ...}}")
    for line in lines:
        for key, value in _mapping(name, line).items():
            if key not in known:
                raise unknown(f"key in {name}", key, known)
            if key == "clause":
                cite(str(value))
            if key == "power":
                power_named(str(value))
        if line.get("outcome", "done") not in OUTCOMES:
            raise unknown("outcome", line["outcome"], OUTCOMES)
        missing = [key for key in least if key not in line]
        if missing:
            raise WarCabinetError(f"{name}: {', '.join(missing)} is missing in {line}")
        if name == "ledger" and ("brp" in line) == ("base" in line):
            raise WarCabinetError(
                f"ledger: a line has brp or base, as in {{power: germany, brp: -7, clause: ...}}: {line}"
            )


def _check_offer_form(offer: Any) -> None:
    for index, (name, wanted) in enumerate(_mapping("offer", offer).items()):
        _mapping(name, wanted)
        if index == 0 and name not in command_types():
            raise unknown("command", name, command_types())
        for key in wanted if index else ():
            if key not in BOUND_KEYS:
                raise unknown(f"bound of {name}", key, BOUND_KEYS)
