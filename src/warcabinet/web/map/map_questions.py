"""What one asks the map at a moment: a hex, a way over land, the zones of control."""

from __future__ import annotations

from collections import Counter

import msgspec

from warcabinet.board.boxes import boxes
from warcabinet.board.control import held
from warcabinet.board.maps import areas_by_id, board
from warcabinet.board.names import Place, find_hex, places
from warcabinet.board.rows import PlaceKey
from warcabinet.board.supply import trace
from warcabinet.board.zoc import zone
from warcabinet.model.names import countries, powers
from warcabinet.model.places import holder
from warcabinet.model.state import State
from warcabinet.model.traits import COMMONWEALTH_BOXES
from warcabinet.model.unit_lists import stacks
from warcabinet.views.told.telling import Told, told_of
from warcabinet.views.words import name as named
from warcabinet.web.map.boards import BOARDS, BoardPlace, board_place
from warcabinet.web.map.control_since import HeldSince
from warcabinet.web.map.enemies import leader, opposed
from warcabinet.web.map.supply_layer import SupplyLine, hexes, supply_reach, would_have_to
from warcabinet.web.plumbing.problems import Problem, not_found

SIDES = {"axis": "Axis", "allied": "Allies"}


class LandLine(msgspec.Struct, frozen=True):
    """A shortest way over land that one alliance faction holds, or the fewest hexes that cut it."""

    found: bool
    path: tuple[str, ...]
    cut: tuple[str, ...]
    of: str
    steps: int
    #: What it comes to, in a sentence.
    said: str


class HexSupply(msgspec.Struct, frozen=True):
    """The shortest supply line of a power to a hex: over which places, how long, or what cuts it."""

    power: str
    line: SupplyLine
    #: Named places on the way, from the hex to the source.
    through: tuple[str, ...]
    #: In a line: how it is open and over which places, or what cuts it.
    said: str


class HexFacts(msgspec.Struct, frozen=True):
    """A hex in words: its land, its places and their roles, who holds it, what a chapter says of it alone."""

    key: str
    id: str
    kind: str
    terrain: str
    land: str
    holder: str
    places: tuple[BoardPlace, ...]
    #: What each of its places is, for whom.
    cities: tuple[City, ...]
    source: str
    neighbours: tuple[str, ...]
    own_rules: tuple[Told, ...]
    #: The move by which it came to its holder; nothing where it has been so since the start.
    since: HeldSince | None
    supply: HexSupply | None
    #: Whose armor has its zone of control here, and whose stands here itself.
    zones: tuple[str, ...]
    armor: tuple[str, ...]
    #: The powers that are at war with its holder: by report they may take it.
    takers: tuple[str, ...]
    enemies: tuple[str, ...]
    absent: tuple[Absent, ...]


class City(msgspec.Struct, frozen=True):
    name: str
    text: str


class Absent(msgspec.Struct, frozen=True):
    """A side without units in a hex: where its nearest stand on the board, if any do."""

    side: str
    nearest: str
    hexes: int
    counters: int


class BoxFacts(msgspec.Struct, frozen=True):
    """A box in words: the countries that lie in it, and what their chapters say as things stand."""

    key: str
    name: str
    countries: tuple[str, ...]
    told: tuple[Told, ...]


def box_facts(state: State, key: str) -> BoxFacts:
    """Who lies in a box, what threatens it, and what that does next."""
    id_ = key.removeprefix("box/")
    if id_ not in boxes():
        raise not_found(f"box {key}")
    inside = [country for country, found in COMMONWEALTH_BOXES.items() if key in found]
    inside += [id_] if id_ in countries() and id_ not in inside else []
    told = (*told_of(state, key), *(line for country in inside for line in told_of(state, country)))
    return BoxFacts(key, boxes()[id_].name, tuple(inside), told)


def zones(state: State, name: str) -> dict[str, list[str]]:
    """The hexes that the armor of each nation reaches, for the map's switch."""
    if name not in BOARDS:
        raise not_found(f"board {name}")
    one = board(name)
    standing: dict[str, set[str]] = {}
    for stack in stacks(state):
        if stack.place.startswith(name + "/") and _armored(stack.unit):
            standing.setdefault(stack.nation, set()).add(stack.place)
    return {nation: list(one.ids(zone(one, hexes_))) for nation, hexes_ in standing.items()}


def _armored(unit: str) -> bool:
    return unit.startswith(("armor", "mechanized"))


def land_line(state: State, start: str, end: str) -> LandLine:
    """A shortest way over land held by one alliance faction, or the fewest hexes that cut it.

    What may serve as a source, and how far a line may reach, is for the rules to say: this is the ground it runs over.
    """
    source, target = find_hex(start), find_hex(end)
    if source.board != target.board:
        raise Problem(400, "no land line leads from one board to the other")
    one = board(source.board)
    holding = holder(state, source.key)
    side = state.powers[holding].faction if holding in state.powers else ""
    friends = [p for p, it in state.powers.items() if it.faction == side] or [holding]
    line = trace(one, (source.id,), (target.id,), held(one, lambda key: holder(state, key), friends))
    steps = max(0, len(line.path) - 1)
    cut = f"Cut: {would_have_to(tuple(line.cut))}." if line.cut else "No land leads there."
    return LandLine(
        found=line.found,
        path=tuple(f"{one.name}/{id_}" for id_ in line.path),
        cut=tuple(f"{one.name}/{id_}" for id_ in line.cut),
        of=side or holding,
        steps=steps,
        said=f"Open: {hexes(steps)} over land of {named(side or holding)}." if line.found else cut,
    )


def hex_supply(state: State, key: str) -> HexSupply | None:
    """The line to a hex of the power whose units stand there, else of the power that holds it or leads its holder."""
    one, holding = board(key.partition("/")[0]), holder(state, key)
    standing = [it.nation for it in stacks(state) if it.place == key and it.nation in powers()]
    led = state.countries[holding].by if holding in state.countries else holding
    power = next((it for it in (*standing, led) if it in powers()), "")
    if not power or not one[key.partition("/")[2]].is_land:
        return None
    line = supply_reach(state, one, power, key).line
    if line is None:
        return None
    called: dict[str, str] = {place.key: place.name for place in reversed(places().values())}
    through = tuple(called[it] for it in reversed(line.path[:-1]) if it in called)
    return HexSupply(power, line, through, _supply_said(line, through))


def _supply_said(line: SupplyLine, through: tuple[str, ...]) -> str:
    """Of a long way the places at both its ends."""
    if line.found and line.steps:
        way = (*through[:2], through[-1]) if len(through) > 3 else through
        return ": ".join(it for it in ("open by land", ", ".join(way)) if it)
    return "open by sea" if line.by_sea else line.said


def takers(state: State, key: str) -> tuple[str, ...]:
    """The powers that may take a land hex by a word: at war with its holder, and none of their enemies stands there."""
    there = {it.nation for it in state.pieces.at(PlaceKey(key))}
    return tuple(it for it in enemies_of(state, key) if not any(opposed(state, it, nation) for nation in there))


def enemies_of(state: State, key: str) -> tuple[str, ...]:
    """The powers at war with the holder of a land hex."""
    by = holder(state, key)
    land = board(key.partition("/")[0])[key.partition("/")[2]].is_land
    return tuple(it for it in powers() if land and by and it != by and opposed(state, it, by))


def absent(state: State, key: str) -> tuple[Absent, ...]:
    """Of each side that has no units in a hex, where its nearest stand."""
    one, here = board(key.partition("/")[0]), key.partition("/")[2]
    standing: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    for it in stacks(state):
        if it.place.startswith(one.name + "/") and (led := leader(state, it.nation)):
            standing[powers()[led].player][it.place.partition("/")[2]] += it.count
    found = []
    for side, counters in standing.items():
        near = min(counters, key=lambda there: one.distance(here, there), default="")
        if here not in counters:
            off = one.distance(here, near) if near else 0
            found.append(Absent(SIDES[side], f"{one.name}/{near}" if near else "", off, counters[near]))
    return tuple(found)


ROLES = {
    "key_area": "key economic area",
    "ic_site": "industrial center",
    "supply_unlimited": "unlimited supply source",
    "supply_limited": "limited supply source",
}


def _roles(place: Place) -> str:
    """What a place is: a city where it is nothing else."""
    told = (
        f"{ROLES.get(it.role, it.role.replace('_', ' '))}{f' of {named(it.of)}' if it.of else ''}" for it in place.roles
    )
    return ", ".join(told) or "city"


def hex_facts(state: State, key: str, since: HeldSince | None = None) -> HexFacts:
    name, _, id_ = key.partition("/")
    if name not in BOARDS or id_ not in board(name):
        raise not_found(f"hex {key}")
    h = board(name)[id_]
    land = areas_by_id().get(h.region or h.country)
    return HexFacts(
        key=key,
        id=h.id,
        kind=h.kind,
        terrain=h.terrain,
        land=land.name if land else "",
        holder=holder(state, key),
        places=tuple(board_place(p) for p in places().values() if p.key == key),
        cities=tuple(City(p.name, _roles(p)) for p in places().values() if p.key == key),
        source=h.source,
        neighbours=tuple(n.key for n in board(name).neighbours(id_)),
        own_rules=told_of(state, key),
        since=since,
        supply=hex_supply(state, key),
        zones=tuple(nation for nation, hexes_ in zones(state, name).items() if id_ in hexes_),
        armor=tuple(dict.fromkeys(it.nation for it in stacks(state) if it.place == key and _armored(it.unit))),
        takers=takers(state, key),
        enemies=enemies_of(state, key),
        absent=absent(state, key),
    )
