"""The year start sequence: totals, limits and allotments for the new year (35.1, 35.2, 35.5)."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.kernel.kept import once
from warcabinet.kernel.rules import Determination, Value
from warcabinet.kernel.tables import read_csv
from warcabinet.kernel.why import Why, answer, note
from warcabinet.model import calendar
from warcabinet.model.accounts import Annual, Base, Brp, Sink, Source, World
from warcabinet.model.commands.economy import ReportOil
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import Determined, EntryPosted, YearOpened
from warcabinet.model.ledger import Part, entry
from warcabinet.model.names import DATA, areas, powers
from warcabinet.model.places import area_holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH_AREAS
from warcabinet.rules.common.books import account_balance, books_of
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.war_and_peace import at_war, same_faction
from warcabinet.rules.economy.base import (
    base,
    carried_deficit,
    growth_research_points,
    keeps_brps,
    level,
    next_base,
    oil_for_growth,
    opens_with_year_start,
    research_points_grown,
    track,
    year_start_total,
    year_start_year,
)
from warcabinet.rules.economy.spending import chinese_turn_limit, construction_limit
from warcabinet.rules.economy.timing import too_early
from warcabinet.rules.kinds import definition, effect, limit, order, value


@value("35.52", covers=("35.23", "74.21", "84.31"))
def area_value(s: State, power: str, area: str) -> int:
    """An area on the books counts in full, whatever its supply; not one whose BRPs are withheld."""
    if clause := withheld(s, power, area):
        note("withheld", clause, 0, area)
        return 0
    if contested(s, power, area):
        note("may_still_be_retaken", "35.64", True, area)
    return account_balance(s, Annual(power, area))


def withheld(s: State, power: str, area: str) -> str:
    """By which clause an area on a power's books brings it nothing yet, if one says so."""
    if (
        area == "philippines"
        and power == "usa"
        and reading_in_force(s, "R-0015") == "b"
        and not at_war(s, "usa", "japan")
    ):
        return "84.31"
    if area in DUTCH_AREAS and power == "britain" and not at_war(s, power, "japan"):
        return "35.23"
    return "74.21" if too_early(s, power, area, year_start_year(s)) else ""


@definition("35.64", "An area whose BRPs a power has received is in enemy hands, and the power may still retake it")
def contested(s: State, power: str, area: str) -> bool:
    if area not in areas() or books_of(s, power).get(area, 0) <= 0 or not areas()[area].places:
        return False
    holder = area_holder(s, area)
    return holder in powers() and not same_faction(s, holder, power)


def category(s: State, power: str, area: str) -> str:
    """Under which letter of 35.51 an area on a power's books is counted."""
    kind = areas()[area].kind
    if kind == "key area":
        return "I" if areas()[area].owner == power else "B"
    if kind in ("major", "ic"):
        return {"major": "A", "ic": "G"}[kind]
    return {"allied": "D", "associated": "E", "penetrated": "F", "controlled": "F"}.get(s.countries[area].status, "C")


@once
def _by_letter(s: State, power: str) -> dict[str, list[str]]:
    """The areas on a power's books, by the letter under which they are counted."""
    found: dict[str, list[str]] = {}
    for area in books_of(s, power):
        found.setdefault(category(s, power, area), []).append(area)
    return found


@value("35.51")
def year_total(s: State, power: str) -> int:
    """The total for the year: the new base, what is on the books, less deficits and lost key areas."""
    note("reckoned_for_each_power", "35.23", True, power)
    return next_base(s, power)


def _part(letter: str, name: str, gist: str) -> Value[[State, str], int]:
    """A part of the year's total: what is counted on the books under a letter of 35.51; H is the deficit."""

    def counted(s: State, power: str) -> int:
        if letter == "H":
            return -carried_deficit(s, power)
        found = sum([area_value(s, power, area) for area in _by_letter(s, power).get(letter, ())])
        if found and letter in KEY_AREAS:
            note("key_areas", "38.13", found, power)
        return found

    counted.__name__ = name
    return value(f"35.51{letter}", gist, adds_to=year_total, covers=("38.13",) if letter in KEY_AREAS else ())(counted)


#: The letters under which key economic areas are counted: captured ones, and own ones in other hands.
KEY_AREAS = ("B", "I")
YEAR_PARTS = (
    _part("A", "conquered_majors", "Conquered major powers"),
    _part("B", "captured_key_areas", "Captured key economic areas"),
    _part("C", "colonies_and_conquests", "Colonies and conquered minor countries"),
    _part("D", "minor_allies", "Active minor allies"),
    _part("E", "associated_minors", "Associated minor countries"),
    _part("F", "penetrated_minors", "Economically penetrated minor countries"),
    _part("G", "industrial_centers", "Industrial centers, captured or controlled"),
    _part("H", "deficit_carried", "Deficit carried over"),
    _part("I", "key_areas_lost", "Own key economic areas in other hands"),
)


@value("35.11A", adds_to=year_total, when=lambda s, power: opens_with_year_start(s))
def prequel_tiles(s: State, power: str) -> int:
    """Tiles and trade pacts of the prequel game count once, in a year start that opens the game."""
    brought = s.options.tiles.get(power, 0)
    note("tiles", "35.11A", brought, power)
    return brought


@effect("35.13A", "Bases grow or shrink, the old year's BRPs lapse, and the new year's total is received")
def calculate_brps(p: Proceedings) -> None:
    for power in powers():
        if keeps_brps(p.s, power):
            _begin_year(p, power)


def _begin_year(p: Proceedings, power: str) -> None:
    """One power's step: everything is reckoned on the position at the end of winter, then posted with its reasons."""
    s = p.s
    total, why_total = year_total.explained(s, power)
    new, why_new = next_base.explained(s, power)
    points, why_points = growth_research_points.explained(s, power)
    left, why_left = level.explained(s, power)
    parts = _total_parts(s, power)
    p.clear()
    change = new - base(s, power)
    if change:
        memo, clause = ("growth", "35.31") if change > 0 else ("the base shrinks", "35.35")
        made = entry(memo, (Base(power), change), (World("base"), -change))
        p.do(EntryPosted(made), clause, (why_new,))
    if left:
        made = entry("the old year's BRPs lapse", (Brp(power), -left), (Sink("brp", "year"), left))
        p.do(EntryPosted(made), "35.31", (why_left,))
    memo = f"{calendar.year(s.turn)} year start"
    made = entry(memo, (Brp(power), total), (Source("brp", "year"), -total), parts=parts)
    p.do(EntryPosted(made), "35.51", (why_total,))
    _fix(p, "year_start_total", power, total, "35.51", (why_total,))
    _fix(p, "research_points_grown", power, points, "35.34", (why_points,))


def _total_parts(s: State, power: str) -> tuple[Part, ...]:
    parts = [Part("35.21", "base", next_base(s, power))]
    for rule in YEAR_PARTS:
        amount = rule(s, power)
        if amount:
            parts.append(Part(rule.clause, rule.gist, amount))
    if opens_with_year_start(s) and prequel_tiles(s, power):
        parts.append(Part("35.11A", "tiles and trade pacts", prequel_tiles(s, power)))
    return tuple(parts)


def _fix(p: Proceedings, rule: str, power: str, amount: int, clause: str, why: tuple[Why, ...] | None = None) -> None:
    """Write down a figure for as long as the year lasts; a referee's ruling on it stands."""
    ruled = p.s.determinations.get(rule, {}).get(power)
    if ruled is not None and ruled.scope == "game":
        return
    when = f"in the {p.s.year} year start" if p.s.place.part == "year start" else "as the game began"
    fixed = Determination(answer(amount), clause, f"fixed {when}", "year")
    p.do(Determined(rule, (power,), fixed), clause, why)


@effect("35.13", "The old year is closed: its happenings and figures lapse")
def open_new_year(p: Proceedings) -> None:
    kept = {rule: dict(p.s.determinations.get(rule, {})) for rule in ("year_start_total", "research_points_grown")}
    p.do(YearOpened(p.s.year))
    for rule, by_power in kept.items():
        for power, fixed in by_power.items():
            if fixed.scope == "year":
                p.do(Determined(rule, (power,), fixed), fixed.clause)


@effect("35.13B", "Construction limits for the new year; China's spending limit is written down")
def record_limits(p: Proceedings) -> None:
    for power in powers():
        if keeps_brps(p.s, power):
            construction_limit(p.s, power)
    if keeps_brps(p.s, "china"):
        _fix(p, "chinese_turn_limit", "china", chinese_turn_limit(p.s, "china"), "39.11A")


class Allotment(msgspec.Struct, frozen=True):
    power: str
    diplomatic: int
    research: int
    source: str


@cache
def basic_allotments() -> dict[str, Allotment]:
    return {row.power: row for row in read_csv(DATA / "allotments.csv", Allotment)}


@definition("35.12", "No year start has been held yet: the game began in the course of the year")
def before_first_year_start(s: State) -> bool:
    start = calendar.parse_turn(s.options.start)
    if calendar.season(start) == calendar.SPRING:
        return False
    return s.turn < calendar.turn_number(calendar.SPRING, calendar.year(start) + 1)


@value("35.13C", "A power's basic diplomatic points; the American ones follow the Atlantic tension")
def basic_diplomatic_points(s: State, power: str) -> int:
    if power == "usa":
        return min(5, track(s, "usat") // 10)
    return basic_allotments()[power].diplomatic


@value("35.13C", "A power's basic research points; the American ones follow the tensions until war in both theaters")
def basic_research_points(s: State, power: str) -> int:
    if power == "usa" and not (at_war(s, "usa", "germany") and at_war(s, "usa", "japan")):
        return (track(s, "usat") + track(s, "usjt")) // 10
    return basic_allotments()[power].research


@value("35.13C", covers=("35.11B", "35.12"))
def diplomatic_points(s: State, power: str) -> int:
    """Diplomatic points: the basic allotment, and one for every 100 BRPs of the year start total, if one was held."""
    return basic_diplomatic_points(s, power) + _of_total(s, power, 100)


@value("35.13C", covers=("35.11B", "35.12"))
def research_points(s: State, power: str) -> int:
    """Research points: the basic allotment, one for every 50 BRPs of the total, and those from growth."""
    points = basic_research_points(s, power) + _of_total(s, power, 50)
    return points if before_first_year_start.fn(s) else points + research_points_grown(s, power)


def _of_total(s: State, power: str, brps: int) -> int:
    """One point for every so many BRPs of the year start total; none before the first year start."""
    # Asked without a trace: that it does not hold is no reason.
    if before_first_year_start.fn(s):
        note("basic_alone", "35.12", 0, power)
        return 0
    if opens_with_year_start.fn(s):
        note("opens_the_game", "35.11B", True, power)
    return max(0, year_start_total(s, power) // brps)


@effect("35.13C", "Diplomatic and research points are allotted for the year")
def allot_points(p: Proceedings) -> None:
    _allot(p, "35.13C")


def _allot(p: Proceedings, clause: str) -> None:
    for power in powers():
        if keeps_brps(p.s, power):
            _fix(p, "diplomatic_points", power, diplomatic_points(p.s, power), clause)
            _fix(p, "research_points", power, research_points(p.s, power), clause)


@effect("35.12", "In a game that begins within the year the basic points are allotted as its first turn begins")
def allot_first_points(p: Proceedings) -> None:
    first = p.s.turn == calendar.parse_turn(p.s.options.start) and p.s.player == "axis"
    if first and before_first_year_start(p.s):
        _allot(p, "35.12")


@order("35.31", "Oil for growth is or is not used in the coming year start", on=ReportOil)
def report_oil(p: Proceedings, cmd: ReportOil) -> None:
    reason = "reported by the players (33.61E)"
    oil_for_growth.note(p, cmd.used_for_growth, reason, cmd.power)


@limit("WC.3", "What the referee has ruled on is not reported otherwise", on=ReportOil)
def oil_not_ruled(s: State, cmd: ReportOil) -> str | None:
    fixed = oil_for_growth.noted(s, cmd.power)
    return "the referee has ruled on oil for growth; ask for a release" if fixed and fixed.scope == "game" else None


@limit("35.23", on=ReportStatus, when=lambda s, cmd: cmd.country in DUTCH_AREAS and cmd.power == "britain")
def dutch_indies_need_war(s: State, cmd: ReportStatus) -> str | None:
    """The Dutch East Indies bring Britain nothing before its war with Japan."""
    if at_war(s, "britain", "japan"):
        return None
    return "Britain receives the Dutch East Indies' BRPs only once it is at war with Japan"
