"""The supply search against a plain search written the slow way."""

from __future__ import annotations

import random
from collections import deque
from itertools import pairwise

import pytest

from warcabinet.bench import supply_bench
from warcabinet.board import supply
from warcabinet.board.control import fall_1939, held
from warcabinet.board.maps import Board, Sides, both, europe, pacific


def crossable(one: Board, a: str, sides: Sides) -> list[str]:
    return list(one.ids(one.spread(one.bits([a]), sides)))


def slow_costs(one: Board, start: str, permitted: set[str], sides: Sides) -> dict[str, tuple[int, int]]:
    """Forbidden hexes stepped on, to every land hex, the source and target counted too."""
    best = {start: 0 if start in permitted else 1}
    queue = deque([start])
    while queue:
        a = queue.popleft()
        for b in crossable(one, a, sides):
            step = 0 if b in permitted else 1
            if best[a] + step < best.get(b, 10**6):
                best[b] = best[a] + step
                (queue.append if step else queue.appendleft)(b)
    return {id_: (cost, 0) for id_, cost in best.items()}


def slow_steps(one: Board, start: str, permitted: set[str], sides: Sides) -> dict[str, int]:
    if start not in permitted:
        return {}
    steps, queue = {start: 0}, deque([start])
    while queue:
        a = queue.popleft()
        for b in crossable(one, a, sides):
            if b in permitted and b not in steps:
                steps[b] = steps[a] + 1
                queue.append(b)
    return steps


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("one", both(), ids=lambda b: b.name)
def test_the_search_agrees_with_a_plain_one(one: Board, seed: int) -> None:
    chance = random.Random(seed)
    land = list(one.ids(one.land))
    permitted = {id_ for id_ in land if chance.random() < 0.72}
    start = chance.choice(land)
    bits = one.bits(permitted)
    steps = slow_steps(one, start, permitted, one.ground_sides)
    costs = slow_costs(one, start, permitted, one.ground_sides)
    assert set(one.ids(supply.reach(one, [start], bits))) == set(steps)
    for goal in chance.sample(land, 60):
        line = supply.trace(one, [start], [goal], bits)
        assert line.found == (goal in steps)
        if line.found:
            assert (line.path[0], line.path[-1]) == (start, goal)
            assert len(line.path) - 1 == steps[goal]
            assert set(line.path) <= permitted
            assert all(b in crossable(one, a, one.ground_sides) for a, b in pairwise(line.path))
        elif goal in costs:
            assert len(line.cut) == costs[goal][0]
            assert not set(line.cut) & permitted
            assert supply.trace(one, [start], [goal], bits | one.bits(line.cut)).found
        else:
            assert line.severed


def test_a_line_of_one_hex() -> None:
    one = europe()
    assert supply.trace(one, ["L31"], ["L31"], one.land).path == ("L31",)
    assert supply.trace(one, ["L31"], ["L31"], 0).cut == ("L31",)


def test_no_source_or_target_cuts_nothing() -> None:
    one = europe()
    assert supply.trace(one, [], ["L31"], one.land).severed
    assert supply.trace(one, ["L31"], [], one.land).severed


def test_water_is_not_cut_but_severed() -> None:
    one = europe()
    assert supply.trace(one, ["L31"], ["K23"], one.land).severed


def test_sides_given_by_the_rule_count() -> None:
    one = europe()
    turkey = one.bits(h.id for h in one if h.country == "turkey")
    assert supply.trace(one, ["AA32"], ["BB35"], turkey).found
    assert not supply.trace(one, ["AA32"], ["BB35"], turkey, one.dry_sides).found
    closed = one.without_sides(one.ground_sides, [("AA32", "AA33"), ("AA31", "BB31")])
    assert not supply.trace(one, ["AA32"], ["BB35"], turkey, closed).found
    other = one.without_sides(one.ground_sides, [("AA33", "AA32")])
    assert "AA31" in supply.trace(one, ["AA32"], ["BB35"], turkey, other).path


def test_the_hexes_that_cut_a_line_are_named() -> None:
    one = europe()
    russian = held(one, fall_1939(), ["russia"])
    whole = supply.trace(one, ["A47"], ["D49"], russian)
    assert whole.path == ("A47", "A48", "A49", "B49", "C49", "D49")
    shut = supply.trace(one, ["A47"], ["D49"], russian & ~one.bits(["D49"]))
    assert shut.cut == ("D49",)


def test_nothing_passes_through_switzerland() -> None:
    one = europe()
    around = supply.trace(one, ["Q23"], ["R25"], one.land).path
    assert around
    assert not {"Q24", "Q25", "R23", "R24"} & set(around)
    assert supply.trace(one, ["Q24"], ["Q23"], one.land).severed


def test_no_line_goes_round_the_canal() -> None:
    one = europe()
    canal = [("LL30", "LL31"), ("LL31", "MM30"), ("MM30", "MM31")]
    dry = one.without_sides(one.ground_sides, canal)
    sinai = one.bits(h.id for h in one if h.country == "egypt")
    assert supply.trace(one, ["MM29"], ["NN31"], sinai).found
    assert not supply.trace(one, ["MM29"], ["NN31"], sinai, dry).found


def test_himalaya_and_outback_are_closed() -> None:
    one = pacific()
    assert one.side("NN18", "NN19") == "outback"
    assert not supply.trace(one, ["NN18"], ["NN19"], one.bits(["NN18", "NN19"])).found
    assert len(supply.trace(one, ["NN18"], ["NN19"], one.land).path) == 3, "only by way of row MM"
    assert one.side("R9", "Q10") == "himalaya"
    assert not supply.trace(one, ["R9"], ["Q10"], one.bits(["R9", "Q10"])).found


def test_the_bench_measures_both_boards() -> None:
    for found in supply_bench.supply_bench(3).values():
        assert found["reach"] > 0
        assert found["hexes"] > 300
