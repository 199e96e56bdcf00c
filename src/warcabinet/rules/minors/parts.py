"""Bessarabia and the Finnish border hexes: cut off from their country, and restored to it (83.12, 85.491, 85.492)."""

from __future__ import annotations

from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Closed
from warcabinet.model.names import countries, powers
from warcabinet.model.places import deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State
from warcabinet.model.traits import PARTS
from warcabinet.rules.common.alliances import partners, player_of
from warcabinet.rules.common.books import enter_on_books, on_books
from warcabinet.rules.common.moments import turn_to_retake
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.common.promises import lapse, promise
from warcabinet.rules.common.worth import joint_holder, worth
from warcabinet.rules.economy.timing import conquest_moment, receive_conquest
from warcabinet.rules.kinds import due, effect
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
    change_status(p, part, "neutral", "", "85.491", f"retaken, part of {countries()[PARTS[part]].name} again")


@due("85.492", sign=-1, averted_by="retaking {about} by then", covers=("85.491",))
def lose_part(p: Proceedings, due_now: Promise[OfArea]) -> int:
    """The lower value of Rumania or Finland takes effect."""
    whole = PARTS[due_now.about]
    # The books decide, not the status: a capital retaken in this combat phase is concluded on only after it (83.31B).
    if not on_books(p.s, due_now.power, whole):
        p.do(Closed(due_now.id, "lapsed", f"{countries()[whole].name} is {powers()[due_now.power].name}'s no more"))
        return 0
    # What an ally retook as a conquest of his own is his, and lost to the country (35.73C).
    back = p.s.countries[due_now.about].by in ("russia", due_now.power) and not _an_allys(p.s, due_now)
    held_by = {holder(p.s, key) for key in deciding_places(due_now.about)}
    if back and any(faction(p.s, it) == faction(p.s, due_now.power) for it in held_by):
        p.do(Closed(due_now.id, "averted", "retaken"))
        p.run(part_restored, due_now.about)
        return 0
    excess = max(0, on_books(p.s, due_now.power, whole) - worth(p.s, whole))
    if excess:
        enter_on_books(p, due_now.power, whole, -excess)
    return -excess


def _an_allys(s: State, due_now: Promise[OfArea]) -> bool:
    """Whether an ally alone has retaken all of it: a conquest of his, on which is concluded after this (R-0012)."""
    captor = joint_holder(s, due_now.about)
    return captor != due_now.power and partners(s, captor, due_now.power)
