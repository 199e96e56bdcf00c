"""Hex mathematics: laws that must hold for every hex, and the facts that fixed the grid."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warcabinet.board import hexes
from warcabinet.board.hexes import Axial
from warcabinet.kernel.errors import WarCabinetError

ANY = st.builds(Axial, st.integers(0, 39), st.integers(1, 99))


@given(ANY)
def test_an_id_survives_the_round_trip(at: Axial) -> None:
    assert hexes.parse_id(str(at)) == at
    assert hexes.parse_id(f" {str(at).lower()} ") == at


@given(ANY)
def test_six_neighbours_each_one_step_away_and_mutual(at: Axial) -> None:
    around = hexes.neighbours(at)
    assert len(set(around)) == 6
    for i, other in enumerate(around):
        assert hexes.distance(at, other) == 1
        assert at in hexes.neighbours(other)
        assert hexes.direction(at, other) == i
        assert hexes.direction(other, at) == (i + 3) % 6


@given(ANY, ANY, ANY)
def test_distance_is_a_metric(a: Axial, b: Axial, c: Axial) -> None:
    assert hexes.distance(a, b) == hexes.distance(b, a)
    assert (hexes.distance(a, b) == 0) == (a == b)
    assert hexes.distance(a, c) <= hexes.distance(a, b) + hexes.distance(b, c)


@given(ANY, ANY)
def test_a_line_takes_as_many_steps_as_the_distance(a: Axial, b: Axial) -> None:
    line = hexes.line(a, b)
    assert (line[0], line[-1]) == (a, b)
    assert len(line) == hexes.distance(a, b) + 1
    assert all(hexes.distance(x, y) == 1 for x, y in pairwise(line))


@given(ANY, st.integers(0, 6))
def test_a_ring_holds_exactly_the_hexes_at_its_distance(at: Axial, radius: int) -> None:
    ring = list(hexes.ring(at, radius))
    assert len(ring) == len(set(ring)) == (6 * radius or 1)
    assert {hexes.distance(at, other) for other in ring} == {radius}
    assert len(list(hexes.within(at, radius))) == 1 + 3 * radius * (radius + 1)


@given(ANY, st.floats(-0.28, 0.28), st.floats(-0.28, 0.28))
def test_a_point_near_the_centre_lies_in_the_hex(at: Axial, dx: float, dy: float) -> None:
    x, y = hexes.centre(at)
    assert hexes.at_point(x + dx, y + dy) == at


@given(ANY)
def test_a_side_is_shared_by_the_two_hexes(at: Axial) -> None:
    mine = hexes.corners(at)
    for i, other in enumerate(hexes.neighbours(at)):
        theirs = hexes.corners(other)
        ends = {_round(mine[i]), _round(mine[(i + 1) % 6])}
        assert ends == {_round(theirs[(i + 3) % 6]), _round(theirs[(i + 4) % 6])}


def _round(point: tuple[float, float]) -> tuple[float, float]:
    return round(point[0], 6), round(point[1], 6)


@pytest.mark.parametrize(
    ("a", "b"),
    [("LL30", "LL31"), ("MM30", "LL31"), ("MM30", "MM31"), ("EE11", "DD11"), ("EE10", "FF10"), ("NN19", "MM20")],
)
def test_sides_that_the_rules_name_exist(a: str, b: str) -> None:
    assert hexes.distance(hexes.parse_id(a), hexes.parse_id(b)) == 1


@pytest.mark.parametrize("text", ["", "28", "K", "K0", "OO3", "AB4", "K100", "ZZZ1", "K-3"])
def test_what_is_no_id_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(WarCabinetError, match="K28"):
        hexes.parse_id(text)
