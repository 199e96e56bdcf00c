"""Minor countries beyond the cases: what is told, and what the agenda does not foretell (82.73, 82.93, 85.52C)."""

from __future__ import annotations

import pytest

from warcabinet import Game, Refused
from warcabinet.figures.position import Position, UnitLine, set_up
from warcabinet.game import new_game
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal
from warcabinet.model.events import Released, Reported
from warcabinet.views.country_page import country_page
from warcabinet.views.words import event_text
from warcabinet.web.map.enemies import opposed


def position(**parts: object) -> Game:
    return new_game(Position("classic-1939", **parts), MemoryJournal(seed=1))  # type: ignore[arg-type]


def test_nothing_is_foretold_to_a_surrendered_power_that_keeps_a_capital() -> None:
    game = position(
        turn="Fall 1944",
        player="allied",
        phase="diplomatic phase",
        options={"set_up": "reported"},
        set={"countries.hungary": {"status": "allied", "by": "germany"}},
    )
    game.do({"do": "report_surrender", "power": "germany"})
    game.do({"do": "report_result", "country": "hungary", "result": 2, "power": "russia"})
    assert game.figure("countries.hungary")["by"] == "germany"
    assert not [it for it in game.agenda() if it.power == "germany" and it.brp]


def test_whoever_wants_java_is_sent_to_declare_war_on_britain() -> None:
    game = position(
        turn="Winter 1941",
        player="axis",
        phase="combat",
        options={"declarations": "ordered"},
        set={"wars": [{"between": ["usa", "japan"], "since": "Winter 1941", "declared_by": "japan"}]},
    )
    with pytest.raises(Refused, match="has not declared war on Britain: declare_war comes first"):
        game.do({"do": "report_control", "places": ["Batavia"], "by": "japan"})


def test_canadian_armor_beside_a_newly_attacked_country_reaches_into_it_as_britains() -> None:
    game = position(
        turn="Spring 1941",
        player="axis",
        phase="combat",
        set={
            "happened": [{"attacked": "belgium", "in": "player turn"}],
            "wars": [
                {"between": ["germany", "belgium"], "since": "Spring 1941", "declared_by": "germany"},
                {"between": ["germany", "britain"], "since": "Fall 1939", "declared_by": "germany"},
            ],
        },
        units=(UnitLine("canada", "armor", "Calais", "4-5"), UnitLine("belgium", "infantry", "Brussels", "2-3")),
    )
    game.do({"do": "report_operation", "nation": "germany", "branch": "ground", "mission": "attack", "at": "Brussels"})
    told = [it.event.text for it in game.head.records if isinstance(it.event, Reported)]
    assert "zones of control of Britain reach into Belgium" in told


def winter_war(**report: object) -> Game:
    game = position(
        turn="Winter 1939", player="allied", phase="declarations of war", options={"declarations": "ordered"}
    )
    game.do({"do": "report_border_war", "country": "finland", **report})
    return game


def test_beyond_the_border_hexes_russia_is_not_sent_to_report_its_border_war_again() -> None:
    game = winter_war()
    game.advance("combat")
    with pytest.raises(Refused, match="or a report that the border war over three hexes has escalated"):
        game.do({"do": "report_control", "places": ["Viipuri"], "by": "russia"})


def test_whoever_sets_finland_up_in_a_border_war_is_sent_to_report_its_units() -> None:
    game = winter_war()
    game.advance("set-up")
    with pytest.raises(Refused, match=r"reported \(report_units\)"):
        game.do({"do": "deploy", "by": "germany", "country": "finland"})


def test_a_page_knows_of_the_border_war() -> None:
    assert country_page(winter_war().state, "finland").reason == "a border war with Russia leaves it neutral"
    escalated = country_page(winter_war(escalated=True).state, "finland")
    assert escalated.reason == "its border war made it nobody's ally; at war with Russia"


def test_russians_in_a_border_hex_are_no_garrison_of_it() -> None:
    game = winter_war()
    game.do({"do": "report_units", "nation": "russia", "unit": "infantry 2-3", "at": "europe/C44", "count": 1})
    page = country_page(game.state, "finnish_border")
    assert not page.garrison
    assert "82.34" not in {it.clause for it in page.changes}


def test_who_would_declare_war_on_eastern_poland_learns_whose_it_is() -> None:
    fallen = position(
        turn="Fall 1939",
        player="allied",
        phase="declarations of war",
        set={"countries.poland": {"status": "conquered", "by": "germany"}},
    )
    with pytest.raises(Refused, match=r"conquered \(Germany\): war for it is war with that power"):
        fallen.do({"do": "declare_war", "power": "russia", "on": ["eastern_poland"]})


def test_mines_that_lie_no_longer_are_nobodys() -> None:
    assert event_text(Released("mines_laid", ())) == "Mines laid is reckoned again"


def test_a_garrison_in_finland_is_named_to_a_russia_that_would_take_its_border_hexes() -> None:
    game = position(
        turn="Winter 1939",
        player="allied",
        phase="combat",
        options={"declarations": "ordered"},
        set={"countries.finland": {"status": "controlled", "by": "germany"}},
        units=(UnitLine("germany", "infantry", "Helsinki", "3-3"),),
    )
    game.do({"do": "report_border_war", "country": "finland"})
    with pytest.raises(Refused, match="declare_war, on Germany as well, whose units are in it, comes first"):
        game.do({"do": "report_control", "places": ["europe/C44"], "by": "russia"})


def test_on_the_map_those_who_fight_a_border_war_are_enemies_as_for_the_judge() -> None:
    """Nobody declared it, and yet their units do not stand in one hex (84.45B)."""
    state = set_up(Position("classic-1939", turn="Winter 1939", player="allied", phase="movement"))[0]
    assert not opposed(state, "russia", "finland")
    state = decide(state, as_command({"do": "report_border_war", "country": "finland"})).state
    assert opposed(state, "russia", "finland")
    assert not opposed(state, "russia", "partisans")
