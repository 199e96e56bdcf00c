"""The forces with which the classic campaign starts: what the documents print, and what is assumed in their place."""

from __future__ import annotations

from collections import Counter

import pytest

from warcabinet.figures.position import Position, UnitLine, set_up, starting_forces
from warcabinet.game import Game, Refused
from warcabinet.game.journal import unbalanced
from warcabinet.model.counters import assumed_counters
from warcabinet.model.names import powers
from warcabinet.model.pieces import UNBUILT
from warcabinet.model.places import holder, place_key
from warcabinet.model.units import kind_name, parse_unit, unit_cost, unit_factors
from warcabinet.rules.common.pieces import patron
from warcabinet.rules.minors.geography import land

LINES = starting_forces("classic-1939")


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.new("classic-1939")


def test_every_power_has_an_army_and_a_force_pool(game: Game):
    assert unbalanced(game.state) == {}
    assert {nation for nation in powers() if any(game.state.pieces.of(nation))} == set(powers())
    pools = {power for power in powers() if game.state.pieces.off(power, UNBUILT)}
    assert pools == set(powers())


def test_every_line_says_where_it_comes_from_and_stands_at_home(game: Game):
    for line in LINES:
        assert line.source.startswith("assumed") or line.source[0].isdigit(), line
        parse_unit(line.unit)
        if line.at != "unbuilt" and not place_key(line.at).startswith("box/"):
            assert holder(game.state, place_key(line.at)) == patron(game.state, line.nation), line


def garrison(nation: str, lands: tuple[str, ...]) -> list[tuple[str, int]]:
    found = []
    for line in LINES:
        here = place_key(line.at) if line.at != "unbuilt" else ""
        if line.nation == nation and here.startswith("pacific/") and land(here)[0] in lands:
            found.append((line.unit, line.count))
    return found


@pytest.mark.parametrize(
    ("nation", "lands", "armor", "infantry", "air"),
    [("japan", ("manchuria",), 6, 18, 5), ("russia", ("siberia", "mongolia", "tannu_tuva", "russia"), 6, 18, 5)],
)
def test_manchuria_and_siberia_hold_45_brps(nation: str, lands: tuple[str, ...], armor: int, infantry: int, air: int):
    # 81.31, 81.41: 12 + 18 + 15.
    factors: Counter[str] = Counter()
    worth = 0
    for unit, count in garrison(nation, lands):
        kind = kind_name(unit)
        factors[kind] += count * (1 if kind == "army air" else unit_factors(unit))
        worth += count * unit_cost(unit)
    assert (factors["armor"], factors["infantry"], factors["army air"]) == (armor, infantry, air)
    assert worth == 45


def test_no_counter_is_used_that_the_list_does_not_have():
    used: Counter[tuple[str, str]] = Counter()
    for line in LINES:
        used[line.nation, line.unit] += line.count
    for (nation, unit), count in used.items():
        if nation in powers():
            assert count <= assumed_counters()[nation][unit].count, (nation, unit)


def test_a_bare_start_stays_possible():
    bare = Game.new("classic-1939", options={"forces": "none"})
    assert not any(bare.state.pieces.of("germany"))


def test_whoever_brings_units_brings_the_set_up():
    own, _ = set_up(Position("classic-1939", units=(UnitLine("germany", "infantry", "Berlin", "3-3", 2),)))
    assert sum(it.count for it in own.pieces.of("germany")) == 2


def test_a_position_of_a_later_turn_starts_bare():
    later, _ = set_up(Position("classic-1939", turn="Spring 1941"))
    assert not any(later.pieces.of("germany"))


def test_the_commonwealth_stands_and_the_others_are_still_to_be_set_up(game: Game):
    with pytest.raises(Refused, match="set up first: Communist China, Dutch East Indies, Philippines, Thailand"):
        game.do({"do": "advance"})
