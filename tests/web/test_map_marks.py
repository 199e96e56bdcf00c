"""What the map marks and its cards tell: shut straits, mined waters, hexes, boxes, who is whose enemy there."""

from __future__ import annotations

import pytest

from positions import game_at
from warcabinet import Game
from warcabinet.figures.position import Position, set_up
from warcabinet.game.engine import as_command, decide
from warcabinet.model.places import holder
from warcabinet.web.map.enemies import opposed, unreported
from warcabinet.web.map.map_questions import box_facts, hex_facts
from warcabinet.web.map.waters import waters
from warcabinet.web.plumbing.problems import Problem

CANAL = ["europe/LL30", "europe/LL31", "europe/MM30", "europe/MM31"]


@pytest.mark.parametrize(
    ("key", "countries", "clause"),
    [
        ("box/india_box", ("india",), "72.43"),
        ("box/australia_box", ("australia",), "71.43"),
        ("box/ethiopia", ("ethiopia",), "88.44"),
        ("box/murmansk", (), ""),
    ],
)
def test_a_box_tells_of_the_countries_in_it(key: str, countries: tuple[str, ...], clause: str) -> None:
    found = box_facts(game_at().state, key)
    assert found.countries == countries
    assert not clause or clause in {it.clause for it in found.told}


def test_there_are_no_other_boxes() -> None:
    with pytest.raises(Problem):
        box_facts(game_at().state, "box/nowhere")


def test_mined_waters_and_a_shut_kattegat_are_marked_on_the_board() -> None:
    game = game_at(turn="Fall 1940", player="allied", phase="mining", set={"control": {"germany": ["Copenhagen"]}})
    (kattegat,) = waters(game.state)
    assert (kattegat.kind, kattegat.hexes) == ("shut", ("europe/H32", "europe/H33"))
    assert "Britain" in kattegat.text
    assert "Germany" not in kattegat.text
    game.do({"do": "mine_waters", "power": "britain"})
    _, mined = waters(game.state)
    assert mined.kind == "mined"
    assert "europe/D35" in mined.hexes


def test_a_closed_canal_is_marked_on_the_board() -> None:
    def canal(game: Game) -> list[str]:
        return [it.text for it in waters(game.state) if it.id == "suez"]

    assert canal(game_at()) == []
    assert canal(game_at(set={"control": {"italy": CANAL[:1]}})) == ["shut to the Western Allies and to the Axis"]
    assert canal(game_at(set={"control": {"italy": CANAL}})) == ["shut to the Western Allies"]


def test_a_landing_in_the_indies_is_a_capture_to_be_reported_as_soon_as_britain_fights_japan() -> None:
    game = game_at(turn="Winter 1941", player="axis", phase="declarations of war")
    game.do({"do": "declare_war", "power": "japan", "on": ["britain"]})
    game.do({"do": "report_units", "nation": "japan", "unit": "infantry 1-2", "at": "Surabaya", "count": 1})
    (found,) = unreported(game.state)
    assert (found.holder, found.taker) == ("dutch_east_indies", "japan")


def test_on_the_map_those_who_fight_a_border_war_are_enemies_as_for_the_judge() -> None:
    """Nobody declared it, and yet their units do not stand in one hex (84.45B)."""
    state = set_up(Position("classic-1939", turn="Winter 1939", player="allied", phase="movement"))[0]
    assert not opposed(state, "russia", "finland")
    state = decide(state, as_command({"do": "report_border_war", "country": "finland"})).state
    assert opposed(state, "russia", "finland")
    assert not opposed(state, "russia", "partisans")


def test_straits_are_marked_where_they_are_shut_to_the_western_allies() -> None:
    assert waters(game_at().state) == ()
    game = game_at(turn="Spring 1942", set={"control": {"germany": ["Gibraltar"], "japan": ["Singapore"]}})
    gibraltar, malacca = waters(game.state)
    assert (gibraltar.clause, gibraltar.hexes) == ("73.42", ("europe/AA7", "europe/BB6"))
    assert (malacca.clause, malacca.hexes) == ("74.31", ("pacific/DD11", "pacific/EE10"))


def test_the_card_of_a_hex_tells_what_a_chapter_says_of_it_alone() -> None:
    state = game_at(turn="Spring 1941").state
    told = {it.clause: it.text for it in hex_facts(state, "europe/AA7").own_rules}
    assert "+5 by land" in told["73.21"]
    assert hex_facts(state, "europe/AA8").own_rules == ()


def test_land_of_a_country_set_as_conquered_is_its_conquerors_on_map_and_card() -> None:
    """Nobody is offered to take as an enemy's what was set up as taken (83.22A)."""
    standing = {"poland": {"status": "conquered", "by": "germany"}}
    state = game_at(turn="Winter 1939", phase="movement", set={"countries": standing}).state
    card = hex_facts(state, "europe/M35")
    assert (card.holder, holder(state, "europe/M35")) == ("germany", "germany")
    assert "germany" not in (*card.takers, *card.enemies)
    assert "europe/M35" not in {it.place for it in unreported(state)}
    assert {"britain", "france"} <= set(card.enemies)
