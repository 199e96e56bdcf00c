"""What may be done against the Urals box and out of it: bombing, no attacks, attrition (81.64, 81.66 to 81.68)."""

from __future__ import annotations

from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import ReportOperation
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import ground_beside
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.common.ways import AIR, EVERY_MISSION, GROUND, Ban, banned
from warcabinet.rules.garrisons.urals import BOX, GATES, URALS, urals_gate
from warcabinet.rules.kinds import definition, limit, value


def _at(place: str) -> bool:
    return bool(place) and place_key(place) == BOX


@value("81.64", "The front to which the Urals box belongs for a nation's bombing")
def urals_front(s: State, nation: str) -> str:
    return "asian" if patron(s, nation) == "japan" else "eastern"


@definition("81.68")
def one_attrition_zone(s: State, place: str, other: str) -> bool:
    """Two places are in one attrition zone: the Urals box and the hexes beside it, in Europe or in Asia."""
    keys = {place_key(place), place_key(other)}
    return BOX in keys and all(it == BOX or urals_gate(s, it) for it in keys)


def _enemies_beside(s: State, power: str) -> bool:
    nations = {it.nation for it in s.pieces.among(GATES) if patron(s, it.nation) == power}
    return any(urals_gate(s, it.place) for it in ground_beside(s, URALS, nations))


def _not_russian(s: State, nation: str) -> bool:
    return nation != "russia"


def _beside(s: State, cmd: ReportOperation) -> bool:
    """Whether one of the two stands in the box and the other on a hex beside it."""
    both = bool(cmd.at and cmd.origin) and _at(cmd.at) != _at(cmd.origin)
    return both and one_attrition_zone(s, cmd.at, cmd.origin)


BANS = (
    Ban("64", "into", (AIR,), {"attack"}, "air attacks on {box} are prohibited; it may only be bombed"),
    Ban("66", "into", (AIR,), EVERY_MISSION - {"bombing"}, "{box} may only be bombed", to=_not_russian),
    Ban("66", "out of", (AIR,), EVERY_MISSION, "air units in {box} fly no missions onto the mapboard"),
    Ban("67", "at", (GROUND,), EVERY_MISSION - {"attrition"}, "ground units do not attack out of {box} or into it"),
    Ban("68", "at", (GROUND,), {"attrition"}, "only units in {box} and on the hexes beside it meet", unless=_beside),
)


@limit(
    "81.67", on=ReportOperation, also=("81.64", "81.66", "81.68"), when=lambda s, cmd: _at(cmd.at) or _at(cmd.origin)
)
def fights_at_urals(s: State, cmd: ReportOperation) -> Refusal | None:
    """At the Urals box there are bombing and attrition from beside it, nothing else."""
    found = banned(s, cmd, BANS, BOX, "81")
    told = unless_excused(cmd, found.text) if found else None
    return Refusal(found.clause, told) if found and told else None


@limit("81.68", on=ReportLoss, when=lambda s, cmd: _at(cmd.at) and any(_ground(it) for it in counted(cmd.units)))
def attrition_from_beside(s: State, cmd: ReportLoss) -> str | None:
    """Ground units in the Urals box are lost only to attrition by ground units beside it."""
    by = cmd.eliminated_by
    if not by or _enemies_beside(s, by):
        return None
    return f"{called(by)} has no ground units beside the Urals box"


def _ground(unit: str) -> bool:
    return parse_unit(unit)[0].branch == "ground"
