"""The agenda: things that will fall due. A promise holds no condition; its effect looks at the state when due.

What a promise is about is a type: an area, units on the turn record track, a deferment, units caught, a country that
joined. Each has all that its effect must know when it falls due.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, Literal, TypeVar

import msgspec

from warcabinet.model import calendar
from warcabinet.model.names import StatusName

Outcome = Literal["done", "averted", "passed on", "lapsed"]


class Lapsed(str):
    """Why a promise came to nothing though nobody averted it: what it was about is no more."""

    __slots__ = ()


class _Matter(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag_field="what"):
    pass


class OfArea(_Matter, frozen=True, tag="area"):
    """An area or country. `retaken`: its new holder retook it for its side, and keeps it as the former would have."""

    area: str
    retaken: bool = False

    @property
    def about(self) -> str:
        return self.area


class Arrival(_Matter, frozen=True, tag="arrival"):
    """Units that wait on the turn record track for a turn."""

    turn: int

    @property
    def about(self) -> str:
        return calendar.turn_name(self.turn)


class Deferment(_Matter, frozen=True, tag="deferment"):
    """BRPs of units that were deferred from a mobilization."""

    turn: int
    mobilization: str

    @property
    def about(self) -> str:
        return f"{calendar.turn_name(self.turn)}, mobilization {self.mobilization}"


class Caught(_Matter, frozen=True, tag="caught"):
    """A faction's units in a country that turned against them."""

    country: str
    side: str

    @property
    def about(self) -> str:
        return self.country


class Joined(_Matter, frozen=True, tag="joined"):
    """A country that joined a power: what it was before, what the power then had on its books, what it has paid.

    Where `had` is nothing, the books stay as they are. `partners` is what a partner with which it stood had of it;
    `result` the diplomatic result to which it returns, if another was reported.
    """

    country: str
    status: StatusName
    by: str
    had: int | None
    paid: int
    partners: int = 0
    result: str | None = None

    @property
    def about(self) -> str:
        return self.country


class Reduction(_Matter, frozen=True, tag="reduction"):
    """Factors by type that were missing in Manchuria when it was counted in a turn, and may then leave Siberia."""

    turn: int
    armor: int = 0
    infantry: int = 0
    army_air: int = 0

    @property
    def about(self) -> str:
        found = {"armor": self.armor, "infantry": self.infantry, "army air": self.army_air}
        told = (f"{count} {kind} factor{'' if count == 1 else 's'}" for kind, count in found.items() if count)
        return " and ".join(told)


Matter = OfArea | Arrival | Deferment | Caught | Joined | Reduction


M = TypeVar("M", bound=Matter, covariant=True)


class Promise(msgspec.Struct, Generic[M], frozen=True, gc=False, omit_defaults=True):
    """At `due` (a moment), `effect` will be looked at for `power`, in the matter of `of`, with `brp` at stake.

    The amount is explicit: it can differ from the yearly value of what it is about.
    """

    id: int
    due: int
    effect: str
    clause: str
    opened: int
    power: str
    of: M
    brp: int = 0

    @property
    def about(self) -> str:
        """The area or country that it is about, or the matter in words."""
        return self.of.about


class Agenda:
    """What is promised, oldest first, with an index by effect and one by what it is about. Never changed."""

    __slots__ = ("_about", "_effects", "_promises", "soonest")

    def __init__(self, promises: Iterable[Promise[Matter]] = ()) -> None:
        self._promises: dict[int, Promise[Matter]] = {}
        self._effects: dict[str, dict[int, Promise[Matter]]] = {}
        self._about: dict[str, dict[int, Promise[Matter]]] = {}
        self.soonest: int | None = None
        for it in promises:
            self._promises[it.id] = it
            self._effects.setdefault(it.effect, {})[it.id] = it
            self._about.setdefault(it.about, {})[it.id] = it
            self.soonest = it.due if self.soonest is None else min(it.due, self.soonest)

    def with_(self, made: Promise[Matter]) -> Agenda:
        new = Agenda.__new__(Agenda)
        new._promises = {**self._promises, made.id: made}
        new._effects = {**self._effects, made.effect: {**self._effects.get(made.effect, {}), made.id: made}}
        new._about = {**self._about, made.about: {**self._about.get(made.about, {}), made.id: made}}
        new.soonest = made.due if self.soonest is None else min(made.due, self.soonest)
        return new

    def without(self, id: int) -> Agenda:
        gone = self._promises.get(id)
        if gone is None:
            return self
        new = Agenda.__new__(Agenda)
        new._promises = _less(self._promises, id)
        new._effects = {**self._effects, gone.effect: _less(self._effects[gone.effect], id)}
        new._about = {**self._about, gone.about: _less(self._about[gone.about], id)}
        new.soonest = self.soonest
        if gone.due == self.soonest:
            new.soonest = min([it.due for it in new._promises.values()], default=None)
        return new

    def find(self, *effects: str, about: str | None = None, power: str = "") -> tuple[Promise[Matter], ...]:
        """What is promised by any of these effects (none named: by all), about this, for this power; oldest first."""
        if about is not None:
            known = self._about.get(about)
            if not known:
                return ()
            found: Iterable[Promise[Matter]] = known.values()
            found = [it for it in found if it.effect in effects] if effects else found
        elif len(effects) == 1:
            found = self._effects.get(effects[0], {}).values()
        else:
            found = (it for it in self._promises.values() if it.effect in effects or not effects)
        return tuple([it for it in found if it.power == power]) if power else tuple(found)

    def fallen_due(self, moment: int) -> Promise[Matter] | None:
        """The oldest promise whose moment has come."""
        if self.soonest is None or self.soonest > moment:
            return None
        return next(it for it in self._promises.values() if it.due <= moment)

    def __contains__(self, id: int) -> bool:
        return id in self._promises

    def __iter__(self) -> Iterator[Promise[Matter]]:
        return iter(self._promises.values())

    def __len__(self) -> int:
        return len(self._promises)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Agenda) and self._promises == other._promises

    def __hash__(self) -> int:
        return hash(tuple(self._promises.values()))

    def __repr__(self) -> str:
        return f"Agenda({list(self)})"


def _less(found: Mapping[int, Promise[Matter]], id: int) -> dict[int, Promise[Matter]]:
    left = dict(found)
    left.pop(id, None)
    return left
