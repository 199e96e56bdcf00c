"""The garrisons of Manchuria and Siberia side by side: what stands there and is worth, what may leave, what follows.

One view for both sides, the same on the command line and at the table (chapter 81).
"""

from __future__ import annotations

from collections.abc import Iterable

from warcabinet.model import calendar
from warcabinet.model.state import State
from warcabinet.rules.common.war_and_peace import at_war
from warcabinet.rules.commonwealth.box_ways import urals_basing
from warcabinet.rules.commonwealth.boxed import (
    URALS,
    factors_beside,
    fighting_beside,
    limit_reduction,
    loss_beside_box,
    russian_factors,
)
from warcabinet.rules.economy.spending import construction_limit
from warcabinet.rules.garrisons.counting import (
    MANCHURIA,
    SIBERIA,
)
from warcabinet.rules.garrisons.transfers import (
    garrisons_known,
)
from warcabinet.views.garrison_parts import GarrisonPage, Told, Urals
from warcabinet.views.garrison_prospects import japanese_declaration, russian_declaration, transfers
from warcabinet.views.garrison_sides import departures, garrison_side


def garrison_page(state: State, moves: Iterable[Told] = ()) -> GarrisonPage:
    """Both garrisons as they stand; what left them is read from the moves that led here."""
    gone = tuple(departures(moves))
    fighting = at_war(state, "russia", "japan")
    return GarrisonPage(
        known=garrisons_known(state),
        standing="at war" if fighting else "at peace",
        counted=_counted(state),
        clause="81.42B",
        manchuria=garrison_side(state, MANCHURIA, gone),
        siberia=garrison_side(state, SIBERIA, gone),
        transfers=tuple(transfers(state)),
        declarations=() if fighting else (japanese_declaration(state), russian_declaration(state)),
        urals=_urals(state),
    )


def _counted(s: State) -> str:
    turn = s.turn if s.player == "allied" else s.turn - 1
    last = f"counted at the start of the Russian turn, {calendar.turn_name(turn)}"
    return last if s.player == "allied" else f"{last}; next in {calendar.turn_name(s.turn)}"


def _urals(s: State) -> Urals:
    return Urals(
        inside=russian_factors(s),
        beside=factors_beside(s),
        fighting=fighting_beside(s),
        loss=loss_beside_box(s, URALS),
        reduction=limit_reduction(s, URALS),
        limit=construction_limit(s, "russia"),
        basing=urals_basing(s, "russia"),
    )
