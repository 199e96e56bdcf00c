"""The turn record track: units on their way into a force pool, and when they get there (36.31, 36.35)."""

from __future__ import annotations

import msgspec

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import Arrival, Promise
from warcabinet.model.events import UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import UNBUILT, Track, Where
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.unit_lists import waiting
from warcabinet.model.units import kind_name, unit_cost
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.promises import promise
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import due, value

# Turns between mobilization and force pool, by type, with the clause.
DELAYS = {
    "army air": (4, "36.35B"),
    "naval air": (4, "36.35B"),
    "infantry": (2, "36.35C"),
    "mechanized infantry": (4, "36.35D"),
    "armor": (6, "36.35E"),
    "transport": (0, "36.35F"),
}
SHIPBUILDING_DELAY = (0, "36.35A")


def mobilized_as(s: State, power: str, unit: str) -> str:
    """A unit as the delays know it: Britain's 3-4 is mechanized infantry, however it is written (36.32E, R-0361)."""
    mechanized = power == "britain" or reading_in_force(s, "R-0361") == "b"
    return "mechanized infantry 3-4" if unit == "infantry 3-4" and mechanized else unit


@value("36.31", covers=tuple(sorted({clause for _, clause in (*DELAYS.values(), SHIPBUILDING_DELAY)})))
def mobilization_delay(s: State, unit: str) -> int:
    """Turns that mobilized units wait on the turn record track, by type."""
    turns, clause = SHIPBUILDING_DELAY if unit == "shipbuilding" else DELAYS[kind_name(unit)]
    note("delay", clause, turns, unit)
    return turns


def entering(power: str, turn: int) -> int:
    """The moment at which units enter a force pool: the start of the power's player turn."""
    return calendar.moment(turn, calendar.first_step(player_of(power)))


def place_on_track(p: Proceedings, power: str, unit: str, count: int, turn: int, source: Where, clause: str) -> None:
    """Put units on the track for a turn to come; where there is no delay they are in the force pool at once."""
    now = turn <= p.s.turn
    p.do(UnitsMoved(power, unit, count, source, UNBUILT if now else Track(turn), f"{count} {unit}"), clause)
    if not now:
        promise(p, enter_force_pool, entering(power, turn), power, Arrival(turn))


@due("36.353", "Units on the turn record track enter the force pool in their turn; nobody may hold them back")
def enter_force_pool(p: Proceedings, due_now: Promise[Arrival]) -> int:
    track = Track(due_now.of.turn)
    for unit, count in p.s.pieces.off(due_now.power, track).items():
        p.do(UnitsMoved(due_now.power, unit, count, track, UNBUILT, f"{count} {unit}"))
    return 0


class TrackRow(msgspec.Struct, frozen=True):
    """Units that enter a force pool in one turn."""

    turn: str
    power: str
    unit: str
    count: int
    brp: int


def turn_record_track(s: State) -> list[TrackRow]:
    """Everything on the turn record track, soonest first."""
    found = [(turn, power, unit, count) for power in powers() for turn, unit, count in sorted(waiting(s, power))]
    found.sort(key=lambda it: it[0])
    return [
        TrackRow(calendar.turn_name(turn), power, unit, count, count * unit_cost(unit))
        for turn, power, unit, count in found
    ]
