"""Zones of control.

Who exerts one, against whom and when is the business of the rules; the board knows how far it reaches: the six
adjacent hexes, but not over water, a strait or a side that is closed to ground units.
"""

from __future__ import annotations

from collections.abc import Iterable

from warcabinet.board.maps import Board


def zone(board: Board, armor: Iterable[str] | int) -> int:
    """The hexes in the zone of control of units in the given hexes, as a bitmap.

    A unit's own hex belongs to the zone only when another of the units stands beside it.
    """
    at = armor if isinstance(armor, int) else board.bits(armor)
    return board.spread(at, board.dry_sides)


def in_zone(board: Board, at: str, armor: Iterable[str] | int) -> bool:
    """Whether a hex lies in that zone."""
    return bool(zone(board, armor) & board.bits((at,)))
