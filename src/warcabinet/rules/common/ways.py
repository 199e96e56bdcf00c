"""Ways into boxes and out of them, straits and routes, and what is not done at them: rows that one question goes
through.

A way says who goes by it, by which means, in which phase, and what may be against it at its other end. Who finds no
way is told the clause that comes nearest. A ban says which operations into a box or out of it are not carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Set
from functools import cache, reduce
from itertools import product
from operator import and_
from typing import Literal, NamedTuple, get_args

from warcabinet.board.boxes import box, boxes, joined
from warcabinet.board.maps import Board, both, europe
from warcabinet.board.names import places_at
from warcabinet.board.seas import Passage, passages, ports, sail
from warcabinet.board.supply import reach, supplied
from warcabinet.kernel.kept import lasting, once
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import Mission, MoveUnits, ReportOperation
from warcabinet.model.names import powers
from warcabinet.model.pieces import Stack
from warcabinet.model.places import PARTISANS, Place, board_of
from warcabinet.model.state import State
from warcabinet.model.units import Unit, kind_name, unit_branch
from warcabinet.rules.common.pieces import patron, side_of, units_at
from warcabinet.rules.common.supply_by_land import enemies, friends, hexes_of

GROUND, AIR, NAVAL = "ground", "air", "naval"
ALL_BRANCHES = (GROUND, AIR, NAVAL)


def branch_of(unit: Unit) -> str:
    """Whether a unit goes like ground units, aircraft or ships."""
    branch = unit_branch(unit)
    return branch if branch in ALL_BRANCHES else GROUND


def named(place: Place) -> str:
    """A box or a hex in words."""
    id_ = place.removeprefix("box/")
    if id_ in boxes():
        return f"the {boxes()[id_].name}"
    return places_at(place)[0].name if places_at(place) else id_


#: What is against a way at its other end, in words or by a clause of its own: state, order, place.
Obstacle = Callable[[State, MoveUnits, Place], "Refusal | str | None"]


class Way(NamedTuple):
    """A way into a box or out of it; one without means tells of those that its clause shuts.

    Its clause is the number within its chapter: the chapters of the boxes are near twins.
    """

    clause: str
    #: Branches, or kinds of units such as armor.
    units: tuple[str, ...]
    means: tuple[str, ...]
    obstacle: Obstacle = lambda s, cmd, place: None
    phase: str = ""
    #: Means on which the clause has the word, though no way leads so.
    shuts: tuple[str, ...] = ()
    told: str = ""

    def takes(self, cmd: MoveUnits) -> bool:
        return branch_of(cmd.unit) in self.units or kind_name(cmd.unit) in self.units

    def speaks_of(self, cmd: MoveUnits) -> bool:
        return cmd.how in self.means or cmd.how in self.shuts


def no_way(s: State, cmd: MoveUnits, ways: tuple[Way, ...], box: Place, chapter: str) -> Refusal | None:
    """Why an order does not lead into a box, or out of it, by the nearest clause; nothing if a way is open."""
    into = cmd.to == box
    fault: Refusal | str | None
    way = next((it for it in ways if cmd.how in it.means and it.takes(cmd)), None)
    if way is None:
        way, fault = _nearest(cmd, ways, box, "enter" if into else "leave")
    elif way.phase and s.place.step.name != way.phase:
        done = "entered" if into else "left"
        fault = f"by {cmd.how} {named(box)} is {done} in the {way.phase} phase only"
    else:
        fault = way.obstacle(s, cmd, cmd.from_ if into else cmd.to)
    if not fault or isinstance(fault, Refusal):
        return fault or None
    return Refusal(f"{chapter}.{way.clause}", fault)


def _nearest(cmd: MoveUnits, ways: tuple[Way, ...], box: Place, verb: str) -> tuple[Way, str]:
    """What is told of an order for which there is no way: by the clause on its means, else by the one on its units."""
    mine = [it for it in ways if it.takes(cmd)]
    found = (
        next((it for it in mine if it.speaks_of(cmd)), None)
        or next((it for it in ways if cmd.how in it.shuts), None)
        or next(iter(mine), ways[0])
    )
    means = dict.fromkeys(how for it in mine for how in it.means)
    open_to = f"by {' or '.join(means)}, not by {cmd.how}" if means else "in no way"
    return found, found.told or f"{branch_of(cmd.unit)} units {verb} {named(box)} {open_to}"


# -- what is not done at boxes ------------------------------------------------------------------------------------

EVERY_MISSION: frozenset[Mission] = frozenset(get_args(Mission))
INTERCEPTIONS: frozenset[Mission] = frozenset({"intercept naval mission", "attack sea supply"})
Where = Literal["into", "out of", "at"]


class Ban(NamedTuple):
    """Operations that are not carried out into a box, out of it, or either, by which clause, for whom and when."""

    clause: str
    where: Where
    branches: tuple[str, ...]
    missions: Set[Mission]
    told: str
    to: Callable[[State, str], bool] = lambda s, nation: True
    unless: Callable[[State, ReportOperation], bool] = lambda s, cmd: False
    phase: str = ""
    also: tuple[str, ...] = ()

    def holds(self, s: State, cmd: ReportOperation, box: str) -> bool:
        if cmd.branch not in self.branches or cmd.mission not in self.missions:
            return False
        if self.where not in ("at", _side(cmd, box)) or (self.phase and s.place.step.name != self.phase):
            return False
        return self.to(s, cmd.nation) and not self.unless(s, cmd)


def _side(cmd: ReportOperation, box: str) -> Where:
    """Whether an operation leads into a box, or takes place in it, or leads out of it."""
    return "into" if cmd.at and cmd.at == box else "out of"


def banned(s: State, cmd: ReportOperation, bans: tuple[Ban, ...], box: Place, chapter: str) -> Refusal | None:
    """The first ban that an operation at a box offends against, if any does."""
    ban = next((it for it in bans if it.holds(s, cmd, box)), None)
    if ban is None:
        return None
    told = ban.told.format(box=named(box))
    return Refusal(f"{chapter}.{ban.clause}", told, also=tuple(f"{chapter}.{it}" for it in ban.also))


#: Redeployment at large, and the three kinds of it: which one it is matters where a clause names one (TR, SR, NR).
TR, SR, NR = "tactical redeployment", "strategic redeployment", "naval redeployment"
REDEPLOYMENTS = ("redeployment", TR, SR, NR)
#: Ways of moving that lead over water.
BY_SEA = (NR, "sea transport", "seaborne invasion", "base change")


def box_key(id_: str) -> Place:
    """A box as a place."""
    return Place(f"box/{id_}")


def enters(cmd: MoveUnits, id_: str) -> bool:
    """Whether an order leads into a box from outside."""
    return cmd.to == box_key(id_) and cmd.from_ != box_key(id_)


def leaves(cmd: MoveUnits, id_: str) -> bool:
    """Whether an order leads out of a box."""
    return cmd.from_ == box_key(id_) and cmd.to != box_key(id_)


def other_end(cmd: MoveUnits, id_: str) -> Place:
    """Where an order that enters or leaves a box has its other end."""
    origin, to = cmd.from_, cmd.to
    return origin if to == box_key(id_) else to


def linked(id_: str, place: Place, means: str) -> bool:
    """Whether a hex touches a box, or another box is joined to it, by a means of passing."""
    if place.startswith("box/"):
        return joined(id_, place.removeprefix("box/"), means)
    return place in box(id_).hexes(means)


def ground_in(s: State, id_: str, side: str) -> Iterator[Stack]:
    """The ground units of an alliance faction in a box."""
    return (it for it in units_at(s, box_key(id_)) if it.branch == "ground" and side_of(s, it.nation) == side)


def ground_beside(s: State, id_: str, nations: Collection[str], board: str = "") -> Iterator[Stack]:
    """The ground units of some nations on the hexes over which ground units reach a box."""
    hexes = (key for key in box(id_).hexes("ground") if key.startswith(f"{board}/" if board else ""))
    return (it for key in hexes for it in units_at(s, key) if it.branch == "ground" and it.nation in nations)


def factors(stacks: Iterator[Stack]) -> int:
    """The combat factors of some units together."""
    return sum(it.factors for it in stacks)


#: Redeployments that do not lead over the sea, or do not say whether they do.
OVERLAND = ("redeployment", TR, SR)

#: Boxes to which only the sea leads from the European board.
OVERSEAS = tuple(f"box/{it}" for it in ("atlantic_us", "pacific_us", "south_africa", "india_box", "australia_box"))

#: Whether a nation's units pass a strait between two places: state, nation, strait, whence, whither.
Past = Callable[["State", str, str, Place, Place], bool]


@lasting
def waters_of(passage: str) -> Board:
    """The board on which a passage lies."""
    return next(one for one in both() if passage in passages(one))


def strait(passage: str) -> Passage:
    return passages(waters_of(passage))[passage]


@cache
def _beyond(passage: str, origin: str) -> int:
    """The hexes to which ships get from one through a passage and in no other way, as a bitmap."""
    one = waters_of(passage)
    if board_of(origin) != one.name or not (start := one[origin.partition("/")[2]]).seas:
        return 0
    every = list(passages(one))
    return sail(one, start.id, every) & ~sail(one, start.id, [it for it in every if it != passage])


def only_by(passage: str, origin: str, to: str) -> bool:
    """Whether ships get from one hex to another through a passage and in no other way."""
    return bool(_beyond(passage, origin) & waters_of(passage).single.get(to, 0))


@once
def _beyond_for(s: State, nation: str, passage: str, origin: Place) -> int:
    """The hexes to which a nation's units get from a place through a passage alone, from whichever port they sail."""
    found = [_beyond(passage, it) for it in _sails_from(s, nation, origin)]
    return reduce(and_, found) if found else 0


def _sails_from(s: State, nation: str, place: Place) -> tuple[str, ...]:
    """Where units put to sea: there, or from a city without a coast, such as London, in ports joined to it by land."""
    return (place,) if _on_water(place) else _harbours(s, nation, place)


def must_pass(s: State, nation: str, passage: str, origin: Place, to: Place) -> bool:
    """Whether a nation's units get from one place to another by sea through a passage and in no other way."""
    beyond = _beyond_for(s, nation, passage, origin)
    if not beyond:
        return False
    one, there = waters_of(passage), _sails_from(s, nation, to)
    return bool(there) and all(beyond & one.single.get(it, 0) for it in there)


def carried_past(s: State, nation: str, passage: str, origin: Place, to: Place) -> bool:
    """Whether troops said to have gone from one place to another were carried through a passage.

    A report does not say how: they did not walk, and no port that friendly land joins to either end spares it.
    """
    if _on_water(origin) and _on_water(to) and not only_by(passage, origin, to):
        return False  # the map alone tells: no search over land is needed
    if marches(s, patron(s, nation) or nation, origin, to):
        return False
    ends = ((it, *_harbours(s, nation, it)) if _on_water(it) else _harbours(s, nation, it) for it in (origin, to))
    starts, goals = ends
    return bool(starts and goals) and all(only_by(passage, start, goal) for start, goal in product(starts, goals))


@lasting
def _on_water(place: Place) -> bool:
    return board_of(place) != europe().name or bool(europe()[place.partition("/")[2]].seas)


def _harbours(s: State, nation: str, place: Place) -> tuple[str, ...]:
    """The ports of Europe that land of a nation's side joins to a place there."""
    land = _friendly_land(s, nation)
    if board_of(place) != europe().name or not land & europe().single[place]:
        return ()
    known, here = _shores(s, nation), europe().single[place]
    found = next((ports for ground, ports in known if ground & here), None)
    if found is None:
        ground = reach(europe(), here, land)
        found = tuple(it for it in _ports() if ground & europe().single[it])
        known.append((ground, found))
    return found


@once
def _shores(s: State, nation: str) -> list[tuple[int, tuple[str, ...]]]:
    """Stretches of land of a nation's side with their ports, as far as somebody has asked."""
    return []


@lasting
def _ports() -> tuple[str, ...]:
    """The places of Europe that have a port, each once."""
    return tuple(dict.fromkeys(f"{europe().name}/{id_}" for id_ in ports(europe()).values()))


def _friendly_land(s: State, nation: str) -> int:
    """The European hexes that a nation's side holds, as a bitmap."""
    leader = patron(s, nation)
    return hexes_of(s, europe(), friends(s, leader) if leader else frozenset({nation}))


def joined_by_land(s: State, nation: str, origin: Place, goals: tuple[str, ...]) -> bool:
    """Whether land that a nation's side holds leads on the European board from one hex to any of some others."""
    reached = _reached_by_land(s, nation, origin)
    return any(reached & europe().single[it] for it in goals)


@once
def _reached_by_land(s: State, nation: str, origin: Place) -> int:
    """The European hexes to which land that a nation's side holds leads from a hex, as a bitmap."""
    return reach(europe(), (origin,), _friendly_land(s, nation))


def marches(s: State, power: str, origin: Place, to: str) -> bool:
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
    branch = unit_branch(cmd.unit)
    return redeployed_by_sea(s, cmd.nation, branch, cmd.how, cmd.from_, cmd.to)


def redeployed_by_sea(s: State, nation: str, branch: str, how: str, origin: Place, to: str) -> bool:
    """The same of units of a branch that go from one place to another."""
    if how not in OVERLAND:
        return False
    if branch == "naval":
        return True
    if not board_of(origin) == board_of(to) == europe().name:
        return _overseas(s, nation, origin, to)
    if branch != "ground":
        return False
    return not joined_by_land(s, nation, origin, (to,))


def _overseas(s: State, nation: str, origin: Place, to: str) -> bool:
    """Whether an ocean lies between Europe and a box, or the other board, to which Russia alone has a way by land."""
    boards = {board_of(origin), board_of(to)}
    if europe().name not in boards or side_of(s, nation) == "russia":
        return False
    return len(boards) == 2 and (origin in OVERSEAS or to in OVERSEAS or boards == {it.name for it in both()})
