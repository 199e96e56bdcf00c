"""A battle told as one report: who fought, at what price, what came of it, and where the units are after it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from warcabinet.model.commands.base import Brp, Command, PlaceName, RuleName, Text, kind_of

NationName = Annotated[str, kind_of("nation", "a power, or a minor country with units")]
Force = Annotated[
    str,
    kind_of(
        "force",
        "units where they stand: '2 armor 4-6 at Posen', others' with their nation: 'army air of Italy at Rome'",
    ),
]
Going = Annotated[str, kind_of("force", "units and where they go: '3 infantry 2-3 of France at Paris to Orleans'")]


class ReportBattle(Command, frozen=True, tag="report_battle"):
    """Units fought for a place: the attack with its price, losses, retreats, advances and the hex that changes hands.

    Each part is judged as if it were reported by itself; all of it happens, or nothing. The attackers' ground units
    attack, their ships bombard and the defenders' aircraft give defensive support; without ground units all of them
    fly or sail the `mission`.
    """

    nation: NationName
    at: PlaceName
    attackers: Annotated[tuple[Force, ...], Meta(min_length=1)]
    mission: Literal[
        "attack",
        "attrition",
        "bombing",
        "raid",
        "shore bombardment",
        "attack sea supply",
        "intercept naval mission",
        "intercept air transport",
        "submarine interception",
        "other",
    ] = "attack"
    against: Annotated[str, kind_of("nation or none", "whose units are attacked; empty: who stands or rules there")] = (
        ""
    )
    defenders: Annotated[tuple[Force, ...], Meta(description="who defends; none named: all that stand there")] = ()
    brp: Annotated[Brp, Meta(description="BRPs that the offensive operation costs")] = 0
    paid: Annotated[bool, Meta(description="whether they were spent as the attack began")] = False
    front: Annotated[
        Literal["", "western", "mediterranean", "eastern"],
        Meta(description="the front on which it is paid for, where a rule asks for it"),
    ] = ""
    odds: Annotated[str, Meta(pattern=r"^(\d+:\d+)?$", description="the odds; empty: the factors as they stand")] = ""
    outcome: Annotated[Text, Meta(max_length=200, description="the result by the group's own chart, as written")] = ""
    losses: Annotated[tuple[Force, ...], Meta(description="units of either side that were eliminated")] = ()
    retreats: Annotated[tuple[Going, ...], Meta(description="defenders who went elsewhere, and where")] = ()
    advances: Annotated[tuple[Force, ...], Meta(description="attackers who go into the place; it is then theirs")] = ()
    takes: Annotated[tuple[PlaceName, ...], Meta(description="other places that were taken on the way")] = ()
    by_rule: RuleName = ""
