"""Orders and reports about BRP grants: those by land and by sea in general, and the convoys to Murmansk (40)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from warcabinet.model.commands.base import Brp, Command, PlaceName, PowerName, Stack, kind_of
from warcabinet.model.commands.forces import City, Units
from warcabinet.model.keys import NOWHERE

Recipient = Annotated[str, kind_of("belligerent", "a power or country")]
Way = Annotated[
    Literal[
        "land",
        "atlantic",
        "pacific",
        "south africa",
        "australia",
        "persia",
        "turkey",
        "turkey by suez",
        "siberia",
    ],
    Meta(
        description="by land, across an ocean, by the South Africa or Australia box and the Indian Ocean; to Russia by"
        " Persia, by Turkey through the Mediterranean or Suez, or by Siberia"
    ),
]
Ocean = Literal["atlantic", "pacific", "indian_ocean"]

Granted = Annotated[Brp, Meta(description="BRPs granted to Russia")]
OilCounters = Annotated[int, Meta(ge=0, description="oil counters shipped to Russia")]
Transports = Annotated[int, Meta(ge=0, description="Atlantic transports assigned; 0: as many as are required")]
Escorts = Annotated[tuple[Stack, ...], Meta(description="naval units that protect the convoy")]
Sunk = Annotated[int, Meta(ge=0, description="transports sunk")]
OptionalPower = Annotated[str, kind_of("power or none", "whose escorts were lost, where more than one power has some")]


class GrantBrps(Command, frozen=True, tag="grant"):
    """Grant BRPs to another power or, as the United States, to a country of the Commonwealth."""

    power: PowerName
    to: Recipient
    by: Way
    brp: Annotated[Brp, Meta(description="BRPs granted")] = 0
    oil: Annotated[int, Meta(ge=0, description="oil counters shipped to Russia")] = 0
    oil_from: Annotated[
        Literal["", "Abadan", "Ahwaz", "Mosul"],
        Meta(description="where oil that goes by land comes from; empty: it comes by sea"),
    ] = ""
    through: Annotated[
        Literal["", "port", "burma road", "hump"],
        Meta(description="for China: into a Chinese or Indochinese port, by the Burma Road, or over the Hump"),
    ] = ""
    port: Annotated[City, Meta(description="where it is landed: over the Pacific for China, or in Turkey")] = NOWHERE
    air_base: Annotated[City, Meta(description="from where it is flown over the Hump")] = NOWHERE
    shipbuilding: Annotated[
        Brp, Meta(description="how many of them a Commonwealth country uses for shipbuilding this turn")
    ] = 0
    transports: Annotated[
        int,
        Meta(ge=0, description="transports assigned wherever the enemy can meet it; 0: as many as are required"),
    ] = 0


class OpenPersianRoute(Command, frozen=True, tag="open_persian_route"):
    """Pay for the opening of the Persian route to Russia."""

    power: PowerName


class BuildAlaskaHighway(Command, frozen=True, tag="build_alaska_highway"):
    """Build the Alaska highway, by which the Siberian route to Russia is supplied."""

    power: PowerName = "usa"


class LetGrantPass(Command, frozen=True, tag="let_grant_pass"):
    """Do nothing more against a grant on its way: what is left of it arrives."""

    reply: ClassVar[bool] = True

    power: PowerName


class ReportGrantInterception(Command, frozen=True, tag="report_grant_interception"):
    """A grant was met on the mapboard: how many of the transports that carry it were sunk."""

    reply: ClassVar[bool] = True

    ocean: Annotated[Ocean, Meta(description="whose transports were met")]
    transports_sunk: Annotated[int, Meta(ge=1, description="transports sunk")]


class ReportHumpInterception(Command, frozen=True, tag="report_hump_interception"):
    """Japanese air units met a grant that is flown to China: what became of the air transport."""

    reply: ClassVar[bool] = True

    outcome: Literal["turned back", "eliminated"]


class ReportTransports(Command, frozen=True, tag="report_transports"):
    """How many transports serve an ocean, as the chapters say that build, move and sink them."""

    ocean: Annotated[Ocean, Meta(description="whose transports")]
    count: Annotated[int, Meta(ge=0, description="transports there")]


class ReportGrantCondition(Command, frozen=True, tag="report_grant_condition"):
    """Something on which grants depend and that other chapters decide has come about, or holds no longer."""

    what: Literal["Anglo-French cooperation unrestricted", "British units may be built in Canada"]
    holds: bool = True


class ReportOperational(Command, frozen=True, tag="report_operational"):
    """A port or air base is out of action, or operational again: convoys and flights over the Hump depend on it."""

    at: PlaceName
    operational: bool = False


class SailConvoy(Command, frozen=True, tag="sail_convoy"):
    """Send a Murmansk convoy: BRPs granted to Russia, oil, the transports that carry them and their escorts."""

    power: PowerName
    brp: Granted = 0
    oil: OilCounters = 0
    transports: Transports = 0
    escorts: Escorts = ()
    merge_with: Annotated[tuple[PowerName, ...], Meta(description="powers whose shipments shall sail with it")] = ()


class JoinConvoy(Command, frozen=True, tag="join_convoy"):
    """Say what this power sends with a Murmansk convoy that waits for it: BRPs, oil, escorts, or nothing."""

    reply: ClassVar[bool] = True

    power: PowerName
    brp: Granted = 0
    oil: OilCounters = 0
    transports: Transports = 0
    escorts: Escorts = ()


class LetConvoyPass(Command, frozen=True, tag="let_convoy_pass"):
    """Leave a Murmansk convoy unopposed: it reaches Russia."""

    reply: ClassVar[bool] = True

    power: PowerName


class OpposeConvoy(Command, frozen=True, tag="oppose_convoy"):
    """Intercept a Murmansk convoy with air units, ships and submarines based in Bergen or Scapa Flow."""

    reply: ClassVar[bool] = True

    power: PowerName
    air: Annotated[tuple[Stack, ...], Meta(description="air units")] = ()
    ships: Annotated[tuple[Stack, ...], Meta(description="naval units other than submarines")] = ()
    submarines: Annotated[tuple[Stack, ...], Meta(description="submarines that intercept by themselves")] = ()
    submarines_with_ships: Annotated[tuple[Stack, ...], Meta(description="submarines together with the ships")] = ()


class AttackConvoy(Command, frozen=True, tag="attack_convoy"):
    """Announce the next attack on a convoy: from the air, by submarines, or the battle of the ships."""

    reply: ClassVar[bool] = True

    power: PowerName
    by: Literal["air", "submarines", "ships"]
    submarines: Annotated[int, Meta(ge=0, description="submarines that strike, after the air attack if it is one")] = 0
    groups: Annotated[
        str,
        Meta(
            pattern="^[0-9 ,]*$",
            max_length=40,
            description="how many of them strike each of several combat groups, such as 2 1; none: all the same one",
        ),
    ] = ""
    hex: Annotated[
        int, Meta(ge=0, le=6, description="off-board hex in which submarines strike by themselves; 0: the next one")
    ] = 0
    air_cover: Annotated[int, Meta(ge=0, description="in a naval combat: air squadrons assigned to air cover")] = 0


class CallOffAttacks(Command, frozen=True, tag="call_off_attacks"):
    """Make no further attack on a convoy; what is left of it reaches Russia."""

    reply: ClassVar[bool] = True

    power: PowerName


class DivideReturned(Command, frozen=True, tag="divide_returned"):
    """Say how the BRPs that a convoy brings back are divided between the powers that sent them."""

    reply: ClassVar[bool] = True

    power: PowerName
    britain: Annotated[Brp, Meta(description="what Britain has back")] = 0
    france: Annotated[Brp, Meta(description="what France has back")] = 0
    usa: Annotated[Brp, Meta(description="what the United States have back")] = 0


class ReturnRaiders(Command, frozen=True, tag="return_raiders"):
    """Say where the German survivors go after a convoy; without a place they go back where they came from."""

    reply: ClassVar[bool] = True

    power: PowerName
    to: Annotated[Literal["", "Bergen", "Scapa Flow"], Meta(description="air units and ships")] = ""
    submarines_to: Annotated[Literal["", "Bergen", "Scapa Flow", "Atlantic SW box"], Meta(description="submarines")] = (
        ""
    )


class ReportConvoyInterception(Command, frozen=True, tag="report_convoy_interception"):
    """A convoy was met on the mapboard before it entered the Murmansk box: what was sunk there."""

    reply: ClassVar[bool] = True

    transports_sunk: Sunk = 0
    escorts_lost: Units = ()
    escorts_of: OptionalPower = ""


class ReportConvoyAttack(Command, frozen=True, tag="report_convoy_attack"):
    """The outcome of the attack that was announced: hits, what was sunk, and whether the convoy goes on."""

    reply: ClassVar[bool] = True

    hits: Annotated[int, Meta(ge=0, description="hits on the defending light ships, or by submarines")] = 0
    hits_of: Annotated[
        tuple[PowerName, ...], Meta(description="hit by hit whose ships they fell on, where that divides the losses")
    ] = ()
    transports_sunk: Sunk = 0
    escorts_lost: Units = ()
    escorts_of: OptionalPower = ""
    raiders_lost: Units = ()
    cover_engaged: Annotated[
        int, Meta(ge=0, description="in a naval combat: squadrons of the air cover that engaged attacking carrier air")
    ] = 0
    outcome: Literal["", "convoy aborts", "germany withdraws", "western allies withdraw"] = ""
    dice: Annotated[
        str, Meta(pattern="^[1-6 ,]*$", max_length=60, description="faces thrown for it at your own table, such as 4 2")
    ] = ""
