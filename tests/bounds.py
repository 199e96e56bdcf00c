"""How far the tests go that try many things: a little by default, all the way with `--all`."""

from __future__ import annotations


class _Asked:
    all = False


def go_all_the_way() -> None:
    _Asked.all = True


def at_length() -> bool:
    return _Asked.all


def many(few: int, all: int) -> int:
    """How many to try: a few by default, which must still be able to find a fault."""
    return all if _Asked.all else few
