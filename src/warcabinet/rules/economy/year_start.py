"""The year start sequence: totals, limits and allotments for the new year (35.1, 35.2, 35.5)."""

from __future__ import annotations

from functools import cache

import msgspec

from warcabinet.kernel.kept import once
from warcabinet.kernel.rules import Determination
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
from warcabinet.rules.common.moments import reading
from warcabinet.rules.common.war_and_peace import at_war, same_faction
from warcabinet.rules.economy.base import base, keeps_brps, level, research_points_grown, year_start_total
from warcabinet.rules.economy.growth import (
    carried_deficit,
    growth_research_points,
    next_base,
    oil_for_growth,
    opens_with_year_start,
    track,
)
from warcabinet.rules.economy.spending import chinese_turn_limit, construction_limit
from warcabinet.rules.kinds import definition, effect, limit, order, value


@value("35.52", "An area on the books counts in full, whatever its supply")
def area_value(s: State, power: str, area: str) -> int:
    return account_balance(s, Annual(power, area))


@definition("35.64", "An area whose BRPs a power has received is in enemy hands, and the power may still retake it")
def contested(s: State, power: str, area: str) -> bool:
    if area not in areas() or books_of(s, power).get(area, 0) <= 0 or not areas()[area].places:
        return False
    holder = area_holder(s, area)
    return holder in powers() and not same_faction(s, holder, power)


@value("35.64", displaces=area_value, when=contested)
def contested_value(s: State, power: str, area: str) -> int:
    """Lost in the winter turn: the former holder still receives the BRPs, and has its spring turn to retake the
    area.
    """
    return area_value.general(s, power, area)


@value(
    "84.31",
    displaces=(area_value, contested_value),
    when=lambda s, power, area: (
        area == "philippines" and power == "usa" and reading("R-0015", "b")(s) and not at_war(s, "usa", "japan")
    ),
)
def philippines_withheld(s: State, power: str, area: str) -> int:
    """Under the other reading the U.S. has nothing for the Philippines before its war with Japan."""
    return 0


@value(
    "35.23",
    displaces=(area_value, contested_value),
    when=lambda s, power, area: area in DUTCH_AREAS and power == "britain" and not at_war(s, power, "japan"),
)
def dutch_indies_withheld(s: State, power: str, area: str) -> int:
    """The Dutch East Indies count for Britain only once it is at war with Japan."""
    return 0


def category(s: State, power: str, area: str) -> str:
    """Under which letter of 35.51 an area on a power's books is counted."""
    kind = areas()[area].kind
    if kind == "key area":
        return "I" if areas()[area].owner == power else "B"
    if kind in ("major", "ic"):
        return {"major": "A", "ic": "G"}[kind]
    return {"allied": "D", "associated": "E", "penetrated": "F", "controlled": "F"}.get(s.countries[area].status, "C")


def _counted(s: State, power: str, letter: str) -> int:
    return sum([area_value(s, power, area) for area in _by_letter(s, power).get(letter, ())])


@once
def _by_letter(s: State, power: str) -> dict[str, list[str]]:
    """The areas on a power's books, by the letter under which they are counted."""
    found: dict[str, list[str]] = {}
    for area in books_of(s, power):
        found.setdefault(category(s, power, area), []).append(area)
    return found


@value("35.51", covers=("35.23",))
def year_total(s: State, power: str) -> int:
    """The total for the year: the new base, what is on the books, less deficits and lost key areas."""
    note("reckoned_for_each_power", "35.23", True, power)
    return next_base(s, power)


@value("35.51A", "Conquered major powers", adds_to=year_total)
def conquered_majors(s: State, power: str) -> int:
    return _counted(s, power, "A")


@value("35.51B", "Captured key economic areas", adds_to=year_total, covers=("38.13",))
def captured_key_areas(s: State, power: str) -> int:
    added = _counted(s, power, "B")
    if added:
        note("captured", "38.13", added, power)
    return added


@value("35.51C", "Colonies and conquered minor countries", adds_to=year_total)
def colonies_and_conquests(s: State, power: str) -> int:
    return _counted(s, power, "C")


@value("35.51D", "Active minor allies", adds_to=year_total)
def minor_allies(s: State, power: str) -> int:
    return _counted(s, power, "D")


@value("35.51E", "Associated minor countries", adds_to=year_total)
def associated_minors(s: State, power: str) -> int:
    return _counted(s, power, "E")


@value("35.51F", "Economically penetrated minor countries", adds_to=year_total)
def penetrated_minors(s: State, power: str) -> int:
    return _counted(s, power, "F")


@value("35.51G", "Industrial centers, captured or controlled", adds_to=year_total)
def industrial_centers(s: State, power: str) -> int:
    return _counted(s, power, "G")


@value("35.51H", "Deficit carried over", adds_to=year_total)
def deficit_carried(s: State, power: str) -> int:
    return -carried_deficit(s, power)


@value("35.51I", "Own key economic areas in other hands", adds_to=year_total, covers=("38.13",))
def key_areas_lost(s: State, power: str) -> int:
    lost = _counted(s, power, "I")
    if lost:
        note("lost", "38.13", lost, power)
    return lost


@value("35.11A", adds_to=year_total, when=lambda s, power: opens_with_year_start(s))
def prequel_tiles(s: State, power: str) -> int:
    """Tiles and trade pacts of the prequel game count once, in a year start that opens the game."""
    brought = s.options.tiles.get(power, 0)
    note("tiles", "35.11A", brought, power)
    return brought


YEAR_PARTS = (
    conquered_majors,
    captured_key_areas,
    colonies_and_conquests,
    minor_allies,
    associated_minors,
    penetrated_minors,
    industrial_centers,
    deficit_carried,
    key_areas_lost,
)


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


@value("35.13C", "Diplomatic points: the basic allotment, and one for every 100 BRPs of the year start total")
def diplomatic_points(s: State, power: str) -> int:
    return basic_diplomatic_points(s, power) + max(0, year_start_total(s, power) // 100)


@value("35.13C", "Research points: the basic allotment, one for every 50 BRPs of the total, and those from growth")
def research_points(s: State, power: str) -> int:
    return basic_research_points(s, power) + max(0, year_start_total(s, power) // 50) + research_points_grown(s, power)


@value("35.12", displaces=diplomatic_points, when=lambda s, power: before_first_year_start(s))
def first_diplomatic_points(s: State, power: str) -> int:
    """Without a year start a power has only its basic diplomatic points."""
    return basic_diplomatic_points(s, power)


@value("35.12", displaces=research_points, when=lambda s, power: before_first_year_start(s))
def first_research_points(s: State, power: str) -> int:
    """Without a year start a power has only its basic research points."""
    return basic_research_points(s, power)


@value("35.11B", displaces=diplomatic_points, when=lambda s, power: opens_with_year_start(s))
def opening_diplomatic_points(s: State, power: str) -> int:
    """A year start that opens the game allots by basic allotment and BRP level."""
    return diplomatic_points.general(s, power)


@value("35.11B", displaces=research_points, when=lambda s, power: opens_with_year_start(s))
def opening_research_points(s: State, power: str) -> int:
    """A year start that opens the game allots by basic allotment and BRP level."""
    return research_points.general(s, power)


@effect("35.13C", "Diplomatic and research points are allotted for the year")
def allot_points(p: Proceedings) -> None:
    for power in powers():
        if keeps_brps(p.s, power):
            _fix(p, "diplomatic_points", power, diplomatic_points(p.s, power), "35.13C")
            _fix(p, "research_points", power, research_points(p.s, power), "35.13C")


@effect("35.12", "In a game that begins within the year the basic points are allotted as its first turn begins")
def allot_first_points(p: Proceedings) -> None:
    first = p.s.turn == calendar.parse_turn(p.s.options.start) and p.s.player == "axis"
    if not first or not before_first_year_start(p.s):
        return
    for power in powers():
        if keeps_brps(p.s, power):
            _fix(p, "diplomatic_points", power, diplomatic_points(p.s, power), "35.12")
            _fix(p, "research_points", power, research_points(p.s, power), "35.12")


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
