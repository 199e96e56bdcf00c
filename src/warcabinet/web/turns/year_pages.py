"""The forecast and the year starts that were held as parts of a page, as one reader sees them."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.views.words import name
from warcabinet.web.hall.rights import Sitter
from warcabinet.web.sheets.drawn import drawn
from warcabinet.web.sheets.position_view import politics
from warcabinet.web.sheets.year_sheet import NamedLevel, YearSheet
from warcabinet.web.sheets.year_starts import HeldYearStarts, YearColumn
from warcabinet.web.turns.confirming import YearStartStand

#: Rows that are shown whatever they say, and what stands before them; what may be typed into which, by its figure.
SHOWN = ("base", "level", "year_total", "next_base")
BEFORE = {"base": "Base", "construction_limit": "What it allows"}
TYPED = {"base": "base", "level": "brp"}


def held(sitter: Sitter) -> tuple[str, ...]:
    """The powers that are marked as the reader's; none where all are."""
    return sitter.powers if len(sitter.powers) < len(powers()) else ()


def forecast_page(sheet: YearSheet, state: State, sitter: Sitter, mode: str, supposed: Mapping[str, int]) -> str:
    tensions = [NamedLevel(name(it), level) for it, level in state.tracks.items() if not it.startswith("effective")]
    return drawn(
        "sheet-forecast.html",
        sheet=sheet,
        mode=mode,
        supposed=supposed,
        held=held(sitter),
        columns=list(sheet.rows[0].cells),
        areas=[it for it in politics(state) if it.brp],
        tensions=tensions,
        shown=SHOWN,
        before=BEFORE,
        typed=TYPED,
    )


def year_start_page(
    found: HeldYearStarts, stand: YearStartStand | None, now: YearStartStand | None, sitter: Sitter, at: int
) -> str:
    """`now` is the year start that stands before the reader; `at` the one step that is shown, -1 for all."""
    sheet = found.sheet
    if sheet is None:
        return drawn("sheet-year-start.html", sheet=None)
    seats = stand.seats if stand else ()
    columns = sheet.columns if at < 0 else sheet.columns[at % len(sheet.columns) :][:1]
    return drawn(
        "sheet-year-start.html",
        sheet=sheet,
        years=found.held,
        stand=stand,
        stands=stand is not None and now is not None and stand.move == now.move,
        seats={power: seat for seat in seats for power in seat.powers},
        given=sum(bool(it.by or it.steward) for it in seats),
        others=any(not it.mine and it.people for it in seats),
        mine=[power for it in seats if it.mine and not it.by for power in it.powers],
        held=held(sitter),
        columns=columns,
        numbered=_numbers(sheet.columns),
        at=at,
    )


def _numbers(columns: tuple[YearColumn, ...]) -> dict[str, int]:
    """The number of each step at its first column: a total is none, and what one clause allots together is one."""
    first: dict[str, str] = {}
    for it in columns:
        if it.id != "total":
            first.setdefault(it.clause, it.id)
    return {id: number for number, id in enumerate(first.values(), 1)}
