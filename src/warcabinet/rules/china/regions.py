"""The regions of Communist China and their supply sources, by which it builds (79.41A, 79.52, 79.61, 79.72).

In the classic game it has no regions: Yenan alone is its source, and it builds two factors a turn.
"""

from __future__ import annotations

from functools import cache

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.why import note
from warcabinet.model.places import holder, place_key
from warcabinet.model.state import State
from warcabinet.rules.china.territory import COMMUNISTS
from warcabinet.rules.kinds import definition, value

YENAN = "Yenan"


@cache
def regions(told: str) -> dict[str, tuple[str, ...]]:
    """Regions with the keys of their cities or sources, as an option writes them: `Shensi: Yenan; Kansu: Lanchow`."""
    found = {}
    for part in filter(str.strip, told.split(";")):
        name, parted, cities = part.partition(":")
        if not parted or not cities.strip():
            raise WarCabinetError(f"communist_regions: '{part.strip()}' needs a region, a colon and its supply sources")
        found[name.strip()] = tuple(place_key(it.strip()) for it in cities.split(",") if it.strip())
    return found


def holds(s: State, key: str) -> bool:
    """Whether Communist China has a place: in its own name, or as Russia's minor ally in Russia's."""
    return holder(s, key) in (COMMUNISTS, "russia")


@value("79.61", "Communist China's own supply sources that it holds: Yenan; else the sources of its regions")
def communist_sources(s: State) -> tuple[str, ...]:
    if s.options.edition == "classic":
        keys: tuple[str, ...] = (place_key(YENAN),)
    else:
        keys = tuple(key for cities in regions(s.options.communist_regions).values() for key in cities)
    return tuple(key for key in keys if holds(s, key))


@definition("79.72", "A region keeps its free construction until Japan has captured all its cities", also=("79.52",))
def region_kept(s: State, region: str) -> bool:
    return any(holds(s, key) for key in regions(s.options.communist_regions)[region])


@value("79.41A", "Infantry factors that Communist China may build in a turn: one a region, one by the Sinkiang Road")
def construction_rate(s: State) -> int:
    if s.options.edition == "classic":
        note("classic", "79.41", 2, COMMUNISTS)
        return 2
    return len(regions(s.options.communist_regions)) + s.options.sinkiang_road
