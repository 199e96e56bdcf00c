"""How far a power's supply lines reach by land and sea, and what cuts them: a layer of the map."""

from __future__ import annotations

import msgspec

from warcabinet.board.maps import Board
from warcabinet.board.names import places
from warcabinet.board.seas import passages, ports, sail
from warcabinet.board.supply import reach, trace
from warcabinet.model.names import power_named
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.supply_by_land import eastern_edge, friends, hexes_of, passable
from warcabinet.rules.countries.scandinavia import KATTEGAT, kattegat_open
from warcabinet.web.plumbing.problems import Problem

#: What a board lists as a source of a power's supply; whether it counts as one is for the rules and the referee.
SOURCES = ("supply_unlimited", "supply_limited", "key_area")


class SupplyLine(msgspec.Struct, frozen=True):
    """The shortest line to one hex, or what cuts it; by sea where no land leads there."""

    found: bool
    by_sea: bool
    path: tuple[str, ...]
    cut: tuple[str, ...]
    steps: int
    #: What it comes to, in a sentence.
    said: str


class SupplyReach(msgspec.Struct, frozen=True):
    """The hexes of a board that a power's lines reach, over land and by sea, and what it holds beyond."""

    power: str
    sources: tuple[str, ...]
    land: tuple[str, ...]
    sea: tuple[str, ...]
    cut: tuple[str, ...]
    ports: tuple[str, ...]
    #: Passages that are not open, by name.
    shut: tuple[str, ...]
    line: SupplyLine | None = None


def sources(one: Board, power: str) -> list[str]:
    """The hexes of a board from which a power's lines can start, as far as the board knows them."""
    found = {
        place.hex
        for place in places().values()
        if place.board == one.name and any(role.role in SOURCES and role.of == power for role in place.roles)
    }
    if power == "russia" and one.name == "europe":
        found |= {key.partition("/")[2] for key in eastern_edge()}
    return sorted(found)


def supply_reach(state: State, one: Board, power: str, to: str = "") -> SupplyReach:
    """How far a power's lines reach: over land, then by sea between friendly ports; what it holds beyond is cut off."""
    power = power_named(power).power
    permitted = passable(state, one, power)
    start = one.bits(sources(one, power)) & permitted
    by_land = reach(one, start, permitted)
    open_ways = _open_passages(state, one, power)
    everywhere, harbours = _by_sea(one, by_land, permitted, open_ways)
    mine = hexes_of(state, one, friends(state, power))
    return SupplyReach(
        power=power,
        sources=tuple(one.ids(start)),
        land=tuple(one.ids(by_land)),
        sea=tuple(one.ids(everywhere & ~by_land)),
        cut=tuple(one.ids(mine & ~everywhere)),
        ports=tuple(harbours),
        shut=tuple(it.name for it in passages(one).values() if it.id not in open_ways),
        line=_line(one, start, permitted, everywhere, to) if to else None,
    )


def _open_passages(state: State, one: Board, power: str) -> list[str]:
    """The passages all of whose shores are friendly; for the Kattegat it is enough that no shore is an enemy's."""
    holds = hexes_of(state, one, friends(state, power))
    friendly = (it.id for it in passages(one).values() if it.id != KATTEGAT and not one.bits(it.needs) & ~holds)
    return [*friendly, *([KATTEGAT] if KATTEGAT in passages(one) and kattegat_open(state, power) else [])]


def _by_sea(one: Board, by_land: int, permitted: int, open_ways: list[str]) -> tuple[int, list[str]]:
    """The land reached from the ports to which ships can sail from ports in supply, and all those ports."""
    friendly = {hex_ for hex_ in ports(one).values() if one.bits((hex_,)) & permitted and one[hex_].seas}
    reached, todo = by_land, [hex_ for hex_ in sorted(friendly) if one.bits((hex_,)) & by_land]
    used = set(todo)
    while todo:
        water = sail(one, todo.pop(), open_ways)
        landed = {hex_ for hex_ in friendly - used if one.bits((hex_,)) & water}
        reached |= reach(one, one.bits(landed), permitted)
        used |= landed
        todo += sorted(hex_ for hex_ in friendly - used if one.bits((hex_,)) & reached)
        used |= {hex_ for hex_ in friendly if one.bits((hex_,)) & reached}
    return reached, sorted(used)


def _line(one: Board, start: int, permitted: int, everywhere: int, to: str) -> SupplyLine:
    """The shortest line to one hex, or what cuts it; by sea where no land leads there."""
    key = place_key(to)
    if not key.startswith(one.name + "/"):
        raise Problem(400, f"{to} is not on the {one.name} board")
    # The hex itself may lie in an enemy zone of control; the line to it may not.
    goal = one.bits((key,))
    line = trace(one, start, goal, permitted | goal)
    by_sea, steps = not line.found and bool(everywhere & goal), max(0, len(line.path) - 1)
    return SupplyLine(
        found=line.found,
        by_sea=by_sea,
        path=tuple(f"{one.name}/{id_}" for id_ in line.path),
        cut=tuple(f"{one.name}/{id_}" for id_ in line.cut),
        steps=steps,
        said=_said(line.found, by_sea, tuple(line.cut), steps),
    )


def _said(found: bool, by_sea: bool, cut: tuple[str, ...], steps: int) -> str:
    if found:
        return f"supplied over land, {hexes(steps)} from a source" if steps else "a source of supply"
    if by_sea:
        return "no land line, but ships reach a port from which it is supplied"
    return f"cut off; {would_have_to(cut)}" if cut else "no line leads here"


def hexes(count: int) -> str:
    return f"{count} hex{'' if count == 1 else 'es'}"


def would_have_to(cut: tuple[str, ...]) -> str:
    return f"{', '.join(cut)} would have to be held"
