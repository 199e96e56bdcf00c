"""The view of both garrisons: worth unit by unit, what may leave, transfers, declarations of war (81)."""

from __future__ import annotations

from typing import Any

import pytest

from positions import GARRISONS, WITHDRAWN, game_of
from warcabinet.game import Game
from warcabinet.rules.common.waiting import duties
from warcabinet.views.garrison_page import garrison_page
from warcabinet.views.garrison_parts import GarrisonPage, GarrisonSide


@pytest.fixture
def game() -> Game:
    return game_of(GARRISONS)


def page(game: Game) -> GarrisonPage:
    return garrison_page(game.state, game.log())


def row(side: GarrisonSide, kind: str) -> Any:
    return next(it for it in side.rows if it.type == kind)


def line(side: GarrisonSide, clause: str) -> Any:
    return next(it for it in side.lines if it.clause == clause)


def test_full_garrisons_are_worth_45_counter_by_counter(game: Game):
    shown = page(game)
    for side in (shown.manchuria, shown.siberia):
        assert (side.value, sum(it.brp for it in side.rows)) == (45, 45)
        assert [(it.type, it.factors, it.needed, it.brp) for it in side.rows] == [
            ("armor", 6, 6, 12),
            ("infantry", 18, 18, 18),
            ("army air", 5, 5, 15),
        ]
        for it in side.rows:
            assert sum(unit.brp for unit in it.units) == it.brp
            assert all(unit.brp == unit.each * unit.counted for unit in it.units)
    assert shown.transfers == ()
    assert {it.at for it in shown.manchuria.marks} == {30, 45}


def test_the_example_stands_on_a_line_of_moments(game: Game):
    game.do(WITHDRAWN)
    before = page(game)
    assert (before.manchuria.value, row(before.manchuria, "infantry").factors) == (42, 15)
    gone = before.manchuria.departures[0]
    assert (gone.unit, gone.count, gone.move) == ("infantry 3-2", 1, game.head.id)
    assert "Canton" in gone.text
    assert [it.state for it in before.transfers[0].moments] == ["now", "ahead", "ahead", "end"]

    game.advance("Spring 1941, Allied, start of player turn")
    counted = page(game)
    transfer = counted.transfers[0]
    assert (transfer.text, transfer.clause, transfer.ends) == (
        "3 infantry factors, Siberia to Europe",
        "81.42B",
        "Summer 1941",
    )
    assert [it.state for it in transfer.moments] == ["done", "now", "ahead", "end"]
    held = row(counted.siberia, "infantry").units[0]
    assert (held.may_leave, held.clause) == (0, "81.42")
    assert line(counted.siberia, "81.42").state == "no"
    assert "Summer 1941" in line(counted.siberia, "81.42").text

    game.advance("Summer 1941, Allied, redeployment")
    free = page(game)
    assert free.transfers == ()
    assert {it.unit: it.may_leave for it in row(free.siberia, "infantry").units} == {
        "infantry 3-2": 1,
        "infantry 2-2": 1,
        "infantry 1-2": 3,
    }
    assert "3 infantry factors" in line(free.siberia, "81.42B").text


def test_what_would_follow_if_a_counter_left(game: Game):
    shown = page(game)
    armor = row(shown.manchuria, "armor").units
    assert {it.unit: it.if_left for it in armor} == {
        "armor 2-3": "worth 41, 3 armor factors more would be freed in Siberia",
        "armor 1-3": "worth 43, 3 armor factors more would be freed in Siberia",
    }
    air = row(shown.siberia, "army air").units[0]
    assert air.if_left == "worth 42, Japan would need 4 army air factors"


def test_declarations_of_war_say_what_they_cost_and_need(game: Game):
    japan, russia = page(game).declarations
    assert (japan.cost, japan.open, [it.met for it in japan.conditions]) == (35, False, [False, True])
    assert (russia.cost, russia.open, [it.met for it in russia.conditions]) == (35, False, [False, False, True])
    assert "16 more would have to leave" in russia.conditions[0].detail
    game.do({"do": "report_track", "track": "rgt", "level": 50})
    russia = page(game).declarations[1]
    assert russia.open
    assert russia.next_chance == "Next chance: Spring 1941, Allied, declarations of war"
    game.advance("Spring 1941, Allied, declarations of war")
    assert page(game).declarations[1].next_chance == "Now"
    game.do({"do": "declare_war", "power": "russia", "on": ["japan"]})
    assert (page(game).standing, page(game).declarations) == ("at war", ())


def test_war_with_germany_frees_what_is_above_the_minimum(game: Game):
    game.do({"do": "report_war", "between": ["germany", "russia"], "declared_by": "germany"})
    shown = page(game)
    assert (shown.transfers[0].clause, shown.transfers[0].ends) == ("81.42A", "Summer 1941")
    game.advance("Summer 1941, Allied, redeployment")
    freed = page(game)
    assert freed.transfers == ()
    assert line(freed.siberia, "81.42A").text.startswith("May leave: 15 BRPs")
    armor = row(freed.siberia, "armor").units
    assert [it.may_leave for it in armor] == [1, 1]


def test_a_bare_board_counts_nothing():
    shown = garrison_page(Game.new("classic-1939", options={"forces": "none"}).state)
    assert (shown.known, shown.manchuria.value, shown.transfers) == (False, 0, ())


def test_a_pacific_scenario_says_what_may_be_withdrawn():
    given = GARRISONS.replace("Spring 1941", "Summer 1941") + "options: {scope: pacific}\n"
    shown = garrison_page(game_of(given).state)
    assert line(shown.manchuria, "81.33").text == "May leave: 15 BRPs, once"
    air = row(shown.manchuria, "army air").units[0]
    assert air.may_leave == 5
    early = garrison_page(game_of(GARRISONS + "options: {scope: pacific}\n").state)
    assert (row(early.manchuria, "army air").units[0].may_leave, line(early.manchuria, "81.33").state) == (0, "no")


ARMOR_OWED = """
scenario: prequel
turn: Spring 1940
phase: unit construction
options: {missing_japanese_armor: 2}
set: {powers.japan.brp: 40, powers.japan.base: 60}
pools: [{nation: japan, type: armor, strength: 1-3, count: 2}]
units:
  - {nation: japan, type: armor, strength: 2-3, at: Harbin, count: 2}
  - {nation: japan, type: infantry, strength: 3-2, at: Harbin, count: 6}
  - {nation: russia, type: armor, strength: 3-3, at: Chita, count: 2}
  - {nation: russia, type: infantry, strength: 3-2, at: Chita, count: 6}
"""


def owed(game: Game) -> list[tuple[str, tuple[str, ...], str]]:
    return [(it.clause, it.of, it.command) for it in duties(game.state) if it.clause.startswith("81.")]


def test_armor_that_japan_owes_is_a_duty_until_it_stands_in_manchuria():
    game = game_of(ARMOR_OWED)
    assert owed(game) == [("81.31A", ("japan",), "build")]
    game.do({"do": "build", "power": "japan", "at": "Tokyo", "units": ["2 armor 1-3"]})
    assert owed(game) == []
    game.advance("Spring 1940, Axis, redeployment")
    assert owed(game) == [("81.31A", ("japan",), "move")]
    moved = {"do": "move", "nation": "japan", "unit": "armor 1-3", "from": "Tokyo", "to": "Harbin", "count": 2}
    game.do(moved | {"how": "naval redeployment"})
    assert owed(game) == []


def test_what_siberia_lacks_is_a_duty_in_russian_construction():
    given = """
scenario: prequel
turn: Spring 1940
player: allied
phase: unit construction
set: {powers.russia.brp: 40, powers.russia.base: 60}
pools: [{nation: russia, type: infantry, strength: 3-2, count: 2}]
units: [{nation: russia, type: infantry, strength: 3-2, at: Chita, count: 4}]
"""
    game = game_of(given)
    assert owed(game) == [("81.41D(1)", ("russia",), "build")]
    game.do({"do": "build", "power": "russia", "at": "Chita", "units": ["2 infantry 3-2"]})
    assert owed(game) == []
