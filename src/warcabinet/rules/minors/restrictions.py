"""Geographical restrictions: where units of minor countries are, attack and base (84.46, 85.46, 89.51C).

One limit holds every nation to its area (`areas.py`), by order and by report; by exception lent ones are in the east,
others in colonies of theirs (`staying.py`).
"""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.kernel.limits import Finding, Refusal
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called, powers
from warcabinet.model.places import Place, holder
from warcabinet.model.state import State
from warcabinet.model.traits import NO_RAIDS, SCANDINAVIANS
from warcabinet.model.units import unit_branch
from warcabinet.rules.common.pieces import NEUTRAL, faction, land_beside, side_of, units_at
from warcabinet.rules.common.presence import ATTACKS, Presence, barred
from warcabinet.rules.common.ways import REDEPLOYMENTS
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors import staying
from warcabinet.rules.minors.areas import ASIANS, minor_ally
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.building import repaired_abroad
from warcabinet.rules.minors.geography import european, fronts, group, stranded
from warcabinet.rules.minors.ground import in_area
from warcabinet.rules.minors.operations import sails

#: How air and naval units go to another base.
BASING = ("basing", "base change", "staging")
#: By which clause it is said again how far a nation's units go, and whom they do not attack.
SAID_AGAIN = {"thailand": ("89.51C",)}


def _restricted(s: State, nation: str, allied: str) -> str:
    """The clause that says how far a nation's units go, attack or base, if one does; `allied` is a minor ally's."""
    if nation == "vlasov" or nation in ASIANS:
        return "84.46B" if nation in ASIANS else "85.46I"
    if not european(nation):
        return ""
    status = s.countries[nation].status
    return allied if status == "allied" else "84.46A" if status == "associated" or fights_alone(s, nation) else ""


def area_clause(s: State, it: Presence) -> str:
    """The clause that says where a nation's units may be, if one does."""
    clause = _restricted(s, it.nation, "85.46")
    if clause == "85.46":
        branch = unit_branch(it.units[0])
        based = it.how in BASING or branch == "naval" or (branch == "air" and (not it.how or it.how in REDEPLOYMENTS))
        if it.nation == "rumania" and it.brings("naval") and it.at not in group("black_sea"):
            return "85.46A(3)"
        # They may attack what stands beside their area, and have a sentence of their own on advancing there.
        return "85.461" if based else "85.462" if it.how == "advance" else "85.46"
    if clause or not european(it.nation) or s.countries[it.nation].status == "commonwealth":
        return clause
    # What is said of a neutral that has no forces 82.51 refuses.
    known = s.pieces.has_regulars(it.nation) or s.pieces.has_unbuilt_regulars(it.nation)
    known = known or staying.units_off_map(s, it.nation, it.units[0]) > 0
    forces = not it.reported or (known and s.countries[it.nation].status in NEUTRAL)
    return "84.46A" if forces or stranded(it.units[0], it.at) else ""


@barred(
    "84.46A",
    acts=("enter",),
    when=lambda s, it: it.regular,
    by=area_clause,
    covers=("82.83C", "84.46B", "85.46", "85.462", "85.46I", "89.51C"),
)
def stays_in_its_areas(s: State, it: Presence) -> Finding:
    """Units of a minor country stay in the areas open to it, ships in ports."""
    unit, clause = it.units[0], area_clause(s, it)
    if clause == "85.46A(3)":
        return f"{it.place} is not on the Black Sea"
    if it.how in BASING and clause == "85.461" and unit_branch(unit) not in ("air", "naval"):
        return "only air and naval units change base"
    # A Thai of whom it is reported that he left stands there again, or has moved.
    left = staying.places_left(s, it.nation, unit) if it.reported else ["somewhere else"]
    if left and it.at not in left and (told := staying.stand_still(s, it.nation)):
        return told
    if it.nation != "vlasov" and stranded(unit, it.at):
        return f"{it.place} is no port"
    # Where only some may be: lent ones, those in colonies of their country, ships to be repaired.
    abroad = staying.moves_as_lent(s, it) or staying.in_colony(s, it) or repaired_abroad(s, it.nation, unit, it.at)
    if abroad or in_area(s, it.nation, it.at):
        return None
    told = f"{called(it.nation)}: its units may not enter {it.place}{f' by {it.how}' if it.how else ''}"
    return Refusal(clause, told, also=SAID_AGAIN.get(it.nation, ()))


def _bound_to_bases(s: State, it: Presence) -> str:
    """By which clause aircraft or ships of a country fly or sail from its own bases, where it is said from where."""
    return "" if it.cmd.branch == "ground" else _restricted(s, it.nation, "85.461")


@barred("84.46A", acts=("operate",), by=_bound_to_bases, covers=("84.46B", "85.461"))
def operates_from_its_bases(s: State, it: Presence) -> str | None:
    """Aircraft and ships of a minor country operate from bases in its own areas."""
    # Lent ones are in the east, others in colonies of theirs (R-2140).
    lent = any(staying.lent_units(s, it.nation, one.unit) for one in s.pieces.at(it.at) if one.nation == it.nation)
    abroad = staying.in_own_colony(s, it.nation, it.at) or (lent and staying.eastern(s, it.at))
    if in_area(s, it.nation, it.at) or (abroad and _bound_to_bases(s, it) == "84.46A"):
        return None
    return f"{called(it.nation)}'s {'aircraft' if it.cmd.branch == 'air' else 'ships'} do not base in {it.place}"


def _carried(it: Presence) -> bool:
    """Whether ships bring ground units ashore; on their way, at sea, they are nowhere yet."""
    carried = (it.cmd.branch, it.how) == ("ground", "sea transport")
    return carried and (it.at.startswith("box/") or by_key(it.at).is_land)


def _reach_clause(s: State, it: Presence) -> str:
    """By which clause a nation's ground units attack only so far, or a minor ally's are carried only so far."""
    if _carried(it):
        return "85.46" if minor_ally(s, it.nation) else ""
    return _restricted(s, it.nation, "85.462") if it.exact and it.how in ATTACKS and it.cmd.branch == "ground" else ""


@barred("84.46A", acts=("attack", "join"), by=_reach_clause, covers=("84.46B", "85.46I", "89.51C"))
def attacks_beside_its_areas(s: State, it: Presence) -> Finding:
    """Ground units of a minor country attack in the areas open to them, and next to these; ships carry them there."""
    clause = _reach_clause(s, it)
    # Who lands from the sea comes ashore in the hex itself, and not beside it.
    ashore = clause == "85.46" or (clause == "85.462" and _lands(it.cmd))
    abroad = clause == "84.46A" and staying.fights_abroad(s, it.nation, it.at)
    if abroad or may_enter(s, it.nation, it.at, "advance" if ashore else "attack"):
        return None
    if clause == "85.46":
        return f"{called(it.nation)}: its units may not enter {it.place} by sea transport"
    return Refusal(clause, f"{called(it.nation)} may not attack {it.place}", also=SAID_AGAIN.get(it.nation, ()))


@limit(
    "84.46B",
    on=ReportOperation,
    also=("89.51C",),
    when=lambda s, cmd: cmd.nation == "thailand" and cmd.branch == "ground" and cmd.mission in ATTACKS,
)
def thais_spare_the_west(s: State, cmd: ReportOperation) -> str | None:
    """Thais do not attack Western Allied units."""
    western = bool(cmd.against) and side_of(s, cmd.against) == "western allies"
    return "Thai units do not attack Western Allied ones" if western else None


def _lands(cmd: ReportOperation) -> bool:
    """Whether ground units attack a coast from a coast that does not lie beside it."""
    coasts = (not it.startswith("box/") and by_key(it).seas for it in (cmd.origin, cmd.at))
    return bool(cmd.origin) and sails(cmd) and all(coasts)


@limit(
    "85.461",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "naval" and minor_ally(s, cmd.nation),  # not an associate's (R-0494)
)
def fleets_keep_to_their_seas(s: State, cmd: ReportOperation) -> str | None:
    """Rumanian ships keep to the Black Sea; Swedish, Spanish, Turkish and Vichy ships do not raid."""
    seas = by_key(cmd.at).seas if cmd.at and not cmd.at.startswith("box/") else ()
    if any(fleet_may_operate(s, cmd.nation, sea, cmd.mission) for sea in seas or ("",)):
        return None
    if cmd.mission == "raid":
        return f"{called(cmd.nation)}'s ships do not raid"
    return f"{called(cmd.nation)}'s ships operate only in the Black Sea" + ("" if seas else ": say in which hex (at)")


@definition("85.461", "Where a nation's ships may operate from their bases")
def fleet_may_operate(s: State, nation: str, sea: str, mission: str) -> bool:
    if nation == "rumania":
        note("rumanian_ships", "85.46A(3)", "black_sea")
        return sea == "black_sea"
    return not (nation in NO_RAIDS and mission == "raid")


@definition("85.46", covers=("89.51C",), also=("86.51",))
def may_enter(s: State, nation: str, place: Place, purpose: str) -> bool:
    """Whether a nation's units may enter a place for a purpose, attack there, or pass it by sea or redeployment."""
    if in_area(s, nation, place) and not (purpose == "attack" and nation == "thailand"):
        return True
    if purpose == "attack" and nation not in powers():
        # They may attack enemies next to their area, but not advance out of it; on its sea hexes nobody stands.
        note("beside_its_area", "85.462", True, nation)
        there = {side_of(s, it.nation) for it in units_at(s, place)} or {faction(s, holder(s, place))}
        if nation == "thailand" and "western allies" in there:
            note("thais_do_not_attack_the_west", "84.46B", True, place)
            return False
        return in_area(s, nation, place) or any(in_area(s, nation, it) for it in land_beside(place))
    if purpose not in ("sea transport", "redeployment") or not minor_ally(s, nation):
        return False
    if nation == "spain":
        note("passes_the_western_front", "85.46E", True, nation)
        return "western" in fronts(place)
    if nation not in SCANDINAVIANS:
        return False
    note("passes_the_norwegian_coast_and_the_baltic", "85.46D", True, nation)
    return place in group("norwegian_coast") or (not place.startswith("box/") and "baltic_sea" in by_key(place).seas)
