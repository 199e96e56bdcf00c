"""Two answers held against each other: in what they differ, which differences belong together, which are expected."""

from __future__ import annotations

import fnmatch
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import yaml

Answer = dict[str, Any]
#: In what two answers can differ.
VERDICT, CLAUSES, EVENTS, ORDER, EVENT_CLAUSES, TEXTS, OFFERS = (
    "verdict", "clauses", "events", "order of events", "clauses of events", "texts", "offers",
)  # fmt: skip
#: How many events of each side a description names.
NAMED = 4


def described(answer: Answer) -> str:
    """An answer in a few words: accepted; refused 84.32, 89.51B; needs die 39.11."""
    clauses = ", ".join(filter(None, answer.get("clauses", ())))
    return f"{answer['verdict']} {clauses}".strip()


class Difference(NamedTuple):
    """In what two answers differ, and how."""

    what: str
    detail: str


def difference(old: Answer, new: Answer, texts: bool = False) -> Difference | None:
    if old["verdict"] != new["verdict"]:
        return Difference(VERDICT, "")
    if old.get("clauses") != new.get("clauses"):
        return Difference(CLAUSES, "")
    if old["verdict"] == "accepted":
        return _of_events(old["events"], new["events"])
    if old["verdict"] == "offers":
        return _of_offers(old["offers"], new["offers"])
    if texts and old.get("texts") != new.get("texts"):
        return Difference(TEXTS, f"{' / '.join(old['texts'])} -> {' / '.join(new['texts'])}")
    return None


def _of_events(old: Sequence[Any], new: Sequence[Any]) -> Difference | None:
    """Each event is a pair of clause and what happened."""
    if old == new:
        return None
    if [it for _, it in old] == [it for _, it in new]:
        changed = sorted({f"{_name(it)} {a} -> {b}" for (a, it), (b, _) in zip(old, new, strict=True) if a != b})
        return Difference(EVENT_CLAUSES, ", ".join(changed[:NAMED]))
    before, after = Counter(map(_written, old)), Counter(map(_written, new))
    if before == after:
        return Difference(ORDER, "")
    gone, come = _named(before - after), _named(after - before)
    return Difference(EVENTS, "; ".join(filter(None, (gone and f"no longer {gone}", come and f"now {come}"))))


def _written(event: Any) -> str:
    """An event without the number of its promise, which says only which was made first."""
    clause, it = event
    if "promise" in it:
        it = {**it, "promise": {key: value for key, value in it["promise"].items() if key != "id"}}
    return json.dumps([clause, it], sort_keys=True)


def _named(events: Counter[str]) -> str:
    names = sorted({f"{_name(it)} {clause}" for clause, it in map(json.loads, events)})
    return ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")


def _name(event: Any) -> str:
    return str(event.get("event", "?"))


def _of_offers(old: dict[str, Any], new: dict[str, Any]) -> Difference | None:
    changed = [f"no longer {it}" for it in old if it not in new] + [f"now {it}" for it in new if it not in old]
    for name in old:
        if name in new and old[name] != new[name]:
            was, is_ = (" ".join(it[name]["refused by"]) or "open" for it in (old, new))
            changed.append(f"{name}: {was} -> {is_}" if was != is_ else f"{name}: its fields")
    return Difference(OFFERS, ", ".join(changed[:NAMED])) if changed else None


# -- what is expected -----------------------------------------------------------------------------------------------


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difference that is meant, with its reason: the clause that says so and the case that shows it.

    `kind`, `old`, `new`, `where` and the values of `command` are patterns; `differs` leaves open in what if empty.
    """

    kind: str
    old: str
    new: str
    reason: str
    clause: str
    case: str
    differs: str = ""
    where: str = "*"
    command: dict[str, str] = {}

    def fits(self, found: Found) -> bool:
        return (
            fnmatch.fnmatchcase(found.kind, self.kind)
            and fnmatch.fnmatchcase(described(found.old), self.old)
            and fnmatch.fnmatchcase(described(found.new), self.new)
            and self.differs in ("", found.difference.what)
            and fnmatch.fnmatchcase(found.line, self.where)
            and all(fnmatch.fnmatchcase(_said(found.command.get(key, "")), it) for key, it in self.command.items())
        )


def _said(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def expected_rows(file: Path) -> list[Expected]:
    try:
        return msgspec.convert(yaml.safe_load(file.read_text(encoding="utf-8")) or [], list[Expected])
    except (msgspec.ValidationError, yaml.YAMLError) as error:
        raise ValueError(f"{file.name}: {error}; a row has {', '.join(Expected.__struct_fields__)}") from None


# -- what was found -------------------------------------------------------------------------------------------------


class Found(msgspec.Struct, frozen=True):
    """A command that the two engines judge differently, and how to come to it."""

    line: str
    position: dict[str, Any]
    #: Commands that lead there, their dice, and the moment after each.
    steps: tuple[tuple[dict[str, Any], tuple[int, ...], str], ...]
    command: dict[str, Any]
    dice: tuple[int, ...]
    old: Answer
    new: Answer
    difference: Difference

    @property
    def kind(self) -> str:
        return str(self.command["do"])


class Group(msgspec.Struct):
    """Differences of one kind: how many, and the first of them."""

    kind: str
    old: str
    new: str
    differs: str
    detail: str
    count: int = 0
    examples: list[Found] = []
    #: The files of cases that show them.
    cases: list[str] = []


class Tally:
    """All that a run has come to."""

    def __init__(self, rows: Iterable[Expected], examples: int = 2) -> None:
        self.rows = list(rows)
        self.used = [0] * len(self.rows)
        self.most = examples
        self.groups: dict[tuple[str, ...], Group] = {}
        self.commands = self.alike = self.expected = self.cut = 0
        self.verdicts: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self.left_out: dict[str, str] = {}

    @property
    def differ(self) -> int:
        return sum(it.count for it in self.groups.values())

    def note(self, found: Found) -> None:
        """Take note of a difference: as expected by the first row that fits, or in its group."""
        for index, row in enumerate(self.rows):
            if row.fits(found):
                self.used[index] += 1
                self.expected += 1
                return
        what, detail = found.difference
        key = (found.kind, described(found.old), described(found.new), what, detail)
        group = self.groups.setdefault(key, Group(*key))
        group.count += 1
        if len(group.examples) < self.most:
            group.examples.append(found)
