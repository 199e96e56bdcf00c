"""A battle at the table: one side attacks, the other answers, each takes off its own; it is one line of the log."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import ALLIES, AXIS

ATTACK = {"nation": "germany", "at": "Lodz", "attackers": ["2 armor 4-6 at Breslau", "infantry 3-3 at Breslau"]}
AIR = ("poland", "army air")
CHART = """dice | 1:1 | 2:1 | 3:1 | 5:1
2 | A9 D1 | A8 D1 | A7 D2 | A3 D1
3 | A9 D1 | A8 D1 | A7 D2 | A3 D1
4 | A9 D1 | A8 D1 | A7 D2 | A3 D1
5 | A9 D1 | A8 D1 | A7 D2 | A3 D1
6 | A9 D1 | A8 D1 | A7 D2 | A3 D1
7 | A9 D1 | A8 D1 | A7 D2 | A3 D1
8 | A9 D1 | A8 D1 | A7 D2 | A3 D1
9 | A9 D1 | A8 D1 | A7 D2 | A3 D1
10 | A9 D1 | A8 D1 | A7 D2 | A3 D1
11 | A9 D1 | A8 D1 | A7 D2 | A3 D1
12 | A9 D1 | A8 D1 | A7 D2 | A3 D1 R"""


def fine(answer: Any) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json()


def in_combat(axis: Any, allies: Any) -> None:
    """Germany's armor beside Lodz, two Polish armies and an air unit in it, in the combat phase of Fall 1939."""
    for unit, count in (("armor 4-6", 2), ("infantry 3-3", 1)):
        there = {"unit": unit, "at": "Breslau", "count": count, "beyond_list": True}
        fine(axis.do(do="report_units", nation="germany", **there))
    fine(allies.do(do="deploy", by="britain", country="poland", units=["2 infantry 1-3 at Lodz", "army air at Lodz"]))
    fine(axis.post("/advance", to="combat"))


@pytest.fixture
def fight(person: Any) -> Any:
    """The Axis of one who only plays; the Allies of the host, who is the referee too."""
    seats = [{"title": "Allies", "powers": ALLIES, "mine": True}, {"title": "Axis", "powers": AXIS, "mine": False}]
    host = person("Ada").create(seats=seats)
    guest = person("Ben").join(host.invite("seat2")).mobilize("italy", "japan")
    in_combat(guest, host)
    return guest, host


def battle(player: Any) -> Any:
    return player.get().json()["battle"]


def test_a_battle_between_two_people_is_one_line_and_one_undo(fight: Any) -> None:
    axis, allies = fight
    fine(axis.call("PUT", f"/tables/{axis.table}/chart", text=CHART))
    before = axis.get().json()
    level = next(it for it in before["position"]["powers"] if it["power"] == "germany")["figures"]["level"]
    fine(axis.post("/battle", **ATTACK, brp=15))
    seen = battle(allies)
    assert (seen["stage"], seen["odds"], seen["attacker"]["factors"], seen["defender"]["factors"]) == (
        "answer",
        "1 : 5.5",
        11,
        2,
    )
    assert [it["kind"] for it in allies.get().json()["waiting"] if it["mine"]] == ["battle"]
    # Nobody orders anything else meanwhile, nor does the attacker answer for the other, or throw before.
    spent = axis.do(do="spend", power="germany", brp=1, on="other")
    assert spent.status_code == 409
    assert "The battle of Lodz" in spent.json()["error"]
    assert axis.post("/advance").status_code == 409
    assert axis.post("/battle/answer").status_code == 403
    assert axis.post("/battle/throw", dice=2).status_code == 409
    # What is only tapped so far moves the odds for both.
    fine(allies.post("/battle/answer", support=["army air of poland at Lodz"], confirm=False))
    assert [(it["stage"], it["odds"], it["own"]) for it in map(battle, (axis, allies))] == [
        ("answer", "3.66 : 1", "attacker"),
        ("answer", "1 : 3.66", "defender"),
    ]
    assert allies.post("/battle", **ATTACK).status_code == 409
    fine(allies.post("/battle/answer", support=["army air of poland at Lodz"]))
    assert battle(axis)["odds"] == "3.66 : 1"
    fine(axis.post("/battle/throw", dice=2))
    seen = battle(axis)
    assert seen["total"] == sum(seen["faces"])
    assert (seen["column"], seen["result"], seen["defender"]["wanted"]) == ("3:1", "A7 D2", 2)
    # Each side takes off its own, and nobody the other's.
    theirs = ["2 infantry 1-3 of poland at Lodz"]
    assert axis.post("/battle/losses", side="defender", losses=theirs).status_code == 403
    assert axis.post("/battle/losses", side="attacker", losses=theirs).status_code == 403
    # Fewer than the result asks for are taken off with a word why, and not without one.
    lost = ["1 infantry 3-3 at Breslau"]
    fine(axis.post("/battle/losses", side="attacker", losses=lost))
    assert battle(axis)["feet"]["attacker"]["off"] == "4 factors more"
    assert "4 factors more" in axis.post("/battle/losses", side="attacker", losses=lost, confirm=True).json()["error"]
    fine(axis.post("/battle/losses", side="attacker", losses=lost, confirm=True, why="agreed"))
    fine(allies.post("/battle/losses", side="defender", losses=theirs))
    assert battle(axis)["stage"] == "losses"
    assert axis.post("/battle/end").status_code == 409
    back = ["army air of poland at Lodz to Warsaw"]
    fine(allies.post("/battle/losses", side="defender", losses=theirs, retreats=back, confirm=True))
    done = fine(axis.post("/battle/end", advances=["armor 4-6 at Breslau"]))
    assert "Germany: attack on Lodz" in done["moves"][0]["text"]
    after = axis.get().json()
    assert after["battle"] is None
    assert next(it for it in after["position"]["powers"] if it["power"] == "germany")["figures"]["level"] == level - 15
    # What came of it, its steps and who did them stay beside its line.
    told = fine(allies.get("/battle", move=done["moves"][0]["id"]))
    assert (told["title"], [it["by"] for it in told["steps"]]) == (
        "Lodz is Germany's",
        ["Ben", "Ada", "Ben", "Ben", "Ada", "Ben"],
    )
    assert [(it["text"], it["before"], it["after"]) for it in told["rows"]][:3] == [
        ("Germany, factors", "11", "8"),
        ("Poland, factors", "3", "1"),
        ("BRPs", str(level), str(level - 15)),
    ]
    assert axis.get("/battle", move=1).status_code == 404
    fight_lines = [it for it in axis.get("/log").json() if it["batch"] == done["moves"][0]["batch"]]
    # The price and the dice stand within its line.
    assert [it["battle"] for it in fight_lines] == [True, False, False, False]
    # One undo takes all of it back; dice fell, so the other is asked.
    assert axis.post("/undo").json()["asked"]
    assert allies.post("/consent", agree=True).json()["done"]
    undone = axis.get().json()
    assert next(it for it in undone["position"]["powers"] if it["power"] == "germany")["figures"]["level"] == level
    assert {it["undone"] for it in axis.get("/log").json() if it["id"] in [line["id"] for line in fight_lines]} == {
        True
    }


def brps(player: Any) -> int:
    powers = player.get().json()["position"]["powers"]
    return int(next(it for it in powers if it["power"] == "germany")["figures"]["level"])


def test_an_attack_is_paid_for_at_once_and_calling_it_off_brings_the_price_back(fight: Any) -> None:
    axis, allies = fight
    level = brps(axis)
    dear = axis.post("/battle", **ATTACK, brp=500)
    assert (dear.status_code, brps(axis), battle(allies)) == (422, level, None)
    fine(axis.post("/battle", **ATTACK, brp=15))
    assert (brps(axis), brps(allies), battle(axis)["left"]) == (level - 15, level - 15, level - 15)
    assert battle(axis)["wait"]["said"] == "Ada answers for Poland"
    assert battle(allies)["wait"] is None
    assert axis.post("/undo").status_code == 409  # the other side is asked first
    fine(axis.post("/battle/off"))
    assert (battle(axis)["off"]["go"], battle(allies)["off"]["go"]) == ("", "Agree to call it off")
    assert battle(allies)["off"]["said"] == "Ben asks to call it off"
    fine(allies.post("/battle/off"))
    assert (brps(axis), battle(axis)) == (level, None)
    # What was called off by mistake goes on where it stood.
    fine(axis.post("/redo"))
    assert (brps(axis), battle(axis)["stage"]) == (level - 15, "answer")


def test_a_battle_in_which_dice_fell_is_called_off_by_all_who_play(fight: Any) -> None:
    axis, allies = fight
    level = brps(axis)
    fine(axis.post("/battle", **ATTACK, brp=15))
    fine(allies.post("/battle/answer"))
    fine(axis.post("/battle/throw", dice=2))
    fine(axis.post("/battle/off"))
    assert battle(axis)["off"]["by"] == "attacker"
    assert not fine(allies.post("/consent", agree=False))["done"]
    assert battle(axis)["off"]["by"] == ""
    fine(axis.post("/battle/off"))
    fine(allies.post("/battle/off"))
    assert (brps(axis), battle(axis)) == (level, None)
    assert {it["undone"] for it in axis.get("/log").json()[:4] if it["kind"] == "command"} == {True}
    # A price that was paid is not taken back behind a battle that is over.
    fine(axis.post("/battle", **ATTACK, brp=15))
    fine(allies.post("/battle/answer"))
    fine(axis.post("/battle/throw", dice=1))
    for side, player in (("attacker", axis), ("defender", allies)):
        fine(player.post("/battle/losses", side=side, confirm=True))
    done = fine(axis.post("/battle/end"))
    told = fine(allies.get("/battle", move=done["moves"][0]["id"]))
    assert told["checked"].endswith("one undo; dice fell, so it asks the others.")
    assert [it["after"] for it in told["rows"] if it["text"] == "BRPs"] == [str(level - 15)]


def test_one_person_does_both_sides(solo: Any) -> None:
    in_combat(solo, solo)
    fine(solo.post("/battle", **ATTACK))
    assert battle(solo)["stage"] == "throw"
    fine(solo.post("/battle/throw"))
    losses = ["2 infantry 1-3 of poland at Lodz"]
    fine(solo.post("/battle/losses", side="defender", losses=losses, confirm=True, result="all lost"))
    fine(solo.post("/battle/losses", side="attacker", confirm=True))
    refused = solo.post("/battle/end", advances=["2 armor 4-6 at Breslau"])
    assert refused.status_code == 422  # the air unit stands there still
    assert refused.json()["refused"]["refusals"][0]["clause"] == "84.45B"
    back = ["army air of poland at Lodz to Warsaw"]
    fine(solo.post("/battle/losses", side="defender", losses=losses, retreats=back, confirm=True))
    done = fine(solo.post("/battle/end", advances=["2 armor 4-6 at Breslau"]))
    assert "all lost" in done["moves"][0]["text"]
    assert fine(solo.post("/undo"))["done"]


def test_a_battle_is_refused_and_called_off(fight: Any, person: Any) -> None:
    axis, allies = fight
    refused = axis.post("/battle", **{**ATTACK, "attackers": ["9 armor 4-6 at Breslau"]})
    assert (refused.status_code, refused.json()["refused"]["refusals"][0]["clause"]) == (422, "WC.7")
    checked = [(it["rule"], it["about"], it["text"]) for it in refused.json()["refused"]["checked"]]
    assert len(checked) == len({*checked}) >= 2  # each once, however many units it was asked of
    assert axis.post("/battle", **{**ATTACK, "nation": "britain"}).status_code == 403
    assert axis.post("/battle/off").status_code == 409
    fine(axis.post("/battle", **ATTACK))
    assert allies.post("/battle/off").status_code == 200  # asks the attacker
    assert battle(axis)["off"]["by"] == "defender"
    fine(axis.post("/battle/off"))
    assert battle(axis) is None
    assert fine(axis.post("/battle/outlook", **ATTACK))["stage"] == "forces"
    assert battle(allies) is None  # what is prepared is told to nobody
    fine(axis.post("/battle", **ATTACK))
    assert fine(axis.post("/remind"))["people"] == ["Ada"]
    assert "Ben reminds Ada" in allies.get("/talk").text
    fan = person("Fan").join(allies.invite("spectators"))
    assert battle(fan)["attacker"]["mine"] is False
    assert fan.post("/battle/answer").status_code == 403
    fine(allies.post("/battle/answer"))
    fine(axis.post("/battle/off"))  # answered: both must say so
    assert battle(axis)["off"]["by"] == "attacker"
    fine(allies.post("/battle/off"))
    assert battle(axis) is None


def test_who_attacks_does_not_report_anothers_losses_by_himself(fight: Any) -> None:
    axis, _ = fight
    told = axis.do(do="report_battle", **ATTACK, losses=["infantry 1-3 of poland at Lodz"])
    assert told.status_code == 403
    assert "not yours to tell" in told.json()["error"]
    assert fine(axis.do(do="report_battle", **ATTACK, losses=["infantry 3-3 at Breslau"]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2 | A1", "a line of odds"),
        ("dice | two to one\n2 | A1", "no odds"),
        ("dice | 2:1\nx | A1", "not with a total"),
        ("dice | 2:1\n2 | A1 | A2", "has 2 results"),
    ],
)
def test_a_chart_says_what_is_wrong_with_it(solo: Any, text: str, words: str) -> None:
    answer = solo.call("PUT", f"/tables/{solo.table}/chart", text=text)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_a_result_in_words_of_the_group_asks_for_numbers(fight: Any) -> None:
    axis, allies = fight
    fine(axis.post("/battle", **ATTACK))
    fine(allies.post("/battle/answer"))
    fine(axis.post("/battle/throw", total=7))
    fine(axis.post("/battle/losses", side="attacker", result="exchange, they give way"))
    assert battle(axis)["understood"] is False
    asks = {"attacker": 3, "defender": 1, "back": True}
    fine(axis.post("/battle/losses", side="attacker", result="exchange, they give way", asks=asks))
    seen = battle(allies)
    assert (seen["attacker"]["wanted"], seen["defender"]["wanted"], seen["asks"]["back"]) == (3, 1, True)
    fine(allies.post("/battle/losses", side="defender", losses=["infantry 1-3 of poland at Lodz"]))
    assert battle(allies)["feet"]["defender"]["off"] == "2 counters have no hex"


def test_who_did_not_fly_makes_way_and_a_side_takes_back_what_it_confirmed(fight: Any) -> None:
    axis, allies = fight
    second = next(it for it in axis.get().json()["position"]["pieces"] if (it["nation"], it["unit"]) == AIR)
    fine(allies.do(do="report_units", nation="poland", unit="army air", at=second["place"], count=-1))
    fine(allies.do(do="report_units", nation="poland", unit="army air", at="Lodz", count=1))
    fine(axis.post("/battle", **ATTACK))
    fine(allies.post("/battle/answer", support=["army air of poland at Lodz"]))
    fine(axis.post("/battle/throw", total=7))
    fine(axis.post("/battle/losses", side="attacker", result="A3 D1 R", losses=["1 infantry 3-3 at Breslau"]))
    seen = battle(allies)
    air = next(it for it in seen["defender"]["units"] if it["unit"] == "army air")
    assert (air["count"], air["idle"], seen["defender"]["factors"]) == (2, 1, 3)
    # The place is thought of as left: nothing stands against an advance.
    assert seen["refusals"] == []
    gone = {"losses": ["infantry 1-3 of poland at Lodz"]}
    back = ["infantry 1-3 of poland at Lodz to Warsaw", "2 army air of poland at Lodz to Warsaw"]
    fine(allies.post("/battle/losses", side="defender", **gone, retreats=back, confirm=True))
    assert [(it["unit"], it["count"], it["to"]) for it in battle(axis)["retreats"]] == [
        ("infantry 1-3", 1, "europe/M35"),
        ("army air", 2, "europe/M35"),
    ]
    # What was confirmed may be taken back until the other has confirmed too.
    fine(allies.post("/battle/losses", side="defender", **gone, retreats=back))
    assert battle(allies)["feet"].keys() == {"attacker", "defender"}
    fine(allies.post("/battle/losses", side="defender", **gone, retreats=back, confirm=True))
    fine(axis.post("/battle/losses", side="attacker", losses=["1 infantry 3-3 at Breslau"], confirm=True))
    done = fine(axis.post("/battle/end", advances=["armor 4-6 at Breslau"]))
    assert "2 army air back to Warsaw" in done["moves"][0]["text"]


def test_a_key_area_that_falls_says_what_falls_due_and_what_averts_it(person: Any) -> None:
    units = "\n".join(
        f"  - {{nation: {nation}, type: {unit}, at: {at}, strength: {strength}, count: {count}}}"
        for nation, unit, at, strength, count in (
            ("germany", "armor", "Frankfurt", "4-6", 3),
            ("france", "infantry", "Paris", "2-3", 1),
        )
    )
    host = person("Ada").create(position=f"scenario: classic-1939\nphase: combat\nunits:\n{units}\n")
    fine(host.post("/battle", nation="germany", at="Paris", attackers=["3 armor 4-6 at Frankfurt"]))
    fine(host.post("/battle/throw", total=7))
    lost = ["infantry 2-3 of france at Paris"]
    fine(host.post("/battle/losses", side="defender", losses=lost, result="A0 D2", confirm=True))
    due = [it["text"] for it in battle(host)["follows"] if it["clause"] in ("35.73A", "35.73D")]
    assert len(due) == 2
    assert all("BRPs, " in it for it in due), due
    assert any("averted by" in it for it in due), due


def test_the_referee_acts_for_another_and_all_read_it(fight: Any) -> None:
    axis, host = fight
    fine(axis.post("/battle", **ATTACK))
    fine(host.post("/battle/answer"))
    fine(host.post("/battle/throw", total=9))
    assert (battle(axis)["steps"][-1]["text"], battle(axis)["steps"][-1]["by"]) == (
        "Thrown 9",
        "Ada, referee, for the attacker",
    )
    assert "Ada, referee, acts for the attacker" in host.get("/talk").text


def test_stewards_wait_while_a_battle_is_fought(solo: Any) -> None:
    in_combat(solo, solo)
    fine(solo.post("/battle", **ATTACK))
    fine(solo.call("PUT", f"/tables/{solo.table}/minders/italy", mode="act"))
    moves = len(solo.get("/log").json())
    fine(solo.post("/battle/throw", total=7))
    assert len(solo.get("/log").json()) == moves


def test_a_march_farther_than_its_factor_is_marked_in_the_log(solo: Any) -> None:
    there = {"unit": "infantry 3-3", "at": "Berlin", "count": 1, "beyond_list": True}
    fine(solo.do(do="report_units", nation="germany", **there))
    march = {"do": "report_move", "power": "germany", "units": ["infantry 3-3"]}
    near = fine(solo.do(**march, origin="Berlin", to="Leipzig"))["moves"][0]
    far = fine(solo.do(**march, origin="Leipzig", to="Essen"))["moves"][0]
    assert (near["note"], far["note"]) == ("", "4 hexes, farther than its factor of 3")


def test_hexes_marched_through_are_taken_where_the_group_says_so(solo: Any) -> None:
    fine(solo.do(do="deploy", by="britain", country="poland", units=["army air at Warsaw"]))
    fine(solo.post("/advance", to="movement"))
    stack = {"do": "move", "nation": "germany", "from": "europe/N32", "to": "europe/N35"}
    fine(solo.post("/do-all", orders=[{**stack, "unit": "armor 4-6"}]))
    (march,) = solo.get().json()["marched"]
    assert (march["taker"], march["text"]) == ("germany", "1 armor 4-6, Breslau to N35")
    assert march["places"] == ["europe/N33", "europe/N34"]
    fine(solo.do(do="report_control", places=march["places"][:1], by="germany"))
    assert [it["places"] for it in solo.get().json()["marched"]] == [["europe/N34"]]
    fine(solo.post("/advance"))
    assert solo.get().json()["marched"] == []


def test_a_stack_that_goes_together_is_one_line(solo: Any) -> None:
    for unit in ("armor 4-6", "infantry 3-3"):
        there = {"unit": unit, "at": "Breslau", "count": 2, "beyond_list": True}
        fine(solo.do(do="report_units", nation="germany", **there))
    fine(solo.do(do="deploy", by="britain", country="poland", units=["army air at Warsaw"]))
    fine(solo.post("/advance", to="movement"))
    one = {"do": "move", "nation": "germany", "from": "Breslau", "to": "Berlin"}
    orders = [{**one, "unit": "armor 4-6", "count": 2}, {**one, "unit": "infantry 3-3", "count": 2}]
    moves = fine(solo.post("/do-all", orders=orders))["moves"]
    assert [(it["units"], it["way"]) for it in moves] == [
        ("2 armor 4-6", "Germany: {} from Breslau to Berlin"),
        ("2 infantry 3-3", "Germany: {} from Breslau to Berlin"),
    ]
    assert len({it["batch"] for it in moves}) == 1
