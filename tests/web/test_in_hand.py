"""Units in the hand: the order by which they go, where they may be put, and by which way into and out of boxes."""

from __future__ import annotations

from warcabinet.board.maps import board
from warcabinet.figures.position import Position, UnitLine
from warcabinet.game import Game, new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.model.places import place_key
from warcabinet.web.map.enemies import Unreported, unreported
from warcabinet.web.map.hands import lifted

INDIA = "box/india_box"


def allies(phase: str, *units: UnitLine) -> Game:
    return new_game(
        Position("classic-1939", turn="Spring 1942", player="allied", phase=phase, units=units), MemoryJournal()
    )


def test_a_box_is_left_and_entered_in_the_way_that_leads_there() -> None:
    calcutta = place_key("Calcutta")
    game = allies(
        "redeployment", UnitLine("britain", "armor", INDIA, "2-3"), UnitLine("britain", "infantry", calcutta, "1-3")
    )
    out = lifted(game.state, "britain", "armor 2-3", 1, INDIA, board("pacific"))
    assert out.ways[calcutta] == "tactical redeployment"
    assert out.ways["box/australia_box"] == "naval redeployment"
    assert set(out.ways) <= set(out.legal)
    assert not {key for reason in out.reasons for key in reason.places} & set(out.legal)
    into = lifted(game.state, "britain", "infantry 1-3", 1, calcutta, board("pacific"))
    assert into.ways[INDIA] == "tactical redeployment"
    order = {**into.known, "do": into.command, "how": into.ways[INDIA], into.field: INDIA}
    game.do(order)
    assert game.figure(f"units.britain.{INDIA}.infantry 1-3") == 1


def test_outside_the_phases_of_movement_it_is_a_report() -> None:
    game = allies("unit construction", UnitLine("britain", "infantry", "London", "3-4"))
    found = lifted(game.state, "britain", "infantry 3-4", 1, place_key("London"), board("europe"))
    assert found.command == "report_move"
    assert found.ways == {}


def test_enemies_are_told_with_their_number() -> None:
    game = new_game(
        Position(
            "classic-1939",
            player="axis",
            phase="movement",
            units=(UnitLine("germany", "armor", "Breslau", "4-6"), UnitLine("france", "infantry", "Paris", "2-3", 2)),
        ),
        MemoryJournal(),
    )
    found = lifted(game.state, "germany", "armor 4-6", 1, place_key("Breslau"), board("europe"))
    enemies = {it.place: it for it in found.enemies}
    assert (enemies[place_key("Paris")].counters, enemies[place_key("Paris")].holder) == (2, "france")
    assert enemies[place_key("Lyon")].counters == 0
    assert place_key("Rome") not in enemies
    assert (found.taker, found.reach) == ("germany", 6)


def test_a_capture_that_nobody_reported_is_pointed_out() -> None:
    game = new_game(
        Position(
            "classic-1939",
            player="axis",
            phase="movement",
            units=(UnitLine("germany", "armor", "Breslau", "4-6"), UnitLine("poland", "infantry", "Warsaw", "2-3")),
        ),
        MemoryJournal(),
    )
    assert unreported(game.state) == ()
    move = {"nation": "germany", "unit": "armor 4-6", "from": "Breslau", "to": "europe/N34", "how": "movement"}
    game.do({"do": "move", **move})
    assert unreported(game.state) == (Unreported("europe/N34", "poland", "germany", "N34 (Poland)"),)
    game.do({"do": "report_control", "places": ["europe/N34"], "by": "germany"})
    assert unreported(game.state) == ()


def test_who_has_left_the_war_is_not_bidden_to_take_anything() -> None:
    stands = (UnitLine("france", "infantry", "Paris", "2-3"),)
    game = new_game(
        Position("classic-1939", player="axis", phase="combat", set={"control.Paris": "germany"}, units=stands),
        MemoryJournal(),
    )
    assert [it.taker for it in unreported(game.state)] == ["france"]
    game.do({"do": "report_surrender", "power": "france"})
    assert unreported(game.state) == ()
