"""The accounts of the ledger, each a type of its own; here alone is how they are written and read as text.

In an event an account is a list (`["annual", "germany", "belgium"]`); people, logs and the index of postings know it by
its text (`annual/germany/belgium`).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar, Literal

import msgspec

from warcabinet.kernel.errors import WarCabinetError


class _Account(msgspec.Struct, frozen=True, gc=False, array_like=True):
    pass


class _Own(_Account, frozen=True):
    """An account of a power."""

    unit: ClassVar[str] = ""

    power: str

    if TYPE_CHECKING:

        @property
        def owner(self) -> str: ...


class Brp(_Own, frozen=True, tag="brp"):
    """A power's BRP level."""

    unit: ClassVar[str] = "brp"

    def __str__(self) -> str:
        return f"brp/{self.power}"


class AtSea(_Own, frozen=True, tag="at sea"):
    """BRPs that a power has granted and that are still on their way."""

    unit: ClassVar[str] = "brp"

    route: str

    def __str__(self) -> str:
        return f"brp/sea/{self.route}/{self.power}"


class Base(_Own, frozen=True, tag="base"):
    """A power's BRP base."""

    unit: ClassVar[str] = "base"

    def __str__(self) -> str:
        return f"base/{self.power}"


class Annual(_Own, frozen=True, tag="annual"):
    """The yearly value of an area on a power's books."""

    unit: ClassVar[str] = "annual"

    area: str

    def __str__(self) -> str:
        return f"annual/{self.power}/{self.area}"


class Mobilization(_Own, frozen=True, tag="mobilization"):
    """Mobilizations made in a turn: whole ones, in a theater of the United States, or halves of a Russian one."""

    unit: ClassVar[str] = "mobilization"

    part: str
    turn: int

    def __str__(self) -> str:
        return f"mobilization/{self.power}/{self.part}/{self.turn}"


class Deferred(_Own, frozen=True, tag="deferred"):
    """BRPs of units that were deferred from a mobilization in a turn and wait to be triggered."""

    unit: ClassVar[str] = "deferred"

    turn: int
    mobilization: str

    def __str__(self) -> str:
        return f"deferred/{self.power}/{self.turn}/{self.mobilization}"


class DeferredFrom(_Own, frozen=True, tag="deferred from"):
    """Minus what a mobilization deferred, used since or not."""

    unit: ClassVar[str] = "deferred"

    mobilization: str

    def __str__(self) -> str:
        return f"deferred/source/{self.power}/{self.mobilization}"


class DeferredGone(_Account, frozen=True, tag="deferred gone"):
    """Deferred BRPs that were triggered, or never were."""

    unit: ClassVar[str] = "deferred"
    owner: ClassVar[str] = ""

    how: Literal["used", "lost"]

    def __str__(self) -> str:
        return f"deferred/{self.how}"


class Shipbuilding(_Own, frozen=True, tag="shipbuilding"):
    """A shipbuilding rate; the United States has one in each theater."""

    unit: ClassVar[str] = "shipbuilding"

    theater: str = ""

    def __str__(self) -> str:
        return f"shipbuilding/{self.power}/{self.theater}" if self.theater else f"shipbuilding/{self.power}"


class ShipbuildingFrom(_Own, frozen=True, tag="shipbuilding from"):
    """Minus the increases of a shipbuilding rate that a mobilization (or production) brought."""

    unit: ClassVar[str] = "shipbuilding"

    source: str

    def __str__(self) -> str:
        return f"shipbuilding/source/{self.power}/{self.source}"


class _OfArea(_Account, frozen=True):
    """An account of an area."""

    unit: ClassVar[str] = ""

    area: str

    if TYPE_CHECKING:

        @property
        def owner(self) -> str: ...


# Books look for owners all the time; a second name for a field is read as fast as the field.
_Own.owner, _OfArea.owner = _Own.power, _OfArea.area  # type: ignore[method-assign, assignment]


class IcValue(_OfArea, frozen=True, tag="ic"):
    """The value that an industrial center was fixed at when it was captured."""

    unit: ClassVar[str] = "ic"

    def __str__(self) -> str:
        return f"ic/{self.area}"


class Bombed(_OfArea, frozen=True, tag="bombed"):
    """How often an industrial center was bombed."""

    unit: ClassVar[str] = "bombed"

    def __str__(self) -> str:
        return f"bombed/{self.area}"


class Spared(_OfArea, frozen=True, tag="spared"):
    """How much less a key area's capture cost because bombing came before it, and in whose player turn."""

    unit: ClassVar[str] = "spared"

    turn: int
    player: str

    def __str__(self) -> str:
        return f"spared/{self.area}/{self.turn}/{self.player}"


class Oil(_OfArea, frozen=True, tag="oil"):
    """Industrial centers given up for the oil of an area."""

    unit: ClassVar[str] = "oil"

    def __str__(self) -> str:
        return f"oil/{self.area}"


class World(_Account, frozen=True, tag="world"):
    """Where points of a unit come from and go to when nothing more is to be said of it."""

    owner: ClassVar[str] = ""

    unit: str

    def __str__(self) -> str:
        return f"{self.unit}/world"


class Source(_Account, frozen=True, tag="source"):
    """What points of a unit come from."""

    owner: ClassVar[str] = ""

    unit: str
    of: str

    def __str__(self) -> str:
        return f"{self.unit}/source/{self.of}"


class Sink(_Account, frozen=True, tag="sink"):
    """What points of a unit were spent on or lost to."""

    owner: ClassVar[str] = ""

    unit: str
    of: str

    def __str__(self) -> str:
        return f"{self.unit}/sink/{self.of}"


Outside = World | Source | Sink
OUTSIDE = (World, Source, Sink, AtSea, DeferredFrom, DeferredGone, ShipbuildingFrom)
Account = (
    Brp
    | AtSea
    | Base
    | Annual
    | Mobilization
    | Deferred
    | DeferredFrom
    | DeferredGone
    | Shipbuilding
    | ShipbuildingFrom
    | IcValue
    | Bombed
    | Spared
    | Oil
    | World
    | Source
    | Sink
)


@cache
def account_named(text: str) -> Account:
    """An account by its text."""
    match text.split("/"):
        case [unit, "world"]:
            return World(unit)
        case ["deferred", "source", power, *rest]:
            return DeferredFrom(power, "/".join(rest))
        case ["shipbuilding", "source", power, *rest]:
            return ShipbuildingFrom(power, "/".join(rest))
        case [unit, "source", *rest]:
            return Source(unit, "/".join(rest))
        case [unit, "sink", *rest]:
            return Sink(unit, "/".join(rest))
        case ["brp", "sea", route, power]:
            return AtSea(power, route)
        case ["brp", power]:
            return Brp(power)
        case ["base", power]:
            return Base(power)
        case ["annual", power, area]:
            return Annual(power, area)
        case ["mobilization", power, part, turn]:
            return Mobilization(power, part, int(turn))
        case ["deferred", "used" | "lost" as how]:
            return DeferredGone(how)
        case ["deferred", power, turn, *rest]:
            return Deferred(power, int(turn), "/".join(rest))
        case ["shipbuilding", power, *theater]:
            return Shipbuilding(power, *theater)
        case ["ic", area]:
            return IcValue(area)
        case ["bombed", area]:
            return Bombed(area)
        case ["spared", area, turn, player]:
            return Spared(area, int(turn), player)
        case ["oil", area]:
            return Oil(area)
    raise WarCabinetError(f"'{text}' is no account; accounts look like brp/germany or annual/italy/albania")
