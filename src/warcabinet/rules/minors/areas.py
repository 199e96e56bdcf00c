"""The areas of minor countries, at home and in what is listed for minor allies (84.46, 85.46), and stacking (84.45B).

That an area is open does not open a neutral country in it: that is judged in `ground.py`.
"""

from __future__ import annotations

from warcabinet.kernel.kept import lasting, once
from warcabinet.kernel.why import note
from warcabinet.model.keys import Place
from warcabinet.model.names import called, countries
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State
from warcabinet.model.traits import (
    BALKAN,
    BALKAN_CLAUSES,
    DUTCH,
    EUROPEAN_FRENCH_COLONIES,
    PARTS,
    RUSSIA,
    SCANDINAVIANS,
    VICHY,
    home_hexes,
)
from warcabinet.rules.common import pieces
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.war_and_peace import ATTACKERS, at_war, attackers_of, open_colony, vichy_places
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
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.status import border_war_escalated, russians_invaded

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


@definition("84.46A", covers=("85.46I", "89.51C"))
def minors_area(s: State, nation: str, place: Place) -> bool:
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
def listed_area(s: State, nation: str, place: Place) -> bool:
    """The areas that are open to a minor ally beyond its home country."""
    clause, places = open_to().get(nation, ("85.46", frozenset()))
    note("areas", clause, nation)
    lies_in, part = land(place)
    if nation not in BALKAN_CLAUSES or lies_in not in BALKAN:
        return place in places
    note("areas", "85.46A", nation)
    theirs = s.countries[lies_in]
    # What stands under an enemy's diplomatic result is neutral until war is declared on it (82.41).
    fought = theirs.status in pieces.BOUND and at_war(s, s.countries[nation].by, theirs.by)
    if (nation, part) == ("hungary", "bessarabia"):
        # Only if Rumania was conquered, or attacked by the Hungarians' own alliance.
        attacked = any(pieces.faction(s, it) == pieces.side_of(s, nation) for it in attackers_of(s, "rumania"))
        return theirs.status == "conquered" or attacked or fought
    # None lets units of another in, though they stand in one alliance; Greece and Turkey are among them (R-2300).
    if theirs.status in pieces.BOUND and pieces.side_of(s, lies_in) == pieces.side_of(s, nation):
        return False
    hostile = theirs.status == "conquered" or fought or at_war(s, s.countries[nation].by, lies_in)
    return place in places or (lies_in != "turkey" and hostile)


# -- who stands with whom -------------------------------------------------------------------------------------------


@definition("84.45B", "Units of one faction, its countries included, may stack together")
def may_stack(s: State, nation: str, other: str) -> bool:
    for it in (nation, other):
        if it in countries() and s.countries[it].status in pieces.BOUND:
            note("stacking", pieces.said_of(s, it, "84.45B"), True, it)
    return pieces.side_of(s, nation) == pieces.side_of(s, other)


@once
def enemies(s: State, nation: str, other: str) -> bool:
    """Whether two nations fight each other, by themselves or through the powers that lead them.

    Japan and the Dutch, on whom it declares no war, fight as Britain does (82.93).
    """
    mine, theirs = {nation, pieces.patron(s, nation)} - {""}, {other, pieces.patron(s, other)} - {""}
    in_the_indies = fights_japan(s, pieces.country_of(s, DUTCH)) if DUTCH in (nation, other) else False
    return _fight_in_border_war(s, nation, other) or any(
        at_war(s, one, another) or (in_the_indies and {one, another} == {DUTCH, "japan"})
        for one in mine
        for another in theirs
    )


def _fight_in_border_war(s: State, one: str, other: str) -> bool:
    """Whether Russia fights the other undeclared: Finns or Rumanians over their border, or Swedes who help (86.43)."""
    country = other if one == "russia" else one
    if "russia" not in (one, other) or country not in ("sweden", *PARTS.values()):
        return False
    if s.countries[country].status not in pieces.STANDS_ALONE:
        return False
    if country == "sweden":
        return s.countries[country].by != "russia" and border_war_escalated(s, "finland")
    return russians_invaded(s, country)


@once
def _apart(s: State, nation: str, other: str) -> bool:
    """Whether two nations do not stack together and fight each other."""
    return not may_stack(s, nation, other) and enemies(s, nation, other)


def _fight_over_a_colony(s: State, nation: str, there: Stack) -> bool:
    """Whether Britain or the U.S. meet Vichy French units in a colony: they attack it and declare no war (82.41)."""
    pair = {nation, there.nation}
    if (
        VICHY not in pair
        or not any(pieces.patron(s, it) in ATTACKERS for it in pair - {VICHY})
        or may_stack(s, nation, there.nation)
    ):
        return False
    vichy, colony = s.countries[VICHY], land(there.place)[0]
    guests = vichy.status == "controlled" and vichy.by in ATTACKERS
    in_colony = colony in EUROPEAN_FRENCH_COLONIES and open_colony(s, colony)
    return in_colony and not guests and not may_stack(s, nation, there.nation)


def is_site(s: State, it: Presence) -> bool:
    """Whether units that are built would be where their side holds the place; elsewhere construction is refused."""
    return it.act != "build" or pieces.friendly(s, it.at, pieces.side_of(s, it.nation))


@barred(
    "84.45B",
    acts=("enter", "build"),
    when=lambda s, it: it.regular and not it.stays_in and not it.at.startswith("box/") and is_site(s, it),
)
def no_stacking_with_enemies(s: State, it: Presence) -> str | None:
    """Units do not come to stand with those of an enemy."""
    for stack in pieces.armed_units_at(s, it.at):
        regular = stack.branch != "partisan" and stack.nation != it.nation
        if regular and (_apart(s, it.nation, stack.nation) or _fight_over_a_colony(s, it.nation, stack)):
            first = ": report first that they are gone" if it.reported else ""
            return f"units of {called(stack.nation)}, an enemy, stand at {it.place}{first}"
    return None
