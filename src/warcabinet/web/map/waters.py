"""Waters that are not as the printed board shows them: passages that are shut, mined coasts; marked on the map."""

from __future__ import annotations

from typing import Literal

import msgspec

from warcabinet.board.maps import europe
from warcabinet.board.names import areas
from warcabinet.board.seas import passages
from warcabinet.model.names import called, powers
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.ways import strait, waters_of
from warcabinet.rules.commonwealth.gibraltar import STRAIT, strait_open
from warcabinet.rules.commonwealth.india import malacca_open
from warcabinet.rules.countries.egypt import canal_open
from warcabinet.rules.countries.scandinavia import KATTEGAT, kattegat_open, waters_mined

NORWEGIAN_COAST = "norwegian_coast"
SUEZ_CANAL = "suez"


class WaterLine(msgspec.Struct, frozen=True):
    """Hexes of water with what is the matter there, and the clause that says so."""

    id: str
    name: str
    kind: Literal["shut", "mined"]
    hexes: tuple[str, ...]
    text: str
    clause: str


def waters(state: State) -> tuple[WaterLine, ...]:
    found = []
    shut = [called(it) for it in powers() if not kattegat_open(state, it)]
    if shut:
        way = passages(europe())[KATTEGAT]
        keys = tuple(f"europe/{id_}" for id_ in way.hexes)
        found.append(WaterLine(way.id, way.name, "shut", keys, f"shut to {', '.join(shut)}", "86.13"))
    if not canal_open(state, "britain"):
        way = passages(europe())[SUEZ_CANAL]
        keys = tuple(f"europe/{id_}" for id_ in way.hexes)
        told = "shut to the Western Allies" + ("" if canal_open(state, "germany") else " and to the Axis")
        found.append(WaterLine(way.id, way.name, "shut", keys, told, "88.344"))
    for id_, clause, open_ in ((STRAIT, "73.42", strait_open), ("malacca", "74.31", malacca_open)):
        if not open_(state, "britain"):
            way = strait(id_)
            keys = tuple(place_key(f"{waters_of(id_).name}/{it}") for it in way.hexes)
            what = "naval redeployments of the Western Allies" if id_ == STRAIT else "the Western Allies"
            found.append(WaterLine(way.id, way.name, "shut", keys, f"shut to {what}", clause))
    if waters_mined(state):
        coast = areas()[NORWEGIAN_COAST].keys
        text = "mined by the Western Allies until Germany gains Norway"
        found.append(WaterLine("norwegian_waters", "Norwegian waters", "mined", coast, text, "86.33"))
    return tuple(found)
