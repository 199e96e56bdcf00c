"""Ways into boxes and out of them, and what is not done at them: rows that one question goes through.

A way says who goes by it, by which means, in which phase, and what may be against it at its other end. Who finds no
way is told the clause that comes nearest. A ban says which operations into a box or out of it are not carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Literal, NamedTuple, get_args, get_type_hints

from warcabinet.board.boxes import boxes
from warcabinet.kernel.limits import Refusal
from warcabinet.model.commands.minors import MoveUnits, ReportOperation
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.model.units import kind_name, parse_unit

GROUND, AIR, NAVAL = "ground", "air", "naval"
ANY_UNIT = (GROUND, AIR, NAVAL)


def branch_of(unit: str) -> str:
    """Whether a unit goes like ground units, aircraft or ships."""
    branch = parse_unit(unit)[0].branch
    return branch if branch in ANY_UNIT else GROUND


def named(box: str) -> str:
    """A box in words."""
    return f"the {boxes()[box.removeprefix('box/')].name}"


#: What is against a way at its other end, in words or by a clause of its own: state, order, place.
Obstacle = Callable[[State, MoveUnits, str], "Refusal | str | None"]


def unhindered(s: State, cmd: MoveUnits, place: str) -> None:
    return None


class Way(NamedTuple):
    """A way into a box or out of it; one without means tells of those that its clause shuts.

    Its clause is the number within its chapter: the chapters of the boxes are near twins.
    """

    clause: str
    #: Branches, or kinds of units such as armor.
    units: tuple[str, ...]
    means: tuple[str, ...]
    obstacle: Obstacle = unhindered
    phase: str = ""
    #: Means on which the clause has the word, though no way leads so.
    shuts: tuple[str, ...] = ()
    told: str = ""

    def takes(self, cmd: MoveUnits) -> bool:
        return branch_of(cmd.unit) in self.units or kind_name(cmd.unit) in self.units

    def speaks_of(self, cmd: MoveUnits) -> bool:
        return cmd.how in self.means or cmd.how in self.shuts


def no_way(s: State, cmd: MoveUnits, ways: tuple[Way, ...], box: str, chapter: str) -> Refusal | None:
    """Why an order does not lead into a box, or out of it, by the nearest clause; nothing if a way is open."""
    into = place_key(cmd.to) == box
    fault: Refusal | str | None
    way = next((it for it in ways if cmd.how in it.means and it.takes(cmd)), None)
    if way is None:
        way, fault = _nearest(cmd, ways, box, "enter" if into else "leave")
    elif way.phase and s.place.step.name != way.phase:
        done = "entered" if into else "left"
        fault = f"by {cmd.how} {named(box)} is {done} in the {way.phase} phase only"
    else:
        fault = way.obstacle(s, cmd, place_key(cmd.from_ if into else cmd.to))
    if not fault or isinstance(fault, Refusal):
        return fault or None
    return Refusal(f"{chapter}.{way.clause}", fault)


def _nearest(cmd: MoveUnits, ways: tuple[Way, ...], box: str, verb: str) -> tuple[Way, str]:
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

EVERY_MISSION: frozenset[str] = frozenset(get_args(get_type_hints(ReportOperation)["mission"]))
INTERCEPTIONS = frozenset({"intercept naval mission", "attack sea supply"})
Where = Literal["into", "out of", "at"]


class Ban(NamedTuple):
    """Operations that are not carried out into a box, out of it, or either, by which clause, for whom and when."""

    clause: str
    where: Where
    branches: tuple[str, ...]
    missions: Set[str]
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
    return "into" if cmd.at and place_key(cmd.at) == box else "out of"


def concerns(cmd: ReportOperation, box: str) -> bool:
    """Whether an operation takes place at a box or out of it."""
    return any(it and place_key(it) == box for it in (cmd.at, cmd.origin))


def banned(s: State, cmd: ReportOperation, bans: tuple[Ban, ...], box: str, chapter: str) -> Refusal | None:
    """The first ban that an operation at a box offends against, if any does."""
    ban = next((it for it in bans if it.holds(s, cmd, box)), None)
    if ban is None:
        return None
    told = ban.told.format(box=named(box))
    return Refusal(f"{chapter}.{ban.clause}", told, also=tuple(f"{chapter}.{it}" for it in ban.also))
