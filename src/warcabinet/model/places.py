"""Places in the state: every hex and box has one key, and a holder."""

from __future__ import annotations

from functools import cache

from warcabinet.model.names import areas
from warcabinet.model.state import State


@cache
def place_key(name: str) -> str:
    """The key of a place given by its name, hex id or key."""
    return name.strip().casefold()


@cache
def _areas_decided_by() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for area in areas().values():
        for place in area.places:
            found.setdefault(place_key(place), []).append(area.area)
    return {key: tuple(names) for key, names in found.items()}


def areas_decided_by(key: str) -> tuple[str, ...]:
    """The areas whose holder depends on this place."""
    return _areas_decided_by().get(key, ())


@cache
def default_holder(key: str) -> str:
    """The power that holds a place unless the state says otherwise: the owner of what it decides."""
    for name in areas_decided_by(key):
        if areas()[name].owner:
            return areas()[name].owner
    return ""


def holder(s: State, key: str) -> str:
    """The power that controls a place now, or nobody."""
    return s.control.get(key, "") or default_holder(key)


def area_holder(s: State, area: str) -> str:
    """The power that controls all the places which decide an area; nobody while they are divided."""
    holders = {holder(s, place_key(place)) for place in areas()[area].places}
    return holders.pop() if len(holders) == 1 else ""
