"""What falls due, soonest first, in words."""

from __future__ import annotations

import msgspec

from warcabinet.game.forecast import Item, agenda
from warcabinet.model import calendar
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
    )
