"""Scenes made from the log of any game: facts, marches, figures, by purpose, at most a dozen a player turn."""

from __future__ import annotations

from typing import Any

from warcabinet.game import Game
from warcabinet.views.scenes import MOST, scenes

CAPITALS = (
    *("Brussels", "The Hague", "Copenhagen", "Oslo", "Stockholm", "Madrid", "Lisbon", "Bern"),
    *("Athens", "Belgrade", "Sofia", "Bucharest", "Budapest", "Ankara", "Helsinki"),
)


def at_peace() -> Game:
    return Game.new("classic-1939", options={"set_up": "reported", "mobilization": "reported"})


def took(game: Game, *places: str) -> Any:
    return game.do({"do": "report_control", "places": list(places), "by": "germany", "by_rule": "a test"})


def test_a_turn_is_told_in_scenes_of_one_purpose() -> None:
    game = at_peace()
    start = game.head.id
    game.advance("declarations of war")
    game.do({"do": "declare_war", "power": "germany", "on": ["belgium"]})
    told = scenes(game, start)
    assert [it.say for it in told] == ["Germany declared war on Belgium."]
    assert told[0].brp == {"germany": -10}
    assert (told[0].power, told[0].move) == ("germany", game.head.id)
    # The ground that it brought belongs to it, though something else was given between.
    game.do({"do": "spend", "power": "italy", "brp": 1, "on": "other"})
    last = took(game, "Brussels")
    told = scenes(game, start)
    assert told[-1].say == "Germany declared war on Belgium."
    assert "Italy −1 BRP: other." in {it.say for it in told[:-1]}
    assert (told[-1].move, told[-1].tell, told[-1].places) == (last.id, "Germany took Brussels.", ("europe/M25",))


def test_an_advance_into_a_country_is_one_scene_through_the_phases() -> None:
    game = at_peace()
    game.advance("movement")
    start = game.head.id
    march = {"do": "report_move", "power": "germany", "by_rule": "a test"}
    game.do({**march, "units": ["armor 4-6"], "origin": "Breslau", "to": "europe/N33"})
    game.do({**march, "units": ["infantry 3-3"], "origin": "Breslau", "to": "Berlin"})
    game.advance("combat")
    took(game, "europe/N33")
    told = scenes(game, start)
    assert [len(it.arrows) for it in told] == [1, 1]
    assert told[1].arrows == (("europe/N32", "europe/N33"),)
    assert told[1].say == "Germany took Lodz."


def test_what_fell_due_says_whose_it_was() -> None:
    game = at_peace()
    start = game.head.id
    game.advance("Spring 1940, Axis, mobilization")
    year = next(it for it in scenes(game, start) if it.turn.startswith("1940 year start"))
    assert year.say.startswith("The 1940 year start: ")
    assert (year.power, len(year.brp) > 1) == ("", True)


def test_what_one_power_ordered_in_a_phase_is_one_scene() -> None:
    game = at_peace()
    game.advance("unit construction")
    start = game.head.id
    for n in range(20):
        power = ("germany", "italy")[n % 2]
        game.do({"do": "spend", "power": power, "brp": 1, "on": "unit construction"})
    told = scenes(game, start)
    assert [it.brp for it in told] == [{"germany": -10}, {"italy": -10}]
    # What was undone is not told.
    game.undo()
    assert sum(sum(it.brp.values()) for it in scenes(game, start)) == -19


def test_there_are_at_most_a_dozen_a_player_turn() -> None:
    game = at_peace()
    game.advance("combat")
    start = game.head.id
    for place in CAPITALS:
        took(game, place)
    told = scenes(game, start)
    assert len(told) == MOST < len(CAPITALS)
    assert {key for it in told for key in it.places} == {key for place in told for key in place.places}
    assert sum(len(it.places) for it in told) == len(CAPITALS)
