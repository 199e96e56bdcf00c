"""Units caught where a country turned: they are supplied for a while regardless (82.33, 82.56, 85.52D, 85.53B)."""

from __future__ import annotations

from warcabinet.kernel.rules import Determination
from warcabinet.model.agenda import Caught, Promise
from warcabinet.model.events import Determined, Released
from warcabinet.model.names import countries
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.moments import step_of_next_turn
from warcabinet.rules.common.pieces import faction, side_of, units_in, units_in_its_east
from warcabinet.rules.common.promises import promise
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.common.vichy import colonies_of, vichy_places
from warcabinet.rules.countries.traits import VICHY
from warcabinet.rules.kinds import definition, due, effect


@definition("82.56", "Whether a faction's units in a country are in at least partial supply, whatever their lines")
def partly_supplied(s: State, side: str, country: str) -> bool:
    return False


def present(s: State, country: str, side: str) -> bool:
    """Whether a faction has units in a country or in the colonies that go with it (R-0464)."""
    colonies = colonies_of(s, country) if reading_in_force(s, "R-0464") == "a" else ()
    inside = any(side_of(s, it.nation) == side for part in (country, *colonies) for it in units_in(s, part))
    return inside or any(units_in_its_east(s, country, side))


def supplied_regardless(s: State, side: str, place: str, country: str) -> str:
    """The country by which units at a place in a land are supplied: that land, or the one that has it for a colony."""
    found = [country] if country in countries() else []
    if reading_in_force(s, "R-0464") == "a":
        found += [it for it in ("spain", VICHY) if country in colonies_of(s, it)]
    if s.powers["france"].surrendered and place in vichy_places(s):
        found.append(VICHY)
    return next((it for it in found if partly_supplied(s, side, it)), "")


def supply_this_turn(p: Proceedings, side: str, country: str, clause: str) -> None:
    """The units are supplied for the rest of this player turn."""
    reason = f"caught in {countries()[country].name}"
    p.do(Determined("partly_supplied", (side, country), Determination(True, clause, reason, "player turn")), clause)


def supply_next_turn(p: Proceedings, power: str, country: str, clause: str) -> None:
    """The units of a power's faction are supplied until the end of that side's first player turn after this."""
    side = faction(p.s, power)
    reason = f"caught in {countries()[country].name}"
    p.do(Determined("partly_supplied", (side, country), Determination(True, clause, reason, "game")), clause)
    when = step_of_next_turn(p.s, power, "end of player turn")
    promise(p, grace_ends, when, power, Caught(country, side))


@effect("82.33", "Units caught in a country that joins the other side are supplied in their next player turn (82.56)")
def units_caught(p: Proceedings, country: str, power: str) -> None:
    if present(p.s, country, faction(p.s, power)):
        supply_next_turn(p, power, country, "82.33")


@due("85.52D", "Units caught in a country that turned are no longer supplied regardless", covers=("82.33", "85.53B"))
def grace_ends(p: Proceedings, due_now: Promise[Caught]) -> int:
    caught = (due_now.of.side, due_now.of.country)
    if ", ".join(caught) in p.s.determinations.get("partly_supplied", {}):
        p.do(Released("partly_supplied", caught))
    return 0
