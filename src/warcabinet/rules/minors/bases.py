"""From which bases aircraft and ships of minor countries operate: those in their own areas (84.46A, 85.461)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.countries.traits import VICHY
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import in_area
from warcabinet.rules.minors.lent import eastern, in_vichy_colony, lent_units
from warcabinet.rules.minors.operations import SALLIES


def _bound_to_bases(s: State, cmd: ReportOperation) -> bool:
    """Whether aircraft or ships of a European country attack, and it is said from where."""
    if cmd.branch == "ground" or cmd.mission not in SALLIES or not cmd.origin or cmd.nation not in countries():
        return False
    if countries()[cmd.nation].theater != "europe":
        return False
    return s.countries[cmd.nation].status in ("associated", "allied") or fights_alone(s, cmd.nation)


@limit(
    "84.46A",
    "Aircraft and ships of a minor country operate from bases in its own areas",
    on=ReportOperation,
    when=_bound_to_bases,
    also=("85.461",),
)
def operates_from_its_bases(s: State, cmd: ReportOperation) -> Refusal | None:
    allied = s.countries[cmd.nation].status == "allied"
    if in_area(s, cmd.nation, place_key(cmd.origin)) or (not allied and _based_there(s, cmd)):
        return None
    told = f"{called(cmd.nation)}'s {'aircraft' if cmd.branch == 'air' else 'ships'} do not base in {cmd.origin}"
    return Refusal("85.461" if allied else "84.46A", told)


def _based_there(s: State, cmd: ReportOperation) -> bool:
    """Whether units may be there by an exception: lent ones in the east, Vichy's in its colonies (84.45E)."""
    if cmd.nation == VICHY and in_vichy_colony(s, cmd.origin):
        return True
    lent = any(
        lent_units(s, cmd.nation, it.unit) for it in s.pieces.at(place_key(cmd.origin)) if it.nation == cmd.nation
    )
    return lent and eastern(s, cmd.origin)
