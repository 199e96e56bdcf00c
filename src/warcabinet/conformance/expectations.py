"""What a case expects after a step, held against the game: figures, entries, promises, pages, offers and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import msgspec

from warcabinet.conformance.cases import Failure, Where, asked_values, choices
from warcabinet.conformance.evidence import Evidence
from warcabinet.figures.arguments import listed_arguments
from warcabinet.figures.control import COUNTRY, places_meant
from warcabinet.figures.table import read, spread
from warcabinet.game import DieWanted, Game, Refused
from warcabinet.game.engine import GameRecord
from warcabinet.game.forecast import Item, agenda
from warcabinet.game.offers import PLACES, narrow
from warcabinet.kernel.clause import stands_under
from warcabinet.kernel.decision import Needs
from warcabinet.kernel.effects import Due
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Trace, Why, fold
from warcabinet.model import calendar
from warcabinet.model.accounts import Account, Base, Brp
from warcabinet.model.agenda import Matter, Promise
from warcabinet.model.events import Closed, EntryPosted, Promised
from warcabinet.model.happenings import happening_key, kind_named
from warcabinet.model.names import countries, power_named
from warcabinet.model.places import holder, place_key, place_keys, place_written
from warcabinet.model.state import State
from warcabinet.rules.common.waiting import Duty, duties
from warcabinet.views.told.telling import told_of

#: Expectations, and where in their case they stand.
Then = tuple[Where, dict[str, Any]]


class _Part(NamedTuple):
    """One thing that is expected: what is said of it, how it is looked for, and where in its expectation it stands."""

    said: Any
    check: Callable[[], None]
    where: Where = ()


class Expectations:
    """One game of a case: what became of its last step, and whether it is what was expected. All faults are noted."""

    def __init__(self, game: Game, evidence: Evidence, failures: list[Failure]) -> None:
        self.game, self.evidence, self.failures = game, evidence, failures
        self.promises: dict[int, Promise[Matter]] = {}
        self.read_moves = 0
        #: Whether a step did not come about as it should: what comes after it shows nothing.
        self.astray = False
        self.begin_step()

    def begin_step(self) -> None:
        """Whatever comes now is held against what is there at this moment."""
        self.refusal: Refused | None = None
        self.needs: Needs | None = None
        self.wanted: DieWanted | None = None
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
        """Everything that is expected here; where nothing is said of refusals or dice, there must be none.

        What did not come about as expected in that way leaves nothing else to look at: the rest would follow from it.
        """
        before = len(self.failures)
        with self.noting(*_where("refused", thens, step)):
            self._check_refused(_expected("refused", thens, []))
        with self.noting(*_where("needs", thens, step)):
            self._check_needs(_expected("needs", thens, None))
        if len(self.failures) > before:
            self.astray = True
            return
        for path, then in thens:
            for key, expected in then.items():
                if key == "never":
                    self._check_never(expected, (*path, key))
                elif key not in ("refused", "needs"):
                    self._check_all(key, expected, (*path, key))

    def _check_all(self, key: str, expected: Any, path: Where) -> None:
        with self.noting(*path):
            for part in self._parts(key, expected):
                with self.noting(*path, *part.where):
                    part.check()

    def _check_never(self, denied: dict[str, Any], path: Where) -> None:
        """What must not be there: each part of it is looked for, and must fail to be found."""
        for key, lines in denied.items():
            with self.noting(*path, key):
                for part in self._parts(key, lines):
                    with self.noting(*path, key, *part.where):
                        _deny(key, part)

    def _parts(self, key: str, expected: Any) -> Iterator[_Part]:
        """What an expectation comes to: checks, one after the other."""
        lists: dict[str, Callable[[Any], None]] = {
            "ledger": self._check_ledger,
            "agenda": self._check_agenda,
            "closed": self._check_closed,
            "owed": self._check_owed,
            "told": self._check_told,
            "events": self._check_event,
            "refused": self._check_refused_by,
            "wars": partial(self._check_present, "wars"),
            "happened": partial(self._check_present, "happened"),
        }
        nothing = {"agenda": self._check_nothing_due, "owed": self._check_nothing_owed}
        if key in nothing and not expected:
            yield _Part("nothing", nothing[key])
        elif key in lists and expected:
            for index, line in enumerate(_listed(key, expected)):
                yield _Part(line, partial(lists[key], line), (index,))
        elif key == "values":
            for index, (name, args, value) in enumerate(asked_values(expected)):
                yield _Part(expected[index], partial(self.check_value, name, args, value), (index,))
        elif key == "unchanged":
            yield _Part(expected, partial(self._check_unchanged, expected))
        elif key == "offer":
            yield _Part(expected, partial(self._check_offer, expected))
        elif key == "control" and isinstance(expected, dict):
            for by, names in expected.items():
                yield from self._control_parts(by, _listed(key, names))
        elif key not in lists or key in ("wars", "happened"):
            yield from (_Part({one: it}, partial(self._check_figure, one, it)) for one, it in spread(key, expected))

    def _control_parts(self, by: str, names: list[str]) -> Iterator[_Part]:
        """Who holds which places, and every hex of which countries."""
        whole = [name for name in names if str(name).startswith(COUNTRY)]
        for name in whole:
            yield _Part({by: [name]}, partial(self._check_country_held, by, name), (by,))
        places = [name for name in names if name not in whole]
        for name, key in zip(places, place_keys(places), strict=True):
            yield _Part({by: [name]}, partial(self._check_figure, f"control.{key}", by), (by,))

    def _check_refused(self, wanted: Any) -> None:
        told = f"\n{self.refusal}" if self.refusal is not None else ""
        by = f"refused by {', '.join(sorted(self.refused)) or 'nothing'}"
        if self.refusal is not None and self.refused == {""}:
            by = "could not be read"  # no rule refused it
        if isinstance(wanted, list):
            if not self._names_all(set(wanted)):
                raise Failure(f"{by}, expected {', '.join(sorted(wanted)) or 'nothing'}{told}")
            return
        ((way, clauses),) = wanted.items()
        met = [any(stands_under(it, clause) for it in set().union(*self._named)) for clause in clauses]
        if not (all(met) if way == "at least" else any(met)):
            raise Failure(f"{by}, expected {way} {', '.join(clauses)}{told}")

    def _names_all(self, wanted: set[str]) -> bool:
        """Whether every refusal is expected, by its clause or one that says the same, and all that is expected came."""
        return all(it & wanted for it in self._named) and wanted <= set().union(*self._named)

    @property
    def _named(self) -> list[set[str]]:
        """Of each refusal its clause, and those that say the same beside it."""
        return [{it.clause, *it.also} for it in self.refusal.refusals] if self.refusal is not None else []

    def _check_refused_by(self, clause: str) -> None:
        """A clause, or something under it, that refused among others."""
        if not any(stands_under(it, clause) for it in set().union(*self._named)):
            raise Failure(f"not refused by {clause}")

    def _check_needs(self, wanted: str | None) -> None:
        needed = f"{self.needs.kind} {self.needs.clause}".strip() if self.needs else None
        if wanted not in (needed, self.needs.kind if self.needs else None):
            which = f"\n{self.wanted.in_order()}" if self.wanted is not None else ""
            raise Failure(f"needs {needed or 'nothing'}, expected {wanted or 'nothing'}{which}")

    def _check_event(self, clause: str) -> None:
        """Something that happened by a clause, or by one under it, since the position was set up."""
        records = (record for move in self.game.log() if move.kind != "start" for record in move.records)
        if not any(stands_under(record.clause, clause) for record in records):
            raise Failure(f"nothing has happened by {clause}")

    def _check_unchanged(self, expected: bool) -> None:
        same = self.game.state.fingerprint() == self.before
        if expected != same:
            raise Failure("the state is the same as before" if same else "the state has changed")

    def _check_country_held(self, by: str, name: str) -> None:
        """Who holds every hex of a country."""
        others: dict[str, list[str]] = {}
        for key in places_meant([name]):
            if (found := holder(self.game.state, key)) != by:
                others.setdefault(found, []).append(key)
        if others:
            told = "; ".join(f"{it or 'nobody'} holds {', '.join(keys)}" for it, keys in others.items())
            raise Failure(f"control: {by} does not hold all of {name}: {told}")

    def _check_present(self, path: str, line: Any) -> None:
        """A line of a list that is expected must be there, as far as it says anything."""
        found = read(self.game.state, path)
        _check_line(path, line)
        if not any(_all_of(line, partial(_agrees, self.game.state, it)) for it in found):
            raise Failure(f"{path}: not there: {line}; there: {found or 'nothing'}")

    def _check_figure(self, path: str, expected: Any) -> None:
        with Trace() as trace:
            found = read(self.game.state, path)
        for why in trace.children:
            self.evidence.asked(why)
        if not _as_said(found, expected):
            if isinstance(found, dict) and isinstance(expected, dict):
                found = {key: found.get(key) for key in expected}
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
        """An entry of a power; where a sum or a clause is not said, any will do."""
        units = [it for it in ("brp", "base") if it in line] or ["brp", "base"]
        wanted = [Base(it) if unit == "base" else Brp(it) for unit in units for it in choices(line["power"])]
        mine = [(clauses, amount) for clauses, account, amount in self._posted() if account in wanted]
        by, sums = choices(line.get("clause")), choices(line.get(units[0]))
        if not any(
            (None in by or not clauses.isdisjoint(by)) and (None in sums or amount in sums) for clauses, amount in mine
        ):
            near = [f"{amount:+} ({', '.join(sorted(clauses))})" for clauses, amount in mine]
            which = f"{' or '.join(map(str, wanted))} {' or '.join(map(_signed, sums))} ({' or '.join(map(str, by))})"
            raise Failure(f"no entry {which}; posted: {'; '.join(near) or 'none'}")

    def _check_agenda(self, line: dict[str, Any]) -> None:
        items = agenda(self.game.state)
        found = [item for item in items if _all_of(line, partial(_fits, item))]
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
        if not any(_all_of(line, partial(_found, found)) for found in closed):
            raise Failure(f"not closed: {line}; closed: {closed or 'nothing'}")

    def _check_owed(self, line: dict[str, Any]) -> None:
        """An order that offers put first, because play does not go on without it: who owes it, any one of several."""
        owed = duties(self.game.state)
        if not any(_all_of(line, partial(_owes, it)) for it in owed):
            there = [f"{it.clause} {it.command} by {', '.join(it.of)}: {it.text}" for it in owed]
            raise Failure(f"not owed: {line}; owed: {'; '.join(there) or 'nothing'}")

    def _check_nothing_owed(self) -> None:
        if owed := [f"{it.clause} {it.text}" for it in duties(self.game.state)]:
            raise Failure(f"expected nothing to be owed; there: {'; '.join(owed)}")

    def _check_told(self, line: dict[str, Any]) -> None:
        """A line on the page of a country, or on the card of a hex, with a clause and words that it must say."""
        of = line["of"] if line["of"] in countries() else place_key(line["of"])
        by = choices(line.get("clause"))
        told = [it.text for it in told_of(self.game.state, of) if None in by or it.clause in by]
        if not any(str(says) in text for text in told for says in choices(line.get("says", ""))):
            which = f" by {line['clause']}" if "clause" in line else ""
            raise Failure(f"not told of {line['of']}: {line}; told{which}: {'; '.join(told) or 'nothing'}")

    def _check_offer(self, wanted: dict[str, Any]) -> None:
        (command, known), *expected = wanted.items()
        offer = narrow(self.game.state, command, known)
        for name, bounds in expected:
            field = offer.fields.get(name)
            if field is None:
                raise unknown(f"field of {command}", name, offer.fields)
            found = {"most": field.most, "least": field.least, "among": list(field.among), "by": list(field.by)}
            for key, value in bounds.items():
                wanted_here = choices(value)
                if key == "among" and field.kind in PLACES:
                    wanted_here = [[place_written(place_key(it)) if it else it for it in one] for one in wanted_here]
                if found[key] not in wanted_here:
                    raise Failure(f"offer {command}: {name} {key} is {found[key]}, expected {value}")
            self.evidence.consulted |= set(field.by)

    def check_value(self, name: str, args: Any, expected: Any) -> None:
        named = listed_arguments(name, args)
        found = self.game.explain(name, *named)
        self.evidence.asked(found)
        allowed = [tuple(it) if isinstance(it, list) else it for it in choices(expected)]
        if not any(_same(found.value, it) for it in allowed):
            told = ", ".join(map(str, named))
            raise Failure(
                f"{name}({told}) is {found.value!r}, expected {' or '.join(map(repr, allowed))}\n{show(found)}"
            )


def _deny(key: str, part: _Part) -> None:
    try:
        part.check()
    except Failure:
        return
    raise Failure(f"expected never, but {key} has it: {part.said}")


def said(key: str, thens: list[Then]) -> bool:
    return any(key in then for _, then in thens)


def _expected(key: str, thens: list[Then], otherwise: Any) -> Any:
    return next((then[key] for _, then in thens if key in then), otherwise)


def _where(key: str, thens: list[Then], otherwise: Where) -> Where:
    """Where an expectation stands, or the step itself where nothing is said."""
    return next(((*path, key) for path, then in thens if key in then), otherwise)


def _listed(key: str, lines: Any) -> list[Any]:
    if not isinstance(lines, list):
        raise Failure(f"{key} is a list, not {lines!r}")
    return lines


def _signed(amount: int | None) -> str:
    return "" if amount is None else f"{amount:+}"


def _all_of(line: dict[str, Any], fits: Callable[[str, Any], bool]) -> bool:
    """Whether something is all that a line says of it; where that may be one of several, any of them."""
    return all(any(fits(key, one) for one in choices(value)) for key, value in line.items())


def _as_said(found: Any, expected: Any) -> bool:
    """Whether a figure is what is expected, or one of several; of a mapping only what is said counts."""
    if isinstance(found, dict) and isinstance(expected, dict) and choices(expected) == [expected]:
        return _all_of(expected, lambda key, one: _same(found.get(key), one))
    return any(_same(found, one) for one in choices(expected))


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
    if key == "due":
        return item.due == calendar.moment_name(calendar.parse_moment(value))
    return bool(getattr(item, key) == value)


def _owes(duty: Duty, key: str, value: str) -> bool:
    """Whether a duty is as expected: any one of those who owe it may be named."""
    if key == "power":
        return power_named(value).power in duty.of
    return {"clause": duty.clause, "order": duty.command, "country": duty.known.get("country")}[key] == value


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
