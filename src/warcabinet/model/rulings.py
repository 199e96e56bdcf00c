"""Numbered rulings: points where the documents are open, with their readings and our choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import WarCabinetError, unknown
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


def selectable_reading(ruling: str, letter: str) -> str:
    """A reading that a table may choose; an error says which one holds where this one is not to choose."""
    it = ruling_named(ruling)
    if letter in it.readings and letter not in it.selectable:
        raise WarCabinetError(_not_to_choose(it, letter))
    if letter not in it.selectable:
        raise unknown(f"selectable reading of {ruling}", letter, it.selectable)
    return letter


def lapsed_readings(chosen: Mapping[str, str]) -> list[str]:
    """What a table is told of readings that it once chose and that are no longer to choose."""
    found = ((ruling_named(id), letter) for id, letter in chosen.items())
    return [_not_to_choose(it, letter) for it, letter in found if letter and letter not in it.selectable]


def _not_to_choose(it: Ruling, letter: str) -> str:
    return (
        f"{it.id}: reading {letter} is no longer to choose; reading {it.choice} holds: {it.readings[it.choice].strip()}"
    )


def chosen_with(ruling: str, letter: str) -> dict[str, str]:
    """What a choice of reading settles: the ruling itself, and another one that asks the same."""
    same = ruling_named(ruling).same_as.get(letter, "")
    other, _, other_letter = same.partition("/")
    return {ruling: letter, **({other: other_letter} if other else {})}
