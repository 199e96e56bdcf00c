"""What falls due, soonest first, in words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import msgspec

from warcabinet.game.forecast import Item, agenda
from warcabinet.model import calendar
from warcabinet.model.names import countries, powers
from warcabinet.model.state import State
from warcabinet.views.words import name


class AgendaLine(msgspec.Struct, frozen=True):
    """Something that falls due: when, what, for whom, how much, and what would avert it."""

    id: str
    due: str
    moment: int
    turn: str
    clause: str
    clauses: tuple[str, ...]
    text: str
    power: str
    about: str
    about_name: str
    brp: int
    #: The share of it that comes in that season, in per cent, and what that comes to.
    share: int
    comes_to: int
    averted_by: str
    #: In a line, and what stands under it: when in the turn, which share, what would avert it, whose it is.
    said: str
    more: str


def agenda_lines(state: State) -> tuple[AgendaLine, ...]:
    return tuple(map(_line, agenda(state)))


def _line(item: Item) -> AgendaLine:
    turn = calendar.turn_name(calendar.split(item.moment)[0])
    # Units on the turn record track are about their turn, which is told already.
    about = "" if item.about == turn else item.about
    return AgendaLine(
        id=item.id,
        due=item.due,
        moment=item.moment,
        turn=turn,
        clause=item.clause,
        clauses=item.clauses,
        text=item.text,
        power=item.power,
        about=item.about,
        about_name=name(about) if about else "",
        brp=item.brp,
        share=item.share,
        comes_to=int(item.brp * item.share / 100),
        averted_by=item.averted_by,
        said=_said(name(about), item.text) if about else item.text,
        more=" ".join(_more(item)),
    )


def _said(about: str, text: str) -> str:
    """A sentence inside another: small at its beginning, unless that is a name or an abbreviation."""
    named = any(text.startswith(f"{it} ") for it in _names())
    inner = text if named or text[1:2].isupper() else text[:1].lower() + text[1:]
    return f"{about}: {inner}"


@cache
def _names() -> tuple[str, ...]:
    return tuple(name(it) for it in (*powers(), *countries()))


def _more(item: Item) -> Iterator[str]:
    rest = item.due.partition(", ")[2]
    if rest:
        yield f"{rest}."
    if item.share < 100 and item.brp:
        yield f"{item.share} % of {abs(item.brp)}."
    if item.averted_by:
        yield f"Averted by {item.averted_by}."
    if item.power:
        yield f"{name(item.power)}."
