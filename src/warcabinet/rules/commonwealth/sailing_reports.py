"""Commonwealth units that two reports bring to Europe: they left a place overseas, they came (70.14, 71.14, 72.14).

As an order they are redeployed by sea; a report is held to the same.
"""

from __future__ import annotations

from warcabinet.board.boxes import boxes
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.commonwealth.boxed import clause
from warcabinet.rules.commonwealth.deployment import in_europe
from warcabinet.rules.commonwealth.dominions import DOMINIONS
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.staying import places_left, units_off_map

#: The steps in which a redeployment of this player turn is reported.
REDEPLOYED = ("redeployment", "end of player turn")


def _comes_to_europe(s: State, cmd: ReportUnits) -> bool:
    """Whether a unit that left some place comes to Europe; Canada's own boxes and South Africa's are not there."""
    if cmd.nation not in COMMONWEALTH or cmd.count <= 0 or s.countries[cmd.nation].status != "commonwealth":
        return False
    to = place_key(cmd.at)
    there = to.startswith("europe/") if cmd.nation in DOMINIONS else in_europe(to)
    return there and units_off_map(s, cmd.nation, cmd.unit) > 0


def _from_overseas(nation: str, places: list[str]) -> bool:
    """Whether a unit can only have come from overseas: a dominion's from its boxes, others from outside Europe."""
    if nation in DOMINIONS:
        return set(places) <= set(COMMONWEALTH_BOXES[nation])
    return not any(map(in_europe, places))


@limit(
    "70.14A",
    "Commonwealth units that left their boxes have come to Europe by naval redeployment, as they are ordered to",
    on=ReportUnits,
    when=_comes_to_europe,
    also=("70.24", "71.14", "72.14"),
)
def reported_as_redeployed(s: State, cmd: ReportUnits) -> Refusal | None:
    left = places_left(s, cmd.nation, cmd.unit)
    fault = _not_redeployed(s, cmd, left) if _from_overseas(cmd.nation, left) else ""
    told = unless_excused(cmd, fault or None)
    number = DOMINIONS[cmd.nation].start if cmd.nation in DOMINIONS else clause(cmd.nation, "14")
    return Refusal(number, told) if told else None


def _not_redeployed(s: State, cmd: ReportUnits, left: list[str]) -> str:
    """Why units have not been redeployed from where they were to Europe."""
    home = COMMONWEALTH_BOXES[cmd.nation][0]
    if cmd.nation in DOMINIONS and home not in left:
        return f"its units sail to Europe from {boxes()[home.removeprefix('box/')].name}"
    if s.player != player_of("britain") or s.place.step.name not in REDEPLOYED:
        return f"{called(cmd.nation)}'s units go to Europe by naval redeployment, in the Allied redeployment phase"
    return ""
