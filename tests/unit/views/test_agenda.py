"""The agenda: what is seen coming, and what is not foretold."""

from __future__ import annotations

from positions import game_at
from warcabinet.game.forecast import agenda

WAR = [{"between": ["japan", "britain"], "since": "Winter 1941"}]
BESIDE = {"nation": "japan", "type": "infantry", "strength": "3-3", "at": "pacific/U6", "count": 4}


def test_the_agenda_foresees_losses_and_surrender() -> None:
    game = game_at(turn="Summer 1942", player="axis", phase="movement", set={"wars": WAR}, units=(BESIDE,))
    coming = {it.clause: it for it in agenda(game.state) if it.about == "india"}
    assert coming["72.41"].brp == -10
    assert coming["72.41"].due == "Summer 1942, Axis, end of combat phase"
    assert coming["72.43"].due == "Summer 1942, Allied, end of player turn"
    assert coming["72.43"].averted_by.startswith("3 more Western Allied ground factors")


def test_the_agenda_tells_what_interrupts_iron_ore_and_what_would_avert_it() -> None:
    game = game_at(turn="Winter 1939", player="allied", phase="mining")
    assert not [it for it in game.agenda() if it.clause == "86.421"]
    game.do({"do": "mine_waters", "power": "britain"})
    (item,) = [it for it in game.agenda() if it.clause == "86.421"]
    assert item.due == "Spring 1940, Axis, end of diplomatic phase"
    assert item.averted_by == "German control of Bergen"


def test_nothing_is_foretold_to_a_surrendered_power_that_keeps_a_capital() -> None:
    game = game_at(
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
