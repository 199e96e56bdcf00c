"""A convoy at a table of two seats: the one who is asked replies, the other one sees that the table waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from positions import CONVOY, SAILING

AXIS = {"title": "Axis", "powers": ["germany", "italy", "japan"], "mine": True}
ALLIES = {"title": "Allies", "powers": ["britain", "france", "russia", "usa", "china"], "mine": False}


@pytest.fixture
def convoy(person: Callable[[str], Any]) -> tuple[Any, Any]:
    axis = person("Ada").create(position=CONVOY, seats=[AXIS, ALLIES])
    return axis, person("Ben").join(axis.invite("seat2"))


def replies(player: Any) -> list[str]:
    offers = player.get().json()["position"]["offers"]
    return [offer["command"] for offer in offers if offer.get("replies_to") and offer["available"]]


def waits(player: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = player.get().json()["position"]["waits"]
    return found


def standing(player: Any) -> tuple[Any, ...]:
    """Figures of the powers, units and transports."""
    shown = player.get().json()["position"]
    figures = [(it["power"], it["figures"]) for it in shown["powers"]]
    return figures, shown["pieces"], shown["transports"]


def test_two_seats_play_one_convoy_from_sailing_to_arrival(convoy: tuple[Any, Any]) -> None:
    axis, allies = convoy
    for n, (command, asked) in enumerate(SAILING):
        giver, other = (allies, axis) if n < 2 else (axis, allies)
        if n:
            assert waits(giver)[0]["mine"]
            assert not waits(other)[0]["mine"]
            assert command["do"] in replies(giver)
            assert replies(other) == []
        done = giver.do(**command)
        assert done.status_code == 200, done.text
        shown = waits(other)
        assert [it["power"] for wait in shown for it in wait["waits_for"]] == list(asked)
    levels = {it["power"]: it["figures"]["level"] for it in allies.get().json()["position"]["powers"]}
    assert (levels["britain"], levels["usa"], levels["russia"]) == (52, 88, 34)


def test_the_one_who_waits_can_neither_go_on_nor_reply(convoy: tuple[Any, Any]) -> None:
    axis, allies = convoy
    allies.do(do="sail_convoy", power="britain", brp=8)
    stuck = allies.post("/advance")
    assert stuck.status_code == 422
    assert stuck.json()["refused"]["refusals"][0]["clause"] == "WC.10"
    assert allies.do(do="let_convoy_pass", power="germany").status_code == 403
    told = allies.do(do="report_convoy_interception", transports_sunk=1)
    assert told.status_code == 403
    assert "waits for Germany" in told.json()["error"]
    assert axis.do(do="report_convoy_interception", transports_sunk=1).status_code == 200


def test_what_an_operation_is_about_is_told_to_all(convoy: tuple[Any, Any]) -> None:
    axis, allies = convoy
    allies.do(do="sail_convoy", power="britain", brp=8, oil=1, escorts=["4 destroyer at Scapa Flow"])
    wait = waits(axis)[0]
    assert wait["clause"] == "40.44"
    assert wait["lines"] == [
        "Britain sends 8 BRPs and 1 oil counter in 3 transports",
        "Escorts: 4 destroyers of Britain from Scapa Flow (C28)",
    ]
    item = axis.get().json()["position"]["agenda"][0]
    assert (item["id"], item["power"]) == ("O1", "germany")


def test_undo_across_the_question_needs_consent_and_reopens_it(convoy: tuple[Any, Any]) -> None:
    axis, allies = convoy
    allies.do(do="sail_convoy", power="britain", brp=8)
    axis.do(do="let_convoy_pass", power="germany")
    assert waits(axis) == []
    asked = axis.post("/undo").json()
    assert asked["asked"]
    assert allies.post("/consent", agree=True).json()["done"]
    assert waits(axis)[0]["mine"]
    assert replies(axis)[0] == "oppose_convoy"


def test_a_fought_convoy_is_taken_back_by_consent_to_before_it_sailed(convoy: tuple[Any, Any]) -> None:
    axis, allies = convoy
    before = standing(allies)
    for n, (command, _) in enumerate(SAILING):
        assert (allies if n < 2 else axis).do(**command).status_code == 200
    fought = standing(allies)
    assert fought != before

    # Germany's last reply is not Britain's to take back: asked, declined, and everything stands.
    assert allies.post("/undo").json()["asked"]
    assert not axis.post("/consent", agree=False).json()["done"]
    assert standing(axis) == fought

    for command, _ in reversed(SAILING[1:]):
        assert allies.post("/undo").json()["asked"], command
        assert axis.get().json()["undo"]["asked"]["waits_for_me"]
        assert axis.post("/consent", agree=True).json()["done"]
        assert command["do"] in replies(allies if command["do"] == "join_convoy" else axis)
    # What Britain itself did last, and nobody has answered, it takes back alone.
    assert allies.post("/undo").json()["done"]
    assert waits(allies) == []
    assert standing(allies) == standing(axis) == before
