"""Conformance cases: a position, what is asked or done, and what must come out, with the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.conformance.cases import (
    STEP_KEYS,
    Book,
    Case,
    Failure,
    Where,
    line_of,
    open_cases,
    read_case,
)
from warcabinet.conformance.evidence import Evidence
from warcabinet.conformance.expectations import Expectations, Then, said
from warcabinet.figures.position import Position, UnsetFigure
from warcabinet.game import DieWanted, Game, Refused, Undecidable, new_game
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.clause import catalogue, stands_under
from warcabinet.kernel.decision import Needs
from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.kernel.tables import Document

# By these every position is set up, whatever the case is about: its facts, and the seed of its dice.
SETTING_UP = ("WC.8", "WC.2")


class Fault(msgspec.Struct, frozen=True):
    """One thing that a case expected and did not find: in which step, on which line."""

    message: str
    line: int = 0
    step: str = ""

    def __str__(self) -> str:
        return f"{self.step}: {self.message}" if self.step else self.message


class Outcome(msgspec.Struct, frozen=True):
    """How a case ended: with no fault if it passed; what it should look at; and what it shows of the rules."""

    id: str
    title: str
    file: str
    line: int
    faults: tuple[Fault, ...] = ()
    consulted: tuple[str, ...] = ()
    enforced: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    warnings: tuple[Fault, ...] = ()
    #: By which rule something was refused under which clause.
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def message(self) -> str:
        """Every fault, one below the other."""
        return "\n".join(map(str, self.faults))


def run_files(paths: Iterable[Path], text: str = "", strict: bool = False, near: Iterable[Path] = ()) -> list[Outcome]:
    """Run every case of the files; `text` keeps those whose id or title contains it.

    What cannot be read as a case fails with file and line, and the others still run. A case may be like one of these
    files, beside them, or `near`. Where it is `strict`, what is only warned of fails.
    """
    book = Book(paths, near)
    outcomes: list[Outcome] = []
    seen: dict[str, str] = {}
    for path in book.files:
        try:
            document = open_cases(path)
        except DataError as error:
            outcomes.append(Outcome(path.name, "cannot be read", path.name, 1, (Fault(str(error), 1),)))
            continue
        for index in range(len(document.data)):
            outcome = _run_one(document, index, book, seen, text, strict)
            if outcome is not None:
                outcomes.append(outcome)
    return outcomes


def _run_one(
    document: Document, index: int, book: Book, seen: dict[str, str], text: str, strict: bool
) -> Outcome | None:
    line = document.line((index,))
    raw = document.data[index] if isinstance(document.data[index], dict) else {}
    id, title = str(raw.get("id", f"{document.name}[{index}]")), str(raw.get("title", ""))
    if text.casefold() not in f"{id} {title}".casefold():
        return None
    try:
        case = read_case(document, index, book)
    except DataError as error:
        return Outcome(id, title, document.name, line, (Fault(str(error), line),))
    if case.id in seen:
        told = f"{document.name}, line {line}: case id {case.id} is used already in {seen[case.id]}"
        return Outcome(id, title, document.name, line, (Fault(told, line),))
    seen[case.id] = document.name
    return run_case(case, document.name, line, lambda path: line_of(document, index, path), strict)


Locate = Callable[[Where], int]


def run_case(case: Case, file: str = "", line: int = 0, locate: Locate | None = None, strict: bool = False) -> Outcome:
    """Run one case to its end; `locate` gives the line of a part of it. All that is wrong is told, not the first.

    A clause that is named and was not consulted is no fault of the result: it is warned of, unless this is `strict`.
    """
    evidence = Evidence()
    failures: list[Failure] = []
    for letter, then in (case.then_by_reading or {"": {}}).items():
        readings = {**case.given.readings, case.disputed: letter} if letter else case.given.readings
        given = msgspec.structs.replace(case.position, readings=readings)
        try:
            _Run(case, given, letter, then, evidence, failures).run()
        except UnsetFigure as error:
            failures.append(Failure(str(error), ("given", *error.path)))
        except WarCabinetError as error:
            failures.append(Failure(str(error), ("given",)))
        except Exception as error:
            # A rule that crashes fails its own case, and the others still run.
            failures.append(Failure(f"{type(error).__name__}: {error}"))
    evidence.restate()
    missing = [clause for clause in case.clauses if not _was_consulted(clause, evidence.consulted)]
    unmet = [Failure(f"not consulted: {', '.join(missing)}", ("clauses",))] if missing and not failures else []
    find = locate or (lambda path: line)

    def told(found: list[Failure]) -> tuple[Fault, ...]:
        return tuple(Fault(str(it), find(it.path) if it.path else line, _step_name(case, it.path)) for it in found)

    faults = told(failures + unmet if strict else failures)
    return Outcome(
        case.id,
        case.title,
        file,
        faults[0].line if faults else line,
        faults,
        tuple(sorted(evidence.consulted)),
        tuple(sorted(evidence.enforced - {""})),
        tuple(sorted(evidence.rules - {""})),
        case.shows,
        () if strict else told(unmet),
        tuple(sorted(evidence.refused)),
    )


def _step_name(case: Case, path: Where) -> str:
    """Which step a part of a case belongs to, as a reader counts them: what comes at the end belongs to the last."""
    if path[:1] == ("when",) and len(path) > 1:
        index = int(path[1])
    elif path[:1] in (("then",), ("then_by_reading",)) and case.when:
        index = len(case.when) - 1
    else:
        return ""
    step = case.when[index]
    what = step.get("do") or f"ask {' '.join(map(str, step.get('ask', ())))}"
    if step.get("do") == "advance" and "to" in step:
        what = f"advance to {step['to']}"
    return f"step {index + 1}, {what}"


def _was_consulted(clause: str, consulted: set[str]) -> bool:
    """Whether a clause governed; a heading did if something under it did."""
    if clause in consulted or catalogue()[clause].status != "heading":
        return clause in consulted
    return any(stands_under(other, clause) for other in consulted)


class _Run:
    """One case under one reading."""

    def __init__(
        self,
        case: Case,
        given: Position,
        letter: str,
        by_reading: dict[str, Any],
        evidence: Evidence,
        failures: list[Failure],
    ) -> None:
        self.case, self.evidence = case, evidence
        # What is expected in the end. A reading's own expectation goes before the common one.
        common = {key: value for key, value in case.then.items() if key not in by_reading}
        self.ending: list[Then] = [(("then",), common)]
        if by_reading:
            self.ending.append((("then_by_reading", letter), by_reading))
        self.game: Game = new_game(given, MemoryJournal())
        self.game.on_ruling = self.evidence.judged
        self.found = Expectations(self.game, evidence, failures)
        self.found.gather()
        # What a scenario takes from a clause, and a year start that opens the game, are shown as well.
        for move in self.game.log():
            facts = [record for record in move.records if record.clause not in SETTING_UP]
            self.evidence.consulted |= {record.clause for record in facts}
            self.evidence.happened(facts)
            if move.command is not None:
                self.evidence.judged(decide(self.game.journal.state_at(move.before), move.command, tell=True))

    def run(self) -> None:
        for index, step in enumerate(self.case.when):
            if self.found.astray:
                self._leave_out(("when", index), index)
                return
            with self.found.noting("when", index):
                if "ask" in step:
                    self._ask(step["ask"], step["expect"])
                else:
                    self._do(step)
            thens: list[Then] = [(("when", index, "then"), step["then"])] if "then" in step else []
            if index == len(self.case.when) - 1:
                thens += [(path, {k: v for k, v in it.items() if not said(k, thens)}) for path, it in self.ending]
            if not self.found.astray and ("do" in step or any(it for _, it in thens)):
                self.found.check(thens, ("when", index))
        if not self.case.when:
            self.found.check(self.ending, ())
        if self.case.ask and self.found.astray:
            self._leave_out(("ask",), len(self.case.when))
        elif self.case.ask:
            with self.found.noting("ask"):
                self._ask(self.case.ask, self.case.expect)

    def _leave_out(self, path: Where, step: int) -> None:
        """What comes after a step that went astray is not tried: it would fail because of that step, whatever it is."""
        message = f"not tried, nor anything after it, because step {step} did not come about as expected"
        self.found.failures.append(Failure(message, path))

    def _ask(self, asked: dict[str, Any], expected: Any) -> None:
        (name, args), *more = asked.items()
        if more:
            raise Failure("ask one value at a time")
        self.found.check_value(name, args, expected)

    def _do(self, step: dict[str, Any]) -> None:
        """Carry a step out; what it is refused by or needs is looked at afterwards."""
        self.found.begin_step()
        command = {key: value for key, value in step.items() if key not in STEP_KEYS}
        try:
            play_step(self.game, command, _dice(step))
        except Refused as refusal:
            self.found.refusal = refusal
        except DieWanted as wanted:
            # The clause that asks for the die was consulted, though nothing has come of it yet.
            self.found.needs, self.found.wanted = wanted.needs, wanted
            self.evidence.consulted |= {wanted.needs.clause} - {""}
        except Undecidable as question:
            self.found.needs = Needs("question", "", str(question))
        except (Failure, WarCabinetError):
            self.found.astray = True
            raise
        finally:
            self.found.gather()


def play_step(game: Game, command: dict[str, Any], dice: list[int]) -> None:
    """Give the command of a step; one that goes on to a moment is repeated until it is there."""
    if command.get("do") == "advance" and "to" in command:
        seat = as_command({key: value for key, value in command.items() if key != "to"}).seat
        game.advance(str(command["to"]), seat, dice)
        return
    needs = game.decide(command, dice).needs
    if needs is not None and needs.kind == "die":
        raise DieWanted(needs, game.state, as_command(command), dice)
    game.do(as_command(command), dice)


def _dice(step: dict[str, Any]) -> list[int]:
    """The faces that a step is given."""
    try:
        return msgspec.convert(step.get("dice", []), list[int])
    except msgspec.ValidationError:
        raise Failure(f"dice is a list of faces such as [6, 2], not {step['dice']!r}") from None
