"""Grants to China by the Burma Road: what it carries, and what closes it (40.84)."""

from __future__ import annotations

from warcabinet.board.boxes import box
from warcabinet.kernel.limits import Bound
from warcabinet.kernel.why import note
from warcabinet.model.commands.aid import GrantBrps
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.aid.china import KUNMING, capacity_left, course_between, india_holds, line_between
from warcabinet.rules.aid.courses import Course, runs
from warcabinet.rules.kinds import definition, limit, value

MANDALAY = "Mandalay"


@value("40.84B(1)", "In the classic game the Burma Road carries ten BRPs a turn", covers=("40.84B",))
def burma_road_capacity(s: State) -> int:
    note("research", "40.84B", "result")
    return 10


@value(
    "40.84",
    displaces=burma_road_capacity,
    when=lambda s: (
        s.options.edition == "prequel" and not s.options.burma_road_result and s.options.burma_road_steps < 3
    ),
)
def no_burma_road(s: State) -> int:
    """Without three steps of Burma Road research nothing goes by the Burma Road."""
    return 0


@value(
    "40.84A",
    displaces=burma_road_capacity,
    when=lambda s: (
        s.options.edition == "prequel" and not s.options.burma_road_result and s.options.burma_road_steps >= 3
    ),
)
def half_burma_road(s: State) -> int:
    """Three steps of Burma Road research let five BRPs a turn pass."""
    return 5


@definition("40.841", "The Burma Road is open: a supply line from the India box to Mandalay, and on to Kunming")
def burma_road_open(s: State) -> bool:
    return india_holds(s) and runs(burma_road_course(s), clause="40.82")


def burma_road_course(s: State) -> Course:
    """From the India box to Mandalay, and on to Kunming."""
    edge, mandalay = box("india_box").hexes("supply"), (place_key(MANDALAY),)
    return (*course_between(s, edge, mandalay), *course_between(s, mandalay, (place_key(KUNMING),)))


@definition("40.84B(2)")
def supply_by_burma_road(s: State) -> bool:
    """Supply may be traced by land into China by the Burma Road: its full research result, and it is open."""
    return burma_road_capacity(s) == 10 and burma_road_open(s)


def _by_road(cmd: GrantBrps) -> bool:
    return cmd.to == "china" and cmd.through == "burma road"


@limit("40.841", on=GrantBrps, when=lambda s, cmd: _by_road(cmd))
def road_is_open(s: State, cmd: GrantBrps) -> str | None:
    """The Burma Road is closed without a supply line from the India box by Mandalay to Kunming."""
    return None if burma_road_open(s) else "no supply line from the India box by Mandalay to Kunming"


@limit("40.82B(3)", on=GrantBrps, when=lambda s, cmd: _by_road(cmd) and cmd.by == "pacific" and bool(cmd.port))
def road_from_port(s: State, cmd: GrantBrps) -> str | None:
    """From a port in Burma or India a line leads to the Burma Road."""
    reached = line_between(s, (place_key(cmd.port),), (place_key(MANDALAY),))
    return None if reached else f"no line leads from {cmd.port} to Mandalay"


@limit("40.84", on=GrantBrps, when=lambda s, cmd: _by_road(cmd))
def within_burma_road(s: State, cmd: GrantBrps) -> Bound:
    """No more goes by the Burma Road than its research allows."""
    return Bound("brp", most=capacity_left(s, "burma road", burma_road_capacity(s)), text="capacity of the Burma Road")
