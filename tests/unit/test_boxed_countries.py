"""Australia and India where cases do not reach: pages, boxes on the map, agenda, offers (71, 72)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from warcabinet import Game
from warcabinet.figures.position import PoolLine, Position, UnitLine
from warcabinet.game import new_game
from warcabinet.game.forecast import agenda
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import narrow, offers
from warcabinet.views.country_page import country_page
from warcabinet.web.map.map_questions import box_facts
from warcabinet.web.plumbing.problems import Problem

WAR = [{"between": ["japan", "britain"], "since": "Winter 1941"}]
BESIDE = {"nation": "japan", "type": "infantry", "strength": "3-3", "at": "pacific/U6", "count": 4}


def position(units: Any = (), pools: Any = (), **parts: Any) -> Game:
    parts |= {
        "units": msgspec.convert(units, tuple[UnitLine, ...]),
        "pools": msgspec.convert(pools, tuple[PoolLine, ...]),
    }
    return new_game(Position("classic-1939", **parts), MemoryJournal(seed=1))


def told(game: Game, country: str) -> dict[str, str]:
    return {it.clause: it.text for it in country_page(game.state, country).own_rules}


def test_a_page_tells_of_threat_and_surrender() -> None:
    page = told(position(turn="Summer 1942", set={"wars": WAR}, units=(BESIDE,)), "india")
    assert page["72.41"] == (
        "0 Western Allied ground factors in the box, 12 enemy ones beside it: "
        "as the Japanese combat phase ends Britain loses 10 BRPs"
    )
    assert page["72.42"].startswith("3 BRPs come off")
    assert page["72.43"] == "it surrenders as the Allied player turn ends, unless this changes"
    assert {f"72.51{letter}" for letter in "ABCDEFGH"} | {"72.52"} <= set(page)
    assert page["72.23"] == "12 ground factors must stay in the box"
    assert "72.17" not in page


def test_a_page_tells_how_far_a_surrender_is_off() -> None:
    at_peace = told(position(), "australia")
    assert at_peace["71.43"] == "12 more enemy ground factors beside the box would make it surrender"
    assert "71.51H" not in at_peace
    assert "71.23" not in at_peace
    assert "71.42" not in at_peace
    assert at_peace["71.13"] == "Europe, Burma, Malaya and Singapore: 0 infantry factors, 0 to 3"
    assert at_peace["71.71"].endswith("NN15 (8 hexes off), NN24 (8 hexes off), NN31 (10 hexes off)")
    assert at_peace["71.152"] == "it builds for 9 BRPs a turn: 9 of 9 BRPs left"
    assert {"71.152C", "71.81", "71.91"} <= set(at_peace)
    assert told(position(), "india")["72.43"].startswith("12 more")
    assert "72.17" in told(position(), "india")


def test_a_page_tells_what_bombs_and_grants_do() -> None:
    war = [*WAR, {"between": ["japan", "usa"], "since": "Winter 1941"}]
    bombed = [{"bombed": "india", "brp": 6, "in": "turn"}]
    game = position(turn="Summer 1942", set={"wars": war, "happened": bombed, "control": {"japan": ["Colombo"]}})
    page = told(game, "india")
    assert page["72.162"] == "it builds for 3 BRPs a turn, 2 less this turn: 1 of 1 BRPs left"
    assert "72.163B" in page
    assert "72.163B" not in told(position(), "india")
    assert page["72.82"].startswith("Japan holds Colombo")
    assert told(position(), "india")["72.82"].startswith("in Japanese hands")


def test_a_garrison_that_is_missing_is_told() -> None:
    alone = position(
        turn="Winter 1940", units=[{"nation": "india", "type": "infantry", "strength": "1-2", "at": "Dacca"}]
    )
    lines = [it.text for it in country_page(alone.state, "india").own_rules if it.clause == "72.13"]
    assert lines[0] == "India: 1 infantry factors, 4 to 12"
    assert lines[-1] == "3 infantry factors are missing at home"


def test_a_country_that_surrendered_has_little_to_tell() -> None:
    gone = position(set={"countries.australia": {"status": "conquered", "by": "japan"}})
    assert set(told(gone, "australia")) == {"71.53", "71.154"}


@pytest.mark.parametrize(
    ("key", "countries", "clause"),
    [
        ("box/india_box", ("india",), "72.43"),
        ("box/australia_box", ("australia",), "71.43"),
        ("box/ethiopia", ("ethiopia",), "88.44"),
        ("box/murmansk", (), ""),
    ],
)
def test_a_box_tells_of_the_countries_in_it(key: str, countries: tuple[str, ...], clause: str) -> None:
    found = box_facts(position().state, key)
    assert found.countries == countries
    assert not clause or clause in {it.clause for it in found.told}


def test_there_are_no_other_boxes() -> None:
    with pytest.raises(Problem):
        box_facts(position().state, "box/nowhere")


def test_the_agenda_foresees_losses_and_surrender() -> None:
    game = position(turn="Summer 1942", player="axis", phase="movement", set={"wars": WAR}, units=(BESIDE,))
    coming = {it.clause: it for it in agenda(game.state) if it.about == "india"}
    assert coming["72.41"].brp == -10
    assert coming["72.41"].due == "Summer 1942, Axis, end of combat phase"
    assert coming["72.43"].due == "Summer 1942, Allied, end of player turn"
    assert coming["72.43"].averted_by.startswith("3 more Western Allied ground factors")


def test_a_garrison_to_be_built_up_is_offered_first() -> None:
    pools = [{"nation": "india", "type": "infantry", "strength": "1-2", "count": 2, "unbuilt": True}]
    units = [{"nation": "india", "type": "infantry", "strength": "1-2", "at": "India box"}]
    parts: dict[str, Any] = {
        "turn": "Winter 1940",
        "player": "allied",
        "phase": "unit construction",
        "units": units,
        "pools": pools,
    }
    game = position(**parts, set={"powers.britain.brp": 20})
    first = offers(game.state, ("britain",))[0]
    assert (first.command, first.known["country"], first.known["power"]) == ("rebuild", "india", "britain")


def test_the_form_of_a_surrender_names_who_is_left() -> None:
    parts: dict[str, Any] = {"turn": "Summer 1943", "player": "allied", "phase": "end of player turn"}
    game = position(**parts, set={"countries.australia": {"status": "conquered", "by": "japan"}})
    offer = narrow(game.state, "surrender_voluntarily", {"power": "britain"})
    assert offer.fields["country"].among == ("india",)
