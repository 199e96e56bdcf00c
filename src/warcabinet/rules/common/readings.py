"""Which reading of an open point holds in a game."""

from __future__ import annotations

from collections.abc import Callable

from warcabinet.kernel.lasting import lasting
from warcabinet.model.rulings import Ruling, ruling_named, rulings, selectable_reading
from warcabinet.model.state import State


def reading_in_force(s: State, ruling: str) -> str:
    """The reading that this game uses: the table's choice while that may be chosen, or ours."""
    chosen = s.readings.get(ruling)
    return chosen if chosen and chosen in ruling_named(ruling).selectable else _ours(ruling)


@lasting
def _ours(ruling: str) -> str:
    return ruling_named(ruling).choice


def reading(ruling: str, letter: str) -> Callable[..., bool]:
    """A condition: the given reading of a ruling is in force."""
    selectable_reading(ruling, letter)
    return lambda s, *rest: reading_in_force(s, ruling) == letter


__all__ = ["Ruling", "reading", "reading_in_force", "ruling_named", "rulings"]
