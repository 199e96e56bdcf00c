"""The map of a run: whose colours each hex wears in how many futures, and the chances of places and countries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.model.names import called, countries, powers
from warcabinet.model.state import State
from warcabinet.plans.atlas import WORN, Chance, Look
from warcabinet.web.map.boards import BOARDS, BoardHex, BoardPlace, board_data

#: So many places are named as the least certain.
LEAST_CERTAIN = 6
#: Powers that wear the colours of another.
WEARS = {"communist_china": "china"}


class PlaceChance(msgspec.Struct, frozen=True):
    """A place that changes hands in some future: the share of the futures in which each holds it."""

    place: str
    name: str
    #: A capital or an objective: it is labelled even where all futures agree.
    marked: bool
    shares: dict[str, float]


class CountryChance(msgspec.Struct, frozen=True):
    country: str
    name: str
    #: By power, whatever the country is to it; and the likeliest standing in words.
    shares: dict[str, float]
    told: str


class ChancesMap(msgspec.Struct, frozen=True):
    """The map by the end of a turn in the futures that were looked at."""

    turns: tuple[str, ...]
    turn: str
    futures: int
    #: Hexes of land that are not worn by the same power in every future as at the start: the share of each power.
    hexes: dict[str, dict[str, float]]
    places: tuple[PlaceChance, ...]
    countries: tuple[CountryChance, ...]
    least_certain: tuple[Chance, ...]


def chances_map(look: Look, start: State) -> ChancesMap:
    turns = look.atlas.turns()
    return ChancesMap(
        turns,
        turns[look.turn - look.atlas.first] if turns else "",
        look.all.bit_count(),
        dict(_worn(look, start)),
        tuple(_places(look)),
        tuple(_countries(look)),
        look.least_certain(LEAST_CERTAIN),
    )


def _land() -> Iterator[tuple[str, BoardHex]]:
    for name in BOARDS:
        yield from ((f"{name}/{it.id}", it) for it in board_data(name).hexes if it.kind in ("land", "coastal"))


def _worn(look: Look, start: State) -> Iterator[tuple[str, dict[str, float]]]:
    """A hex wears the colours of who took it, else of who holds its country, else its own."""
    changing = look.atlas.of
    for key, it in _land():
        land = it.region if it.region in start.countries else it.country
        if key not in changing and land not in changing:
            continue
        taken = start.control.get(key, "")
        untaken = None if taken else changing[key].began if key in changing else ""
        found: dict[str, int] = {}
        for holder, bits in (look.masks(key) or {taken: look.all}).items():
            for wearer, its in _of_land(look, start, land, it.holder) if holder == untaken else [(holder, bits)]:
                found[wearer] = found.get(wearer, 0) | (bits & its)
        yield key, _shares(look, ((WEARS.get(who, who), bits) for who, bits in found.items()))


def _of_land(look: Look, start: State, land: str, own: str) -> list[tuple[str, int]]:
    """Who lends a country its colours, in which futures."""
    stands = start.countries.get(land)
    masks = look.masks(land) or {f"{stands.status} {stands.by}" if stands else "": look.all}
    parted = [(*value.partition(" ")[::2], bits) for value, bits in masks.items()]
    return [(by if status in WORN and by in powers() else own, bits) for status, by, bits in parted]


def _shares(look: Look, masks: Iterable[tuple[str, int]]) -> dict[str, float]:
    found: dict[str, int] = {}
    for who, bits in masks:
        if who in powers():
            found[who] = found.get(who, 0) | bits
    return {who: look.share(bits) for who, bits in found.items() if bits}


def _places(look: Look) -> Iterator[PlaceChance]:
    for name in BOARDS:
        for place in board_data(name).places:
            key = f"{name}/{place.hex}"
            if key in look.atlas.of:
                yield PlaceChance(key, place.name, _marked(place), _shares(look, look.masks(key).items()))


def _marked(place: BoardPlace) -> bool:
    return place.ringed or any(it.role in ("capital", "objective") for it in place.roles)


def _countries(look: Look) -> Iterator[CountryChance]:
    for what in look.atlas.of:
        if what in countries():
            masks = look.masks(what)
            by = ((value.partition(" ")[2], bits) for value, bits in masks.items())
            likeliest = look.chance(what).stands[0]
            yield CountryChance(what, called(what), _shares(look, by), likeliest.what)
