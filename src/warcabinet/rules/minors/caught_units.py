"""Units caught where a country turned: they are supplied for a while regardless (82.33, 82.56, 85.52D, 85.53B)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from warcabinet.model import calendar
from warcabinet.model.agenda import Caught, Promise
from warcabinet.model.events import Closed, Happened
from warcabinet.model.names import called, countries
from warcabinet.model.pieces import Stack
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened_to, total
from warcabinet.model.traits import VICHY
from warcabinet.rules.common.diplomacy import promise, promised
from warcabinet.rules.common.moments import step_of_next_turn
from warcabinet.rules.common.pieces import faction, side_of, units_in, units_in_its_east
from warcabinet.rules.common.war_and_peace import colonies_of, player_of, vichy_places
from warcabinet.rules.kinds import due, effect, remembered


@remembered("82.56", "Whether a faction's units in a country are in at least partial supply, whatever their lines")
def partly_supplied(s: State, side: str, country: str) -> bool:
    return False


def _inside(s: State, country: str, side: str) -> Iterator[Stack]:
    """A faction's units in a country and in the colonies that go with it (R-0464)."""
    colonies = colonies_of(s, country)
    inside = (it for part in (country, *colonies) for it in units_in(s, part) if side_of(s, it.nation) == side)
    return chain(inside, units_in_its_east(s, country, side))


def present(s: State, country: str, side: str) -> bool:
    """Whether a faction has units there."""
    return any(_inside(s, country, side))


def _was_inside(country: str) -> str:
    return f"inside {country}"


def keep_those_inside(p: Proceedings, country: str, side: str) -> None:
    """Who stands in a country as war is declared on it is remembered: who comes later needs lines of his own."""
    for it in tuple(_inside(p.s, country, side)):
        p.do(Happened(Happening(p.s.moment, _was_inside(country), f"{it.nation} {it.unit}", it.count)))


def came_later(s: State, nation: str, unit: str, country: str) -> int:
    """How many units of a kind in a country came after its attacker's declaration of war, as far as that is known."""
    if not happened_to(s, (_was_inside(country),), "player turn"):
        return 0
    there = sum(it.count for it in _inside(s, country, side_of(s, nation)) if (it.nation, it.unit) == (nation, unit))
    return max(0, there - total(s, _was_inside(country), f"{nation} {unit}", "player turn"))


def supplied_regardless(s: State, side: str, place: str, country: str) -> str:
    """The country by which units at a place in a land are supplied: that land, or the one that has it for a colony."""
    found = [country] if country in countries() else []
    found += [it for it in ("spain", VICHY) if country in colonies_of(s, it)]
    if s.powers["france"].surrendered and place in vichy_places(s):
        found.append(VICHY)
    return next((it for it in found if partly_supplied(s, side, it)), "")


def supply_this_turn(p: Proceedings, side: str, country: str, clause: str) -> None:
    """The units are supplied for the rest of this player turn."""
    reason = f"caught in {called(country)}"
    partly_supplied.under(clause, "player turn").note(p, True, reason, side, country)


def supply_next_turn(p: Proceedings, power: str, country: str, clause: str) -> None:
    """The units of a power's faction are supplied until the end of that side's first player turn after this."""
    supply_until(p, step_of_next_turn(p.s, power, "end of player turn"), power, country, clause)


def supply_after_result(p: Proceedings, power: str, country: str, clause: str) -> None:
    """The units of a power's faction are supplied in their first player turn after a result (R-2581)."""
    supply_until(p, end_of_their_turn(p.s, power), power, country, clause)


def supply_until(p: Proceedings, when: int, power: str, country: str, clause: str) -> None:
    """The units of a power's faction are supplied until a moment."""
    side = faction(p.s, power)
    reason = f"caught in {called(country)}"
    partly_supplied.under(clause).note(p, True, reason, side, country)
    promise(p, grace_ends, when, power, Caught(country, side))


def caught_by(s: State, caught: Caught) -> str:
    """The clause by which units of a faction in a country are supplied regardless, as a reversal or a surrender."""
    fixed = partly_supplied.noted(s, caught.side, caught.country)
    return fixed.clause if fixed else ""


def no_longer_caught(p: Proceedings, country: str, power: str, reason: str) -> None:
    """Units of a power's faction need no grace any more: the country is open to them as it was."""
    for it in promised(p.s, grace_ends, about=country, power=power):
        p.run(grace_ends, it)
        p.do(Closed(it.id, "lapsed", reason))


@effect("82.33", "Units caught in a country that joins the other side are supplied in their next player turn (82.56)")
def units_caught(p: Proceedings, country: str, power: str) -> None:
    if present(p.s, country, faction(p.s, power)):
        supply_until(p, end_of_their_turn(p.s, power), power, country, "82.33")


def end_of_their_turn(s: State, power: str) -> int:
    """When the player turn of a power ends that follows a diplomatic die roll: it may be the one under way (82.33)."""
    if s.player != player_of(power):
        return step_of_next_turn(s, power, "end of player turn")
    return calendar.moment(s.turn, calendar.step_index(s.player, "end of player turn"))


@due("85.52D", "Units caught in a country that turned are no longer supplied regardless", covers=("82.33", "85.53B"))
def grace_ends(p: Proceedings, due_now: Promise[Caught]) -> int:
    caught = (due_now.of.side, due_now.of.country)
    if partly_supplied.noted(p.s, *caught):
        partly_supplied.forget(p, *caught)
    return 0
