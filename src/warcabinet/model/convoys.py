"""A grant on its way as the state keeps it: a convoy to Murmansk (40.4), or any other that can be met (40.223)."""

from __future__ import annotations

from typing import Literal

import msgspec

from warcabinet.model.keys import NOWHERE, Place, Unit

#: What the game waits for: partners' shipments, the enemy's decision, the next attack, its outcome, who has what
#: returns, where raiders go.
Stage = Literal["assembling", "sighted", "attacked", "resolving", "dividing", "homeward"]
Means = Literal["air", "submarines", "ships"]


class Shipment(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one power sends, and how many transports carry it."""

    power: str
    brp: int
    oil: int
    transports: int


class Detachment(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units that sail or fly with the operation, and where they came from."""

    nation: str
    unit: Unit
    count: int
    origin: Place


class Consignment(msgspec.Struct, frozen=True, omit_defaults=True, tag="consignment"):
    """A grant that the enemy can meet on the mapboard: what it carries, and the transports at risk by ocean."""

    power: str
    to: str
    by: str
    brp: int
    transports: dict[str, int]
    #: Whose air transport flies it over the Hump, and from where.
    flown_by: str = ""
    air_base: Place = NOWHERE
    oil: int = 0
    sunk: dict[str, int] = {}
    #: Who has nothing more against it.
    let_by: tuple[str, ...] = ()

    @property
    def stage(self) -> Stage:
        """It is at sea, and the enemy decides."""
        return "sighted"

    @property
    def afloat(self) -> dict[str, int]:
        return {ocean: count - self.sunk.get(ocean, 0) for ocean, count in self.transports.items()}


class Convoy(msgspec.Struct, frozen=True, omit_defaults=True, tag="convoy"):
    """All that has been decided and has happened to a convoy so far."""

    stage: Stage
    shipments: tuple[Shipment, ...] = ()
    to_join: tuple[str, ...] = ()
    escorts: tuple[Detachment, ...] = ()
    air: tuple[Detachment, ...] = ()
    ships: tuple[Detachment, ...] = ()
    submarines: tuple[Detachment, ...] = ()
    submarines_with_ships: tuple[Detachment, ...] = ()
    #: Submarines by themselves that have not attacked yet.
    unspent: int = 0
    air_attacks: int = 0
    fought: bool = False
    #: What was announced and has no outcome yet; submarines strike after the air attack they go with.
    announced: tuple[Means, ...] = ()
    committed: int = 0
    #: How many submarine attacks each combat group has met in each of the six hexes, such as `3 1`: hex, group.
    struck: dict[str, int] = {}
    #: In which of the six hexes submarines strike now, and how many of them at -1 (40.45B(4)).
    strikes_in: int = 0
    modified: int = 0
    #: Air squadrons that cover the German ships in the naval combat.
    air_cover: int = 0
    damage: int = 0
    #: On whose ships the hits fell, where it was told.
    hits_on: dict[str, int] = {}
    sunk: int = 0
    aborted: bool = False

    @property
    def opposed(self) -> bool:
        return bool(self.air or self.ships or self.submarines or self.submarines_with_ships)

    @property
    def brp(self) -> int:
        return sum(it.brp for it in self.shipments)

    @property
    def oil(self) -> int:
        return sum(it.oil for it in self.shipments)

    @property
    def transports(self) -> int:
        """Those that were assigned and are still afloat."""
        return sum(it.transports for it in self.shipments) - self.sunk


def strength(of: tuple[Detachment, ...]) -> int:
    return sum(it.count for it in of)
