"""Vichy France and its colonies, and those that went over to the Free French (82.32A, 82.41, 82.91F, 85.493).

Where the line through France runs and which colonies go over is settled in chapters that are played outside: the table
reports it (`report_vichy`, `report_free_french`). Here is what other chapters ask.
"""

from __future__ import annotations

from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, VICHY, capital, home_hexes
from warcabinet.rules.common.alliances import at_war, same_faction
from warcabinet.rules.kinds import definition, remembered

# The clause by which a colony stands that went over to the Free French.
WENT_OVER = "85.493"
# Those who may attack Vichy colonies without a declaration of war.
ATTACKERS = ("britain", "usa")


@remembered("85.44", "The places in France that are Vichy France's: its capital, and what was reported (R-0463)")
def vichy_places(s: State) -> tuple[str, ...]:
    return (capital(VICHY),)


def french_remnant(s: State, place: str) -> bool:
    """Whether a place is French only because nobody has said otherwise since France left the war: Vichy's."""
    return s.powers["france"].surrendered and holder(s, place) == "france"


def vichys_own(s: State, place: str) -> bool:
    """Whether Vichy France holds a place, or a position that knows of the French surrender left it French."""
    return holder(s, place) == VICHY or (french_remnant(s, place) and place in vichy_places(s))


def vichys_by_result(s: State, place: str) -> bool:
    """Whether a power holds a place of Vichy France's in France by a diplomatic result, and did not take it by force.

    A country under a result is neutral all the same: whoever attacks there declares war on it (82.41).
    """
    now, standing = holder(s, place), s.countries[VICHY]
    if now not in powers() or not s.powers["france"].surrendered or place not in vichy_places(s):
        return False
    neutral = standing.status in ("neutral", "penetrated", "controlled")
    return neutral and now != "france" and not any(at_war(s, it, VICHY) for it in powers() if same_faction(s, it, now))


@definition("85.493", "A French colony that is Free French: Britain holds it, as it does the French Pacific islands")
def free_french(s: State, country: str) -> bool:
    standing = s.countries[country]
    return standing.status == "colony" and standing.clause == WENT_OVER


def vichy_colony(s: State, country: str) -> bool:
    """A French colony after the French surrender that no other power has conquered and that did not go over."""
    french = countries()[country].owner == "france" and s.powers["france"].surrendered
    return french and s.countries[country].status == "colony" and not free_french(s, country)


def colony_by_result(s: State, country: str) -> bool:
    """A Vichy colony that a diplomatic result gave a power with Vichy France (R-0464): it is as neutral as that."""
    held_by, vichy = s.countries[country].by, s.countries[VICHY]
    given = vichy.status == "controlled" and held_by in powers() and same_faction(s, held_by, vichy.by)
    return given and vichy_colony(s, country)


def open_colony(s: State, country: str) -> bool:
    """A Vichy colony, or one whose capital Britain or the U.S. has taken: they go on against what is left of it."""
    standing = s.countries[country]
    fallen = country in EUROPEAN_FRENCH_COLONIES and standing.status == "conquered" and standing.by in ATTACKERS
    return vichy_colony(s, country) or (fallen and s.powers["france"].surrendered)


def colonies_of(s: State, country: str) -> tuple[str, ...]:
    """What a minor country holds beyond its borders and takes along: Spain's part of Morocco, Vichy's colonies."""
    if country == VICHY:
        return tuple(it for it in EUROPEAN_FRENCH_COLONIES if vichy_colony(s, it))
    return ("spanish_morocco",) if country == "spain" else ()


@remembered("82.32A", "A Vichy colony that Britain or the U.S. attacked: Axis units there are outside the limit")
def attacked_colony(s: State, country: str) -> bool:
    # What a result gave the West with Vichy France was not attacked, and Spain's part of Morocco is none of these.
    given = s.countries[VICHY].by in ATTACKERS or country not in EUROPEAN_FRENCH_COLONIES
    return not given and any(holder(s, key) in ATTACKERS for key in home_hexes(country))


@remembered("85.493", "A colony was lost to Vichy France: who takes it from the Allies later has it for himself")
def lost_to_vichy(s: State, colony: str) -> bool:
    return False


def gone_over(s: State, colony: str) -> bool:
    """Whether a French colony is Free French or was conquered by an Allied power."""
    standing = s.countries[colony]
    conquered = standing.status == "conquered" and standing.by in powers()
    return free_french(s, colony) or (conquered and powers()[standing.by].player == "allied")


def colonies_lost_by_vichy(s: State) -> tuple[str, ...]:
    """French colonies that became Free French or were conquered by an Allied power, whoever conquered them since."""
    return tuple(
        name
        for name in EUROPEAN_FRENCH_COLONIES
        if gone_over(s, name) or (s.countries[name].status == "conquered" and lost_to_vichy(s, name))
    )
