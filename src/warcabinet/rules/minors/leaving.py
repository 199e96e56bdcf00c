"""Units that must leave a country whose result was reversed: when, which way, and what becomes of who stays (82.33)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Closed, UnitsMoved
from warcabinet.model.pieces import At, Stack
from warcabinet.model.places import holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import VICHY, home_hexes
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.pieces import BOUND, COUNTERS, STANDS_ALONE, faction, side_of, units_in, units_in_its_east
from warcabinet.rules.common.war_and_peace import ATTACKERS, attacked_colony, attackers_of, colonies_of
from warcabinet.rules.kinds import definition, due, effect
from warcabinet.rules.minors.caught_units import end_of_their_turn, no_longer_caught, supply_until
from warcabinet.rules.minors.limits import open_besides
from warcabinet.rules.minors.parts import lose
from warcabinet.rules.minors.status import all_hexes, hand_over_hexes, overseas, release_capital, release_hexes


def foreigners(s: State, country: str, side: str) -> list[Stack]:
    """The units of a side in a country and in the colonies that go with it (R-0464).

    Partisans rose there (87.23), and airbases are no units (R-1980).
    """
    colonies = colonies_of(s, country)
    peaceful = (it for it in colonies if s.countries[it].status != "conquered" and not attacked_colony(s, it))
    there = chain(*(units_in(s, part) for part in (country, *peaceful)), units_in_its_east(s, country, side))
    guests = (it for it in there if it.nation != country and side_of(s, it.nation) == side)
    return [it for it in guests if it.branch != "partisan" and it.unit not in COUNTERS]


def leave_after_reversal(p: Proceedings, country: str, power: str) -> None:
    """Units of a power that lost its hex control are supplied, and must be out by the end of their player turn."""
    # What the West still holds of a Vichy colony by the result that it lost is remembered as not attacked (R-1820).
    for colony in colonies_of(p.s, VICHY) if country == VICHY and power in ATTACKERS else ():
        if not attacked_colony.noted(p.s, colony):
            attacked_colony.under("82.33").note(p, False, "its units came by a diplomatic result", colony)
    if not foreigners(p.s, country, faction(p.s, power)):
        return
    when = end_of_their_turn(p.s, power)
    if not open_besides(p.s, country):
        promise(p, evict_garrison, when, power, country, 0)
    supply_until(p, when, power, country, "82.33")


def _must_leave(s: State, country: str, power: str) -> bool:
    """A country that stands with nobody, whatever result it is under, is closed to the side that lost it (82.41)."""
    side = faction(s, power)
    # Units of a side that has attacked it are invaders there, and no guests (82.35, 82.56).
    invaders = any(faction(s, it) == side for it in attackers_of(s, country))
    free = s.countries[country].status in STANDS_ALONE and not open_besides(s, country)
    return free and not _regained(s, country, power) and not invaders


def _regained(s: State, country: str, power: str) -> bool:
    """Whether a country is open to a power's side again: by a hex control result, or as its associate or minor ally."""
    standing = s.countries[country]
    return standing.status in ("controlled", *BOUND) and faction(s, standing.by) == faction(s, power)


@due("82.33", averted_by="moving every unit out of {about} by then")
def evict_garrison(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """Units that have not left a country after its hex control was reversed are eliminated."""
    if not _must_leave(p.s, due_now.about, due_now.power):
        p.do(Closed(due_now.id, "averted", "the units may stay"))
        return 0
    left = foreigners(p.s, due_now.about, faction(p.s, due_now.power))
    for stack in left:
        lose(p, stack)
    # What the garrison had kept is the country's again, or it would count as a capture later.
    _give_up_hexes(p, due_now.about, due_now.power)
    if not left:
        p.do(Closed(due_now.id, "averted", "no unit is left there"))
    return 0


def sides_leaving(s: State, country: str, apart_from: str = "") -> dict[str, str]:
    """The sides whose units are to leave a country after a reversal, each with its power, but one that it joins."""
    leaving = {faction(s, it.power): it.power for it in promised(s, evict_garrison, about=country)}
    return {side: power for side, power in leaving.items() if side != faction(s, apart_from)}


def turn_on_guests(p: Proceedings, country: str, joins: str) -> None:
    """Who is on his way out of a country that joins another has its capital no more but by ground units (R-0214)."""
    for power in sides_leaving(p.s, country, apart_from=joins).values():
        release_capital(p, country, power)


def _give_up_hexes(p: Proceedings, country: str, power: str) -> None:
    """What no unit garrisons any more is the country's, or his who controls it by a result now."""
    release_hexes(p, country, power)
    standing = p.s.countries[country]
    if standing.status == "controlled":
        hand_over_hexes(p, country, standing.by)


@effect(
    "82.33", on=UnitsMoved, when=lambda s, moved: isinstance(moved.origin, At) and bool(promised(s, evict_garrison))
)
def hexes_left_behind(p: Proceedings, moved: UnitsMoved) -> None:
    """A hex that a garrison on its way out has left is garrisoned no more: its control changes at once."""
    left = moved.origin.place if isinstance(moved.origin, At) else ""
    for it in promised(p.s, evict_garrison):
        if holder(p.s, left) == it.power and left in all_hexes(p.s, it.about) and _must_leave(p.s, it.about, it.power):
            _give_up_hexes(p, it.about, it.power)


def may_stay(p: Proceedings, country: str, reason: str) -> None:
    """What units were to leave a country is taken off the agenda once they are no guests there that must leave it."""
    for it in promised(p.s, evict_garrison, about=country):
        if not _must_leave(p.s, country, it.power):
            lapse(p, country, reason, evict_garrison, power=it.power)
            if _regained(p.s, country, it.power):
                no_longer_caught(p, country, it.power, reason)


@definition("82.33", "Units that must leave a country after a reversal may go through it on their way out (R-2430)")
def on_its_way_out(s: State, nation: str, origin: str, to: str) -> bool:
    side = side_of(s, nation)
    left = (it for it in promised(s, evict_garrison) if faction(s, it.power) == side)
    closed = [it.about for it in left if _must_leave(s, it.about, it.power)]
    ends = {origin, to}
    # A country's own land, and each of its colonies: who leaves the one does not go to the other.
    own = ({*all_hexes(s, it)} - {*overseas(s, it)} for it in closed)
    colonies: Iterator[set[str]] = ({*home_hexes(colony)} for it in closed for colony in colonies_of(s, it))
    return any(ends <= ground for ground in chain(own, colonies))


def to_be_left(s: State, power: str, place: str) -> str:
    """The country in which a place lies and which a power's units must leave after a reversal, if they must.

    Nothing is built there meanwhile, not even in hexes that they still hold (R-1900).
    """
    left = (it for it in promised(s, evict_garrison) if faction(s, it.power) == faction(s, power))
    return next((it.about for it in left if _must_leave(s, it.about, it.power) and place in all_hexes(s, it.about)), "")
