"""Mobilizations that are due are made before play goes on (36.351)."""

from __future__ import annotations

from functools import cache

from warcabinet.kernel.kept import rests_on
from warcabinet.model import calendar
from warcabinet.model.commands.table import Advance
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.economy.mobilization_schedule import (
    AMERICAN_MOMENT,
    START,
    mobilization_due,
    scheduled,
    theaters_of,
)
from warcabinet.rules.kinds import limit


def in_play(s: State, power: str, theater: str) -> bool:
    """Whether the scenario keeps this power's economy (and theater), and the power is still in the war."""
    if s.powers[power].surrendered or not keeps_brps(s, power):
        return False
    return not (s.options.scope == "europe" and (power == "japan" or theater == "pacific"))


def mobilizations_due(s: State) -> list[tuple[str, str]]:
    """The mobilizations that must be made before the game goes on: power and theater."""
    if not scheduled(s) or not s.player:
        return []  # nobody acts in the year start: what it calls for is made as the spring turn starts
    return list(_due(s))


def _sources(s: State) -> tuple[object, tuple[object, ...]]:
    """What mobilizations look at: few parts of a state, and of the step only what `_stage` keeps of it."""
    made = s.ledger.unit("mobilization")
    parts = (made, s.tracks, s.wars, s.powers, s.countries, s.determinations, s.options, s.readings, s.corrected)
    return (s.turn, _stage(s.step)), parts


@rests_on(_sources)
def _due(s: State) -> tuple[tuple[str, str], ...]:
    return tuple(
        (power, theater)
        for power, theater in _may_fall_due(s.step, AMERICAN_MOMENT)
        if in_play(s, power, theater) and mobilization_due(s, power, theater)
    )


@cache
def _stage(step: int) -> int:
    """The first step at which mobilizations look the same: all but the moments that they are made at are alike."""
    late = calendar.step_index("allied", "end of diplomatic phase")
    moments = [it for it, place in enumerate(calendar.steps()) if place.step.name in (START, "end of diplomatic phase")]
    if step in moments:
        return step
    alike = (it for it in range(step + 1) if it not in moments and calendar.players()[it] == calendar.players()[step])
    return next(it for it in alike if (it > late) == (step > late))


@cache
def _may_fall_due(step: int, american: str) -> tuple[tuple[str, str], ...]:
    """The mobilizations that can fall due at a step: tension may call Japan and Russia at any, others at theirs."""
    player, name = calendar.players()[step], calendar.steps()[step].step.name

    def may(power: str) -> bool:
        if power == "japan":
            return True
        if player_of(power) != player:
            return False
        return power == "russia" or name == (american if power == "usa" else START)

    return tuple((power, theater) for power in powers() if may(power) for theater in theaters_of(power))


@limit("36.351", "A mobilization that is due may be neither postponed nor declined", on=Advance, when=scheduled)
def mobilizations_are_made(s: State, cmd: Advance) -> str | None:
    due = mobilizations_due(s)
    if not due:
        return None
    names = [f"{powers()[power].name} ({theater})" if theater else powers()[power].name for power, theater in due]
    return f"must mobilize now: {', '.join(names)}"
