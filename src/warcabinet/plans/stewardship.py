"""What a steward should prefer, asked as a question: its power's preferences left open in a plan.

Wanted is the highest base of the years to come; what must never be is an army less complete than under the preferences
that ship. So growth is never bought with units.
"""

from __future__ import annotations

from typing import Any

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.tables import Document
from warcabinet.model import calendar
from warcabinet.model.names import power_named
from warcabinet.model.state import State
from warcabinet.plans.acting import steward
from warcabinet.plans.asking import from_here
from warcabinet.plans.conditions import figure
from warcabinet.plans.editing import written_out
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.futures import Futures, Group, beginning

#: Units at the head of a list whose order is open; the others follow as they do.
OPEN_UNITS = 4
#: Futures in which it is measured how complete an army was.
MEASURED = 24
#: What is left each winter, at most, and by what steps.
MOST_LEFT, STEP = 120, 5
#: The last turn that is played.
UNTIL = "Spring 1943"


class Measured(Futures):
    """Futures of which nothing is asked but the BRPs of a power's unbuilt units in spring, at their most."""

    def __init__(self, program: Program, seed: int, power: str) -> None:
        super().__init__(program, seed)
        self.power, self.most, self.read = power, 0, figure(f"{power} unbuilt")

    def _minding(self, group: Group) -> Group:
        s = group.progress.state
        if s.season == calendar.SPRING and not s.powers[self.power].surrendered:
            self.most = max(self.most, int(self.read(s)))
        return group


def steward_question(program: Program, name: str, start: State, seed: int) -> Program:
    """The plan with a power's preferences open, as they ship now, and what is wanted of them."""
    power = power_named(name).power
    data: dict[str, Any] = {
        key: it for key, it in Document("the plan", program.text).data.items() if key not in ("ask", "choose", "want")
    }
    choose, keep = _open(power)
    data |= {"plan": f"What {power_named(name).name}'s steward should prefer", "until": UNTIL, "choose": choose}
    data["keep"] = {power: keep}
    years = [it for it in range(calendar.year(start.turn) + 1, 1944) if power != "france" or it == 1940]
    data["want"] = [{"most": f"{power} base", "at": [f"Spring {it}" for it in years]}]
    most = _most_unbuilt(plan_of("the plan", written_out(data)), start, seed, power)
    data["never"] = [f"season is Spring and {power} unbuilt > {most}"]
    return plan_of("the plan", written_out(data))


def what_is_best(power: str, now: State) -> str:
    """A plan from a position that leaves a power's preferences open: its base against what it has yet to build."""
    data = dict(Document("the plan", from_here(now)).data)
    choose, keep = _open(power)
    last = f"Spring {calendar.year(calendar.parse_turn(data['until']))}"
    data |= {"plan": f"What is best for {power_named(power).name}?", "choose": choose, "keep": {power: keep}}
    data["notes"] = "What it leaves each winter, builds and mobilizes first; stewards keep the others."
    data["want"] = [{"most": f"{power} base", "at": last}, {"least": f"{power} unbuilt", "at": last}]
    return written_out(data)


def _open(power: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A power's preferences as they ship, left open: the decisions, and the preferences that they settle."""
    now = steward(power)
    choose: dict[str, Any] = {"left each winter": {"from": 0, "to": MOST_LEFT, "by": STEP, "now": _left(now.leave)}}
    keep: dict[str, Any] = {"leave": "{left each winter}"}
    for key, label in (("build", "builds"), ("mobilize", "mobilizes")):
        units = list(getattr(now, key))
        if len(units) > 1:
            choose[label] = {"order of": units[:OPEN_UNITS]}
            keep[key] = [f"{{{label}}}", *units[OPEN_UNITS:]]
    if now.mobilize:
        choose["shipyards"] = {"one of": [False, True], "now": now.shipbuilding}
        keep["shipbuilding"] = "{shipyards}"
    if now.build_at:
        keep["build_at"] = list(now.build_at)
    return choose, keep


def _left(leave: int | dict[int, int]) -> int:
    if not isinstance(leave, int):
        raise WarCabinetError("a steward leaves as much in every year")
    return leave


def _most_unbuilt(program: Program, start: State, seed: int, power: str) -> int:
    """How incomplete the army is at its worst as the plan stands, which is what ships."""
    measured = Measured(program, seed, power)
    measured.until = program.until
    measured.to_the_end([beginning(start, MEASURED)])
    return measured.most
