"""The demonstration: the war as it happened, played once, handed out as a save and told scene by scene."""

from __future__ import annotations

from functools import cache

from warcabinet.figures.position import Position
from warcabinet.game import Game, new_game
from warcabinet.game.demo import BESIDE, Scene, demo, play_scenes, run_steps
from warcabinet.game.engine import as_command
from warcabinet.game.journal import MemoryJournal
from warcabinet.model import calendar
from warcabinet.model.commands.base import Command
from warcabinet.store import export_game

#: Of the scenes, every so many are held against a game that may be the demonstration.
EVERY = 20
#: Where a newcomer is led around: every power is in the war, and the year has just been counted.
WALK = "Spring 1942, Axis"


@cache
def _played() -> tuple[tuple[str, ...], tuple[Scene, ...], tuple[tuple[int, Command | None], ...]]:
    """The exported lines, the scenes, and some moves by which the game is known. Playing takes seconds: once."""
    game, scenes = play_scenes()
    known = tuple((it.move, game.journal.move(it.move).command) for it in (*scenes[1::EVERY], scenes[-1]))
    return tuple(export_game(game)), scenes, known


def demo_lines() -> tuple[str, ...]:
    """The demonstration as exported lines."""
    return _played()[0]


@cache
def walk_lines() -> tuple[str, ...]:
    """The demonstration up to the position of the opening walk."""
    script = demo()
    game = new_game(Position(script.scenario, options=script.options), MemoryJournal())
    for _ in run_steps(game, script):
        if game.state.moment >= calendar.parse_moment(WALK):
            break
    return tuple(export_game(game))


@cache
def _first_order() -> Command:
    return as_command({key: value for key, value in demo().steps[0].items() if key not in BESIDE})


def story(game: Game) -> tuple[Scene, ...]:
    """The scenes of a table that shows the demonstration, also if it was saved and brought back, or played on.

    Any other game has none, and is told apart by its first order before anything is played.
    """
    if game.state.scenario != demo().scenario or game.head.id < 2 or game.journal.move(2).command != _first_order():
        return ()
    if game.head.id < len(demo().steps):
        return ()  # only its beginning, as in the opening walk
    _, scenes, known = _played()
    if game.head.id < scenes[-1].move or any(game.journal.move(id).command != command for id, command in known):
        return ()
    return scenes
