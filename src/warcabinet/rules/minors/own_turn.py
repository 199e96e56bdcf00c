"""When a country that fights alone attacks and takes back: in the player turn in which its units move (82.82)."""

from __future__ import annotations

from warcabinet.model.commands.minors import ReportOperation, ReportRecovery
from warcabinet.model.names import called, countries, powers
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import country_of
from warcabinet.rules.countries.traits import DUTCH, DUTCH_AREAS
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.operations import HOSTILE
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.units import moves_with


def _out_of_turn(s: State, nation: str) -> str | None:
    """With whom a country that fights alone moves, if that is not the player whose turn it is."""
    if not s.player or nation not in (*countries(), DUTCH) or not fights_alone(s, country_of(s, nation)):
        return None
    if nation == DUTCH and not fights_japan(s, country_of(s, DUTCH)):
        return None  # they are at peace, and attack nobody in any turn (82.93)
    leader = moves_with(s, nation)
    if not leader or player_of(leader) == s.player:
        return None
    return f"{called(nation)} fights alone, and attacks when {powers()[leader].name} does"


@limit(
    "82.82",
    "A country that fights alone attacks in the player turn in which it moves",
    on=ReportOperation,
    when=lambda s, cmd: cmd.mission in HOSTILE,
)
def attacks_in_its_turn(s: State, cmd: ReportOperation) -> str | None:
    return unless_excused(cmd, _out_of_turn(s, cmd.nation))


@limit("82.82", "It takes back what is its own in that player turn, not in another", on=ReportRecovery)
def recovers_in_its_turn(s: State, cmd: ReportRecovery) -> str | None:
    return _out_of_turn(s, DUTCH if cmd.country in DUTCH_AREAS else cmd.country)
