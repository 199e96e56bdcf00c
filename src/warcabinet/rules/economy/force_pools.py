"""What happens to force pools outside mobilization: production, losses and moves as they are reported."""

from __future__ import annotations

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model import calendar
from warcabinet.model.commands.forces import ReportLoss, ReportMove, ReportProduction
from warcabinet.model.events import Happened, Reported, UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import LOST, UNBUILT, At, Produced
from warcabinet.model.places import place_key
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.model.unit_lists import counted, unbuilt, waiting
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.excuses import keep_excuse
from warcabinet.rules.economy.counters import counters_listed
from warcabinet.rules.economy.industrial_centers import construct_ic
from warcabinet.rules.economy.shipbuilding import raise_rate
from warcabinet.rules.economy.turn_track import place_on_track
from warcabinet.rules.kinds import limit, order


class PoolRow(msgspec.Struct, frozen=True):
    """A line of a power's force pool: what stands on the board, is unbuilt, waits on the track, or is lost for good.

    `listed` is what its list of counters has of the kind, beside mobilization and production (WC.28).
    """

    unit: str
    on_board: int
    unbuilt: int
    on_track: int
    lost: int
    listed: int


def force_pool(s: State, power: str) -> list[PoolRow]:
    """A power's units by type and strength, as far as the position and the players' reports know them."""
    counts: dict[str, list[int]] = {}
    found = (
        [(it.unit, it.count) for it in s.pieces.of(power)],
        list(unbuilt(s, power)),
        [(unit, count) for _, unit, count in waiting(s, power)],
        list(s.pieces.off(power, LOST).items()),
    )
    for column, lines in enumerate(found):
        for unit, count in lines:
            counts.setdefault(unit, [0, 0, 0, 0, counters_listed(s, power, unit)])[column] += count
    return [PoolRow(unit, *columns) for unit, columns in sorted(counts.items())]


@order("36.33", "What production gave enters the force pool, now or when it is said to", on=ReportProduction)
def report_production(p: Proceedings, cmd: ReportProduction) -> None:
    p.do(Reported("production", f"{powers()[cmd.power].name}: {', '.join(cmd.units) or 'no units'}"))
    turn = calendar.parse_turn(cmd.arrives) if cmd.arrives else p.s.turn
    for unit, count in counted(cmd.units).items():
        place_on_track(p, cmd.power, unit, count, turn, Produced(), "36.33")
    if cmd.in_canada:
        raise_rate(p, "canada", "", cmd.shipbuilding, "production")
    else:
        raise_rate(p, cmd.power, cmd.theater, cmd.shipbuilding, "production")
    if cmd.ic:
        construct_ic(p, cmd.ic_at, cmd.oil)


@limit("WC.7", "Production arrives in a turn that exists, and not in the past", on=ReportProduction)
def production_arrives_later(s: State, cmd: ReportProduction) -> str | None:
    if not cmd.arrives:
        return None
    try:
        turn = calendar.parse_turn(cmd.arrives)
    except WarCabinetError as error:
        return str(error)
    return None if turn >= s.turn else f"{cmd.arrives} is over"


@order("WC.7", "Eliminated units return to the force pool, or leave the game for good", on=ReportLoss)
def report_loss(p: Proceedings, cmd: ReportLoss) -> None:
    keep_excuse(p, cmd)
    at = At(place_key(cmd.at))
    for unit, count in counted(cmd.units).items():
        to = LOST if cmd.for_good else UNBUILT
        p.do(UnitsMoved(cmd.power, unit, count, at, to, f"{count} {unit} eliminated"))
        if cmd.eliminated_by and not cmd.for_good:
            remember_loss(p, cmd.power, unit, count, cmd.eliminated_by)


def remember_loss(p: Proceedings, power: str, unit: str, count: int, by: str) -> None:
    """Who eliminated which units: growth spares some of them (35.32)."""
    p.do(Happened(Happening(p.s.moment, f"eliminated by {by}", f"{power} {unit}", count)))


@order("WC.7", "Units stand where they have gone", on=ReportMove)
def report_move(p: Proceedings, cmd: ReportMove) -> None:
    keep_excuse(p, cmd)
    origin, to = At(place_key(cmd.origin)), At(place_key(cmd.to))
    for unit, count in counted(cmd.units).items():
        if p.s.place.step.name == "redeployment" and parse_unit(unit)[0].branch == "naval":
            # Ships are redeployed by sea, however that is told.
            way = f"sailed from {origin.place} to {to.place}"
            p.do(Happened(Happening(p.s.moment, way, f"{cmd.power} {unit}", count)))
        p.do(UnitsMoved(cmd.power, unit, count, origin, to, f"{count} {unit}"))


@limit("WC.7", "Only units that stand in a place can be lost there or leave it", on=(ReportLoss, ReportMove))
def units_are_there(s: State, cmd: ReportLoss | ReportMove) -> str | None:
    where = cmd.at if isinstance(cmd, ReportLoss) else cmd.origin
    at = At(place_key(where))
    for unit, count in counted(cmd.units).items():
        there = s.pieces.count(cmd.power, at, unit)
        if there < count:
            return f"{there} {unit} of {powers()[cmd.power].name} in {where}, not {count}"
    return None
