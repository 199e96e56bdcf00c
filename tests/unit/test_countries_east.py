"""The Middle East and the Far East where cases do not reach: pages, the map, offers, what the log tells (88, 89)."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet import Game
from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import narrow
from warcabinet.model.events import Reported
from warcabinet.views.country_page import country_page
from warcabinet.web.map.enemies import unreported
from warcabinet.web.map.waters import waters

CANAL = ["europe/LL30", "europe/LL31", "europe/MM30", "europe/MM31"]


def position(**parts: Any) -> Game:
    return new_game(Position("classic-1939", **parts), MemoryJournal(seed=1))


def told(game: Game, country: str) -> dict[str, str]:
    return {it.clause: it.text for it in country_page(game.state, country).own_rules}


@pytest.mark.parametrize(
    ("country", "clauses"),
    [
        ("egypt", {"88.11", "88.32", "88.33", "88.342", "88.344", "88.36", "88.37"}),
        ("ethiopia", {"88.11", "88.421A", "88.423D", "88.43", "88.44", "88.46"}),
        ("iraq", {"88.11", "88.52", "88.53", "88.54", "88.55", "88.57"}),
        ("persia", {"88.11", "88.62", "88.63", "88.64", "88.643"}),
        ("arabia", {"88.11", "88.21", "88.57"}),
        ("java", {"89.22", "89.23", "89.24", "89.25", "89.26"}),
        ("philippines", {"89.43", "89.44"}),
        ("thailand", {"89.51A", "89.51B"}),
    ],
)
def test_a_page_tells_what_the_countrys_own_chapter_says(country: str, clauses: set[str]) -> None:
    assert set(told(position(), country)) == clauses


def test_pages_follow_the_position() -> None:
    both = position(set={"control": {"italy": CANAL}})
    assert "raid" in told(both, "egypt")["88.37B"]
    fallen = {"control": {"britain": ["Ethiopia box"]}, "countries.ethiopia": {"status": "conquered", "by": "britain"}}
    assert "88.432" in told(position(set=fallen), "ethiopia")
    assert "88.43" not in told(position(set=fallen), "ethiopia")
    joined = position(set={"countries.thailand": {"status": "associated", "by": "japan"}})
    assert set(told(joined, "thailand")) == {"89.51C"}
    lost = position(set={"countries.philippines": {"status": "conquered", "by": "japan"}})
    assert told(lost, "philippines") == {}
    assert "89.42" in told(position(readings={"R-0015": "b"}), "philippines")


def test_communist_china_is_said_to_join_russia_and_nobody_else() -> None:
    assert {it.clause for it in country_page(position().state, "communist_china").changes} == {"85.61"}


def test_ethiopia_is_not_said_to_fall_by_its_capture() -> None:
    assert "83.11" not in {it.clause for it in country_page(position().state, "ethiopia").changes}


def test_a_closed_canal_is_marked_on_the_board() -> None:
    def canal(game: Game) -> list[str]:
        return [it.text for it in waters(game.state) if it.id == "suez"]

    assert canal(position()) == []
    assert canal(position(set={"control": {"italy": CANAL[:1]}})) == ["shut to the Western Allies and to the Axis"]
    assert canal(position(set={"control": {"italy": CANAL}})) == ["shut to the Western Allies"]


def reports(game: Game, command: dict[str, Any]) -> list[str]:
    game.do(command)
    return [it.event.text for it in game.head.records if isinstance(it.event, Reported)]


def test_the_log_tells_where_ships_may_be_met() -> None:
    game = position(turn="Summer 1941", player="allied", phase="redeployment")
    game.do({"do": "report_units", "nation": "britain", "unit": "cruiser", "at": "Alexandria", "count": 1})
    move = {"do": "move", "nation": "britain", "unit": "cruiser", "from": "Alexandria", "to": "Suez"} | {
        "how": "naval redeployment"
    }
    assert any("MM30 and LL31" in it for it in reports(game, move))


@pytest.mark.parametrize(("to", "gulf"), [("Basra", True), ("India box", False)])
def test_displaced_ships_may_be_attacked_from_the_air(to: str, gulf: bool) -> None:
    game = position(turn="Summer 1942", player="axis", phase="combat", set={"control": {"germany": ["Suez"]}})
    game.do({"do": "report_units", "nation": "britain", "unit": "cruiser", "at": "Suez", "count": 1})
    assert list(narrow(game.state, "displace_fleet", {}).fields["from"].among) == ["Suez"]
    leave = {"do": "displace_fleet", "nation": "britain", "unit": "cruiser", "from": "Suez", "to": to}
    (text,) = reports(game, leave)
    assert "leave Suez" in text
    assert ("Persian Gulf" in text) is gulf


def test_the_dutch_are_said_to_fight_japan_as_soon_as_britain_does() -> None:
    assert country_page(position().state, "java").at_war_with == ()
    war = {"between": ["japan", "britain"], "since": "Winter 1941", "declared_by": "japan"}
    page = country_page(position(turn="Winter 1941", set={"wars": [war]}).state, "java")
    assert page.at_war_with == ("japan",)
    assert page.reason == "fights alone against Japan"


def test_thailand_attacked_by_japan_is_not_said_to_associate_by_a_war() -> None:
    game = position(turn="Winter 1941", player="axis", phase="declarations of war")
    game.do({"do": "declare_war", "power": "japan", "on": ["thailand"]})
    assert {it.clause for it in country_page(game.state, "thailand").changes} == {"83.11"}
    game.do({"do": "declare_war", "power": "japan", "on": ["britain"]})
    assert country_page(game.state, "thailand").status == "independent"


def test_a_landing_in_the_indies_is_a_capture_to_be_reported_as_soon_as_britain_fights_japan() -> None:
    game = position(turn="Winter 1941", player="axis", phase="declarations of war")
    game.do({"do": "declare_war", "power": "japan", "on": ["britain"]})
    game.do({"do": "report_units", "nation": "japan", "unit": "infantry 1-2", "at": "Surabaya", "count": 1})
    (found,) = unreported(game.state)
    assert (found.holder, found.taker) == ("dutch_east_indies", "japan")
