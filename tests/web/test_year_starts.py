"""Year starts that were held are kept: every figure of the sheet is the one that was counted, and names its things."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.demo import play_demo
from warcabinet.game import Game
from warcabinet.web.year_starts import held_year_starts


@pytest.fixture(scope="module")
def war() -> Game:
    return play_demo()


def test_the_sheet_says_what_came_out(war: Game) -> None:
    found = held_year_starts(war, 1942)
    assert [it.year for it in found.held] == list(range(1940, 1946))
    assert found.sheet is not None
    germany = next(row for row in found.sheet.rows if row.power == "germany")
    assert {id: step.value for id, step in germany.steps.items()} == {
        "growth": 5, "base": 161, "areas": 220, "deficit": 0, "total": 381, "limit": 53, "diplomatic": 6, "research": 15
    }  # fmt: skip
    assert germany.was_base == 156
    for row in found.sheet.rows:
        steps = {id: step.value for id, step in row.steps.items()}
        assert steps["base"] + steps["areas"] + steps["deficit"] == steps["total"], row.power


def test_areas_are_named_not_rules(war: Game) -> None:
    sheet = held_year_starts(war, 1941).sheet
    assert sheet is not None
    parts = [part for row in sheet.rows for part in row.steps["areas"].parts]
    assert parts
    for part in parts:
        assert sum(item.value for item in part.items) == part.value, part
        assert part.clause.startswith("35.")


def test_a_table_without_a_year_start_says_so(solo: Any) -> None:
    assert solo.get("/year-start").json() == {"held": [], "sheet": None}
    assert solo.get("/year-start", year=1944).status_code == 404
    assert solo.get("/year-start", year=20).status_code == 400
