"""BRPs that a power loses as a combat phase ends for what stands somewhere: posted then, and foretold until then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import NamedTuple

from warcabinet.kernel.effects import Effect
from warcabinet.model.accounts import Sink
from warcabinet.model.events import Happened
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State
from warcabinet.rules.common.books import move_brps, out_of_the_economy
from warcabinet.rules.common.moments import Foreseen, foresees, next_step_of
from warcabinet.rules.economy.base import keeps_brps
from warcabinet.rules.kinds import effect


class Toll(NamedTuple):
    """What a power loses by which clause, how that is entered and told, what averts it, and how it is kept in mind."""

    power: str
    brp: int
    clause: str
    memo: str
    sink: str
    text: str
    about: str
    averted_by: str
    kept: tuple[str, str] = ("", "")


def toll(
    clause: str, *, ends: str, also: tuple[str, ...] = ()
) -> Callable[[Callable[[State], Iterator[Toll]]], Effect[[], None]]:
    """Register what is lost at the end of a side's combat phase: it takes effect at the step that lists it."""

    def register(fn: Callable[[State], Iterator[Toll]]) -> Effect[[], None]:
        def due(s: State) -> tuple[Toll, ...]:
            return tuple(it for it in fn(s) if it.brp and not out_of_the_economy(s, it.power))

        @wraps(fn)
        def taken(p: Proceedings) -> None:
            for it in due(p.s):
                # What is lost of BRPs that are not tracked still tells on construction (35.24).
                if keeps_brps(p.s, it.power):
                    move_brps(p, it.power, -it.brp, it.memo, Sink("brp", it.sink), it.clause)
                if it.kept[0]:
                    p.do(Happened(Happening(p.s.moment, *it.kept, it.brp)), it.clause)

        @foresees
        def foretold(s: State) -> Iterator[Foreseen]:
            for it in filter(lambda toll: keeps_brps(s, toll.power), due(s)):
                when = next_step_of(s, "japan" if ends == "axis" else "britain", "end of combat phase")
                yield Foreseen(when, it.clause, it.text, it.power, it.about, it.averted_by, -it.brp)

        return effect(clause, when=lambda s: s.player == ends and bool(due(s)), also=also)(taken)

    return register
