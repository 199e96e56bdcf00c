"""The conquest of Ethiopia: two to one for a game turn and more, or what an Italian surrender leaves (88.43)."""

from __future__ import annotations

from warcabinet.board import supply as board_supply
from warcabinet.board.maps import europe
from warcabinet.board.names import with_role
from warcabinet.kernel.limits import Refusal
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.commands.economy import ReportConquest
from warcabinet.model.commands.politics import ReportControl, ReportStatus
from warcabinet.model.events import Closed, ControlChanged, PowerChanged, UnitsMoved
from warcabinet.model.names import powers
from warcabinet.model.pieces import At, Stack
from warcabinet.model.places import holder, keys_of
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.rules.common.alliances import at_war
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import SENIORITY, eliminate, faction, friendly, patron
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.countries.egypt import ethiopia_fallen
from warcabinet.rules.countries.ethiopia import (
    EDGE,
    ground_in_ethiopia,
    west_fights_italy,
)
from warcabinet.rules.countries.middle_east import AXIS, ETHIOPIA, WEST
from warcabinet.rules.kinds import definition, due, effect, limit, value
from warcabinet.rules.minors.reports import conquered_by_capital, conquest_stays, fallen_by_capital
from warcabinet.rules.minors.status import change_status

#: Who holds a box that belongs to neither side.
NOBODY = "nobody"
OUTNUMBERED_NO_MORE = "the Western Allies no longer have twice the factors of the Axis"


@value("88.43", "A side's ground factors in Ethiopia")
def factors_in_ethiopia(s: State, side: str) -> int:
    return sum(it.factors for it in ground_in_ethiopia(s, side) if not _out_of_the_war(s, it.nation))


def _out_of_the_war(s: State, nation: str) -> bool:
    """Whether units are those of a power that has surrendered, and so has left the war: they conquer nothing.

    Commonwealth units that such a Britain leaves are lent to a U.S. that is at war (70.26), and fight on.
    """
    if nation in COMMONWEALTH_BOXES and any(at_war(s, "usa", it) for it in ("germany", "italy")):
        return False
    power = patron(s, nation)
    return power in powers() and s.powers[power].surrendered


def _held_by_axis(s: State) -> bool:
    return faction(s, holder(s, ETHIOPIA)) == AXIS


@definition("88.43", "The Western Allies have at least twice the ground factors of the Axis in Ethiopia (R-0059)")
def twice_the_factors(s: State) -> bool:
    ours, theirs = factors_in_ethiopia(s, WEST), factors_in_ethiopia(s, AXIS)
    if not west_fights_italy(s):
        return False
    if ours == 0 and reading_in_force(s, "R-0059") != "b":
        return False
    return ours >= 2 * theirs


def leader(s: State) -> str:
    """The Western power that takes Ethiopia: the senior one with ground units there."""
    there = {patron(s, it.nation) for it in ground_in_ethiopia(s, WEST) if not _out_of_the_war(s, it.nation)}
    return next((it for it in SENIORITY if it in there), "britain")


def _after_a_whole_turn(s: State) -> int:
    """The end of the Axis player turn that follows the next complete game turn."""
    return calendar.moment(s.turn + 2, calendar.step_index("axis", "end of player turn"))


@effect("88.43", on=UnitsMoved, when=lambda s, moved: At(ETHIOPIA) in (moved.origin, moved.to))
def watch_ethiopia(p: Proceedings, moved: UnitsMoved) -> None:
    """Two to one in Ethiopia sets a term; it lapses when the Axis are stronger again."""
    p.run(first_to_enter if holder(p.s, ETHIOPIA) == NOBODY else reckon_ethiopia)


@effect("88.43")
def reckon_ethiopia(p: Proceedings) -> None:
    """The term of Ethiopia's surrender is set or lifted by the ground factors there, as each player turn ends."""
    if not _held_by_axis(p.s):
        return
    pending = promised(p.s, ethiopia_falls)
    if not twice_the_factors(p.s):
        for it in pending:
            p.do(Closed(it.id, "averted", OUTNUMBERED_NO_MORE))
    elif reading_in_force(p.s, "R-0059") == "c" and not factors_in_ethiopia(p.s, AXIS):
        p.run(conquer_ethiopia, leader(p.s))
    elif not pending:
        promise(p, ethiopia_falls, _after_a_whole_turn(p.s), leader(p.s), "ethiopia")


@due("88.43", averted_by="more than half the Western Allied ground factors in Ethiopia before then")
def ethiopia_falls(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """Ethiopia surrenders to the Western Allies."""
    if twice_the_factors(p.s):
        p.run(conquer_ethiopia, leader(p.s))
    else:
        p.do(Closed(due_now.id, "averted", OUTNUMBERED_NO_MORE))
    return 0


@definition("88.43A", "A line runs from Egypt over its southern edge to the Axis units in Ethiopia")
def supplied_over_edge(s: State) -> bool:
    """By land from a supply source that the Axis hold in Africa; a line over the sea is for the referee to see."""
    board = europe()
    sources = [place.key for place in (*with_role("supply_limited"), *with_role("supply_unlimited"))]
    held = [key for key in sources if key.startswith("europe/") and friendly(s, key, AXIS)]
    ours = [key for key in EDGE if friendly(s, key, AXIS)]
    line = board_supply.trace(board, held, ours, passable(s, board, "germany")) if held and ours else None
    note("line", "88.43A", "open" if line else "cut", "ethiopia", text=", ".join(line.path) if line else "")
    return bool(line)


@effect("88.43", "Ethiopia is conquered: its control passes, and the Axis units there are lost", covers=("88.43A",))
def conquer_ethiopia(p: Proceedings, by: str) -> None:
    lapse(p, "ethiopia", "Ethiopia has fallen", ethiopia_falls)
    change_status(
        p, "ethiopia", "conquered", by, "88.43", "twice the ground factors of the Axis, or more than they had left"
    )
    p.do(ControlChanged((ETHIOPIA,), by))
    p.run(axis_units_lost)


@effect("88.43A")
def axis_units_lost(p: Proceedings) -> None:
    """Axis units in Ethiopia leave the force pools, unless a line over Egypt's southern edge supplied them."""
    supplied = supplied_over_edge(p.s)
    for stack in ground_in_ethiopia(p.s, AXIS):
        eliminate(p, stack, stack.count, for_good=not supplied)


# -- Italy surrenders ---------------------------------------------------------------------------------------------


@effect(
    "88.431",
    on=PowerChanged,
    when=lambda s, changed: changed.power == "italy" and changed.surrendered is True and holder(s, ETHIOPIA) == "italy",
)
def italy_leaves_ethiopia(p: Proceedings, changed: PowerChanged) -> None:
    """When Italy surrenders, who has the more ground factors in Ethiopia holds it, once the Italians are gone."""
    for stack in ground_in_ethiopia(p.s, AXIS):
        if stack.nation == "italy":
            eliminate(p, stack, stack.count, for_good=True)
    if ethiopia_fallen(p.s):
        return
    axis, west = factors_in_ethiopia(p.s, AXIS), factors_in_ethiopia(p.s, WEST)
    if west > axis:
        p.run(conquer_ethiopia, leader(p.s))
        return
    lapse(p, "ethiopia", "Italy surrendered", ethiopia_falls)
    heir = "germany" if axis else NOBODY
    told = "Germany has the units there" if axis else "nobody has units there"
    change_status(p, "ethiopia", "conquered", "germany" if axis else "", "88.431", f"Italy surrendered, {told}")
    p.do(ControlChanged((ETHIOPIA,), heir))


@effect("88.431", "Ethiopia that belongs to nobody is the first side's that moves a unit in")
def first_to_enter(p: Proceedings) -> None:
    by = next((it for it in SENIORITY if any(patron(p.s, u.nation) == it for u in _anybody(p.s))), "")
    if by:
        change_status(p, "ethiopia", "conquered", by, "88.431", "the first to move a unit in")
        p.do(ControlChanged((ETHIOPIA,), by))


def _anybody(s: State) -> list[Stack]:
    return ground_in_ethiopia(s, AXIS) + ground_in_ethiopia(s, WEST)


# -- it is not simply reported ------------------------------------------------------------------------------------

Fallen = ReportControl | ReportStatus | ReportConquest


def _for_axis(s: State, cmd: Fallen) -> bool:
    if isinstance(cmd, ReportStatus):
        return cmd.status == "colony" or faction(s, cmd.power) == AXIS
    return faction(s, cmd.by) == AXIS


def _of_ethiopia(s: State, cmd: Fallen) -> bool:
    if isinstance(cmd, ReportControl):
        return ETHIOPIA in keys_of(cmd.places)
    if isinstance(cmd, ReportConquest):
        return cmd.area == "ethiopia"
    return cmd.country == "ethiopia" and (cmd.status == "conquered" or (ethiopia_fallen(s) and _for_axis(s, cmd)))


@limit(
    "88.43",
    on=(ReportControl, ReportStatus, ReportConquest),
    displaces=(fallen_by_capital, conquered_by_capital, conquest_stays),
    also=("88.432",),
    when=_of_ethiopia,
)
def not_taken_by_report(s: State, cmd: Fallen) -> Refusal:
    """Ethiopia falls by factors and time, not by report, and never back to the Axis."""
    lost = ethiopia_fallen(s) or not isinstance(cmd, ReportStatus)
    if lost and _for_axis(s, cmd):
        return Refusal("88.432", "Ethiopia may not be reconquered by the Axis")
    told = "Ethiopia falls to twice the ground factors of the Axis, held for a game turn and the next Axis player turn"
    return Refusal("88.43", told)
