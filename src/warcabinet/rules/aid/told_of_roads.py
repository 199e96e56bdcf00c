"""What a hex's card says of the roads that hang on it, so that their closing is seen coming (40.4 to 40.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.aid.foreseen import WATCHED, carries, hexes_it_hangs_on
from warcabinet.rules.countries.told import Told, tells_of

#: The places that a clause names for each road. Whether it hangs on one of them depends on what else is open.
NAMED = {
    "europe/A47": ("murmansk", "40.412A"),
    "europe/A50": ("murmansk", "40.412B"),
    "Vologda": ("murmansk", "40.412C"),
    "Basra": ("persia", "40.53"),
    "Abadan": ("persia", "40.53"),
    "Tehran": ("persia", "40.53"),
    "Ankara": ("turkey", "40.61A"),
    "Vladivostok": ("siberia", "40.73B"),
    "Dutch Harbor": ("siberia", "40.73B"),
    "Mandalay": ("burma road", "40.841"),
    "Kunming": ("burma road", "40.841"),
}
#: Not on the line itself, and yet its loss closes the road or lessens what it carries.
OFF_THE_LINE = {"Ankara": "closes without this hex", "Vladivostok": "carries 5 BRPs while Japan holds this hex"}
OFF_THE_LINE["Dutch Harbor"] = OFF_THE_LINE["Vladivostok"]


def _teller(place: str, road: str, clause: str) -> Callable[[State], Iterator[Told]]:
    key = place_key(place)

    def told(s: State) -> Iterator[Told]:
        if not carries(s, road):
            return
        if place in OFF_THE_LINE:
            yield Told(clause, f"the {WATCHED[road][0]} {OFF_THE_LINE[place]}")
        elif key in hexes_it_hangs_on(s, road):
            yield Told(clause, f"the {WATCHED[road][0]} hangs on this hex")

    return told


for _place, (_road, _clause) in NAMED.items():
    tells_of(place_key(_place))(_teller(_place, _road, _clause))
