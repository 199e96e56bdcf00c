"""Where the sequence of play stops, and where it goes on by itself."""

from __future__ import annotations

import pytest

from positions import game_at


@pytest.mark.parametrize(
    ("turn", "stops"), [("Fall 1940", True), ("Winter 1940", True), ("Spring 1940", False), ("Summer 1940", False)]
)
def test_the_game_stops_for_mining_only_where_it_is_possible(turn: str, stops: bool) -> None:
    game = game_at(turn=turn, player="allied", phase="declarations of war")
    game.advance()
    assert (game.state.place.step.name == "mining") is stops


def test_the_game_does_not_stop_in_the_axis_turn_nor_once_waters_are_mined() -> None:
    game = game_at(turn="Fall 1940", player="axis", phase="declarations of war")
    game.advance()
    assert game.state.place.step.name != "mining"
    game = game_at(turn="Fall 1940", player="allied", phase="declarations of war")
    game.do({"do": "mine_waters", "power": "britain"})
    game.advance()
    assert game.state.place.step.name != "mining"


def test_a_step_where_something_can_be_decided_is_not_called_automatic() -> None:
    game = game_at(turn="Fall 1940", player="allied", phase="declarations of war")
    (move,) = game.advance()
    assert not any(type(record.event).__name__ == "AutoStep" for record in move.records)
