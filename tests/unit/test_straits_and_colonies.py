"""What a table shows of chapters 70 to 74 beside the cases: shut straits, cards of hexes, who is offered what."""

from __future__ import annotations

import pytest

from warcabinet import Game
from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import narrow
from warcabinet.model.commands import command_types
from warcabinet.rules.common.straits import only_by
from warcabinet.web.map.map_questions import hex_facts
from warcabinet.web.map.waters import waters


def position(**parts: object) -> Game:
    return new_game(Position("classic-1939", **parts), MemoryJournal(seed=1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("origin", "to", "needed"),
    [
        ("europe/K21", "europe/FF19", True),  # Plymouth to Malta
        ("europe/FF19", "europe/M19", True),  # Malta to Brest
        ("europe/K21", "europe/AA7", False),  # Gibraltar lies on both seas
        ("europe/AA7", "europe/FF19", False),
        ("europe/K21", "europe/M19", False),
        ("europe/Y22", "europe/FF19", False),
        ("europe/K21", "pacific/EE11", False),  # no ship sails from board to board
        ("europe/K21", "europe/Z8", False),  # Z8 has no coast
    ],
)
def test_which_ways_lead_through_the_strait_of_gibraltar_only(origin: str, to: str, needed: bool) -> None:
    assert only_by("gibraltar", origin, to) is needed


def test_straits_are_marked_where_they_are_shut_to_the_western_allies() -> None:
    assert waters(position().state) == ()
    game = position(turn="Spring 1942", set={"control": {"germany": ["Gibraltar"], "japan": ["Singapore"]}})
    gibraltar, malacca = waters(game.state)
    assert (gibraltar.clause, gibraltar.hexes) == ("73.42", ("europe/AA7", "europe/BB6"))
    assert (malacca.clause, malacca.hexes) == ("74.31", ("pacific/DD11", "pacific/EE10"))


def test_the_card_of_a_hex_tells_what_a_chapter_says_of_it_alone() -> None:
    state = position(turn="Spring 1941").state
    told = {it.clause: it.text for it in hex_facts(state, "europe/AA7").own_rules}
    assert "+5 by land" in told["73.21"]
    assert hex_facts(state, "europe/AA8").own_rules == ()


@pytest.mark.parametrize(("power", "served"), [("britain", True), ("usa", True), ("germany", False), ("russia", False)])
def test_the_canadian_shipyard_is_offered_to_the_western_allies(power: str, served: bool) -> None:
    player = "axis" if power == "germany" else "allied"
    game = position(turn="Spring 1942", player=player, phase="unit construction")
    assert narrow(game.state, "use_canadian_shipyard", {"power": power}).available is served


def test_the_order_to_move_says_that_movement_costs_are_not_judged() -> None:
    assert "movement costs are not judged here" in str(command_types()["move"].__doc__)
