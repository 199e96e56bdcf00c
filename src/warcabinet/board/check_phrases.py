"""What a check of the boards is, and the phrases that checks are written in."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from warcabinet.board import hexes, names, supply
from warcabinet.board.maps import Board, Hex
from warcabinet.board.names import Area

Problems = Iterable[str]


class Check(msgspec.Struct, frozen=True):
    """One constraint."""

    clause: str
    text: str
    run: Callable[[], Problems]


CHECKS: list[Check] = []


def check(clause: str, text: str) -> Callable[[Callable[[], Problems]], Callable[[], Problems]]:
    """Register a constraint under its clause."""

    def register(run: Callable[[], Problems]) -> Callable[[], Problems]:
        CHECKS.append(Check(clause, text, run))
        return run

    return register


# Phrases that the checks are written in


def place_hex(name: str) -> Hex:
    return names.find_hex(name)


def expect(truth: bool, problem: str) -> Problems:
    if not truth:
        yield problem


def in_country(country: str, *places: str) -> Problems:
    """Each place lies in a hex of the country."""
    for name in places:
        at = place_hex(name)
        yield from expect(at.country == country, f"{name} ({at.key}) is in {at.country}, not in {country}")


def all_different(*places: str) -> Problems:
    """No two of the places share a hex."""
    seen: dict[str, str] = {}
    for name in places:
        key = place_hex(name).key
        yield from expect(key not in seen, f"{name} shares {key} with {seen.get(key)}")
        seen[key] = name


def is_port(*places: str) -> Problems:
    for name in places:
        found = names.find(name)
        port = isinstance(found, names.Place) and found.has("port")
        yield from expect(port, f"{name} is no port")
        yield from expect(place_hex(name).has_sea, f"{name} does not lie on the sea")


def by_land(one: Board, source: str, target: str | tuple[str, ...], countries: Iterable[str] = ()) -> Problems:
    """A land path exists, within the given countries if any are given."""
    wanted = set(countries)
    permitted = one.bits(h.id for h in one if h.is_land and (not wanted or h.country in wanted))
    goals = target if isinstance(target, tuple) else (place_hex(target).id,)
    line = supply.trace(one, [place_hex(source).id], one.bits(goals), permitted)
    where = target if isinstance(target, str) else f"{target[0]} ... {target[-1]}"
    yield from expect(line.found, f"no land path from {source} to {where} through {sorted(wanted) or 'land'}")


def count(area: str, number: int) -> Problems:
    """An area has that many hexes."""
    found = names.areas()[area]
    yield from expect(len(found.keys) == number, f"{found.name} has {len(found.keys)} hexes, not {number}")


def cut_off(one: Board, keys: Iterable[str]) -> Problems:
    """All sides that lead out of a set of hexes are water."""
    inside = {key.split("/")[1] for key in keys}
    for id_ in sorted(inside):
        for n in one.neighbours(id_):
            if n.id not in inside and n.is_land:
                kind = one.side(id_, n.id)
                yield from expect(kind in ("all_water", "strait"), f"{id_} is joined to {n.id} by {kind}")


def group(name: str) -> Area:
    found = names.find(name)
    assert isinstance(found, Area), name
    return found


def edge_run(one: Board, first: str, last: str, edge: str) -> tuple[str, ...]:
    """The hexes of an edge from one hex to another."""
    ids = [h.id for h in one if edge in h.edges]
    return tuple(ids[ids.index(first) : ids.index(last) + 1])


def adjacent(a: str, b: str) -> bool:
    return hexes.distance(hexes.parse_id(a), hexes.parse_id(b)) == 1
