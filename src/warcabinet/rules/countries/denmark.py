"""Denmark: it does not resist Germany, and whoever holds it shuts the Kattegat (86.1)."""

from __future__ import annotations

from warcabinet.board.maps import europe
from warcabinet.board.seas import passages
from warcabinet.model.events import AreaTaken, ControlChanged, WarBegan
from warcabinet.model.names import called
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, area_holder, board_of, holder, place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.alliances import at_war, went_to_war
from warcabinet.rules.common.pieces import BOUND, armed_units_at, patron
from warcabinet.rules.common.promises import lapse
from warcabinet.rules.common.straits import carried_past
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition, effect
from warcabinet.rules.minors.association import associate_survivor
from warcabinet.rules.minors.first_turn import newly_attacked
from warcabinet.rules.minors.status import change_status, make_peace
from warcabinet.rules.minors.voyages import Voyage, strait

KATTEGAT = "kattegat"
#: A hex of the Atlantic, which stands for all that lies beyond it.
ATLANTIC = place_key("Plymouth")


@effect(
    "86.122",
    on=WarBegan,
    # With a garrison that fights Germany it has joined the garrison's power instead (82.34).
    when=lambda s, began: (
        "denmark" in began.between and began.declared_by == "germany" and s.countries["denmark"].status not in BOUND
    ),
)
def denmark_does_not_resist(p: Proceedings, began: WarBegan) -> None:
    """Denmark does not resist Germany: all its hexes are German from the start of the player turn, its BRPs follow."""
    was = area_holder(p.s, "denmark")
    p.do(ControlChanged(_undefended(p.s), "germany", backdated=True))
    p.do(AreaTaken("denmark", was, "germany"))
    lapse(p, "denmark", "it does not resist", associate_survivor)
    change_status(p, "denmark", "conquered", "germany", "86.122", "it does not resist German occupation")
    make_peace(p, "denmark")


def _undefended(s: State) -> tuple[str, ...]:
    """The Danish hexes that pass to Germany: those in which no enemies of Germany stand, or all of them (R-1864)."""
    return tuple(
        it for it in home_hexes("denmark") if not any(_fights_germany(s, unit) for unit in armed_units_at(s, it))
    )


def _fights_germany(s: State, stack: Stack) -> bool:
    leader = patron(s, stack.nation)
    return leader != "" and at_war(s, "germany", leader)


@definition(
    "86.122",
    displaces=fully_supplied,
    when=lambda s, power, place: (
        power == "germany"
        and place_key(place) in home_hexes("denmark")
        and s.countries["denmark"].by == "germany"
        and went_to_war(s, "germany", "denmark")
        and newly_attacked(s, "denmark")
    ),
)
def danish_hexes_supplied(s: State, power: str, place: str) -> bool:
    """In the turn of the German declaration of war all Danish hexes are fully supplied by Germany."""
    return holder(s, place_key(place)) == "germany"


# -- the Kattegat -------------------------------------------------------------------------------------------------


@definition("86.13", "Ships pass the Kattegat only while Copenhagen and H33 are in friendly or neutral hands")
def kattegat_open(s: State, nation: str) -> bool:
    shores = passages(europe())[KATTEGAT].needs
    return not any(_hostile(s, nation, holder(s, f"europe/{id_}")) for id_ in shores)


def _hostile(s: State, nation: str, held_by: str) -> bool:
    """Whether a holder is an enemy: himself at war with the nation or its power, or beside someone who is."""
    if held_by == PARTISANS:
        return True
    mine = {nation, patron(s, nation)} - {""}
    theirs = {held_by, patron(s, held_by) if held_by in s.countries else ""} - {""}
    return any(at_war(s, one, other) for one in mine for other in theirs)


def past_kattegat(s: State, it: Voyage) -> bool:
    """Whether a voyage leads through the Kattegat and in no other way.

    Whatever lies off the board, boxes and the Pacific, is reached from the Baltic over the Atlantic, and raiders that
    name no place go there.
    """
    to = it.to or (ATLANTIC if it.how == "raid" else "")
    if not (it.origin and to):
        return False
    if it.past is carried_past and kattegat_open(s, it.nation):
        return False  # the least costly question first: it is mostly open
    here, there = (end if board_of(end) == europe().name else ATLANTIC for end in (it.origin, to))
    return it.past(s, it.nation, KATTEGAT, here, there)


@strait("86.13", passes=past_kattegat)
def kattegat_is_shut(s: State, it: Voyage) -> str | None:
    """Ships, and units that they carry, do not pass a Kattegat that an enemy shuts: nor is D35 invaded from the
    Baltic.
    """
    if kattegat_open(s, it.nation):
        return None
    origin, to = it.named[0], it.named[1] or "the Atlantic"
    return f"the Kattegat lies between {origin} and {to}, and an enemy of {called(it.nation)} holds Copenhagen or H33"
