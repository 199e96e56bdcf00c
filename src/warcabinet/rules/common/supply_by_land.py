"""Land supply and zones of control as the economic chapters ask for them, judged on the boards.

A line runs through land that the power or its partners control, not through an enemy zone of control, and not over
water except at straits. Chapters that know better (sea supply, supply terrain) can be heard through the referee.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from warcabinet.board import supply as board_supply
from warcabinet.board.boxes import box
from warcabinet.board.control import holdings
from warcabinet.board.maps import Board, board, europe
from warcabinet.board.zoc import zone
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.kernel.kept import kept, lasting, once
from warcabinet.kernel.why import note, telling
from warcabinet.model.names import powers
from warcabinet.model.places import Place, changed_between, default_holders, holder, place_key
from warcabinet.model.state import PowerState, Standing, State
from warcabinet.rules.common.pieces import controlled_for
from warcabinet.rules.common.war_and_peace import at_war, opponents
from warcabinet.rules.kinds import definition, value

EASTERN_EDGE = "eastern edge"
BAGHDAD = place_key("Baghdad")


@value("88.52", "The limited supply sources that a faction holds, as far as these chapters name them (R-2080)")
def limited_sources(s: State, side: str) -> tuple[Place, ...]:
    return (BAGHDAD,) if controlled_for(s, BAGHDAD, side) else ()


@value("84.44", "The unlimited supply sources of a faction beside its capitals, as far as these chapters name them")
def unlimited_sources(s: State, side: str) -> tuple[Place, ...]:
    return ()


def friends(s: State, power: str) -> frozenset[str]:
    """The power, its faction, and the countries that stand with any of them, or have opened their hexes to them.

    A country in which they have BRPs alone keeps its hexes for itself (82.31).
    """
    return _friends(s.powers, s.countries, power)


@kept
def _friends(states: Mapping[str, PowerState], countries: Mapping[str, Standing], power: str) -> frozenset[str]:
    side = [name for name in powers() if states[name].faction == states[power].faction]
    with_them = (name for name, it in countries.items() if it.by in side and it.status != "penetrated")
    return frozenset((*side, *with_them))


@once
def enemies(s: State, power: str) -> frozenset[str]:
    """The powers and countries with which the power is at war, and the countries that fight beside those powers."""
    fought = opponents(s, power)
    if not fought:
        return frozenset()
    foes = tuple([name for name in powers() if name in fought and at_war(s, name, power)])
    found = _beside(s.countries, *foes)
    if len(foes) == len(fought):
        return found.union(foes)
    return found.union(foes, [name for name in s.countries if name in fought and at_war(s, name, power)])


@kept
def _beside(countries: Mapping[str, Standing], *powers: str) -> frozenset[str]:
    """The countries that fight beside any of these powers."""
    fights = ("associated", "allied", "commonwealth")  # a Canadian armor unit is a British one (82.13)
    return frozenset(name for name, it in countries.items() if it.status in fights and it.by in powers)


def armor_zone(s: State, board: Board, of: Callable[[str], bool]) -> int:
    """The hexes in the zones of control of these nations' armor, as a bitmap."""
    armor = s.pieces.armor
    return _zone(armor, board.name, frozenset(filter(of, armor)))


@kept
def _zone(armor: Mapping[str, frozenset[str]], name: str, nations: frozenset[str]) -> int:
    prefix = name + "/"
    standing = {place for nation in nations for place in armor[nation] if place.startswith(prefix)}
    return zone(board(name), standing) if standing else 0


@once
def enemy_zone(s: State, board: Board, power: str) -> int:
    """The hexes in the zone of control of a power's enemies."""
    return armor_zone(s, board, enemies(s, power).__contains__)


def hexes_of(s: State, one: Board, holders: frozenset[str]) -> int:
    """The hexes of a board that any of these hold, as a bitmap."""
    return _hexes(s.control, one.name, holders)


@kept
def _hexes(control: Mapping[str, str], name: str, holders: frozenset[str]) -> int:
    found = 0
    for who, hexes in _bitmaps(control, name).items():
        if who in holders:
            found |= hexes
    return found


@kept
def _bitmaps(control: Mapping[str, str], name: str) -> dict[str, int]:
    """The hexes of each holder: as on the board from the start, less and more what has changed hands."""
    before, found = _LATEST.get(name) or ({}, holdings(board(name), default_holders()))
    # What changed hands since the last time is little; who holds the rest was found out then.
    bits, first = board(name).single, default_holders()
    gone: dict[str, int] = {}
    come: dict[str, int] = {}
    for key in changed_between(before, control):
        if key in bits:
            was, now = before.get(key) or first.get(key, ""), control.get(key) or first.get(key, "")
            gone[was] = gone.get(was, 0) | bits[key]
            come[now] = come.get(now, 0) | bits[key]
    found = {who: hexes & ~gone[who] if who in gone else hexes for who, hexes in found.items()}
    found |= {who: found.get(who, 0) | hexes for who, hexes in come.items() if who}
    _LATEST[name] = control, found
    return found


#: By board: who controlled what when somebody last asked, with the hexes of each holder. Only a place to start from.
_LATEST: dict[str, tuple[Mapping[str, str], dict[str, int]]] = {}


@once
def passable(s: State, board: Board, power: str) -> int:
    """The hexes that a supply line of this power may use, as a bitmap."""
    return hexes_of(s, board, friends(s, power)) & ~enemy_zone(s, board, power)


@lasting
def eastern_edge() -> tuple[str, ...]:
    """The Russian hexes on the eastern edge of the European board."""
    return tuple(key for key in box("urals").hexes("supply") if key.startswith("europe/"))


def lines_from_the_east(s: State) -> board_supply.Lines:
    """The lines that Russia can trace from the eastern edge, to cities outside enemy zones of control."""
    return _from_the_east(passable(s, europe(), "russia"))


@lru_cache(maxsize=8)
def _from_the_east(permitted: int) -> board_supply.Lines:
    """The lines from the eastern edge of the European board through these hexes: the same as long as they are."""
    return board_supply.Lines(europe(), eastern_edge(), permitted)


@value("37.72", "Whether a land supply line runs from a city to the eastern edge of the European board: open or cut")
def supply(s: State, from_: Place, to: str) -> str:
    if to != EASTERN_EDGE:
        raise WarCabinetError(f"supply is judged to the {EASTERN_EDGE}; the referee may rule on any other line")
    board, key = europe(), from_
    # The city itself may lie in an enemy zone of control; the line to it may not.
    permitted = passable(s, board, "russia")
    if holder(s, key) in friends(s, "russia"):
        permitted |= board.bits((key,))
    lines = _from_the_east(permitted)
    if telling():
        line = lines.to(key)
        told = ", ".join(line.path or line.cut)
        note("line", "37.13E", f"{len(line.path)} hexes" if line else "cut", from_, text=told)
    return "open" if lines.reaches(key) else "cut"


@definition("37.13E", "A city has a land supply line from the eastern edge of the European board")
def supplied_from_the_east(s: State, place: Place) -> bool:
    return supply(s, place, EASTERN_EDGE) == "open"
