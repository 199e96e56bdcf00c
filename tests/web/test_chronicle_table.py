"""The chronicle at the table: for whoever sits there, in full or short, with names as they were written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

HOSTILE = "<script>alert(1)</script>"


def test_the_table_hands_out_its_chronicle(person: Callable[[str], Any]) -> None:
    host = person("Ada")
    seats = [{"title": HOSTILE, "powers": ["germany"], "mine": True}]
    made = host.call("POST", "/tables", title=f"Thursday {HOSTILE}", name="Ada", seats=seats)
    assert made.status_code == 201, made.text
    host.table = made.json()["table"]
    for query in ({}, {"short": "true"}):
        answer = host.get("/chronicle", **query)
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"].startswith("text/html")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert "Thursday &lt;script&gt;" in answer.text
        assert "<script" not in answer.text
    assert person("Stranger").client.get(f"/api/v1/tables/{host.table}/chronicle").status_code in (401, 404)


def test_both_kinds_are_told_apart_and_renewed(solo: Any) -> None:
    full, short = solo.get("/chronicle").text, solo.get("/chronicle", short="true").text
    assert "a chronicle" in full
    assert "a short report" in short
    assert solo.post("/advance", to="").status_code == 200
    assert solo.get("/chronicle").text != full
