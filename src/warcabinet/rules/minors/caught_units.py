"""Units caught where a country turned: they are supplied for a while regardless (82.33, 82.56, 85.52D, 85.53B)."""

from __future__ import annotations

from warcabinet.kernel.rules import Determination
from warcabinet.model.agenda import Caught, Promise
from warcabinet.model.events import Determined, Released
from warcabinet.model.names import countries
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.common.moments import step_of_next_turn
from warcabinet.rules.common.pieces import faction, side_of, units_in
from warcabinet.rules.common.promises import promise
from warcabinet.rules.kinds import definition, due, effect


@definition("82.56", "Whether a faction's units in a country are in at least partial supply, whatever their lines")
def partly_supplied(s: State, side: str, country: str) -> bool:
    return False


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
    if any(side_of(p.s, it.nation) == faction(p.s, power) for it in units_in(p.s, country)):
        supply_next_turn(p, power, country, "82.33")


@due("85.52D", "Units caught in a country that turned are no longer supplied regardless", covers=("82.33", "85.53B"))
def grace_ends(p: Proceedings, due_now: Promise[Caught]) -> int:
    caught = (due_now.of.side, due_now.of.country)
    if ", ".join(caught) in p.s.determinations.get("partly_supplied", {}):
        p.do(Released("partly_supplied", caught))
    return 0
