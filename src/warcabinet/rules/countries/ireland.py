"""Ireland: entered only by war, and its help for submarines (87.2); its partisans are among the risings."""

from __future__ import annotations

from functools import cache

from warcabinet.model import calendar
from warcabinet.model.events import Happened, StatusChanged
from warcabinet.model.names import powers
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.common.war_and_peace import neutral_power
from warcabinet.rules.kinds import definition, effect, remembered, value
from warcabinet.rules.minors.geography import admits


@cache
def ulster() -> frozenset[str]:
    return frozenset(home_hexes("ulster"))


@definition("87.21", "A place belongs to Britain itself; Ulster does, for all purposes")
def part_of_britain(s: State, place: str) -> bool:
    key = place_key(place)
    return key in ulster() or key in home_hexes("britain")


@definition("87.22")
def ireland_open(s: State, power: str) -> bool:
    """A power's units may enter Ireland: at war with it, or where it has joined or fallen to their side."""
    return admits(s, power, "ireland")


@definition("87.23", also=("87.43",))
def counts_as_ally(s: State, power: str) -> bool:
    """An attack by a power of the Allied side is an Allied attack, though the power be neutral itself (R-1862)."""
    return reading_in_force(s, "R-1862") == "a" or not neutral_power(s, power)


# -- submarines ---------------------------------------------------------------------------------------------------


@value("87.24", "What these chapters add to the Axis dice roll for submarine warfare in the Atlantic")
def atlantic_submarine_modifier(s: State) -> int:
    return 1 if irish_assistance(s) else 0


@remembered("87.24", "Ireland helps German submarines in secret: a 7 or more, not negated since (R-0058)")
def irish_assistance(s: State) -> bool:
    standing = s.countries["ireland"]
    fallen = standing.status == "conquered" and standing.by in powers() and powers()[standing.by].player == "allied"
    return (s.results.get("ireland", "") in ("7", "8", "9", "10") or _under_axis_result(s)) and not fallen


def _under_axis_result(s: State) -> bool:
    """Whether Ireland stands as a 7 or an 8 leaves it, however the table told it."""
    standing = s.countries["ireland"]
    return standing.status in ("penetrated", "controlled") and faction(s, standing.by) == "axis"


def _settle_assistance(p: Proceedings, helps: bool, reason: str) -> None:
    irish_assistance.note(p, helps, reason)


@effect(
    "87.24", on=Happened, when=lambda s, it: (it.happening.kind, it.happening.key) == ("diplomatic result", "ireland")
)
def assistance_by_result(p: Proceedings, it: Happened) -> None:
    """A result of 7 or more starts Irish help for submarines, a 2 or a 3-4 ends it."""
    result = it.happening.amount
    told = f"a result of {result} in {calendar.turn_name(p.s.turn)}"
    if result >= 7:
        _settle_assistance(p, True, told)
    elif result <= 4:
        _settle_assistance(p, False, told)
    else:
        _settle_assistance(p, irish_assistance(p.s), f"{told} changes nothing")


@effect(
    "87.24",
    on=StatusChanged,
    when=lambda s, it: (
        it.country == "ireland"
        and it.status == "conquered"
        and it.by in powers()
        and powers()[it.by].player == "allied"
    ),
)
def assistance_ends(p: Proceedings, changed: StatusChanged) -> None:
    """An Allied conquest of Ireland ends its help for submarines."""
    _settle_assistance(p, False, "Ireland was conquered by the Allies")


@effect(
    "87.24",
    on=StatusChanged,
    when=lambda s, it: it.country == "ireland" and _under_axis_result(s) and not irish_assistance(s),
)
def assistance_by_status(p: Proceedings, changed: StatusChanged) -> None:
    """Ireland helps, too, where its standing is reported as a 7 or an 8 leaves it."""
    _settle_assistance(p, True, f"Ireland is {changed.status} by a result for Germany")
