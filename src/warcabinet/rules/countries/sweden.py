"""Sweden: its infantry helps Finland when the border war with Russia escalates (86.43); iron ore is apart."""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportBorderWar, ReportOperation
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import kind_name
from warcabinet.rules.common.pieces import NEUTRAL, units_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.areas import stays_in_its_areas
from warcabinet.rules.minors.border_wars import border_war_escalated
from warcabinet.rules.minors.forces_of_minors import VOLUNTEERS, only_sent_ahead
from warcabinet.rules.minors.geography import at_home, in_area, stranded
from warcabinet.rules.minors.operations import at_peace, neutrals_attack_nobody


def _helps_finland(s: State, nation: str) -> bool:
    """A Sweden that is nobody's ally; an ally's units have Finland among their areas anyhow (86.51)."""
    return nation == "sweden" and s.countries["sweden"].status != "allied" and border_war_escalated(s, "finland")


@definition("86.43", displaces=in_area, when=lambda s, nation, place: _helps_finland(s, nation))
def swedes_in_finland(s: State, nation: str, place: str) -> bool:
    """After an escalation of the border war Swedish units have Finland open to them."""
    return at_home(nation, place) or at_home("finland", place)


@barred(
    "86.43",
    acts=("enter",),
    when=lambda s, it: it.regular and _helps_finland(s, it.nation),
    displaces=stays_in_its_areas,
)
def only_infantry_helps(s: State, it: Presence) -> str | None:
    """Of Sweden infantry alone goes to Finland; all others stay at home, and a neutral one sets up nothing else."""
    if not in_area(s, it.nation, it.at):
        return f"Swedish units stay in Sweden and Finland; {it.place} lies in neither"
    if kind_name(it.units[0]) == "infantry":
        return None
    kept = it.reported and s.countries["sweden"].status in NEUTRAL
    if kept or not at_home("sweden", it.at):
        return "only Swedish infantry fights in Finland"
    return f"{it.place} is no port" if stranded(it.units[0], it.place) else None


@definition(
    "86.43",
    displaces=only_sent_ahead,
    when=lambda s, nation: nation == VOLUNTEERS and border_war_escalated(s, "finland"),
)
def swedes_sent_ahead(s: State, nation: str) -> bool:
    """Infantry that went to Finland's aid was sent ahead of Sweden's own set-up."""
    on_map = [it.unit for it in units_of(s, nation) if it.branch != "partisan"]
    return all(kind_name(unit) == "infantry" for unit in (*on_map, *(unit for unit, _ in unbuilt(s, nation))))


@limit(
    "86.43",
    on=ReportOperation,
    when=lambda s, cmd: cmd.nation == "sweden" and cmd.mission in ("attack", "attrition") and at_peace(s, "sweden"),
    displaces=neutrals_attack_nobody,
)
def swedes_fight_in_finland(s: State, cmd: ReportOperation) -> str | None:
    """A Sweden that nobody leads or has attacked fights in Finland only, once the border war there has escalated."""
    if not border_war_escalated(s, "finland"):
        return "Sweden is neutral, and the border war in Finland has not escalated"
    if cmd.branch != "ground":
        return "only Swedish infantry fights in Finland"
    return None if cmd.at and at_home("finland", place_key(cmd.at)) else "Swedish infantry fights in Finland only"


@limit("86.43", on=ReportBorderWar, when=lambda s, cmd: cmd.escalated)
def finnish_war_escalates(s: State, cmd: ReportBorderWar) -> str | None:
    """Of Russia's border wars only that with Finland escalates."""
    return None if cmd.country == "finland" else "only the border war with Finland escalates so that others join it"
