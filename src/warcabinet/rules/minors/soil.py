"""The soil of the powers themselves: neither entered nor attacked in peace (82.42, R-0422).

Minor countries and what belongs to a power are guarded by 82.41 and 82.42; what a power cut off a country, as Russia
does Bessarabia and the Finnish border hexes, is guarded here. Where units of one Allied faction may go on
the soil of another, as British ones in Russia, is not told in these chapters, and is not judged.
"""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import powers
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import at_war, player_of
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import faction, patron, regulars_at
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.operations import MEETS, comes_to_aid
from warcabinet.rules.minors.status import wages_war


def _met(s: State, cmd: ReportOperation) -> str:
    """Whose ships, aircraft or sea supply are met: of whom it is said, or who holds the place to which supply goes."""
    if cmd.against:
        return patron(s, cmd.against)
    return holder(s, place_key(cmd.at)) if cmd.at and cmd.mission == "attack sea supply" else ""


@limit(
    "82.42",
    "Nobody meets the ships, aircraft or sea supply of a power of the other side with which he is at peace",
    on=ReportOperation,
    when=lambda s, cmd: (
        s.options.declarations == "ordered"
        and cmd.mission in (*MEETS, "raid")
        and bool(cmd.at or cmd.against)
        and not comes_to_aid(s, cmd)  # of that 82.72 and 82.82 speak
    ),
)
def supply_not_attacked_in_peace(s: State, cmd: ReportOperation) -> str | None:
    leader, owner = patron(s, cmd.nation), _met(s, cmd)
    if not leader or owner not in powers() or s.powers[owner].surrendered or player_of(owner) == player_of(leader):
        return None
    if at_war(s, leader, owner) or at_war(s, cmd.nation, owner) or reading_in_force(s, "R-0422") == "b":
        return None
    if cmd.against:
        return unless_excused(cmd, f"{powers()[leader].name} is at peace with {powers()[owner].name}")
    return unless_excused(cmd, f"{cmd.at} is {powers()[owner].name}'s, with whom {powers()[leader].name} is at peace")


def _peaceful_units(s: State, nation: str, place: str) -> str | None:
    """Why units on a hex of one's own side are not attacked: those caught there as the country turned are at peace."""
    key, leader = place_key(place), patron(s, nation)
    if faction(s, holder(s, key)) != faction(s, leader):
        return None
    there = {patron(s, it.nation) for it in regulars_at(s, key)} - {""}
    others = sorted(it for it in there if player_of(it) != player_of(leader))
    if not others or any(at_war(s, leader, it) or wages_war(s, nation, it) for it in others):
        return None
    return f"units of {powers()[others[0]].name}, with whom {powers()[leader].name} is at peace, stand at {place}"
