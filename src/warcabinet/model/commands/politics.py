"""Reports about control, countries, wars and tensions."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from warcabinet.model.commands.base import Command, CountryName, PlaceName, PowerName, RuleName, TrackName, kind_of
from warcabinet.model.names import StatusName


class ReportControl(Command, frozen=True, tag="report_control"):
    """Hexes, cities or boxes came under a power's control; all that follows for areas and BRPs is automatic."""

    other_names: ClassVar[dict[str, str]] = {"hexes": "places"}

    places: Annotated[tuple[PlaceName, ...], Meta(min_length=1)]
    by: PowerName
    partisans: Annotated[bool, Meta(description="whether partisans hold them, not regular units")] = False
    by_attrition: Annotated[bool, Meta(description="whether they were chosen for attrition occupation")] = False
    by_rule: RuleName = ""


class ReportStatus(Command, frozen=True, tag="report_status"):
    """A minor country's political status changed; its BRPs may be worth another sum to the power."""

    country: CountryName
    status: StatusName
    power: Annotated[str, kind_of("power or none", "the power concerned; empty for neutral or independent")] = ""
    brp: Annotated[int, Meta(ge=0, description="Basic Resource Points a year")] | None = None
    by_rule: RuleName = ""


class ReportTrack(Command, frozen=True, tag="report_track"):
    """A tension or resistance level stands at a new value."""

    track: TrackName
    level: int


class ReportWar(Command, frozen=True, tag="report_war"):
    """War broke out between two powers, or a power and a country."""

    between: Annotated[
        tuple[Annotated[str, kind_of("belligerent", "a power or country")], ...], Meta(min_length=2, max_length=2)
    ]
    declared_by: Annotated[str, kind_of("belligerent or none", "who declared it")] = ""
    by_rule: RuleName = ""


class ReportPeace(Command, frozen=True, tag="report_peace"):
    """A war between two belligerents ended."""

    between: Annotated[
        tuple[Annotated[str, kind_of("belligerent", "a power or country")], ...], Meta(min_length=2, max_length=2)
    ]
    by_rule: RuleName = ""


class ReportSurrender(Command, frozen=True, tag="report_surrender"):
    """A major power surrendered, or re-entered the war."""

    power: PowerName
    surrendered: bool = True


class ReportMoment(Command, frozen=True, tag="report_moment"):
    """A line of a great moment is settled as it stands; without a line the whole moment is, under a headline."""

    moment: Annotated[str, Meta(max_length=60, description="which one, such as 'fall of France'")]
    line: Annotated[str, Meta(max_length=60, description="one of its lines; empty: all of it")] = ""
    says: Annotated[str, Meta(max_length=120, description="how it stands, or the headline for the chronicle")] = ""
    reopen: Annotated[bool, Meta(description="the word on a line is taken back: it waits again")] = False
