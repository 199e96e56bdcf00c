"""Conformance cases: a position, what is asked or done, and what must come out, with the clauses it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.engine import as_command, decide
from warcabinet.forecast import Item, agenda
from warcabinet.game import Game, MemoryJournal, Refused, Undecidable, new_game
from warcabinet.kernel.agenda import Promise
from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.ruling import Needs
from warcabinet.kernel.tables import Document, read_document
from warcabinet.kernel.why import Why, tracing
from warcabinet.model import calendar
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.figures import read
from warcabinet.model.position import Position
from warcabinet.offers import narrow
from warcabinet.rules.readings import ruling_named

EXPECTATIONS = ("refused", "ledger", "agenda", "closed", "offer", "needs", "unchanged")


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
    expect: Any = None


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
    """What a case expected and did not find."""


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
    cases = document.convert(tuple[Case, ...])
    for index, case in enumerate(cases):
        _check_form(document, index, case)
    return [(case, document.line((index,))) for index, case in enumerate(cases)]


def _check_form(document: Document, index: int, case: Case) -> None:
    try:
        for clause in (*case.clauses, case.id.partition("/")[0]):
            cite(clause)
        if case.source.startswith("ruling "):
            ruling_named(case.source.removeprefix("ruling "))
        _check_asks_something(case)
        if case.disputed:
            ruling_named(case.disputed)
        known = case.source in ("own", "rulebook-example") or case.source.startswith("ruling ")
        if not known:
            raise WarCabinetError(f"source is own, rulebook-example or 'ruling R-nnnn', not '{case.source}'")
    except WarCabinetError as error:
        raise DataError(f"{document.name}, line {document.line((index,))}: case {case.id}: {error}") from None


def _check_asks_something(case: Case) -> None:
    """A case that asks or expects nothing would pass whatever the rules say."""
    then = case.then or case.then_by_reading or any("then" in step for step in case.when)
    if case.ask and (case.when or case.then_by_reading):
        raise WarCabinetError("a case either asks for a value or does something, not both")
    if not case.ask and not then and not (case.when and case.clauses):
        raise WarCabinetError("nothing is asked, done or expected")
    for expected in (case.then, *case.then_by_reading.values(), *(step.get("then", {}) for step in case.when)):
        if not isinstance(expected.get("refused", []), list):
            raise WarCabinetError('refused is a list of clauses, such as ["39.22A"]')


def run_files(paths: Iterable[Path], text: str = "") -> list[Outcome]:
    """Run every case of the files; `text` keeps those whose id or title contains it."""
    outcomes: list[Outcome] = []
    seen: dict[str, str] = {}
    for path in case_files(paths):
        for case, line in read_cases(path):
            if case.id in seen:
                raise DataError(f"{path.name}, line {line}: case id {case.id} is used already in {seen[case.id]}")
            seen[case.id] = path.name
            if text.casefold() in f"{case.id} {case.title}".casefold():
                outcomes.append(run_case(case, path.name, line))
    return outcomes


def run_case(case: Case, file: str = "", line: int = 0) -> Outcome:
    consulted: set[str] = set()
    message = ""
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
    except (Failure, WarCabinetError) as error:
        message = str(error)
    except Exception as error:
        # A rule that crashes fails its own case, and the others still run.
        message = f"{type(error).__name__}: {error}"
    return Outcome(case.id, case.title, file, line, message, tuple(sorted(consulted)))


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
            self._step({k: v for k, v in step.items() if k not in ("then", "dice")}, step.get("dice", []))
            self._gather()
            self._check(then)
        if not self.case.when:
            self._check(self.then)

    def _ask(self) -> None:
        (name, args), *more = self.case.ask.items()
        if more:
            raise Failure("ask one value at a time")
        named = list(args.values()) if isinstance(args, dict) else args
        found = self._explain(name, named)
        expected = tuple(self.case.expect) if isinstance(self.case.expect, list) else self.case.expect
        if found.value != expected or isinstance(found.value, bool) != isinstance(expected, bool):
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
        except Undecidable as question:
            self.needs = Needs("question", "", str(question))

    def _gather(self) -> None:
        """Take note of what the moves since the last look promised."""
        for move in self.game.journal.moves(self.read_moves + 1, self.game.head.id):
            for record in move.records:
                if isinstance(record.event, Promised):
                    self.promises[record.event.promise.id] = record.event.promise
        self.read_moves = self.game.head.id

    def _check(self, then: dict[str, Any]) -> None:
        wanted = set(then.get("refused", []))
        if wanted != self.refused:
            told = f"\n{self.refusal}" if self.refused else ""
            raise Failure(
                f"refused by {sorted(self.refused) or 'nothing'}, expected {sorted(wanted) or 'nothing'}{told}"
            )
        wanted_need = then.get("needs")
        needed = f"{self.needs.kind} {self.needs.clause}".strip() if self.needs else None
        if wanted_need != needed and not (wanted_need == "question" and needed):
            raise Failure(f"needs {needed or 'nothing'}, expected {wanted_need or 'nothing'}")
        if then.get("unchanged") and self.game.state.fingerprint() != self.before:
            raise Failure("the state has changed")
        self._check_ledger(then.get("ledger", []))
        self._check_agenda(then.get("agenda", []))
        self._check_closed(then.get("closed", []))
        if "offer" in then:
            self._check_offer(then["offer"])
        for path, expected in then.items():
            if path not in EXPECTATIONS:
                self._check_figure(path, expected)

    def _check_figure(self, path: str, expected: Any) -> None:
        with tracing() as trace:
            found = read(self.game.state, path)
        for why in trace.children:
            self.consulted |= why.clauses()
        if isinstance(found, dict) and isinstance(expected, dict):
            found = {key: found.get(key) for key in expected}
        if found != expected:
            reasons = "\n".join(map(show, trace.children))
            raise Failure(f"{path} is {found!r}, expected {expected!r}\n{reasons}".rstrip())

    def _posted(self) -> Iterator[tuple[str, str, int]]:
        for move in self.game.log():
            for record in move.records:
                if move.kind != "start" and isinstance(record.event, EntryPosted):
                    for posting in record.event.entry.postings:
                        yield record.clause, posting.account, posting.amount

    def _check_ledger(self, lines: list[dict[str, Any]]) -> None:
        posted = list(self._posted())
        for line in lines:
            unit = "base" if "base" in line else "brp"
            wanted = (line["clause"], f"{unit}/{line['power']}", line[unit])
            if wanted not in posted:
                near = [
                    f"{account} {amount:+} ({clause})" for clause, account, amount in posted if account == wanted[1]
                ]
                raise Failure(f"no entry {wanted[1]} {wanted[2]:+} ({wanted[0]}); posted: {', '.join(near) or 'none'}")

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
            field = offer.fields[name]
            found = {"most": field.most, "least": field.least, "among": list(field.among), "by": list(field.by)}
            for key, value in bounds.items():
                if found[key] != value:
                    raise Failure(f"offer {command}: {name} {key} is {found[key]}, expected {value}")
            self.consulted |= set(field.by)


def _fits(item: Item, key: str, value: Any) -> bool:
    """Whether an agenda item is as expected; it carries out every clause that its effect does."""
    return value in item.clauses if key == "clause" else bool(getattr(item, key) == value)


def _found(closed: dict[str, Any], key: str, value: Any) -> bool:
    if key == "clause":
        rule = RULES.by_name[closed["effect"]]
        return value in (closed["clause"], rule.clause, *rule.covers)
    return bool(closed.get(key) == value)


def show(why: Why, depth: int = 0) -> str:
    """An explanation as indented lines."""
    rule = RULES.by_name.get(why.rule)
    gist = rule.gist if rule else why.note
    args = f"({', '.join(map(str, why.args))})" if why.args else ""
    lines = ["  " * depth + f"{why.rule}{args} = {why.value}  [{why.clause}] {gist}"]
    lines += [show(reason, depth + 1) for reason in why.because]
    return "\n".join(lines)
