"""Figures of units: where they stand, in force pools, and on the turn record track."""

from __future__ import annotations

from typing import Any

from warcabinet.figures.amounts import pieces_of, set_units
from warcabinet.figures.figure import Figure
from warcabinet.kernel.effects import Due
from warcabinet.model import calendar
from warcabinet.model.agenda import Arrival, Matter, Promise
from warcabinet.model.events import Event, Promised, UnitsMoved
from warcabinet.model.keys import Unit
from warcabinet.model.pieces import BUILT, OUT_OF_PLAY, UNBUILT, At, Track, Where
from warcabinet.model.state import State
from warcabinet.rules.common.diplomacy import promised
from warcabinet.rules.economy.base import enter_force_pool, entering


def _set_count(s: State, nation: str, where: Where, unit: Unit, to: Any) -> list[Event]:
    return set_units(s, nation, where, unit, pieces_of("the number", to))


def _all_on_boards(s: State, nation: str) -> int:
    return sum(stack.count for stack in s.pieces.of(nation))


def _set_track(s: State, power: str, turn: str, unit: Unit, to: Any) -> list[Event]:
    track = Track(calendar.parse_turn(turn))
    more = pieces_of("the number", to) - s.pieces.count(power, track, unit)
    return on_track(s, power, track.turn, unit, more) if more > 0 else set_units(s, power, track, unit, to)


def on_track(s: State, power: str, turn: int, unit: Unit, count: int) -> list[Event]:
    """The facts that put units on the turn record track of a position, with the promise that brings them in."""
    facts: list[Event] = [UnitsMoved(power, unit, count, OUT_OF_PLAY, Track(turn), "set")]
    return facts + set_promise(s, enter_force_pool, turn, power, Arrival(turn))


def set_promise(s: State, rule: Due[Any], turn: int, power: str, of: Matter) -> list[Event]:
    """The promise that a position has for what stands in it, for the start of a power's player turn."""
    if promised(s, rule, about=of.about, power=power):
        return []
    due = entering(power, turn)
    return [Promised(Promise(s.promised + 1, due, rule.name, rule.clause, s.moment, power, of))]


ROWS = (
    Figure(
        "units.<nation>.<place>.<unit>",
        "units of a nation at a place",
        "units.belgium.Brussels.infantry 1-3: 2",
        lambda s, nation, place, unit: s.pieces.count(nation, At(place), unit),
        lambda s, nation, place, unit, to: _set_count(s, nation, At(place), unit, to),
    ),
    Figure(
        "units.<nation>.unbuilt.<unit>",
        "units of a nation that are not built",
        "units.belgium.unbuilt.infantry 1-3: 1",
        lambda s, nation, unit: s.pieces.count(nation, UNBUILT, unit),
        lambda s, nation, unit, to: _set_count(s, nation, UNBUILT, unit, to),
    ),
    Figure(
        "units.<nation>.built.<unit>",
        "units of a nation that stand on the players' own map, where only the books are kept",
        "units.germany.built.infantry 3-3: 9",
        lambda s, nation, unit: s.pieces.count(nation, BUILT, unit),
        lambda s, nation, unit, to: _set_count(s, nation, BUILT, unit, to),
    ),
    Figure(
        "units.<nation>",
        "all units of a nation that stand on the boards",
        "units.belgium: 3",
        _all_on_boards,
        "say which units and where: write units.<nation>.<place>.<unit>",
    ),
    Figure(
        "pool.<power>.<unit>",
        "unbuilt units in a force pool",
        "pool.japan.army air: 3",
        lambda s, power, unit: s.pieces.count(power, UNBUILT, unit),
        lambda s, power, unit, to: _set_count(s, power, UNBUILT, unit, to),
    ),
    Figure(
        "turn_track.<power>.<turn>.<unit>",
        "units on the turn record track, by the turn in which they enter the force pool",
        "turn_track.japan.Fall 1940.army air: 3",
        lambda s, power, turn, unit: s.pieces.count(power, Track(calendar.parse_turn(turn)), unit),
        _set_track,
    ),
    Figure(
        "at.<place>.<nation>.<unit>",
        "units that stand in a place",
        "at.Berlin.germany.armor 4-6: 1",
        lambda s, place, nation, unit: s.pieces.count(nation, At(place), unit),
        lambda s, place, nation, unit, to: _set_count(s, nation, At(place), unit, to),
    ),
)
