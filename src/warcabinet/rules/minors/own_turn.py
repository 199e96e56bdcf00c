"""When minor countries attack and take back: in the player turn in which their units move (82.82, 84.45C, 85.45C)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation, ReportRecovery, ReportUnits
from warcabinet.model.names import called, countries, powers
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, DUTCH_AREAS, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.missions import ATTACKS, HOSTILE
from warcabinet.rules.common.pieces import BOUND, country_of
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.building import status_of
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.staying import AFTER_COMBAT, stands_again, units_off_map
from warcabinet.rules.minors.units import moves_with, unison_clause


def _out_of_turn(s: State, nation: str, does: str = "attacks") -> str | None:
    """With whom a country that fights alone moves, if that is not the player whose turn it is."""
    if not s.player or nation not in (*countries(), DUTCH) or not fights_alone(s, country_of(s, nation)):
        return None
    if nation == DUTCH and does == "attacks" and not fights_japan(s, country_of(s, DUTCH)):
        return None  # they are at peace, and attack nobody in any turn (82.93)
    leader = moves_with(s, nation)
    if not leader or player_of(leader) == s.player:
        return None
    return f"{called(nation)} fights alone, and {does} when {powers()[leader].name} does"


@limit("82.82", on=ReportOperation, when=lambda s, cmd: cmd.mission in HOSTILE, also=("79.12",))
def attacks_in_its_turn(s: State, cmd: ReportOperation) -> Refusal | None:
    """A country that fights alone attacks in the player turn in which it moves."""
    told = unless_excused(cmd, _out_of_turn(s, cmd.nation))
    return Refusal(unison_clause(s, cmd.nation), told) if told else None


@limit("82.82", on=ReportRecovery, also=("79.12",))
def recovers_in_its_turn(s: State, cmd: ReportRecovery) -> Refusal | None:
    """A country that fights alone takes back what is its own in the player turn in which it moves."""
    nation = DUTCH if cmd.country in DUTCH_AREAS else cmd.country
    told = _out_of_turn(s, nation)
    return Refusal(unison_clause(s, nation), told) if told else None


def _apart_from_power(s: State, nation: str) -> str | None:
    """With whom an associate's or minor ally's units attack, if that is not the player whose turn it is."""
    leader = moves_with(s, nation)
    if not s.player or player_of(leader) == s.player:
        return None
    return f"{called(nation)}'s units move and attack with {powers()[leader].name}'s"


def _in_unison(s: State, cmd: ReportOperation | ReportUnits) -> Refusal | None:
    """What is against a report of units that are out of step with their power, by the clause of their status."""
    told = unless_excused(cmd, _apart_from_power(s, cmd.nation))
    return Refusal(unison_clause(s, cmd.nation), told) if told else None


@limit(
    "84.45C",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission in ATTACKS and status_of(s, cmd.nation) in BOUND,
    also=("85.45C",),
)
def attacks_in_unison(s: State, cmd: ReportOperation) -> Refusal | None:
    """Units of associates and minor allies attack in the player turn of their power, with which they move in unison."""
    return _in_unison(s, cmd)


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
    if status_of(s, cmd.nation) in BOUND:
        return _in_unison(s, cmd)
    told = unless_excused(cmd, _out_of_turn(s, cmd.nation, "moves"))
    return Refusal(unison_clause(s, cmd.nation), told) if told else None
