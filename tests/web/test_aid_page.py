"""The aid page at a table: roads and pairs with their clauses, a plan and what it comes to, a grant under way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from positions import CONVOY, SAILING

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}
LEND = {"do": "grant", "power": "usa", "to": "britain", "by": "atlantic", "brp": 12}


@pytest.fixture
def seats(person: Callable[[str], Any]) -> tuple[Any, Any]:
    axis = person("Ada").create(position=CONVOY, seats=[AXIS, ALLIES])
    return axis, person("Ben").join(axis.invite("seat2"))


def aid(player: Any, *plan: dict[str, Any]) -> Any:
    answer = player.post("/aid", plan=list(plan))
    assert answer.status_code == 200, answer.text
    return answer.json()


def cell(sheet: Any, power: str, to: str) -> Any:
    return next(it for it in sheet["page"]["cells"] if (it["power"], it["to"]) == (power, to))


def road(sheet: Any, id: str) -> Any:
    return next(it for it in sheet["page"]["roads"] if it["id"] == id)


def test_every_road_says_what_it_carries_or_by_which_clause_it_is_closed(seats: tuple[Any, Any]) -> None:
    sheet = aid(seats[1])
    murmansk = road(sheet, "murmansk")
    assert (murmansk["state"], murmansk["used"], murmansk["capacity"]) == ("open", 0, 20)
    assert murmansk["lines"][0]["hexes"][0] == "europe/A47"
    # With both railways open only Vologda closes it.
    assert murmansk["hangs_on"] == ["europe/D49"]
    closed = {it["id"]: [why["clause"] for why in it["why_not"]] for it in sheet["page"]["roads"] if it["why_not"]}
    assert closed == {"persia": ["40.521"], "turkey": ["40.61A"], "siberia": ["40.71"], "hump": ["40.851"]}


def test_every_pair_says_how_much_or_why_not(seats: tuple[Any, Any]) -> None:
    sheet = aid(seats[1])
    lend = cell(sheet, "usa", "britain")
    # Six transports carry thirty.
    assert (lend["most"], lend["by"]) == (30, ["40.221A"])
    assert cell(sheet, "usa", "italy")["why_not"][0]["clause"] == "40.31"
    assert cell(sheet, "usa", "china")["why_not"][0]["clause"] == "40.812A"
    assert cell(sheet, "britain", "france")["why_not"][0]["clause"] == "40.34A"
    ways = {way["road"]: way["why_not"] for way in cell(sheet, "britain", "russia")["ways"]}
    assert ways["murmansk"] == []
    assert ways["persia"][0]["clause"] == "40.521"
    assert {it["power"]: it["clause"] for it in sheet["page"]["never"]}["japan"] == "40.32C"


def test_a_plan_says_what_becomes_of_both_sides_and_changes_nothing(seats: tuple[Any, Any]) -> None:
    allies = seats[1]
    before = allies.get().json()["head"]
    sail = {"do": "sail_convoy", "power": "britain", "brp": 8}
    plan = aid(allies, LEND, sail)["page"]["plan"]
    sides = {it["power"]: it for it in plan["sides"]}
    assert (sides["usa"]["level"], sides["usa"]["level_after"]) == (100, 88)
    assert sides["usa"]["limit_after"] - sides["usa"]["limit"] == -4
    # Britain receives 12 and grants 8: up four, and its limit up four less two.
    assert sides["britain"]["level_after"] - sides["britain"]["level"] == 4
    assert sides["britain"]["limit_after"] - sides["britain"]["limit"] == 2
    assert sides["russia"]["level_after"] - sides["russia"]["level"] == 8
    atlantic = plan["oceans"][0]
    assert (atlantic["needed"], atlantic["free"], atlantic["uses"]) == (5, 1, ["Britain 3", "Russia 2"])
    assert allies.get().json()["head"] == before


def test_what_may_not_be_is_said_in_the_plan(seats: tuple[Any, Any]) -> None:
    plan = aid(seats[1], {**LEND, "brp": 31}, {**LEND, "power": "nobody"})["page"]["plan"]
    assert [it["clause"] for it in plan["lines"][0]["why_not"]] == ["40.221A"]
    assert "nobody" in plan["lines"][1]["why_not"][0]["text"]
    assert plan["brp"] == 0


def test_a_convoy_is_followed_step_by_step_and_said_what_it_would_come_to(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    for n, (command, _) in enumerate(SAILING[:6]):
        assert (allies if n < 2 else axis).do(**command).status_code == 200
    sheet = aid(allies)["convoy"]
    # Eight and twelve sailed; two hits from the air, one by submarines; one of five transports is lost.
    assert (sheet["sent"], sheet["afloat"], sheet["lost"], sheet["transports"]) == (20, 17, 3, 4)
    assert [(it["state"], it["lost"]) for it in sheet["hexes"]][:3] == [("done", 3), ("now", 0), ("to come", 0)]
    told = [(it["hex"], it.get("lost", 0), it["clause"]) for it in sheet["steps"] if it["hex"]]
    assert told == [(1, 2, "40.45B"), (1, 1, "40.45B(3)")]
    ended = {it["text"]: it["amount"] for it in sheet["if_ended"]}
    assert ended["Russia receives"] == 17
    assert ended["Lost at sea"] == 3
    assert ended["Back to the grantors, if it aborts"] == 17
    assert sheet["waits_for"] == ["germany"]
    assert road(aid(axis), "murmansk")["state"] == "under way"


def test_dice_stand_beside_the_attack_thrown_or_entered(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    allies.do(do="sail_convoy", power="britain", brp=8)
    axis.do(do="oppose_convoy", power="germany", air=["4 army air at Bergen"])
    axis.do(do="attack_convoy", power="germany", by="air")
    assert axis.do(do="report_convoy_attack", hits=1, dice="4 2").status_code == 200
    axis.do(do="attack_convoy", power="germany", by="air")
    assert axis.do(do="roll", purpose="air attack 2").status_code == 200
    axis.do(do="report_convoy_attack", hits=0)
    first, second = [it for it in aid(allies)["convoy"]["steps"] if it["hex"]]
    assert first["dice"] == [4, 2]
    assert len(second["dice"]) == 1
    assert axis.do(do="attack_convoy", power="germany", by="air").status_code == 200
    assert axis.do(do="report_convoy_attack", hits=0, dice="7").status_code in (400, 422)


def test_grants_by_turn_are_told_and_undone_ones_are_not(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    assert aid(axis)["by_turn"] == []
    assert allies.do(**LEND).status_code == 200
    axis.do(do="report_grant_interception", ocean="atlantic", transports_sunk=1)
    axis.do(do="let_grant_pass", power="germany")
    row = {"turn": "Summer 1942", "power": "usa", "to": "britain", "granted": 12, "received": 10, "returned": 0}
    assert aid(axis)["by_turn"] == [row]
    axis.post("/undo")
    allies.post("/consent", agree=True)
    assert aid(axis)["by_turn"][0]["received"] == 0


def test_both_ledgers_lead_to_each_other_over_the_sea(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    allies.do(**LEND)
    axis.do(do="report_grant_interception", ocean="atlantic", transports_sunk=1)
    axis.do(do="let_grant_pass", power="germany")

    def last(account: str) -> Any:
        return allies.get("/ledger", account=account).json()["lines"][-1]

    given, received = last("brp/usa"), last("brp/britain")
    ends = {(it["account"], it["amount"], it["move"]) for it in given["trail"]["ends"]}
    assert ends == {("brp/britain", 10, received["move"]), ("brp/sink/convoys", 2, received["move"])}
    assert ("brp/usa", -12, given["move"]) in {
        (it["account"], it["amount"], it["move"]) for it in received["trail"]["ends"]
    }
    assert [it.get("sunk", 0) for it in received["trail"]["between"]] == [0, 1, 0]


def test_both_sides_are_told_now_as_it_stands_and_with_the_plan(seats: tuple[Any, Any]) -> None:
    axis, allies = seats
    allies.do(do="sail_convoy", power="britain", brp=15)
    axis.do(do="oppose_convoy", power="germany", air=["4 army air at Bergen"])
    axis.do(do="attack_convoy", power="germany", by="air")
    axis.do(do="report_convoy_attack", hits=3)
    sides = {it["power"]: it for it in aid(allies, LEND)["page"]["plan"]["sides"]}
    russia, britain = sides["russia"], sides["britain"]
    assert [russia[f"level{it}"] for it in ("", "_stands", "_after")] == [20, 32, 32]
    assert [britain[f"level{it}"] for it in ("", "_stands", "_after")] == [45, 45, 57]
    assert russia["limit_stands"] - russia["limit"] == 4
