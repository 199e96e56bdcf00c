"""Mapboard boxes: by which hexes and in which ways units pass in and out, and who stands in them and beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from warcabinet.board.boxes import box, joined
from warcabinet.model.commands.minors import MoveUnits
from warcabinet.model.pieces import Stack
from warcabinet.model.places import place_key
from warcabinet.model.state import State
from warcabinet.rules.common.pieces import side_of, units_at

#: Redeployment at large, and the three kinds of it: which one it is matters where a clause names one (TR, SR, NR).
TR, SR, NR = "tactical redeployment", "strategic redeployment", "naval redeployment"
REDEPLOYMENTS = ("redeployment", TR, SR, NR)
#: Ways of moving that lead over water.
BY_SEA = (NR, "sea transport", "seaborne invasion", "base change")


def box_key(id_: str) -> str:
    """A box as a place."""
    return f"box/{id_}"


def enters(cmd: MoveUnits, id_: str) -> bool:
    """Whether an order leads into a box from outside."""
    return place_key(cmd.to) == box_key(id_) and place_key(cmd.from_) != box_key(id_)


def leaves(cmd: MoveUnits, id_: str) -> bool:
    """Whether an order leads out of a box."""
    return place_key(cmd.from_) == box_key(id_) and place_key(cmd.to) != box_key(id_)


def other_end(cmd: MoveUnits, id_: str) -> str:
    """Where an order that enters or leaves a box has its other end."""
    origin, to = place_key(cmd.from_), place_key(cmd.to)
    return origin if to == box_key(id_) else to


def linked(id_: str, place: str, means: str) -> bool:
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
