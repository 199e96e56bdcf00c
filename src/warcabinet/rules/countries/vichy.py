"""Vichy France: what it holds of France, colonies that go over to the Free French, and what they cost it (85.493)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from warcabinet.board.maps import by_key
from warcabinet.kernel.limits import Refusal
from warcabinet.model import calendar
from warcabinet.model.agenda import Lapsed, OfArea, Promise
from warcabinet.model.commands.minors import DeclareWar, ReportFreeFrench, ReportResult, ReportUnits, ReportVichy
from warcabinet.model.commands.politics import ReportStatus
from warcabinet.model.events import ControlChanged, PowerChanged, Reported, StatusChanged
from warcabinet.model.names import called, powers
from warcabinet.model.places import area_holder, areas_decided_by, holder, place_called
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import EUROPEAN_FRENCH_COLONIES, VICHY, capital, home_hexes
from warcabinet.rules.common.books import enter_on_books, in_being, on_books, worth
from warcabinet.rules.common.diplomacy import lapse, promise
from warcabinet.rules.common.moments import step_of, turn_to_retake
from warcabinet.rules.common.pieces import BOUND, faction, occupied_by_others
from warcabinet.rules.common.war_and_peace import (
    WENT_OVER,
    colonies_of,
    french_remnant,
    gone_over,
    lost_to_vichy,
    partners,
    vichy_colony,
    vichy_places,
)
from warcabinet.rules.economy.timing import receive_conquest
from warcabinet.rules.kinds import due, effect, limit, order
from warcabinet.rules.minors.status import change_status, count_whole_again, hand_over_hexes

LED = (*BOUND, "controlled")
FIVE = 5


@effect("85.44", on=PowerChanged, when=lambda s, changed: changed.power == "france" and changed.surrendered is True)
def vichy_in_being(p: Proceedings, changed: PowerChanged) -> None:
    """When France leaves the war, Vichy and what it holds of its colonies are Vichy France's (R-0463)."""
    overseas = (key for colony in colonies_of(p.s, VICHY) for key in home_hexes(colony))
    left = tuple(key for key in (capital(VICHY), *overseas) if french_remnant(p.s, key))
    if left:
        p.do(ControlChanged(left, VICHY))


@order("85.44", "The places in France that are Vichy France's, or its power's with it", on=ReportVichy)
def report_vichy(p: Proceedings, cmd: ReportVichy) -> None:
    named = tuple(dict.fromkeys((capital(VICHY), *cmd.places)))
    dropped = tuple(key for key in vichy_places(p.s) if key not in named and holder(p.s, key) == VICHY)
    vichy_places.note(p, named, "reported by the players")
    if dropped:
        p.do(ControlChanged(dropped, ""))
    p.do(ControlChanged(named, VICHY))
    standing = p.s.countries[VICHY]
    if standing.status in LED:
        hand_over_hexes(p, VICHY, standing.by)


@limit("85.44", on=ReportVichy)
def vichy_stands(s: State, cmd: ReportVichy) -> Iterator[Refusal | str]:
    """There is a Vichy France once France has surrendered, until it is conquered.

    What it has beside its colonies lies in France, and is nothing that a power has taken and counts.
    """
    if not s.powers["france"].surrendered:
        yield "France has not surrendered"
    elif s.countries[VICHY].status == "conquered":
        yield "Vichy France has been conquered"
    for key in cmd.places:
        if key.startswith("box/") or by_key(key).country != "france":
            yield f"{place_called(key)} does not lie in France"
        by = holder(s, key)
        if by in powers() and any(it != VICHY and on_books(s, by, it) > 0 for it in areas_decided_by(key)):
            held = f"{called(by)} holds {place_called(key)} and receives BRPs for it"
            yield Refusal("83.31B", f"{held}: say by report_control who took it")


@limit("85.44", on=(ReportResult, DeclareWar, ReportStatus, ReportUnits), excusable=True)
def no_vichy_yet(s: State, cmd: Any) -> Refusal | str | None:
    """Politics and the map know no Vichy France while France is in the war (R-0463)."""
    surrendered = s.powers["france"].surrendered
    if isinstance(cmd, ReportUnits):
        unknown = cmd.nation == VICHY and cmd.count > 0 and not surrendered
        told = "France has not surrendered: there is no Vichy France to have units"
        return Refusal("82.51", told) if unknown else None
    if VICHY not in (cmd.on if isinstance(cmd, DeclareWar) else (cmd.country,)) or in_being(s, VICHY):
        return None
    return f"{'Vichy is in other hands' if surrendered else 'France has not surrendered'}: there is no Vichy France"


@order("85.493", "A colony goes over to the Free French: Britain holds it (R-0461)", on=ReportFreeFrench)
def report_free_french(p: Proceedings, cmd: ReportFreeFrench) -> None:
    colony = cmd.colony
    p.do(Reported("free french", f"{called(colony)} goes over to the Free French"))
    side = faction(p.s, "britain")
    # What Vichy France or its power controls of it.
    held = [key for key in home_hexes(colony) if holder(p.s, key) in ("france", VICHY, p.s.countries[VICHY].by)]
    keys = tuple(key for key in held if not occupied_by_others(p.s, key, side, VICHY))
    if keys:
        p.do(ControlChanged(keys, "britain"))
    # Where a result had brought Britain the colony with Vichy France, it is Britain's on another ground from now on.
    p.do(StatusChanged(colony, "colony", "britain", WENT_OVER, "it went over to the Free French"), WENT_OVER)
    for power in powers():
        enter_on_books(p, power, colony, -on_books(p.s, power, colony))


@limit("85.493", "Only a Vichy colony goes over to the Free French", on=ReportFreeFrench)
def goes_over(s: State, cmd: ReportFreeFrench) -> str | None:
    if not s.powers["france"].surrendered:
        return "France has not surrendered: there are no Free French"
    if vichy_colony(s, cmd.colony):
        return None
    return f"{called(cmd.colony)} is no Vichy colony any more"


@effect("85.493", on=StatusChanged, when=lambda s, e: e.country in EUROPEAN_FRENCH_COLONIES and gone_over(s, e.country))
def vichy_loses_colony(p: Proceedings, changed: StatusChanged) -> None:
    """Whoever has Vichy France loses five for a colony that went over or was conquered by the Allies."""
    if lost_to_vichy(p.s, changed.country):
        return  # and retaken since only as somebody's own conquest: Vichy France has nothing more to lose by it
    lost_to_vichy.note(p, True, "Free French, or conquered by the Allies", changed.country)
    if p.s.countries[VICHY].status not in (*BOUND, "conquered"):
        return
    for power in powers():
        if _counts_colony(p.s, power, changed.country):
            turn = turn_to_retake(p.s, power, changed.by)
            when = calendar.moment(turn, step_of(power, "end of combat phase"))
            promise(p, lose_colony, when, power, changed.country, -FIVE)


def _counts_colony(s: State, power: str, colony: str) -> bool:
    """Whether a power counts a colony within Vichy France, which may have fallen with it, or may retake it for that."""
    if on_books(s, power, VICHY) > worth(s, VICHY):
        return True
    return s.countries[VICHY].by == power and faction(s, power) != faction(s, s.countries[colony].by)


@due("85.493", sign=-1, averted_by="retaking {about} by then")
def lose_colony(p: Proceedings, due_now: Promise[OfArea]) -> int | str:
    """Vichy France counts five less, because a colony is lost."""
    colony, power = due_now.about, due_now.power
    # Vichy France itself may have been retaken in this very combat phase, on which its status is concluded later.
    if p.s.countries[VICHY].by != power and not on_books(p.s, power, VICHY):
        return Lapsed(f"{called(VICHY)} is {called(power)}'s no more")
    if _retaken(p.s, colony, power):
        lapse(p, colony, "it is Vichy France's again", receive_conquest)
        lost_to_vichy.forget(p, colony)
        change_status(p, colony, "colony", power, "84.44", f"retaken for {called(VICHY)}")
        count_whole_again(p, VICHY)
        return "retaken"
    brp = max(0, min(FIVE, on_books(p.s, power, VICHY) - worth(p.s, VICHY)))
    enter_on_books(p, power, VICHY, -brp)
    # The year start adds up the books in full; nothing is lost beside them.
    return 0 if p.s.place.part == "year start" else -brp


def _retaken(s: State, colony: str, power: str) -> bool:
    """Whether Vichy France's power has a colony back from an enemy; what a partner conquered is lost all the same."""
    side, held_by = faction(s, power), area_holder(s, colony)
    if held_by != power and partners(s, held_by, power):
        return False
    return faction(s, held_by) == side != faction(s, s.countries[colony].by)
