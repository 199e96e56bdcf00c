"""Communist China as the prequel left it: its hexes and regions, read from the options of a game."""

from __future__ import annotations

from functools import cache

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.keys import Place
from warcabinet.model.places import place_key


@cache
def listed_hexes(hexes: str) -> frozenset[str]:
    """The hexes of a list such as `L22, Lanchow`."""
    return frozenset(place_key(it.strip()) for it in hexes.replace(";", ",").split(",") if it.strip())


@cache
def regions(told: str) -> dict[str, tuple[Place, ...]]:
    """Regions with the keys of their cities or sources, as an option writes them: `Shensi: Yenan; Kansu: Lanchow`."""
    found: dict[str, tuple[Place, ...]] = {}
    for part in filter(str.strip, told.split(";")):
        name, parted, cities = part.partition(":")
        if not parted or not cities.strip():
            raise WarCabinetError(f"communist_regions: '{part.strip()}' needs a region, a colon and its supply sources")
        found[name.strip()] = tuple(place_key(it.strip()) for it in cities.split(",") if it.strip())
    return found
