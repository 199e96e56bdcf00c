"""Who gains a place that changes hands, and what is lost without a turn to retake it (82.22, 83.5, 83.61)."""

from __future__ import annotations

from warcabinet.model.names import areas, powers
from warcabinet.model.places import PARTISANS, holder
from warcabinet.model.state import State
from warcabinet.rules.common.participation import areas_at, conqueror
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import definition, value

HOLDS = ("conquered", "colony", "associated", "allied", "controlled")


def country_at(key: str) -> str:
    """The country in which a place lies or which it decides, if any."""
    return next((name for name in areas_at(key) if areas()[name].is_country), "")


@value("83.51", "A place goes to the power that took it, or to a senior partner that took part")
def who_gains(s: State, place: str, taker: str) -> str:
    for area in areas_at(place):
        senior = conqueror(s, area, taker)
        if senior != taker:
            return senior
    return taker


@definition("83.61", "A place that partisans held and its owner's side freed returns to its owner")
def freed_for_owner(s: State, place: str, taker: str) -> bool:
    country = country_at(place)
    if holder(s, place) != PARTISANS or not country:
        return False
    standing = s.countries[country]
    return standing.status in HOLDS and faction(s, standing.by) == faction(s, taker) != ""


@value(
    "83.61",
    "Partisans removed by an ally leave the place to its owner",
    displaces=who_gains,
    when=freed_for_owner,
)
def back_to_owner(s: State, place: str, taker: str) -> str:
    return s.countries[country_at(place)].by


@definition("82.22", "BRPs that a diplomatic result brought are lost as soon as another power conquers the country")
def loses_diplomatic_brps(s: State, power: str, area: str, taker: str) -> bool:
    if area not in s.countries or taker not in powers() or reading_in_force(s, "R-0038") == "b":
        return False
    standing = s.countries[area]
    return standing.status in ("penetrated", "controlled") and standing.by == power
