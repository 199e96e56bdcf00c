"""Bessarabia and the Finnish border hexes: cut off from their country, and restored to it (83.12, 85.491, 85.492)."""

from __future__ import annotations

from warcabinet.model import calendar
from warcabinet.model.agenda import OfArea, Promise
from warcabinet.model.events import Closed
from warcabinet.model.names import countries, powers
from warcabinet.model.places import deciding_places, holder
from warcabinet.model.proceedings import Proceedings
from warcabinet.rules.common.alliances import player_of
from warcabinet.rules.common.books import enter_on_books, on_books
from warcabinet.rules.common.pieces import BOUND, faction
from warcabinet.rules.common.promises import lapse, promise
from warcabinet.rules.common.worth import worth
from warcabinet.rules.countries.traits import (
    PARTS,
)
from warcabinet.rules.economy.timing import (
    receive_conquest,
)
from warcabinet.rules.kinds import due, effect
from warcabinet.rules.minors.status import change_status


@effect("85.491", "Whoever has Rumania or Finland loses what Russia cut off, unless it is retaken in time")
def part_lost(p: Proceedings, part: str, by: str) -> None:
    if part not in PARTS or by != "russia":
        return
    whole = PARTS[part]
    for power in (it for it in powers() if it != by):
        excess = max(0, on_books(p.s, power, whole) - worth(p.s, whole))
        if excess and p.s.countries[whole].status in (*BOUND, "conquered"):
            step = calendar.step_index(player_of(power), "end of combat phase")
            turn = p.s.turn if p.s.step < calendar.first_step(player_of(power)) else p.s.turn + 1
            promise(p, lose_part, calendar.moment(turn, step), power, part, -excess)


@effect("85.491", "A border region that is retaken in time counts within its country again, and is no conquest")
def part_restored(p: Proceedings, part: str) -> None:
    lapse(p, part, "it counts within its country again", receive_conquest)
    change_status(p, part, "neutral", "", "85.491", f"retaken, part of {countries()[PARTS[part]].name} again")


@due(
    "85.492",
    "The lower value of Rumania or Finland takes effect",
    sign=-1,
    averted_by="retaking {about} by then",
    covers=("85.491",),
)
def lose_part(p: Proceedings, due_now: Promise[OfArea]) -> int:
    whole = PARTS[due_now.about]
    if p.s.countries[whole].by != due_now.power:
        p.do(Closed(due_now.id, "lapsed", f"{countries()[whole].name} is {powers()[due_now.power].name}'s no more"))
        return 0
    # What an ally retook as a conquest of his own is his, and lost to the country (35.73C).
    back = p.s.countries[due_now.about].by in ("russia", due_now.power)
    held_by = {holder(p.s, key) for key in deciding_places(due_now.about)}
    if back and any(faction(p.s, it) == faction(p.s, due_now.power) for it in held_by):
        p.do(Closed(due_now.id, "averted", "retaken"))
        p.run(part_restored, due_now.about)
        return 0
    excess = max(0, on_books(p.s, due_now.power, whole) - worth(p.s, whole))
    if excess:
        enter_on_books(p, due_now.power, whole, -excess)
    return -excess
