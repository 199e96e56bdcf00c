"""Who is an enemy of whom on the map: by a war of their own, or of the powers that lead them."""

from __future__ import annotations

import msgspec

from warcabinet.model.names import OTHER_NATIONS, countries, powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import board_of, holder
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.minors.areas import enemies
from warcabinet.views.words import place_name


def opposed(state: State, one: str, other: str) -> bool:
    """Whether two nations fight each other; partisans are no nation."""
    return _nation(one) and _nation(other) and enemies(state, one, other)


def leader(state: State, nation: str) -> str:
    """The power that leads a nation; none leads partisans, or a country that stands alone."""
    return patron(state, nation) if _nation(nation) else ""


def _nation(name: str) -> bool:
    return name in powers() or name in countries() or name in OTHER_NATIONS


class Unreported(msgspec.Struct, frozen=True):
    """A hex that an enemy holds though only others' ground units stand in it: a capture that nobody has reported."""

    place: str
    holder: str
    taker: str
    #: The place as people call it.
    called: str


def unreported(state: State) -> tuple[Unreported, ...]:
    """Captures that wait to be reported: a move into an enemy's hex takes nothing by itself (WC.7)."""
    ground: dict[str, list[Stack]] = {}
    for it in state.pieces.stacks():
        if it.branch == "ground" and board_of(it.place) != "box":
            ground.setdefault(it.place, []).append(it)
    found = []
    for place, stacks in sorted(ground.items()):
        by = holder(state, place)
        taker = leader(state, stacks[0].nation)
        if not by or not taker or by == taker or state.powers[taker].surrendered:
            continue  # what a power that has left the war leaves behind is settled with its surrender
        if all(opposed(state, it.nation, by) for it in stacks):
            found.append(Unreported(place, by, taker, place_name(place)))
    return tuple(found)
