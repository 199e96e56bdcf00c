"""What the log and refusals say of the war in the East."""

from __future__ import annotations

from warcabinet.figures.position import Position
from warcabinet.game import Game, new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.model.events import AreaTaken


def barbarossa(phase: str) -> Game:
    war = {"between": ["germany", "russia"], "since": "Summer 1941", "declared_by": "germany"}
    given = Position("classic-1939", turn="Summer 1941", player="axis", phase=phase, set={"wars": [war]})
    return new_game(given, MemoryJournal())


def test_the_log_names_no_industrial_center_where_russia_has_built_none() -> None:
    given = {"do": "report_control", "places": ["Minsk", "Kharkov"], "by": "germany"}
    taken = [it.area for it in barbarossa("combat").decide(given).events if isinstance(it, AreaTaken)]
    assert taken == ["ic_kharkov"]  # Kharkov is one of the seven of 37.21, Minsk is not


def test_a_power_that_is_kept_out_reads_how_the_country_stands() -> None:
    game = barbarossa("movement")
    game.do({"do": "report_units", "nation": "germany", "unit": "infantry 3-3", "at": "Breslau", "count": 1})
    move = {"do": "move", "nation": "germany", "unit": "infantry 3-3", "from": "Breslau", "to": "Sofia"}
    (refusal,) = game.decide(move).refusals
    assert refusal.clause == "82.41"
    assert refusal.text.endswith("Bulgaria is neutral, and Germany has not declared war on it")


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
