"""The API of year starts: the sheets that were held, how their figures came about, and who has confirmed them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from warcabinet.web.api.api_play import At, T
from warcabinet.web.hall.hall import Hall
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.hall.tables_in_play import Table
from warcabinet.web.orders.reasons import Explanation
from warcabinet.web.plumbing.stream import SeatsNews
from warcabinet.web.sheets.year_starts import HeldYearStarts
from warcabinet.web.table.endpoints import Ask, endpoint
from warcabinet.web.table.reckoning import reckoned
from warcabinet.web.turns.confirming import YearStartStand, confirm, open_spring, stand, stand_now
from warcabinet.web.turns.year_pages import year_start_page


class YearQuery(msgspec.Struct, frozen=True):
    year: Annotated[int, Meta(ge=1930, le=1960, description="a year; absent: the last that was held")] | None = None


class YearStartPage(HeldYearStarts, frozen=True):
    """The year starts of a game, the sheet of one, and who has confirmed it."""

    stand: YearStartStand | None


@endpoint("GET", T + "/year-start", "A year start that was held, and who has confirmed it")
def held_year_start(ask: Ask[YearQuery, None]) -> YearStartPage:
    found: HeldYearStarts = reckoned(ask, "year starts", ask.query.year)
    with ask.table() as table:
        counted = table.game.journal.move(found.sheet.first) if found.sheet else None
        return YearStartPage(found.held, found.sheet, stand(ask.server.hall, table, ask.sitter, counted))


class YearLook(YearQuery, frozen=True):
    step: Annotated[int, Meta(ge=-1, le=20, description="the one step that is shown; -1: all of them")] = -1
    at: At | None = None


@endpoint("GET", T + "/year-start/page", "The same as a part of a page", media="text/html; charset=utf-8")
def drawn_year_start(ask: Ask[YearLook, None]) -> str:
    found = held_year_start(ask)
    with ask.table() as table:
        now = None if ask.query.at else stand_now(ask.server.hall, table, ask.sitter)
    return year_start_page(found, found.stand, now, ask.sitter, ask.query.step)


class YearFigure(msgspec.Struct, frozen=True):
    year: Annotated[int, Meta(ge=1930, le=1960)]
    power: Annotated[str, Meta(max_length=20)]
    column: Annotated[str, Meta(max_length=20, description="a column of the sheet by its id")]


@endpoint("GET", T + "/year-start/explain", "How a figure of a year start came about, to the clause")
def year_start_figure(ask: Ask[YearFigure, None]) -> Explanation:
    q = ask.query
    told: Explanation = reckoned(ask, "year figure", q.year, q.power, q.column)
    return told


class OfYear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    year: Annotated[int, Meta(ge=1930, le=1960)]


@endpoint("POST", T + "/year-start/confirm", "Confirm a year start for the seats that one holds")
def confirm_year_start(ask: Ask[None, OfYear]) -> YearStartStand:
    return _year_start(ask, confirm)


@endpoint("POST", T + "/year-start/open", "Let the spring begin before every seat has confirmed")
def open_the_spring(ask: Ask[None, OfYear]) -> YearStartStand:
    return _year_start(ask, open_spring)


def _year_start(ask: Ask[None, OfYear], done: Callable[[Hall, Table, Sitter, int], YearStartStand]) -> YearStartStand:
    with ask.table() as table:
        found = done(ask.server.hall, table, ask.sitter, ask.body.year)
    ask.server.switchboard.tell(ask.id, "seats", SeatsNews())
    ask.server.herald.moved(ask.id, ask.sitter.person.id)
    return found
