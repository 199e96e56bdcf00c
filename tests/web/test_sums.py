"""Every amount of log, ledger, agenda and chart opens to the clauses that made it, each line named by its thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from warcabinet.game import Game
from warcabinet.kernel.why import Why
from warcabinet.views.sums import Sum, due_sum, sums_of
from warcabinet.web.orders.reasons import Reason, account_sheet
from warcabinet.web.sheets.power_sheet import charts
from warcabinet.web.sheets.sum_sheet import sum_sheet


@pytest.fixture(scope="module")
def every_sum(war: Game) -> list[Sum]:
    line = war.line()
    moves = (it for it in war.log() if it.id in line and it.kind == "command")
    return [found for move in moves for found in sums_of(war, move)]


def test_every_amount_adds_up(every_sum: list[Sum]) -> None:
    """Whatever was earned or paid in the war: the lines under it come to it, and levels follow one another."""
    assert len(every_sum) > 200
    level: dict[str, int] = {}
    for it in every_sum:
        rows = [row.value for row in it.rows if isinstance(row.value, int)]
        assert sum(rows) == it.amount or it.amount in rows, it
        assert it.was is not None
        assert it.comes_to == it.was + it.amount
        assert level.setdefault(it.power, it.was) == it.was, it
        level[it.power] = it.comes_to


def _under(rows: tuple[Reason, ...]) -> Iterator[Reason]:
    for row in rows:
        yield row
        yield from _under(row.because)


def test_the_year_start_opens_to_its_areas(every_sum: list[Sum]) -> None:
    found = next(it for it in every_sum if it.title == "1942 year start" and it.power == "germany")
    sheet = sum_sheet(found)
    assert (sheet.amount, sheet.was, sheet.comes_to, sheet.year) == (381, 0, 381, 1942)
    assert {row.said: row.value for row in sheet.rows}["Colonies and conquered minor countries"] == 135
    named = {row.said: row.value for row in _under(sheet.rows) if row.rule == "area_value"}
    assert {"Poland": 20, "Paris": 20, "Kharkov IC": 10}.items() <= named.items()


def test_things_are_named_not_rules(every_sum: list[Sum]) -> None:
    """Lines that stand beside each other are told apart by their words."""
    for it in every_sum:
        for row in _under(sum_sheet(it).rows):
            said = [inner.said for inner in row.because if inner.rule in ("area_value", "declaration_cost")]
            assert len(said) == len(set(said)), row


def test_settlements_grants_costs_and_losses(every_sum: list[Sum]) -> None:
    by_title = {it.title: it for it in every_sum}
    settled = by_title["Denmark, Norway, Belgium, Luxembourg, Netherlands"]
    assert [row.value for row in settled.rows] == [10, 10, 15, 5, 10, -13]
    assert settled.rows[-1].clause == "35.71"
    built = by_title["unit construction: 2 infantry 3-3, 4 army air"]
    assert [(row.value, row.note) for row in built.rows] == [(-6, "2 infantry 3-3 at 3"), (-12, "4 army air at 3")]
    assert "86.121" in by_title["declaration of war on Denmark and Norway"].rows[0].clauses()
    assert by_title["bombing of London"].rows == (Why("part", "35.63", (), -3, (), (), "bombing of London"),)
    granted = [it for it in every_sum if it.title == "grant to Italy by land"]
    assert [(it.power, it.amount) for it in granted[:2]] == [("germany", -10), ("italy", 10)]


def test_what_falls_due_opens(war: Game) -> None:
    due = [it for it in war.agenda() if it.brp]
    assert due
    for it in due:
        found = due_sum(war.state, it.id)
        assert found.rows
        assert found.amount == int(it.brp * it.share / 100)


def test_the_bars_of_the_chart_open_to_their_entries(war: Game) -> None:
    flows = charts(war, war.head, war.state).flows
    for power, purposes in flows.items():
        for purpose, amount in purposes.items():
            sheet = account_sheet(war, f"brp/{power}", war.head.id, purpose)
            assert sum(line.amount for line in sheet.lines) == amount, (power, purpose)


def test_the_log_says_which_event_its_amount_is(solo: Any) -> None:
    solo.post("/advance", to="combat")
    done = solo.do(do="spend", power="germany", brp=7, on="offensive operations").json()
    line = done["moves"][0]
    assert (line["amount"], line["entry"]) == (-7, line["events"][0]["number"])
    found = solo.get("/sum", move=line["id"], event=line["entry"]).json()
    assert (found["amount"], found["power_name"], found["was"] - found["comes_to"]) == (-7, "Germany", 7)
    assert solo.get("/sum", move=line["id"], event=99).status_code == 400
    assert solo.get("/sum", move=99999, event=0).status_code == 404
    assert solo.get("/sum", move=line["id"], event=line["entry"], power="japan").status_code == 400


def test_an_item_of_the_agenda_by_its_name(solo: Any) -> None:
    item = next(it for it in solo.get("/agenda").json() if it["brp"])
    assert solo.get("/agenda/sum", id=item["id"]).json()["amount"] == item["comes_to"]
    assert solo.get("/agenda/sum", id="P999").status_code == 400
