"""An amount of log, ledger, agenda or chart as the page opens it."""

from __future__ import annotations

import msgspec

from warcabinet.model import calendar
from warcabinet.views.sums import Sum
from warcabinet.views.words import name
from warcabinet.web.orders.reasons import Reason, reason


class SumSheet(msgspec.Struct, frozen=True):
    """An amount, what it is made of, and the level before and after it where it has been posted."""

    title: str
    power: str
    power_name: str
    amount: int
    when: str
    clause: str
    rows: tuple[Reason, ...]
    was: int | None
    comes_to: int | None
    #: The move that posted it, and the number of its event; 0 for what has not come yet.
    move: int
    event: int
    #: The year start whose sheet shows it among the others; 0 where there is none.
    year: int


def sum_sheet(it: Sum) -> SumSheet:
    title = it.title[:1].upper() + it.title[1:]
    rows = tuple(reason(row, it.whole) for row in it.rows)
    when = calendar.moment_name(it.moment)
    power = name(it.power) if it.power else ""
    return SumSheet(
        title, it.power, power, it.amount, when, it.clause, rows, it.was, it.comes_to, it.move, it.event, it.year
    )
