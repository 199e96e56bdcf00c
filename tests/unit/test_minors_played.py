"""Minor countries beyond the cases: what is told, and what the agenda does not foretell (82.73, 82.93, 85.52C)."""

from __future__ import annotations

import pytest

from warcabinet import Game, Refused
from warcabinet.figures.position import Position, UnitLine
from warcabinet.game import new_game
from warcabinet.journal import MemoryJournal
from warcabinet.model.events import Reported


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
