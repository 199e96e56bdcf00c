"""Units that leave a garrison or come to it, by whichever order or report: judged before they go."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from warcabinet.kernel.limits import Bound
from warcabinet.model.commands.forces import Build, ReportLoss, ReportMove
from warcabinet.model.commands.minors import MoveUnits, ReportUnits
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import MOST_UNITS
from warcabinet.rules.common.excuses import unless_excused
from warcabinet.rules.common.pieces import standing_at
from warcabinet.rules.garrisons.counting import GARRISON_OF, REGIONS

Going = MoveUnits | ReportMove | ReportUnits
Coming = MoveUnits | ReportMove | ReportUnits | Build
COMING: tuple[type[Coming], ...] = (MoveUnits, ReportMove, ReportUnits, Build)
#: What is refused of units that go or come together, or nothing.
Judge = Callable[[Mapping[str, int]], str | None]
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


def leaves_garrison(s: State, cmd: Going, garrison: str) -> bool:
    """Whether the owner's units would leave a garrison of their own will; losses are another matter."""
    if nation_of(cmd) != GARRISON_OF[garrison] or origin_of(cmd) not in REGIONS[garrison]:
        return False
    if goal_of(cmd) in REGIONS[garrison]:
        return False
    return not (isinstance(cmd, ReportUnits) and cmd.lost)


def joins_garrison(s: State, cmd: Coming, garrison: str) -> bool:
    """Whether the owner's units would come to a garrison from outside."""
    if nation_of(cmd) != GARRISON_OF[garrison] or goal_of(cmd) not in REGIONS[garrison]:
        return False
    return origin_of(cmd) not in REGIONS[garrison]


def judged(s: State, cmd: Coming, judge: Judge) -> Bound | str | None:
    """What is refused: of an order that names one kind of unit, a bound on how many; of a report, all of it."""
    if isinstance(cmd, MoveUnits):
        there = standing_at(s, cmd.nation, place_key(cmd.from_), cmd.unit)
        for count in range(1, min(there, MOST_UNITS) + 1):
            refusal = judge({cmd.unit: count})
            if refusal:
                return Bound("count", most=count - 1, text=refusal)
        return None
    if isinstance(cmd, ReportUnits):
        refusal = judge({cmd.unit: abs(cmd.count)})
        return unless_excused(cmd, refusal)
    return judge(counted(cmd.units))
