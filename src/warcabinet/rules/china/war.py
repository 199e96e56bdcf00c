"""How long Japan and Britain have been at war, counted in Allied player turns: permissions open by it (80.31)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Reported, WarBegan
from warcabinet.model.names import powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State, War
from warcabinet.rules.common.moments import first_turn_of_war, step_of
from warcabinet.rules.common.promises import promise
from warcabinet.rules.kinds import due, effect, remembered, value

START = "start of player turn"


def _wars(s: State) -> list[War]:
    """The wars of Japan with Britain, also those that have ended: permissions date from the first outbreak."""
    return [it for it in s.wars if set(it.between) == {"britain", "japan"}]


@remembered("80.31")
def british_war_first_turn(s: State) -> str:
    """The turn of the first Allied player turn after war broke out between Japan and Britain, if it did."""
    if not _wars(s):
        return ""
    war = _wars(s)[0]
    by_allies = war.declared_by in powers() and powers()[war.declared_by].player == "allied"
    return calendar.turn_name(war.since + 1 if by_allies else war.since)


@value("80.31", "Allied player turns that have begun since war broke out between Japan and Britain")
def allied_turns_since(s: State) -> int:
    first = british_war_first_turn(s)
    if not first:
        return 0
    begun = s.turn if s.step >= calendar.first_step("allied") else s.turn - 1
    return max(0, begun - calendar.parse_turn(first) + 1)


@effect("80.31", on=WarBegan, when=lambda s, began: set(began.between) == {"britain", "japan"} and len(_wars(s)) == 1)
def front_will_open(p: Proceedings, began: WarBegan) -> None:
    """The war with Britain opens the Southeast Asian front to Chinese units in time."""
    first = first_turn_of_war(p.s, began, "china")
    british_war_first_turn.note(p, calendar.turn_name(first), "fixed when war broke out")
    at = step_of("china", START)
    promise(p, tigers_may_go, calendar.moment(first, at), "china", "burma")
    promise(p, nationalists_may_go, calendar.moment(first + 1, at), "china", "burma")


@due("80.31B(3)", "The Flying Tigers may base and operate on the Southeast Asian front from now on")
def tigers_may_go(p: Proceedings, due_now: Promise[OfArea]) -> int:
    p.do(Reported("front", "the Southeast Asian front is open to the Flying Tigers"))
    return 0


@due(
    "80.31A(2)",
    averted_by="a Chinese resistance level of -1 or less, as long as it lasts",
    covers=("80.31B(1)", "80.31B(4)"),
)
def nationalists_may_go(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """Nationalist ground and air units may go to the Southeast Asian front, and the Flying Tigers there may be lent."""
    note("army_air", "80.31B(1)", True, "china")
    note("flying_tigers_lent", "80.31B(4)", True, "usa")
    p.do(Reported("front", "the Southeast Asian front is open to Nationalist China, unless resistance is -1 or less"))
    return 0
