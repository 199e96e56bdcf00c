"""The year start sheet: the next year start as it stands, with what falls due, or if some figures were other."""

from __future__ import annotations

from typing import Literal

import msgspec

from warcabinet.figures.table import correction
from warcabinet.game.forecast import YearStart, as_year_ends, before_year_start, year_start
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Answer as Value
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.apply import apply
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.rules.economy.base import year_start_total
from warcabinet.views.words import name
from warcabinet.web.orders.reasons import Explanation, explanation
from warcabinet.web.sheets.position_view import assumed_figures, may_run_deficits

Mode = Literal["stands", "due"]


class SheetCell(msgspec.Struct, frozen=True):
    """A figure with what displaced the general rule, so that the sheet can say so in the cell."""

    value: Value
    clause: str = ""
    by: str = ""
    general: Value = None


class SheetRow(msgspec.Struct, frozen=True):
    """One line of the sheet: what every power has under it."""

    rule: str
    clause: str
    label: str
    gist: str
    cells: dict[str, SheetCell]


class NamedLevel(msgspec.Struct, frozen=True):
    name: str
    level: int


class YearSheet(msgspec.Struct, frozen=True):
    """The next year start, row by row, and the moment from which it was reckoned."""

    year: int
    rows: tuple[SheetRow, ...]
    mode: Mode
    counted_from: str
    tracks: tuple[NamedLevel, ...]
    #: Powers whose base rests on no clause.
    assumed: tuple[str, ...]
    #: With how much each power began the year that ends.
    began: dict[str, int]


def supposed(state: State, changes: list[tuple[str, int]]) -> State:
    """A copy of a position in which some figures are other than they are: the same door as a referee's correction."""
    for figure, to in changes:
        for event in correction(state, figure, to):
            state = apply(state, event)
    return state


def looked_at(state: State, mode: Mode) -> State:
    """The position from which a year start is reckoned: as it stands, or after everything that falls due until then."""
    return before_year_start(state) if mode == "due" else as_year_ends(state)


def after_year_start(state: State, sheet: YearStart) -> State:
    """The position with every power's new base and total; what a new year allows follows from them."""
    figures = {"next_base": "base", "year_total": "brp"}
    changes = [
        (f"powers.{power}.{figures[row.rule]}", int(str(why.value)))
        for row in sheet.rows
        if row.rule in figures
        for power, why in row.cells.items()
    ]
    return supposed(state, changes)


#: What the new figures allow, shown under the sheet.
ALLOWED = ("construction_limit", "deficit_limit")


def year_sheet(state: State, mode: Mode, real: State | None = None) -> YearSheet:
    """The next year start: as the position stands, or with everything that falls due until then.

    `real` is the position as it is, where `state` only supposes something.
    """
    position = looked_at(state, mode)
    sheet = year_start(position)
    rows = [
        SheetRow(
            rule=row.rule,
            clause=row.clause,
            label=row.label[:1].upper() + row.label[1:],
            gist=RULES.by_name[row.rule].gist,
            cells={power: _cell(why, row.rule) for power, why in row.cells.items()},
        )
        for row in sheet.rows
    ]
    after = after_year_start(position, sheet)
    extra = [_extra(after, rule, f"{rule_title(rule)} in {sheet.year}") for rule in ALLOWED if rule in RULES.values()]
    return YearSheet(
        year=sheet.year,
        rows=(*rows, *extra),
        mode=mode,
        counted_from=calendar.moment_name(position.moment),
        tracks=tuple(NamedLevel(name(t), level) for t, level in (real or state).tracks.items()),
        assumed=tuple(power for power in powers() if f"powers.{power}.base" in assumed_figures(state.scenario)),
        began={power: year_start_total(real or state, power) for power in powers()},
    )


def year_sheet_reasons(state: State, mode: Mode, rule: str, power: str) -> Explanation:
    """How a figure of the sheet comes about, in the position from which the sheet was reckoned."""
    position = looked_at(state, mode)
    asked = after_year_start(position, year_start(position)) if rule in ALLOWED else position
    return explanation(asked, rule, (power,))


def _cell(why: Why, rule: str) -> SheetCell:
    other = why.rule if why.rule != rule else ""
    general = next((b.value for b in why.because if b.rule == rule), None) if rule in why.set_aside else None
    return SheetCell(why.value, why.clause if other else "", other, general)


def _extra(state: State, rule: str, label: str) -> SheetRow:
    """What the new figures allow."""
    kept = RULES.by_name[rule]
    cells = {}
    for power in powers():
        allowed = rule != "deficit_limit" or may_run_deficits(state, power)
        cells[power] = SheetCell(explain_value(rule, state, power).value if allowed else 0)
    return SheetRow(rule, kept.clause, label, kept.gist, cells)
