"""Numbered rulings: points where the documents are open, with their readings and our choice."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import unknown
from warcabinet.kernel.tables import read_yaml


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
