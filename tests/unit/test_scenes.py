"""Scenes made from the log of any game: facts, marches, figures, at most a dozen a player turn."""

from __future__ import annotations

from warcabinet.game import Game
from warcabinet.views.scenes import MOST, scenes


def test_a_turn_is_told_in_scenes_of_one_purpose() -> None:
    game = Game.new("classic-1939", options={"set_up": "reported", "mobilization": "reported"})
    start = game.head.id
    game.advance("declarations of war")
    game.do({"do": "declare_war", "power": "germany", "on": ["belgium"]})
    told = scenes(game, start)
    assert [it.say for it in told] == ["Germany declared war on Belgium."]
    assert told[0].brp == {"germany": -10}
    assert (told[0].power, told[0].move) == ("germany", game.head.id)
    game.do({"do": "report_control", "places": ["Brussels"], "by": "germany", "by_rule": "a test"})
    assert scenes(game, told[0].move)[0].places == ("europe/M25",)


def test_there_are_at_most_a_dozen_a_player_turn() -> None:
    game = Game.new("classic-1939", options={"set_up": "reported", "mobilization": "reported"})
    game.advance("unit construction")
    start = game.head.id
    for n in range(20):
        power = ("germany", "italy")[n % 2]
        game.do({"do": "spend", "power": power, "brp": 1, "on": "unit construction"})
    told = scenes(game, start)
    assert len(told) == MOST
    assert sum(it.brp.get("germany", 0) for it in told) == -10
    # What was undone is not told.
    game.undo()
    assert sum(sum(it.brp.values()) for it in scenes(game, start)) == -19
