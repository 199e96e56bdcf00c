"""Great moments at a table: lines by one press, confirmed by the seats concerned, one undo, a headline."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import ALLIES, AXIS

FALL = "fall of France"


def fine(answer: Any) -> Any:
    assert answer.status_code < 300, answer.text
    return answer.json()


@pytest.fixture
def fallen(person: Any) -> Any:
    """Two at a table; the French counters stand as at the start, Paris and Brest are German, and France surrenders."""
    seats = [{"title": "Allies", "powers": ALLIES, "mine": True}, {"title": "Axis", "powers": AXIS, "mine": False}]
    host = person("Ada").create(seats=seats)
    guest = person("Ben").join(host.invite("seat2")).mobilize("italy", "japan")
    fine(guest.do(do="report_control", places=["Paris", "Brest"], by="germany"))
    fine(host.do(do="report_surrender", power="france"))
    return guest, host


def sheet(player: Any) -> Any:
    return fine(player.get("/moment", moment=FALL))


def line(player: Any, id: str) -> Any:
    return next(it for it in sheet(player)["lines"] if it["id"] == id)


def press(player: Any, id: str, choice: str = "", **said: Any) -> Any:
    return player.post("/moment/line", moment=FALL, line=id, press=choice, **said)


def test_the_fall_of_france_to_the_end_of_its_list(fallen: Any, person: Any) -> None:
    axis, allies = fallen
    before = allies.get().json()
    (stand,) = before["moments"]
    assert (stand["id"], stand["title"], stand["waits"], stand["mine"]) == (FALL, "The fall of France", True, True)
    assert {(it["clause"], it["kind"]) for it in sheet(allies)["facts"]} >= {
        ("83.43", "by rule"),
        ("85.493", "from now on"),
        ("35.73A", "falls due"),
    }
    # What leaves the books is one line; who has surrendered loses nothing more, and is not bidden to retake it.
    assert sum("On the books of France" in it["text"] for it in sheet(allies)["facts"]) == 1
    assert not [it for it in before["position"]["agenda"] if it["power"] == "france" and it["brp"] < 0]
    assert line(allies, "zone")["places"] == ["europe/R21"]
    # The phase waits for both; the other orders do not.
    closed = axis.post("/advance")
    assert closed.status_code == 409
    assert "The fall of France" in closed.json()["error"]
    fine(axis.do(do="spend", power="germany", brp=1, on="other"))
    fine(axis.post("/undo"))
    # Both press; what a rule forbids is refused as ever, and nothing of it happens.
    fine(press(axis, "peace"))
    assert press(axis, "zone", places=["Berlin"]).status_code == 422
    fine(press(axis, "zone", places=["Vichy", "Lyon", "Marseilles", "Toulon", "europe/T19"]))
    assert line(allies, "zone")["title"].endswith("5 hexes laid")
    assert press(axis, "zone", "Sideways").status_code == 404
    fine(press(axis, "ground of France", "To Germany"))
    # What stands where Vichy holds the ground goes over; the rest is swept by another press.
    stood = line(allies, "counters")["stacks"]
    fine(press(allies, "counters", "To Vichy"))
    left = line(allies, "counters")["stacks"]
    assert 0 < len(left) < len(stood)
    assert "europe/S21" in {it["place"] for it in stood} - {it["place"] for it in left}
    fine(press(allies, "counters", "Off the map"))
    ships = line(allies, "fleet")["stacks"]
    at_toulon = next(it for it in ships if it["place"] == "europe/V20")
    fine(press(allies, "fleet", "To Vichy", stacks=[at_toulon["id"]]))
    assert line(allies, "fleet")["stacks"] == [it for it in ships if it != at_toulon]
    fine(press(allies, "fleet", "Scuttled"))
    fine(press(allies, "Tunisia", "Free French"))
    for colony in ("Algeria", "Lebanon-Syria", "Morocco"):
        fine(press(allies, colony, "With Vichy"))
    fine(press(allies, "French Indochina"))
    fine(press(allies, "U.S.-Axis tension", level=9))
    assert [it["id"] for it in sheet(allies)["lines"] if it["open"]] == ["Russo-German tension"]
    fine(axis.post("/moment/confirm", moment=FALL))
    # A change asks for their word again.
    fine(press(allies, "Russo-German tension", level=3))
    assert allies.get().json()["moments"][0]["missing"] == ["Allies", "Axis"]
    fine(allies.post("/moment/headline", moment=FALL, headline="An old marshal asks for an armistice"))
    fan = person("Fan").join(allies.invite("spectators"))
    assert fan.post("/moment/headline", moment=FALL, headline="Nobody asked me").status_code == 403
    fine(allies.post("/moment/confirm", moment=FALL))
    fine(axis.post("/moment/confirm", moment=FALL))
    after = axis.get().json()
    assert after["moments"] == []
    there = (
        {(it["nation"], it["unit"]) for it in after["position"]["map"]["stacks"]}
        if "map" in after["position"]
        else set()
    )
    assert not any(nation == "france" for nation, _ in there)
    # One undo takes back all of it, to before the surrender.
    fine(axis.post("/undo"))
    fine(allies.post("/consent", agree=True))
    again = allies.get().json()
    assert again["moments"] == []
    assert next(it for it in again["position"]["powers"] if it["power"] == "france")["kept"]
    # The last line through France is where the next one begins.
    fine(allies.do(do="report_surrender", power="france"))
    assert len(line(allies, "zone")["places"]) == 5


def test_the_host_lets_the_phase_go_on_and_what_stands_is_not_forgotten(fallen: Any) -> None:
    axis, allies = fallen
    assert axis.post("/moment/open", moment=FALL).status_code == 403
    fine(allies.post("/moment/open", moment=FALL))
    fine(axis.post("/advance"))
    for player in (axis, allies):
        (stand,) = player.get().json()["moments"]
        assert stand["open"]
        assert not stand["waits"]
        assert stand["opened_by"] == "Ada"
