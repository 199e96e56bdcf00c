"""Who may stand with whom: units of one side stack together, and with no enemy (84.45B, 85.45B)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.names import called, countries
from warcabinet.model.pieces import Stack
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, EUROPEAN_FRENCH_COLONIES, PARTS, VICHY
from warcabinet.rules.common.pieces import BOUND, STANDS_ALONE, armed_units_at, country_of, friendly, patron, side_of
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.common.war_and_peace import ATTACKERS, at_war, open_colony
from warcabinet.rules.kinds import definition
from warcabinet.rules.minors.forces_of_minors import VOLUNTEERS
from warcabinet.rules.minors.geography import land
from warcabinet.rules.minors.pacific import fights_japan
from warcabinet.rules.minors.status import border_war_escalated, russians_invaded


@definition("84.45B", "Units of one faction, its countries included, may stack together", covers=("85.45B",))
def may_stack(s: State, nation: str, other: str) -> bool:
    for it in (nation, other):
        if it in countries() and s.countries[it].status in BOUND:
            note("stacking", "85.45B" if s.countries[it].status == "allied" else "84.45B", True, it)
    return side_of(s, nation) == side_of(s, other)


def enemies(s: State, nation: str, other: str) -> bool:
    """Whether two nations fight each other, by themselves or through the powers that lead them.

    Japan and the Dutch, on whom it declares no war, fight as Britain does (82.93).
    """
    mine, theirs = {nation, patron(s, nation)} - {""}, {other, patron(s, other)} - {""}
    in_the_indies = fights_japan(s, country_of(s, DUTCH)) if DUTCH in (nation, other) else False
    return _fight_in_border_war(s, nation, other) or any(
        at_war(s, one, another) or (in_the_indies and {one, another} == {DUTCH, "japan"})
        for one in mine
        for another in theirs
    )


def _fight_in_border_war(s: State, one: str, other: str) -> bool:
    """Whether Russia fights the other undeclared: Finns or Rumanians over their border, or Swedes who help (86.43)."""
    country = other if one == "russia" else one
    if "russia" not in (one, other) or country not in (VOLUNTEERS, *PARTS.values()):
        return False
    if s.countries[country].status not in STANDS_ALONE:
        return False
    if country == VOLUNTEERS:
        return s.countries[country].by != "russia" and border_war_escalated(s, "finland")
    return russians_invaded(s, country)


def _fight_over_a_colony(s: State, nation: str, there: Stack) -> bool:
    """Whether Britain or the U.S. meet Vichy French units in a colony: they attack it and declare no war (82.41)."""
    pair = {nation, there.nation}
    if VICHY not in pair or not any(patron(s, it) in ATTACKERS for it in pair - {VICHY}):
        return False
    vichy, colony = s.countries[VICHY], land(there.place)[0]
    guests = vichy.status == "controlled" and vichy.by in ATTACKERS
    return not guests and colony in EUROPEAN_FRENCH_COLONIES and open_colony(s, colony)


def is_site(s: State, it: Presence) -> bool:
    """Whether units that are built would be where their side holds the place; elsewhere construction is refused."""
    return it.act != "build" or friendly(s, it.at, side_of(s, it.nation))


@barred(
    "84.45B",
    acts=("enter", "build"),
    when=lambda s, it: it.regular and not it.stays_in and not it.at.startswith("box/") and is_site(s, it),
    also=("85.45B",),
)
def no_stacking_with_enemies(s: State, it: Presence) -> str | None:
    """Units do not come to stand with those of an enemy."""
    for stack in armed_units_at(s, it.at):
        regular = stack.branch != "partisan" and stack.nation != it.nation
        apart = regular and not may_stack(s, it.nation, stack.nation)
        if apart and (enemies(s, it.nation, stack.nation) or _fight_over_a_colony(s, it.nation, stack)):
            first = ": report first that they are gone" if it.reported else ""
            return f"units of {called(stack.nation)}, an enemy, stand at {it.place}{first}"
    return None
