"""Units that come to a place, by an order or by a report: whose they are, which kinds come, and where to."""

from __future__ import annotations

from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit

Arrival = MoveUnits | ReportMove | ReportUnits


def mover(cmd: Arrival) -> str:
    return cmd.power if isinstance(cmd, ReportMove) else cmd.nation


def destination(cmd: Arrival) -> str:
    return cmd.at if isinstance(cmd, ReportUnits) else cmd.to


def moved(cmd: Arrival) -> tuple[str, ...]:
    """The kinds of units that a command brings to a place; one that takes them off brings none."""
    if isinstance(cmd, ReportMove):
        return tuple(counted(cmd.units))
    if isinstance(cmd, ReportUnits) and cmd.count <= 0:
        return ()
    return (cmd.unit,)


def regulars_come(cmd: Arrival) -> bool:
    """Whether regular units come; partisans rise where they are not wanted."""
    return any(parse_unit(it)[0].branch != "partisan" for it in moved(cmd))
