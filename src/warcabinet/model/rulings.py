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

    `selectable` names the readings that a table may choose; the others cannot be played. Where two rulings ask the
    same, `same_as` says which reading of the other each of this one's is.
    """

    id: str
    question: str
    clauses: tuple[str, ...]
    readings: dict[str, str]
    choice: str
    reason: str
    selectable: tuple[str, ...]
    same_as: dict[str, str] = {}


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


def chosen_with(ruling: str, letter: str) -> dict[str, str]:
    """What a choice of reading settles: the ruling itself, and another one that asks the same."""
    same = ruling_named(ruling).same_as.get(letter, "")
    other, _, other_letter = same.partition("/")
    return {ruling: letter, **({other: other_letter} if other else {})}
