"""Scandinavia and Western Europe where cases do not reach: the sequence of play, pages, offers (86, 87)."""

from __future__ import annotations

import pytest

from warcabinet import Game
from warcabinet.figures.position import Position
from warcabinet.game import new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.game.offers import narrow
from warcabinet.rules.countries.denmark import only_by_kattegat
from warcabinet.views.country_page import country_page
from warcabinet.web.map.waters import waters


def position(**parts: object) -> Game:
    return new_game(Position("classic-1939", **parts), MemoryJournal(seed=1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("turn", "stops"), [("Fall 1940", True), ("Winter 1940", True), ("Spring 1940", False), ("Summer 1940", False)]
)
def test_the_game_stops_for_mining_only_where_it_is_possible(turn: str, stops: bool) -> None:
    game = position(turn=turn, player="allied", phase="declarations of war")
    game.advance()
    assert (game.state.place.step.name == "mining") is stops


def test_the_game_does_not_stop_in_the_axis_turn_nor_once_waters_are_mined() -> None:
    game = position(turn="Fall 1940", player="axis", phase="declarations of war")
    game.advance()
    assert game.state.place.step.name != "mining"
    game = position(turn="Fall 1940", player="allied", phase="declarations of war")
    game.do({"do": "mine_waters", "power": "britain"})
    game.advance()
    assert game.state.place.step.name != "mining"


def test_a_step_where_something_can_be_decided_is_not_called_automatic() -> None:
    game = position(turn="Fall 1940", player="allied", phase="declarations of war")
    (move,) = game.advance()
    assert not any(type(record.event).__name__ == "AutoStep" for record in move.records)


def test_pages_tell_what_a_countrys_own_chapter_says() -> None:
    game = position(turn="Fall 1939", player="allied", phase="mining", set={"tracks.usat": 3})
    before = {told.clause: told.text for told in country_page(game.state, "norway").own_rules}
    assert "without its consent" in before["86.33"]
    assert "86.36" not in before
    game.do({"do": "mine_waters", "power": "britain"})
    after = {told.clause: told.text for told in country_page(game.state, "norway").own_rules}
    assert "86.33" not in after
    assert "mined" in after["86.36"]
    assert after["86.35B"].endswith("+1")


def test_the_agenda_tells_what_interrupts_iron_ore_and_what_would_avert_it() -> None:
    game = position(turn="Winter 1939", player="allied", phase="mining")
    assert not [it for it in game.agenda() if it.clause == "86.421"]
    game.do({"do": "mine_waters", "power": "britain"})
    (item,) = [it for it in game.agenda() if it.clause == "86.421"]
    assert item.due == "Spring 1940, Axis, end of diplomatic phase"
    assert item.averted_by == "German control of Bergen"


def test_offers_name_who_may_mine_and_where_partisans_may_be_built() -> None:
    game = position(turn="Fall 1940", player="allied", phase="mining", set={"powers.france.surrendered": True})
    offer = narrow(game.state, "mine_waters", {})
    assert offer.fields["power"].among == ("britain",)
    game = position(
        turn="Fall 1940",
        phase="unit construction",
        set={"countries.ireland": {"status": "controlled", "by": "germany"}},
    )
    offer = narrow(game.state, "build_partisan", {"power": "germany"})
    assert "europe/G22" in offer.fields["at"].among
    assert "europe/G23" not in offer.fields["at"].among


@pytest.mark.parametrize(
    ("origin", "to", "needed"),
    [
        ("europe/I32", "europe/D35", True),
        ("europe/D35", "europe/E33", False),
        ("europe/I32", "box/ethiopia", True),
        ("europe/C28", "box/ethiopia", False),
        ("pacific/W21", "europe/I32", True),
        ("europe/M28", "europe/D35", False),
    ],
)
def test_which_ways_lead_through_the_kattegat_only(origin: str, to: str, needed: bool) -> None:
    state = position(turn="Fall 1940", player="axis", phase="movement").state
    assert only_by_kattegat(state, "germany", origin, to) is needed


def test_mined_waters_and_a_shut_kattegat_are_marked_on_the_board() -> None:
    game = position(turn="Fall 1940", player="allied", phase="mining", set={"control": {"germany": ["Copenhagen"]}})
    (kattegat,) = waters(game.state)
    assert (kattegat.kind, kattegat.hexes) == ("shut", ("europe/H32", "europe/H33"))
    assert "Britain" in kattegat.text
    assert "Germany" not in kattegat.text
    game.do({"do": "mine_waters", "power": "britain"})
    _, mined = waters(game.state)
    assert mined.kind == "mined"
    assert "europe/D35" in mined.hexes


@pytest.mark.parametrize(
    ("country", "clause", "past"),
    [
        ("denmark", "86.121", {"countries.norway": {"status": "conquered", "by": "germany"}}),
        ("denmark", "86.122", {"countries.denmark": {"status": "conquered", "by": "germany"}}),
        ("norway", "86.38", {"countries.denmark": {"status": "conquered", "by": "germany"}}),
        ("finland", "86.24", {"countries.finland": {"status": "allied", "by": "germany"}}),
        ("luxembourg", "87.13A", {"countries.belgium": {"status": "associated", "by": "britain"}}),
        ("portugal", "87.43", {"countries.portugal": {"status": "conquered", "by": "britain"}}),
    ],
)
def test_pages_no_longer_tell_what_has_become_impossible(country: str, clause: str, past: dict[str, object]) -> None:
    game = position(turn="Fall 1940", player="axis", phase="movement")
    assert clause in {told.clause for told in country_page(game.state, country).own_rules}
    game = position(turn="Fall 1940", player="axis", phase="movement", set=past)
    assert clause not in {told.clause for told in country_page(game.state, country).own_rules}


@pytest.mark.parametrize(
    ("country", "by", "clause"),
    [("finland", "germany", "84.23"), ("finland", "italy", "84.23"), ("thailand", "japan", "84.32")],
)
def test_no_page_says_that_a_country_would_join_who_attacked_it(country: str, by: str, clause: str) -> None:
    neutral = position(turn="Spring 1941").state
    assert clause in {it.clause for it in country_page(neutral, country).changes}
    facts = {f"countries.{country}": {"status": "independent"}, "wars": [{"between": [by, country], "declared_by": by}]}
    attacked = position(turn="Spring 1941", set=facts).state
    assert clause not in {it.clause for it in country_page(attacked, country).changes}


def test_no_page_says_that_spain_would_join_a_germany_that_has_surrendered() -> None:
    state = position(turn="Fall 1944", set={"powers.germany.surrendered": True}).state
    assert "84.24" not in {it.clause for it in country_page(state, "spain").changes}


def test_a_conquered_country_has_no_diplomatic_result_in_force() -> None:
    facts = {"results": {"ireland": "8"}, "countries.ireland": {"status": "controlled", "by": "germany"}}
    assert country_page(position(turn="Fall 1941", set=facts).state, "ireland").result == "8"
    facts["countries.ireland"] = {"status": "conquered", "by": "britain"}
    assert country_page(position(turn="Fall 1941", set=facts).state, "ireland").result == ""


def test_no_page_promises_results_that_an_attack_has_barred() -> None:
    """Germany attacked a Sweden that joined Britain: 9 and 10 are barred for good, and before it joined they were."""
    attacked = [{"between": ["germany", "sweden"], "declared_by": "germany"}]
    joined = {"countries.sweden": {"status": "associated", "by": "britain"}, "wars": attacked}
    changes = country_page(position(turn="Spring 1941", set=joined).state, "sweden").changes
    assert {it.clause for it in changes} >= {"85.51A"}
    assert "85.51B" not in {it.clause for it in changes}
    alone = {"countries.sweden": {"status": "independent"}, "wars": attacked}
    told = {it.clause: it.text for it in country_page(position(turn="Spring 1941", set=alone).state, "sweden").changes}
    assert told["82.21B"].startswith("a -1: 10 BRPs a year, and its hexes")
    assert told["84.11C"].startswith("a -2: it associates")
    assert told["85.11A"].startswith("a -3: it becomes a minor ally")
    neutral = {it.clause: it.text for it in country_page(position(turn="Spring 1941").state, "sweden").changes}
    assert neutral["84.11C"].startswith("a 9 or -2")


def test_the_agenda_names_the_clause_by_which_units_are_supplied_on_their_way_out() -> None:
    """A reversed 8 is no surrender, though the supply ends by the same rule (82.33, 85.52D)."""
    facts = {
        "countries.bulgaria": {"status": "controlled", "by": "germany"},
        "control": {"germany": ["Sofia", "Varna"]},
        "units.germany.Varna.infantry 3-3": 1,
    }
    game = position(turn="Spring 1941", player="axis", phase="diplomatic phase", set=facts)
    game.do({"do": "report_result", "country": "bulgaria", "result": 4})
    coming = {it.text: it.clause for it in country_page(game.state, "bulgaria").coming}
    assert coming["Units caught in a country that turned are no longer supplied regardless"] == "82.33"
