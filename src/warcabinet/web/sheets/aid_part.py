"""The aid page as a part of a page: what `aid_sheet` tells, in the rows, runs and sentences in which it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from warcabinet.game.offers import Offer
from warcabinet.model import calendar
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.views.aid_page import GRANTORS, RECIPIENTS, AidPage, Cell
from warcabinet.views.aid_roads import Road
from warcabinet.views.convoy_sheet import ConvoySheet
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.orders.form_words import command_label
from warcabinet.web.sheets.aid_sheet import AidSheet
from warcabinet.web.sheets.drawn import drawn

Mode = Literal["phase", "turns", "cut"]
#: How a road's prospects begin where they name a hex on which it hangs.
LOSS = "the loss of "


class AidPart(msgspec.Struct, frozen=True):
    """The page, and beside it the grant under way with the name of its operation."""

    drawn: str
    convoy: str
    operation: str


def aid_part(
    sheet: AidSheet, state: State, sitter: Sitter, offers: Iterable[Offer] | None, pair: str, mode: Mode
) -> AidPart:
    """The page as one reader sees it; without offers it is the past, and nothing can be sent."""
    page, lines = sheet.page, sheet.page.plan.lines
    mine = offers is not None and all(it.power in sitter.powers for it in lines)
    inline, beside = (_convoy(sheet.convoy, state, sitter, offers or (), titled) for titled in (False, True))
    return AidPart(
        drawn(
            "sheet-aid.html",
            it=sheet,
            roads={it.id: it for it in page.roads},
            convoy=inline,
            mode=mode,
            chosen=pair,
            next=_next_chance(page, state, sitter),
            recipients=RECIPIENTS,
            rows=[(power, list(_runs(page.cells, power))) for power in _grantors(page.cells)],
            thought=_thought(page),
            hangs={it.id: _hangs_on(it) for it in page.roads},
            # A convoy is an operation of its own; only what a road carries by itself can be left standing.
            standing=mine and all(isinstance(it.command, GrantBrps) for it in lines),
            why=_hindrance(sheet, state, mine) if lines else "",
        ),
        beside,
        sheet.convoy.id if sheet.convoy else "",
    )


def _next_chance(page: AidPage, state: State, sitter: Sitter) -> str:
    if page.now:
        return "They may be made now"
    if state.waiting is not None:
        return "One is under way: first its answer"
    mine = [power for power in sitter.powers if power in page.next]
    moving = [power for power in mine if powers()[power].player == state.player]
    return f"Next chance: {page.next[next(iter((*moving, *mine, 'usa')))]}"


def _hindrance(sheet: AidSheet, state: State, mine: bool) -> str:
    """Why the plan cannot be sent now."""
    if state.waiting is not None:
        return "something is under way: first its answer"
    if not sheet.page.now:
        return f"{sheet.words.when}: {sheet.page.next.get(sheet.page.plan.lines[0].power, 'not at this moment')}"
    return "" if mine else "not all of them are yours"


def _grantors(cells: Iterable[Cell]) -> tuple[str, ...]:
    able = {it.power for it in cells if it.ways}
    return tuple(power for power in GRANTORS if power in able)


def _runs(cells: Iterable[Cell], power: str) -> Iterator[list[Cell]]:
    """A power's row: pairs that no clause lists stand together where they stand beside each other; none is itself."""
    of = {it.to: it for it in cells if it.power == power}
    run: list[Cell] = []
    for to in RECIPIENTS:
        it = of.get(to)
        if run and it and not (it.ways or run[0].ways) and it.why_not[0].clause == run[0].why_not[0].clause:
            run.append(it)
            continue
        if run:
            yield run
        run = [it] if it else []
        if it is None:
            yield run
    if run:
        yield run


def _thought(page: AidPage) -> dict[str, int]:
    """How much of each road the plan would take."""
    roads = [it for it in page.plan.lines if not it.why_not]
    return {road: sum(it.brp for it in roads if it.road == road) for road in {it.road for it in roads}}


def _hangs_on(road: Road) -> str:
    return next((it.text.removeprefix(LOSS) for it in road.would_cut if it.text.startswith(LOSS)), "")


def _convoy(sheet: ConvoySheet | None, state: State, sitter: Sitter, offers: Iterable[Offer], titled: bool) -> str:
    if sheet is None:
        return ""
    mine = [it for it in offers if it.command in sheet.replies and it.available and it.replies_to]
    yours = bool(mine) and bool(set(sheet.waits_for) & set(sitter.powers))
    replies = mine if yours else [Offer(it, "") for it in sheet.replies]
    when = f"{calendar.turn_name(state.turn)}, {state.place.part.capitalize()} turn"
    told = [(it, command_label(it.command)) for it in replies]
    return drawn("sheet-convoy-panel.html", it=sheet, mine=yours, replies=told, when=when, titled=titled)
