"""The areas of minor countries: at home, and in what is listed for minor allies (84.46, 85.46).

That an area is open does not open a neutral country in it: that is judged in `ground.py`.
"""

from __future__ import annotations

from warcabinet.kernel.kept import lasting
from warcabinet.kernel.why import note
from warcabinet.model.names import countries
from warcabinet.model.state import State
from warcabinet.model.traits import BALKAN, BALKAN_CLAUSES, DUTCH, RUSSIA, SCANDINAVIANS, VICHY, home_hexes
from warcabinet.rules.common.pieces import BOUND, faction, side_of
from warcabinet.rules.common.war_and_peace import at_war, attackers_of, vichy_places
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.geography import (
    Places,
    at_home,
    beside,
    closed_to_all,
    country,
    front,
    group,
    land,
    region,
    those,
)

#: Nations of the Pacific whose forces stay at home (84.46B).
ASIANS = ("philippines", "thailand", DUTCH)


@lasting
def open_to() -> dict[str, tuple[str, Places]]:
    """By nation the clause that lists the places open to its units beyond its home country, and these places."""
    russia = country(*RUSSIA)
    balkans = country("albania", "greece") | region("european_turkey")
    and_the_east = balkans | russia | country("baltic_states", "poland", "eastern_poland")
    in_the_north = country(*SCANDINAVIANS) | (russia & beside(country("finland")))
    return {
        **{it: (clause, balkans) for it, clause in BALKAN_CLAUSES.items()},
        **{it: (BALKAN_CLAUSES[it], and_the_east) for it in ("hungary", "rumania")},
        "belgium": ("85.46B", front("western")),
        "greece": ("85.46C", front("mediterranean") - group("french_north_africa") - country("spain")),
        **dict.fromkeys(SCANDINAVIANS, ("85.46D", in_the_north)),
        "spain": ("85.46E", front("mediterranean", "eastern")),
        "turkey": ("85.46F", front("mediterranean") | russia | region("bessarabia")),
        "ukraine": ("85.46G", frozenset(home_hexes("ukraine"))),
        VICHY: ("85.46H", those(lambda key: True)),
        "vlasov": ("85.46I", russia | country("poland", "eastern_poland")),
        # Once Thailand has joined Japan its units may go one hex out of it.
        "thailand": ("89.51C", beside(country("thailand"))),
    }


def minor_ally(s: State, nation: str) -> bool:
    """Whether a nation is a minor country allied to a power."""
    return nation in countries() and s.countries[nation].status == "allied"


@definition("84.46A", covers=("82.83C", "84.46B", "85.46", "85.46I", "89.51C"))
def minors_area(s: State, nation: str, place: str) -> bool:
    """Units of an associated or independent country stay in their home country, Vlasov's in Russia and Poland.

    A minor ally's enter the areas listed for it. Poles are at home in eastern Poland until it is conquered (R-1840),
    Vichy units in what is Vichy's or, until that is reported, on French soil. Thais may go one hex out of Thailand.
    """
    status = s.countries[nation].status if nation in countries() else ""
    if status == "allied":
        note("areas", "85.46", True, nation)
        return at_home(nation, place) or (listed_area(s, nation, place) and not closed_to_all(place))
    if nation == "vlasov" or (nation == "thailand" and status == "associated"):
        clause, places = open_to()[nation]
        note("areas", clause, True, nation)
        return at_home(nation, place) or place in places
    by = "84.46B" if nation in ASIANS else "82.83C" if status == "independent" else "84.46A"
    note("at_home", by, True, nation)
    if nation == VICHY:
        known = vichy_places(s)
        return place in known if len(known) > 1 else land(place)[0] == "france"
    if nation == "poland" and land(place)[0] == "eastern_poland":
        return s.countries["eastern_poland"].status != "conquered"
    return at_home(nation, place)


@definition(
    "85.46", covers=("85.46A", *BALKAN_CLAUSES.values(), *(f"85.46{letter}" for letter in "BCDEFGH")), also=("86.51",)
)
def listed_area(s: State, nation: str, place: str) -> bool:
    """The areas that are open to a minor ally beyond its home country."""
    clause, places = open_to().get(nation, ("85.46", frozenset()))
    note("areas", clause, nation)
    lies_in, part = land(place)
    if nation not in BALKAN_CLAUSES or lies_in not in BALKAN:
        return place in places
    note("areas", "85.46A", nation)
    theirs = s.countries[lies_in]
    # What stands under an enemy's diplomatic result is neutral until war is declared on it (82.41).
    fought = theirs.status in BOUND and at_war(s, s.countries[nation].by, theirs.by)
    if (nation, part) == ("hungary", "bessarabia"):
        # Only if Rumania was conquered, or attacked by the Hungarians' own alliance.
        attacked = any(faction(s, it) == side_of(s, nation) for it in attackers_of(s, "rumania"))
        return theirs.status == "conquered" or attacked or fought
    # None lets units of another in, though they stand in one alliance; Greece and Turkey are among them (R-2300).
    if theirs.status in BOUND and side_of(s, lies_in) == side_of(s, nation):
        return False
    hostile = theirs.status == "conquered" or fought or at_war(s, s.countries[nation].by, lies_in)
    return place in places or (lies_in != "turkey" and hostile)
