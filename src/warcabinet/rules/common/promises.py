"""The one maker of promises, and what may be asked of them: what is promised, about what, for whom."""

from __future__ import annotations

from typing import Any, TypeVar, cast, overload

from warcabinet.kernel.effects import Due
from warcabinet.model.agenda import Matter, OfArea, Promise
from warcabinet.model.events import Closed, Promised
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import State

M = TypeVar("M", bound=Matter)


@overload
def promise(
    p: Proceedings, rule: Due[Promise[OfArea]], when: int, power: str, of: str, brp: int = 0, clause: str = ""
) -> None: ...


@overload
def promise(
    p: Proceedings, rule: Due[Promise[M]], when: int, power: str, of: M, brp: int = 0, clause: str = ""
) -> None: ...


def promise(p: Proceedings, rule: Due[Any], when: int, power: str, of: Any, brp: int = 0, clause: str = "") -> None:
    """Put something on the agenda, unless the same is on it already; a bare name is that of an area or country."""
    matter: Matter = OfArea(of) if isinstance(of, str) else of
    if promised(p.s, rule, about=matter.about, power=power):
        return
    made = Promise(p.s.promised + 1, when, rule.name, rule.clause, p.s.moment, power, matter, brp)
    p.do(Promised(made), clause)


def promised(s: State, *rules: Due[Promise[M]], about: str | None = None, power: str = "") -> tuple[Promise[M], ...]:
    """What is on the agenda by one of these rules, about an area, country or matter, for a power; oldest first."""
    found = s.agenda.find(*[rule.name for rule in rules], about=about, power=power)
    # What is promised by a rule is about what the rule is for: its maker took nothing else.
    return cast("tuple[Promise[M], ...]", found)


def lapse(p: Proceedings, about: str, reason: str, *rules: Due[Any], power: str = "") -> None:
    """Take off the agenda what no longer applies to a country or area."""
    for it in promised(p.s, *rules, about=about, power=power):
        p.do(Closed(it.id, "lapsed", reason))
