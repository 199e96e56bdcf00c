"""The conquest of Ethiopia: two to one for a game turn and more, or what an Italian surrender leaves (88.43)."""

from __future__ import annotations

from collections.abc import Iterator

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
from warcabinet.model.names import called, powers
from warcabinet.model.pieces import At, Stack
from warcabinet.model.places import holder, keys_of
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES, VICHY
from warcabinet.rules.common.alliances import at_war, neutral_power
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.rules.common.pieces import SENIORITY, controlled_for, eliminate, faction, friendly, patron
from warcabinet.rules.common.supply_by_land import passable
from warcabinet.rules.countries.axis_at_suez import ethiopia_fallen
from warcabinet.rules.countries.ethiopia import (
    EDGE,
    axis_reinforces_by_canal,
    axis_units_in_africa,
    ground_in_ethiopia,
    west_fights_italy,
)
from warcabinet.rules.countries.middle_east import AXIS, ETHIOPIA, WEST
from warcabinet.rules.countries.told import Told, tells_of
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
    """Whether units are those of a power that has surrendered and fights the Axis no more: they conquer nothing.

    Commonwealth units that such a Britain leaves are lent to a U.S. that is at war (70.26), and fight on.
    """
    if nation in COMMONWEALTH_BOXES and any(at_war(s, "usa", it) for it in ("germany", "italy")):
        return False
    power = patron(s, nation)
    return power in powers() and s.powers[power].surrendered and neutral_power(s, power)


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


def _of_ethiopia(cmd: ReportControl) -> bool:
    return ETHIOPIA in keys_of(cmd.places)


@limit("88.43", on=ReportControl, when=lambda s, cmd: _of_ethiopia(cmd))
def not_taken_by_report(s: State, cmd: ReportControl) -> str | None:
    """Ethiopia falls by factors and time, not by report."""
    return "Ethiopia falls to twice the ground factors of the Axis, held for a game turn and the next Axis player turn"


@limit(
    "88.432",
    on=ReportControl,
    displaces=not_taken_by_report,
    when=lambda s, cmd: _of_ethiopia(cmd) and powers()[cmd.by].faction == AXIS,
)
def no_reconquest(s: State, cmd: ReportControl) -> str | None:
    """The Axis do not reconquer Ethiopia."""
    return "Ethiopia may not be reconquered by the Axis"


@limit(
    "88.43",
    on=ReportStatus,
    displaces=fallen_by_capital,
    when=lambda s, cmd: cmd.country == "ethiopia" and cmd.status == "conquered",
)
def no_status_by_report(s: State, cmd: ReportStatus) -> str | None:
    """The conquest of Ethiopia is not reported as a status: it falls by factors and time."""
    return "Ethiopia falls to twice the ground factors of the Axis, held for a game turn and the next Axis player turn"


@limit(
    "88.432",
    on=ReportStatus,
    displaces=(no_status_by_report, fallen_by_capital, conquest_stays),
    when=lambda s, cmd: cmd.country == "ethiopia" and ethiopia_fallen(s) and _for_axis(s, cmd),
)
def no_status_for_axis(s: State, cmd: ReportStatus) -> str | None:
    """Ethiopia that has fallen does not become Italian again."""
    return "Ethiopia may not be reconquered by the Axis"


@limit(
    "88.43",
    on=ReportConquest,
    displaces=conquered_by_capital,
    also=("88.432",),
    when=lambda s, cmd: cmd.area == "ethiopia",
)
def no_conquest_by_report(s: State, cmd: ReportConquest) -> Refusal:
    """The conquest of Ethiopia is not reported: it falls by factors and time, and never back to the Axis."""
    if faction(s, cmd.by) == AXIS:
        return Refusal("88.432", "Ethiopia may not be reconquered by the Axis")
    return Refusal("88.43", "Ethiopia falls to twice the ground factors of the Axis, held for a term")


def _for_axis(s: State, cmd: ReportStatus) -> bool:
    return cmd.status == "colony" or faction(s, cmd.power) == AXIS


def _ways_now(s: State) -> Iterator[Told]:
    """By which ways either side's ground units come and go, and what would open the others."""
    over = {AXIS: any(friendly(s, it, AXIS) for it in EDGE), WEST: any(controlled_for(s, it, WEST) for it in EDGE)}
    if not ethiopia_fallen(s):
        users = [it for it in ("germany", "italy") if axis_reinforces_by_canal(s, it)]
        told = "shut, but to an Axis that holds it after a British surrender"
        if users:
            told = f"open to {' and '.join(map(called, users))}, one ground unit a turn"
        yield Told("88.421A", f"to the Axis the way through the canal is {told}")
        edge = "open, one unit a turn" if over[AXIS] else "shut until they hold one of NN27 to NN30"
        yield Told("88.421B", f"to the Axis the southern edge of Egypt is {edge}")
    edge = "open, one unit a turn" if over[WEST] else "shut until they hold one of NN27 to NN30"
    yield Told("88.422B", f"to the Western Allies the southern edge of Egypt is {edge}")
    yield Told("88.422A", "Western Allied units come and go by Indian Ocean transports, and one a turn by South Africa")


@tells_of("ethiopia")
def ethiopian_page(s: State) -> Iterator[Told]:
    axis, west = factors_in_ethiopia(s, AXIS), factors_in_ethiopia(s, WEST)
    if ethiopia_fallen(s):
        yield Told("88.432", "the Axis do not reconquer it")
    elif holder(s, ETHIOPIA) == NOBODY:
        yield Told("88.431", "it belongs to nobody since Italy surrendered, until one side moves a ground unit in")
    else:
        yield Told(
            "88.43", f"{west} Western Allied ground factors against {axis}: twice as many, held, make it surrender"
        )
    if not west_fights_italy(s) and not ethiopia_fallen(s):
        yield Told("88.423D", "closed to the Western Allies until they are at war with Italy")
        yield Told("88.421A", "Italy may bring in one ground unit a turn through the canal, and take none out")
    else:
        yield from _ways_now(s)
    yield Told("88.44", "no combat, no voluntary elimination; units come and go by redeployment only")
    yield Told("88.46", f"{axis_units_in_africa(s)} Axis ground units are in Africa, those in Ethiopia included")


@tells_of("spain", VICHY)
def africa_counts(s: State) -> Iterator[Told]:
    """Die rolls for these two ask whether the Axis are in Africa."""
    count = axis_units_in_africa(s)
    yield Told("88.46", f"for diplomatic die rolls {count} Axis ground units are in Africa, those in Ethiopia included")
