"""Tension levels that call for mobilizations: once reached they do so, though they may sink again before the moment.

Russia mobilizes in its own player turn, and Japan once a turn, so a level may be gone again by the time that its
mobilization is made (36.11B, 36.11C).
"""

from __future__ import annotations

from warcabinet.model.events import TrackMoved
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.economy.growth import track
from warcabinet.rules.kinds import effect, remembered

# The levels of tension that call for the first three mobilizations: of Japan, and of the U.S. in a theater.
CALLS = (10, 20, 30)
LEVELS = {"rgt": (10,), "usjt": CALLS}
#: The bullet by which each track calls for mobilizations: Russia's, and Japan's.
CALLED_BY = {"rgt": "36.11B(2)", "usjt": "36.11C(2)"}


@remembered("36.11B(2)", also=("36.11C(2)",))
def level_was_reached(s: State, name: str, level: int) -> bool:
    """A level that calls for a mobilization has been reached; that it sank again since makes no difference."""
    return track(s, name) >= level


@effect("36.11B(2)", "Levels that have been reached call for their mobilizations", on=TrackMoved, also=("36.11C(2)",))
def remember_levels(p: Proceedings, moved: TrackMoved) -> None:
    for level in LEVELS.get(moved.track, ()):
        # A position may have begun on a level that is left now.
        if max(moved.to, moved.was) >= level and not level_was_reached.noted(p.s, moved.track, level):
            told = f"{moved.track.upper()} has reached {level}"
            level_was_reached.under(CALLED_BY[moved.track]).note(p, True, told, moved.track, level)
