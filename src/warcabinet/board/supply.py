"""Land supply: a breadth-first search over bitmaps.

The asking rule says which hexes and which sides a line may use. The answer is a shortest line, or what cuts it. All
hexes that are equally far from the source are handled at once, as one integer, so a whole board takes some sixty steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

import msgspec

from warcabinet.board import hexes
from warcabinet.board.maps import Board, Sides


class Line(msgspec.Struct, frozen=True):
    """The outcome of a search."""

    found: bool
    #: From source to target, both included; empty when no line was found.
    path: tuple[str, ...] = ()
    #: The fewest hexes that, opened, would let a line through; empty when one was found or no land leads there.
    cut: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.found

    @property
    def severed(self) -> bool:
        """No opening of hexes would help: water, or no source or target at all."""
        return not self.found and not self.cut


def trace(
    board: Board, sources: Iterable[str] | int, targets: Iterable[str] | int, permitted: int, sides: Sides | None = None
) -> Line:
    """Trace a supply line from any source to any target through permitted hexes, both ends included.

    `permitted` is a bitmap (`Board.bits`); `sides` are those that may be crossed, by default all that ground units may.
    """
    over = board.ground_sides if sides is None else sides
    start = sources if isinstance(sources, int) else board.bits(sources)
    goal = targets if isinstance(targets, int) else board.bits(targets)
    layers = _layers(board, start & permitted, goal & permitted, permitted, over)
    if layers:
        return Line(True, _walk_back(board, layers, goal, over))
    return Line(False, cut=_fewest_cuts(board, start, goal, permitted, over))


class Lines:
    """Supply lines from the same sources through the same hexes to one target after another: searched once for all."""

    def __init__(self, board: Board, sources: Iterable[str], permitted: int) -> None:
        self._board, self._permitted, self._start = board, permitted, board.bits(sources)
        self._layers = _layers(board, self._start & permitted, 0, permitted, board.ground_sides, whole=True)
        self._found: dict[str, Line] = {}
        #: All hexes that a line reaches, as a bitmap.
        self.reached = 0
        for layer in self._layers:
            self.reached |= layer

    def reaches(self, target: str) -> bool:
        """Whether there is a line to this target at all."""
        return bool(self.reached & self._board.single[target])

    def to(self, target: str) -> Line:
        """What `trace` finds to this target."""
        line = self._found.get(target)
        if line is None:
            line = self._found[target] = self._trace(self._board.bits((target,)))
        return line

    def _trace(self, goal: int) -> Line:
        board, sides = self._board, self._board.ground_sides
        for number, layer in enumerate(self._layers, 1):
            if layer & goal:
                return Line(True, _walk_back(board, self._layers[:number], goal, sides))
        return Line(False, cut=_fewest_cuts(board, self._start, goal, self._permitted, sides))


def reach(board: Board, sources: Iterable[str] | int, permitted: int, sides: Sides | None = None) -> int:
    """All hexes that a line from the sources reaches, as a bitmap."""
    over = board.ground_sides if sides is None else sides
    start = sources if isinstance(sources, int) else board.bits(sources)
    return _flood(board, start & permitted, permitted, over)


def supplied(board: Board, sources: Iterable[str] | int, at: str, permitted: int, sides: Sides | None = None) -> bool:
    """Whether a line reaches one hex."""
    over = board.ground_sides if sides is None else sides
    start = sources if isinstance(sources, int) else board.bits(sources)
    goal = board.bits((at,))
    return bool(_flood(board, start & permitted, permitted, over, goal) & goal)


def _flood(board: Board, start: int, permitted: int, sides: Sides, goal: int = 0) -> int:
    """The hexes that are reached: all of them, or as many as are found before a goal is."""
    # The loop is spread out by hand: it is the only hot one of the board.
    s0, s1, s2, s3, s4, s5 = sides
    east, down, downleft = board.shifts[0], board.shifts[5], board.shifts[4]
    todo = permitted & ~start
    front = start
    while front:
        front = (
            (front & s0) << east
            | (front & s3) >> east
            | (front & s1) >> downleft
            | (front & s4) << downleft
            | (front & s2) >> down
            | (front & s5) << down
        ) & todo
        todo ^= front
        if front & goal:
            break
    return start | (permitted & ~todo)


def _layers(board: Board, start: int, goal: int, permitted: int, sides: Sides, whole: bool = False) -> list[int]:
    """The hexes at distance 0, 1, 2 ... up to the first that holds a goal; nothing when none is reached.

    The `whole` search has no goal and goes on to the end.
    """
    s0, s1, s2, s3, s4, s5 = sides
    east, down, downleft = board.shifts[0], board.shifts[5], board.shifts[4]
    todo = permitted & ~start
    front = start
    layers = []
    while front:
        layers.append(front)
        if front & goal:
            return layers
        front = (
            (front & s0) << east
            | (front & s3) >> east
            | (front & s1) >> downleft
            | (front & s4) << downleft
            | (front & s2) >> down
            | (front & s5) << down
        ) & todo
        todo ^= front
    return layers if whole else []


def _walk_back(board: Board, layers: list[int], goal: int, sides: Sides) -> tuple[str, ...]:
    hit = layers[-1] & goal
    at = hit & -hit
    path = [at]
    around = _around(board.name, sides)
    for layer in reversed(layers[:-1]):
        # Sides work both ways, so where a hex can be left to, it can be entered from.
        hex = at.bit_length()
        beside = around.get(hex)
        if beside is None:
            beside = around[hex] = board.spread(at, sides)
        before = beside & layer
        at = before & -before
        path.append(at)
    return tuple(board.id_of_bit[bit.bit_length() - 1] for bit in reversed(path))


@lru_cache(maxsize=8)
def _around(name: str, sides: Sides) -> dict[int, int]:
    """The hexes beside each hex of a board over these sides, as far as anybody has asked."""
    return {}


def _fewest_cuts(board: Board, start: int, goal: int, permitted: int, sides: Sides) -> tuple[str, ...]:
    """Grow through permitted hexes for nothing and through forbidden land one hex at a time, until a goal is met."""
    layers: list[int] = []
    reached, front, forced = 0, start & permitted, start & ~permitted
    while True:
        while front:
            layers.append(front)
            reached |= front
            front = board.spread(front, sides) & permitted & ~reached
        forced = (forced | board.spread(reached, sides)) & board.land & ~reached
        if not reached & goal:
            if not forced:
                return ()
            layers.append(forced)
            reached |= forced
        if reached & goal:
            return _forbidden_on_the_way(board, layers, goal, permitted, sides)
        front, forced = board.spread(forced, sides) & permitted & ~reached, 0


def _forbidden_on_the_way(board: Board, layers: list[int], goal: int, permitted: int, sides: Sides) -> tuple[str, ...]:
    index = next(i for i, layer in enumerate(layers) if layer & goal)
    hit = layers[index] & goal
    cut = []
    while index >= 0:
        at = hit & -hit
        if not at & permitted:
            cut.append(board.id_of_bit[at.bit_length() - 1])
        around = board.spread(at, sides)
        index = next((i for i in range(index - 1, -1, -1) if layers[i] & around), -1)
        hit = layers[index] & around
    return tuple(reversed(cut))


def length(board: Board, path: Iterable[str]) -> int:
    """The number of steps of a path, after checking that it hangs together."""
    steps = list(path)
    for a, b in pairwise(steps):
        hexes.direction(board[a].at, board[b].at)
    return max(0, len(steps) - 1)
