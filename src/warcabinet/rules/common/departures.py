"""Who goes whence and whither, and which units, by an order or a report that moves, builds or removes them."""

from __future__ import annotations

from collections.abc import Mapping

from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.places import place_key
from warcabinet.model.unit_lists import counted

Going = MoveUnits | ReportMove | ReportUnits
Coming = MoveUnits | ReportMove | ReportUnits | Build
COMING: tuple[type[Coming], ...] = (MoveUnits, ReportMove, ReportUnits, Build)
#: Where units are that a report merely takes off the board.
NOWHERE = "nowhere"


def nation_of(cmd: Going | Build | ReportLoss) -> str:
    return cmd.nation if isinstance(cmd, MoveUnits | ReportUnits) else cmd.power


def origin_of(cmd: Coming) -> str:
    """Where units come from: a place, or nowhere for those that are built or reported."""
    if isinstance(cmd, MoveUnits):
        return place_key(cmd.from_)
    if isinstance(cmd, ReportMove):
        return place_key(cmd.origin)
    return place_key(cmd.at) if isinstance(cmd, ReportUnits) and cmd.count < 0 else NOWHERE


def goal_of(cmd: Coming) -> str:
    """Where units go: a place, or nowhere for those that a report takes off the board."""
    if isinstance(cmd, MoveUnits | ReportMove):
        return place_key(cmd.to)
    return NOWHERE if isinstance(cmd, ReportUnits) and cmd.count < 0 else place_key(cmd.at)


def units_going(cmd: Going) -> Mapping[str, int]:
    """How many units of each kind go."""
    return counted(cmd.units) if isinstance(cmd, ReportMove) else {cmd.unit: abs(cmd.count)}
