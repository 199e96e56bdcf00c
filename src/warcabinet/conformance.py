"""Conformance cases: a position, what is asked or done, and what must come out, with the clauses it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.cases import EXPECTATIONS, Case, Failure, Where, at, case_files, open_cases, read_case
from warcabinet.engine import GameRecord, as_command, decide
from warcabinet.figures.arguments import listed_arguments
from warcabinet.figures.position import Position, UnsetFigure
from warcabinet.figures.table import read, spread
from warcabinet.forecast import Item, agenda
from warcabinet.game import DieWanted, Game, MemoryJournal, Refused, Undecidable, new_game
from warcabinet.kernel.clause import catalogue, stands_under
from warcabinet.kernel.decision import Needs
from warcabinet.kernel.effects import Due
from warcabinet.kernel.errors import DataError, WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.tables import Document
from warcabinet.kernel.why import Why, tracing
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Base, Brp
from warcabinet.model.agenda import Matter, Promise
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.happenings import happening_key, kind_named
from warcabinet.model.places import place_keys
from warcabinet.model.state import State
from warcabinet.offers import narrow


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
            outcomes.append(Outcome(path.name, "cannot be read", path.name, 1, str(error), ()))
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
        return Outcome(id, title, document.name, line, str(error), ())
    if case.id in seen:
        told = f"{document.name}, line {line}: case id {case.id} is used already in {seen[case.id]}"
        return Outcome(id, title, document.name, line, told, ())
    seen[case.id] = document.name
    return run_case(case, document.name, line, lambda path: document.line((index, *path)))


def run_case(case: Case, file: str = "", line: int = 0, locate: Callable[[Where], int] | None = None) -> Outcome:
    """Run one case; `locate` gives the line of a part of it, for what it says wrongly."""
    consulted: set[str] = set()
    message, path = "", Where()
    try:
        if case.then_by_reading:
            for letter, then in case.then_by_reading.items():
                readings = {**case.given.readings, case.disputed: letter}
                given = msgspec.structs.replace(case.given, readings=readings)
                _Run(case, given, {**case.then, **then}, consulted).run()
        else:
            _Run(case, case.given, case.then, consulted).run()
        missing = [clause for clause in case.clauses if not _was_consulted(clause, consulted)]
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


def _was_consulted(clause: str, consulted: set[str]) -> bool:
    """Whether a clause governed; a heading did if something under it did."""
    if clause in consulted or catalogue()[clause].status != "heading":
        return clause in consulted
    return any(stands_under(other, clause) for other in consulted)


class _Run:
    """One case under one reading."""

    def __init__(self, case: Case, given: Position, then: dict[str, Any], consulted: set[str]) -> None:
        self.case, self.then, self.consulted = case, then, consulted
        self.game: Game = new_game(given, MemoryJournal())
        self.game.on_ruling = lambda ruling: self.consulted.update(ruling.consulted())
        self.promises: dict[int, Promise[Matter]] = {}
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
            with at("when", index):
                self._step({k: v for k, v in step.items() if k not in ("then", "dice")}, _dice(step))
            self._gather()
            self._check(then, ("when", index, "then") if "then" in step else ("then",))
        if not self.case.when:
            self._check(self.then, ("then",))

    def _ask(self) -> None:
        (name, args), *more = self.case.ask.items()
        if more:
            raise Failure("ask one value at a time")
        with at("ask"):
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
                self.game.advance(str(step["to"]), as_command(_without_goal(step)).seat, dice)
            else:
                ruling = self.game.decide(step, dice)
                if ruling.needs is not None:
                    self._need(ruling.needs)
                    return
                self.game.do(as_command(step), dice)
        except Refused as refusal:
            self.refused = set(refusal.clauses)
            self.refusal = refusal
        except DieWanted as wanted:
            self._need(wanted.needs)
        except Undecidable as question:
            self.needs = Needs("question", "", str(question))

    def _need(self, needs: Needs) -> None:
        """A die is wanted: the clause that asks for it was consulted, though nothing has come of it yet."""
        self.needs = needs
        self.consulted |= {needs.clause} - {""}

    def _gather(self) -> None:
        """Take note of what the moves since the last look promised."""
        for move in self.game.journal.moves(self.read_moves + 1, self.game.head.id):
            for record in move.records:
                if isinstance(record.event, Promised):
                    self.promises[record.event.promise.id] = record.event.promise
        self.read_moves = self.game.head.id

    def _check(self, then: dict[str, Any], path: Where) -> None:
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
                with at(*path, figure):
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
            self.consulted |= why.clauses()
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

    def _check_ledger(self, lines: list[dict[str, Any]]) -> None:
        posted = list(self._posted())
        for line in lines:
            unit = "base" if "base" in line else "brp"
            wanted = Base(line["power"]) if "base" in line else Brp(line["power"])
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


def _without_goal(step: dict[str, Any]) -> dict[str, Any]:
    """The command of a step that goes on to a moment: everything else in it is the command's own."""
    return {key: value for key, value in step.items() if key != "to"}


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


def show(why: Why, depth: int = 0) -> str:
    """An explanation as indented lines."""
    rule = RULES.by_name.get(why.rule)
    gist = rule.gist if rule else why.note
    args = f"({', '.join(map(str, why.args))})" if why.args else ""
    lines = ["  " * depth + f"{why.rule}{args} = {why.value}  [{why.clause}] {gist}"]
    lines += [show(reason, depth + 1) for reason in why.because]
    return "\n".join(lines)
