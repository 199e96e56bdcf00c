"""What chapter 40 says of the places on which roads to Russia and China hang, and of partisans beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from warcabinet.model.names import called
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.aid.foreseen import carries, hexes_it_hangs_on
from warcabinet.rules.aid.granting import ROADS
from warcabinet.rules.aid.russia import bears_partisan_losses, partisans_in, route_capacity
from warcabinet.rules.countries.middle_east import persian_route
from warcabinet.views.told.telling import Told, tells_of


@tells_of("persia")
def partisans_told(s: State) -> Iterator[Told]:
    count = sum(it.count for it in partisans_in(s, "persia"))
    if count and persian_route(s):
        loser = called(bears_partisan_losses(s))
        yield Told("40.532A", f"partisans here ({count}) cost {loser} BRPs, as it opened the Persian route (11.71)")
        yield Told("40.532B", f"the Persian route carries {route_capacity(s, 'persia')} BRPs past them")


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
OFF_THE_LINE = {
    "Ankara": "closes without this hex",
    **dict.fromkeys(("Vladivostok", "Dutch Harbor"), "carries 5 BRPs while Japan holds this hex"),
}


def _teller(place: str, road: str, clause: str) -> Callable[[State], Iterator[Told]]:
    key = place_key(place)

    def told(s: State) -> Iterator[Told]:
        if not carries(s, road):
            return
        if place in OFF_THE_LINE:
            yield Told(clause, f"the {ROADS[road].name} {OFF_THE_LINE[place]}")
        elif key in hexes_it_hangs_on(s, road):
            yield Told(clause, f"the {ROADS[road].name} hangs on this hex")

    return told


for _place, (_road, _clause) in NAMED.items():
    tells_of(place_key(_place))(_teller(_place, _road, _clause))
