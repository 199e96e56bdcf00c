"""China as it stands, for its map: territory, objectives, and where each kind of units may go (78.21, 79.21, 80)."""

from __future__ import annotations

import msgspec

from warcabinet.board.maps import pacific
from warcabinet.model.keys import Place, Unit
from warcabinet.model.names import areas
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.rules.china.restrictions import (
    AIRBASE,
    ARMY_AIR,
    TIGER,
    WANG,
    reach_of,
    within_reach,
)
from warcabinet.rules.china.territory import (
    COMMUNISTS,
    NATIONALISTS,
    allied_turns_since,
    chinese_resistance,
    communist_territory,
    in_china,
    nationalist_territory,
    objectives,
)
from warcabinet.views.told.telling import Told, told_of


class Objective(msgspec.Struct, frozen=True):
    """A Chinese objective, its hex, and who holds it."""

    name: str
    hex: str
    holder: str


class Going(msgspec.Struct, frozen=True):
    """A kind of units bound by chapter 80: its letter on the map, how far it may go now, the hexes, the clause."""

    letter: str
    name: str
    nation: str
    unit: Unit
    reach: str
    clause: str
    hexes: tuple[str, ...]


class ChinaView(msgspec.Struct, frozen=True):
    """All that China's map shows of a position; hexes are those of the Pacific board."""

    resistance: int
    allied_turns: int
    nationalists: tuple[str, ...]
    communists: tuple[str, ...]
    objectives: tuple[Objective, ...]
    going: tuple[Going, ...]
    told: tuple[Told, ...]


#: The units that chapter 80 binds: letter, name, nation, a unit of the kind, clause.
BOUND_UNITS = (
    ("G", "Nationalist ground units", NATIONALISTS, Unit("infantry 1-2"), "80.31A"),
    ("A", "Nationalist army air", NATIONALISTS, Unit(ARMY_AIR), "80.31B"),
    ("T", "Flying Tigers", NATIONALISTS, TIGER, "78.61A"),
    ("B", "Chinese airbases", NATIONALISTS, Unit(AIRBASE), "80.31C"),
    ("C", "Communist Chinese units", COMMUNISTS, Unit("infantry 1-2"), "80.32"),
    ("W", "Wang infantry", "japan", Unit(f"{WANG} 1-2"), "80.33"),
)


def china_view(s: State) -> ChinaView:
    """China as it stands: territory, objectives, and where each kind of units may go."""
    land = [it for it in pacific() if it.is_land]
    chinese = [it for it in land if in_china(s, it.key)]
    return ChinaView(
        resistance=chinese_resistance(s),
        allied_turns=allied_turns_since(s),
        nationalists=tuple(it.id for it in chinese if nationalist_territory(s, it.key)),
        communists=tuple(it.id for it in chinese if communist_territory(s, it.key)),
        objectives=tuple(_objective(s, area, key) for area, key in objectives().items()),
        going=tuple(_going(s, tuple(it.key for it in land), *bound) for bound in BOUND_UNITS),
        told=tuple(dict.fromkeys((*told_of(s, NATIONALISTS), *told_of(s, COMMUNISTS)))),
    )


def _objective(s: State, area: str, key: str) -> Objective:
    return Objective(areas()[area].name, key.removeprefix("pacific/"), holder(s, key))


def _going(s: State, land: tuple[Place, ...], letter: str, name: str, nation: str, unit: Unit, clause: str) -> Going:
    reach = reach_of(s, nation, unit)
    hexes = tuple(key.removeprefix("pacific/") for key in land if within_reach(s, reach, key))
    return Going(letter, name, nation, unit, reach, clause, hexes)
