"""Parts cut off from their country and restored to it, and units that are gone for good (83.12, 85.491, 85.492)."""

from __future__ import annotations

from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Closed
from warcabinet.model.names import called, countries, powers
from warcabinet.model.pieces import UNBUILT, Stack
from warcabinet.model.places import deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import DUTCH, PARTS
from warcabinet.model.unit_lists import unbuilt
from warcabinet.model.units import damaged, parse_unit, undamaged
from warcabinet.rules.common.books import enter_on_books, joint_holder, on_books, worth
from warcabinet.rules.common.diplomacy import lapse, promise
from warcabinet.rules.common.moments import turn_to_retake
from warcabinet.rules.common.pieces import BOUND, eliminate, faction, remove_all, units_of, units_of_kind
from warcabinet.rules.common.war_and_peace import partners, player_of
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest
from warcabinet.rules.kinds import definition, due, effect, remembered
from warcabinet.rules.minors.status import change_status

#: The clause by which each takes five BRPs from its country.
CUT_OFF = {"bessarabia": "85.491", "finnish_border": "85.492"}


@effect("85.491")
def part_gained(p: Proceedings, part: str, by: str) -> None:
    """A border region cut off is a conquest, as far as its conqueror has not got it within the country already."""
    whole, apart = PARTS[part], worth(p.s, part) - on_books(p.s, by, part)
    within = min(apart, on_books(p.s, by, whole) - worth(p.s, whole))
    if within > 0:
        # It had all of the country, lost it and has retaken it at once: the same BRPs, on two lines of its books.
        enter_on_books(p, by, whole, -within)
        enter_on_books(p, by, part, within)
        apart -= within
    if apart > 0:
        promise(p, receive_conquest, conquest_moment(p.s, by, part), by, part, apart)


@effect("85.491", "Whoever has Rumania or Finland loses what Russia cut off, unless it is retaken in time")
def part_lost(p: Proceedings, part: str, by: str) -> None:
    if part not in PARTS or by != "russia":
        return
    whole = PARTS[part]
    for power in (it for it in powers() if it != by):
        excess = max(0, on_books(p.s, power, whole) - worth(p.s, whole))
        if excess and p.s.countries[whole].status in (*BOUND, "conquered"):
            step = calendar.step_index(player_of(power), "end of combat phase")
            turn = turn_to_retake(p.s, power, by)
            promise(p, lose_part, calendar.moment(turn, step), power, part, -excess, CUT_OFF[part])


@effect("85.491", "A border region that is retaken in time counts within its country again, and is no conquest")
def part_restored(p: Proceedings, part: str) -> None:
    lapse(p, part, "it counts within its country again", receive_conquest)
    change_status(p, part, "neutral", "", "85.491", f"retaken, part of {called(PARTS[part])} again")


@due("85.492", sign=-1, averted_by="retaking {about} by then", covers=("85.491",))
def lose_part(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """The lower value of Rumania or Finland takes effect."""
    whole = PARTS[due_now.about]
    # The books decide, not the status: a capital retaken in this combat phase is concluded on only after it (83.31B).
    if not on_books(p.s, due_now.power, whole):
        p.do(Closed(due_now.id, "lapsed", f"{called(whole)} is {called(due_now.power)}'s no more"))
        return 0
    # What an ally alone retook as a conquest of his own is his, and lost to the country (35.73C, R-0012).
    captor = joint_holder(p.s, due_now.about)
    an_allys = captor != due_now.power and partners(p.s, captor, due_now.power)
    back = p.s.countries[due_now.about].by in ("russia", due_now.power) and not an_allys
    held_by = {holder(p.s, key) for key in deciding_places(due_now.about)}
    if back and any(faction(p.s, it) == faction(p.s, due_now.power) for it in held_by):
        p.do(Closed(due_now.id, "averted", "retaken"))
        p.run(part_restored, due_now.about)
        return 0
    excess = max(0, on_books(p.s, due_now.power, whole) - worth(p.s, whole))
    if excess:
        enter_on_books(p, due_now.power, whole, -excess)
    return -excess


@remembered("85.52A")
def forces_gone(s: State, country: str) -> bool:
    """A country's units have left play for good: it surrendered, was conquered, or switched and lost its capital."""
    return False


def gone_by(s: State, country: str) -> str:
    """The clause by which a country's units left play: its conquest, its surrender, or a change of sides."""
    fixed = forces_gone.noted(s, country)
    return fixed.clause if fixed else "85.52A"


@remembered("85.53A")
def gone_for_good(s: State, country: str, unit: str) -> int:
    """Units of a kind that a country lost for good: where it switched sides, or as ships that were sunk."""
    return 0


@remembered("85.53A", "Units of a kind that a country without a force table had, lost ones too, as it switched sides")
def had_before_switch(s: State, country: str, unit: str) -> int:
    return 0


def has_any(s: State, country: str) -> bool:
    """Whether a country has regular units, built or not."""
    return any(it.branch != "partisan" for it in units_of(s, country)) or any(unbuilt(s, country))


def leave_play(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """All units of a country leave play for good, wherever they are; of those that have some it is remembered."""
    had = has_any(p.s, country)
    remove_all(p, country)
    if had:
        forces_gone.under(clause).note(p, True, reason, country)


@definition("84.47D", "Ships that were lost may be built again: a power's own, not those of a minor country")
def ships_built_again(s: State, nation: str) -> bool:
    return nation in powers()


def counters_in_being(s: State, nation: str, unit: str) -> int:
    """Units of a kind that a nation has, on the boards, damaged too, or in its force pool."""
    kinds = filter(None, (unit, damaged(unit)))
    on_board = sum(it.count for kind in kinds for it in units_of_kind(s, nation, kind))
    return on_board + s.pieces.count(nation, UNBUILT, unit)


def remember_all(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """How many units of each kind a country had whose forces no table tells: it says later what is missing."""
    if country != "vichy_france":
        return
    on_board = {undamaged(it.unit) for it in units_of(p.s, country) if it.branch in ("ground", "air", "naval")}
    for unit in sorted(on_board | {it for it, _ in unbuilt(p.s, country)}):
        had = counters_in_being(p.s, country, unit) + gone_for_good(p.s, country, unit)
        had_before_switch.under(clause).note(p, had, reason, country, unit)


def lose(p: Proceedings, stack: Stack) -> None:
    """Units are lost to their force pool, ships that are never built again for good, which is remembered."""
    sunk = stack.branch == "naval" and not ships_built_again(p.s, stack.nation)
    eliminate(p, stack, stack.count, for_good=sunk)
    if sunk:
        remember_gone(p, stack.nation, stack.unit, stack.count, "84.47D", "sunk")


def remember_gone(p: Proceedings, country: str, unit: str, count: int, clause: str, reason: str) -> None:
    """So many more units of a kind are out of play for good; a damaged ship is one of its kind."""
    if country not in (*countries(), DUTCH) or parse_unit(unit)[0].branch not in ("ground", "air", "naval"):
        return
    kind = undamaged(unit)
    gone_for_good.under(clause).note(p, gone_for_good(p.s, country, kind) + count, reason, country, kind)
