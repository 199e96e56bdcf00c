"""Straits and canals: whether ships that go from one place to another must pass one, no way leading round it."""

from __future__ import annotations

from functools import cache

from warcabinet.board.maps import Board, both
from warcabinet.board.seas import Passage, passages, sail
from warcabinet.model.places import board_of


@cache
def waters_of(passage: str) -> Board:
    """The board on which a passage lies."""
    return next(one for one in both() if passage in passages(one))


def strait(passage: str) -> Passage:
    return passages(waters_of(passage))[passage]


@cache
def only_by(passage: str, origin: str, to: str) -> bool:
    """Whether ships get from one hex to another through a passage and in no other way."""
    one = waters_of(passage)
    if board_of(origin) != one.name or board_of(to) != one.name:
        return False
    start, goal = one[origin.partition("/")[2]], one[to.partition("/")[2]]
    if not start.seas or not goal.seas:
        return False
    every = list(passages(one))
    others = [it for it in every if it != passage]
    there = one.bits((goal.id,))
    return bool(sail(one, start.id, every) & there) and not sail(one, start.id, others) & there
