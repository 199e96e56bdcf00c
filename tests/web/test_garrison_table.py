"""Both garrisons at the table: everybody sees the same, at any moment of the game (81)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from positions import GARRISONS, WITHDRAWN

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}


@pytest.fixture
def seats(person: Callable[[str], Any]) -> tuple[Any, Any]:
    axis = person("Ada").create(position=GARRISONS, seats=[AXIS, ALLIES])
    return axis, person("Ben").join(axis.invite("seat2"))


def test_both_seats_see_both_garrisons_and_the_transfer_under_way(seats: tuple[Any, Any]) -> None:
    axis, _ = seats
    assert axis.do(**WITHDRAWN).status_code == 200
    shown = [player.get("/garrisons").json() for player in seats]
    assert shown[0] == shown[1]
    assert (shown[0]["manchuria"]["value"], shown[0]["siberia"]["value"]) == (42, 45)
    assert shown[0]["transfers"][0]["text"] == "3 infantry factors, Siberia to Europe"
    assert [it["cost"] for it in shown[0]["declarations"]] == [35, 35]


def test_the_past_is_shown_as_it_was(seats: tuple[Any, Any]) -> None:
    axis, _ = seats
    axis.do(**WITHDRAWN)
    then = axis.get("/garrisons", at=1).json()
    assert (then["manchuria"]["value"], then["manchuria"]["departures"], then["transfers"]) == (45, [], [])


def test_every_figure_of_the_page_opens_part_by_part(seats: tuple[Any, Any]) -> None:
    axis, _ = seats
    why = axis.get("/explain", rule="garrison_value", args="manchuria").json()
    assert "units_worth" in str(why)
    assert axis.get("/explain", rule="garrison_factors", args="siberia,army air").status_code == 200
    assert axis.get("/explain", rule="declaration_cost", args="russia,japan").status_code == 200


def test_what_must_stay_is_refused_with_its_clause(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    assert axis.post("/advance", to="Spring 1941, Allied, redeployment").status_code in (200, 403)
    allies.post("/advance", to="Spring 1941, Allied, redeployment")
    moved = {"do": "move", "nation": "russia", "unit": "army air", "from": "Chita", "to": "Moscow"}
    refused = allies.do(**moved, how="strategic redeployment")
    assert refused.status_code == 422
    assert [it["clause"] for it in refused.json()["refused"]["refusals"]] == ["81.42"]


def test_places_tell_what_the_chapter_says_of_them(seats: tuple[Any, Any]) -> None:
    axis, _ = seats
    box = {it["clause"] for it in axis.get("/box", key="box/urals").json()["told"]}
    assert box >= {"81.61", "81.62", "81.64", "81.65", "81.68"}
    harbin = {it["clause"]: it["text"] for it in axis.get("/hex", key="pacific/G30").json()["own_rules"]}
    assert "worth 45 BRPs, and needs 30" in harbin["81.51B"]
    assert "81.41F" in str(axis.get("/countries/mongolia").json()["own_rules"])
