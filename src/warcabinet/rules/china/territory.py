"""What is China, whose part of it a hex is, its objectives, and the front next to it (38.37, 78.21, 79.21, 80.3)."""

from __future__ import annotations

from functools import cache

from warcabinet.board.boxes import box
from warcabinet.board.maps import pacific
from warcabinet.model.names import key_areas
from warcabinet.model.places import deciding_places, holder, place_key
from warcabinet.model.state import State
from warcabinet.model.traits import home_hexes
from warcabinet.rules.kinds import definition, value
from warcabinet.rules.minors.geography import fronts, land

NATIONALISTS, COMMUNISTS = "china", "communist_china"
WEST = "western allies"
ASIAN, SOUTHEAST_ASIAN = "asian", "southeast_asian"


@definition("79.21", "A place lies in Communist China: China north of hex row M and west of the start line")
def communist_territory(s: State, place: str) -> bool:
    return place_key(place) in home_hexes(COMMUNISTS)


@definition(
    "79.21",
    displaces=communist_territory,
    when=lambda s, place: s.options.edition == "prequel" and bool(s.options.communist_hexes),
)
def communist_territory_left(s: State, place: str) -> bool:
    """The prequel on Asia may have left Communist China other hexes."""
    return place_key(place) in listed_hexes(s.options.communist_hexes)


@cache
def listed_hexes(hexes: str) -> frozenset[str]:
    """The hexes of a list such as `L22, Lanchow`."""
    return frozenset(place_key(it.strip()) for it in hexes.replace(";", ",").split(",") if it.strip())


@definition("80.31", "A place lies in China: not in Manchuria, nor in Hong Kong; Hainan is Chinese (R-0781)")
def in_china(s: State, place: str) -> bool:
    return land(place_key(place))[0] in (NATIONALISTS, COMMUNISTS)


@definition("78.21", "A place lies in Nationalist China: the Chinese mainland without Communist China")
def nationalist_territory(s: State, place: str) -> bool:
    country, region = land(place_key(place))
    chinese = country in (NATIONALISTS, COMMUNISTS) and region != "hainan"
    return chinese and not communist_territory(s, place)


@cache
def objectives() -> dict[str, str]:
    """The Chinese objectives: each area with the key of its city."""
    return {area.area: deciding_places(area.area)[0] for area in key_areas(NATIONALISTS)}


@value("78.41", "How many Chinese objectives are not under Nationalist Chinese control", also=("38.37A",))
def objectives_lost(s: State) -> int:
    return sum(holder(s, key) != NATIONALISTS for key in objectives().values())


def on_front(place: str, front: str) -> bool:
    """Whether a hex or box lies on a front."""
    return front in (box(place.removeprefix("box/")).fronts if place.startswith("box/") else fronts(place))


@cache
def chinese_hexes() -> tuple[str, ...]:
    """Every land hex of China, of either side, Hainan included."""
    return tuple(it.key for it in pacific() if it.is_land and it.country in (NATIONALISTS, COMMUNISTS))
