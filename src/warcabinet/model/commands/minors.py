"""Orders and reports about minor countries: results, attack, deployment, units, association, conquest."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from warcabinet.model.commands.base import (
    AreaName,
    BeyondList,
    Brp,
    Command,
    CountryName,
    OptionalPlace,
    PlaceName,
    PowerName,
    RuleName,
    UnitName,
    Unsupplied,
    kind_of,
)
from warcabinet.model.keys import ANY_UNIT, NOWHERE, Unit

NationName = Annotated[str, kind_of("nation", "a power, or a minor country with units")]
Ship = Annotated[Literal["cruiser", "battlecruiser"], Meta(description="the kind of ship")]
Points = Annotated[int, Meta(ge=0, description="diplomatic points placed in the country")]
ResultNumber = Annotated[int, Meta(ge=-3, le=10, description="a diplomatic result, -3 to 10")]


class DeclareWar(Command, frozen=True, tag="declare_war"):
    """Declare war on a country or power; Denmark with Norway and Belgium with Luxembourg may be named together."""

    power: PowerName
    on: Annotated[
        tuple[Annotated[str, kind_of("belligerent", "a power or country")], ...], Meta(min_length=1, max_length=2)
    ]


class Displace(Command, frozen=True, tag="displace"):
    """Put the ground units that stand in the capital of a country that turned against them on an adjacent hex."""

    by: PowerName
    country: CountryName
    to: PlaceName


class Deploy(Command, frozen=True, tag="deploy"):
    """Set up a minor country's forces; those not named are placed in its capital, save the Ukraine's."""

    by: PowerName
    country: NationName
    units: Annotated[
        tuple[Annotated[str, kind_of("placement", "such as '2 infantry 1-3 at Brussels'")], ...],
        Meta(description="units and where they stand"),
    ] = ()
    no_room: Annotated[
        tuple[Annotated[str, kind_of("unit count", "a number and a unit, such as '2 infantry 1-3'")], ...],
        Meta(description="units that find no room because of the foreign units there: they are eliminated (82.55)"),
    ] = ()


class DeployRest(Command, frozen=True, tag="deploy_rest"):
    """Set up at once all forces that wait to be set up, each where it stands if nobody places it."""

    by: Annotated[str, kind_of("power or none", "whose forces; everybody's if nobody is named")] = ""


Passed = Annotated[
    Literal["", "strait of malacca", "strait of gibraltar", "NN15", "NN24", "NN31", "CC2"],
    Meta(description="a strait passed though other ways lead there too, or the hex by which the board is entered"),
]


class MoveUnits(Command, frozen=True, tag="move"):
    """Move units to another place; movement costs are not judged here, only whether they may go there that way."""

    nation: NationName
    unit: UnitName
    from_: PlaceName = msgspec.field(name="from")
    to: PlaceName
    how: Literal[
        "movement",
        "staging",
        "base change",
        "sea transport",
        "seaborne invasion",
        "advance",
        "exploitation",
        "redeployment",
        "tactical redeployment",
        "strategic redeployment",
        "naval redeployment",
        "basing",
    ] = "movement"
    count: Annotated[int, Meta(ge=1, description="how many units")] = 1
    through: Passed = ""


class Rebuild(Command, frozen=True, tag="rebuild"):
    """Build a unit of a minor country again from those it has lost."""

    power: PowerName
    country: NationName
    unit: UnitName
    at: PlaceName


class RebuildByCount(Command, frozen=True, tag="rebuild_by_count"):
    """Build a unit of a minor country again where only the books are kept: it stands where the players put it."""

    power: PowerName
    country: NationName
    unit: UnitName


class Repair(Command, frozen=True, tag="repair"):
    """Repair a damaged ship of a minor country in a shipyard of its faction."""

    power: PowerName
    country: NationName
    ship: Ship
    at: PlaceName
    brp: Annotated[Brp, Meta(description="what it costs by rules outside these documents")] = 0


class ReportDamage(Command, frozen=True, tag="report_damage"):
    """Ships of a minor country were damaged where they stand."""

    nation: NationName
    ship: Ship
    at: PlaceName
    count: Annotated[int, Meta(ge=1, description="how many ships")] = 1


class DeclineAssociation(Command, frozen=True, tag="decline_association"):
    """Refuse a country that survived an attack and would associate."""

    power: PowerName
    country: CountryName


class AcceptAssociation(Command, frozen=True, tag="accept_association"):
    """Accept after all a country whose association had been refused."""

    power: PowerName
    country: CountryName


class ReportResult(Command, frozen=True, tag="report_result"):
    """A diplomatic result for a minor country; a lesser one may be taken instead."""

    country: CountryName
    result: ResultNumber
    power: Annotated[str, kind_of("power or none", "who benefits (Germany unless named, for the Axis)")] = ""
    chosen: Annotated[int, Meta(ge=-3, le=10, description="a lesser result, -3 to 10")] | None = None
    axis_points: Points = 0
    western_points: Points = 0
    russian_points: Points = 0


class ReportUnits(Command, frozen=True, tag="report_units"):
    """Units of a nation came to stand at a place, or (with a negative count) left it or, if lost, were eliminated."""

    nation: NationName
    unit: UnitName
    at: PlaceName
    count: int
    lost: bool = False
    unsupplied: Unsupplied = False

    by_rule: RuleName = ""
    beyond_list: BeyondList = False


class ReportSupply(Command, frozen=True, tag="report_supply"):
    """So many factors in all were supplied through a controlled country in the supply determination under way."""

    country: CountryName
    factors: Annotated[int, Meta(ge=0, description="ground, air and naval factors outside it")]
    armor: Annotated[int, Meta(ge=0, description="armor units among them, for Finland")] = 0


class ReportParticipation(Command, frozen=True, tag="report_participation"):
    """A power took part in the taking of an area this player turn, and how."""

    power: PowerName
    area: AreaName
    how: Literal[
        "offensive operations",
        "attrition",
        "other expenditure",
        "declaration of war",
        "counterair against sea cover",
        "attack outside the area",
        "grant",
    ]


#: What units are reported to do.
Mission = Literal[
    "attack",
    "attrition",
    "pass",
    "intercept naval mission",
    "intercept air transport",
    "defensive air support",
    "attack sea supply",
    "sea escort",
    "shore bombardment",
    "sea transport",
    "sea supply",
    "submarine interception",
    "raid",
    "bombing",
    "other",
]


class ReportOperation(Command, frozen=True, tag="report_operation"):
    """Units attacked, intercepted, defended or raided: refused where a clause forbids it, else played outside.

    `attack` is an offensive operation, `attrition` an attrition attack; `pass` says that a nation does neither on the
    front in which `at` lies.
    """

    nation: NationName
    branch: Literal["ground", "air", "naval"]
    mission: Mission
    at: OptionalPlace = NOWHERE
    origin: OptionalPlace = NOWHERE
    front: Annotated[
        Literal["", "western", "mediterranean", "eastern"],
        Meta(description="the front on which it takes place, or on which it is paid for, where a rule asks for it"),
    ] = ""
    through: Passed = ""
    defender_dm: Annotated[int, Meta(description="the defenders' DM that was used")] | None = None
    count: Annotated[int, Meta(ge=1, description="how many units, where a rule counts them")] = 1
    country: Annotated[
        str, kind_of("country or none", "the country concerned, where no place says it, as with ships at sea")
    ] = ""
    unit: Annotated[Unit, kind_of("unit or none", "which units, where a clause tells them apart: 'flying tiger'")] = (
        ANY_UNIT
    )
    odds: Annotated[str, Meta(pattern=r"^(\d+:\d+)?$", description="the odds of a ground attack, such as 1:1")] = ""
    assisting: Annotated[str, kind_of("nation or none", "whose attack they take part in, if it is another's")] = ""
    against: Annotated[str, kind_of("nation or none", "whose units were attacked, where a clause asks")] = ""
    dm: Annotated[int, Meta(description="the defense modifier that those attacked had by their own chapter")] | None = (
        None
    )
    brp: Annotated[int, Meta(ge=0, description="BRPs that the offensive operation cost")] = 0
    surprise: Annotated[bool, Meta(description="whether they suffered Japanese surprise effects")] = False
    drm_of: Annotated[str, kind_of("power or none", "whose Air Nationality DRM they used")] = ""
    radar: Annotated[bool, Meta(description="whether radar research modified the air combat")] = False
    by_rule: RuleName = ""


class ReportLent(Command, frozen=True, tag="report_lent"):
    """So many units of a kind are lent to a power now: Spanish, Vichy French, or Commonwealth units to the U.S."""

    country: Literal["spain", "vichy_france", "canada", "south_africa", "australia", "india"]
    unit: UnitName
    count: Annotated[int, Meta(ge=0, description="how many units are lent")]


class ReportRecovery(Command, frozen=True, tag="report_recovery"):
    """A country that fights alone took places of its own back; Communist China takes any in China and holds it."""

    country: CountryName
    places: Annotated[tuple[PlaceName, ...], Meta(min_length=1)]


class ReportBorderWar(Command, frozen=True, tag="report_border_war"):
    """Russia fought a border war with Finland or Rumania; the one with Finland may escalate."""

    country: Literal["finland", "rumania"]
    escalated: Annotated[bool, Meta(description="whether it escalated, so that Sweden helps Finland")] = False


class ReportVichy(Command, frozen=True, tag="report_vichy"):
    """Which places in France are Vichy France's after the French surrender; a later report replaces an earlier one."""

    places: Annotated[tuple[PlaceName, ...], Meta(min_length=1)]


class ReportFreeFrench(Command, frozen=True, tag="report_free_french"):
    """A Vichy colony went over to the Free French; Britain holds what no enemy occupies there."""

    colony: Literal["algeria", "lebanon_syria", "morocco", "tunisia"]


class ReportIncrease(Command, frozen=True, tag="report_increase"):
    """Western Allied production increased the Australian or Indian infantry force pool, or Australian shipbuilding."""

    country: Literal["australia", "india", "canada", "south_africa"]
    units: Annotated[
        tuple[Annotated[str, kind_of("unit count", "a number and a unit, such as '3 infantry 1-2'")], ...],
        Meta(description="infantry 2-2 or 1-2, three factors in all"),
    ] = ()
    shipbuilding: Annotated[int, Meta(ge=0, description="shipbuilding points that production adds, in Australia")] = 0


class ReportSubversion(Command, frozen=True, tag="report_subversion"):
    """Japan achieved the Indian subversion production result, which allows it two Indian partisans."""
