"""The year starts that were held: power by power and step by step as they were counted, each figure open to its sum."""

from __future__ import annotations

import msgspec

from warcabinet.game import Game
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.names import areas, powers
from warcabinet.model.state import State
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.year_start import YEAR_PARTS
from warcabinet.web.errors import not_found
from warcabinet.words import name, rule_title


class YearItem(msgspec.Struct, frozen=True):
    """One thing that counts: Burma 10."""

    name: str
    value: int


class YearPart(msgspec.Struct, frozen=True):
    """A part of a step, named by what it is, with its clause once and the things that make it up."""

    label: str
    clause: str
    value: int
    items: tuple[YearItem, ...]


class YearStep(msgspec.Struct, frozen=True):
    """A step for one power: its sum, the value that explains it and after which move, and its parts."""

    value: int
    rule: str
    at: int
    parts: tuple[YearPart, ...]


class YearRow(msgspec.Struct, frozen=True):
    """One power's year start, in the order in which it is counted."""

    power: str
    name: str
    steps: dict[str, YearStep]
    was_base: int
    was_total: int


class YearColumn(msgspec.Struct, frozen=True):
    id: str
    label: str
    clause: str


class YearStartSheet(msgspec.Struct, frozen=True):
    """A year start that was held, kept for ever: from which moves it was counted, and what came out."""

    year: int
    first: int
    last: int
    columns: tuple[YearColumn, ...]
    rows: tuple[YearRow, ...]


class YearStartLine(msgspec.Struct, frozen=True):
    year: int
    move: int


class HeldYearStarts(msgspec.Struct, frozen=True):
    """The year starts of a game so far, and the sheet of the one that was asked for."""

    held: tuple[YearStartLine, ...]
    sheet: YearStartSheet | None


COLUMNS = (
    YearColumn("growth", "Growth", "35.31"),
    YearColumn("base", "Base", "35.21"),
    YearColumn("areas", "Areas added and taken", "35.51"),
    YearColumn("deficit", "Deficit", "35.53"),
    YearColumn("total", "Total", "35.51"),
    YearColumn("limit", "Construction limit", "39.31"),
    YearColumn("diplomatic", "Diplomatic points", "35.13C"),
    YearColumn("research", "Research points", "35.13C"),
)
#: The values behind the columns, counted on the position before the year start or on the one after it.
BEFORE = {"growth": "base_growth", "base": "next_base", "deficit": "deficit_carried", "total": "year_total"}
AFTER = {"limit": "construction_limit", "diplomatic": "diplomatic_points", "research": "research_points"}


def year_starts(game: Game) -> tuple[YearStartLine, ...]:
    """Every year start on the line of play, with the move that counted it."""
    first = calendar.first_step("year start")
    found = []
    for id in sorted(game.line()):
        turn, step = calendar.split(game.journal.move(id).moment)
        if step == first:
            found.append(YearStartLine(calendar.year(turn), id))
    return tuple(found)


def held_year_starts(game: Game, year: int | None) -> HeldYearStarts:
    """The sheet of a year, or of the last one; none where none was held."""
    held = year_starts(game)
    wanted = [it for it in held if year is None or it.year == year]
    if year is not None and not wanted:
        raise not_found(f"year start {year} in this game")
    return HeldYearStarts(held, _sheet(game, wanted[-1]) if wanted else None)


def _sheet(game: Game, held: YearStartLine) -> YearStartSheet:
    line = sorted(game.line())
    at_year_start = [id for id in line if id >= held.move and _in_year_start(game, id)]
    before, last = line[line.index(held.move) - 1], at_year_start[-1]
    was, now = game.journal.state_at(before), game.journal.state_at(last)
    rows = tuple(_row(was, now, power, before, last) for power in powers() if keeps_brps(was, power))
    return YearStartSheet(held.year, held.move, last, COLUMNS, rows)


def _in_year_start(game: Game, id: int) -> bool:
    _, step = calendar.split(game.journal.move(id).moment)
    return calendar.steps()[step].part == "year start"


def _row(was: State, now: State, power: str, before: int, last: int) -> YearRow:
    steps = {column: _step(was, rule, power, before) for column, rule in BEFORE.items()}
    steps |= {column: _step(now, rule, power, last) for column, rule in AFTER.items() if rule in RULES.values()}
    parts = tuple(
        it for rule in YEAR_PARTS if (it := _part(was, rule.name, power)).value and rule.name != "deficit_carried"
    )
    steps["areas"] = YearStep(sum(it.value for it in parts), "year_total", before, parts)
    return YearRow(power, name(power), steps, _number(was, "base", power), _number(was, "year_start_total", power))


def _step(state: State, rule: str, power: str, at: int) -> YearStep:
    why = explain_value(rule, state, power)
    parts = tuple(
        YearPart(rule_title(it.rule), it.clause, int(it.value), ())
        for it in why.because
        if isinstance(it.value, int) and not isinstance(it.value, bool) and it.value
    )
    # What a total adds up stands in the steps before it.
    return YearStep(_whole(why), rule, at, () if rule == BEFORE["total"] else parts)


def _part(state: State, rule: str, power: str) -> YearPart:
    why = explain_value(rule, state, power)
    named = ((str(it.args[-1]), _whole(it)) for it in why.because if it.args)
    items = tuple(
        YearItem(name(area), value) for area, value in named if area in areas() and area not in powers() and value
    )
    return YearPart(rule_title(rule), why.clause, _whole(why), items)


def _whole(why: Why) -> int:
    return why.value if isinstance(why.value, int) else 0


def _number(state: State, rule: str, power: str) -> int:
    found = RULES.values().get(rule)
    value = found(state, power) if found else 0
    return value if isinstance(value, int) else 0
