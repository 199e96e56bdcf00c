"""What a capture would cost now: the questions that a defender asks before the enemy's combat phase."""

from __future__ import annotations

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.names import areas
from warcabinet.model.places import area_holder
from warcabinet.model.state import State
from warcabinet.rules.common.alliances import stands_with
from warcabinet.rules.common.books import on_books, out_of_the_economy
from warcabinet.rules.common.worth import ic_value
from warcabinet.rules.economy.key_areas import capture_loss
from warcabinet.rules.economy.proration import prorated
from warcabinet.rules.economy.spending import construction_base
from warcabinet.rules.kinds import value


def owner_of(area: str) -> str:
    """Who loses by the capture: the original owner of a key area, Russia for an industrial center."""
    found = areas()[area]
    if found.kind not in ("key area", "ic"):
        raise WarCabinetError(f"{found.name} is neither a key economic area nor an industrial center")
    return found.owner or "russia"


def _at_stake(s: State, area: str) -> int:
    """What the owner would lose a year; nothing if the area is in other hands already."""
    if not stands_with(s, area_holder(s, area), owner_of(area)):
        return 0
    return capture_loss(s, area) if areas()[area].kind == "key area" else ic_value(s, area)


def _counted(s: State, area: str) -> bool:
    """Whether the area counts for its owner: not what it has regained and is yet to be paid for, nor in surrender."""
    owner = owner_of(area)
    if out_of_the_economy(s, owner):
        return False
    on_its_books = on_books(s, owner, area)
    return on_its_books >= 0 if areas()[area].kind == "key area" else on_its_books > 0


@value("38.22", "BRPs that the owner would lose this turn if its key economic area or industrial center were captured")
def loss_if_captured(s: State, area: str) -> int:
    at_stake = _at_stake(s, area)
    return -prorated(s, -at_stake) if at_stake and _counted(s, area) else 0


@value("38.22", "The owner's construction limit if its key economic area or industrial center were captured")
def construction_limit_if_captured(s: State, area: str) -> int:
    at_stake = _at_stake(s, area)
    return max(0, (construction_base(s, owner_of(area)) - at_stake) // 3)
