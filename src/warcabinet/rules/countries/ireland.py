"""Ireland: its partisans (82.61)."""

from __future__ import annotations

from warcabinet.model.state import State
from warcabinet.rules.common.alliances import attackers_of
from warcabinet.rules.common.pieces import faction
from warcabinet.rules.kinds import value
from warcabinet.rules.minors.partisans import most_partisans


@value(
    "82.61",
    "Irish partisans depend on the result in force: one at a 7, two at an 8, or after an Allied declaration of war",
    displaces=most_partisans,
    when=lambda s, nation, side: nation == "ireland" and side == "axis",
)
def irish_partisans(s: State, nation: str, side: str) -> int:
    if any(faction(s, it) != "axis" for it in attackers_of(s, "ireland")):
        return 2
    standing = s.countries["ireland"]
    helps = standing.by != "" and faction(s, standing.by) == "axis"
    return {"penetrated": 1, "controlled": 2}.get(standing.status, 0) if helps else 0
