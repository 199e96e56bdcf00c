"""Forecasts: the next year start as if the year ended now, and what falls due until a moment to come."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import cast

import msgspec

from warcabinet.game.engine import ENGINE, GameRecord
from warcabinet.game.mobilization_calendar import Coming, coming_mobilizations
from warcabinet.game.pools import turn_record_track
from warcabinet.kernel.decision import explain_value
from warcabinet.kernel.effects import Due
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why
from warcabinet.model import calendar
from warcabinet.model.agenda import Agenda, Arrival, Caught, Matter, OfArea, Promise
from warcabinet.model.apply import apply
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import EntryPosted
from warcabinet.model.names import areas, called, powers
from warcabinet.model.state import OpenOperation, State
from warcabinet.model.traits import PARTS
from warcabinet.rules.common.moments import Foreseen, foreseen
from warcabinet.rules.common.waiting import waits_text
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.industrial_centers import foreseen_ic
from warcabinet.rules.economy.mobilization import economic_effects, mobilization_brps, mobilizations_due
from warcabinet.rules.economy.mobilization_schedule import brings_ic
from warcabinet.rules.economy.timing import (
    lose_area,
    not_yet_received,
    receive_conquest,
    received_though_lost,
    still_counted_elsewhere,
    still_held,
)
from warcabinet.rules.economy.year_start import YEAR_PARTS
from warcabinet.rules.minors.association import (
    associate_spain,
    associate_survivor,
    association_brings,
    association_pays,
    still_brings,
    why_it_waits,
    would_associate_with,
)
from warcabinet.rules.minors.pacific import associate_dutch
from warcabinet.rules.minors.status import CUT_OFF, grace_ends, lose_part, partly_supplied

ROWS = {
    "base": "base now",
    "level": "level now",
    "growth_rate": "growth rate, %",
    "base_growth": "growth",
    "negative_growth": "deficit lowers the base by",
    "next_base": "new base",
    "conquered_majors": "conquered major powers",
    "captured_key_areas": "captured key areas",
    "colonies_and_conquests": "colonies and conquests",
    "minor_allies": "minor allies",
    "associated_minors": "associated minors",
    "penetrated_minors": "penetrated minors",
    "industrial_centers": "industrial centers",
    "deficit_carried": "deficit carried over",
    "key_areas_lost": "own key areas lost",
    "year_total": "total",
    "growth_research_points": "research points from growth",
}
assert set(ROWS) >= {rule.name for rule in YEAR_PARTS}


class Row(msgspec.Struct, frozen=True):
    """One line of the year start sheet: what every power has under it, each with its reasons."""

    rule: str
    clause: str
    label: str
    cells: dict[str, Why]


class YearStart(msgspec.Struct, frozen=True):
    year: int
    rows: tuple[Row, ...]


def year_start(state: State) -> YearStart:
    """The next year start as the position stands."""
    kept = [power for power in powers() if keeps_brps(state, power)]
    rows = tuple(
        Row(name, RULES.by_name[name].clause, label, _cells(state, name, kept)) for name, label in ROWS.items()
    )
    return YearStart(state.year if state.place.part == "year start" else state.year + 1, rows)


def _cells(state: State, rule: str, kept: list[str]) -> dict[str, Why]:
    return {power: explain_value(rule, state, power) for power in kept}


def run_ahead(state: State, to: int) -> tuple[State, list[tuple[int, GameRecord]]]:
    """The engine itself, run on a copy up to a moment, duties waived, as far as the first die or question."""
    happened: list[tuple[int, GameRecord]] = []
    while state.moment < to:
        state = _with_mobilizations(state)
        ruling = ENGINE.decide(state, Advance(), waive=True, tell=True)
        if not ruling.accepted:
            break
        state = ruling.state
        happened += [(state.moment, record) for record in ruling.records]
    return state, happened


def _with_mobilizations(state: State) -> State:
    """The position with the BRPs of mobilizations that are due; which units they bring is not foreseen."""
    for power, theater in mobilizations_due(state):
        events = [event for event, _ in economic_effects(state, power, theater)]
        if power == "russia" and brings_ic(state):
            events += foreseen_ic(state)
        for event in events:
            state = apply(state, event)
    return state


def before_year_start(state: State) -> State:
    """The position at the end of this year's winter, with everything settled that falls due until the year starts."""
    last = _last_of_year(state)
    ahead = run_ahead(state, last)[0]
    return _with_promises(ahead, ahead) if ahead.moment == last else ahead


def as_year_ends(state: State) -> State:
    """The position as it stands, with what the year start itself brings, what others lose of it before, and what was
    told so late that it is settled next.
    """
    new_year = calendar.moment(calendar.turn_number(calendar.WINTER, state.year) + 1, 0)
    brought = {it.about for it in state.agenda if it.due == new_year or it.due <= state.moment}
    concerned = [it for it in state.agenda if it.about in brought and it.due <= new_year]
    for due in sorted({it.due for it in concerned}):
        turn, step = calendar.split(due)
        before = (turn, step - 1) if step else (turn - 1, calendar.last_step("allied"))
        promises = Agenda(it for it in concerned if it.due == due)
        then = msgspec.structs.replace(state, turn=before[0], step=before[1], agenda=promises, operations=())
        state = _with_promises(state, then)
    return state


def _last_of_year(state: State) -> int:
    return calendar.moment(calendar.turn_number(calendar.WINTER, state.year), calendar.last_step("allied"))


def _with_promises(state: State, then: State) -> State:
    """The books with what the next step brings before its own effects: in the year start conquests (83.31A, 83.32)."""
    ruling = ENGINE.decide(then, Advance(), waive=True, tell=True)
    effects = {effect for it in calendar.steps() for effect in it.step.effects}
    for record in takewhile(lambda it: it.rule not in effects, ruling.records if ruling.accepted else ()):
        if isinstance(record.event, EntryPosted):
            state = apply(state, record.event)
    return state


class Item(msgspec.Struct, frozen=True):
    """Something on the agenda, in words."""

    id: str
    due: str
    moment: int
    clause: str
    text: str
    power: str
    about: str
    brp: int
    share: int
    averted_by: str
    clauses: tuple[str, ...] = ()


def _arriving(state: State, it: Promise[Matter]) -> str:
    """For units on the turn record track: which ones come."""
    if not isinstance(it.of, Arrival):
        return ""
    rows = [row for row in turn_record_track(state) if (row.power, row.turn) == (it.power, it.about)]
    verb = "enters" if sum(row.count for row in rows) == 1 else "enter"
    return f"{', '.join(f'{row.count} {row.unit}' for row in rows)} {verb} the force pool"


def _told(state: State, it: Promise[Matter], gist: str) -> tuple[str, str, int]:
    """Clause, words and BRPs of a promise as things stand: units that come, or why a survivor will not associate."""
    clause, why = why_it_waits(state, it.about) if it.effect == associate_survivor.name else ("", "")
    if why:
        return clause, f"If it survives, {why}", 0
    if it.effect == associate_survivor.name:
        return it.clause, gist, still_brings(state, it.about, would_associate_with(state, it.about))
    if it.effect == associate_spain.name:
        return it.clause, gist, still_brings(state, it.about, it.power)
    if kept_in_winter(state, it):
        return it.clause, "BRPs for a conquest are received, even if the Allies take it in their winter turn", it.brp
    if _lost_again(state, it):
        return it.clause, "It has been lost again: BRPs are received only if it is retaken before then", 0
    if it.effect == receive_conquest.name:
        # Its value may have changed since: Rumania's by the loss of Bessarabia.
        return it.clause, gist, not_yet_received(state, cast("Promise[OfArea]", it))
    if it.effect == lose_part.name:
        return CUT_OFF[it.about], f"The lower value of {called(PARTS[it.about])} takes effect", it.brp
    if _dutch_area_fell(state, it):
        return (
            it.clause,
            "It has fallen: it associates only if the Dutch retake its capital before then",
            0,
        )
    if it.effect == grace_ends.name and isinstance(it.of, Caught):
        return partly_supplied.noted_by(state, it.of.side, it.of.country), gist, it.brp
    if it.effect == association_pays.name:
        brp = association_brings(state, it)
        return it.clause, gist if brp else "As things stand nothing more is received of an associated country", brp
    return it.clause, _arriving(state, it) or gist, it.brp


def _lost_again(state: State, it: Promise[Matter]) -> bool:
    """Whether a conquest whose BRPs are still to come has changed hands again (83.31B, R-0037)."""
    if it.effect != receive_conquest.name:
        return False
    of_area = cast("Promise[OfArea]", it)
    return not (still_held(state, of_area) or received_though_lost(state, of_area))


def _dutch_area_fell(state: State, it: Promise[Matter]) -> bool:
    """Whether a part of the Dutch East Indies that was to associate has been conquered meanwhile (84.33)."""
    return it.effect == associate_dutch.name and state.countries[it.about].status == "conquered"


def kept_in_winter(state: State, it: Promise[Matter]) -> bool:
    """Whether a conquest of the Axis winter turn comes whatever the Allies do in theirs (83.32); not a key area.

    Nor does what an Allied power has on its books: by retaking it at once it keeps the BRPs (83.31B, 83.33B).
    """
    if it.effect != receive_conquest.name or areas()[it.about].kind == "key area":
        return False
    if powers()[it.power].player != "axis" or calendar.steps()[calendar.split(it.due)[1]].part != "year start":
        return False
    return not still_counted_elsewhere(state, it.power, it.about)


def agenda(state: State) -> list[Item]:
    """What falls due, soonest first, with what it would come to then and what would avert it.

    What is under way and waits for a reply stands first; beside what is promised stand the mobilizations that a
    schedule dates, and what will come if nothing changes.
    """
    found = _promised(state) + [_coming(state, it) for it in coming_mobilizations(state)]
    seen: Counter[str] = Counter()
    for it in foreseen(state):
        key = f"foreseen {it.clause} {it.power}"
        seen[key] += 1
        # A clause may foresee several things for a power: each is a line with a name of its own.
        found.append(_foreseen(key if seen[key] == 1 else f"{key} {seen[key]}", it))
    return [_open(state, it) for it in reversed(state.operations)] + sorted(found, key=lambda it: it.moment)


def _open(state: State, it: OpenOperation) -> Item:
    """An operation under way: it is due now, and the table waits for it."""
    asked = it.waits_for[0] if len(it.waits_for) == 1 else ""
    now = state.moment
    return Item(it.id, calendar.moment_name(now), now, it.clause, waits_text(it), asked, "", 0, 100, "", (it.clause,))


def _coming(state: State, it: Coming) -> Item:
    where = {"europe": " in the European theater", "pacific": " in the Pacific theater"}.get(it.theater, "")
    text = f"Mobilizes{where}, at the latest"
    brp = mobilization_brps(state, it.power)
    when = calendar.moment_name(it.moment)
    key = f"mobilization {it.power} {it.theater}".strip()
    return Item(key, when, it.moment, it.clause, text, it.power, "", brp, 100, "", (it.clause,))


def _foreseen(key: str, it: Foreseen) -> Item:
    when = calendar.moment_name(it.moment)
    return Item(key, when, it.moment, it.clause, it.text, it.power, it.about, it.brp, 100, it.averted_by, (it.clause,))


def _to_retake(it: Promise[Matter]) -> str:
    """What must be retaken of an area that has no capital: any one of the places that decide it (83.31B)."""
    places = areas()[it.about].places if it.effect == lose_area.name else ()
    return f"one of {', '.join(place.rpartition('/')[2] for place in places)}" if len(places) > 1 else ""


def _promised(state: State) -> list[Item]:
    promises = sorted(state.agenda, key=lambda it: (it.due, it.id))
    found = []
    for it in promises:
        rule = RULES.by_name[it.effect]
        assert isinstance(rule, Due)
        name = areas()[it.about].name if it.about in areas() else it.about
        # What comes about after the moment that its clause names is settled at the next step.
        due = max(it.due, state.moment)
        turn, step = calendar.split(due)
        whole = not rule.prorated or calendar.steps()[step].part == "year start"
        share = 100 if whole else (100, 75, 50, 25)[calendar.season(turn)]
        settled = kept_in_winter(state, it) or _dutch_area_fell(state, it) or _lost_again(state, it)
        text = "" if settled else rule.averted_by.format(about=_to_retake(it) or name)
        clause, told, brp = _told(state, it, rule.gist)
        if brp < 0 and state.powers[it.power].surrendered:
            continue  # whose BRPs are put away has none to lose (83.43)
        found.append(
            Item(
                f"P{it.id}",
                calendar.moment_name(due),
                due,
                clause,
                told,
                would_associate_with(state, it.about) if it.effect == associate_survivor.name else it.power,
                it.about,
                brp,
                share,
                text,
                tuple(dict.fromkeys((clause, it.clause, rule.clause, *rule.covers))),
            )
        )
    return found
