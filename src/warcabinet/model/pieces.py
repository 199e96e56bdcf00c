"""Pieces: how many units of which nation and kind are where, with an index by place and one by nation and kind.

Units are never made or lost to the count: they go from somewhere to somewhere, and what is out of play counts below
zero as many as are in it. So the sum over all that a nation has of a kind is zero, always.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.keys import Place, Unit
from warcabinet.model.units import kind_name, unit_branch, unit_factors


class _Where(msgspec.Struct, frozen=True, gc=False, array_like=True):
    pass


class At(_Where, frozen=True, tag="at"):
    """On a hex or in a box."""

    place: Place

    def __str__(self) -> str:
        return f"at/{self.place}"


class Unbuilt(_Where, frozen=True, tag="unbuilt"):
    """In the force pool."""

    def __str__(self) -> str:
        return "unbuilt"


class Built(_Where, frozen=True, tag="built"):
    """On the boards, but nothing is said of where."""

    def __str__(self) -> str:
        return "built"


class Track(_Where, frozen=True, tag="track"):
    """On the turn record track, to enter the force pool in a turn."""

    turn: int

    def __str__(self) -> str:
        return f"track/{self.turn}"


class Lost(_Where, frozen=True, tag="lost"):
    """Eliminated, never to be built again."""

    def __str__(self) -> str:
        return "lost"


class Mobilized(_Where, frozen=True, tag="mobilized"):
    """Where mobilized units come from: below zero as many as a mobilization brought, at once or by deferment."""

    by: tuple[str, ...]
    deferred: bool = False

    def __str__(self) -> str:
        return f"source/{'deferred ' if self.deferred else ''}{' and '.join(self.by)}"


class Produced(_Where, frozen=True, tag="produced"):
    """Where the units that production gave come from."""

    def __str__(self) -> str:
        return "production"


class OutOfPlay(_Where, frozen=True, tag="out of play"):
    """Not in the game: where pieces come from and go to when nothing more is to be said of it."""

    def __str__(self) -> str:
        return "world"


Where = At | Unbuilt | Built | Track | Lost | Mobilized | Produced | OutOfPlay
UNBUILT, BUILT, LOST, OUT_OF_PLAY = Unbuilt(), Built(), Lost(), OutOfPlay()
#: Those that stand for the world outside: units come from them, or leave the game to them.
NOT_IN_PLAY = (Mobilized, Produced, OutOfPlay)


@cache
def where_named(text: str) -> Where:
    """Where units are, by its text."""
    kind, _, rest = text.partition("/")
    match kind:
        case "at" if rest:
            return At(Place(rest))
        case "track" if rest:
            return Track(int(rest))
        case "source":
            names = rest.removeprefix("deferred ")
            return Mobilized(tuple(names.split(" and ")) if names else (), names != rest)
    found = {str(it): it for it in (UNBUILT, BUILT, LOST, Produced(), OUT_OF_PLAY)}.get(text)
    if found is None:
        raise WarCabinetError(f"'{text}' is not where units can be")
    return found


def piece_account(nation: str, where: Where, unit: Unit) -> str:
    """The text by which the log knows the units of a kind that a nation has somewhere."""
    if isinstance(where, Mobilized):
        return f"piece/source/{nation}/{str(where).removeprefix('source/')}/{unit}"
    return f"piece/production/{nation}/{unit}" if isinstance(where, Produced) else f"piece/{nation}/{where}/{unit}"


def piece_named(text: str) -> tuple[str, Where, Unit]:
    """Nation, where and unit of such a text."""
    _, first, *rest = text.split("/")
    *where, unit = rest
    if first == "source":
        return where[0], where_named(f"source/{where[1]}"), Unit(unit)
    if first == "production":
        return where[0], Produced(), Unit(unit)
    return first, where_named("/".join(where)), Unit(unit)


class Stack(msgspec.Struct, frozen=True, gc=False):
    """Units of one nation and kind at one place."""

    nation: str
    place: Place
    unit: Unit
    count: int

    @property
    def factors(self) -> int:
        return self.count * unit_factors(self.unit)

    @property
    def branch(self) -> str:
        return unit_branch(self.unit)


K = TypeVar("K")
V = TypeVar("V")


def _with(found: Mapping[K, V] | None, key: K, value: V | None) -> dict[K, V]:
    """A copy with another value under a key, or none; the order owes nothing to the past, so storing keeps it."""
    if not value:
        less = dict(found) if found else {}
        less.pop(key, None)
        return less
    if not found:
        return {key: value}
    made = {**found, key: value}
    if key in found:
        return made
    last: Any = next(reversed(cast("dict[K, V]", found)))
    # Names are ordered as they are, and where units are by its text.
    if isinstance(last, _Where):
        return made if str(last) < str(key) else {it: made[it] for it in sorted(made, key=str)}
    return made if last < key else {it: made[it] for it in sorted(made)}  # type: ignore[type-var]


_NO_STACKS: Mapping[tuple[str, Unit], Stack] = {}
_NO_UNITS: Mapping[Unit, int] = {}


class Pieces:
    """All units. Never changed: a move makes new pieces that share every place and nation it did not touch."""

    __slots__ = ("_nations", "_off", "_places", "armor")

    def __init__(
        self,
        places: dict[Place, dict[tuple[str, Unit], Stack]] | None = None,
        nations: dict[str, dict[Unit, dict[Place, Stack]]] | None = None,
        off: dict[str, dict[Where, dict[Unit, int]]] | None = None,
        armor: Mapping[str, frozenset[Place]] | None = None,
    ) -> None:
        self._places = places or {}  # place, then nation and unit
        self._nations = nations or {}  # nation, then unit, then place
        self._off = off or {}  # nation, then where, then unit
        #: Where each nation has armor: zones of control are asked for all the time, and armor moves now and then.
        self.armor: Mapping[str, frozenset[Place]] = armor or {}

    # -- asking --------------------------------------------------------------------------------------------

    def count(self, nation: str, where: Where, unit: Unit) -> int:
        if isinstance(where, At):
            stack = self._places.get(where.place, _NO_STACKS).get((nation, unit))
            return stack.count if stack else 0
        return self.off(nation, where).get(unit, 0)

    def stacks(self) -> Iterator[Stack]:
        """Every stack on the boards and in the boxes, nation by nation."""
        for units in self._nations.values():
            for places in units.values():
                yield from places.values()

    def at(self, place: Place) -> Collection[Stack]:
        """The stacks at one place."""
        return self._places.get(place, _NO_STACKS).values()

    def among(self, places: frozenset[Place]) -> Iterator[Stack]:
        """The stacks at any of several places."""
        mine = self._places
        for place in sorted(filter(mine.__contains__, places) if len(places) < len(mine) else places & mine.keys()):
            yield from mine[place].values()

    def of(self, nation: str) -> Iterator[Stack]:
        """The stacks of one nation, kind by kind."""
        for places in self._nations.get(nation, {}).values():
            yield from places.values()

    def has_regulars(self, nation: str) -> bool:
        """Whether a nation has any units on the boards but partisans."""
        return any(unit_branch(unit) != "partisan" for unit in self._nations.get(nation, ()))

    def has_unbuilt_regulars(self, nation: str) -> bool:
        """Whether a nation has any units in its force pool but partisans, which may be lost before it is set up."""
        return any(unit_branch(unit) != "partisan" for unit in self.off(nation, UNBUILT))

    def kinds(self, nation: str) -> Iterator[tuple[Unit, Collection[Stack]]]:
        """The kinds of units that one nation has on the boards, each with its stacks."""
        for unit, places in self._nations.get(nation, {}).items():
            yield unit, places.values()

    def of_kind(self, nation: str, unit: Unit) -> Collection[Stack]:
        """The stacks of one nation and kind."""
        return self._nations.get(nation, {}).get(unit, {}).values()

    def of_type(self, kind: str) -> Iterator[Stack]:
        """The stacks of one type, such as armor, whatever its strength."""
        for units in self._nations.values():
            for unit, places in units.items():
                if kind_name(unit) == kind:
                    yield from places.values()

    def off(self, nation: str, where: Where) -> Mapping[Unit, int]:
        """A nation's units somewhere off the boards: kinds and numbers."""
        return self._off.get(nation, {}).get(where, _NO_UNITS)

    def tracks(self, nation: str) -> Iterator[tuple[int, Unit, int]]:
        """A nation's units on the turn record track: the turn in which they enter its force pool, unit, number."""
        for where, units in self._off.get(nation, {}).items():
            if isinstance(where, Track):
                for unit, count in units.items():
                    yield where.turn, unit, count

    def mobilized(self, nation: str) -> Iterator[tuple[Mobilized, Mapping[Unit, int]]]:
        """What each mobilization of a nation brought: kinds, and minus their number."""
        for where, units in self._off.get(nation, {}).items():
            if isinstance(where, Mobilized):
                yield where, units

    def everything(self) -> Iterator[tuple[str, Where, Unit, int]]:
        """Every number that is kept: nation, where, unit, how many."""
        for stack in self.stacks():
            yield stack.nation, At(stack.place), stack.unit, stack.count
        for nation, wheres in self._off.items():
            for where, units in wheres.items():
                for unit, count in units.items():
                    yield nation, where, unit, count

    def imbalance(self) -> dict[str, int]:
        """Kinds of units that came from nowhere or went nowhere: none, ever."""
        sums: dict[str, int] = {}
        for nation, _, unit, count in self.everything():
            sums[f"{nation} {unit}"] = sums.get(f"{nation} {unit}", 0) + count
        return {which: total for which, total in sums.items() if total}

    # -- moving --------------------------------------------------------------------------------------------

    def moved(self, nation: str, unit: Unit, count: int, origin: Where, to: Where) -> Pieces:
        """The pieces after some units went from somewhere to somewhere else."""
        return self._changed(nation, unit, ((origin, -count), (to, count)))

    def _changed(self, nation: str, unit: Unit, changes: tuple[tuple[Where, int], ...]) -> Pieces:
        """The pieces with more or fewer units of a kind here and there; each index is copied once for all of them."""
        places, nations, off = self._places, self._nations, self._off
        units, wheres = nations.get(nation, {}), off.get(nation, {})
        mine = units.get(unit, {})
        for where, change in changes:
            if isinstance(where, At):
                place = where.place
                stood = mine.get(place)
                total = change if stood is None else stood.count + change
                stack = Stack(nation, place, unit, total) if total else None
                mine = _with(mine, place, stack)
                if places is self._places:
                    places = dict(places)
                here = _with(places.get(place), (nation, unit), stack)
                if here:
                    places[place] = here
                else:
                    places.pop(place, None)
            else:
                there = wheres.get(where, _NO_UNITS)
                wheres = _with(wheres, where, _with(there, unit, there.get(unit, 0) + change))
                off = _with(off, nation, wheres)
        if places is self._places:
            return Pieces(places, nations, off, self.armor)
        units = _with(units, unit, mine)
        armor = self.armor
        if kind_name(unit) == "armor":
            standing = (it for kind, at in units.items() if kind_name(kind) == "armor" for it in at)
            armor = _with(armor, nation, frozenset(standing))
        return Pieces(places, _with(nations, nation, units), off, armor)

    # -- storing -------------------------------------------------------------------------------------------

    def stored(self) -> dict[str, dict[str, dict[str, int]]]:
        """As it is written: by nation, where and unit."""
        found: dict[str, dict[str, dict[str, int]]] = {}
        for nation, where, unit, count in self.everything():
            found.setdefault(nation, {}).setdefault(str(where), {})[unit] = count
        return found

    @classmethod
    def restored(cls, stored: dict[str, dict[str, dict[Unit, int]]]) -> Pieces:
        made = cls()
        for nation, wheres in stored.items():
            for where, units in wheres.items():
                for unit, count in units.items():
                    made = made._changed(nation, unit, ((where_named(where), count),))
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pieces) and (self._nations, self._off) == (other._nations, other._off)

    def __hash__(self) -> int:
        return hash(tuple(self.everything()))

    def __repr__(self) -> str:
        return f"Pieces({self.stored()})"
