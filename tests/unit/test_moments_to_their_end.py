"""Every kind of great moment is settled line by line by its first choices, and nothing of it stays open."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet import Game
from warcabinet.conformance.casebook import case_called, play_case
from warcabinet.game.engine import as_command
from warcabinet.game.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.house.moments import Said
from warcabinet.model.commands.politics import ReportMoment
from warcabinet.model.places import Place, holder
from warcabinet.model.state import State
from warcabinet.model.traits import VICHY, home_hexes
from warcabinet.rules.common.pieces import units_of
from warcabinet.views.moments import commands_of, open_sheets, sheet_named

ITALY = {"do": "report_control", "places": ["Rome", "Milan", "Genoa"], "by": "britain"}
#: By which moves each moment comes in a war of 1939, or the case whose moves bring it.
COMES: dict[str, list[dict[str, Any]] | str] = {
    "fall of France": [{"do": "report_surrender", "power": "france"}],
    "fall of Italy": [
        {"do": "report_war", "between": ["italy", "britain"], "declared_by": "italy"},
        ITALY,
        {"do": "report_surrender", "power": "italy"},
    ],
    "war of Germany and Russia": [{"do": "report_war", "between": ["germany", "russia"], "declared_by": "germany"}],
    "entry of United States": [{"do": "report_war", "between": ["japan", "usa"], "declared_by": "japan"}],
    "entry of Japan": [{"do": "report_war", "between": ["japan", "britain"], "declared_by": "japan"}],
    "surrender of Australia": "71.51A/1",
    "surrender of India": "72.51A/1",
    "switch of Bulgaria": "85.53/1",
}


def begun(how: list[dict[str, Any]] | str) -> Game:
    if isinstance(how, str):
        case = case_called(how)
        game = new_game(case.position, MemoryJournal())
        list(play_case(game, case))
        return game
    game = Game.new("classic-1939")
    for step in how:
        game.do(as_command(step))
    return game


def free_hexes(s: State) -> tuple[Place, ...]:
    """What nobody else holds of France."""
    return tuple(it for it in home_hexes("france") if holder(s, it) in ("france", VICHY, ""))


@pytest.mark.parametrize("moment", COMES)
def test_a_moment_is_settled_to_the_end_of_its_list(moment: str) -> None:
    game = begun(COMES[moment])
    sheet = sheet_named(game, moment)
    assert sheet.facts
    assert sheet.waits
    assert sheet.concerned
    for _ in range(40):
        waits = sheet_named(game, moment).waits
        if not waits:
            break
        open_before = waits[0].open
        # Where the zone lies the group says; no press proposes it.
        drawn = Said(places=free_hexes(game.state)) if waits[0].asks == "places" else Said()
        game.do_all(commands_of(game, moment, waits[0].id, said=drawn), 0)
        after = next((it for it in sheet_named(game, moment).lines if it.id == waits[0].id), None)
        assert after is None or after.open < open_before, waits[0].title
    game.do(ReportMoment(moment=moment, says=f"{sheet.title}, and it is over"))
    assert moment not in [it.id for it in open_sheets(game)]
    assert sheet_named(game, moment).closed
    if sheet.id.startswith("fall"):
        assert not list(units_of(game.state, sheet.id.removeprefix("fall of ").lower()))
