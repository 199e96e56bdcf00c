"""Whatever is pressed on a page opens to what it rests on; what is not there is told as such."""

from __future__ import annotations

from typing import Any

import pytest

OPENED = {
    "a value": ({"rule": "base", "args": "germany"}, "Germany: base"),
    "a figure": ({"figure": "tracks.usat"}, "tracks.usat"),
    "a figure of a rule": ({"figure": "powers.germany.base"}, "Germany: base"),
    "a clause": ({"clause": "39.31"}, "Clause 39.31"),
    "an account": ({"ledger": "brp/germany"}, "Ledger: Germany"),
    "a purpose": ({"ledger": "brp/germany", "purpose": "offensive operations"}, "offensive operations"),
    "a supposed figure": ({"rule": "year_total", "args": "germany", "supposed": {"mode": "due"}}, "Germany"),
}
NOT_THERE = (
    {},
    {"rule": "nothing"},
    {"rule": "base"},
    {"rule": "base", "args": "germany,italy"},
    {"rule": "base", "args": "nobody"},
    {"figure": "powers.nobody.base"},
    {"clause": "1.1"},
    {"sum": "x/y"},
    {"sum": "0/0"},
    {"sum": "1/99999"},
    {"sum": "99999/1"},
    {"sum": "99999999999999999999/1"},
    {"due": "nothing"},
    {"column": "total"},
    {"column": "total", "year": 1940, "power": "germany"},
    {"column": "nothing", "year": 1950, "power": "nobody"},
    {"rule": "nothing", "args": "germany", "supposed": {"changes": [{"figure": "nothing", "to": 3}]}},
)


@pytest.mark.parametrize("what", OPENED)
def test_what_is_pressed_opens(solo: Any, what: str) -> None:
    asked, title = OPENED[what]
    answer = solo.post("/opened", **asked)
    assert answer.status_code == 200, answer.text
    assert title in answer.text
    assert 'id="explain-title"' in answer.text


@pytest.mark.parametrize("asked", NOT_THERE, ids=str)
def test_what_is_not_there_is_told(solo: Any, asked: dict[str, Any]) -> None:
    answer = solo.post("/opened", **asked)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.json()["error"]


def test_parts_of_pages_tell_what_cannot_be_drawn(solo: Any) -> None:
    assert solo.get("/hex/page", key="europe/ZZ99").status_code == 404
    assert solo.post("/forecast/page", changes=[{"figure": "nothing", "to": 3}]).status_code in (400, 404)
    assert solo.post("/aid/page", pair="nobody anybody").status_code == 200
    assert solo.post("/aid/page", mode="never").status_code == 400
    assert solo.get("/year-start/page", year=1955).status_code == 404
    assert solo.call("GET", "/hall", order="never").status_code == 400


def test_what_people_write_is_no_part_of_a_page(solo: Any) -> None:
    made = solo.call("POST", "/tables", title="<b>War</b> & peace", name="Ada")
    assert made.status_code == 201
    page = solo.call("GET", "/hall").json()
    assert "&lt;b&gt;War&lt;/b&gt; &amp; peace" in page["drawn"]
    assert "<b>War" not in page["drawn"]
