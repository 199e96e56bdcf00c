"""What a case expects after a step, held against the game: figures, entries, promises, pages, offers and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from warcabinet.conformance.cases import EXPECTATIONS, Failure, Where, asked_values
from warcabinet.conformance.evidence import Evidence
from warcabinet.figures.arguments import listed_arguments
from warcabinet.figures.table import read, spread
from warcabinet.game import Game, Refused
from warcabinet.game.engine import GameRecord
from warcabinet.game.forecast import Item, agenda
from warcabinet.game.offers import narrow
from warcabinet.kernel.decision import Needs
from warcabinet.kernel.effects import Due
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why, fold, tracing
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Base, Brp
from warcabinet.model.agenda import Matter, Promise
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.happenings import happening_key, kind_named
from warcabinet.model.names import countries, power_named
from warcabinet.model.places import place_key, place_keys
from warcabinet.model.state import State
from warcabinet.rules.common.duties import Duty, duties
from warcabinet.rules.countries.told import told_of

#: Expectations, and where in their case they stand.
Then = tuple[Where, dict[str, Any]]


class Expectations:
    """One game of a case: what became of its last step, and whether it is what was expected. All faults are noted."""

    def __init__(self, game: Game, evidence: Evidence, failures: list[Failure]) -> None:
        self.game, self.evidence, self.failures = game, evidence, failures
        self.promises: dict[int, Promise[Matter]] = {}
        self.read_moves = 0
        self.begin_step()

    def begin_step(self) -> None:
        """Whatever comes now is held against what is there at this moment."""
        self.refusal: Refused | None = None
        self.needs: Needs | None = None
        self.before = self.game.state.fingerprint()

    @property
    def refused(self) -> set[str]:
        return set(self.refusal.clauses) if self.refusal is not None else set()

    @contextmanager
    def noting(self, *path: str | int) -> Iterator[None]:
        """Take note of what is wrong here and go on."""
        try:
            yield
        except Failure as failure:
            self.failures.append(Failure(str(failure), failure.path or path))
        except WarCabinetError as error:
            self.failures.append(Failure(str(error), path))

    def gather(self) -> None:
        """Take note of what the moves since the last look promised."""
        for move in self.game.journal.moves(self.read_moves + 1, self.game.head.id):
            for record in move.records:
                if isinstance(record.event, Promised):
                    self.promises[record.event.promise.id] = record.event.promise
        self.read_moves = self.game.head.id

    def check(self, thens: list[Then], step: Where) -> None:
        """Everything that is expected here; where nothing is said of refusals or dice, there must be none."""
        with self.noting(*_where("refused", thens, step)):
            self._check_refused(_expected("refused", thens, []))
        with self.noting(*_where("needs", thens, step)):
            self._check_needs(_expected("needs", thens, None))
        for path, then in thens:
            for key, expected in then.items():
                with self.noting(*path, key):
                    self._check_one(key, expected, (*path, key))

    def _check_one(self, key: str, expected: Any, path: Where) -> None:
        lists = {
            "ledger": self._check_ledger,
            "agenda": self._check_agenda,
            "closed": self._check_closed,
            "owed": self._check_owed,
            "told": self._check_told,
        }
        if key == "agenda" and not expected:
            self._check_nothing_due()
        elif key == "owed" and not expected:
            self._check_nothing_owed()
        elif key in lists:
            for index, line in enumerate(expected):
                with self.noting(*path, index):
                    lists[key](line)
        elif key == "values":
            for index, (name, args, value) in enumerate(asked_values(expected)):
                with self.noting(*path, index):
                    self.check_value(name, args, value)
        elif key == "unchanged":
            self._check_unchanged(expected)
        elif key == "offer":
            self._check_offer(expected)
        elif key not in EXPECTATIONS:
            self._check_figures(key, expected)

    def _check_refused(self, wanted: Any) -> None:
        told = f"\n{self.refusal}" if self.refusal is not None else ""
        by = ", ".join(sorted(self.refused)) or "nothing"
        if isinstance(wanted, list):
            if not self._names_all(set(wanted)):
                raise Failure(f"refused by {by}, expected {', '.join(sorted(wanted)) or 'nothing'}{told}")
            return
        ((way, clauses),) = wanted.items()
        named = set().union(*self._named)
        enough = set(clauses) <= named if way == "at least" else bool(set(clauses) & named)
        if not enough:
            raise Failure(f"refused by {by}, expected {way} {', '.join(clauses)}{told}")

    def _names_all(self, wanted: set[str]) -> bool:
        """Whether every refusal is expected, by its clause or one that says the same, and all that is expected came."""
        return all(it & wanted for it in self._named) and wanted <= set().union(*self._named)

    @property
    def _named(self) -> list[set[str]]:
        """Of each refusal its clause, and those that say the same beside it."""
        return [{it.clause, *it.also} for it in self.refusal.refusals] if self.refusal is not None else []

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

    def _check_owed(self, line: dict[str, Any]) -> None:
        """An order that offers put first, because play does not go on without it: who owes it, any one of several."""
        owed = duties(self.game.state)
        if not any(_owes(it, line) for it in owed):
            there = [f"{it.clause} {it.command} by {', '.join(it.of)}: {it.text}" for it in owed]
            raise Failure(f"not owed: {line}; owed: {'; '.join(there) or 'nothing'}")

    def _check_nothing_owed(self) -> None:
        if owed := [f"{it.clause} {it.text}" for it in duties(self.game.state)]:
            raise Failure(f"expected nothing to be owed; there: {'; '.join(owed)}")

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

    def check_value(self, name: str, args: Any, expected: Any) -> None:
        named = listed_arguments(name, args)
        found = self.game.explain(name, *named)
        self.evidence.asked(found)
        expected = tuple(expected) if isinstance(expected, list) else expected
        if not _same(found.value, expected):
            told = ", ".join(map(str, named))
            raise Failure(f"{name}({told}) is {found.value!r}, expected {expected!r}\n{show(found)}")


def said(key: str, thens: list[Then]) -> bool:
    return any(key in then for _, then in thens)


def _expected(key: str, thens: list[Then], otherwise: Any) -> Any:
    return next((then[key] for _, then in thens if key in then), otherwise)


def _where(key: str, thens: list[Then], otherwise: Where) -> Where:
    """Where an expectation stands, or the step itself where nothing is said."""
    return next(((*path, key) for path, then in thens if key in then), otherwise)


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


def _owes(duty: Duty, line: dict[str, str]) -> bool:
    """Whether this is the duty that a line asks for."""
    return (
        ("clause" not in line or duty.clause == line["clause"])
        and ("power" not in line or power_named(line["power"]).power in duty.of)
        and ("order" not in line or duty.command == line["order"])
        and ("country" not in line or duty.known.get("country") == line["country"])
    )


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
