"""The Philippines: nine islands, their infantry, and what the loss of Manila means (89.4)."""

from __future__ import annotations

from collections.abc import Iterator

from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.alliances import went_to_war
from warcabinet.rules.common.foreseen import Foreseen, foresees
from warcabinet.rules.common.moments import next_step_of
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.countries.told import Told, tells_of
from warcabinet.rules.kinds import definition, value
from warcabinet.rules.minors.building import free_infantry_factors
from warcabinet.rules.minors.forces_of_minors import force_level

MANILA = place_key("Manila")


@definition("89.41", "A place on one of the nine Philippine islands")
def in_philippines(s: State, place: str) -> bool:
    return place_key(place) in home_hexes("philippines")


@value("89.44", displaces=force_level, when=lambda s, nation, unit: nation == "philippines", also=("84.31",))
def filipino_forces(s: State, nation: str, unit: str) -> int:
    """Two 1-2 infantry units stand in the Philippines from the start."""
    return force_level.general(s, nation, unit)


@value("89.44", displaces=free_infantry_factors, when=lambda s, nation: nation == "philippines")
def filipino_rebuilding(s: State, nation: str) -> int:
    """One 1-2 Filipino infantry unit is rebuilt a turn, free, until Manila falls."""
    return 0 if s.countries["philippines"].status == "conquered" else 1


def _surrender(s: State) -> str:
    """What becomes of Allied units with Manila (R-1881)."""
    if reading_in_force(s, "R-1881") == "b":
        return "Allied ground and air units surrender to their force pools, ships must leave"
    return "Allied ground units surrender to their force pools, ships and aircraft must leave"


@foresees
def manila_about_to_fall(s: State) -> Iterator[Foreseen]:
    """While Japan has Manila, its combat phase ends with the surrender of all the islands."""
    if holder(s, MANILA) != "japan" or s.countries["philippines"].status == "conquered":
        return
    when = next_step_of(s, "japan", "end of combat phase")
    told = f"Manila has fallen: every hex is Japan's, {_surrender(s)}"
    yield Foreseen(when, "89.43", told, "japan", "philippines", "Manila retaken before then")


@tells_of("philippines")
def philippine_page(s: State) -> Iterator[Told]:
    if s.countries["philippines"].status == "conquered":
        return
    if reading_in_force(s, "R-0015") == "b" and not went_to_war(s, "usa", "japan"):
        yield Told("89.42", "its BRPs come with the American player turn after war with Japan breaks out")
    yield Told("89.43", f"if Japan takes Manila, every hex falls: {_surrender(s)}")
    yield Told("89.44", "one 1-2 infantry unit a turn is rebuilt free of charge until then")
