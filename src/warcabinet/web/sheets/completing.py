"""What a line could become as it is typed: an order and its next words, a place, a country, a clause, a sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, Literal

import msgspec

from warcabinet.board.maps import board
from warcabinet.board.names import places
from warcabinet.model.names import countries, powers
from warcabinet.model.state import State
from warcabinet.views.words import name
from warcabinet.web.orders.command_kinds import CommandKind, command_kinds
from warcabinet.web.orders.typed_line import TypedLine, typed_line
from warcabinet.web.sheets.clause_pages import clauses_starting

#: So many are shown, of an order and of all else.
MOST, MOST_OF_ALL, NEAREST = 12, 14, 6
BEGIN = "orders begin with a verb: mobilize, build, spend"
_JOINING = frozenset(["a", "an", "and", "at", "by", "for", "in", "of", "on", "the", "to", "what", "where", "with"])
_POOL = "force pool units not built turn record track arrives"
_SHEET = "power sheet figures level base"


class Completion(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line with what is said beside it, and what its choice does."""

    text: str
    note: str
    #: `fill` puts the text into the line, `order` opens its form, `wrong` points a word out, `go` goes on to a moment.
    does: Literal["fill", "order", "wrong", "go", "place", "country", "power", "clause", "nothing"]
    #: What is gone to, opened or looked at.
    at: tuple[str, ...] = ()
    command: str = ""
    given: dict[str, Any] = {}
    #: Where the word stands that was not understood.
    start: int = 0


def completions(state: State, line: str, held: tuple[str, ...]) -> list[Completion]:
    text = _fold(line)
    if not text:
        return []
    meant = _begun(text) is not None or re.search("[= ]", line.strip())
    read = typed_line(state, line, held) if meant else None
    if read is not None:
        return [*list(_of_order(line, read))[:MOST], *list(_looks(line))[:2]]
    near = [it for it in _nearest(line) if it[0] and " " in text]
    found = list(
        chain(
            (_kind(it) for it in command_kinds() if f" {text}" in f" {_fold(it.label)} {_fold(it.command)}"),
            (it for _, it in near),
            _elsewhere(state, text),
            _looks(line),
        )
    )
    return found[:MOST_OF_ALL] or _nothing(line)


def _fold(text: str) -> str:
    return text.lower().replace("_", " ").strip()


def _words(text: str) -> list[str]:
    return [it for it in _fold(text).split() if it not in _JOINING]


def _says(word: str, words: list[str]) -> bool:
    """Whether a word is one of these or begins one, whatever its ending: "surrenders" for "surrender"."""
    stem = word[: max(4, len(word) - 2)]
    return any(it.startswith(word) or (len(word) > 4 < len(it) and it[:-1].startswith(stem)) for it in words)


def _begun(text: str) -> str | None:
    """What follows the command that is meant by the first words; nothing where none is."""
    named = (word for it in command_kinds() for word in (_fold(it.command), _fold(it.label)))
    best = max((it for it in named if text.startswith(it)), key=len, default=None)
    return None if best is None else text[len(best) :].strip()


def _kind(it: CommandKind) -> Completion:
    return Completion(f"{_fold(it.label)} ", it.text, "fill")


def _of_order(line: str, read: TypedLine) -> Iterator[Completion]:
    if read.command == "advance":
        yield Completion(line.strip(), "Enter: go on", "go", at=(_begun(_fold(line)) or "",))
        return
    wrongs = [
        Completion(f"“{it.text}” is not understood", it.hint, "wrong", at=(it.text,), start=it.start)
        for it in read.unread
    ]
    # A last word that is not finished yet comes after what it could become.
    first = read.proposals[0] if read.proposals else None
    begun = (
        len(wrongs) == 1 and line.endswith(read.unread[0].text) and first and not first.note.startswith("instead of")
    )
    if not wrongs:
        told = "Enter: open the order"
        if read.refusals:
            told = f"not now: {read.refusals[0].text}"
        elif read.missing:
            told = f"{told}; still open: {', '.join(_fold(it) for it in read.missing)}"
        yield Completion(_understood(read), told, "order", command=read.command, given=read.given)
    yield from () if begun else wrongs
    yield from (Completion(it.line, it.note, "fill") for it in read.proposals)
    yield from wrongs if begun else ()


def _understood(read: TypedLine) -> str:
    said = chain.from_iterable(it if isinstance(it, list | tuple) else [it] for it in read.given.values())
    told = ("yes" if it is True else name(it) if it in powers() else str(it) for it in said)
    return " · ".join((read.label, *told))


def _nearest(line: str) -> list[tuple[bool, Completion]]:
    """Commands by their words in any order, best first, with whether all words fit; names of powers say for whom."""
    theirs = [it for it in _words(line) if it in powers()]
    words = [it for it in _words(line) if it not in theirs]
    found = []
    for it in command_kinds():
        hits = sum(_says(word, _words(f"{it.command} {it.label}")) for word in words)
        if hits:
            typed = " ".join((_fold(it.command), *theirs))
            found.append((hits, Completion(f"{typed} ", it.text, "fill")))
    found.sort(key=lambda it: -it[0])
    return [(hits == len(words), it) for hits, it in found[:NEAREST]]


def _nothing(line: str) -> list[Completion]:
    """Said where a line means nothing, with what comes nearest."""
    near = [it for _, it in _nearest(line)]
    return [Completion("Nothing found", "nearest:" if near else BEGIN, "nothing"), *near]


def _elsewhere(state: State, text: str) -> Iterator[Completion]:
    """Places, countries, clauses and hexes that a line begins."""
    for place in places().values():
        if place.name.lower().startswith(text):
            yield Completion(place.name, f"{place.hex}, {place.board}", "place", at=(place.name,))
    if "garrisons".startswith(text):
        yield Completion("garrisons", "Manchuria and Siberia", "country", at=("garrisons",))
    for id, area in countries().items():
        if id in state.countries and area.name.lower().startswith(text):
            yield Completion(area.name, f"country, {state.countries[id].status}", "country", at=(id,))
    if re.match(r"\d{2}", text):
        for clause in clauses_starting(text).clauses:
            yield Completion(clause.clause, clause.gist, "clause", at=(clause.clause,))
    if any(text.upper() in board(one) for one in ("europe", "pacific")):
        yield Completion(text.upper(), "hex", "place", at=(text,))


def _looks(line: str) -> Iterator[Completion]:
    """What can be looked at besides: each power's sheet and its force pool."""
    words = _words(line)
    for power, it in powers().items():
        own = f"{it.name} {power}"
        if words and all(_says(word, _words(f"{own} {_POOL}")) for word in words):
            yield Completion(
                f"{it.name}: force pool", "what is not built, and what arrives when", "power", at=(power, "pool")
            )
        if words and all(_says(word, _words(f"{own} {_SHEET}")) for word in words):
            yield Completion(f"{it.name}: all figures", "the power’s sheet", "power", at=(power,))
