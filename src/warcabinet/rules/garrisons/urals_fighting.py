"""What may be done against the Urals box and out of it: bombing, no attacks, attrition (81.64, 81.66 to 81.68)."""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportLoss
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.commands.politics import ReportControl
from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import (
    ground_beside,
)
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.garrisons.urals import BOX, GATES, URALS, beside_box, russians_leave, urals_gate
from warcabinet.rules.kinds import definition, limit, value


def _at(place: str) -> bool:
    return bool(place) and place_key(place) == BOX


@value("81.64", "The front to which the Urals box belongs for a nation's bombing")
def urals_front(s: State, nation: str) -> str:
    return "asian" if patron(s, nation) == "japan" else "eastern"


@limit(
    "81.66",
    "No enemy air missions into the Urals box but bombing, and no Russian ones out of it",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "air" and (_at(cmd.at) or _at(cmd.origin)),
)
def no_air_missions(s: State, cmd: ReportOperation) -> str | None:
    if _at(cmd.origin) and not _at(cmd.at):
        return unless_excused(cmd, "air units in the Urals box fly no missions onto the mapboard")
    if _at(cmd.at) and not _at(cmd.origin) and cmd.mission != "bombing":
        return unless_excused(cmd, "the Urals box may only be bombed")
    return None


@limit(
    "81.64",
    "Russian air units in the Urals box are not attacked",
    on=ReportOperation,
    displaces=no_air_missions,
    when=lambda s, cmd: cmd.branch == "air" and cmd.mission == "attack" and _at(cmd.at),
)
def no_air_attacks(s: State, cmd: ReportOperation) -> str | None:
    return unless_excused(cmd, "air attacks on the Urals box are prohibited; it may only be bombed")


@limit(
    "81.67",
    "No ground attacks out of the Urals box or into it",
    on=ReportOperation,
    also=("81.68",),
    when=lambda s, cmd: cmd.branch == "ground" and cmd.mission != "attrition" and (_at(cmd.at) or _at(cmd.origin)),
)
def no_ground_attacks(s: State, cmd: ReportOperation) -> str | None:
    return unless_excused(cmd, "ground units attack neither out of the Urals box nor into it")


@limit(
    "81.68",
    "Russians capture no hexes by attrition advance from the Urals box",
    on=MoveUnits,
    when=lambda s, cmd: russians_leave(cmd) and cmd.how == "advance",
)
def no_advance_out(s: State, cmd: MoveUnits) -> str | None:
    return "no hex is captured by an advance from the Urals box"


@limit(
    "81.68",
    "Hex results against the Urals box have no effect: it never changes hands",
    on=ReportControl,
    when=lambda s, cmd: any(_at(it) for it in cmd.places),
)
def never_captured(s: State, cmd: ReportControl) -> str | None:
    return None if cmd.by == "russia" else unless_excused(cmd, "the Urals box cannot be taken")


@definition(
    "81.68", "Two places are in one attrition zone: the Urals box and the hexes beside it, in Europe or in Asia"
)
def one_attrition_zone(s: State, place: str, other: str) -> bool:
    keys = {place_key(place), place_key(other)}
    return BOX in keys and all(it == BOX or urals_gate(s, it) for it in keys)


def _enemies_beside(s: State, power: str) -> bool:
    nations = {it.nation for it in s.pieces.among(GATES) if patron(s, it.nation) == power}
    return any(beside_box(s, it.place) for it in ground_beside(s, URALS, nations))


@limit(
    "81.68",
    "Only enemy ground units beside the Urals box, and Russian ones in it, meet there in attrition",
    on=ReportOperation,
    when=lambda s, cmd: cmd.branch == "ground" and cmd.mission == "attrition" and (_at(cmd.at) or _at(cmd.origin)),
)
def attrition_beside_urals(s: State, cmd: ReportOperation) -> str | None:
    mine, other = (cmd.origin, cmd.at) if _at(cmd.origin) else (cmd.at, cmd.origin)
    if other and beside_box(s, place_key(other)) and _at(mine):
        return None
    return unless_excused(cmd, "only units in the Urals box and on the hexes beside it meet in attrition")


@limit(
    "81.68",
    "Ground units in the Urals box are lost only to attrition by ground units beside it",
    on=ReportLoss,
    when=lambda s, cmd: _at(cmd.at) and any(_ground(it) for it in _kinds(cmd)),
)
def attrition_from_beside(s: State, cmd: ReportLoss) -> str | None:
    by = cmd.eliminated_by
    if not by or _enemies_beside(s, by):
        return None
    return f"{called(by)} has no ground units beside the Urals box"


def _kinds(cmd: ReportLoss) -> list[str]:
    return list(counted(cmd.units))


def _ground(unit: str) -> bool:
    return parse_unit(unit)[0].branch == "ground"
