"""What the words at one place of a typed line can mean for a field: a name, a place, units, a number, a choice."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import Any, NamedTuple

from warcabinet.board.names import OnBothBoards, known_names
from warcabinet.kernel.errors import WarCabinetError, nearest
from warcabinet.model.commands import Field
from warcabinet.model.names import TRACKS, called, ids_of
from warcabinet.model.places import place_key
from warcabinet.model.unit_lists import parse_count
from warcabinet.model.units import SHORT, unit_kinds


class Match(NamedTuple):
    """So many characters of the line, what they are for a field, and how one says it."""

    length: int
    value: Any
    said: str
    #: For units with a number in front of them, where the command counts them in a field of its own.
    number: int = 0


def starts(text: str, words: str) -> bool:
    """Whether a line begins with these words as whole words."""
    return text.startswith(words) and not (text[len(words) :][:1].isalnum())


def _first_word(text: str) -> str:
    found = re.match(r"[^\W_]*", text)
    return found.group() if found else ""


class Names(dict[str, Any]):
    """What can be typed and what it stands for; a text is held against those few that begin with its first word."""

    @cached_property
    def _by_first_word(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name in sorted(self, key=len, reverse=True):
            found.setdefault(_first_word(name), []).append(name)
        return found

    def longest(self, text: str) -> str:
        """The longest name that a text begins with."""
        return next((it for it in self._by_first_word.get(_first_word(text), ()) if starts(text, it)), "")


def match(field: Field, text: str) -> Match | None:
    """What a line that is about a field begins with, if it begins with something that the field can hold."""
    kind = field.kind.removesuffix(" or none")
    if field.among:
        return _one_of(_among(field.among), text)
    if kind in ("brp", "number"):
        return _number(text)
    if kind == "yes or no":
        return _one_of(_YES_OR_NO, text)
    if kind in ("unit count", "unit"):
        return _units(text)
    if kind in ("placement", "stack", "force"):
        return _placed(text)
    if kind == "place":
        return _place(text)
    if kind in ("text", "any"):
        return _quoted(text)
    return _one_of(vocabulary(kind), text)


_YES_OR_NO = Names({"yes": True, "no": False, "true": True, "false": False})


@cache
def _among(values: tuple[str, ...]) -> Names:
    return Names({it.replace("_", " ").lower(): it for it in values if it})


@cache
def vocabulary(kind: str) -> Names:
    """The names that a kind of field knows, as they are typed, with the ids that they stand for."""
    found = Names()
    for id in ids_of(kind):
        for name in (id.replace("_", " "), called(id), TRACKS.get(id, id)):
            found.setdefault(name.lower(), id)
    return found


@cache
def _place_names() -> Names:
    """What places and boxes are called, other spellings included; names of whole countries are no places."""
    found = Names()
    for name in known_names():
        try:
            place_key(name)
        except WarCabinetError:
            continue
        found[name.lower()] = name
    return found


def _one_of(names: Names, text: str) -> Match | None:
    name = names.longest(text)
    if not name:
        return None
    value = names[name]
    return Match(len(name), value, called(value) if isinstance(value, str) else name)


_HEX = re.compile(r"(?:(?:europe|pacific)/)?[a-z]{1,2}\d{1,2}(?![\w-])|box/\w+")


def _place(text: str) -> Match | None:
    found = _one_of(_place_names(), text)
    if found is not None:
        return found
    hex_ = _HEX.match(text)
    if hex_ is None:
        return None
    board, slash, id = hex_.group().rpartition("/")
    written = hex_.group() if board == "box" else f"{board}{slash}{id.upper()}"
    try:
        place_key(written)
    except OnBothBoards:
        pass  # Which board is meant is asked when the order is given.
    except WarCabinetError:
        return None
    return Match(hex_.end(), written, called(id) if board == "box" else id.upper())


def _number(text: str) -> Match | None:
    found = re.match(r"[+−-]?\d+(?![\w/-])(?:\s+brps?\b)?", text)
    if found is None:
        return None
    digits = re.sub(r"[^\d−-]", "", found.group()).replace("−", "-")
    return Match(found.end(), int(digits), digits)


def _quoted(text: str) -> Match | None:
    found = re.match(r"\"([^\"]*)\"|'([^']*)'", text)
    if found is None:
        return None
    words = found.group(1) or found.group(2) or ""
    return Match(found.end(), words, words)


#: The letters that counters carry, as far as they are no word of their own.
LETTERS = {
    "inf": "infantry",
    "arm": "armor",
    "sac": "bomber",
    "atr": "air transport",
    "dd": "destroyer",
    "ca": "cruiser",
    "bc": "battlecruiser",
    "tr": "transport",
    "ss": "submarine",
    "rp": "replacement",
}


@cache
def _unit_words() -> Names:
    """What units are called, singular and plural, and for short."""
    found: dict[str, str] = {}
    for kind in unit_kinds().values():
        for word in (kind.unit, kind.name.lower()):
            found |= {word: kind.unit, f"{word}s": kind.unit}
    return Names({**found, **LETTERS, **SHORT})


def _units(text: str) -> Match | None:
    """'3 army air', 'armor 4-6', '2 3-3 infantry': how many of what, how strong."""
    head = re.match(r"(?:(\d+)\s*(?:x|×)?\s+)?(?:(\d+-\d+)\s+)?", text)
    assert head is not None
    rest = text[head.end() :]
    word = _unit_words().longest(rest)
    if not word:
        return None
    strong = re.match(r"\s+(\d+-\d+)(?!\w)", rest[len(word) :])
    strength = head.group(2) or (strong.group(1) if strong else "")
    unit = f"{_unit_words()[word]} {strength}".strip()
    count = int(head.group(1) or 1)
    try:
        parse_count(f"{count} {unit}")
    except WarCabinetError:
        return None
    length = head.end() + len(word) + (strong.end() if strong and not head.group(2) else 0)
    return Match(length, f"{count} {unit}", f"{count} {unit}", int(head.group(1) or 0))


def _placed(text: str) -> Match | None:
    """Units with their place: '2 infantry 1-3 at Brussels'."""
    units = _units(text)
    joined = re.match(r"\s+(?:at|in)\s+", text[units.length :]) if units else None
    if units is None or joined is None:
        return None
    place = _place(text[units.length + joined.end() :])
    if place is None:
        return None
    length = units.length + joined.end() + place.length
    return Match(length, f"{units.value} at {place.value}", f"{units.said} at {place.said}")


def closest(word: str, fields: Iterable[Field]) -> list[str]:
    """What a mistyped word could have been: a whole name that looks like it, or one of whose words does."""
    names = list(dict.fromkeys(words_for(fields)))
    by_word = {part.lower(): name for name in reversed(names) for part in name.split() if len(part) > 3}
    alike = difflib.get_close_matches(word.lower(), by_word, n=3, cutoff=0.75)
    return nearest(word, names) or list(dict.fromkeys(by_word[it] for it in alike))


def words_for(fields: Iterable[Field]) -> Iterator[str]:
    """Everything that could be typed for these fields, for whoever mistyped it."""
    for field in fields:
        kind = field.kind.removesuffix(" or none")
        yield field.name.replace("_", " ")
        yield from (it.replace("_", " ") for it in field.among if it)
        yield from vocabulary(kind)
        if kind in ("unit count", "unit", "placement", "stack", "force"):
            yield from unit_kinds()
        if kind in ("place", "placement", "stack", "force"):
            yield from _place_names().values()
