"""Atlantic harbours of Portugal and Spain in Axis hands (87.42, 87.52)."""

from __future__ import annotations

from warcabinet.kernel.why import note
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import friendly
from warcabinet.rules.countries.full_supply import fully_supplied
from warcabinet.rules.kinds import definition

HARBOURS = ("La Coruna", "Vigo", "Lisbon", "Cadiz")


@definition("87.42", covers=("87.52",))
def iberian_harbour(s: State) -> bool:
    """Germany has its favourable modifier for submarine warfare in the Atlantic: a supplied Iberian harbour is Axis."""
    for place in HARBOURS:
        if friendly(s, place_key(place), "axis") and any(fully_supplied(s, it, place) for it in ("germany", "italy")):
            note("harbour", "87.52", place)
            return True
    return False
