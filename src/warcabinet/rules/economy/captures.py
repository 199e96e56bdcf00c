"""What a capture would cost now: the questions that a defender asks before the enemy's combat phase."""

from __future__ import annotations

from warcabinet.kernel.rules import value
from warcabinet.model.names import areas
from warcabinet.model.state import State
from warcabinet.rules.economy.key_areas import capture_loss, ic_value
from warcabinet.rules.economy.spending import construction_base
from warcabinet.rules.economy.timing import prorated


def owner_of(area: str) -> str:
    """Who loses by the capture: the original owner of a key area, Russia for an industrial center."""
    return areas()[area].owner or "russia"


@value("38.22", "BRPs that the owner would lose this turn if its key economic area or industrial center were captured")
def loss_if_captured(s: State, area: str) -> int:
    yearly = capture_loss(s, area) if areas()[area].kind == "key area" else ic_value(s, area)
    return -prorated(s, -yearly)


@value("38.22", "The owner's construction limit after such a capture")
def construction_limit_if_captured(s: State, area: str) -> int:
    yearly = capture_loss(s, area) if areas()[area].kind == "key area" else ic_value(s, area)
    return max(0, construction_base(s, owner_of(area)) - yearly) // 3
