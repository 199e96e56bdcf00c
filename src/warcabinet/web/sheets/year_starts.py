"""The year starts that were held: power by power and step by step as they were counted, each figure open to its sum."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from warcabinet.game import Game
from warcabinet.game.journal import Move
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why, nodes
from warcabinet.model import calendar
from warcabinet.model.events import Determined
from warcabinet.model.names import areas, powers
from warcabinet.model.places import area_holder
from warcabinet.model.state import State
from warcabinet.model.titles import rule_title
from warcabinet.rules.common.books import books_of
from warcabinet.rules.economy.year_start import YEAR_PARTS
from warcabinet.views.words import name, signed
from warcabinet.web.orders.reasons import Asked, Explanation, reason
from warcabinet.web.plumbing.problems import not_found


class YearItem(msgspec.Struct, frozen=True):
    """One thing that counts: Burma 10. What was lost in the year names who has it."""

    name: str
    value: int
    lost_to: str = ""


class YearPart(msgspec.Struct, frozen=True):
    """A part of a step, named by what it is, with its clause once and the things that make it up."""

    label: str
    clause: str
    value: int
    items: tuple[YearItem, ...] = ()
    #: How the value is written where it is no amount, such as a rate.
    shown: str = ""


class YearStep(msgspec.Struct, frozen=True):
    """A step for one power: its sum, its shortest reason, and its parts."""

    value: int
    gist: str
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
    if not wanted:
        return HeldYearStarts(held, None)
    earlier = [it.move for it in held if it.year < wanted[-1].year]
    return HeldYearStarts(held, _sheet(game, wanted[-1], earlier[-1] if earlier else 1))


def _sheet(game: Game, held: YearStartLine, before: int) -> YearStartSheet:
    """`before` is the move after which the year that ended had begun: its year start, or the start of the game."""
    last, counted = _counted(game, held)
    began, was, now = (game.journal.state_at(id) for id in (before, game.journal.move(held.move).before, last))
    rows = tuple(_row(power, why, began, was, now) for power, why in counted.items())
    return YearStartSheet(held.year, held.move, last, COLUMNS, rows)


#: The columns that are counted as the year starts, by the figure that the journal keeps with its reasons.
FIXED = {"year_start_total": "total", "diplomatic_points": "diplomatic", "research_points": "research"}


def _counted(game: Game, held: YearStartLine) -> tuple[int, dict[str, dict[str, Why]]]:
    """The last move of a year start, and for each power the reasons of its figures as the journal keeps them.

    What is on the books changes while a year starts, so that nothing is counted here again.
    """
    found: dict[str, dict[str, Why]] = {}
    last, line = held.move, game.line()
    for move in game.journal.moves(held.move, game.head.id):
        if move.id in line and not _in_year_start(move):
            break
        if move.id not in line:
            continue
        last = move.id
        for record in move.records:
            event = record.event
            if isinstance(event, Determined) and event.rule in FIXED and record.why:
                found.setdefault(str(event.args[0]), {})[FIXED[event.rule]] = record.why[-1]
    now = game.journal.state_at(last)
    for power, why in found.items():
        total = why["total"]
        why["base"] = next(it for it in total.because if it.rule == "next_base")
        why["growth"] = next(it for it in why["base"].because if _grows(it.rule))
        why["deficit"] = next(it for it in total.because if it.rule == "deficit_carried")
        counted = tuple(it for it in total.because if it.rule in AREAS and _whole(it))
        why["areas"] = replace(total, value=sum(map(_whole, counted)), because=counted)
        why["limit"] = explain_value("construction_limit", now, power)
    return last, {power: found[power] for power in powers() if power in found}


def _grows(rule: str) -> bool:
    """Whether a rule says how bases grow: the general one, or one of a single power that displaces it."""
    found = RULES.values().get(rule)
    return rule == "base_growth" or (found is not None and any(it.name == "base_growth" for it in found.displaces))


def year_start_reasons(game: Game, year: int, power: str, column: str) -> Explanation:
    """How a figure of the sheet came about, as the journal keeps it."""
    held = next((it for it in year_starts(game) if it.year == year), None)
    if held is None:
        raise not_found(f"year start {year} in this game")
    why = _counted(game, held)[1].get(power, {}).get(column)
    if why is None:
        raise not_found(f"{column} of {power} in that year start")
    asked = next(it for it in COLUMNS if it.id == column)
    said = Asked(asked.label, asked.label, asked.clause)
    moment = calendar.moment_name(game.journal.move(held.move).moment)
    return Explanation(reason(why), said, moment, (power,), ())


def _in_year_start(move: Move) -> bool:
    return calendar.steps()[calendar.split(move.moment)[1]].part == "year start"


def _row(power: str, why: dict[str, Why], began: State, was: State, now: State) -> YearRow:
    base, total = _number(was, "base", power), _number(was, "year_start_total", power)
    parts = _areas(why["total"], began, now, power)
    unspent, rate = _growth_of(why["growth"])
    told: dict[str, tuple[str, tuple[YearPart, ...]]] = {
        "growth": (_growth_gist(why["growth"], unspent, rate), _growth_parts(why["growth"], unspent, rate, now.year)),
        "base": (f"was {base}", _base_parts(base, _whole(why["base"]), why["growth"], was.year)),
        "areas": (_areas_gist(parts), parts),
        "deficit": ("", ()),
        "total": (f"{signed(_whole(why['total']) - total)} on {was.year}", ()),
        "limit": _limit(why["limit"]),
        "diplomatic": ("", _points(why["diplomatic"], 100) if "diplomatic" in why else ()),
        "research": ("", _points(why["research"], 50) if "research" in why else ()),
    }
    values = {column: _whole(it) for column, it in why.items()}
    steps = {it.id: YearStep(values[it.id], *told[it.id]) for it in COLUMNS if it.id in values}
    return YearRow(power, name(power), steps, base, total)


def _growth_of(why: Why) -> tuple[int, int]:
    """The unspent BRPs that grow, and the rate in per cent."""
    values = {it.rule: _whole(it) for it in reversed(list(nodes(why)))}
    unspent = next((values[it] for it in ("neutral_growing_brps", "growing_brps") if it in values), 0)
    return unspent, values.get("growth_rate", 0)


def _growth_gist(why: Why, unspent: int, rate: int) -> str:
    general = next((_whole(it) for it in why.because if it.rule == "base_growth"), _whole(why))
    if general != _whole(why):
        return f"{general} capped, {why.clause}"
    if not rate:
        return "rate 0 %"
    return f"{unspent} × {rate} %" if unspent else "nothing unspent"


def _growth_parts(why: Why, unspent: int, rate: int, year: int) -> tuple[YearPart, ...]:
    clause = next((it.clause for found in nodes(why) if found.rule == "growth_rate" for it in found.because), "35.31")
    parts = [YearPart("left in Winter", "35.31", unspent), YearPart(f"in {year}", clause, rate, shown=f"× {rate} %")]
    if unspent * rate % 100:
        parts.append(YearPart("fraction dropped", "", 0, shown=f"{unspent * rate / 100:g}"))
    if _whole(why) != unspent * rate // 100:
        parts.append(YearPart(rule_gist(why.rule), why.clause, _whole(why)))
    return tuple(parts)


def _base_parts(was: int, comes_to: int, growth: Why, year: int) -> tuple[YearPart, ...]:
    grown = _whole(growth)
    parts = [YearPart(f"in {year}", "35.21", was), YearPart("growth", growth.clause, grown)]
    if comes_to != was + grown:
        parts.append(YearPart("lowered by a deficit", "35.35", comes_to - was - grown))
    return tuple(parts)


def _limit(why: Why) -> tuple[str, tuple[YearPart, ...]]:
    """What construction is limited to: a third of what is left of the base, where no other rule governs."""
    of = next((it for it in why.because if it.rule == "construction_base"), None)
    if of is None:
        return "", (YearPart(rule_gist(why.rule), why.clause, _whole(why)),)
    parts = [
        YearPart("base" if it.rule == "base" else rule_gist(it.rule), it.clause, _whole(it))
        for it in of.because
        if _whole(it)
    ]
    return f"a third of {_whole(of)}", (*parts, YearPart("a third", "39.31", 3, shown="÷ 3"))


def _points(why: Why, each: int) -> tuple[YearPart, ...]:
    parts = []
    for it in why.because:
        if it.rule == "year_start_total":
            got = max(0, _whole(it)) // each
            parts.append(YearPart(f"one for every {each} of {_whole(it)}", why.clause, got))
        elif _whole(it):
            parts.append(YearPart("basic" if it.rule.startswith("basic") else "from growth", it.clause, _whole(it)))
    return tuple(parts)


def _areas(total: Why, began: State, now: State, power: str) -> tuple[YearPart, ...]:
    """What is added and taken by 35.51, and what the power had when the year began and has no more."""
    found = [_part(it) for it in total.because if it.rule in AREAS and _whole(it)]
    counted = {str(it.args[-1]) for part in total.because for it in part.because if it.args}
    gone = [area for area, value in books_of(began, power).items() if value > 0 and area not in counted]
    lost = tuple(YearItem(name(it), books_of(began, power)[it], _holder(now, it)) for it in gone)
    return (*found, YearPart("lost in the year", "35.73", 0, lost)) if lost else tuple(found)


AREAS = {rule.name for rule in YEAR_PARTS if rule.name != "deficit_carried"} | {"prequel_tiles"}


def _holder(state: State, area: str) -> str:
    holder = area_holder(state, area)
    return name(holder) if holder else "nobody"


def _areas_gist(parts: tuple[YearPart, ...]) -> str:
    """What counts most, how much more there is, and what was lost."""
    items = [it for part in parts for it in part.items or (YearItem(part.label, part.value),)]
    most = sorted((it for it in items if not it.lost_to), key=lambda it: -abs(it.value))
    said = ", ".join(f"{it.name} {_minus(it.value)}" for it in most[:3]) or "none"
    more = f" and {len(most) - 3} more" if len(most) > 3 else ""
    lost = ", ".join(f"{it.name} {it.value}" for it in items if it.lost_to)
    return said + more + (f" · lost {lost}" if lost else "")


def _minus(value: int) -> str:
    return signed(value) if value < 0 else str(value)


def _part(why: Why) -> YearPart:
    named = ((str(it.args[-1]), _whole(it)) for it in why.because if it.args)
    items = tuple(
        YearItem(name(area), value) for area, value in named if area in areas() and area not in powers() and value
    )
    return YearPart(rule_gist(why.rule), why.clause, _whole(why), items)


def rule_gist(rule: str) -> str:
    found = RULES.by_name.get(rule)
    return found.gist if found else rule_title(rule)


def _whole(why: Why) -> int:
    return why.value if isinstance(why.value, int) else 0


def _number(state: State, rule: str, power: str) -> int:
    found = RULES.values().get(rule)
    value = found(state, power) if found else 0
    return value if isinstance(value, int) else 0
