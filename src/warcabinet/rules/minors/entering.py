"""Units that are reported to have come: not into countries that are closed to them (82.41, 84.32, 84.33, 84.46, 85.46).

Orders to move are judged in `units.py`; a report is held to the same, or names the rule outside the documents that
allows it. A position that does not know who declared war on whom takes a report of a power's units as it stands.
"""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import ReportUnits
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, DUTCH, VICHY
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.arrivals import destination, mover, regulars_come
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import NEUTRAL, country_of, patron, side_of
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.association import fights_alone
from warcabinet.rules.minors.geography import at_home, closed_ground, european, in_area, land, stranded
from warcabinet.rules.minors.leaving import on_its_way_out
from warcabinet.rules.minors.lent import eastern, in_own_colony, in_vichy_colony, lent_units, lent_units_left
from warcabinet.rules.minors.shipyards import repaired_abroad
from warcabinet.rules.minors.staying import ASIANS, left_from, places_left, stand_still, stands_again, units_off_map

Reported = ReportMove | ReportUnits
#: Countries of this status have no areas open to them but their own.
KEPT_AT_HOME = ("associated", "independent")
#: Countries that a clause of their own closes, and to which side, if not to both.
CLOSED = {"87.22": ("ireland", ""), "88.21": ("arabia", ""), "88.55": ("iraq", "axis"), "88.62": ("persia", "")}


def _of_a_power(s: State, cmd: Reported) -> bool:
    return s.options.declarations == "ordered" and _powers_own(cmd)


def _powers_own(cmd: Reported) -> bool:
    """Whether regular units of a power or of the Commonwealth come.

    What a clause closes by how a country stands, not by who declared war on it, every position knows.
    """
    nation = mover(cmd)
    return (nation in powers() or nation in COMMONWEALTH_BOXES) and regulars_come(cmd)


def _closed_by(s: State, cmd: Reported) -> str:
    """The clause that closes the place to these units for a reason of its own, if one does."""
    return closed_ground(s, place_key(destination(cmd)), patron(s, mover(cmd)) or mover(cmd))


def _not_entered(cmd: Reported) -> str | None:
    return unless_excused(cmd, f"{called(mover(cmd))}: its units may not enter {destination(cmd)}")


@limit(
    "82.41",
    "Units of a power have not come into a country that is closed to them",
    on=(ReportMove, ReportUnits),
    when=_of_a_power,
    also=tuple(CLOSED),
)
def reported_where_open(s: State, cmd: Reported) -> Refusal | None:
    place = place_key(destination(cmd))
    if _closed_by(s, cmd) or in_area(s, mover(cmd), place):
        return None
    if isinstance(cmd, ReportMove) and on_its_way_out(s, cmd.power, cmd.origin, cmd.to):
        return None
    refused = _not_entered(cmd)
    clause = next((it for it, (country, side) in CLOSED.items() if _closes(s, cmd, country, side)), "82.41")
    return Refusal(clause, refused) if refused else None


def _closes(s: State, cmd: Reported, country: str, side: str) -> bool:
    return land(place_key(destination(cmd)))[0] == country and side in ("", side_of(s, mover(cmd)))


@limit(
    "84.32",
    "Neither side's units have come to Thailand before it joins Japan",
    on=(ReportMove, ReportUnits),
    when=lambda s, cmd: _powers_own(cmd),
    also=("89.51B",),
)
def none_reported_in_thailand(s: State, cmd: Reported) -> str | None:
    return _not_entered(cmd) if _closed_by(s, cmd) == "84.32" else None


@limit(
    "84.33",
    "Western units have not come to the Dutch East Indies before these associate",
    on=(ReportMove, ReportUnits),
    when=lambda s, cmd: _powers_own(cmd),
    also=("89.24",),
)
def none_reported_in_dutch_indies(s: State, cmd: Reported) -> str | None:
    return _not_entered(cmd) if _closed_by(s, cmd) == "84.33" else None


@limit(
    "85.62",
    "Russians have not come to Communist China's hexes before Russia fights Japan",
    on=(ReportMove, ReportUnits),
    when=lambda s, cmd: _powers_own(cmd),
)
def no_russians_reported_in_yenan(s: State, cmd: Reported) -> str | None:
    return _not_entered(cmd) if _closed_by(s, cmd) == "85.62" else None


def _abroad(s: State, cmd: ReportUnits) -> str | None:
    """Why units of a country have not come to a place outside its areas."""
    if in_area(s, cmd.nation, place_key(cmd.at)):
        return None
    if eastern(s, cmd.at) and cmd.count <= lent_units_left(s, cmd.nation, cmd.unit):
        return None
    if in_own_colony(s, cmd.nation, cmd.at) and _in_colony(s, cmd):
        return None
    if repaired_abroad(s, cmd.nation, cmd.unit, cmd.at):
        return None
    return _not_entered(cmd)


def _in_colony(s: State, cmd: ReportUnits) -> bool:
    """Whether units only went elsewhere in a colony (R-2140), or are Vichy ones that may have come to theirs.

    Those reinforce it by redeployment (77.42); of such as left no other place these chapters do not tell.
    """
    if left_from(s, land(place_key(cmd.at))[0], cmd.nation, cmd.unit) >= cmd.count:
        return True
    came = s.place.step.name in AFTER_COMBAT or units_off_map(s, VICHY, cmd.unit) < cmd.count
    return cmd.nation == VICHY and came


@limit(
    "84.46A",
    "Units of an associated, independent or neutral country have not come outside it",
    on=ReportUnits,
    when=lambda s, cmd: regulars_come(cmd) and european(cmd.nation),
    also=("82.83C",),
)
def reported_at_home(s: State, cmd: ReportUnits) -> str | None:
    status = s.countries[cmd.nation].status
    if status in KEPT_AT_HOME or (status in NEUTRAL and _was_set_up(s, cmd)):
        return _abroad(s, cmd)
    return None


def _was_set_up(s: State, cmd: ReportUnits) -> bool:
    """Whether a neutral has forces; what is said of one that has none 82.51 refuses."""
    pieces = s.pieces
    known = pieces.has_regulars(cmd.nation) or pieces.has_unbuilt_regulars(cmd.nation)
    return known or units_off_map(s, cmd.nation, cmd.unit) > 0


@limit(
    "85.46",
    "A minor ally's units have not come outside the areas open to it",
    on=ReportUnits,
    when=lambda s, cmd: regulars_come(cmd) and european(cmd.nation),
    also=("85.461",),
)
def reported_in_area(s: State, cmd: ReportUnits) -> Refusal | None:
    told = _abroad(s, cmd) if s.countries[cmd.nation].status == "allied" else None
    based = parse_unit(cmd.unit)[0].branch in ("air", "naval")
    return Refusal("85.461" if based else "85.46", told) if told else None


@limit(
    "84.46A",
    "Ships of European minor countries have not come where no port is",
    on=ReportUnits,
    when=lambda s, cmd: european(cmd.nation) and regulars_come(cmd) and stranded(cmd.unit, cmd.at),
    also=("85.461",),
)
def ships_reported_in_port(s: State, cmd: ReportUnits) -> Refusal | None:
    told = unless_excused(cmd, f"{cmd.at} is no port")
    return Refusal("85.461" if s.countries[cmd.nation].status == "allied" else "84.46A", told) if told else None


@limit(
    "82.41",
    "A minor ally's units have not come into a country that is closed to the power they follow",
    on=ReportUnits,
    when=lambda s, cmd: s.options.declarations == "ordered" and european(cmd.nation) and regulars_come(cmd),
)
def ally_reported_where_open(s: State, cmd: ReportUnits) -> str | None:
    place = place_key(cmd.at)
    # Beyond the areas that are open to it at all its own clause refuses it.
    if s.countries[cmd.nation].status != "allied" or at_home(cmd.nation, place) or not in_area(s, cmd.nation, place):
        return None
    return None if in_area(s, patron(s, cmd.nation), place) else _not_entered(cmd)


@limit(
    "85.46I",
    "Vlasov units have not come outside Russia and Poland",
    on=ReportUnits,
    when=lambda s, cmd: cmd.nation == "vlasov" and regulars_come(cmd),
)
def vlasov_reported_in_area(s: State, cmd: ReportUnits) -> str | None:
    return None if in_area(s, cmd.nation, place_key(cmd.at)) else _not_entered(cmd)


@limit(
    "84.46B",
    "Filipinos, Dutch and Thais have not come where they may not be",
    on=ReportUnits,
    when=lambda s, cmd: regulars_come(cmd) and cmd.nation in ASIANS,
)
def asians_reported_at_home(s: State, cmd: ReportUnits) -> str | None:
    if stranded(cmd.unit, cmd.at):
        return unless_excused(cmd, f"{cmd.at} is no port")
    repaired = repaired_abroad(s, cmd.nation, cmd.unit, cmd.at)
    if not (repaired or in_area(s, cmd.nation, place_key(cmd.at))):
        return _not_entered(cmd)
    # Units reported at the place that they left have not moved.
    left = places_left(s, cmd.nation, cmd.unit)
    moved = bool(left) and place_key(cmd.at) not in left
    return unless_excused(cmd, stand_still(s, cmd.nation)) if moved else None


#: The steps in which units no longer move: who goes elsewhere in them is redeployed.
AFTER_COMBAT = ("unit construction", "redeployment", "end of player turn")


@limit(
    "84.45E",
    "Units that leave a place and come to another after combat are redeployed, as a report tells it too",
    on=ReportUnits,
    when=lambda s, cmd: s.place.step.name in AFTER_COMBAT and regulars_come(cmd) and _kept_from_redeploying(s, cmd),
    also=("82.83A",),
)
def not_redeployed_by_report(s: State, cmd: ReportUnits) -> Refusal | None:
    status = s.countries[country_of(s, cmd.nation)].status
    told = unless_excused(cmd, f"{called(cmd.nation)} is {status}: its units are not redeployed")
    return Refusal("84.45E" if status == "associated" else "82.83A", told) if told else None


def _kept_from_redeploying(s: State, cmd: ReportUnits) -> bool:
    """Whether units that come are those of an associated or independent country, and left another place before."""
    if cmd.nation not in ASIANS and not european(cmd.nation):
        return False
    if not units_off_map(s, cmd.nation, cmd.unit) or stands_again(s, cmd) or _vichy_may(s, cmd):
        return False
    if cmd.nation in ASIANS:
        return patron(s, cmd.nation) != "" or cmd.nation == DUTCH
    if s.countries[cmd.nation].status == "associated":
        # To, from and within the eastern front lent ones are redeployed; who comes home is missing in the east.
        may = eastern(s, cmd.at) or lent_units_left(s, cmd.nation, cmd.unit) >= cmd.count
        return not (lent_units(s, cmd.nation, cmd.unit) and may)
    return fights_alone(s, cmd.nation)


def _vichy_may(s: State, cmd: ReportUnits) -> bool:
    """Whether these are Vichy units that may be redeployed: while it fights alone, or to a colony of its own."""
    alone = s.countries[VICHY].status != "associated"
    return cmd.nation == VICHY and (alone or in_vichy_colony(s, cmd.at))
