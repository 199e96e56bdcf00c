"""What a declaration of war costs (82.41, 82.62)."""

from __future__ import annotations

from collections.abc import Sequence

from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.rules.countries.traits import DECLARED_TOGETHER
from warcabinet.rules.kinds import value


@value("82.62", "A declaration of war on a minor country costs 10 BRPs, even if it has no forces")
def declaration_cost(s: State, power: str, target: str) -> int:
    return 10


@value(
    "82.41",
    "A declaration of war on a major power costs 35 BRPs (assumed)",
    displaces=declaration_cost,
    when=lambda s, power, target: target in powers(),
)
def major_declaration_cost(s: State, power: str, target: str) -> int:
    return 35


def total_cost(s: State, power: str, targets: Sequence[str]) -> int:
    """Denmark with Norway and Belgium with Luxembourg are one declaration; others each their own."""
    costs = [declaration_cost(s, power, target) for target in targets]
    return costs[0] if set(targets) in DECLARED_TOGETHER else sum(costs)
