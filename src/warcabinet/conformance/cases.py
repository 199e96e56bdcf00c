"""The form of conformance cases: read strictly, checked as far as it can be without running them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.figures.position import DueLine, PoolLine, Position, UnitLine
from warcabinet.kernel.clause import catalogue, cite
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.tables import Document, read_document, read_text, split_path
from warcabinet.model.commands import command_types, old_names
from warcabinet.model.names import nation_named, power_named
from warcabinet.rules.common.readings import ruling_named

EXPECTATIONS = ("refused", "ledger", "agenda", "closed", "owed", "told", "offer", "needs", "unchanged", "values")
# How the clauses of a refusal may be asked for: all of them (a plain list), some of them, or one of several.
REFUSED_KEYS = ("at least", "any of")
# What a step may say beside its command.
STEP_KEYS = ("then", "dice")
OUTCOMES = ("done", "averted", "passed on", "lapsed")
# What a line of an expectation may say.
LEDGER_KEYS = ("power", "brp", "base", "clause")
TOLD_KEYS = ("of", "clause", "says")
OWED_KEYS = ("clause", "power", "order", "country")
AGENDA_KEYS = ("clause", "due", "power", "about", "brp", "text", "averted_by")
CLOSED_KEYS = ("clause", "due", "power", "about", "brp", "effect", "outcome", "reason")
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
    shows: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        """Where the case starts: with the units that it names, and the scenario's own only if it asks for them."""
        return msgspec.structs.replace(self.given, options={"forces": "none", **self.given.options})


class Failure(Exception):
    """What a case expected and did not find, and where in the case it says so."""

    def __init__(self, message: str, path: Where = ()) -> None:
        super().__init__(message)
        self.path = path


#: Where YAML gives a part of a case a name, to be said again elsewhere.
_NAMED = re.compile(r"(?<=[\s\[{,:])&\w")


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


def cases_that_name(path: Path, words: str) -> list[Case]:
    """The cases of a file in whose text these words stand; where that can be told, the others are not even parsed.

    What stands in a list that begins at the margin is indented, so a mark of the list at the margin begins a case. A
    case that cannot be read by itself (it may name again what stands in another) is read with its whole file, and so
    is what is no such list.
    """
    text = read_text(path)
    if words not in text:
        return []
    before, *parts = re.split(r"^(?=- )", text, flags=re.MULTILINE)
    if any(line.strip() and not line.startswith("#") for line in before.splitlines()):
        return [case for case, _ in read_cases(path)]
    try:
        return [_as_case(Document(path.name, part), 0) for part in parts if words in part]
    except DataError:
        pass
    try:
        return _with_what_they_repeat(path.name, parts, words)
    except DataError:
        return [case for case, _ in read_cases(path)]


def _with_what_they_repeat(name: str, parts: list[str], words: str) -> list[Case]:
    """Cases that say again what others have given a name, read together with those alone."""
    read = [part for part in parts if words in part or _NAMED.search(part)]
    document = Document(name, "".join(read))
    return [_as_case(document, index) for index, part in enumerate(read) if words in part]


def open_cases(path: Path) -> Document:
    """A file of cases that can be read, each by itself."""
    document = read_document(path)
    if not isinstance(document.data, list):
        raise DataError(f"{document.name}, line 1: a file of cases is a list: each begins with `- id:`")
    return document


def read_case(document: Document, index: int) -> Case:
    """One case of a file, with its form checked."""
    case = _as_case(document, index)
    try:
        _check_form(case)
    except Failure as failure:
        where = document.line((index, *failure.path))
        raise DataError(f"{document.name}, line {where}: case {case.id}: {failure}") from None
    return case


def _as_case(document: Document, index: int) -> Case:
    """A case whose parts are what they should be; whether they fit each other is asked of those that are run."""
    try:
        return msgspec.convert(document.data[index], Case)
    except msgspec.ValidationError as error:
        path, message = split_path(str(error))
        where = document.line((index, *path))
        raise DataError(f"{document.name}, line {where}: {message}{_known_keys(path, message)}") from None


_STRUCTS: dict[str, type[msgspec.Struct]] = {
    "given": Position,
    "agenda": DueLine,
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
        clause_of(case.id)
    _check_sentences(case)
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


def clause_of(id: str) -> str:
    """The clause in a case's id, which stands before its number; anything may come before it: club-35.33A/1."""
    named, _, number = id.rpartition("/")
    if not named or not number:
        raise WarCabinetError("an id is a clause and a running number, such as 35.33A/1 or club-35.33A/1")
    # The longest end that is a clause and begins where a word does: 85.45 is not found in 185.45.
    for start in range(len(named)):
        begins = start == 0 or not (named[start - 1].isalnum() or named[start - 1] == ".")
        if begins and named[start:] in catalogue():
            return named[start:]
    return cite(named)


def sentence_of(shown: str) -> tuple[str, int]:
    """A clause and which of its commanding sentences: 35.33A#2."""
    clause, mark, number = shown.partition("#")
    if not mark or not number.isdigit():
        raise WarCabinetError(f"say clause and sentence, such as 35.33A#2, not '{shown}'")
    most = catalogue()[cite(clause)].sentences
    if not 1 <= int(number) <= most:
        raise WarCabinetError(f"{clause} has {most} commanding sentence{'s' if most != 1 else ''}, not {number}")
    return clause, int(number)


def _check_sentences(case: Case) -> None:
    for index, shown in enumerate(case.shows):
        with at("shows", index):
            clause, _ = sentence_of(shown)
            if clause not in case.clauses:
                raise WarCabinetError(f"shows {shown}, but {clause} is not among its clauses")


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
    then = case.then or case.then_by_reading or any("then" in step or "ask" in step for step in case.when)
    if bool(case.ask) != (case.expect is not msgspec.UNSET):
        raise WarCabinetError("`ask` and `expect` go together: what is asked, and what must come out")
    if not case.ask and not then and not (case.when and case.clauses):
        raise WarCabinetError("nothing is asked, done or expected")


def _check_steps(case: Case) -> None:
    for index, step in enumerate(case.when):
        with at("when", index):
            if "ask" in step:
                _check_asking_step(step)
            elif "do" not in step:
                raise WarCabinetError(
                    "a step says what is done, such as {do: advance}, or asks: {ask: ..., expect: ...}"
                )


def _check_asking_step(step: dict[str, Any]) -> None:
    _mapping("ask", step["ask"])
    if "expect" not in step:
        raise WarCabinetError("`ask` and `expect` go together: what is asked, and what must come out")
    for key in step:
        if key not in ("ask", "expect"):
            raise unknown("key in a step that asks", key, ("ask", "expect"))


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
        _check_refused(expected.get("refused", []))
    with at(*path, "unchanged"):
        if not isinstance(expected.get("unchanged", True), bool):
            raise WarCabinetError("unchanged is true or false")
    for name, known, least in (
        ("ledger", LEDGER_KEYS, ("power", "clause")),
        ("agenda", AGENDA_KEYS, ()),
        ("closed", CLOSED_KEYS, ()),
        ("told", TOLD_KEYS, ("of", "clause")),
        ("owed", OWED_KEYS, ()),
    ):
        with at(*path, name):
            _check_lines(name, expected.get(name, []), known, least)
    with at(*path, "offer"):
        _check_offer_form(expected.get("offer", {}))
    with at(*path, "values"):
        _check_values(expected.get("values", []))


def _check_refused(refused: Any) -> None:
    """A list of clauses, or {at least: [...]}, {any of: [...]}. A heading refuses nothing; what is under it does."""
    if isinstance(refused, dict):
        if len(refused) != 1:
            raise WarCabinetError(f"refused asks in one way: {' or '.join(REFUSED_KEYS)}")
        for key, clauses in refused.items():
            if key not in REFUSED_KEYS:
                raise unknown("way to ask for a refusal", key, REFUSED_KEYS)
            if not clauses:
                raise WarCabinetError(f"{key} which clauses?")
            _check_refused(clauses)
        return
    if not isinstance(refused, list):
        raise WarCabinetError('refused is a list of clauses, such as ["39.22A"], or {at least: ["39.22A"]}')
    for clause in filter(None, refused):
        if catalogue()[cite(clause)].status == "heading":
            raise WarCabinetError(f"{clause} is a heading: nothing is refused by it, only by what stands under it")


def asked_values(lines: list[dict[str, Any]]) -> Iterator[tuple[str, Any, Any]]:
    """The lines of `values`: each a value with its arguments, and what it is."""
    for line in lines:
        ((name, args),) = ((key, value) for key, value in line.items() if key != "is")
        yield name, args, line["is"]


def _check_values(lines: Any) -> None:
    if not isinstance(lines, list):
        raise WarCabinetError("values is a list of lines such as {growth_rate: [italy], is: 10}")
    for line in lines:
        if "is" not in _mapping("values", line) or len(line) != 2:
            raise WarCabinetError(f"a value is asked as {{growth_rate: [italy], is: 10}}, not {line}")


def _mapping(name: str, given: Any) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise WarCabinetError(f"{name}: names with their values are wanted, not {given!r}")
    return given


def _command_named(name: str) -> None:
    if name not in command_types() and name not in old_names():
        raise unknown("command", name, command_types())


# What a line names, by its key.
_MUST_EXIST: dict[str, Callable[[str], object]] = {
    "clause": cite,
    "power": power_named,
    "order": _command_named,
    "country": nation_named,
}


def _check_lines(name: str, lines: Any, known: tuple[str, ...], least: tuple[str, ...]) -> None:
    if not isinstance(lines, list):
        raise WarCabinetError(f"{name} is a list of lines such as {{{', '.join(known[:3])}: ...}}")
    for line in lines:
        for key, value in _mapping(name, line).items():
            if key not in known:
                raise unknown(f"key in {name}", key, known)
            if key in _MUST_EXIST:
                _MUST_EXIST[key](str(value))
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
        if index == 0:
            _command_named(name)
        for key in wanted if index else ():
            if key not in BOUND_KEYS:
                raise unknown(f"bound of {name}", key, BOUND_KEYS)
