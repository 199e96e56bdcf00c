"""A browser that asks for a page is answered by one, also where there is none; programs get what they can read."""

from __future__ import annotations

from typing import Any

import pytest

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nowhere", "/join/nothing", "/rules/99.99"])
def test_what_is_not_there_is_said_on_a_page(person: Any, path: str) -> None:
    answer = person("Ada").client.get(path, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>Not here</h1>" in answer.text
    assert "To the hall" in answer.text


def test_a_program_is_told_in_json(person: Any) -> None:
    client = person("Ada").client
    assert client.get("/nowhere").json() == {"error": "Not Found"}
    assert "error" in client.get("/api/v1/tables/nothing", headers=BROWSER).json()
