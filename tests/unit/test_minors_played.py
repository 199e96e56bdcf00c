"""Minor countries beyond the cases: what the agenda does not foretell, what a refusal advises (82.93, 85.52C)."""

from __future__ import annotations

import pytest

from warcabinet import Game, Refused
from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.journal import MemoryJournal


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
