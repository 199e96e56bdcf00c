"""Units of minor countries that have left play for good (83.21, 84.47D, 85.483, 85.52A, 85.53A)."""

from __future__ import annotations

from warcabinet.kernel.rules import Determination
from warcabinet.model.events import Determined
from warcabinet.model.forces import unbuilt
from warcabinet.model.names import countries
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit, undamaged
from warcabinet.rules.common.pieces import remove_all, units_of
from warcabinet.rules.countries.traits import DUTCH
from warcabinet.rules.kinds import definition, value


@definition(
    "85.52A",
    "A country's units have left play for good: it surrendered, was conquered, or switched and lost its capital",
)
def forces_gone(s: State, country: str) -> bool:
    return False


@value("85.53A", "Units of a kind that a country lost for good: where it switched sides, or as ships that were sunk")
def gone_for_good(s: State, country: str, unit: str) -> int:
    return 0


def has_any(s: State, country: str) -> bool:
    """Whether a country has regular units, built or not."""
    return any(it.branch != "partisan" for it in units_of(s, country)) or any(unbuilt(s, country))


def leave_play(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """All units of a country leave play for good, wherever they are; of those that have some it is remembered."""
    had = has_any(p.s, country)
    remove_all(p, country)
    if had:
        p.do(Determined("forces_gone", (country,), Determination(True, clause, reason)), clause)


def remember_gone(p: Proceedings, country: str, unit: str, count: int, clause: str, reason: str) -> None:
    """So many more units of a kind are out of play for good; a damaged ship is one of its kind."""
    if country not in (*countries(), DUTCH) or parse_unit(unit)[0].branch not in ("ground", "air", "naval"):
        return
    kind = undamaged(unit)
    fixed = Determination(gone_for_good(p.s, country, kind) + count, clause, reason)
    p.do(Determined("gone_for_good", (country, kind), fixed), clause)
