"""Operations that wait: something under way that stays open until whoever it waits for has replied.

A convoy at sea, an interception, an offer to a partner: it is open, waits for somebody's answer, and that is given by
certain commands. Operations stand on each other like frames: the last one opened is replied to first.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

A = TypeVar("A")


class Operation(msgspec.Struct, Generic[A], frozen=True, omit_defaults=True):
    """What is under way since a moment, whose reply it waits for (any of them may give it), and which replies fit."""

    id: str
    title: str
    clause: str
    since: int
    waits_for: tuple[str, ...]
    replies: tuple[str, ...]
    asks: str
    about: A


def standing(operations: tuple[Operation[A], ...], changed: Operation[A]) -> tuple[Operation[A], ...]:
    """The open operations after one of them has gone on."""
    return tuple(changed if it.id == changed.id else it for it in operations)
