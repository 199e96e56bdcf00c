"""From which bases units operate: a minor country's in its areas, a power's where they may be (84.33, 84.46, 85.62)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called, countries
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.missions import FROM_BASES
from warcabinet.rules.countries.traits import DUTCH
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import in_area
from warcabinet.rules.minors.lent import eastern, in_own_colony, lent_units


def _bound_to_bases(s: State, cmd: ReportOperation) -> bool:
    """Whether aircraft or ships of a country fly or sail, and it is said from where."""
    if cmd.branch == "ground" or cmd.mission not in FROM_BASES or not cmd.origin:
        return False
    if cmd.nation == DUTCH:
        return True
    if cmd.nation not in countries() or countries()[cmd.nation].theater != "europe":
        return False
    return s.countries[cmd.nation].status in ("associated", "allied") or fights_alone(s, cmd.nation)


@limit(
    "84.46A",
    "Aircraft and ships of a minor country operate from bases in its own areas",
    on=ReportOperation,
    when=_bound_to_bases,
    also=("84.46B", "85.461"),
)
def operates_from_its_bases(s: State, cmd: ReportOperation) -> Refusal | None:
    clause = _clause(s, cmd.nation)
    if in_area(s, cmd.nation, place_key(cmd.origin)) or (clause == "84.46A" and _based_there(s, cmd)):
        return None
    told = f"{called(cmd.nation)}'s {'aircraft' if cmd.branch == 'air' else 'ships'} do not base in {cmd.origin}"
    return Refusal(clause, told)


def _clause(s: State, nation: str) -> str:
    """The clause that says where a country's aircraft and ships base."""
    if nation == DUTCH:
        return "84.46B"
    return "85.461" if s.countries[nation].status == "allied" else "84.46A"


def _based_there(s: State, cmd: ReportOperation) -> bool:
    """Whether units may be there by an exception: lent ones in the east, those in colonies of theirs (R-2140)."""
    if in_own_colony(s, cmd.nation, cmd.origin):
        return True
    lent = any(
        lent_units(s, cmd.nation, it.unit) for it in s.pieces.at(place_key(cmd.origin)) if it.nation == cmd.nation
    )
    return lent and eastern(s, cmd.origin)
