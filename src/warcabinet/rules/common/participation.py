"""Cooperative conquests: who took part, and who is the senior partner that benefits (83.5)."""

from __future__ import annotations

from warcabinet.kernel.lasting import lasting
from warcabinet.kernel.why import note
from warcabinet.model.names import areas
from warcabinet.model.places import areas_decided_by
from warcabinet.model.state import State, happened
from warcabinet.model.traits import conquest_places, home_hexes
from warcabinet.rules.common.alliances import player_of, war_between
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import definition, value

SENIOR = {"axis": ("83.51A", ("germany", "italy")), "western allies": ("83.51B", ("usa", "britain", "france"))}
QUALIFIES = (("offensive operations", "83.52"), ("attrition", "83.52"), ("other expenditure", "83.53"))
SEA_COVER = "counterair against sea cover"
NEVER_QUALIFIES = ((SEA_COVER, "83.54A"), ("attack outside the area", "83.54B"), ("grant", "83.54C"))

#: What an attack from the air or the sea that cost BRPs is kept as; against sea cover alone it counts for nothing.
PAID_ATTACK = "an attack from the air or the sea"


def ranks(side: str) -> tuple[str, tuple[str, ...]]:
    """The order of a faction's powers, senior ones first, and its clause; China has no place in it (R-1941)."""
    return SENIOR.get(side, ("", ()))


def did(s: State, power: str, area: str, how: str) -> bool:
    """Whether a power is reported to have done this towards the taking of an area in this player turn."""
    return happened(s, f"took part by {how}", f"{power} {area}", "player turn")


@definition("83.52", covers=("83.53", *(clause for _, clause in NEVER_QUALIFIES)))
def took_part(s: State, power: str, area: str) -> bool:
    """A power takes part in a conquest by offensive operations there, attrition on its forces, or another direct
    outlay.
    """
    for how, clause in NEVER_QUALIFIES:
        if did(s, power, area, how):
            note("does_not_qualify", clause, how, power)
    for how, clause in QUALIFIES:
        if did(s, power, area, how):
            note("qualifies", clause, how, power)
            return True
    if did(s, power, area, PAID_ATTACK) and not did(s, power, area, SEA_COVER):
        note("qualifies", "83.53", PAID_ATTACK, power)
        return True
    if did(s, power, area, "declaration of war") or _declared_now(s, power, area):
        counts = reading_in_force(s, "R-0039") == "a"
        note("qualifies" if counts else "does_not_qualify", "83.53", "declaration of war", power)
        return counts
    return False


def _declared_now(s: State, power: str, area: str) -> bool:
    """Whether a power declared war on a country, and paid for it, in this player turn."""
    war = war_between(s, power, area)
    return war is not None and (war.declared_by, war.since) == (power, s.turn) and player_of(power) == s.player


@value("83.51", covers=tuple(clause for clause, _ in SENIOR.values()))
def conqueror(s: State, area: str, taker: str) -> str:
    """BRPs and hexes of a joint conquest go to the senior partner that took part."""
    clause, order = ranks(faction(s, taker))
    for senior in order if taker in order else ():
        if senior == taker:
            break
        if took_part(s, senior, area):
            note("senior_partner", clause, senior, area)
            return senior
    return taker


@lasting
def areas_at(key: str) -> tuple[str, ...]:
    """The areas in whose taking a place counts: those that it decides, and the country or power that it lies in.

    Tangier lies in Spanish Morocco, and counts for Spain as well (83.13).
    """
    lands = [name for name, area in areas().items() if area.is_country or area.kind == "major"]
    lying_in = (name for name in lands if key in home_hexes(name))
    needed = (name for name in lands if key in conquest_places(name))
    return tuple(dict.fromkeys((*areas_decided_by(key), *lying_in, *needed)))
