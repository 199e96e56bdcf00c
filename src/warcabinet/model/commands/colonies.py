"""Orders and reports about Canada, South Africa, Gibraltar and the Indian National Army (70, 72.9, 73)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from warcabinet.model.commands.base import Command, PlaceName, PowerName, kind_of
from warcabinet.model.commands.forces import Units


class RaiseIndianPartisan(Command, frozen=True, tag="raise_indian_partisan"):
    """The name until release 0.2 for building an Indian partisan; kept until release 0.4."""

    now_called: ClassVar[str] = "build_partisan"

    at: PlaceName
    partisans: Literal["indian"] = "indian"
    power: PowerName = "japan"


class ReportSiege(Command, frozen=True, tag="report_siege"):
    """A siege has reduced the defensive value of the fortress of Gibraltar by so much (0: no longer)."""

    reduced_by: Annotated[int, Meta(ge=0, le=5, description="by how much the DM of its defenders is lower")]


class UseCanadianShipyard(Command, frozen=True, tag="use_canadian_shipyard"):
    """Build or repair ships in Canada with its shipbuilding points; new ones are launched in the Atlantic U.S. box."""

    power: Annotated[PowerName, Meta(description="who pays for the shipbuilding points: Britain or the U.S.")]
    units: Annotated[Units, Meta(min_length=1)]
    ships_of: Annotated[str, kind_of("power or none", "whose ships they are; empty: those of the payer")] = ""
    repair: Annotated[bool, Meta(description="whether ships are repaired, not built")] = False
