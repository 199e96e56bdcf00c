"""Closing a phase: each seat of the side says that it is ready, and nobody is cut off."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import AXIS
from warcabinet.web.turns import readiness

SPEND = {"do": "spend", "power": "russia", "brp": 1, "on": "other"}


SEATS = [
    {"title": "Axis", "powers": AXIS, "mine": True},
    {"title": "West", "powers": ("britain", "france"), "mine": False},
    {"title": "East", "powers": ("russia", "usa", "china"), "mine": False},
]


def fine(answer: Any) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json()


@pytest.fixture
def three(person: Any) -> Any:
    """Anna hosts with the Axis and is referee; Ben has Britain and France, Clara the other Allies. It is their turn."""
    anna = person("Anna").create(seats=SEATS).mobilize("italy", "japan")
    ben = person("Ben").join(anna.invite("seat2"))
    clara = person("Clara").join(anna.invite("seat3"))
    fine(ben.do(do="deploy", by="britain", country="poland"))
    fine(anna.post("/advance", to="Fall 1939, Allied, mobilization"))
    ben.mobilize("britain")
    return anna, ben, clara


def moment(player: Any) -> str:
    return str(player.get().json()["position"]["clock"]["phase"])


def test_a_phase_closes_with_the_last_ready_of_its_side(three: Any) -> None:
    _, ben, clara = three
    before = moment(ben)
    assert fine(ben.post("/advance"))["moves"] == []
    seen = clara.get().json()["ready"]
    assert [(it["title"], bool(it["since"])) for it in seen["seats"]] == [("West", True), ("East", False)]
    assert (seen["ready"], seen["mine"], seen["alone"]) == (1, False, False)
    assert ben.get().json()["ready"]["mine"]
    assert {it["seat"] for it in ben.get().json()["waiting"]} == {"seat3"}
    assert moment(ben) == before
    # Not ready after all, by a press or by an order.
    fine(ben.post("/ready"))
    assert fine(clara.post("/advance"))["moves"] == []
    fine(clara.do(**SPEND))
    assert clara.get().json()["ready"]["ready"] == 0
    # An order in the words of a command is the same as the press.
    assert fine(ben.do(do="advance"))["moves"] == []
    closed = fine(clara.post("/advance"))["moves"]
    assert closed[0]["minded"] == "closed by all: Ben, Clara; last Clara"
    assert moment(ben) != before
    assert clara.get().json()["ready"]["ready"] == 0  # the next phase begins anew


def test_who_closes_alone_is_named_where_several_play(person: Any) -> None:
    allies = {"title": "Allies", "powers": ("britain", "france", "russia", "usa", "china"), "mine": False}
    anna = person("Anna").create(seats=[SEATS[0], allies]).mobilize("italy", "japan")
    assert not fine(anna.post("/advance"))["moves"][0].get("minded")  # as long as nobody else sits there
    person("Ben").join(anna.invite("seat2"))
    assert fine(anna.post("/advance"))["moves"][0]["minded"] == "closed by Anna"
    # Steps in which nothing is decided follow by themselves.
    assert "closed by Anna" in {it["minded"] for it in fine(anna.post("/advance", to="my next decision"))["moves"]}


def test_a_typed_line_asks_the_others_of_its_side_as_well(three: Any) -> None:
    """The books are one line, and a phase is closed there as everywhere."""
    _, ben, clara = three
    before = moment(ben)
    given = fine(ben.post("/entries", lines=["to combat"]))
    assert (given["given"], given["asks"]) == (0, "you are ready; the phase closes when all are: Clara")
    assert ben.get().json()["ready"]["mine"]
    fine(ben.post("/entries", lines=["britain 1 other"]))
    assert not ben.get().json()["ready"]["mine"]  # who gave an order is not ready any more
    fine(ben.post("/entries", lines=["next"]))
    assert moment(ben) == before
    assert fine(clara.post("/entries", lines=["next"]))["given"] == 1
    assert moment(ben) != before


def test_no_key_of_one_side_closes_a_phase_of_the_other(three: Any) -> None:
    anna, ben, _ = three
    assert anna.post("/advance").status_code == 409
    assert anna.do(do="advance").status_code == 409
    assert ben.post("/advance", over="they sleep").status_code == 403  # neither host nor referee


def test_the_referee_closes_over_others_but_never_over_a_full_hand(three: Any) -> None:
    anna, ben, clara = three
    fine(ben.post("/advance"))
    fine(clara.call("PUT", f"/tables/{clara.table}/hand", what="2 infantry 1-3 from Minsk"))
    assert ben.get().json()["ready"]["seats"][1]["hand"] == "2 infantry 1-3 from Minsk"
    refused = anna.post("/advance", over="Clara is away")
    assert refused.status_code == 409
    assert "East holds something" in refused.json()["error"]
    fine(clara.call("PUT", f"/tables/{clara.table}/hand", what=""))
    closed = fine(anna.post("/advance", over="Clara is away"))["moves"]
    assert closed[0]["minded"] == "closed by Anna, referee, over Clara: Clara is away"
    assert "over Clara: Clara is away" in ben.get("/talk").text


def test_after_a_day_the_rest_of_the_side_closes_over_who_is_away(three: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben, clara = three
    before = moment(ben)
    fine(clara.call("PUT", f"/tables/{clara.table}/looked", move=1))
    assert ben.get().json()["ready"]["hours"] == 24
    fine(anna.call("PUT", f"/tables/{anna.table}/closing", closing="all", hours=1))
    assert ben.call("PUT", f"/tables/{ben.table}/closing", closing="all", hours=2).status_code == 403
    assert ben.post("/advance", over="she is away").status_code == 403
    monkeypatch.setattr(readiness, "time", SimpleNamespace(time=lambda: time.time() + 3700))
    # First the rest must be ready themselves.
    assert not ben.get().json()["ready"]["may_override"]
    fine(ben.post("/advance"))
    ready = ben.get().json()["ready"]
    assert ready["may_override"]
    assert ready["seats"][1]["away"]
    closed = fine(ben.post("/advance", over="she is away"))["moves"]
    assert closed[0]["minded"] == "closed by Ben, its side, after an hour, over Clara: she is away"
    assert moment(ben) != before


def test_who_comes_back_is_told_what_was_put_back(three: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, ben, clara = three
    hand = f"/tables/{clara.table}/hand"
    assert fine(clara.call("PUT", hand, what="2 infantry 1-3")) == {"put_back": ""}
    monkeypatch.setattr(readiness, "SILENT", 0.0)
    assert ben.get().json()["ready"]["seats"][1]["hand"] == ""
    assert [fine(clara.call("PUT", hand, what="")) for _ in range(2)] == [
        {"put_back": "2 infantry 1-3"},
        {"put_back": ""},
    ]


def test_enemies_do_not_see_what_is_in_a_hand(three: Any, person: Any) -> None:
    anna, _, clara = three
    fan = person("Fan").join(anna.invite("spectators"))
    fine(clara.call("PUT", f"/tables/{clara.table}/hand", what="a secret"))
    assert "a secret" not in fan.get().text
    # Whoever takes something up is not ready any more.
    fine(clara.call("PUT", f"/tables/{clara.table}/hand", what=""))
    fine(clara.post("/advance"))
    fine(clara.call("PUT", f"/tables/{clara.table}/hand", what="infantry"))
    assert clara.get().json()["ready"]["ready"] == 0


def test_a_table_may_let_anyone_close(three: Any) -> None:
    anna, ben, _ = three
    assert ben.call("PUT", f"/tables/{ben.table}/closing", closing="anyone").status_code == 403
    fine(anna.call("PUT", f"/tables/{anna.table}/closing", closing="anyone"))
    assert len(fine(ben.post("/advance"))["moves"]) >= 1


def test_at_one_screen_a_press_closes(solo: Any) -> None:
    before = moment(solo)
    assert solo.get().json()["ready"]["alone"]
    fine(solo.post("/advance"))
    assert moment(solo) != before


def test_a_phase_is_opened_again_with_the_consent_of_its_own_side(three: Any) -> None:
    anna, ben, clara = three
    fine(ben.post("/advance"))
    fine(clara.post("/advance"))
    closed = moment(ben)
    assert fine(ben.post("/undo"))["asked"]
    assert not anna.get().json()["undo"]["asked"]["waits_for_me"]
    assert clara.get().json()["undo"]["asked"]["waits_for_me"]
    assert fine(clara.post("/consent", agree=True))["done"]
    assert moment(ben) != closed


def test_a_seat_that_a_steward_minds_is_ready_by_itself(three: Any) -> None:
    _, ben, clara = three
    for power in ("russia", "usa", "china"):
        fine(clara.call("PUT", f"/tables/{clara.table}/minders/{power}", mode="act"))
    before = moment(ben)
    fine(ben.post("/advance"))
    assert moment(ben) != before


def test_a_steward_waits_for_the_person_who_may_do_it_too(person: Any) -> None:
    """82.52: Britain or the U.S. sets up a country that Germany attacks; the American steward leaves it to Ben."""
    anna = person("Anna").create(seats=SEATS).mobilize("italy", "japan")
    ben = person("Ben").join(anna.invite("seat2"))
    fine(ben.do(do="deploy", by="britain", country="poland"))
    for power in ("russia", "usa", "china"):
        fine(anna.call("PUT", f"/tables/{anna.table}/minders/{power}", mode="act"))
    fine(anna.post("/advance", to="declaration of war"))
    fine(anna.do(do="declare_war", power="germany", on=["belgium", "luxembourg"]))
    fine(anna.post("/advance"))
    assert not [it["text"] for it in anna.get("/log").json() if it["minded"] and "Belgium" in it["text"]]
    assert fine(ben.do(do="deploy", by="britain", country="belgium"))


def test_what_a_steward_owes_in_the_other_sides_turn_is_shown_to_the_host(person: Any) -> None:
    """82.92: the Philippines are set up before the first phase ends, though nobody sits for the U.S."""
    anna = person("Anna").create(seats=SEATS, options={}).mobilize("italy", "japan")
    ben = person("Ben").join(anna.invite("seat2"))
    fine(anna.call("PUT", f"/tables/{anna.table}/minders/usa", mode="show"))
    assert anna.get().json()["showing"] == ["usa"]
    assert ben.get().json()["showing"] == []
    assert fine(anna.post("/minders/usa/give"))["orders"] == 1
    line = next(it for it in anna.get("/log").json() if "Philippines" in it["text"])
    assert (line["text"], line["minded"]) == (
        "United States: set up the forces of Philippines",
        "by United States's steward: a duty (82.92)",
    )
    assert anna.get().json()["showing"] == []


def test_a_seat_that_only_stewards_keep_is_shown_and_waited_for_by_nobody(person: Any) -> None:
    anna = person("Anna").create(seats=SEATS).mobilize("italy", "japan")
    ben = person("Ben").join(anna.invite("seat2"))
    fine(anna.call("PUT", f"/tables/{anna.table}/minders/usa", mode="show"))
    fine(ben.do(do="deploy", by="britain", country="poland"))
    fine(anna.post("/advance", to="Fall 1939, Allied, mobilization"))
    ben.mobilize("britain")
    ready = ben.get().json()["ready"]
    assert [(it["title"], it["people"], it["steward"]) for it in ready["seats"]] == [
        ("West", ["Ben"], False),
        ("East", [], True),
    ]
    assert (ready["ready"], ready["alone"]) == (1, True)
    assert len(fine(ben.post("/advance"))["moves"]) >= 1


def test_a_steward_that_shows_says_so_on_the_board_page(three: Any) -> None:
    anna, ben, clara = three
    fine(clara.call("PUT", f"/tables/{clara.table}/minders/russia", mode="show"))
    fine(anna.call("PUT", f"/tables/{anna.table}/closing", closing="anyone"))
    while moment(ben) != "unit construction":
        fine(ben.post("/advance"))
    assert clara.get().json()["showing"] == ["russia"]
    assert ben.get().json()["showing"] == []  # whoever holds the power is asked
    assert [it["stewards"] for it in ben.get().json()["seats"] if it["title"] == "East"] == [["russia"]]
    assert fine(clara.post("/minders/russia/give"))["orders"] >= 1
    assert clara.get().json()["showing"] == []
