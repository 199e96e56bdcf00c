"""Orders about Australia and India: surrender, shipbuilding, supply by sea."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from warcabinet.model.commands.base import Command, PlaceName, PowerName

BoxedCountry = Annotated[Literal["australia", "india"], Meta(description="Australia or India")]


class SurrenderVoluntarily(Command, frozen=True, tag="surrender_voluntarily"):
    """Australia or India surrenders of its own will, as an Allied player turn ends; this is never undone."""

    power: PowerName
    country: BoxedCountry


class TraceSeaSupply(Command, frozen=True, tag="trace_sea_supply"):
    """Trace a supply line by sea from the Australia or India box to a port on the Pacific board, with one transport."""

    power: PowerName
    country: BoxedCountry
    to: PlaceName


class UseShipbuilding(Command, frozen=True, tag="use_shipbuilding"):
    """Use Australian shipbuilding points on ships that take more than a turn, or on repairs of Western Allied ships."""

    power: PowerName
    points: Annotated[int, Meta(ge=1, description="shipbuilding points, three BRPs each")] = 1
    on: Literal["ships", "repairs"] = "ships"
