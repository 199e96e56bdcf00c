"""A typed line read as an order. What is understood is told word by word; what is not is pointed out, never dropped.

The same words are understood at the table and in the terminal: names in any order, `field=value` where somebody prefers
it, units and places as they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from warcabinet.game.typed.matching import Match, closest, match, starts
from warcabinet.house.form import wanted
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.model.commands import Field, command_types, fields, old_names
from warcabinet.model.titles import rule_title

#: Words that join others and say nothing by themselves.
JOINING = (
    "and",
    "with",
    "the",
    "of",
    "in",
    "for",
    "on",
    "by",
    "to",
    "at",
    "from",
    "units",
    "brps",
    "brp",
    "worth",
    "as",
)

#: Of so many words of a line that are not understood it is looked up what they could have been.
MOST_GUESSED = 4


class Understood(msgspec.Struct, frozen=True):
    """Some words, the field that they fill and what they are taken for."""

    text: str
    field: str
    said: str


class Unread(msgspec.Struct, frozen=True):
    """A word that means nothing here: where it stands in the line, and what would be right."""

    text: str
    start: int
    hint: str


class Read(msgspec.Struct, frozen=True):
    """A line that is meant as an order, as far as it was understood."""

    command: str
    label: str
    given: dict[str, Any]
    words: tuple[Understood, ...]
    unread: tuple[Unread, ...]
    #: Required fields that the line does not say.
    missing: tuple[str, ...]


def read_order(line: str) -> Read | None:
    """A line as an order; nothing where no command is meant."""
    found = _command(line)
    if found is None:
        return None
    command, at = found
    reader = _Reader(line, at, fields(command_types()[command]))
    reader.read()
    missing = tuple(it.name for it in reader.fields if it.required and it.name not in reader.given)
    return Read(command, rule_title(command), reader.given, tuple(reader.words), tuple(reader.unread), missing)


def is_order(line: str) -> bool:
    """Whether a command is meant by a line, whatever else it says."""
    return _command(line) is not None


def as_given(line: str) -> dict[str, Any]:
    """A line as a command to give; a word that is not understood is an error that says what would be right."""
    read = read_order(line)
    if read is None:
        first = line.split()[0] if line.split() else ""
        raise unknown("command", first, command_types())
    if read.unread:
        raise WarCabinetError("; ".join(f"'{it.text}' is not understood: {it.hint}" for it in read.unread))
    return {"do": read.command, **read.given}


@cache
def _spoken() -> dict[str, str]:
    """How commands are called as one types them, the short names of reports included."""
    found: dict[str, str] = {}
    for command in command_types():
        spoken = command.replace("_", " ")
        found[spoken] = command
        found.setdefault(spoken.removeprefix("report "), command)
    found |= {old.replace("_", " "): now for old, now in old_names().items()}
    return found


def _command(line: str) -> tuple[str, int] | None:
    """The command that a line begins with, after a power's name perhaps, and where the rest begins."""
    text = line.lower().replace("_", " ")
    start = len(text) - len(text.lstrip())
    said = [it for it in _spoken() if starts(text[start:], it)]
    if said:
        word = max(said, key=len)
        return _spoken()[word], start + len(word)
    named = set(re.findall(r"([a-z_]+)=", line.lower()))
    fitting = [it for it, kind in command_types().items() if named and named <= {field.name for field in fields(kind)}]
    exact = [it for it in fitting if all(f.name in named for f in fields(command_types()[it]) if f.required)]
    meant = exact if len(exact) == 1 else fitting
    return (meant[0], 0) if len(meant) == 1 else None


class _Reader:
    """Goes through the rest of a line from left to right."""

    def __init__(self, line: str, at: int, known: tuple[Field, ...]) -> None:
        self.line, self.low, self.at, self.fields = line, line.lower(), at, known
        self.given: dict[str, Any] = {}
        self.words: list[Understood] = []
        self.unread: list[Unread] = []
        self.wanted: Field | None = None

    def read(self) -> None:
        while self._skip():
            if not (self._pair() or self._value(self._candidates()) or self._field_name() or self._joining()):
                self._not_understood()

    def _skip(self) -> bool:
        gap = re.compile(r"[\s,;:]*").match(self.line, self.at)
        self.at = gap.end() if gap else self.at
        return self.at < len(self.line)

    # -- field=value -----------------------------------------------------------------------------------------------

    def _pair(self) -> bool:
        found = re.compile(r"([A-Za-z_]+)\s*=\s*").match(self.line, self.at)
        if found is None:
            return False
        field = next((it for it in self.fields if it.name == found.group(1).lower()), None)
        if field is None:
            names = ", ".join(it.name for it in self.fields)
            self._point_out(found.end(), f"there is no field of that name; there are {names}")
            return True
        self.at = found.end()
        end = self._end_of_value()
        while self.at < end and self._skip() and self.at < end:
            if not self._value([field], end):
                self._take_raw(field, end)
        return True

    def _end_of_value(self) -> int:
        """Up to the next `name=`; a list in brackets or words in quotes stay together."""
        following = re.compile(r"\s[A-Za-z_]+\s*=").search(self.line, self.at)
        return following.start() if following else len(self.line)

    def _take_raw(self, field: Field, end: int) -> None:
        """A value of a field that takes any words, as it stands; of others it is not understood."""
        text = self.line[self.at : end].strip()
        if field.kind in ("text", "any", "rule", "ruling", "figure"):
            self._put(field, Match(end - self.at, _plain(text) if field.kind == "any" else text, text), text)
        else:
            self._not_understood([field])

    # -- words -----------------------------------------------------------------------------------------------------

    def _candidates(self) -> list[Field]:
        """The fields that a value may fill: the one just named, else those still open, required ones first."""
        if self.wanted is not None:
            return [self.wanted]
        open_ = [it for it in self.fields if it.name not in self.given or it.many]
        return sorted(open_, key=lambda it: not it.required)

    def _value(self, fitting: list[Field], end: int = 0) -> bool:
        text = self.low[self.at : end or len(self.low)]
        found = [(it, hit) for it in fitting if (hit := match(it, text)) is not None and hit.length]
        if not found:
            return False
        # Of numbers and names that fit several fields the longest wins, then the field that comes first.
        field, hit = max(found, key=lambda it: it[1].length)
        if field.kind in ("text", "any"):
            hit = hit._replace(value=self.line[self.at : self.at + hit.length].strip("\"'"))
        self._put(field, hit, self.line[self.at : self.at + hit.length])
        return True

    def _put(self, field: Field, hit: Match, text: str) -> None:
        value = hit.value
        if field.kind.startswith("unit") and not field.many:
            value = re.sub(r"^\d+ ", "", str(value))
            counts = next((it for it in self.fields if it.name == "count" and "count" not in self.given), None)
            if counts is not None and hit.number:
                self.given["count"] = hit.number
        if field.many:
            self.given[field.name] = [*self.given.get(field.name, []), value]
        else:
            self.given[field.name] = value
        self.words.append(Understood(text.strip(), field.name, hit.said))
        self.at += hit.length
        self.wanted = field if field.many and field is self.wanted else None

    def _field_name(self) -> bool:
        """A field by its name: what comes next is its value; of a yes-or-no the name alone says yes."""
        named = [it for it in self.fields if starts(self.low[self.at :], it.name.replace("_", " "))]
        if not named:
            return False
        field = max(named, key=lambda it: len(it.name))
        length = len(field.name)
        self.words.append(Understood(self.line[self.at : self.at + length], field.name, ""))
        self.at += length
        if field.kind == "yes or no":
            self.given.setdefault(field.name, True)
            self.wanted = None
        else:
            self.wanted = field
        return True

    def _joining(self) -> bool:
        word = next((it for it in JOINING if starts(self.low[self.at :], it)), "")
        if not word:
            return False
        self.at += len(word)
        return True

    def _not_understood(self, fitting: Iterable[Field] = ()) -> None:
        if self.wanted is not None and not fitting:
            # The word that named a field may have been a joining one: what follows is read without it.
            fitting, self.wanted = [self.wanted], None
            if self._value(self._candidates()):
                return
        word = re.compile(r"[^\s,;]+").match(self.line, self.at)
        assert word is not None
        open_ = list(fitting) or [it for it in self.fields if it.name not in self.given or it.many]
        guessed = closest(word.group(), open_) if len(self.unread) < MOST_GUESSED else []
        self._point_out(word.end(), _hint(guessed, open_))

    def _point_out(self, end: int, hint: str) -> None:
        self.unread.append(Unread(self.line[self.at : end].strip(), self.at, hint))
        self.at = end


def _plain(text: str) -> Any:
    """A value that may be of any type, as one would write it."""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    return {"yes": True, "true": True, "no": False, "false": False}.get(text.lower(), text.strip("\"'"))


def _hint(close: list[str], open_: list[Field]) -> str:
    text = next((it.name for it in open_ if it.kind == "text"), "")
    quoted = f"; words of your own for the {text.replace('_', ' ')} go in quotes" if text else ""
    if close:
        return f"did you mean {' or '.join(close)}?{quoted.replace('; words', ' Words')}"
    if not open_:
        return "nothing is left to say"
    takes = "; ".join(f"{it.name.replace('_', ' ')}: {wanted(it).removeprefix('write ')}" for it in open_[:3])
    return f"still open are {takes}{quoted}"
