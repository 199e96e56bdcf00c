"""Units of minor countries that have left play for good (83.21, 84.47D, 85.483, 85.52A, 85.53A)."""

from __future__ import annotations

from warcabinet.model.names import countries, powers
from warcabinet.model.pieces import UNBUILT, Stack
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import damaged, parse_unit, undamaged
from warcabinet.rules.common.pieces import eliminate, remove_all, units_of, units_of_kind
from warcabinet.rules.kinds import definition, remembered


@remembered("85.52A")
def forces_gone(s: State, country: str) -> bool:
    """A country's units have left play for good: it surrendered, was conquered, or switched and lost its capital."""
    return False


def gone_by(s: State, country: str) -> str:
    """The clause by which a country's units left play: its conquest, its surrender, or a change of sides."""
    fixed = forces_gone.noted(s, country)
    return fixed.clause if fixed else "85.52A"


@remembered("85.53A")
def gone_for_good(s: State, country: str, unit: str) -> int:
    """Units of a kind that a country lost for good: where it switched sides, or as ships that were sunk."""
    return 0


@remembered("85.53A", "Units of a kind that a country without a force table had, lost ones too, as it switched sides")
def had_before_switch(s: State, country: str, unit: str) -> int:
    return 0


def has_any(s: State, country: str) -> bool:
    """Whether a country has regular units, built or not."""
    return any(it.branch != "partisan" for it in units_of(s, country)) or any(unbuilt(s, country))


def leave_play(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """All units of a country leave play for good, wherever they are; of those that have some it is remembered."""
    had = has_any(p.s, country)
    remove_all(p, country)
    if had:
        forces_gone.under(clause).note(p, True, reason, country)


@definition("84.47D", "Ships that were lost may be built again: a power's own, not those of a minor country")
def ships_built_again(s: State, nation: str) -> bool:
    return nation in powers()


def in_being(s: State, nation: str, unit: str) -> int:
    """Units of a kind that a nation has, on the boards, damaged too, or in its force pool."""
    kinds = filter(None, (unit, damaged(unit)))
    on_board = sum(it.count for kind in kinds for it in units_of_kind(s, nation, kind))
    return on_board + s.pieces.count(nation, UNBUILT, unit)


def remember_all(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """How many units of each kind a country had whose forces no table tells: it says later what is missing."""
    if country != "vichy_france":
        return
    on_board = {undamaged(it.unit) for it in units_of(p.s, country) if it.branch in ("ground", "air", "naval")}
    for unit in sorted(on_board | {it for it, _ in unbuilt(p.s, country)}):
        had = in_being(p.s, country, unit) + gone_for_good(p.s, country, unit)
        had_before_switch.under(clause).note(p, had, reason, country, unit)


def lose(p: Proceedings, stack: Stack) -> None:
    """Units are lost to their force pool, ships that are never built again for good, which is remembered."""
    sunk = stack.branch == "naval" and not ships_built_again(p.s, stack.nation)
    eliminate(p, stack, stack.count, for_good=sunk)
    if sunk:
        remember_gone(p, stack.nation, stack.unit, stack.count, "84.47D", "sunk")


def remember_gone(p: Proceedings, country: str, unit: str, count: int, clause: str, reason: str) -> None:
    """So many more units of a kind are out of play for good; a damaged ship is one of its kind."""
    if country not in (*countries(), DUTCH) or parse_unit(unit)[0].branch not in ("ground", "air", "naval"):
        return
    kind = undamaged(unit)
    gone_for_good.under(clause).note(p, gone_for_good(p.s, country, kind) + count, reason, country, kind)
