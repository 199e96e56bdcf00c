"""The first turn of an attack: who may fly, sail and help then, and where zones of control reach (82.7)."""

from __future__ import annotations

from warcabinet.model.names import countries
from warcabinet.model.state import State, happened
from warcabinet.model.traits import DUTCH
from warcabinet.rules.common.alliances import at_war, attackers_of, player_of, war_between
from warcabinet.rules.common.pieces import BOUND
from warcabinet.rules.kinds import definition


@definition("82.41", "A country was attacked in the player turn under way")
def newly_attacked(s: State, country: str) -> bool:
    return happened(s, "attacked", country, "player turn")


@definition("82.71", displaces=newly_attacked, when=lambda s, country: country == DUTCH)
def dutch_newly_attacked(s: State, country: str) -> bool:
    """The Dutch East Indies are newly attacked in the player turn in which Japan goes to war with Britain (R-1821)."""
    war = war_between(s, "britain", "japan")
    return war is not None and war.declared_by == "japan" and war.since == s.turn and s.player == "axis"


def in_first_turn(s: State, country: str) -> bool:
    """Whether a country's initial turn of attack is under way; one that was at war before has outlasted it (R-2271)."""
    if not newly_attacked(s, country) and not _attacked_by_who_moves(s, country):
        return False
    return country not in countries() or not _at_war_before(s, country)


def _attacked_by_who_moves(s: State, country: str) -> bool:
    """Whether whose player turn it is went to war with a country this turn, as with Poland when the game begins."""
    wars = (war_between(s, it, country) for it in attackers_of(s, country) if player_of(it) == s.player)
    return any(it is not None and it.since == s.turn for it in wars)


def _at_war_before(s: State, country: str) -> bool:
    """Whether somebody attacked a country in an earlier player turn than this."""
    wars = (war_between(s, it, country) for it in attackers_of(s, country))
    begun = [(it.since, player_of(it.declared_by)) for it in wars if it is not None]
    return any(since < s.turn or (since == s.turn and player != s.player) for since, player in begun)


OPEN_MISSIONS = {"air": ("intercept naval mission", "defensive air support"), "naval": ("intercept naval mission",)}


@definition("82.71")
def minor_may_fly(s: State, country: str, branch: str, mission: str) -> bool:
    """In its first turn a country's air units only intercept ships and defend, its ships only intercept."""
    return not in_first_turn(s, country) or mission in OPEN_MISSIONS.get(branch, ())


@definition("82.72", "Powers at war with the attacker help a country in its first turn only by intercepting his ships")
def power_may_assist(s: State, power: str, country: str, mission: str) -> bool:
    # A country that has fallen is the attacker's: his enemies may fight in it as on his own ground.
    if s.countries[country].status in (*BOUND, "conquered") or not in_first_turn(s, country):
        return True
    fights = any(at_war(s, power, it) for it in attackers_of(s, country))
    return fights and mission == "intercept naval activity"


@definition("82.73", "In the first turn the zones of control of the attacker's enemies reach into the country")
def zone_reaches_into(s: State, power: str, country: str) -> bool:
    return in_first_turn(s, country) and any(at_war(s, power, it) for it in attackers_of(s, country))
