"""Everything that is wrong with a plan, all at once, each where it stands; what is sound can be looked at meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import msgspec

from warcabinet.kernel.errors import DataError, WarCabinetError
from warcabinet.kernel.tables import Document, split_path
from warcabinet.model import calendar
from warcabinet.plans.chances import Uncertain
from warcabinet.plans.choices import Choice, as_it_stands, as_turned_out, is_never, settled
from warcabinet.plans.conditions import condition
from warcabinet.plans.editing import Edit, Path
from warcabinet.plans.form import (
    MOST,
    MOST_VALUES,
    Asked,
    Keep,
    Order,
    Plan,
    Question,
    Reader,
    Want,
    Wrong,
    in_bounds,
    plainly,
)
from warcabinet.plans.timing import due

T = TypeVar("T")
#: What each entry of a section is; one that is none is stood in for, so that the rest can be looked at.
KINDS: dict[str, type] = {"uncertain": Uncertain, "choose": Choice, "keep": Keep, "ask": Question, "want": Want}
SECTIONS = (*MOST, "keep")
STANDS_IN: dict[str, Any] = {"uncertain": {"chance": 0.5}, "keep": {}}
#: Ways to mend a fault that are offered.
MOST_REMEDIES = 3


class Remedy(msgspec.Struct, frozen=True):
    """A way to mend a fault at one press."""

    label: str
    edits: tuple[Edit, ...]


class Fault(msgspec.Struct, frozen=True):
    """Something that is wrong: where it stands, what it is, and how it can be mended."""

    path: Path
    line: int
    text: str
    remedies: tuple[Remedy, ...] = ()


class Examined(msgspec.Struct, frozen=True):
    """A plan as far as it can be read: its parts by their place, and all its faults."""

    data: dict[str, Any]
    document: Document | None
    plan: Plan | None
    orders: dict[int, Order]
    questions: dict[int, Asked]
    faults: tuple[Fault, ...]
    #: Its first turn and its last one.
    turns: tuple[int, int] | None = None


class _Examiner:
    def __init__(self, name: str, text: str) -> None:
        self.faults: list[Fault] = []
        self.choices: dict[str, Choice] = {}
        self.name, self.text = name, text

    def fault(self, document: Document, path: Path, told: str) -> None:
        self.faults.append(Fault(path, document.line(path), told, remedies(document.data, path, told)))

    def tried(self, document: Document, work: Callable[..., T], *given: Any) -> T | None:
        try:
            return work(*given)
        except Wrong as wrong:
            self.fault(document, wrong.path, wrong.told)
        return None

    def examined(self) -> Examined:
        try:
            in_bounds(self.name, self.text)
            document = Document(self.name, self.text, MOST_VALUES)
        except DataError as error:
            return Examined({}, None, None, {}, {}, (_unread(str(error)),))
        if not isinstance(document.data, dict):
            document.data = {}
        if "plan" not in document.data:
            self.fault(document, (), "a plan begins with its title: `plan: Germany grows first`")
        sane = self._sane(document)
        return self._read(document, sane)

    def _sane(self, document: Document) -> dict[str, Any]:
        """What can be taken of the text; of the rest it is said why not."""
        sane: dict[str, Any] = {"plan": "without a title"}
        given = document.data
        sane["choose"] = self._section(document, "choose", given.get("choose")) or {}
        self.choices = {name: msgspec.convert(it, Choice) for name, it in sane["choose"].items()}
        for key, value in given.items():
            if key in SECTIONS:
                taken = sane["choose"] if key == "choose" else self._section(document, key, value)
                sane |= {} if taken is None else {key: taken}
            elif self._plain(document, key, value):
                sane[key] = value
        return sane

    def _plain(self, document: Document, key: str, value: Any) -> bool:
        try:
            msgspec.convert({"plan": "", key: value}, Plan)
        except msgspec.ValidationError as error:
            self.fault(document, (key,), _alone(split_path(str(error))[1]))
            return False
        return True

    def _section(self, document: Document, section: str, given: Any) -> Any:
        if given is None:
            return None
        wanted = list if section in ("orders", "ask", "want", "never") else dict
        if not isinstance(given, wanted):
            each = "a list, each with a dash before it" if wanted is list else "each with its name before it"
            self.fault(document, (section,), f"{section}: {each}")
            return None
        if len(given) > MOST.get(section, len(given)):
            self.fault(document, (section,), f"{len(given):,} of them; at most {MOST[section]:,}")
            return None
        if isinstance(given, list):
            return [it if self._sound(document, (section, at), it) else None for at, it in enumerate(given)]
        sound = {
            str(name): it if self._sound(document, (section, str(name)), it) else None for name, it in given.items()
        }
        stands_in = STANDS_IN.get(section)
        return {name: stands_in if it is None else it for name, it in sound.items() if (it, stands_in) != (None, None)}

    def _sound(self, document: Document, path: Path, value: Any) -> bool:
        section = str(path[0])
        try:
            if section in KINDS:
                made: Any = msgspec.convert(settled(value, as_it_stands(self.choices)), KINDS[section])
                if isinstance(made, Uncertain | Choice):
                    made.check()
            elif not isinstance(value, str if section == "never" else dict):
                raise WarCabinetError("keys with values are wanted, such as {when: Spring 1940, do: declare_war}")
        except msgspec.ValidationError as error:
            deeper, told = split_path(str(error))
            self.fault(document, (*path, *deeper), _alone(told))
            return False
        except WarCabinetError as error:
            self.fault(document, path, str(error))
            return False
        return True

    def _read(self, document: Document, sane: dict[str, Any]) -> Examined:
        choices, taken = self.choices, as_it_stands(self.choices)
        parts = {key: value if key == "choose" else settled(value, taken) for key, value in sane.items()}
        parts["uncertain"] = {**parts.get("uncertain", {}), **as_turned_out(choices, taken)}
        lists = {key: parts.pop(key, []) for key in ("orders", "ask", "want", "never")}
        plan = msgspec.convert(parts, Plan)
        reader = Reader(document, plan, self.text)
        try:
            reader.begin()
        except Wrong as wrong:
            self.fault(document, wrong.path, wrong.told)
            return Examined(document.data, document, plan, {}, {}, tuple(self.faults))
        for name in plan.uncertain:
            self.tried(document, reader.uncertain, name)
        for power in plan.keep:
            self.tried(document, reader.keep, power)
        orders = {at: it for at, it in enumerate(lists["orders"]) if it is not None and not is_never(it)}
        read = {at: self.tried(document, reader.order, at, it) for at, it in orders.items()}
        for at in (it for it in orders if read[it] is None):
            self._besides(document, reader, at, orders[at])
        questions = {at: msgspec.convert(it, Question) for at, it in enumerate(lists["ask"]) if it is not None}
        asked = {at: self.tried(document, reader.question, at, it) for at, it in questions.items()}
        for at, it in enumerate(lists["want"]):
            if it is not None:
                self.tried(document, reader.goal, at, msgspec.convert(it, Want))
        for at, it in enumerate(lists["never"]):
            if it is not None:
                self.tried(document, reader.never, at, it)
        found = tuple(sorted(self.faults, key=lambda it: it.line))
        turns = calendar.split(reader.span.start)[0], calendar.split(reader.span.end)[0] - 1
        return Examined(document.data, document, plan, _there(read), _there(asked), found, turns)

    def _besides(self, document: Document, reader: Reader, at: int, given: Mapping[str, Any]) -> None:
        """What else is wrong with an order: its moment and its conditions are looked at whatever its fields are."""
        path: Path = ("orders", at)
        said = [str(given[it]) for it in ("if", "while") if it in given]
        looks: list[Callable[[], object]] = [partial(due, given, reader.span)]
        looks += [partial(condition, it, reader.plan.uncertain) for it in said]
        for work in looks:
            try:
                work()
            except WarCabinetError as error:
                if (path, str(error)) not in [(it.path[:2], it.text) for it in self.faults]:
                    self.fault(document, path, str(error))


def _there(read: Mapping[int, T | None]) -> dict[int, T]:
    return {at: it for at, it in read.items() if it is not None}


def examined(name: str, text: str) -> Examined:
    """A plan looked over as a whole."""
    return _Examiner(name, text).examined()


def _alone(told: str) -> str:
    """Without the path: it is told where it stands."""
    missing = re.match(r"Object missing required field `(\w+)`", told)
    return f"`{missing[1]}` is missing" if missing else re.sub(r" at [\w.\[\]…<> ]+$", "", plainly(told))


def _unread(told: str) -> Fault:
    """A text that is no plan at all, told without the words of its parser."""
    found = re.search(r"line (\d+): (.*)", told, re.DOTALL)
    if found is None:
        return Fault((), 1, told)
    parser = ("mapping", "block", "token", "expected", "flow", "scalar", "indicator", "anchor", "alias", "tab")
    plain = "this line cannot be read: look at its brackets, quotes, colons and how far it is moved in"
    odd = any(word in found[2] for word in parser) or "could not" in found[2] or "undefined" in found[2]
    return Fault((), int(found[1]), plain if odd else found[2])


def remedies(data: Mapping[str, Any], path: Path, told: str) -> tuple[Remedy, ...]:
    """What a text that was not understood may have meant, put in its place; and always to take the line out."""
    if not path:
        return ()
    found = []
    named = re.search(r"unknown [^']*'([^']+)'; did you mean (.+)\?", told)
    value = _at(data, path)
    if named and value is not None:
        for name in named[2].split(" or ")[: MOST_REMEDIES - 1]:
            mended = _replaced(value, named[1], name)
            if mended != value:
                found.append(Remedy(f"Make it {name}", (Edit(path, mended),)))
    if len(path) >= 2 and _at(data, path[:2]) is not None:
        found.append(Remedy("Take it out", (Edit(path[:2]),)))
    return tuple(found)


def _at(data: Any, path: Path) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, str):
        return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, value, flags=re.IGNORECASE)
    if isinstance(value, list):
        return [_replaced(it, old, new) for it in value]
    if isinstance(value, dict):
        return {key: _replaced(it, old, new) for key, it in value.items()}
    return value
