"""What is typed into the command line of the table: read as an order, with what could come next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from warcabinet.game.offers import Offer, narrow
from warcabinet.game.typed import Read, Unread, read_order
from warcabinet.game.typed.matching import closest, words_for
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.commands import Field, command_types, fields
from warcabinet.model.state import State
from warcabinet.views.words import name
from warcabinet.web.orders.form_words import command_label
from warcabinet.web.orders.refusal_lines import RefusalLine, refusal_line
from warcabinet.web.orders.unit_choices import counters_for

#: So many proposals are shown.
MOST = 8


class Proposal(msgspec.Struct, frozen=True):
    """What the line could become."""

    line: str
    note: str


class TypedLine(Read, frozen=True):
    """A line as it was understood, with why it may not be given now and what could come next."""

    #: Why the order may not be given now, as far as the line says it.
    refusals: tuple[RefusalLine, ...]
    proposals: tuple[Proposal, ...]


def typed_line(state: State, line: str, held: tuple[str, ...]) -> TypedLine | None:
    """A line as an order; nothing where it is not meant as one."""
    read = read_order(line)
    if read is None:
        return None
    given = dict(read.given)
    kind = command_types()[read.command]
    if "power" not in given and len(held) == 1 and any(it.name == "power" for it in fields(kind)):
        # Whoever holds one power need not name it.
        given["power"] = held[0]
    offer = _narrowed(state, read.command, given)
    power = str(given.get("power", ""))
    refusals = tuple(refusal_line(state, kind, it, power, known=offer.known) for it in offer.refusals) if offer else ()
    missing = tuple(it for it in read.missing if it not in given)
    proposals = tuple(_proposals(state, line, read, given, offer))[:MOST]
    return TypedLine(
        read.command,
        command_label(read.command) if read.command else read.label,
        given,
        read.words,
        read.unread,
        missing,
        refusals,
        proposals,
    )


def _narrowed(state: State, command: str, given: dict[str, Any]) -> Offer | None:
    try:
        return narrow(state, command, given)
    except WarCabinetError:
        return None


def _proposals(state: State, line: str, read: Read, given: dict[str, Any], offer: Offer | None) -> Iterator[Proposal]:
    """The line with its last word put right or finished, or with a next word."""
    open_ = [it for it in fields(command_types()[read.command]) if it.name not in given or it.many]
    open_.sort(key=lambda it: not it.required)
    last = read.unread[-1] if read.unread else None
    if last is not None and last.start + len(last.text) < len(line.rstrip()):
        yield from _put_right(line, last, open_)
        return
    begun = last.text.lower() if last is not None and not line.endswith(" ") else ""
    before = line[: last.start] if last is not None and begun else line.rstrip() + " "
    if last is not None and not begun:
        yield from _put_right(line, last, open_)
        return
    for field in open_:
        for word, note in _words(state, field, given, offer, begun):
            yield Proposal(f"{before}{word} ", note)
    if last is not None:
        yield from _put_right(line, last, open_)


def _put_right(line: str, wrong: Unread, open_: list[Field]) -> Iterator[Proposal]:
    for word in closest(wrong.text, open_):
        yield Proposal(line[: wrong.start] + word + line[wrong.start + len(wrong.text) :], f"instead of {wrong.text}")


def _words(
    state: State, field: Field, given: dict[str, Any], offer: Offer | None, begun: str
) -> Iterator[tuple[str, str]]:
    """What could be typed next for a field: units from the counters there are, names that the rules leave open."""
    about = field.name.replace("_", " ")
    kind = field.kind.removesuffix(" or none")
    if kind in ("unit count", "unit"):
        nation = str(given.get("nation") or given.get("power") or "")
        found: Iterator[tuple[str, str]] = _units(state, offer.command if offer else "", nation)
    elif offer is not None and field.name in offer.fields and offer.fields[field.name].among:
        held = given.get(field.name, [])
        among = (it for it in offer.fields[field.name].among if it and it not in held)
        found = ((name(it), about) for it in among)
    elif begun and kind == "place":
        found = ((it, about) for it in words_for([field]) if it != about)
    elif kind in ("brp", "number", "yes or no") and not field.required:
        found = iter([(about, field.text or "a number")])
    else:
        found = iter(())
    for word, note in found:
        if word.lower().startswith(begun):
            yield word, note


def _units(state: State, command: str, nation: str) -> Iterator[tuple[str, str]]:
    """The counters that an order may name, with how many there are and what one costs."""
    for it in counters_for(state, command, nation):
        yield it.unit, it.said.removeprefix(f"{it.unit}: ")
