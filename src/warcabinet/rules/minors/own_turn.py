"""When minor countries attack and take back, and the turn in which they are attacked (82.82, 84.45C, 85.45C)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.names import called, countries
from warcabinet.model.state import State, happened
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import BOUND, country_of
from warcabinet.rules.common.presence import ATTACKS, HOSTILE, unless_excused
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, player_of, war_between
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.building import status_of
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.staying import AFTER_COMBAT, stands_again, units_off_map
from warcabinet.rules.minors.units import moves_with, unison_clause


def _out_of_step(s: State, nation: str, does: str) -> Refusal | None:
    """With whom a minor country's units move and attack, if that is not the player whose turn it is."""
    alone = nation in (*countries(), DUTCH) and fights_alone(s, country_of(s, nation))
    if not s.player or not (alone or status_of(s, nation) in BOUND):
        return None
    if nation == DUTCH and does == "attacks" and alone and not fights_japan(s, country_of(s, DUTCH)):
        return None  # they are at peace, and attack nobody in any turn (82.93)
    leader = moves_with(s, nation)
    if not leader or player_of(leader) == s.player:
        return None
    told = f"{called(nation)} {'fights alone, and ' if alone else ''}{does} when {called(leader)} does"
    return Refusal(unison_clause(s, nation), told)


def _unless_excused(cmd: ReportOperation | ReportUnits, refusal: Refusal | None) -> Refusal | None:
    told = unless_excused(cmd, refusal.text if refusal else None)
    return Refusal(refusal.clause, told) if refusal and told else None


@limit("84.45C", on=ReportOperation, when=lambda s, cmd: cmd.mission in HOSTILE, also=("79.12", "82.82", "85.45C"))
def attacks_in_unison(s: State, cmd: ReportOperation) -> Refusal | None:
    """Minor countries attack in the player turn in which they move: their power's, or their would-be protector's."""
    if cmd.mission not in ATTACKS and status_of(s, cmd.nation) in BOUND:
        return None
    return _unless_excused(cmd, _out_of_step(s, cmd.nation, "attacks"))


@limit("82.82", on=ReportRecovery, also=("79.12",))
def recovers_in_its_turn(s: State, cmd: ReportRecovery) -> Refusal | None:
    """A country that fights alone takes back what is its own in the player turn in which it moves."""
    nation = DUTCH if cmd.country in DUTCH_AREAS else cmd.country
    return None if status_of(s, nation) in BOUND else _out_of_step(s, nation, "attacks")


#: How a country stands whose units are not redeployed: an associate, and one that fights alone under whatever result.
ON_THEIR_OWN_GROUND = ("associated", "independent", "penetrated", "controlled")


def _went_elsewhere(s: State, cmd: ReportUnits) -> bool:
    """Whether ground units come that left another place, in a step in which nobody retreats before an attack."""
    if s.place.step.name not in ("movement", *AFTER_COMBAT) or cmd.count <= 0:
        return False
    if parse_unit(cmd.unit)[0].branch != "ground" or not units_off_map(s, cmd.nation, cmd.unit):
        return False
    if stands_again(s, cmd):
        return False
    # Associates, and those who fight alone, are redeployed in nobody's turn (84.45E, 82.83A).
    status = status_of(s, cmd.nation)
    # Vichy France alone is redeployed while it fights by itself, in its own player turn as well (82.83A).
    redeployed = status == "allied" or (cmd.nation == VICHY and status != "associated")
    return status in ("allied", *ON_THEIR_OWN_GROUND) and (redeployed or s.place.step.name == "movement")


@limit("84.45C", on=ReportUnits, when=_went_elsewhere, also=("79.12", "82.82", "84.22", "85.45C"))
def moved_in_unison_by_report(s: State, cmd: ReportUnits) -> Refusal | None:
    """Ground units of minor countries are not reported to have moved from place to place while the enemy moves."""
    return _unless_excused(cmd, _out_of_step(s, cmd.nation, "moves"))


@definition("82.41", covers=("82.71",))
def newly_attacked(s: State, country: str) -> bool:
    """A country was attacked in the player turn under way, the Dutch as Japan went to war with Britain (R-1821)."""
    if country != DUTCH:
        return happened(s, "attacked", country, "player turn")
    war = war_between(s, "britain", "japan")
    note("drawn_in", "82.71", war is not None, DUTCH)
    return war is not None and war.declared_by == "japan" and war.since == s.turn and s.player == "axis"


def in_first_turn(s: State, country: str) -> bool:
    """Whether a country's initial turn of attack is under way; one that was at war before has outlasted it (R-2271)."""
    wars = (war_between(s, it, country) for it in attackers_of(s, country))
    begun = [(it.since, player_of(it.declared_by)) for it in wars if it is not None]
    # Whose turn it is went to war with it this turn, as with Poland when the game begins.
    if not newly_attacked(s, country) and (s.turn, s.player) not in begun:
        return False
    return all((since, player) == (s.turn, s.player) or since > s.turn for since, player in begun)


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
