"""The form of conformance cases: read strictly, checked as far as it can be without running them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.figures.changes import PLUS, Raw, changed
from warcabinet.figures.position import DueLine, PoolLine, Position, UnitLine
from warcabinet.figures.table import ONE_OF
from warcabinet.kernel.clause import catalogue, cite
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.tables import Document, read_document, read_text, split_path
from warcabinet.model.commands import command_types, old_names
from warcabinet.model.names import nation_named, power_named
from warcabinet.model.rulings import ruling_named, selectable_reading

EXPECTATIONS = (
    *("refused", "ledger", "agenda", "closed", "owed", "told", "events", "values"),
    *("offer", "needs", "unchanged", "never"),
)
# What can be asked for and not be denied: `never` holds anything else, figures too.
NOT_DENIED = ("offer", "needs", "unchanged", "never")
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
    like: str = ""
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


class Book:
    """Where a case that others are `like` is looked for: in the files of a run, beside them, and in others near."""

    def __init__(self, paths: Iterable[Path] = (), near: Iterable[Path] = ()) -> None:
        self.files = tuple(case_files(paths))
        self._near = tuple(near)
        self._texts: dict[Path, str] = {}
        self._cases: dict[Path, dict[str, Raw]] = {}

    def written(self, id: str) -> Raw | None:
        """A case as it is written, or nothing. Only files in which its id stands are parsed."""
        for path in self._places():
            if id in self._text(path) and id in self._in(path):
                return self._in(path)[id]
        return None

    def _places(self) -> Iterator[Path]:
        yield from self.files
        for folder in dict.fromkeys(path.parent for path in self.files):
            yield from sorted(folder.glob("*.yaml"))
        yield from case_files(it for it in self._near if it.exists())

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = read_text(path)
            except DataError:
                self._texts[path] = ""
        return self._texts[path]

    def _in(self, path: Path) -> dict[str, Raw]:
        """The cases of a file by their ids; one that cannot be read has none."""
        if path not in self._cases:
            try:
                self._cases[path] = _by_id(Document(path.name, self._text(path)).data)
            except DataError:
                self._cases[path] = {}
        return self._cases[path]


def _by_id(data: Any) -> dict[str, Raw]:
    return {str(raw["id"]): raw for raw in data if isinstance(raw, dict) and "id" in raw} if data else {}


def read_cases(path: Path, book: Book | None = None) -> list[tuple[Case, int]]:
    """The cases of a file with the lines on which they stand; anything unknown in it is an error."""
    document, known = open_cases(path), book or Book((path,))
    return [(read_case(document, index, known), document.line((index,))) for index in range(len(document.data))]


def cases_that_name(path: Path, words: str, book: Book | None = None) -> list[Case]:
    """The cases of a file in whose text these words stand; where that can be told, the others are not even parsed.

    What stands in a list that begins at the margin is indented, so a mark of the list at the margin begins a case. A
    case that cannot be read by itself (it may name again what stands in another) is read with its whole file, and so
    is what is no such list.
    """
    text = read_text(path)
    if words not in text:
        return []
    known = book or Book((path,))
    before, *parts = re.split(r"^(?=- )", text, flags=re.MULTILINE)
    if any(line.strip() and not line.startswith("#") for line in before.splitlines()):
        return [case for case, _ in read_cases(path, known)]
    try:
        return [_as_case(Document(path.name, part), 0, known) for part in parts if words in part]
    except DataError:
        pass
    try:
        return _with_what_they_repeat(path.name, parts, words, known)
    except DataError:
        return [case for case, _ in read_cases(path, known)]


def _with_what_they_repeat(name: str, parts: list[str], words: str, book: Book) -> list[Case]:
    """Cases that say again what others have given a name, read together with those alone."""
    read = [part for part in parts if words in part or _NAMED.search(part)]
    document = Document(name, "".join(read))
    return [_as_case(document, index, book) for index, part in enumerate(read) if words in part]


def open_cases(path: Path) -> Document:
    """A file of cases that can be read, each by itself."""
    document = read_document(path)
    if not isinstance(document.data, list):
        raise DataError(f"{document.name}, line 1: a file of cases is a list: each begins with `- id:`")
    return document


def read_case(document: Document, index: int, book: Book | None = None) -> Case:
    """One case of a file, with its form checked; a case that it is like stands in the same file or in the book."""
    case = _as_case(document, index, book)
    try:
        _check_form(case)
    except Failure as failure:
        where = line_of(document, index, failure.path)
        raise DataError(f"{document.name}, line {where}: case {case.id}: {failure}") from None
    return case


def _as_case(document: Document, index: int, book: Book | None = None) -> Case:
    """A case whose parts are what they should be; whether they fit each other is asked of those that are run."""
    try:
        return msgspec.convert(_with_position(document.data[index], document, book), Case)
    except msgspec.ValidationError as error:
        path, message = split_path(str(error))
        where = line_of(document, index, path)
        raise DataError(f"{document.name}, line {where}: {message}{_known_keys(path, message)}") from None
    except Failure as failure:
        where = line_of(document, index, failure.path)
        id = document.data[index].get("id")
        raise DataError(f"{document.name}, line {where}: case {id}: {failure}") from None


def _with_position(raw: Any, document: Document, book: Book | None, seen: tuple[str, ...] = ()) -> Any:
    """A case with its whole position: that of the case which it is like, and so on, with the changes that it gives."""
    if not isinstance(raw, dict) or not ("like" in raw or "given" in raw):
        return raw
    there: Any = {}
    if "like" in raw:
        id, chain = str(raw["like"]), (*seen, str(raw.get("id")))
        if id in chain:
            raise Failure(f"like: {' is like '.join((*chain, id))}, and so on without end", ("like",))
        other = _by_id(document.data).get(id) or (book.written(id) if book is not None else None)
        if other is None:
            raise Failure(f"like: there is no case {id}, neither here nor in the files beside", ("like",))
        there = _with_position(other, document, book, chain).get("given", {})
    own = raw.get("given", {})
    if not (isinstance(there, dict) and isinstance(own, dict)):
        return raw
    with at("given"):
        return {**raw, "given": changed(there, own)}


def line_of(document: Document, index: int, path: Where) -> int:
    """The line of a part of a case; for what it has from another case, the line that names that one."""
    raw = document.data[index]
    here: Any = raw.get("given", {}) if isinstance(raw, dict) and path[:1] == ("given",) else None
    for place, step in enumerate(path[1:], 1):
        if not isinstance(here, dict):
            break
        if step not in here and f"{step}{PLUS}" in here:
            return document.line((index, *path[:place], f"{step}{PLUS}"))
        if step not in here and "like" in raw:
            return document.line((index, "like"))
        here = here.get(step)
    return document.line((index, *path))


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
    with at("expect"):
        _check_choices(case.expect)
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
            selectable_reading(case.disputed, letter)


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
    _check_choices(step["expect"])
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


# Expectations that are lists of lines: what a line may say, and what it says at least.
_LINES = (
    ("ledger", LEDGER_KEYS, ("power", "clause")),
    ("agenda", AGENDA_KEYS, ()),
    ("closed", CLOSED_KEYS, ()),
    ("told", TOLD_KEYS, ("of", "clause")),
    ("owed", OWED_KEYS, ()),
)


def _check_expectation(path: Where, expected: Any, denied: bool = False) -> None:
    with at(*path):
        _check_choices(_mapping("then", expected))
    with at(*path, "refused"):
        _check_refused(expected.get("refused", []), parents=denied)
    with at(*path, "unchanged"):
        if not isinstance(expected.get("unchanged", True), bool):
            raise WarCabinetError("unchanged is true or false")
    for name, known, least in _LINES:
        with at(*path, name):
            _check_lines(name, expected.get(name, []), known, least, denied)
    with at(*path, "events"):
        _check_clauses("events", expected.get("events", []))
    with at(*path, "offer"):
        _check_offer_form(expected.get("offer", {}))
    with at(*path, "values"):
        _check_values(expected.get("values", []))
    if "never" in expected:
        _check_never((*path, "never"), expected["never"])


def _check_never(path: Where, denied: Any) -> None:
    """What must not be there: the same words as for what must, each with something to deny."""
    with at(*path):
        for key, lines in _mapping("never", denied).items():
            if key in NOT_DENIED:
                raise WarCabinetError(f"never: {key} is not denied; it says by itself what must be")
            if lines in ([], {}):
                raise WarCabinetError(f"never: {key} names nothing that could be there")
    _check_expectation(path, denied, denied=True)


def choices(expected: Any) -> list[Any]:
    """What would do where something is expected: itself, or each of `{one of: [4, 5]}`."""
    if isinstance(expected, dict) and ONE_OF in expected:
        return list(expected[ONE_OF])
    return [expected]


def _check_choices(expected: Any) -> None:
    """Wherever one of several is expected, they are listed."""
    if isinstance(expected, dict) and ONE_OF in expected:
        if len(expected) != 1 or not isinstance(expected[ONE_OF], list) or not expected[ONE_OF]:
            raise WarCabinetError(f"what may be one of several is written {{{ONE_OF}: [4, 5]}}, not {expected}")
    elif isinstance(expected, dict | list):
        for it in expected.values() if isinstance(expected, dict) else expected:
            _check_choices(it)


def _check_clauses(name: str, clauses: Any) -> None:
    if not isinstance(clauses, list):
        raise WarCabinetError(f'{name} is a list of clauses, such as ["39.22A"], not {clauses!r}')
    for clause in clauses:
        cite(str(clause))


def _check_refused(refused: Any, parents: bool = False) -> None:
    """A list of clauses, or {at least: [...]}, {any of: [...]}, where a parent stands for what is under it.

    In a plain list each clause is named: a heading refuses nothing; what is under it does.
    """
    if isinstance(refused, dict):
        if len(refused) != 1:
            raise WarCabinetError(f"refused asks in one way: {' or '.join(REFUSED_KEYS)}")
        for key, clauses in refused.items():
            if key not in REFUSED_KEYS:
                raise unknown("way to ask for a refusal", key, REFUSED_KEYS)
            if not clauses:
                raise WarCabinetError(f"{key} which clauses?")
            _check_clauses(key, clauses)
        return
    if not isinstance(refused, list):
        raise WarCabinetError('refused is a list of clauses, such as ["39.22A"], or {at least: ["39.22A"]}')
    for clause in filter(None, refused):
        if catalogue()[cite(clause)].status == "heading" and not parents:
            raise WarCabinetError(
                f"{clause} is a heading: nothing is refused by it, only by what stands under it; "
                f'{{any of: ["{clause}"]}} means all of that'
            )


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


def _check_lines(name: str, lines: Any, known: tuple[str, ...], least: tuple[str, ...], denied: bool) -> None:
    """The lines of an expectation; one that is denied may say less: no entry at all of a power, whatever its sum."""
    if not isinstance(lines, list):
        raise WarCabinetError(f"{name} is a list of lines such as {{{', '.join(known[:3])}: ...}}")
    for line in lines:
        for key, value in _mapping(name, line).items():
            if key not in known:
                raise unknown(f"key in {name}", key, known)
            for one in choices(value) if key in _MUST_EXIST else ():
                _MUST_EXIST[key](str(one))
        for outcome in choices(line.get("outcome", "done")):
            if outcome not in OUTCOMES:
                raise unknown("outcome", outcome, OUTCOMES)
        missing = [key for key in (least[:1] if denied else least) if key not in line]
        if missing:
            raise WarCabinetError(f"{name}: {', '.join(missing)} is missing in {line}")
        if name == "ledger" and ("brp" in line) == ("base" in line) and not (denied and "brp" not in line):
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
