"""The map of a case: where it takes place, as it stands when its steps are played."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from warcabinet.board.hexes import distance
from warcabinet.board.maps import board
from warcabinet.board.palette import Theme
from warcabinet.conformance.casebook import case_called, play_case
from warcabinet.conformance.cases import Case
from warcabinet.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.places import place_key
from warcabinet.views.chronicle.drawing import picture

#: Figures whose path names a place, and where it stands in it.
_PATHS = {"units": 2, "control": 1}
#: Fields of commands that name places.
_FIELDS = ("places", "place", "hex", "to", "origin", "at")
#: A case is shown where most of it is: hexes farther from its first place are left out.
FAR = 14


def places_named(case: Case) -> tuple[str, ...]:
    """The hexes that a case names in its position and its steps, on the board of the first and not far from it."""
    keys: list[str] = []
    for name in dict.fromkeys(_names(case)):
        try:
            key = place_key(name)
        except WarCabinetError:
            continue
        if not key.startswith("box/"):
            keys.append(key)
    return tuple(key for key in dict.fromkeys(keys) if _near(keys[0], key))


def _names(case: Case) -> Iterator[str]:
    for step in case.when:
        yield from _in_step(step)
    for path in case.given.set:
        parts = path.split(".")
        if parts[0] in _PATHS and len(parts) > _PATHS[parts[0]]:
            yield parts[_PATHS[parts[0]]]
    yield from (line.at for line in case.given.units)


def _in_step(step: dict[str, Any]) -> Iterator[str]:
    for field in _FIELDS:
        given = step.get(field, ())
        yield from (str(it) for it in (given if isinstance(given, list) else [given]) if isinstance(it, str))


def _near(first: str, key: str) -> bool:
    if first.partition("/")[0] != key.partition("/")[0]:
        return False
    one = board(first.partition("/")[0])
    here, there = (one[it.partition("/")[2]].at for it in (first, key))
    return distance(here, there) <= FAR


@lru_cache(256)
def case_map(id: str, theme: Theme) -> str:
    """A case's map as SVG, or nothing where it names no hex."""
    case = case_called(id)
    keys = places_named(case)
    if not keys:
        return ""
    game = new_game(case.position, MemoryJournal())
    for _ in play_case(game, case):
        pass
    return picture(game.state, keys[0].partition("/")[0], f"Case {case.id}: {case.title}", keys, theme)
