"""What the map draws of nations, and what lies in a force pool, is said by the server: the page judges nothing."""

from __future__ import annotations

import pytest

from warcabinet.game import Game
from warcabinet.model.state import State
from warcabinet.model.unit_lists import unbuilt
from warcabinet.web.map.standing import nations, worn
from warcabinet.web.sheets.pool_sheet import ORDER, pool_sheet


@pytest.fixture(scope="module")
def spring(war: Game) -> State:
    """Spring 1942 of the demonstration."""
    found = (war.journal.state_at(id) for id in sorted(war.line()))
    return next(state for state in found if state.turn == 1942 * 4 and state.place.step.name == "unit construction")


def test_a_land_wears_the_colours_of_whom_it_stands_with(spring: State) -> None:
    colours = worn(spring)
    assert colours["poland"] == colours["rumania"] == colours["germany"] == "germany"
    assert colours["communist_china"] == "china"
    assert "sweden" not in colours
    assert "turkey" not in colours


def test_counters_are_taken_up_by_whoever_leads_them(spring: State) -> None:
    found = nations(spring, ("germany",), False)
    assert {nation for nation, it in found.items() if it.mine} >= {"germany", "rumania", "hungary"}
    assert not found["italy"].mine
    assert not found["russia"].mine
    assert found["rumania"].side == found["italy"].side == "axis"
    assert found["russia"].side == "allied"
    assert all(it.mine for it in nations(spring, (), True).values())


def test_a_country_that_fights_alone_is_moved_by_its_would_be_protector() -> None:
    game = Game.new("classic-1939")
    game.do(
        {"do": "report_units", "nation": "poland", "unit": "infantry 1-3", "at": "Lodz", "count": 1, "by_rule": "told"}
    )
    game.do(
        {
            "do": "report_units",
            "nation": "sweden",
            "unit": "infantry 1-3",
            "at": "Stockholm",
            "count": 1,
            "by_rule": "told",
        }
    )
    assert nations(game.state, ("britain", "france"), False)["poland"].mine
    # The host who plays the Axis and is referee too takes up no enemy's counters, only those that are nobody's.
    found = nations(game.state, ("germany",), False, True)
    assert (found["poland"].mine, found["britain"].mine, found["sweden"].mine) == (False, False, True)


@pytest.mark.parametrize("power", ["germany", "britain", "usa"])
def test_a_pool_in_groups_holds_all_that_is_unbuilt(spring: State, power: str) -> None:
    sheet = pool_sheet(spring, power)
    piles = {it.unit: it.count for group in sheet.groups for it in group.piles}
    assert piles == dict(unbuilt(spring, power))
    assert [it.name for it in sheet.groups] == [name for name in ORDER if name in {it.name for it in sheet.groups}]
    for group in sheet.groups:
        assert not {it.unit for it in group.gaps} & set(piles)
        assert all(("armor" in it.unit) == (group.name == "Armor") for it in group.piles)
