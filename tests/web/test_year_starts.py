"""Year starts that were held are kept: every figure of the sheet is the one that was counted, and names its things."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from warcabinet.game import Game
from warcabinet.views.sums import sums_of
from warcabinet.web.sheets.year_starts import held_year_starts, year_start_reasons, year_starts


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
    assert solo.get("/year-start").json() == {"held": [], "sheet": None, "stand": None}
    assert solo.get("/year-start", year=1944).status_code == 404
    assert solo.get("/year-start", year=20).status_code == 400


def test_every_figure_is_the_one_that_was_posted(war: Game) -> None:
    """Winter conquests come on the books while the year starts: the sheet counts as the journal did."""
    for held in year_starts(war):
        sheet = held_year_starts(war, held.year).sheet
        assert sheet is not None
        line = war.line()
        move = next(it for it in war.log() if it.id in line and it.id == held.move)
        posted = {it.power: it.amount for it in sums_of(war, move) if it.title.endswith("year start")}
        assert {row.power: row.steps["total"].value for row in sheet.rows} == posted
    japan = next(row for row in held_year_starts(war, 1942).sheet.rows if row.power == "japan")  # type: ignore[union-attr]
    assert (japan.steps["total"].value, japan.steps["total"].gist) == (200, "+64 on 1941")


def test_what_was_lost_stays_with_who_has_it(war: Game) -> None:
    sheet = held_year_starts(war, 1942).sheet
    assert sheet is not None
    britain = next(row for row in sheet.rows if row.power == "britain").steps["areas"]
    lost = {item.name: item.lost_to for part in britain.parts for item in part.items if item.lost_to}
    assert lost == {"Greece": "Germany", "Hong Kong": "Japan", "Malaya": "Japan"}
    assert britain.gist.startswith("Burma 10")


def test_each_figure_opens_as_it_was_counted(war: Game) -> None:
    found = year_start_reasons(war, 1942, "germany", "growth")
    assert (found.tree.value, found.tree.clause) == (5, "35.33A")
    points = year_start_reasons(war, 1942, "germany", "research")
    assert [it.value for it in points.tree.because] == [8, 381, 0]
    areas = year_start_reasons(war, 1942, "japan", "areas")
    assert areas.tree.value == sum(it.value for it in areas.tree.because if isinstance(it.value, int)) == 60


QUIET = {"set_up": "reported", "mobilization": "reported"}


@pytest.fixture
def spring(person: Callable[[str], Any]) -> tuple[Any, Any]:
    """Two at a table, and the year 1940 has just been counted."""
    seats = [
        {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True},
        {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False},
    ]
    host = person("Ada").create(seats=seats, options=QUIET)
    friend = person("Ben").join(host.invite("seat2"))
    ways = ((host, "Fall 1939, Allied"), (friend, "Winter 1939, Axis"), (host, "Winter 1939, Allied"))
    for player, to in (*ways, (friend, "end of player turn"), (friend, "")):
        done = player.post("/advance", to=to)
        assert done.status_code == 200, done.text
    return host, friend


def test_spring_opens_when_every_seat_has_confirmed(spring: tuple[Any, Any]) -> None:
    host, friend = spring
    stand = host.get().json()["year_start"]
    assert (stand["year"], stand["missing"], stand["waits"], stand["mine"]) == (1940, ["Axis", "Allies"], True, True)
    refused = host.post("/advance")
    assert refused.status_code == 409
    assert "waits for Axis and Allies" in refused.json()["error"]
    assert host.post("/year-start/confirm", year=1940).json()["missing"] == ["Allies"]
    assert host.post("/advance").status_code == 409
    assert friend.post("/year-start/open", year=1940).status_code == 403
    seats = friend.post("/year-start/confirm", year=1940).json()["seats"]
    assert [(it["title"], it["by"]) for it in seats] == [("Axis", "Ada"), ("Allies", "Ben")]
    assert host.post("/advance").status_code == 200
    assert host.get().json()["year_start"] is None
    kept = host.get("/year-start", year=1940).json()["stand"]
    assert [it["by"] for it in kept["seats"]] == ["Ada", "Ben"]
    assert host.post("/year-start/confirm", year=1940).status_code == 409


def test_the_hall_lists_who_has_not_confirmed(spring: tuple[Any, Any]) -> None:
    host, friend = spring
    herald = host.client.app.state.server.herald

    def kinds() -> dict[str, str]:
        herald.look()
        (line,) = friend.call("GET", "/tables").json()
        return {it["seat"]: it["kind"] for it in line["waiting"]}

    assert kinds() == {"seat1": "confirm", "seat2": "confirm"}
    assert host.post("/year-start/confirm", year=1940).status_code == 200
    assert kinds() == {"seat2": "confirm"}
    (line,) = friend.call("GET", "/tables").json()
    assert "onfirm the 1940 year start" in line["waiting"][0]["text"]
    assert friend.post("/year-start/confirm", year=1940).status_code == 200
    assert "confirm" not in kinds().values()


def test_the_host_may_go_on_without_them(spring: tuple[Any, Any]) -> None:
    host, _ = spring
    assert host.post("/year-start/open", year=1940).json()["opened_by"] == "Ada"
    assert host.post("/advance").status_code == 200


def test_counted_again_it_is_confirmed_again(spring: tuple[Any, Any]) -> None:
    host, friend = spring
    for player in (host, friend):
        player.post("/year-start/confirm", year=1940)
    assert friend.post("/undo").json()["asked"]
    assert host.post("/consent", agree=True).json()["done"]
    assert friend.post("/advance").status_code == 200
    assert host.get().json()["year_start"]["missing"] == ["Axis", "Allies"]


def test_one_person_waits_for_nobody(person: Callable[[str], Any]) -> None:
    solo = person("Ada").create(options=QUIET)
    assert solo.post("/advance", to="Winter 1939, Allied, end of player turn").status_code == 200
    assert solo.get().json()["year_start"] is None
    assert solo.post("/advance").status_code == 200
    stand = solo.get().json()["year_start"]
    assert (stand["waits"], stand["mine"]) == (False, True)
    assert solo.post("/advance").status_code == 200
