"""Clauses that say again what another says: a rule of the one carries out the other, wherever the second holds."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from warcabinet.kernel.tables import read_csv


class Restatement(msgspec.Struct, frozen=True):
    """A clause, and one that says the same again of somebody or somewhere else."""

    clause: str
    again: str


@cache
def _said_again() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for row in read_csv(files("warcabinet") / "rulebook" / "restatements.csv", Restatement):
        found[row.clause] = (*found.get(row.clause, ()), row.again)
    return found


def of_ally(clause: str) -> str:
    """The clause that says again of minor allies what one says of associates (84.4, 85.4)."""
    return next((it for it in _said_again().get(clause, ()) if it.startswith("85.")), clause)


def with_restatements(clause: str, also: tuple[str, ...] = ()) -> tuple[str, ...]:
    """What a rule's clause is restated by, and the clauses named beside it."""
    return tuple(dict.fromkeys((*_said_again().get(clause, ()), *also)))
