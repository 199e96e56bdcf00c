"""Straits and canals: whether ships that go from one place to another must pass one, no way leading round it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

from warcabinet.board.maps import Board, both, europe
from warcabinet.board.seas import Passage, passages, ports, sail
from warcabinet.board.supply import Lines, supplied
from warcabinet.kernel.lasting import lasting
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.names import powers
from warcabinet.model.places import PARTISANS, board_of, place_key
from warcabinet.model.state import State
from warcabinet.model.units import parse_unit
from warcabinet.rules.common.boxes import SR, TR
from warcabinet.rules.common.pieces import patron, side_of
from warcabinet.rules.common.supply_by_land import enemies, friends, hexes_of

#: Redeployments that do not lead over the sea, or do not say whether they do.
OVERLAND = ("redeployment", TR, SR)

#: Boxes to which only the sea leads from the European board.
OVERSEAS = tuple(f"box/{it}" for it in ("atlantic_us", "pacific_us", "south_africa", "india_box", "australia_box"))

#: Whether a nation's units pass a strait between two places: state, nation, strait, whence, whither.
Past = Callable[["State", str, str, str, str], bool]


@cache
def waters_of(passage: str) -> Board:
    """The board on which a passage lies."""
    return next(one for one in both() if passage in passages(one))


def strait(passage: str) -> Passage:
    return passages(waters_of(passage))[passage]


@cache
def only_by(passage: str, origin: str, to: str) -> bool:
    """Whether ships get from one hex to another through a passage and in no other way."""
    one = waters_of(passage)
    if board_of(origin) != one.name or board_of(to) != one.name:
        return False
    start, goal = one[origin.partition("/")[2]], one[to.partition("/")[2]]
    if not start.seas or not goal.seas:
        return False
    every = list(passages(one))
    others = [it for it in every if it != passage]
    there = one.bits((goal.id,))
    return bool(sail(one, start.id, every) & there) and not sail(one, start.id, others) & there


def must_pass(s: State, nation: str, passage: str, origin: str, to: str) -> bool:
    """Whether a nation's units get from one place to another by sea through a passage and in no other way.

    From a city without a coast, such as London, they sail from any port that friendly land joins to it.
    """
    ends = ((it,) if _on_water(it) else _harbours(s, nation, it) for it in (origin, to))
    return _every_way(passage, *ends)


def carried_past(s: State, nation: str, passage: str, origin: str, to: str) -> bool:
    """Whether troops said to have gone from one place to another were carried through a passage.

    A report does not say how: they did not walk, and no port that friendly land joins to either end spares it.
    """
    if _on_water(origin) and _on_water(to) and not only_by(passage, origin, to):
        return False  # the map alone tells: no search over land is needed
    if marches(s, patron(s, nation) or nation, origin, to):
        return False
    ends = ((it, *_harbours(s, nation, it)) if _on_water(it) else _harbours(s, nation, it) for it in (origin, to))
    return _every_way(passage, *ends)


def _every_way(passage: str, here: tuple[str, ...], there: tuple[str, ...]) -> bool:
    ways = tuple(product(here, there))
    return bool(ways) and all(only_by(passage, origin, to) for origin, to in ways)


def _on_water(place: str) -> bool:
    return board_of(place) != europe().name or bool(europe()[place.partition("/")[2]].seas)


def _harbours(s: State, nation: str, place: str) -> tuple[str, ...]:
    """The ports of Europe that land of a nation's side joins to a place there."""
    if board_of(place) != europe().name:
        return ()
    lines = Lines(europe(), (place,), _friendly_land(s, nation))
    return tuple(it for it in _ports() if lines.reaches(it))


@lasting
def _ports() -> tuple[str, ...]:
    """The places of Europe that have a port, each once."""
    return tuple(dict.fromkeys(f"{europe().name}/{id_}" for id_ in ports(europe()).values()))


def _friendly_land(s: State, nation: str) -> int:
    """The European hexes that a nation's side holds, as a bitmap."""
    leader = patron(s, nation)
    return hexes_of(s, europe(), friends(s, leader) if leader else frozenset({nation}))


def joined_by_land(s: State, nation: str, origin: str, goals: tuple[str, ...]) -> bool:
    """Whether land that a nation's side holds leads on the European board from one hex to any of some others."""
    land = _friendly_land(s, nation)
    return any(supplied(europe(), (origin,), it, land) for it in goals)


def marches(s: State, power: str, origin: str, to: str) -> bool:
    """Whether a power's troops get from one European hex to another over land that is its side's or its enemies'.

    Who is redeployed crosses no enemy's land.
    """
    if {board_of(origin), board_of(to)} != {europe().name}:
        return False
    with_it = friends(s, power) if power in powers() else frozenset((power,))  # a country that fights alone
    hostile = frozenset[str]() if s.place.step.name == "redeployment" else enemies(s, power) | {PARTISANS}
    land = hexes_of(s, europe(), with_it | hostile)
    return supplied(europe(), (origin,), to, land | europe().bits((to,)))


def redeploys_by_sea(s: State, cmd: MoveUnits) -> bool:
    """Whether units that are redeployed, but not by its words by sea, go so: ships, or no friendly land leads there."""
    if cmd.how not in OVERLAND:
        return False
    branch, origin, to = parse_unit(cmd.unit)[0].branch, place_key(cmd.from_), place_key(cmd.to)
    if branch == "naval" or _overseas(s, cmd.nation, origin, to):
        return True
    if branch != "ground" or {board_of(origin), board_of(to)} != {europe().name}:
        return False
    return not joined_by_land(s, cmd.nation, origin, (to,))


def _overseas(s: State, nation: str, origin: str, to: str) -> bool:
    """Whether an ocean lies between Europe and a box, or the other board, to which Russia alone has a way by land."""
    boards = {board_of(origin), board_of(to)}
    if europe().name not in boards or side_of(s, nation) == "russia":
        return False
    return len(boards) == 2 and (origin in OVERSEAS or to in OVERSEAS or boards == {it.name for it in both()})
