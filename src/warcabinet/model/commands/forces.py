"""Orders and reports about mobilization, force pools, unit construction and industrial centers (36, 37)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from warcabinet.model.commands.base import (
    AreaName,
    BeyondList,
    Brp,
    Command,
    OptionalPlace,
    PlaceName,
    PowerName,
    RuleName,
    Text,
    UnitName,
    Unsupplied,
    kind_of,
)
from warcabinet.model.keys import NOWHERE

UnitCount = Annotated[str, kind_of("unit count", "a number and a unit, such as '3 army air' or '2 infantry 1-2'")]
Units = tuple[UnitCount, ...]
Theater = Annotated[Literal["", "europe", "pacific"], Meta(description="the theater, for the United States only")]
WarToCome = Annotated[
    Literal["", "germany", "japan"], Meta(description="on whom the United States declares war in this very player turn")
]
Increases = Annotated[int, Meta(ge=0, description="shipbuilding rate increases, worth five BRPs of units each")]
City = Annotated[OptionalPlace, Meta(description="a city")]


class Mobilize(Command, frozen=True, tag="mobilize"):
    """Mobilize: base and level rise (Russia builds an industrial center), and units go on the turn record track."""

    power: PowerName
    units: Units = ()
    shipbuilding: Increases = 0
    defer: Annotated[Brp, Meta(description="BRPs of units put off for up to four turns")] = 0
    deferred: Annotated[Brp, Meta(description="BRPs put off earlier that are used together with this")] = 0
    theater: Theater = ""
    ic_at: City = NOWHERE
    oil: Annotated[bool, Meta(description="Russia: Urals oil instead of an industrial center")] = False
    production: Annotated[Brp, Meta(description="BRPs of units that production adds")] = 0
    beyond_list: BeyondList = False
    war_on: WarToCome = ""


class TriggerDeferred(Command, frozen=True, tag="trigger_deferred"):
    """Use BRPs that were deferred from a mobilization, alone or joined with production."""

    power: PowerName
    units: Units = ()
    production: Annotated[Brp, Meta(description="BRPs of units that production adds")] = 0
    shipbuilding: Increases = 0
    beyond_list: BeyondList = False


class Build(Command, frozen=True, tag="build"):
    """Build units of the force pool in one place, paid in BRPs within the construction limit."""

    power: PowerName
    at: PlaceName
    units: Annotated[Units, Meta(min_length=1)]


class BuildByCount(Command, frozen=True, tag="build_by_count"):
    """Build units of the force pool where only the books are kept: they stand wherever the players put them."""

    power: PowerName
    units: Annotated[Units, Meta(min_length=1)]


class RaiseIcs(Command, frozen=True, tag="raise_ics"):
    """Raise the value of two Russian industrial centers by five BRPs each, after a German attack."""

    ics: Annotated[tuple[AreaName, ...], Meta(min_length=1)]
    power: PowerName = "russia"


class EliminateIc(Command, frozen=True, tag="eliminate_ic"):
    """Destroy an own industrial center that the Axis have bombed."""

    power: PowerName
    ic: AreaName


class ReportProduction(Command, frozen=True, tag="report_production"):
    """Production gave units, a shipbuilding increase or a Russian industrial center."""

    power: PowerName
    units: Units = ()
    shipbuilding: Increases = 0
    in_canada: Annotated[bool, Meta(description="whether the shipbuilding increase is Canada's")] = False
    theater: Theater = ""
    ic: bool = False
    ic_at: City = NOWHERE
    oil: bool = False
    arrives: Annotated[Text, Meta(description="the turn in which the units enter the force pool; empty: now")] = ""
    beyond_list: BeyondList = False


class ReportLoss(Command, frozen=True, tag="report_loss"):
    """Built units were eliminated: back into the force pool, or out of the game for good."""

    power: PowerName
    units: Annotated[Units, Meta(min_length=1)]
    at: PlaceName
    eliminated_by: Annotated[str, kind_of("power or none", "who eliminated them")] = ""
    for_good: bool = False
    unsupplied: Unsupplied = False
    by_rule: RuleName = ""


class ReportLossByCount(Command, frozen=True, tag="report_loss_by_count"):
    """Built units were eliminated, where only the books are kept: back into the force pool, or out for good."""

    power: PowerName
    units: Annotated[Units, Meta(min_length=1)]
    eliminated_by: Annotated[str, kind_of("power or none", "who eliminated them")] = ""
    for_good: bool = False


class ReportMove(Command, frozen=True, tag="report_move"):
    """Built units went from one place to another, by movement or redeployment."""

    power: PowerName
    units: Annotated[Units, Meta(min_length=1)]
    origin: PlaceName
    to: PlaceName
    by_rule: RuleName = ""


class ReportInversion(Command, frozen=True, tag="report_inversion"):
    """Air units stand inverted after their use, at the place where they are now, until their next player turn."""

    nation: Annotated[str, kind_of("nation", "a power, or a minor country with units")]
    unit: Annotated[UnitName, Meta(description="a type of air unit, such as 'army air'")]
    at: PlaceName
    count: Annotated[int, Meta(ge=1, description="how many air factors")] = 1


class ReportEuropeanGarrison(Command, frozen=True, tag="report_european_garrison"):
    """Russia's garrison in Europe has reached its full level, or has not."""

    full: bool = True


class ReportResearch(Command, frozen=True, tag="report_research"):
    """A power completed its armor research, on which the mobilization of its heaviest armor depends."""

    power: PowerName
    subject: Literal["armor"] = "armor"
