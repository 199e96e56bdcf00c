"""Orders and reports about BRPs, bases and force pools."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from warcabinet.model.commands.base import (
    AreaName,
    BeyondList,
    Brp,
    Command,
    PowerName,
    RuleName,
    SignedBrp,
    Text,
    UnitName,
    kind_of,
)


class Spend(Command, frozen=True, tag="spend"):
    """Spend BRPs: on offensive operations, unit construction, a declaration of war, or otherwise."""

    power: PowerName
    brp: Annotated[int, Meta(ge=1, description="Basic Resource Points", extra={"kind": "brp"})]
    on: Literal["offensive operations", "unit construction", "declaration of war", "other"]
    note: Text = ""
    units_of: Annotated[str, kind_of("country or none", "the minor country whose units fight, if it is one's")] = ""


class ReportConquest(Command, frozen=True, tag="report_conquest"):
    """A major power was conquered, or by a rule outside these documents any area; its yearly value is given."""

    area: AreaName
    by: PowerName
    brp: Brp
    by_rule: RuleName = ""


class ReportBombing(Command, frozen=True, tag="report_bombing"):
    """Bombing, flying bombs or rockets cost a power BRPs; never prorated, never a loss of base."""

    power: PowerName
    brp: Brp
    area: Annotated[str, kind_of("area or none", "what was hit, if it has economic value")] = ""
    by: Literal["bombing", "flying bombs", "rockets"] = "bombing"
    box: Annotated[Literal["", "urals"], Meta(description="the box that was hit, instead of an area")] = ""


class ReportBrp(Command, frozen=True, tag="report_brp"):
    """A power gained or lost BRPs through a chapter that is played outside: named, and never prorated."""

    power: PowerName
    brp: SignedBrp
    cause: Literal["transports", "submarine warfare", "partisans", "grant", "oil", "resistance", "other"]
    note: Text = ""
    country: Annotated[str, kind_of("country or none", "in which country, where partisans caused it")] = ""


class ReportBase(Command, frozen=True, tag="report_base"):
    """A power's BRP base changed during the year: a mobilization (level too), oil effects, or another cause."""

    power: PowerName
    brp: SignedBrp
    cause: Literal["mobilization", "oil", "other"]
    note: Text = ""


class ReportPool(Command, frozen=True, tag="report_pool"):
    """Units were added to a power's force pool unbuilt, lost, or (with a negative count) built or removed."""

    power: PowerName
    unit: UnitName
    count: int
    eliminated_by: Annotated[str, kind_of("power or none", "who eliminated them")] = ""
    beyond_list: BeyondList = False


class ReportOil(Command, frozen=True, tag="report_oil"):
    """Whether a power uses the oil that its BRP growth requires in the coming year start."""

    power: PowerName
    used_for_growth: bool
