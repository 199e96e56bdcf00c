"""The demonstration: the war as it happened, played once and handed out as a save; its middle, for the opening walk."""

from __future__ import annotations

from functools import cache

from warcabinet.demo import demo, play_demo, run_steps
from warcabinet.figures.position import Position
from warcabinet.game import MemoryJournal, new_game
from warcabinet.model import calendar
from warcabinet.store import export_game

#: Where a newcomer is led around: every power is in the war, and the year has just been counted.
WALK = "Spring 1942, Axis"


@cache
def demo_lines() -> tuple[str, ...]:
    """The demonstration as exported lines. Playing it takes seconds, so it is done once."""
    return tuple(export_game(play_demo()))


@cache
def walk_lines() -> tuple[str, ...]:
    """The demonstration up to the position of the opening walk."""
    script = demo()
    game = new_game(Position(script.scenario, options=script.options), MemoryJournal())
    for _ in run_steps(game, script):
        if game.state.moment >= calendar.parse_moment(WALK):
            break
    return tuple(export_game(game))
