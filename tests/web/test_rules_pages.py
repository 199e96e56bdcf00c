"""The rules as pages: every clause has one, search finds it, its cases open on the board, a table's readings show."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from warcabinet.board import palette
from warcabinet.kernel.clause import catalogue
from warcabinet.model.rulings import rulings
from warcabinet.web.server.rules_pages import GROUPS, found, totals


def page(person: Any, path: str) -> str:
    answer = person.client.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_the_front_page_counts_what_the_catalogue_says(person: Any) -> None:
    text = page(person("Nobody"), "/rules")
    rows = [row for row in catalogue().values() if not row.house_rule]
    counted = totals()
    assert counted.computable == sum(row.computable for row in rows)
    assert counted.enforced + counted.answered + counted.planned == counted.computable
    assert counted.computable + counted.nothing == len(rows)
    assert f"<td>{counted.enforced}</td>" in text
    assert f"<td>{counted.computable}</td>" in text
    assert {row.chapter for row in catalogue().values()} == {it for group in GROUPS.values() for it in group}


@pytest.mark.parametrize("clause", ["83.22A", "40.45B(2)", "40.4", "WC.7", "35.33A"])
def test_a_clause_has_a_page_of_its_own(person: Any, clause: str) -> None:
    text = page(person("Nobody"), f"/rules/{quote(clause)}")
    row = catalogue()[clause]
    assert f'<span class="number">{clause}</span>' in text
    assert row.gist.split("'")[0].split("&")[0] in text
    assert f'class="state {row.status}"' in text
    assert "None" not in re.sub(r"<[^>]+>", "", text).replace("None of", "")


def test_a_clause_shows_rules_cases_and_rulings(person: Any) -> None:
    text = page(person("Nobody"), "/rules/83.22A")
    assert "conquered_hexes" in text
    assert "rules/minors" in text
    assert 'data-case="83.22A/1"' in text
    assert "Open on the board" in text
    assert "Bergen is held by Norway; Kristiansand is held by Germany." in text
    assert "R-0043" in text
    assert "as shipped" in text
    assert "this table" not in text


def test_chapters_rulings_and_searches_are_pages(person: Any) -> None:
    someone = person("Nobody")
    assert 'href="/rules/83.22A"' in page(someone, "/rules/83")
    assert 'id="R-0043"' in page(someone, "/rules/R-0043")
    every = page(someone, "/rules/rulings")
    assert all(f'id="{id}"' in every for id in rulings())
    assert "/rules/83.22A" in page(someone, "/rules?q=83.22")
    assert next(row.clause for row in found("83.22a")) == "83.22A"
    assert found("") == []
    assert found("no such words anywhere") == []
    assert any(row.clause.startswith("36") for row in found("mobilization"))


def test_a_ruling_says_whether_a_table_may_choose_and_which_cases_speak_of_it(person: Any) -> None:
    open_point = page(person("Nobody"), "/rules/R-0002")
    assert "A table may choose another" in open_point
    assert re.search(r'<a class="number" href="/rules/35.7\d">35.7\d/\d+</a>', open_point)
    assert len(rulings()["R-0008"].selectable) == 1
    assert "A table may not choose here" in page(person("Nobody"), "/rules/R-0008")


def test_what_there_is_not_is_told(person: Any) -> None:
    assert person("Nobody").client.get("/rules/99.99").status_code == 404
    assert person("Nobody").client.get("/rules/%3Cscript%3E").status_code == 404


def test_a_search_cannot_smuggle_markup(person: Any) -> None:
    text = page(person("Nobody"), "/rules?q=" + quote('"><script>alert(1)</script>'))
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text


def test_the_table_says_which_reading_it_plays(solo: Any, person: Any) -> None:
    ruling = rulings()["R-0039"]
    other = next(it for it in ruling.selectable if it != ruling.choice)
    chosen = solo.do(do="choose_reading", ruling="R-0039", reading=other)
    assert chosen.status_code == 200, chosen.text
    text = page(solo, f"/rules/R-0039?table={solo.table}")
    played = re.search(r'<li class="played[^"]*">.*?<b>(\w)</b>.*?</li>', text, re.DOTALL)
    assert played is not None
    assert played[1] == other
    assert "this table" in played[0]
    assert f"/rules/83?table={solo.table}" in text
    assert person("Stranger").client.get(f"/rules/83.22A?table={solo.table}").status_code in (401, 404)


def test_a_case_opens_on_the_board(person: Any) -> None:
    guest = person("Guest")
    made = guest.call("POST", "/cases/open", case="83.22A/1")
    assert made.status_code == 201, made.text
    guest.table = made.json()["table"]
    assert made.json()["title"].startswith("Case 83.22A/1")
    assert guest.get("/figure", path="control.Kristiansand").json()["value"] == "germany"
    assert guest.get("/figure", path="control.Bergen").json()["value"] == "norway"
    said = [line["text"] for line in guest.get("/talk").json()]
    assert any(line.startswith("Given: The classic campaign") for line in said)
    assert any("Bergen is held by Norway" in line for line in said)


def test_a_case_about_a_refusal_opens_and_says_who_refused(person: Any) -> None:
    guest = person("Guest")
    guest.table = guest.call("POST", "/cases/open", case="40.811/1").json()["table"]
    said = [line["text"] for line in guest.get("/talk").json()]
    assert any("The rules said: 40.811 " in line for line in said)
    assert guest.get("/figure", path="powers.china.brp").json()["value"] == 25


def test_no_other_case_opens(person: Any) -> None:
    assert person("Guest").call("POST", "/cases/open", case="../../etc/passwd").status_code == 404


def test_the_api_gives_cases_and_rulings_of_a_clause(person: Any) -> None:
    found = person("Nobody").call("GET", "/clauses/83.22A").json()
    assert next(it["case"] for it in found["cases"]) == "83.22A/1"
    assert {"R-0043"} <= {it["ruling"] for it in found["rulings"]}
    assert all(it["shipped"] <= it["selectable"] for ruling in found["rulings"] for it in ruling["readings"])


def test_a_case_that_names_hexes_has_a_map(person: Any) -> None:
    client = person("Nobody").client
    shown = page(person("Ada"), "/rules/83.22A")
    assert 'src="/cases/83.22A/1.svg"' in shown
    assert 'src="/cases/83.22A/1.svg?theme=dark"' in shown
    drawn = client.get("/cases/83.22A/1.svg")
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert ">Oslo</text>" in drawn.text
    assert "<style" not in drawn.text
    dark = client.get("/cases/83.22A/1.svg", params={"theme": "dark"}).text
    for theme, text in (("light", drawn.text), ("dark", dark)):
        colours = palette.tokens(theme)
        assert all(colours[name] in text for name in ("sea", "waterline-1", "grid-sea", "grid-land", "germany-map"))
        assert palette.tokens("dark" if theme == "light" else "light")["sea"] not in text
    assert client.get("/cases/99.99/1.svg").status_code == 404
    assert client.get("/cases/../../etc/passwd.svg").status_code == 404


def test_a_case_without_hexes_has_none(person: Any) -> None:
    _, _, case = page(person("Nobody"), "/rules/35.22").partition('data-case="37.12/1"')
    assert "case-map" not in case.partition("</details>")[0]
    assert "construction limit of Russia is 43" in case
