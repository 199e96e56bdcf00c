"""How nations stand, as the map draws them: on which side, whose to take up, and in whose colours a land is."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.web.hall.rights import commander
from warcabinet.web.map.enemies import leader

#: A land that stands so with a power wears its colours.
WORN = ("conquered", "associated", "allied", "controlled")
#: Who has no colours of its own wears those of the power whose land it is printed in.
ALIKE = {"communist_china": "china"}


class Nation(msgspec.Struct, frozen=True):
    """A nation with units on the map: the side it stands on, and whether the reader takes up its counters."""

    side: str
    mine: bool


def nations(state: State, held: Collection[str], everybodys: bool, nobodys: bool = False) -> dict[str, Nation]:
    """Every nation that has units in play; whoever plays none takes up everybody's as referee, else nobody's alone.

    A country that fights alone is moved by whoever would protect it (82.82).
    """
    found = {}
    for nation in sorted({it.nation for it in state.pieces.stacks()}):
        by, moves = leader(state, nation), commander(state, nation)
        mine = everybodys or moves in held or (nobodys and not moves)
        found[nation] = Nation(powers()[by].player if by else nation, mine)
    return found


def worn(state: State) -> dict[str, str]:
    """The power in whose colours a holder or a country is drawn; who stands alone is in none."""
    lands = {id: it.by for id, it in state.countries.items() if it.status in WORN and it.by in powers()}
    return {**{power: power for power in powers()}, **ALIKE, **lands}
