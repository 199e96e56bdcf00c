"""Conformance cases: a position, what is asked or done, and what must come out, with the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.engine import GameRecord, as_command, decide
from warcabinet.forecast import Item, agenda
from warcabinet.game import DieWanted, Game, MemoryJournal, Refused, Undecidable, new_game
from warcabinet.kernel.agenda import Promise
from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.rules import RULES, Due
from warcabinet.kernel.ruling import Needs
from warcabinet.kernel.tables import Document, read_document, split_path
from warcabinet.kernel.why import Why, tracing
from warcabinet.model import calendar
from warcabinet.model.arguments import listed_arguments
from warcabinet.model.commands import command_types
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.figures import read, spread
from warcabinet.model.happenings import happening_key
from warcabinet.model.names import power_named
from warcabinet.model.places import place_keys
from warcabinet.model.position import AgendaLine, PoolLine, Position, UnitLine, UnsetFigure
from warcabinet.model.state import State
from warcabinet.offers import narrow
from warcabinet.rules.readings import ruling_named

EXPECTATIONS = ("refused", "ledger", "agenda", "closed", "offer", "needs", "unchanged")
OUTCOMES = ("done", "averted", "passed on", "lapsed")
# What a line of an expectation may say.
LEDGER_KEYS = ("power", "brp", "base", "clause")
AGENDA_KEYS = ("clause", "due", "power", "about", "brp")
CLOSED_KEYS = (*AGENDA_KEYS, "effect", "outcome", "reason")
BOUND_KEYS = ("most", "least", "among", "by")

Path_ = tuple[str | int, ...]


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


class Outcome(msgspec.Struct, frozen=True):
    """How a case ended: its message is empty if it passed."""

    id: str
    title: str
    file: str
    line: int
    message: str
    consulted: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.message


class Failure(Exception):
    """What a case expected and did not find, and where in the case it says so."""

    def __init__(self, message: str, path: Path_ = ()) -> None:
        super().__init__(message)
        self.path = path


def case_files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        elif path.exists():
            yield path
        else:
            raise DataError(f"no such file or folder: {path}")


def read_cases(path: Path) -> list[tuple[Case, int]]:
    """The cases of a file with the lines on which they stand; anything unknown in it is an error."""
    document = read_document(path)
    if not isinstance(document.data, list):
        raise DataError(f"{document.name}, line 1: a file of cases is a list: each begins with `- id:`")
    return [(_case(document, index), document.line((index,))) for index in range(len(document.data))]


def _case(document: Document, index: int) -> Case:
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


def _known_keys(path: Path_, message: str) -> str:
    """The keys that would be right where an unknown one stands."""
    if not message.startswith("unknown key"):
        return ""
    above = [step for step in path[:-1] if isinstance(step, str)]
    struct = _STRUCTS.get(above[-1]) if above else Case
    return f"; known are {', '.join(struct.__struct_fields__)}" if struct else ""


def _check_form(case: Case) -> None:
    """Everything that can be said of a case without running it."""
    with _at("clauses"):
        for clause in case.clauses:
            cite(clause)
    with _at("id"):
        clause, _, number = case.id.partition("/")
        cite(clause)
        if not number:
            raise WarCabinetError("an id is a clause and a running number, such as 35.33A/1")
    with _at("source"):
        if case.source.startswith("ruling "):
            ruling_named(case.source.removeprefix("ruling "))
        elif case.source not in ("own", "rulebook-example"):
            raise WarCabinetError(f"source is own, rulebook-example or 'ruling R-nnnn', not '{case.source}'")
    _check_readings(case)
    with _at():
        _check_asks_something(case)
    for path, expected in _expectations(case):
        _check_expectation(path, expected)


@contextmanager
def _at(*path: str | int) -> Iterator[None]:
    """Say of an error where in the case it stands."""
    try:
        yield
    except WarCabinetError as error:
        raise Failure(str(error), path) from None


def _check_readings(case: Case) -> None:
    with _at("disputed"):
        if case.disputed:
            ruling_named(case.disputed)
        elif case.then_by_reading:
            raise WarCabinetError("then_by_reading needs the ruling whose readings it means: disputed: R-nnnn")
    for letter in case.then_by_reading:
        with _at("then_by_reading", letter):
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


def _expectations(case: Case) -> Iterator[tuple[Path_, Any]]:
    """Everything that a case expects, with where it says so."""
    yield ("then",), case.then
    for letter, then in case.then_by_reading.items():
        yield ("then_by_reading", letter), then
    for index, step in enumerate(case.when):
        if "then" in step:
            yield ("when", index, "then"), step["then"]


def _check_expectation(path: Path_, expected: Any) -> None:
    with _at(*path):
        _mapping("then", expected)
    with _at(*path, "refused"):
        refused = expected.get("refused", [])
        if not isinstance(refused, list):
            raise WarCabinetError('refused is a list of clauses, such as ["39.22A"]')
        for clause in refused:
            if clause:
                cite(clause)
    with _at(*path, "unchanged"):
        if not isinstance(expected.get("unchanged", True), bool):
            raise WarCabinetError("unchanged is true or false")
    for name, known, least in (
        ("ledger", LEDGER_KEYS, ("power", "clause")),
        ("agenda", AGENDA_KEYS, ()),
        ("closed", CLOSED_KEYS, ()),
    ):
        with _at(*path, name):
            _check_lines(name, expected.get(name, []), known, least)
    with _at(*path, "offer"):
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


def run_files(paths: Iterable[Path], text: str = "") -> list[Outcome]:
    """Run every case of the files; `text` keeps those whose id or title contains it.

    What cannot be read as a case fails with file and line, and the others still run.
    """
    outcomes: list[Outcome] = []
    seen: dict[str, str] = {}
    for path in case_files(paths):
        try:
            document = read_document(path)
            count = len(document.data) if isinstance(document.data, list) else len(read_cases(path))
        except DataError as error:
            outcomes.append(Outcome(path.name, "cannot be read", path.name, 1, str(error), ()))
            continue
        for index in range(count):
            outcome = _run_one(document, index, seen, text)
            if outcome is not None:
                outcomes.append(outcome)
    return outcomes


def _run_one(document: Document, index: int, seen: dict[str, str], text: str) -> Outcome | None:
    line = document.line((index,))
    raw = document.data[index] if isinstance(document.data[index], dict) else {}
    id, title = str(raw.get("id", f"{document.name}[{index}]")), str(raw.get("title", ""))
    if text.casefold() not in f"{id} {title}".casefold():
        return None
    try:
        case = _case(document, index)
    except DataError as error:
        return Outcome(id, title, document.name, line, str(error), ())
    if case.id in seen:
        told = f"{document.name}, line {line}: case id {case.id} is used already in {seen[case.id]}"
        return Outcome(id, title, document.name, line, told, ())
    seen[case.id] = document.name
    return run_case(case, document.name, line, lambda path: document.line((index, *path)))


def run_case(case: Case, file: str = "", line: int = 0, locate: Callable[[Path_], int] | None = None) -> Outcome:
    """Run one case; `locate` gives the line of a part of it, for what it says wrongly."""
    consulted: set[str] = set()
    message, path = "", Path_()
    try:
        if case.then_by_reading:
            for letter, then in case.then_by_reading.items():
                readings = {**case.given.readings, case.disputed: letter}
                given = msgspec.structs.replace(case.given, readings=readings)
                _Run(case, given, {**case.then, **then}, consulted).run()
        else:
            _Run(case, case.given, case.then, consulted).run()
        missing = [clause for clause in case.clauses if clause not in consulted]
        if missing:
            raise Failure(f"not consulted: {', '.join(missing)}")
    except Failure as failure:
        message, path = str(failure), failure.path
    except UnsetFigure as error:
        message, path = str(error), ("given", *error.path)
    except WarCabinetError as error:
        message = str(error)
    except Exception as error:
        # A rule that crashes fails its own case, and the others still run.
        message = f"{type(error).__name__}: {error}"
    found = locate(path) if path and locate else line
    return Outcome(case.id, case.title, file, found, message, tuple(sorted(consulted)))


class _Run:
    """One case under one reading."""

    def __init__(self, case: Case, given: Position, then: dict[str, Any], consulted: set[str]) -> None:
        self.case, self.then, self.consulted = case, then, consulted
        self.game: Game = new_game(given, MemoryJournal())
        self.game.on_ruling = lambda ruling: self.consulted.update(ruling.consulted())
        self.promises: dict[str, Promise] = {}
        self.refused: set[str] = set()
        self.needs: Needs | None = None
        self.before = self.game.state.fingerprint()
        self.read_moves = 0
        self._gather()
        # What a scenario takes from a clause, and a year start that opens the game, are consulted as well.
        self.consulted |= {r.clause for move in self.game.log() for r in move.records if r.clause != "WC.8"}
        for move in self.game.log():
            if move.command is not None:
                before = self.game.journal.state_at(move.before)
                self.consulted |= decide(before, move.command).consulted()

    def run(self) -> None:
        if self.case.ask:
            self._ask()
        for index, step in enumerate(self.case.when):
            last = index == len(self.case.when) - 1
            then = dict(step.get("then", {}))
            if last:
                then = {**self.then, **then}
            with _at("when", index):
                self._step({k: v for k, v in step.items() if k not in ("then", "dice")}, _dice(step))
            self._gather()
            self._check(then, ("when", index, "then") if "then" in step else ("then",))
        if not self.case.when:
            self._check(self.then, ("then",))

    def _ask(self) -> None:
        (name, args), *more = self.case.ask.items()
        if more:
            raise Failure("ask one value at a time")
        with _at("ask"):
            named = listed_arguments(name, args)
            found = self._explain(name, named)
        expected = tuple(self.case.expect) if isinstance(self.case.expect, list) else self.case.expect
        if not _same(found.value, expected):
            raise Failure(
                f"{name}({', '.join(map(str, named))}) is {found.value!r}, expected {expected!r}\n{show(found)}"
            )

    def _explain(self, name: str, args: list[Any]) -> Why:
        found = self.game.explain(name, *args)
        self.consulted |= found.clauses()
        return found

    def _step(self, step: dict[str, Any], dice: list[int]) -> None:
        self.refused, self.needs = set(), None
        self.before = self.game.state.fingerprint()
        try:
            if step.get("do") == "advance" and "to" in step:
                self.game.advance(step["to"], step.get("seat", ""), dice)
            else:
                ruling = self.game.decide(step, dice)
                if ruling.needs is not None:
                    self.needs = ruling.needs
                    return
                self.game.do(as_command(step), dice)
        except Refused as refusal:
            self.refused = set(refusal.clauses)
            self.refusal = refusal
        except DieWanted as wanted:
            self.needs = wanted.needs
        except Undecidable as question:
            self.needs = Needs("question", "", str(question))

    def _gather(self) -> None:
        """Take note of what the moves since the last look promised."""
        for move in self.game.journal.moves(self.read_moves + 1, self.game.head.id):
            for record in move.records:
                if isinstance(record.event, Promised):
                    self.promises[record.event.promise.id] = record.event.promise
        self.read_moves = self.game.head.id

    def _check(self, then: dict[str, Any], path: Path_) -> None:
        wanted = set(then.get("refused", []))
        if wanted != self.refused:
            told = f"\n{self.refusal}" if self.refused else ""
            raise Failure(
                f"refused by {sorted(self.refused) or 'nothing'}, expected {sorted(wanted) or 'nothing'}{told}"
            )
        wanted_need = then.get("needs")
        needed = f"{self.needs.kind} {self.needs.clause}".strip() if self.needs else None
        if wanted_need not in (needed, self.needs.kind if self.needs else None):
            raise Failure(f"needs {needed or 'nothing'}, expected {wanted_need or 'nothing'}")
        same = self.game.state.fingerprint() == self.before
        if then.get("unchanged", same) != same:
            raise Failure("the state is the same as before" if same else "the state has changed")
        self._check_ledger(then.get("ledger", []))
        self._check_agenda(then.get("agenda", []))
        self._check_closed(then.get("closed", []))
        if "offer" in then:
            self._check_offer(then["offer"])
        for figure, expected in then.items():
            if figure not in EXPECTATIONS:
                with _at(*path, figure):
                    self._check_figures(figure, expected)

    def _check_figures(self, path: str, expected: Any) -> None:
        if path == "control" and isinstance(expected, dict):
            for by, names in expected.items():
                for key in place_keys(names):
                    self._check_figure(f"control.{key}", by)
        elif path in ("wars", "happened") and expected:
            self._check_present(path, expected)
        else:
            for one, value in spread(path, expected):
                self._check_figure(one, value)

    def _check_present(self, path: str, lines: list[dict[str, Any]]) -> None:
        """Each line of a list that is expected must be there, as far as it says anything."""
        found = read(self.game.state, path)
        for line in lines:
            if not any(all(_agrees(self.game.state, it, key, value) for key, value in line.items()) for it in found):
                raise Failure(f"{path}: not there: {line}; there: {found or 'nothing'}")

    def _check_figure(self, path: str, expected: Any) -> None:
        with tracing() as trace:
            found = read(self.game.state, path)
        for why in trace.children:
            self.consulted |= why.clauses()
        if isinstance(found, dict) and isinstance(expected, dict):
            found = {key: found.get(key) for key in expected}
        if not _same(found, expected):
            reasons = "\n".join(map(show, trace.children))
            raise Failure(f"{path} is {found!r}, expected {expected!r}\n{reasons}".rstrip())

    def _posted(self) -> Iterator[tuple[set[str], str, int]]:
        for move in self.game.log():
            for record in move.records:
                if move.kind != "start" and isinstance(record.event, EntryPosted):
                    clauses = _carried_out(record)
                    for posting in record.event.entry.postings:
                        yield clauses, posting.account, posting.amount

    def _check_ledger(self, lines: list[dict[str, Any]]) -> None:
        posted = list(self._posted())
        for line in lines:
            unit = "base" if "base" in line else "brp"
            wanted = f"{unit}/{line['power']}"
            mine = [(clauses, amount) for clauses, account, amount in posted if account == wanted]
            if not any(line["clause"] in clauses and amount == line[unit] for clauses, amount in mine):
                near = [f"{amount:+} ({', '.join(sorted(clauses))})" for clauses, amount in mine]
                raise Failure(
                    f"no entry {wanted} {line[unit]:+} ({line['clause']}); posted: {'; '.join(near) or 'none'}"
                )

    def _check_agenda(self, lines: list[dict[str, Any]]) -> None:
        items = agenda(self.game.state)
        for line in lines:
            wanted = dict(line)
            if "due" in wanted:
                wanted["due"] = calendar.moment_name(calendar.parse_moment(wanted["due"]))
            if not any(all(_fits(item, key, value) for key, value in wanted.items()) for item in items):
                there = [f"{i.clause} {i.power} {i.about} {i.brp:+} due {i.due}" for i in items]
                raise Failure(f"not on the agenda: {line}; there: {'; '.join(there) or 'nothing'}")

    def _check_closed(self, lines: list[dict[str, Any]]) -> None:
        closed = []
        for move in self.game.log():
            for record in move.records:
                if isinstance(record.event, Closed):
                    promise = self.promises[record.event.id]
                    facts = {"outcome": record.event.outcome, "reason": record.event.reason}
                    closed.append({**msgspec.to_builtins(promise), "about": promise.about, **facts})
        for line in lines:
            if not any(all(_found(found, key, value) for key, value in line.items()) for found in closed):
                raise Failure(f"not closed: {line}; closed: {closed}")

    def _check_offer(self, wanted: dict[str, Any]) -> None:
        (command, known), *expected = wanted.items()
        offer = narrow(self.game.state, command, known)
        for name, bounds in expected:
            field = offer.fields.get(name)
            if field is None:
                raise unknown(f"field of {command}", name, offer.fields)
            found = {"most": field.most, "least": field.least, "among": list(field.among), "by": list(field.by)}
            for key, value in bounds.items():
                if found[key] != value:
                    raise Failure(f"offer {command}: {name} {key} is {found[key]}, expected {value}")
            self.consulted |= set(field.by)


def _dice(step: dict[str, Any]) -> list[int]:
    """The faces that a step is given."""
    try:
        return msgspec.convert(step.get("dice", []), list[int])
    except msgspec.ValidationError:
        raise Failure(f"dice is a list of faces such as [6, 2], not {step['dice']!r}") from None


def _same(found: Any, expected: Any) -> bool:
    """Equal, and a yes or no is not taken for a number."""
    return bool(found == expected) and isinstance(found, bool) == isinstance(expected, bool)


def _carried_out(record: GameRecord) -> set[str]:
    """The clauses that an entry carries out: its own, those of its parts and of their effects, and its reasons."""
    found = {record.clause}
    if isinstance(record.event, EntryPosted):
        for part in record.event.entry.parts:
            dues = (rule for rule in RULES.by_clause.get(part.clause, ()) if isinstance(rule, Due))
            found |= {part.clause, *(clause for rule in dues for clause in rule.covers)}
    for why in record.why:
        found |= why.clauses()
    return found


def _agrees(s: State, found: dict[str, Any], key: str, value: Any) -> bool:
    """Whether a war or a happening is as expected; two who fight may be named in either order."""
    if key == "between":
        return set(found["between"]) == set(value)
    if key == "in":
        windows = {frame.kind: frame.since for frame in s.frames}
        when = calendar.parse_moment(found["in"])
        return when >= windows[value] if value in windows else when == calendar.parse_moment(value)
    if key == "count":
        return bool(found["brp"] == value)
    if key in ("since", "declared_by", "brp"):
        return bool(found.get(key) == value)
    return key in found and bool(found[key] == happening_key(key, value))


def _fits(item: Item, key: str, value: Any) -> bool:
    """Whether an agenda item is as expected: it carries out every clause that its effect does.

    Its BRPs may be given by the year, or as what the season leaves of them.
    """
    if key == "clause":
        return value in item.clauses
    if key == "brp":
        left = abs(item.brp) * item.share // 100
        return value in (item.brp, left if item.brp >= 0 else -left)
    return bool(getattr(item, key) == value)


def _found(closed: dict[str, Any], key: str, value: Any) -> bool:
    if key == "clause":
        rule = RULES.by_name[closed["effect"]]
        return value in (closed["clause"], rule.clause, *rule.covers)
    if key == "due":
        return bool(closed["due"] == calendar.parse_moment(str(value)))
    return bool(closed.get(key) == value)


def show(why: Why, depth: int = 0) -> str:
    """An explanation as indented lines."""
    rule = RULES.by_name.get(why.rule)
    gist = rule.gist if rule else why.note
    args = f"({', '.join(map(str, why.args))})" if why.args else ""
    lines = ["  " * depth + f"{why.rule}{args} = {why.value}  [{why.clause}] {gist}"]
    lines += [show(reason, depth + 1) for reason in why.because]
    return "\n".join(lines)
