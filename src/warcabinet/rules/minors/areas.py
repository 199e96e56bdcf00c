"""Units of minor countries stay in their areas: at home, in those listed for minor allies, lent ones in the east.

One limit holds every nation to its areas, by order and by report (84.46, 85.46, 89.51C). That an area is open does not
open a neutral country in it: that is judged in `ground.py`.
"""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.names import called, countries
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import REDEPLOYMENTS
from warcabinet.rules.common.pieces import NEUTRAL
from warcabinet.rules.common.presence import Presence, barred
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import european, group, in_area, land, stranded
from warcabinet.rules.minors.lent import (
    eastern,
    in_own_colony,
    lent_units,
    moves_as_lent,
    reinforces_colony,
    stays_in_morocco,
)
from warcabinet.rules.minors.shipyards import repaired_abroad
from warcabinet.rules.minors.staying import AFTER_COMBAT, ASIANS, left_from, places_left, stand_still, units_off_map

#: How air and naval units go to another base.
BASING = ("basing", "base change", "staging")


def _based(it: Presence) -> bool:
    """Whether air or naval units go to another base."""
    branch = parse_unit(it.units[0])[0].branch
    if not it.how:
        return branch in ("air", "naval")
    return it.how in BASING or branch == "naval" or (it.how in REDEPLOYMENTS and branch == "air")


def area_clause(s: State, it: Presence) -> str:
    """The clause that says where a nation's units may be, if one does."""
    if it.nation == "vlasov":
        return "85.46I"
    if it.nation in ASIANS:
        return "84.46B"
    if not european(it.nation) or s.countries[it.nation].status == "commonwealth":
        return ""
    if s.countries[it.nation].status != "allied":
        return "84.46A" if _set_up(s, it) else ""
    # They may attack what stands beside their area, and have a sentence of their own on advancing there.
    return "85.461" if _based(it) else "85.462" if it.how == "advance" else "85.46"


def _set_up(s: State, it: Presence) -> bool:
    """Whether a neutral has forces; what is said of one that has none 82.51 refuses."""
    if not it.reported or s.countries[it.nation].status in ("associated", "independent"):
        return True
    known = s.pieces.has_regulars(it.nation) or s.pieces.has_unbuilt_regulars(it.nation)
    return s.countries[it.nation].status in NEUTRAL and (known or units_off_map(s, it.nation, it.units[0]) > 0)


@barred(
    "84.46A",
    acts=("enter",),
    when=lambda s, it: it.regular and area_clause(s, it) != "",
    also=("82.83C", "84.46B", "85.46", "85.461", "85.462", "85.46I", "89.51C"),
)
def stays_in_its_areas(s: State, it: Presence) -> Refusal | None:
    """Units of a minor country stay in the areas open to it, ships in ports."""
    clause = area_clause(s, it)
    if it.how in BASING and clause == "85.461" and parse_unit(it.units[0])[0].branch not in ("air", "naval"):
        return Refusal(clause, "only air and naval units change base")
    told = _stands_still(s, it) if it.nation in ASIANS else None
    if told is None and it.nation != "vlasov" and stranded(it.units[0], it.place):
        told = f"{it.place} is no port"
    if told is None and not (in_area(s, it.nation, it.at) or _may_be_abroad(s, it)):
        by = f" by {it.how}" if it.how else ""
        told = f"{called(it.nation)}: its units may not enter {it.place}{by}"
    return Refusal(clause, told) if told else None


def _stands_still(s: State, it: Presence) -> str | None:
    """Why Thais stay where they are; one of whom it is reported that he left stands there again, or has moved."""
    left = places_left(s, it.nation, it.units[0]) if it.reported else ["somewhere else"]
    return stand_still(s, it.nation) if left and it.at not in left else None


def _may_be_abroad(s: State, it: Presence) -> bool:
    """Whether units are where only some may be: lent ones, those in colonies of their country, ships to be repaired."""
    return moves_as_lent(s, it) or _in_colony(s, it) or repaired_abroad(s, it.nation, it.units[0], it.place)


def _in_colony(s: State, it: Presence) -> bool:
    """Whether units go to, or elsewhere in, a colony of theirs (R-2140).

    Vichy ones reinforce theirs by redeployment (77.42); of such as left no other place these chapters do not tell.
    """
    if not in_own_colony(s, it.nation, it.place):
        return False
    if not it.reported:
        return reinforces_colony(s, it.cmd) or stays_in_morocco(it.cmd)
    if left_from(s, land(it.at)[0], it.nation, it.units[0]) >= it.count:
        return True
    came = s.place.step.name in AFTER_COMBAT or units_off_map(s, VICHY, it.units[0]) < it.count
    return it.nation == VICHY and came


@barred(
    "85.46A(3)", acts=("enter",), when=lambda s, it: it.nation == "rumania" and it.brings("naval"), also=("85.461",)
)
def rumanian_ships_stay(s: State, it: Presence) -> str | None:
    """Rumanian ships stay in the Black Sea and its ports."""
    return None if it.at in group("black_sea") else f"{it.place} is not on the Black Sea"


def _bound_to_bases(s: State, it: Presence) -> bool:
    """Whether aircraft or ships of a country fly or sail, and it is said from where."""
    if it.cmd.branch == "ground":
        return False
    if it.nation == DUTCH:
        return True
    if not european(it.nation):
        return False
    return s.countries[it.nation].status in ("associated", "allied") or fights_alone(s, it.nation)


@barred("84.46A", acts=("operate",), when=_bound_to_bases, also=("84.46B", "85.461"))
def operates_from_its_bases(s: State, it: Presence) -> Refusal | None:
    """Aircraft and ships of a minor country operate from bases in its own areas."""
    allied = it.nation in countries() and s.countries[it.nation].status == "allied"
    clause = "84.46B" if it.nation == DUTCH else "85.461" if allied else "84.46A"
    if in_area(s, it.nation, it.at) or (clause == "84.46A" and _based_abroad(s, it)):
        return None
    told = f"{called(it.nation)}'s {'aircraft' if it.cmd.branch == 'air' else 'ships'} do not base in {it.place}"
    return Refusal(clause, told)


def _based_abroad(s: State, it: Presence) -> bool:
    """Whether units may be there by an exception: lent ones in the east, those in colonies of theirs (R-2140)."""
    lent = any(lent_units(s, it.nation, one.unit) for one in s.pieces.at(it.at) if one.nation == it.nation)
    return in_own_colony(s, it.nation, it.place) or (lent and eastern(s, it.place))
