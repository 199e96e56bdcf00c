"""Facts in words: one sentence for every kind of event, the same in every shell."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from positions import barbarossa, game_at
from warcabinet import Game
from warcabinet.figures.position import UnitLine
from warcabinet.game.offers import narrow
from warcabinet.model import calendar
from warcabinet.model.events import (
    AreaTaken,
    ControlChanged,
    Event,
    Happened,
    Released,
    Reported,
    StatusChanged,
    UnitsMoved,
)
from warcabinet.model.keys import Unit
from warcabinet.model.pieces import UNBUILT, At, Track
from warcabinet.model.places import place_key
from warcabinet.model.state import Happening
from warcabinet.views.words import _SENTENCES, event_text


def test_every_event_has_a_sentence():
    assert set(get_args(Event)) == set(_SENTENCES)


def test_the_campaign_reads_like_english(war):
    """No name of a type, no raw key of a place, in any line of the log."""
    lines = {event_text(record.event) for move in war.log() for record in move.records}
    raw = [line for line in lines if "europe/" in line or "pacific/" in line or "box/" in line or "None" in line]
    assert not raw, raw[:5]
    assert all(line[0].isupper() or line[0].isdigit() for line in lines)


def test_what_a_country_has_back_is_told_as_its_own():
    """Turkey retakes Trabzon, Norway is given Bergen back: an empty name stands for whose a place was at first."""
    places = tuple(map(place_key, ("Trabzon", "Bergen", "Ethiopia box")))
    told = "Turkey controls Trabzon (Z41); Norway controls Bergen (B34); Nobody controls Ethiopia box"
    assert event_text(ControlChanged(places, "")) == told


def test_many_do_what_one_does():
    assert event_text(ControlChanged(("europe/V29",), "partisans")).startswith("Partisans control Belgrade")
    assert event_text(ControlChanged(("europe/V29",), "italy")).startswith("Italy controls Belgrade")
    assert event_text(AreaTaken("yugoslavia", "italy", "partisans")) == "Partisans take Yugoslavia from Italy"
    fallen = StatusChanged("finnish_border", "conquered", "russia", "83.12E", "all its hexes were taken")
    assert event_text(fallen).startswith("Finnish border hexes are conquered by Russia")


def test_units_are_told_from_where_to_where() -> None:
    """Several as several, out of the pool and off the track by name, and who stands with whom by the right word."""
    cruisers = UnitsMoved("italy", Unit("cruiser"), 2, UNBUILT, At(place_key("Taranto")), "2 cruiser built")
    assert event_text(cruisers).startswith("Italy, 2 cruisers from the force pool to Taranto")
    assert event_text(cruisers).endswith(": built")
    due = UnitsMoved("italy", Unit("specialized"), 1, Track(calendar.parse_turn("Spring 1942")), UNBUILT)
    assert event_text(due) == "Italy, 1 specialized from the turn record track of Spring 1942 to the force pool"
    lost = Happened(Happening(0, "eliminated by britain", "germany army air", 2))
    assert event_text(lost) == "Eliminated by Britain: Germany, army air 2"
    assert event_text(Happened(Happening(0, "transports used", "atlantic", 3))) == "Transports used: Atlantic 3"
    swayed = StatusChanged("rumania", "controlled", "germany", "82.81", "diplomatic result 8")
    assert event_text(swayed).startswith("Rumania is controlled by Germany")


def reports(game: Game, command: dict[str, Any]) -> list[str]:
    game.do(command)
    return [it.event.text for it in game.head.records if isinstance(it.event, Reported)]


def test_the_log_tells_where_ships_may_be_met() -> None:
    game = game_at(turn="Summer 1941", player="allied", phase="redeployment")
    game.do({"do": "report_units", "nation": "britain", "unit": "cruiser", "at": "Alexandria", "count": 1})
    move = {"do": "move", "nation": "britain", "unit": "cruiser", "from": "Alexandria", "to": "Suez"} | {
        "how": "naval redeployment"
    }
    assert any("MM30 and LL31" in it for it in reports(game, move))


@pytest.mark.parametrize(("to", "gulf"), [("Basra", True), ("India box", False)])
def test_displaced_ships_may_be_attacked_from_the_air(to: str, gulf: bool) -> None:
    game = game_at(turn="Summer 1942", player="axis", phase="combat", set={"control": {"germany": ["Suez"]}})
    game.do({"do": "report_units", "nation": "britain", "unit": "cruiser", "at": "Suez", "count": 1})
    assert list(narrow(game.state, "displace_fleet", {}).fields["from"].among) == ["Suez"]
    leave = {"do": "displace_fleet", "nation": "britain", "unit": "cruiser", "from": "Suez", "to": to}
    (text,) = reports(game, leave)
    assert "leave Suez" in text
    assert ("Persian Gulf" in text) is gulf


def test_canadian_armor_beside_a_newly_attacked_country_reaches_into_it_as_britains() -> None:
    game = game_at(
        turn="Spring 1941",
        player="axis",
        phase="combat",
        set={
            "happened": [{"attacked": "belgium", "in": "player turn"}],
            "wars": [
                {"between": ["germany", "belgium"], "since": "Spring 1941", "declared_by": "germany"},
                {"between": ["germany", "britain"], "since": "Fall 1939", "declared_by": "germany"},
            ],
        },
        units=(UnitLine("canada", "armor", "Calais", "4-5"), UnitLine("belgium", "infantry", "Brussels", "2-3")),
    )
    game.do({"do": "report_operation", "nation": "germany", "branch": "ground", "mission": "attack", "at": "Brussels"})
    told = [it.event.text for it in game.head.records if isinstance(it.event, Reported)]
    assert "zones of control of Britain reach into Belgium" in told


def test_mines_that_lie_no_longer_are_nobodys() -> None:
    assert event_text(Released("mines_laid", ())) == "Mines laid is reckoned again"


def test_partisans_are_told_by_who_rises() -> None:
    game = game_at("Summer 1942", "allied", "movement")
    game.do({"do": "report_unrest", "partisans": "arab"})
    assert "Unrest pool of Arabs: 1 (Moslem Unrest)" in {event_text(it.event) for it in game.head.records}


def test_the_log_names_no_industrial_center_where_russia_has_built_none() -> None:
    given = {"do": "report_control", "places": ["Minsk", "Kharkov"], "by": "germany"}
    taken = [it.area for it in barbarossa("combat").decide(given).events if isinstance(it, AreaTaken)]
    assert taken == ["ic_kharkov"]  # Kharkov is one of the seven of 37.21, Minsk is not
