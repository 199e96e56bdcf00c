"""What is Australia's own on the map: the outback, New Zealand (71.81, 71.91)."""

from __future__ import annotations

from warcabinet.board.maps import pacific
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import neighbours
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.commonwealth.boxed import outback
from warcabinet.rules.kinds import definition, value

# -- the outback --------------------------------------------------------------------------------------------------

MIDDLE = frozenset(f"pacific/NN{number}" for number in range(18, 22))


@definition("71.81", "Ground units, supply and attacks do not pass the side between two adjacent hexes")
def outback_side(s: State, one: str, other: str) -> bool:
    a, b = place_key(one), place_key(other)
    if b not in neighbours(a):
        return False
    if reading_in_force(s, "R-0084") == "c" and MIDDLE & {a, b}:
        return True
    return pacific().side(a.partition("/")[2], b.partition("/")[2]) == "outback" if {a, b} <= outback() else False


def _over_one_side(s: State, it: Presence) -> bool:
    """Whether ground units march or attack from one hex of the outback or beside it to another; reports name no way."""
    if not outback() & {it.origin, it.at} or (it.reported and it.act == "enter"):
        return False
    return it.cmd.branch == "ground" if it.act == "attack" else it.brings("ground")


@barred("71.81", acts=("enter", "attack"), when=_over_one_side, final=True)
def not_through_the_outback(s: State, it: Presence) -> str | None:
    """No ground unit moves, is redeployed or attacks over an all-outback hexside."""
    if not it.origin or not outback_side(s, it.origin, it.at):
        return None
    told = f"the side between {it.origin} and {it.at} is all outback"
    return f"{told}: go round by other hexes" if it.act == "enter" else f"{told}: nobody fights over it"


# -- New Zealand --------------------------------------------------------------------------------------------------


@value("71.91", "Units of a kind that are New Zealand's among the Australian ones; they are Australian for all else")
def new_zealand_units(s: State, unit: str) -> int:
    return 2 if unit == "infantry 1-2" else 0
