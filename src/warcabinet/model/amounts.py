"""Numbers as people set them, and the entry that brings an account to one."""

from __future__ import annotations

from typing import Any

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.ledger import balance, entry
from warcabinet.model.events import EntryPosted, Event
from warcabinet.model.state import State


def integer(path: str, to: Any) -> int:
    if isinstance(to, bool) or not isinstance(to, int):
        raise WarCabinetError(f"{path} is a whole number, not {to!r}")
    return to


def count_of(path: str, to: Any) -> int:
    """A whole number that cannot be less than nothing."""
    if integer(path, to) < 0:
        raise WarCabinetError(f"{path} is at least 0, not {to}")
    return int(to)


def set_balance(s: State, account: str, to: int) -> list[Event]:
    """The entry that brings an account to a number, if it does not stand there already."""
    change = to - balance(s.books, account)
    unit = account.partition("/")[0]
    return [EntryPosted(entry("set", (account, change), (f"{unit}/world", -change)))] if change else []
