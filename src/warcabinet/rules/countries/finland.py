"""Finland: it joins Germany when the war with Russia comes, and what it alone is allowed (84.23, 86.2)."""

from __future__ import annotations

from warcabinet.kernel.limits import Bound, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import DeclineAssociation, ReportOperation, ReportSupply
from warcabinet.model.events import Determined, StatusChanged, WarBegan
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.pieces import NEUTRAL, STANDS_ALONE
from warcabinet.rules.common.presence import unless_excused
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, border_war_escalated, border_war_fought
from warcabinet.rules.kinds import definition, effect, limit
from warcabinet.rules.minors.association import associate, takes_in
from warcabinet.rules.minors.limits import armor_admitted, axis_armor_in_finland, only_axis_limited
from warcabinet.rules.minors.operations import neutrals_attack_nobody
from warcabinet.rules.minors.standing import just_associated


@definition("84.23", "Russia has fought Finland for its border hexes, as reported, or as its having taken them shows")
def border_was_fought_for(s: State) -> bool:
    border = s.countries["finnish_border"]
    taken = (border.status, border.by) == ("conquered", "russia") and "russia" not in attackers_of(s, "finland")
    return taken or border_war_fought(s, "finland")


@effect(
    "84.23", on=WarBegan, when=lambda s, began: set(began.between) == {"germany", "russia"} and border_was_fought_for(s)
)
def finland_joins(p: Proceedings, began: WarBegan) -> None:
    """After a border war Finland associates with Germany when Germany and Russia go to war."""
    _join_germany(p)


@effect(
    "84.23",
    on=Determined,
    when=lambda s, e: e.rule == "border_war_fought" and e.args == ("finland",) and at_war(s, "germany", "russia"),
)
def finland_had_fought(p: Proceedings, known: Determined) -> None:
    """Finland joins a Germany at war with Russia, too, where its border war becomes known only later."""
    _join_germany(p)


@effect(
    "84.23",
    on=StatusChanged,
    when=lambda s, it: it.country == "finnish_border" and at_war(s, "germany", "russia") and border_was_fought_for(s),
)
def finland_has_lost_its_border(p: Proceedings, changed: StatusChanged) -> None:
    """Finland joins a Germany at war with Russia, too, where Russia has taken the border hexes without a reported
    war.
    """
    _join_germany(p)


def _join_germany(p: Proceedings) -> None:
    free = p.s.countries["finland"].status in STANDS_ALONE
    if free and takes_in(p.s, "germany", "finland"):
        associate(p, "finland", "germany", "84.23", "Germany and Russia are at war", "war")


@limit(
    "84.23",
    on=DeclineAssociation,
    when=lambda s, cmd: (cmd.country, cmd.power) == ("finland", "germany") and border_was_fought_for(s),
)
def finland_is_not_refused(s: State, cmd: DeclineAssociation) -> str | None:
    """Germany does not refuse a Finland that associates by itself after a border war, however that went on."""
    if not just_associated(s, "finland", "germany"):
        return None
    return "Finland associates automatically after a border war, since Germany and Russia are at war: it is not refused"


@definition("86.22", "A power may name a country as a diplomatic target at any time of the year, with or without DPs")
def always_a_target(s: State, power: str, country: str) -> bool:
    return (power, country) == ("germany", "finland")


@limit("86.23", on=ReportSupply, when=lambda s, cmd: only_axis_limited(s, cmd.country))
def one_armor_unit_supplied(s: State, cmd: ReportSupply) -> Bound:
    # A report of the initial determination replaces an earlier one; after combat what was reported then is used up.
    """Of the Axis armor inside Finland and supplied through it there is no more than one unit."""
    most = 1 if s.place.step.name == "initial supply determination" else armor_admitted(s)
    left = max(0, most - axis_armor_in_finland(s))
    return Bound("armor", most=left, text="one Axis armor unit in and through Finland")


@limit(
    "86.24",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.nation == "finland"
        and cmd.mission in ("attack", "attrition")
        and s.countries["finland"].status in NEUTRAL
        and not attackers_of(s, "finland")
    ),
    displaces=neutrals_attack_nobody,
)
def finns_fight_for_their_hexes(s: State, cmd: ReportOperation) -> str | None:
    """A Finland that is in no declared war fights for its own hexes, until the border war escalates."""
    if not border_war_fought(s, "finland"):
        return unless_excused(cmd, "Finland is neutral, and there is no border war")
    if border_war_escalated(s, "finland") or (cmd.at and place_key(cmd.at) in home_hexes("finland")):
        return None
    return "in a border war Finland fights for its own hexes only"


# Units that do not suffer the -1 DM of a minor country's units that defend abroad, by the clause that says so.
TOUGH = {"finland": "86.25", "sweden": "86.44"}


@definition("86.25", "A nation's units defend outside their own country without the -1 DM", covers=("86.44",))
def tough_abroad(s: State, nation: str) -> bool:
    if nation in TOUGH:
        note("tough", TOUGH[nation], True, nation)
    return nation in TOUGH


@limit(
    "86.25",
    on=ReportOperation,
    when=lambda s, cmd: cmd.against in TOUGH and bool(cmd.at) and place_key(cmd.at) not in home_hexes(cmd.against),
    also=("86.44",),
)
def tough_defenders(s: State, cmd: ReportOperation) -> Refusal | None:
    """Finns and Swedes who are attacked outside their own country do not suffer the -1 DM."""
    if cmd.dm is None or cmd.dm >= 0:
        return None
    told = f"units of {called(cmd.against)} defend outside their own country without the -1 DM"
    refused = unless_excused(cmd, told)
    return Refusal(TOUGH[cmd.against], refused) if refused else None
