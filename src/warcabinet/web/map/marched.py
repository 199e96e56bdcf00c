"""Hexes that were marched through: an enemy's, empty, on the way of ground units that moved in this phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from warcabinet.board.maps import board, by_key
from warcabinet.game import Game
from warcabinet.model.commands.base import Command
from warcabinet.model.commands.forces import ReportMove
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.keys import Place
from warcabinet.model.places import board_of, holder, place_called
from warcabinet.model.state import State
from warcabinet.model.unit_lists import counted
from warcabinet.model.units import parse_unit
from warcabinet.web.map.enemies import leader, opposed


class Way(msgspec.Struct, frozen=True):
    """Ground units that one command takes from hex to hex."""

    nation: str
    units: str
    origin: str
    to: str


class Marched(msgspec.Struct, frozen=True):
    """A march through an enemy's empty hexes: whose, from where to where, which; the group says what it took."""

    taker: str
    text: str
    #: The hexes on the shortest way that keeps to the land.
    places: tuple[str, ...]
    called: tuple[str, ...]


def way_of(command: Command | None) -> Way | None:
    """The march that a command is; nothing, where no ground units go from hex to hex of a board."""
    if isinstance(command, MoveUnits):
        nation, origin, to, units = command.nation, command.from_, command.to, {command.unit: command.count}
    elif isinstance(command, ReportMove):
        nation, origin, to, units = command.power, command.origin, command.to, dict(counted(command.units))
    else:
        return None
    return Way(nation, ", ".join(f"{count} {unit}" for unit, count in units.items()), origin, to)


def ways_so_far(game: Game, before: tuple[Way, ...] | None) -> tuple[Way, ...]:
    """The marches of this phase, the last first; `before`: those up to the move before, where they are known."""
    journal = game.journal
    head = journal.move(game.head.at)
    rest: tuple[Way, ...] = ()
    if head.before and journal.move(head.before).moment == head.moment:
        rest = before if before is not None else tuple(_ways_back(game, head.before, head.moment))
    own = way_of(head.command)
    return (own, *rest) if own is not None else rest


def _ways_back(game: Game, at: int, moment: int) -> Iterator[Way]:
    """Those of a phase up to a move, all read together."""
    befores, moments, line = game.journal.befores(), game.journal.moments(), list[int]()
    while at and moments[at] == moment:
        line.append(at)
        at = befores[at]
    there = {move.id: move for move in game.journal.moves(line[-1], line[0])}
    found = (way_of(there[id].command) for id in line)
    return (it for it in found if it is not None)


def marched(state: State, ways: Iterable[Way]) -> tuple[Marched, ...]:
    """The marches of this phase on whose way hexes are still an enemy's."""
    found: dict[tuple[str, ...], Marched] = {}
    for way in ways:
        if hexes := _hexes(state, way):
            names = tuple(map(place_called, hexes))
            text = f"{way.units}, {place_called(way.origin)} to {place_called(way.to)}"
            found.setdefault(hexes, Marched(leader(state, way.nation), text, hexes, names))
    return tuple(found.values())


def _hexes(state: State, way: Way) -> tuple[str, ...]:
    name = board_of(way.origin)
    ground = all(parse_unit(it.partition(" ")[2])[0].branch == "ground" for it in way.units.split(", "))
    if name == "box" or board_of(way.to) != name or not ground or not leader(state, way.nation):
        return ()
    one, here, goal = board(name), by_key(way.origin), by_key(way.to).id
    found = []
    while one.distance(here.id, goal) > 1:
        nearer = [it for it in one.neighbours(here.id) if one.distance(it.id, goal) < one.distance(here.id, goal)]
        # Over land, and through no enemy's hex where another is as near.
        here = min(nearer, key=lambda it: (not it.is_land, _enemys(state, way.nation, Place(it.key))))
        if here.is_land and _enemys(state, way.nation, Place(here.key)) and not state.pieces.at(here.key):
            found.append(here.key)
    return tuple(found)


def _enemys(state: State, nation: str, key: Place) -> bool:
    by = holder(state, key)
    return bool(by) and opposed(state, nation, by)
