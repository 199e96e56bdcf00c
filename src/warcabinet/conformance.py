"""Conformance cases: a position, what is asked or done, and what must come out, with the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.cases import (
    EXPECTATIONS,
    STEP_KEYS,
    Case,
    Failure,
    Where,
    asked_values,
    case_files,
    open_cases,
    read_case,
)
from warcabinet.engine import GameRecord, as_command, decide
from warcabinet.evidence import Evidence
from warcabinet.figures.arguments import listed_arguments
from warcabinet.figures.position import Position, UnsetFigure
from warcabinet.figures.table import read, spread
from warcabinet.forecast import Item, agenda
from warcabinet.game import DieWanted, Game, Refused, Undecidable, new_game
from warcabinet.journal import MemoryJournal
from warcabinet.kernel.clause import catalogue, stands_under
from warcabinet.kernel.decision import Needs
from warcabinet.kernel.effects import Due
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.tables import Document
from warcabinet.kernel.why import Why, fold, tracing
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Base, Brp
from warcabinet.model.agenda import Matter, Promise
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.happenings import happening_key, kind_named
from warcabinet.model.names import countries
from warcabinet.model.places import place_key, place_keys
from warcabinet.model.state import State
from warcabinet.offers import narrow
from warcabinet.rules.countries.page import told_of

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
    """How a case ended: with no fault if it passed; and what it shows of the rules."""

    id: str
    title: str
    file: str
    line: int
    faults: tuple[Fault, ...] = ()
    consulted: tuple[str, ...] = ()
    enforced: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults

    @property
    def message(self) -> str:
        """Every fault, one below the other."""
        return "\n".join(map(str, self.faults))


def run_files(paths: Iterable[Path], text: str = "") -> list[Outcome]:
    """Run every case of the files; `text` keeps those whose id or title contains it.

    What cannot be read as a case fails with file and line, and the others still run.
    """
    outcomes: list[Outcome] = []
    seen: dict[str, str] = {}
    for path in case_files(paths):
        try:
            document = open_cases(path)
        except DataError as error:
            outcomes.append(Outcome(path.name, "cannot be read", path.name, 1, (Fault(str(error), 1),)))
            continue
        for index in range(len(document.data)):
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
        case = read_case(document, index)
    except DataError as error:
        return Outcome(id, title, document.name, line, (Fault(str(error), line),))
    if case.id in seen:
        told = f"{document.name}, line {line}: case id {case.id} is used already in {seen[case.id]}"
        return Outcome(id, title, document.name, line, (Fault(told, line),))
    seen[case.id] = document.name
    return run_case(case, document.name, line, lambda path: document.line((index, *path)))


Locate = Callable[[Where], int]


def run_case(case: Case, file: str = "", line: int = 0, locate: Locate | None = None) -> Outcome:
    """Run one case to its end; `locate` gives the line of a part of it. All that is wrong is told, not the first."""
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
    if missing and not failures:
        failures.append(Failure(f"not consulted: {', '.join(missing)}", ("clauses",)))
    find = locate or (lambda path: line)
    faults = tuple(Fault(str(it), find(it.path) if it.path else line, _step_name(case, it.path)) for it in failures)
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


Then = tuple[Where, dict[str, Any]]


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
        self.case, self.evidence, self.failures = case, evidence, failures
        # What is expected in the end. A reading's own expectation goes before the common one.
        common = {key: value for key, value in case.then.items() if key not in by_reading}
        self.ending: list[Then] = [(("then",), common)]
        if by_reading:
            self.ending.append((("then_by_reading", letter), by_reading))
        self.game: Game = new_game(given, MemoryJournal())
        self.game.on_ruling = self.evidence.judged
        self.promises: dict[int, Promise[Matter]] = {}
        self.refused: set[str] = set()
        self.needs: Needs | None = None
        self.before = self.game.state.fingerprint()
        self.read_moves = 0
        self._gather()
        # What a scenario takes from a clause, and a year start that opens the game, are shown as well.
        for move in self.game.log():
            facts = [record for record in move.records if record.clause not in SETTING_UP]
            self.evidence.consulted |= {record.clause for record in facts}
            self.evidence.happened(facts)
            if move.command is not None:
                self.evidence.judged(decide(self.game.journal.state_at(move.before), move.command, tell=True))

    def run(self) -> None:
        for index, step in enumerate(self.case.when):
            with self._noting("when", index):
                if "ask" in step:
                    self._ask(step["ask"], step["expect"])
                else:
                    self._do(step)
            thens: list[Then] = [(("when", index, "then"), step["then"])] if "then" in step else []
            if index == len(self.case.when) - 1:
                thens += [(path, {k: v for k, v in it.items() if not _said(k, thens)}) for path, it in self.ending]
            if "do" in step or any(it for _, it in thens):
                self._check(thens, ("when", index))
        if not self.case.when:
            self._check(self.ending, ())
        if self.case.ask:
            with self._noting("ask"):
                self._ask(self.case.ask, self.case.expect)

    @contextmanager
    def _noting(self, *path: str | int) -> Iterator[None]:
        """Take note of what is wrong here and go on."""
        try:
            yield
        except Failure as failure:
            self.failures.append(Failure(str(failure), failure.path or path))
        except WarCabinetError as error:
            self.failures.append(Failure(str(error), path))

    def _ask(self, asked: dict[str, Any], expected: Any) -> None:
        (name, args), *more = asked.items()
        if more:
            raise Failure("ask one value at a time")
        self._check_value(name, args, expected)

    def _check_value(self, name: str, args: Any, expected: Any) -> None:
        named = listed_arguments(name, args)
        found = self.game.explain(name, *named)
        self.evidence.asked(found)
        expected = tuple(expected) if isinstance(expected, list) else expected
        if not _same(found.value, expected):
            told = ", ".join(map(str, named))
            raise Failure(f"{name}({told}) is {found.value!r}, expected {expected!r}\n{show(found)}")

    def _do(self, step: dict[str, Any]) -> None:
        """Carry a step out; what it is refused by or needs is looked at afterwards."""
        self.refused, self.needs = set(), None
        self.before = self.game.state.fingerprint()
        command = {key: value for key, value in step.items() if key not in STEP_KEYS}
        try:
            play_step(self.game, command, _dice(step))
        except Refused as refusal:
            self.refused = set(refusal.clauses)
            self.refusal = refusal
        except DieWanted as wanted:
            # The clause that asks for the die was consulted, though nothing has come of it yet.
            self.needs = wanted.needs
            self.evidence.consulted |= {wanted.needs.clause} - {""}
        except Undecidable as question:
            self.needs = Needs("question", "", str(question))
        finally:
            self._gather()

    def _gather(self) -> None:
        """Take note of what the moves since the last look promised."""
        for move in self.game.journal.moves(self.read_moves + 1, self.game.head.id):
            for record in move.records:
                if isinstance(record.event, Promised):
                    self.promises[record.event.promise.id] = record.event.promise
        self.read_moves = self.game.head.id

    def _check(self, thens: list[Then], step: Where) -> None:
        """Everything that is expected here; where nothing is said of refusals or dice, there must be none."""
        with self._noting(*_where("refused", thens, step)):
            self._check_refused(_expected("refused", thens, []))
        with self._noting(*_where("needs", thens, step)):
            self._check_needs(_expected("needs", thens, None))
        for path, then in thens:
            for key, expected in then.items():
                with self._noting(*path, key):
                    self._check_one(key, expected, (*path, key))

    def _check_one(self, key: str, expected: Any, path: Where) -> None:
        lists = {
            "ledger": self._check_ledger,
            "agenda": self._check_agenda,
            "closed": self._check_closed,
            "told": self._check_told,
        }
        if key == "agenda" and not expected:
            self._check_nothing_due()
        elif key in lists:
            for index, line in enumerate(expected):
                with self._noting(*path, index):
                    lists[key](line)
        elif key == "values":
            for index, (name, args, value) in enumerate(asked_values(expected)):
                with self._noting(*path, index):
                    self._check_value(name, args, value)
        elif key == "unchanged":
            self._check_unchanged(expected)
        elif key == "offer":
            self._check_offer(expected)
        elif key not in EXPECTATIONS:
            self._check_figures(key, expected)

    def _check_refused(self, wanted: Any) -> None:
        told = f"\n{self.refusal}" if self.refused else ""
        by = ", ".join(sorted(self.refused)) or "nothing"
        if isinstance(wanted, list):
            if set(wanted) != self.refused:
                raise Failure(f"refused by {by}, expected {', '.join(sorted(wanted)) or 'nothing'}{told}")
            return
        ((way, clauses),) = wanted.items()
        enough = set(clauses) <= self.refused if way == "at least" else bool(set(clauses) & self.refused)
        if not enough:
            raise Failure(f"refused by {by}, expected {way} {', '.join(clauses)}{told}")

    def _check_needs(self, wanted: str | None) -> None:
        needed = f"{self.needs.kind} {self.needs.clause}".strip() if self.needs else None
        if wanted not in (needed, self.needs.kind if self.needs else None):
            raise Failure(f"needs {needed or 'nothing'}, expected {wanted or 'nothing'}")

    def _check_unchanged(self, expected: bool) -> None:
        same = self.game.state.fingerprint() == self.before
        if expected != same:
            raise Failure("the state is the same as before" if same else "the state has changed")

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

    def _check_present(self, path: str, lines: Any) -> None:
        """Each line of a list that is expected must be there, as far as it says anything."""
        if not isinstance(lines, list):
            raise Failure(f"{path} is a list, not {lines!r}")
        found = read(self.game.state, path)
        for line in lines:
            _check_line(path, line)
            if not any(all(_agrees(self.game.state, it, key, value) for key, value in line.items()) for it in found):
                raise Failure(f"{path}: not there: {line}; there: {found or 'nothing'}")

    def _check_figure(self, path: str, expected: Any) -> None:
        with tracing() as trace:
            found = read(self.game.state, path)
        for why in trace.children:
            self.evidence.asked(why)
        if isinstance(found, dict) and isinstance(expected, dict):
            found = {key: found.get(key) for key in expected}
        if not _same(found, expected):
            reasons = "\n".join(map(show, trace.children))
            raise Failure(f"{path} is {found!r}, expected {expected!r}\n{reasons}".rstrip())

    def _posted(self) -> Iterator[tuple[set[str], Account, int]]:
        for move in self.game.log():
            for record in move.records:
                if move.kind != "start" and isinstance(record.event, EntryPosted):
                    clauses = _carried_out(record)
                    for posting in record.event.entry.postings:
                        yield clauses, posting.account, posting.amount

    def _check_ledger(self, line: dict[str, Any]) -> None:
        unit = "base" if "base" in line else "brp"
        wanted = Base(line["power"]) if "base" in line else Brp(line["power"])
        mine = [(clauses, amount) for clauses, account, amount in self._posted() if account == wanted]
        if not any(line["clause"] in clauses and amount == line[unit] for clauses, amount in mine):
            near = [f"{amount:+} ({', '.join(sorted(clauses))})" for clauses, amount in mine]
            raise Failure(f"no entry {wanted} {line[unit]:+} ({line['clause']}); posted: {'; '.join(near) or 'none'}")

    def _check_agenda(self, line: dict[str, Any]) -> None:
        items = agenda(self.game.state)
        wanted = dict(line)
        if "due" in wanted:
            wanted["due"] = calendar.moment_name(calendar.parse_moment(wanted["due"]))
        found = [item for item in items if all(_fits(item, key, value) for key, value in wanted.items())]
        # What the agenda names as an item's clause was asked for, as a figure is.
        self.evidence.consulted |= {clause for item in found for clause in item.clauses}
        if not found:
            there = [f"{i.clause} {i.power} {i.about} {i.brp:+} due {i.due}" for i in items]
            raise Failure(f"not on the agenda: {line}; there: {'; '.join(there) or 'nothing'}")

    def _check_nothing_due(self) -> None:
        if there := [f"{i.clause} {i.power} {i.about} due {i.due}" for i in agenda(self.game.state)]:
            raise Failure(f"expected nothing on the agenda; there: {'; '.join(there)}")

    def _check_closed(self, line: dict[str, Any]) -> None:
        closed = []
        for move in self.game.log():
            for record in move.records:
                if isinstance(record.event, Closed):
                    promise = self.promises[record.event.id]
                    facts = {"outcome": record.event.outcome, "reason": record.event.reason}
                    closed.append({**msgspec.to_builtins(promise), "about": promise.about, **facts})
        if not any(all(_found(found, key, value) for key, value in line.items()) for found in closed):
            raise Failure(f"not closed: {line}; closed: {closed or 'nothing'}")

    def _check_told(self, line: dict[str, Any]) -> None:
        """A line on the page of a country, or on the card of a hex, with a clause and words that it must say."""
        of = line["of"] if line["of"] in countries() else place_key(line["of"])
        told = [it.text for it in told_of(self.game.state, of) if it.clause == line["clause"]]
        if not any(str(line.get("says", "")) in text for text in told):
            raise Failure(f"not told of {line['of']}: {line}; told by {line['clause']}: {'; '.join(told) or 'nothing'}")

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
            self.evidence.consulted |= set(field.by)


def play_step(game: Game, command: dict[str, Any], dice: list[int]) -> None:
    """Give the command of a step; one that goes on to a moment is repeated until it is there."""
    if command.get("do") == "advance" and "to" in command:
        seat = as_command({key: value for key, value in command.items() if key != "to"}).seat
        game.advance(str(command["to"]), seat, dice)
        return
    needs = game.decide(command, dice).needs
    if needs is not None and needs.kind == "die":
        raise DieWanted(needs)
    game.do(as_command(command), dice)


def _said(key: str, thens: list[Then]) -> bool:
    return any(key in then for _, then in thens)


def _expected(key: str, thens: list[Then], otherwise: Any) -> Any:
    return next((then[key] for _, then in thens if key in then), otherwise)


def _where(key: str, thens: list[Then], otherwise: Where) -> Where:
    """Where an expectation stands, or the step itself where nothing is said."""
    return next(((*path, key) for path, then in thens if key in then), otherwise)


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


def _check_line(path: str, line: Any) -> None:
    """A war or a happening that is expected is written as it would be set."""
    if not isinstance(line, dict):
        raise Failure(f"{path}: a line names things with their values, not {line!r}")
    for key in line:
        if path == "wars" and key not in ("between", "since", "declared_by"):
            raise unknown("key in wars", key, ("between", "since", "declared_by"))
        if path == "happened" and key not in ("brp", "count", "in"):
            kind_named(key)


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


def show(why: Why) -> str:
    """An explanation as indented lines; what was told once is not told again."""

    def lines(node: Why, reasons: list[list[str]], again: bool) -> list[str]:
        rule = RULES.by_name.get(node.rule)
        args = f"({', '.join(map(str, node.args))})" if node.args else ""
        told = f"{node.rule}{args} = {node.value}  [{node.clause}] {rule.gist if rule else node.note}"
        return [
            f"{told} (as above)" if again and node.because else told,
            *("  " + it for under in reasons for it in under),
        ]

    shown: list[str] = fold(why, lines, set())
    return "\n".join(shown)
