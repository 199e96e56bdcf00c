"""Numbered rulings: points where the documents are open, with their readings and our choice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from warcabinet.kernel.clause import cite
from warcabinet.kernel.errors import UnknownName, WarCabinetError, did_you_mean, hint_among, unknown
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


_FOLDER = files("warcabinet") / "rulebook" / "rulings"


@cache
def rulings() -> dict[str, Ruling]:
    """All rulings by their numbers."""
    names = sorted(path.name for path in _FOLDER.iterdir() if path.name.endswith(".yaml"))
    return {name.removesuffix(".yaml"): ruling_named(name.removesuffix(".yaml")) for name in names}


@cache
def ruling_named(id: str) -> Ruling:
    """One ruling, read by itself: a rule that asks for one reading need not wait for all the others."""
    path = _FOLDER / f"{id}.yaml"
    if not re.fullmatch(r"R-[0-9]{4}", id) or not path.is_file():
        raise UnknownName(f"unknown ruling '{id}'", lambda: _near(id))
    ruling = read_yaml(path, Ruling)
    for clause in ruling.clauses:
        cite(clause)
    return ruling


def _near(id: str) -> str:
    """Which rulings were perhaps meant: R-4 by its number, otherwise those with the nearest numbers."""
    if not re.fullmatch(r"R-[0-9]{1,9}", id):
        return hint_among(id, rulings())
    distance = {known: abs(int(known[2:]) - int(id[2:])) for known in rulings()}
    nearest = sorted(distance, key=lambda known: distance[known])
    return did_you_mean(nearest[:1] if distance[nearest[0]] == 0 else sorted(nearest[:3]))


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
