"""The books alone (WC.29): counters stand on the players' own map, so nothing here asks or judges where they are.

What the documents make of the places of units is taken as the players report it; the limits that look there are set
aside, and a page can tell which they are. What follows from BRPs, control, status, wars and tracks is judged as ever.
"""

from __future__ import annotations

from typing import Any

import msgspec

from warcabinet.kernel.limits import Limit
from warcabinet.model.commands.aid import GrantBrps, JoinConvoy, OpposeConvoy, SailConvoy
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.colonies import RaiseIndianPartisan, UseCanadianShipyard
from warcabinet.model.commands.commonwealth import TraceSeaSupply
from warcabinet.model.commands.countries import BuildPartisan
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.forces import (
    Build,
    BuildByCount,
    ReportInversion,
    ReportLoss,
    ReportLossByCount,
    ReportMove,
)
from warcabinet.model.commands.middle_east import DisplaceFleet, RaisePartisans
from warcabinet.model.commands.minors import (
    DeclareWar,
    Deploy,
    DeployRest,
    Displace,
    MoveUnits,
    Rebuild,
    Repair,
    ReportDamage,
    ReportLent,
    ReportUnits,
)
from warcabinet.model.commands.politics import ReportControl, ReportStatus, ReportWar
from warcabinet.model.commands.table import Advance
from warcabinet.model.state import State
from warcabinet.rules.aid.china import air_transport_is_there
from warcabinet.rules.aid.granting import transports_are_free
from warcabinet.rules.aid.murmansk import escorts_fit
from warcabinet.rules.commonwealth.construction import garrison_built_up
from warcabinet.rules.commonwealth.deployment import garrison_brought_home
from warcabinet.rules.commonwealth.supply_from_boxes import transport_for_line
from warcabinet.rules.countries.displacement import ports_cleared
from warcabinet.rules.garrisons.declarations import (
    manchuria_is_set_up,
    may_be_declared,
    siberia_is_set_up,
)
from warcabinet.rules.garrisons.strength import garrisons_are_built, garrisons_first
from warcabinet.rules.kinds import limit
from warcabinet.rules.minors.attack import garrison_must_be_fought
from warcabinet.rules.minors.limits import finnish_limit, ten_factor_limit
from warcabinet.rules.minors.redeploying import capitals_cleared
from warcabinet.rules.minors.set_up import set_up_before_the_fighting, set_up_now
from warcabinet.rules.minors.standing import subverted_while_free
from warcabinet.rules.minors.staying import units_stay_on_map

#: Commands that say where a counter stands; each with what is entered instead, if anything is.
OF_COUNTERS: dict[type[Command], str] = {
    Build: "build_by_count",
    ReportLoss: "report_loss_by_count",
    Rebuild: "what it cost, as spending on unit construction",
    BuildPartisan: "what it cost, as spending on unit construction",
    OpposeConvoy: "what was sunk, by report_convoy_interception, then let_convoy_pass",
    **dict.fromkeys((MoveUnits, ReportMove, ReportUnits, Deploy, DeployRest, Displace, DisplaceFleet), ""),
    **dict.fromkeys((Repair, ReportDamage, ReportInversion, RaisePartisans, RaiseIndianPartisan), ""),
}
#: Commands that only a table of books knows, with what a whole table has for them.
OF_BOOKS: dict[type[Command], str] = {BuildByCount: "build", ReportLossByCount: "report_loss"}

#: What is not judged where nobody says where counters stand.
LEFT_TO_PLAYERS: tuple[Limit[State, Any], ...] = (
    *(set_up_now, set_up_before_the_fighting, units_stay_on_map, capitals_cleared, ports_cleared),
    *(garrison_built_up, garrison_brought_home, ten_factor_limit, finnish_limit, garrison_must_be_fought),
    *(manchuria_is_set_up, siberia_is_set_up, garrisons_are_built, garrisons_first, may_be_declared),
    *(subverted_while_free, transports_are_free, air_transport_is_there, escorts_fit, transport_for_line),
)
JUDGED_WITHOUT: tuple[type[Command], ...] = (
    *(Advance, DeclareWar, ReportWar, Spend, BuildByCount, ReportControl, ReportStatus, GrantBrps),
    *(SailConvoy, JoinConvoy, TraceSeaSupply, UseCanadianShipyard, ReportLent),
)


@limit("WC.29", on=(*JUDGED_WITHOUT, *OF_COUNTERS), when=lambda s, cmd: s.options.counted, displaces=LEFT_TO_PLAYERS)
def counters_stand_elsewhere(s: State, cmd: Command) -> str | None:
    """Counters stand on the players' own map: nothing is entered of where they are, nor judged that hangs on it."""
    if (instead := OF_COUNTERS.get(cmd.__class__)) is None:
        return None
    told = "this table keeps the books alone: counters stand on your own map"
    return f"{told}; enter {instead.replace('_', ' ')} instead" if instead else f"{told}, nothing need be entered"


@limit("WC.29", on=tuple(OF_BOOKS), when=lambda s, cmd: not s.options.counted)
def counters_stand_here(s: State, cmd: Command) -> str:
    """A whole table knows where counters stand, and is told the place of those that are built or lost."""
    return "this table has its counters on the boards: name the place, by build or report_loss"


def fits_table(s: State, kind: type[Command]) -> bool:
    """Whether a kind of command belongs to this kind of table; others are offered to nobody here."""
    return kind not in (OF_COUNTERS if s.options.counted else OF_BOOKS)


class NotJudged(msgspec.Struct, frozen=True):
    """A limit that a table of books leaves to its players."""

    clause: str
    text: str


def not_judged() -> tuple[NotJudged, ...]:
    """What a table of books leaves to its players, each with its clause."""
    return tuple(NotJudged(it.clause, it.gist) for it in LEFT_TO_PLAYERS)
