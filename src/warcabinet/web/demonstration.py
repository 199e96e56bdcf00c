"""The demonstration: the first years as they happened, played once and handed out as a save."""

from __future__ import annotations

from functools import cache

from warcabinet.demo import play_demo
from warcabinet.store import export_game


@cache
def demo_lines() -> tuple[str, ...]:
    """The demonstration as exported lines. Playing it takes seconds, so it is done once."""
    return tuple(export_game(play_demo()))
