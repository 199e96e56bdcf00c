"""What a declaration of war costs (82.41, 82.62)."""

from __future__ import annotations

from collections.abc import Sequence

from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.model.traits import BELGIUM_AND_LUXEMBOURG, DENMARK_AND_NORWAY
from warcabinet.rules.common.readings import reading_in_force
from warcabinet.rules.kinds import value


@value("82.62", "A declaration of war on a minor country costs 10 BRPs, even if it has no forces")
def declaration_cost(s: State, power: str, target: str) -> int:
    return 10


@value("82.41", displaces=declaration_cost, when=lambda s, power, target: target in powers())
def major_declaration_cost(s: State, power: str, target: str) -> int:
    """A declaration of war on a major power costs 35 BRPs (assumed)."""
    return 35


@value("82.62", "Declarations of war on two at once cost what each of them costs")
def cost_of_two(s: State, power: str, target: str, other: str) -> int:
    return declaration_cost(s, power, target) + declaration_cost(s, power, other)


@value(
    "86.121",
    displaces=cost_of_two,
    when=lambda s, power, target, other: {target, other} == DENMARK_AND_NORWAY,
    also=("86.38",),
)
def cost_of_denmark_and_norway(s: State, power: str, target: str, other: str) -> int:
    """Denmark and Norway are attacked as a unit by a single declaration of war."""
    return declaration_cost(s, power, target)


@value("87.13A", displaces=cost_of_two, when=lambda s, power, target, other: {target, other} == BELGIUM_AND_LUXEMBOURG)
def cost_of_belgium_and_luxembourg(s: State, power: str, target: str, other: str) -> int:
    """Belgium and Luxembourg are one country for a declaration of war."""
    return declaration_cost(s, power, target)


def _second_of(s: State, power: str, target: str, pair: frozenset[str]) -> bool:
    """Whether the power declared war on the other of a pair in this phase, the only one of its turn (R-1863)."""
    if target not in pair or reading_in_force(s, "R-1863") != "a":
        return False
    wars = (it for it in s.wars if it.declared_by == power and it.since == s.turn)
    return any(not (pair - {target}).isdisjoint(it.between) for it in wars)


@value(
    "86.121",
    displaces=declaration_cost,
    when=lambda s, power, target: _second_of(s, power, target, DENMARK_AND_NORWAY),
    also=("86.38",),
)
def second_of_denmark_and_norway(s: State, power: str, target: str) -> int:
    """The second of Denmark and Norway is in the declaration of war that the phase has seen already (R-1863)."""
    return 0


@value(
    "87.13A",
    displaces=declaration_cost,
    when=lambda s, power, target: _second_of(s, power, target, BELGIUM_AND_LUXEMBOURG),
)
def second_of_belgium_and_luxembourg(s: State, power: str, target: str) -> int:
    """The second of Belgium and Luxembourg is in the declaration of war that the phase has seen already (R-1863)."""
    return 0


def total_cost(s: State, power: str, targets: Sequence[str]) -> int:
    """What the targets of one order cost; who may be named together is a limit of its own."""
    if len(targets) == 2:
        return cost_of_two(s, power, *targets)
    return sum(declaration_cost(s, power, target) for target in targets)
