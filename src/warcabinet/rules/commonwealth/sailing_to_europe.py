"""Commonwealth units that come to Europe from overseas are redeployed by sea, by order or report (70.14, 71.14)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.names import called
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH, COMMONWEALTH_BOXES
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.boxes import NR
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.ways import named
from warcabinet.rules.commonwealth.boxed import BOXED, clause
from warcabinet.rules.commonwealth.deployment import in_europe
from warcabinet.rules.commonwealth.dominions import DOMINIONS
from warcabinet.rules.minors.staying import places_left, units_off_map

#: The steps in which a redeployment of this player turn is reported.
REDEPLOYED = ("redeployment", "end of player turn")


def _whence(s: State, it: Presence) -> list[str]:
    """Where units come from: what an order says, or the places that such units are reported to have left."""
    return places_left(s, it.nation, it.units[0]) if it.reported else [it.origin]


def _comes_from_overseas(s: State, it: Presence) -> bool:
    """Whether units come to Europe and can only have come from overseas: a dominion's from its boxes.

    For a dominion Europe is the board; its own boxes are not there.
    """
    if it.nation not in COMMONWEALTH or s.countries[it.nation].status != "commonwealth":
        return False
    dominion = it.nation in DOMINIONS
    if not (it.at.startswith("europe/") if dominion else in_europe(it.at)):
        return False
    if it.reported and not units_off_map(s, it.nation, it.units[0]):
        return False
    places = _whence(s, it)
    return set(places) <= set(COMMONWEALTH_BOXES[it.nation]) if dominion else not any(map(in_europe, places))


@barred("70.14A", acts=("enter",), when=_comes_from_overseas, also=("70.24", "71.14", "72.14"))
def redeployed_to_europe(s: State, it: Presence) -> Refusal | None:
    """Commonwealth units come from overseas to Europe by naval redeployment, Canadians from the Atlantic U.S. box."""
    fault = _not_redeployed(s, it)
    number = clause(it.nation, "14") if it.nation in BOXED else DOMINIONS[it.nation].start
    return Refusal(number, fault) if fault else None


def _not_redeployed(s: State, it: Presence) -> str:
    """Why units have not been redeployed from where they were to Europe."""
    home = COMMONWEALTH_BOXES[it.nation][0]
    if it.nation in DOMINIONS and home not in _whence(s, it):
        return f"its units sail to Europe from {named(home)}"
    if it.reported:
        by_phase = s.player == player_of("britain") and s.place.step.name in REDEPLOYED
    else:
        by_phase = it.how == NR or (it.how == "redeployment" and it.nation in DOMINIONS)
    told = f"{called(it.nation)}'s units go to Europe by naval redeployment, in the Allied redeployment phase"
    return "" if by_phase else told
