"""Values as people set them, and the entry that brings an account to one."""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.accounts import Account, World
from warcabinet.model.events import EntryPosted, Event, UnitsMoved
from warcabinet.model.keys import Unit
from warcabinet.model.ledger import balance, entry
from warcabinet.model.pieces import OUT_OF_PLAY, Where
from warcabinet.model.state import State
from warcabinet.model.units import MOST_UNITS


def integer(path: str, to: Any) -> int:
    if isinstance(to, bool) or not isinstance(to, int):
        raise WarCabinetError(f"{path} is a whole number, not {to!r}")
    return to


def count_of(path: str, to: Any) -> int:
    """A whole number that cannot be less than nothing."""
    if integer(path, to) < 0:
        raise WarCabinetError(f"{path} is at least 0, not {to}")
    return int(to)


def pieces_of(path: str, to: Any) -> int:
    """A number of units, transports or mobilizations: of what is counted piece by piece, nobody has so many."""
    if count_of(path, to) > MOST_UNITS:
        raise WarCabinetError(f"{path} is at most {MOST_UNITS:,}, not {to:,}")
    return int(to)


def converted(path: str, to: Any, kind: Any) -> Any:
    """A value of the kind that is wanted, or what is wrong with it."""
    try:
        return msgspec.convert(to, kind)
    except msgspec.ValidationError as error:
        raise WarCabinetError(f"{path}: {error}") from None


def set_balance(s: State, account: Account, to: int) -> list[Event]:
    """The entry that brings an account to a number, if it does not stand there already."""
    change = to - balance(s.ledger, account)
    return [EntryPosted(entry("set", (account, change), (World(account.unit), -change)))] if change else []


def set_units(s: State, nation: str, where: Where, unit: Unit, to: int) -> list[Event]:
    """The move that brings a nation's units of a kind somewhere to a number, from out of play or back there."""
    change = to - s.pieces.count(nation, where, unit)
    if change > 0:
        return [UnitsMoved(nation, unit, change, OUT_OF_PLAY, where, "set")]
    return [UnitsMoved(nation, unit, -change, where, OUT_OF_PLAY, "set")] if change else []
