"""Who is an enemy of whom on the map: by a war of their own, or of the powers that lead them."""

from __future__ import annotations

from warcabinet.model.names import OTHER_NATIONS, countries, powers
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import war_between
from warcabinet.rules.common.pieces import patron


def opposed(state: State, one: str, other: str) -> bool:
    """Whether two nations, or the powers that lead them, are at war."""
    mine, theirs = {one, leader(state, one)}, {other, leader(state, other)}
    return any(war_between(state, a, b) is not None for a in mine for b in theirs if a and b and a != b)


def leader(state: State, nation: str) -> str:
    """The power that leads a nation; none leads partisans, or a country that stands alone."""
    return patron(state, nation) if nation in powers() or nation in countries() or nation in OTHER_NATIONS else ""
