"""The Persian route to Russia as a fact: who opened it, what that costs, from when (88.64).

Whoever carries out the opening (chapter 40) says so by `open_persian_route`; what follows for Persia is in its module.
"""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.rules.kinds import definition, remembered, value


@remembered("88.64", "The Western power that opened the Persian route; nobody, while it is closed")
def persian_route(s: State) -> str:
    return ""


def open_persian_route(p: Proceedings, power: str) -> None:
    """The route is open from now on, whatever becomes of the power that paid for it (40.523)."""
    persian_route.under("88.64").note(p, power, f"{powers()[power].name} opened the Persian route")


@value("88.64", also=("40.522",))
def persian_route_cost(s: State) -> int:
    """What it costs to open the Persian route: 25 BRPs, 15 once the Allies or the Axis declared war on Persia
    (R-2021).
    """
    attackers = {war.declared_by for war in s.wars if "persia" in war.between and war.declared_by in powers()}
    attackers.discard("japan")
    return 15 if attackers else 25


@definition("88.64", "The Persian route may be opened: Germany and Russia have gone to war (R-0022)", also=("40.525A",))
def persian_route_may_open(s: State) -> bool:
    war = next((it for it in s.wars if set(it.between) == {"germany", "russia"}), None)
    if war is None:
        return False
    note("outbreak", "88.64", calendar.turn_name(war.since), "russia")
    return True
