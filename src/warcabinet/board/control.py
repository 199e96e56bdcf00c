"""Who controls which hex, and who did when the current frame opened.

A holder is a power or a country, by its id. Control is a plain mapping from hex key to holder; `Control` adds the
former holders that rules about the start of a turn ask for. Both are never changed in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from warcabinet.board import rows
from warcabinet.board.maps import Board, areas_by_id, board, both, by_key
from warcabinet.kernel.kept import kept

Holder = Mapping[str, str] | Callable[[str], str | None]


class Control(Mapping[str, str]):
    """Control by hex key, with the former holder of each hex that changed hands since the frame opened."""

    __slots__ = ("_former", "_now")

    def __init__(self, now: Mapping[str, str], former: Mapping[str, str] | None = None) -> None:
        self._now = dict(now)
        self._former = dict(former or {})

    def __getitem__(self, key: str) -> str:
        return self._now[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._now)

    def __len__(self) -> int:
        return len(self._now)

    @property
    def former(self) -> Mapping[str, str]:
        """Only the hexes that changed hands in this frame, with who held them when it opened."""
        return dict(self._former)

    def give(self, keys: Iterable[str], holder: str) -> Control:
        """The same with some hexes given to a holder; a hex that returns to its first holder counts as unchanged."""
        now, former = dict(self._now), dict(self._former)
        for key in keys:
            by_key(key)
            before = former.pop(key, now.get(key, ""))
            if before != holder:
                former[key] = before
            now[key] = holder
        return Control(now, former)

    def at_start(self, key: str) -> str | None:
        """Who held the hex when the frame opened."""
        return (self._former[key] or None) if key in self._former else self._now.get(key)

    def held_since_start(self, key: str, holder: str) -> bool:
        """Held now and when the frame opened."""
        return self._now.get(key) == holder and key not in self._former

    def open_frame(self) -> Control:
        """The same holders, with a new start to look back to."""
        return Control(self._now)


@cache
def fall_1939() -> Mapping[str, str]:
    """Control at the start of the classic scenario: by country, then the hexes held by someone else."""
    found: dict[str, str] = {}
    for one in both():
        for h in one:
            if h.is_land:
                found[h.key] = areas_by_id()[h.country].controller
    for row in rows.table("control-1939", rows.ControlRow):
        found[board(row.board)[row.hex].key] = row.controller
    return found


def by_country(countries: Iterable[str], holder: str) -> dict[str, str]:
    """Every hex of some countries (or regions), given to one holder."""
    wanted = set(countries)
    return {h.key: holder for one in both() for h in one if h.is_land and wanted & {h.country, h.region}}


def holdings(one: Board, control: Mapping[str, str]) -> dict[str, int]:
    """The hexes of each holder as bitmaps."""
    return _holdings(control, one.name)


@kept
def _holdings(control: Mapping[str, str], name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    prefix = name + "/"
    for id_, bit in board(name).bit.items():
        holder = control.get(prefix + id_)
        if holder:
            found[holder] = found.get(holder, 0) | 1 << bit
    return found


def held(one: Board, control: Holder, holders: Iterable[str]) -> int:
    """The hexes that any of the holders controls, as a bitmap; control may also be a function of the hex key."""
    wanted = set(holders)
    if callable(control):
        return one.bits(h.id for h in one if h.is_land and control(h.key) in wanted)
    found = holdings(one, control)
    total = 0
    for holder in wanted:
        total |= found.get(holder, 0)
    return total
