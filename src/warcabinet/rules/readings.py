"""Numbered rulings: where the documents are open, which reading holds in a game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec

from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import unknown
from warcabinet.kernel.tables import read_yaml
from warcabinet.model.state import State


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that the documents leave open, the readings, and the choice with its reason.

    `selectable` names the readings that a table may choose; the others cannot be played.
    """

    id: str
    question: str
    clauses: tuple[str, ...]
    readings: dict[str, str]
    choice: str
    reason: str
    selectable: tuple[str, ...]


@cache
def rulings() -> dict[str, Ruling]:
    folder = files("warcabinet") / "rulebook" / "rulings"
    found: dict[str, Ruling] = {}
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.name.endswith(".yaml"):
            ruling = read_yaml(path, Ruling)
            for clause in ruling.clauses:
                cite(clause)
            found[ruling.id] = ruling
    return found


def ruling_named(id: str) -> Ruling:
    found = rulings().get(id)
    if found is None:
        raise unknown("ruling", id, rulings())
    return found


def reading_in_force(s: State, ruling: str) -> str:
    """The reading that this game uses: the table's choice, or ours."""
    return s.readings.get(ruling) or ruling_named(ruling).choice


def reading(ruling: str, letter: str) -> Callable[..., bool]:
    """A condition: the given reading of a ruling is in force."""
    if letter not in ruling_named(ruling).selectable:
        raise unknown("selectable reading", letter, ruling_named(ruling).selectable)
    return lambda s, *rest: reading_in_force(s, ruling) == letter
