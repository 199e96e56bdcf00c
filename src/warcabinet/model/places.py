"""Places in the state: every hex and box has one key, and a holder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from warcabinet.board.boxes import Box, box, boxes
from warcabinet.board.maps import areas_by_id, both
from warcabinet.board.names import OnBothBoards, find, find_hex, places_at
from warcabinet.kernel.errors import WarCabinetError, unknown
from warcabinet.kernel.kept import kept, lasting
from warcabinet.kernel.limits import StillOpen
from warcabinet.model.keys import NOWHERE as NOWHERE
from warcabinet.model.keys import Place as Place
from warcabinet.model.names import areas, countries, powers, spelled
from warcabinet.model.state import State

# Who holds a place that partisans took: no power, until they are removed.
PARTISANS = "partisans"


class SomeHex(str):
    """A hex of a board, which one is still open: it is no box, and whoever asks more of it is stopped.

    So a limit that speaks of boxes alone has said at once what it says of every hex.
    """

    def _open(self, *_: Any) -> Any:
        raise StillOpen("place")

    endswith = removeprefix = removesuffix = rpartition = __getitem__ = __hash__ = _open

    def startswith(self, prefix: Any, *_: Any) -> bool:
        return str.startswith(self, prefix) if str(prefix).endswith("/") else self._open()

    def partition(self, at: str) -> tuple[str, str, str]:
        return str.partition(self, at)[0], at, self

    def __eq__(self, other: object) -> bool:
        box = other == "" or (isinstance(other, str) and str.startswith(other, "box/"))
        return False if box else self._open()

    def __ne__(self, other: object) -> bool:
        return not self == other


@lasting
def place_key(name: str) -> Place:
    """The key of a place given by its name, hex id or key: `europe/M25` for Brussels, `box/ethiopia` for a box.

    Names in commands have become keys when a rule sees them; the key of a key is itself.
    """
    if name.startswith("box/"):
        return Place(f"box/{box(name.removeprefix('box/')).id}")
    found = find(name)
    return Place(f"box/{found.id}" if isinstance(found, Box) else find_hex(name).key)


@lru_cache(maxsize=4096)
def place_called(key: str) -> str:
    """A place as people call it: the city in it, the box by its name, any other hex by its id."""
    board, _, id_ = key.partition("/")
    if board == "box" and id_ in boxes():
        return boxes()[id_].name
    here = places_at(key) if id_ else ()
    return here[0].name if here else id_ or key


@lru_cache(maxsize=4096)
def place_written(key: str) -> str:
    """A place as people would write it: by its name where that means just this place, else by its key."""
    name = place_called(key)
    try:
        return name if place_key(name) == key else key
    except WarCabinetError:
        return key


@kept
def keys_of(names: tuple[str, ...]) -> frozenset[Place]:
    """The keys of places that one command names, found once for all rules that look at it."""
    return frozenset(map(place_key, names))


def board_of(key: str) -> str:
    """The board that a place lies on, or `box`."""
    return key.partition("/")[0]


def place_keys(names: Sequence[str]) -> tuple[Place, ...]:
    """The keys of places that are named together: an id that both boards have is on the board of all the others."""
    found: dict[str, Place] = {}
    open_ids: list[str] = []
    for name in names:
        try:
            found[name] = place_key(name)
        except OnBothBoards:
            open_ids.append(name)
    boards = set(map(board_of, found.values())) - {"box"}
    on = next(iter(boards)) if len(boards) == 1 else None
    found |= {name: Place(find_hex(name, on).key) for name in open_ids}
    return tuple(found[name] for name in names)


@lasting
def _areas_decided_by() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for area in areas().values():
        for place in area.places:
            found.setdefault(place_key(place), []).append(area.area)
    return {key: tuple(names) for key, names in found.items()}


@lasting
def areas_decided_by(key: str) -> tuple[str, ...]:
    """The areas whose holder depends on this place."""
    return _areas_decided_by().get(key, ())


@lasting
def default_holders() -> dict[str, str]:
    """Who holds each land hex unless the state says otherwise: the power or country it belongs to."""
    held: dict[str, str] = {h.key: areas_by_id()[h.country].controller for one in both() for h in one if h.is_land}
    for area in areas().values():
        held |= {place_key(place): area.owner for place in area.places if place_key(place).startswith("box/")}
    return held


def holder_named(name: str) -> str:
    """Who may hold places: a power, a country, partisans, or (an empty name) whoever does by default."""
    found = name if name in ("", PARTISANS) else spelled(name, "belligerent")
    if found and found != PARTISANS and found not in powers() and found not in countries():
        raise unknown("power or country", name, [*powers(), *countries(), PARTISANS])
    return found


def holder(s: State, key: str) -> str:
    """The power or country that controls a place now."""
    return s.control.get(key) or _first_holder(key)


@lasting
def _first_holder(key: str) -> str:
    return default_holders().get(key, "")


@lasting
def deciding_places(area: str) -> tuple[Place, ...]:
    """The keys of the places whose control decides who holds an area."""
    return tuple(place_key(place) for place in areas()[area].places)


_CHANGES: dict[int, tuple[Mapping[str, str], Mapping[str, str], tuple[str, ...]]] = {}
#: How many changes of control are remembered: enough to lead from one question about who holds what to the next.
REMEMBERED = 64


def remember_change(control: Mapping[str, str], before: Mapping[str, str], places: tuple[str, ...]) -> None:
    """Note by which places control differs from what it was, for whoever keeps something made of it."""
    if len(_CHANGES) >= REMEMBERED:
        _CHANGES.clear()  # in one go: several threads may be here
    _CHANGES[id(control)] = control, before, places


def changed_between(before: Mapping[str, str], control: Mapping[str, str]) -> set[str]:
    """The places that may have changed hands between two times, as far as it is remembered; or those that have."""
    found: set[str] = set()
    at = control
    while at is not before:
        step = _CHANGES.get(id(at))
        if step is None:
            return {key for key, _ in control.items() ^ before.items()}
        at = step[1]
        found.update(step[2])
    return found


def area_holder(s: State, area: str) -> str:
    """Who controls all the places which decide an area; nobody while they are divided."""
    found, control, first = "", s.control, default_holders()
    for key in deciding_places(area):
        now = control.get(key) or first.get(key, "")
        if found and now != found:
            return ""
        found = now
    return found
