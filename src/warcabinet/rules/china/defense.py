"""How Nationalist ground units defend outside China (80.4)."""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.china.resistance import chinese_resistance
from warcabinet.rules.china.territory import NATIONALISTS, in_china
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.missions import ATTACKS
from warcabinet.rules.common.pieces import faction, side_of, units_at
from warcabinet.rules.kinds import limit, value


@value("80.41", "The defense modifier of Nationalist ground units at a place: -1 outside China at resistance 0 or less")
def chinese_defense_modifier(s: State, place: str) -> int:
    return -1 if not in_china(s, place) and chinese_resistance(s) <= 0 else 0


def _meets_nationalists(s: State, cmd: ReportOperation) -> bool:
    """Whether Japan's side attacks where Nationalist ground units stand outside China, though nobody says so."""
    if cmd.against or not cmd.at or in_china(s, cmd.at) or side_of(s, cmd.nation) != faction(s, "japan"):
        return False
    return any(it.nation == NATIONALISTS and it.branch == "ground" for it in units_at(s, place_key(cmd.at)))


@limit(
    "80.41",
    on=ReportOperation,
    when=lambda s, cmd: (
        cmd.branch == "ground"
        and cmd.mission in ATTACKS
        and (cmd.against == NATIONALISTS or _meets_nationalists(s, cmd))
    ),
)
def defense_modifier_is_used(s: State, cmd: ReportOperation) -> str | None:
    """Nationalist ground units attacked outside China defend at -1 while resistance is 0 or less."""
    if not cmd.at or cmd.dm is None:
        return "say where they are attacked and with which defense modifier by their own chapter (at, dm)"
    right = chinese_defense_modifier(s, cmd.at)
    told = f"at {cmd.at} Nationalist ground units have a defense modifier of {right:+} by their own chapter"
    return None if cmd.dm == right else unless_excused(cmd, told)
