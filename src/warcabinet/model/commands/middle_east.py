"""Orders and reports about the Middle East: fleets that must leave their port, and Moslem Unrest."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from warcabinet.model.commands.base import Command, PlaceName, PowerName, UnitName
from warcabinet.model.commands.minors import NationName

PartisanName = Annotated[
    Literal["wafdist", "arab", "persian"],
    Meta(description="Wafdists in Egypt, Arabs from Palestine to Iraq and Arabia, Persians"),
]


class DisplaceFleet(Command, frozen=True, tag="displace_fleet"):
    """Take ships, or aircraft in the Philippines, out of a place that the enemy has entered, to where they may go."""

    nation: NationName
    unit: UnitName
    from_: PlaceName = msgspec.field(name="from")
    to: PlaceName
    count: Annotated[int, Meta(ge=1, description="how many units")] = 1


class RaisePartisans(Command, frozen=True, tag="raise_partisans"):
    """The name until release 0.2 for building a partisan that Moslem Unrest allows; kept until release 0.4."""

    now_called: ClassVar[str] = "build_partisan"

    partisans: PartisanName
    at: PlaceName
    power: PowerName = "germany"


class ReportUnrest(Command, frozen=True, tag="report_unrest"):
    """The Axis achieved a Moslem Unrest result: it creates or expands a force pool of partisans by so many."""

    partisans: PartisanName
    count: Annotated[int, Meta(ge=1, description="how many partisans the force pool grows by")] = 1
