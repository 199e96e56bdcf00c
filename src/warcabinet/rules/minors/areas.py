"""Where units of minor countries may be and attack: at home, in listed areas, lent ones in the east.

One limit holds every nation to its areas, by order and by report (84.46, 85.46, 89.51C). That an area is open does not
open a neutral country in it: that is judged in `ground.py`.
"""

from __future__ import annotations

from warcabinet.board.maps import by_key
from warcabinet.kernel.why import note
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called
from warcabinet.model.places import place_called
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, NO_RAIDS, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.pieces import NEUTRAL, side_of
from warcabinet.rules.common.presence import ATTACKS, Presence, barred
from warcabinet.rules.common.ways import REDEPLOYMENTS
from warcabinet.rules.kinds import definition, limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.building import repaired_abroad
from warcabinet.rules.minors.geography import european, group, land, stranded
from warcabinet.rules.minors.ground import ASIANS, in_area, may_enter, minor_ally
from warcabinet.rules.minors.operations import sails
from warcabinet.rules.minors.staying import (
    AFTER_COMBAT,
    eastern,
    fights_abroad,
    in_own_colony,
    left_from,
    lent_units,
    moves_as_lent,
    places_left,
    reinforces_colony,
    stand_still,
    stays_in_morocco,
    units_off_map,
)

#: How air and naval units go to another base.
BASING = ("basing", "base change", "staging")


def area_clause(s: State, it: Presence) -> str:
    """The clause that says where a nation's units may be, if one does."""
    if it.nation == "vlasov":
        return "85.46I"
    if it.nation in ASIANS:
        return "84.46B"
    if not european(it.nation) or s.countries[it.nation].status == "commonwealth":
        return ""
    status, branch = s.countries[it.nation].status, parse_unit(it.units[0])[0].branch
    if status == "allied":
        based = it.how in BASING or branch == "naval" or (branch == "air" and (not it.how or it.how in REDEPLOYMENTS))
        # They may attack what stands beside their area, and have a sentence of their own on advancing there.
        return "85.461" if based else "85.462" if it.how == "advance" else "85.46"
    known = s.pieces.has_regulars(it.nation) or s.pieces.has_unbuilt_regulars(it.nation)
    # What is said of a neutral that has no forces 82.51 refuses.
    neutral = status in NEUTRAL and (known or units_off_map(s, it.nation, it.units[0]) > 0)
    forces = not it.reported or status in ("associated", "independent") or neutral
    return "84.46A" if forces or stranded(it.units[0], it.at) else ""


@barred(
    "84.46A",
    acts=("enter",),
    when=lambda s, it: it.regular,
    by=area_clause,
    also=("82.83C", "84.46B", "85.46", "85.461", "85.462", "85.46I", "89.51C"),
)
def stays_in_its_areas(s: State, it: Presence) -> str | None:
    """Units of a minor country stay in the areas open to it, ships in ports."""
    unit = it.units[0]
    if it.how in BASING and area_clause(s, it) == "85.461" and parse_unit(unit)[0].branch not in ("air", "naval"):
        return "only air and naval units change base"
    # A Thai of whom it is reported that he left stands there again, or has moved.
    left = places_left(s, it.nation, unit) if it.reported else ["somewhere else"]
    if left and it.at not in left and (told := stand_still(s, it.nation)):
        return told
    if it.nation != "vlasov" and stranded(unit, it.at):
        return f"{it.place} is no port"
    # Where only some may be: lent ones, those in colonies of their country, ships to be repaired.
    abroad = moves_as_lent(s, it) or _in_colony(s, it) or repaired_abroad(s, it.nation, unit, it.at)
    if abroad or in_area(s, it.nation, it.at):
        return None
    return f"{called(it.nation)}: its units may not enter {it.place}{f' by {it.how}' if it.how else ''}"


def _in_colony(s: State, it: Presence) -> bool:
    """Whether units go to, or elsewhere in, a colony of theirs (R-2140).

    Vichy ones reinforce theirs by redeployment (77.42); of such as left no other place these chapters do not tell.
    """
    if not in_own_colony(s, it.nation, it.at):
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


def _bound_to_bases(s: State, it: Presence) -> str:
    """By which clause aircraft or ships of a country fly or sail from its own bases, where it is said from where."""
    if it.cmd.branch == "ground" or not (it.nation == DUTCH or european(it.nation)):
        return ""
    if it.nation == DUTCH:
        return "84.46B"
    status = s.countries[it.nation].status
    alone = status == "associated" or fights_alone(s, it.nation)
    return "85.461" if status == "allied" else "84.46A" if alone else ""


@barred("84.46A", acts=("operate",), by=_bound_to_bases, also=("84.46B", "85.461"))
def operates_from_its_bases(s: State, it: Presence) -> str | None:
    """Aircraft and ships of a minor country operate from bases in its own areas."""
    # By exception lent ones are in the east, others in colonies of theirs (R-2140).
    lent = any(lent_units(s, it.nation, one.unit) for one in s.pieces.at(it.at) if one.nation == it.nation)
    abroad = in_own_colony(s, it.nation, it.at) or (lent and eastern(s, it.at))
    if in_area(s, it.nation, it.at) or (abroad and _bound_to_bases(s, it) == "84.46A"):
        return None
    return f"{called(it.nation)}'s {'aircraft' if it.cmd.branch == 'air' else 'ships'} do not base in {it.place}"


def _restricted(s: State, nation: str) -> str:
    """By which clause a nation's ground units may attack only so far."""
    if nation == "vlasov" or nation in ASIANS:
        return "84.46B" if nation in ASIANS else "85.46I"
    if not european(nation):
        return ""
    status = s.countries[nation].status
    return "85.462" if status == "allied" else "84.46A" if status == "associated" or fights_alone(s, nation) else ""


@barred(
    "84.46A",
    acts=("attack",),
    when=lambda s, it: it.exact and it.how in ATTACKS and it.cmd.branch == "ground",
    by=lambda s, it: _restricted(s, it.nation),
    also=("84.46B", "85.462", "85.46I", "89.51C"),
)
def attacks_beside_its_areas(s: State, it: Presence) -> str | None:
    """Ground units of a minor country attack in the areas open to them, and next to these."""
    clause = _restricted(s, it.nation)
    if clause == "84.46A" and fights_abroad(s, it.nation, it.at):
        return None
    # Who lands from the sea comes ashore in the hex itself, and not beside it.
    purpose = "advance" if clause == "85.462" and _lands(it.cmd) else "attack"
    return None if may_enter(s, it.nation, it.at, purpose) else f"{called(it.nation)} may not attack {it.place}"


@limit(
    "85.46",
    on=ReportOperation,
    when=lambda s, cmd: (
        (cmd.branch, cmd.mission) == ("ground", "sea transport")
        and bool(cmd.at)
        and _restricted(s, cmd.nation) == "85.462"
    ),
    excusable=True,
)
def carried_within_area(s: State, cmd: ReportOperation) -> str | None:
    """Ships do not carry a minor ally's ground units to where they may not be."""
    place = cmd.at
    at_sea = not place.startswith("box/") and not by_key(place).is_land
    if at_sea or may_enter(s, cmd.nation, cmd.at, "advance"):
        return None
    return f"{called(cmd.nation)}: its units may not enter {place_called(cmd.at)} by sea transport"


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
    if not cmd.origin or not sails(cmd):
        return False
    return all(not it.startswith("box/") and by_key(it).seas for it in (cmd.origin, cmd.at))


@limit(
    "85.461",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "naval" and minor_ally(s, cmd.nation),  # not an associate's (R-0494)
)
def fleets_keep_to_their_seas(s: State, cmd: ReportOperation) -> str | None:
    """Rumanian ships keep to the Black Sea; Swedish, Spanish, Turkish and Vichy ships do not raid."""
    key = cmd.at
    seas = by_key(key).seas if key and not key.startswith("box/") else ()
    if any(fleet_may_operate(s, cmd.nation, sea, cmd.mission) for sea in seas or ("",)):
        return None
    if cmd.mission == "raid":
        return f"{called(cmd.nation)}'s ships do not raid"
    return f"{called(cmd.nation)}'s ships operate only in the Black Sea" + ("" if seas else ": say in which hex (at)")


@definition("85.461", "Where a nation's ships may operate from their bases", covers=("85.46A(3)",))
def fleet_may_operate(s: State, nation: str, sea: str, mission: str) -> bool:
    if nation == "rumania":
        note("rumanian_ships", "85.46A(3)", "black_sea")
        return sea == "black_sea"
    return not (nation in NO_RAIDS and mission == "raid")
