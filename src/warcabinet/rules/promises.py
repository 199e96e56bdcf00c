"""The one maker of promises, and what may be asked of them: what is promised, about what, for whom."""

from __future__ import annotations

from warcabinet.kernel.rules import RULES
from warcabinet.model.agenda import Matter, OfArea, Promise
from warcabinet.model.events import Closed, Promised
from warcabinet.model.play import Play
from warcabinet.model.state import State


def promise(p: Play, effect: str, when: int, power: str, of: Matter | str, brp: int = 0, clause: str = "") -> None:
    """Put something on the agenda, unless the same is on it already; a bare name is that of an area or country."""
    matter = OfArea(of) if isinstance(of, str) else of
    if promised(p.s, effect, about=matter.about, power=power):
        return
    cited = RULES.by_name[effect].clause
    made = Promise(p.s.promised + 1, when, effect, cited, p.s.moment, power, matter, brp)
    p.do(Promised(made), clause)


def promised(s: State, *effects: str, about: str | None = None, power: str = "") -> tuple[Promise, ...]:
    """What is on the agenda by one of these effects, about an area, country or matter, for a power; oldest first."""
    return s.agenda.find(*effects, about=about, power=power)


def lapse(p: Play, about: str, reason: str, *effects: str, power: str = "") -> None:
    """Take off the agenda what no longer applies to a country or area."""
    for it in promised(p.s, *effects, about=about, power=power):
        p.do(Closed(it.id, "lapsed", reason))
