"""What a refusal says: how things stand, what would be right, and nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

import warcabinet.rules
from positions import barbarossa, game_at, winter_war
from warcabinet import Refused
from warcabinet.figures.position import Position, UnitLine, set_up
from warcabinet.game import new_game
from warcabinet.game.engine import as_command, decide
from warcabinet.game.journal import MemoryJournal


def test_what_a_power_has_cut_off_a_country_is_refused_once() -> None:
    """Bessarabia is Russian soil to Rumanian units, and told of as that alone (82.42)."""
    standing = {
        "countries.rumania": {"status": "allied", "by": "germany"},
        "countries.bessarabia": {"status": "conquered", "by": "russia"},
        "control": {"russia": ["europe/R36", "europe/S36", "europe/S37", "europe/T36", "europe/U36"]},
    }
    troops = [UnitLine("rumania", "infantry", at="Bucharest", strength="1-3")]
    ordered = {"declarations": "ordered"}
    turn = "Fall 1940, Axis, movement"
    state, _ = set_up(Position("classic-1939", turn=turn, units=troops, set=standing, options=ordered))
    move = {"do": "move", "nation": "rumania", "unit": "infantry 1-3", "from": "Bucharest", "to": "europe/U36"}
    assert [it.clause for it in decide(state, as_command(move)).refusals] == ["82.42"]


def test_a_declaration_on_a_vichy_colony_is_led_to_vichy_france() -> None:
    ordered = {"declarations": "ordered"}
    state, _ = set_up(Position("classic-1939", turn="Fall 1940, Axis, declarations of war", options=ordered))
    state = decide(state, as_command({"do": "report_surrender", "power": "france"})).state
    refused = decide(state, as_command({"do": "declare_war", "power": "germany", "on": ["tunisia"]})).refusals
    assert [it.text for it in refused] == ["Tunisia is a colony (Vichy France): declare war on Vichy France instead"]


def test_whoever_wants_java_is_sent_to_declare_war_on_britain() -> None:
    game = game_at(
        turn="Winter 1941",
        player="axis",
        phase="combat",
        options={"declarations": "ordered"},
        set={"wars": [{"between": ["usa", "japan"], "since": "Winter 1941", "declared_by": "japan"}]},
    )
    with pytest.raises(Refused, match="enter the war with Britain, at peace with Japan: declare_war comes first"):
        game.do({"do": "report_control", "places": ["Batavia"], "by": "japan"})


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


def test_who_would_declare_war_on_eastern_poland_learns_whose_it_is() -> None:
    fallen = game_at(
        turn="Fall 1939",
        player="allied",
        phase="declarations of war",
        set={"countries.poland": {"status": "conquered", "by": "germany"}},
    )
    with pytest.raises(Refused, match=r"conquered \(Germany\): war for it is war with that power"):
        fallen.do({"do": "declare_war", "power": "russia", "on": ["eastern_poland"]})


def test_a_garrison_in_finland_is_named_to_a_russia_that_would_take_its_border_hexes() -> None:
    game = game_at(
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


def test_a_power_that_is_kept_out_reads_how_the_country_stands() -> None:
    game = barbarossa("movement")
    game.do({"do": "report_units", "nation": "germany", "unit": "infantry 3-3", "at": "Breslau", "count": 1})
    move = {"do": "move", "nation": "germany", "unit": "infantry 3-3", "from": "Breslau", "to": "Sofia"}
    (refusal,) = game.decide(move).refusals
    assert refusal.clause == "82.41"
    assert "Bulgaria, which is neutral, and at peace with Germany" in refusal.text


def test_what_russia_cut_off_is_refused_once_in_peace() -> None:
    figures = {
        "wars": [],
        "countries.rumania": {"status": "allied", "by": "germany"},
        "countries.bessarabia": {"status": "conquered", "by": "russia"},
    }
    options = {"declarations": "ordered"}
    given = Position("classic-1939", turn="Spring 1941", player="axis", phase="movement", options=options, set=figures)
    game = new_game(given, MemoryJournal())
    game.do({"do": "deploy", "by": "germany", "country": "rumania", "units": ["2 infantry 1-3 at Galati"]})
    move = {"do": "move", "nation": "rumania", "unit": "infantry 1-3", "from": "Galati", "to": "Kishinev"}
    assert [it.clause for it in game.decide(move).refusals] == ["82.42"]


def test_a_refusal_names_the_clauses_that_say_the_same() -> None:
    """Nobody declares war on the Dutch alone, by 82.93 and by 89.24 again."""
    ordered = {"declarations": "ordered"}
    state, _ = set_up(Position("classic-1939", turn="Winter 1941, Axis, declarations of war", options=ordered))
    refused = decide(state, as_command({"do": "declare_war", "power": "japan", "on": ["java"]})).refusals
    assert [(it.clause, it.also) for it in refused] == [("82.93", ("89.24",))]


def test_a_result_and_a_report_are_refused_alike() -> None:
    """Germany, which attacked Turkey, has it neither by a diplomatic result nor by a report (82.351)."""
    war = {"wars": [{"between": ["germany", "turkey"], "since": "Fall 1940", "declared_by": "germany"}]}
    position = Position("classic-1939", turn="Winter 1940, Axis, diplomatic phase", set=war)
    state, _ = set_up(position)
    told = (
        {"do": "report_result", "country": "turkey", "result": 9},
        {"do": "report_status", "country": "turkey", "status": "associated", "power": "germany"},
    )
    for command in told:
        assert "82.351" in [it.clause for it in decide(state, as_command(command)).refusals], command


def test_no_rule_looks_at_the_list_of_wars() -> None:
    """Who fights whom is asked in one module."""
    rules = Path(warcabinet.rules.__file__).parent
    looking = [it.stem for it in rules.rglob("*.py") if "s.wars" in it.read_text(encoding="utf-8")]
    assert {*looking} == {"war_and_peace"}
