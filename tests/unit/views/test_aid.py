"""Aid in one place: the lines that roads take and hang on, what is seen coming, and the command line."""

from __future__ import annotations

from typing import Any

import pytest

from positions import CONVOY, SAILING, game_of
from warcabinet.game import Game
from warcabinet.game.engine import as_command
from warcabinet.model.events import AutoStep, Reported
from warcabinet.views.aid_page import aid_page
from warcabinet.views.aid_plan import plan, played_out


def road(g: Game, id: str) -> Any:
    return next(it for it in aid_page(g.state).roads if it.id == id)


def test_a_road_hangs_on_what_no_other_line_goes_round() -> None:
    in_spring = CONVOY.replace("Summer 1942", "Spring 1942")
    # Ice closes Archangel: A47 is the only way, and Vologda is always.
    assert road(game_of(in_spring), "murmansk").hangs_on == ("europe/A47", "europe/D49")
    assert road(game_of(CONVOY), "murmansk").hangs_on == ("europe/D49",)


def test_what_is_cut_says_where() -> None:
    lost = CONVOY.replace("control: {germany: [Bergen]}", "control: {germany: [Bergen, europe/A47, europe/A50]}")
    closed = road(game_of(lost), "murmansk")
    assert closed.state == "closed"
    assert [it.clause for it in closed.why_not] == ["40.412A"]
    assert all(not line.open for line in closed.lines)
    assert closed.capacity == 0


def test_the_agenda_says_what_a_road_will_carry_and_what_would_cut_it() -> None:
    found = {it.clause: it for it in game_of(CONVOY).agenda()}
    item = found["40.411"]
    assert item.due == "Fall 1942, Allied, initial supply determination"
    assert item.text == "The Murmansk route carries 20 BRPs"
    assert "Vologda" in item.averted_by
    assert "40.51A" not in found


def test_ice_is_seen_coming() -> None:
    only_archangel = CONVOY.replace("Summer 1942", "Fall 1942").replace("[Bergen]", "[Bergen, europe/A47]")
    item = next(it for it in game_of(only_archangel).agenda() if it.clause == "40.411")
    assert item.text == "The Murmansk route closes"


def test_a_growing_capacity_is_seen_coming() -> None:
    young = CONVOY.replace("since: Summer 1941", "since: Spring 1942")
    item = next(it for it in game_of(young).agenda() if it.clause == "40.411")
    assert item.text == "The Murmansk route carries 15 BRPs"


def test_grants_share_transports_between_the_same_boxes_in_a_plan() -> None:
    wide = CONVOY.replace("{atlantic: 6}", "{atlantic: 9, indian_ocean: 9}").replace(
        "    - {between: [germany, usa], since: Winter 1941}\n",
        "    - {between: [germany, usa], since: Winter 1941}\n    - {between: [japan, usa], since: Winter 1941}\n",
    )
    wide += "pools: [{nation: india, type: infantry, strength: 1-2, count: 4, unbuilt: true}]\n"
    lend: dict[str, Any] = {"do": "grant", "power": "usa", "by": "south africa"}
    orders: list[Any] = [
        as_command({**lend, "to": "china", "through": "burma road", "brp": 2}),
        as_command({**lend, "to": "india", "brp": 3}),
    ]
    found = plan(game_of(wide).state, orders)
    assert [it.why_not for it in found.lines] == [(), ()]
    # Five BRPs to two ends: one transport on each leg, and none more for the second.
    assert [it.needed for it in found.oceans] == [1, 1, 0]
    assert found.shared == 2


@pytest.mark.parametrize("stage", range(1, 12))
def test_what_is_under_way_is_played_out_for_a_plan_at_every_stage(stage: int) -> None:
    g = game_of(CONVOY)
    for command, _ in SAILING[:stage]:
        g.do(command)
    after = played_out(g.state)
    assert after.operations == ()
    assert g.state.operations


def test_a_lost_suez_is_seen_coming_at_the_year_start() -> None:
    """What 88.32 says of the allotments waits for the next of them."""
    lost = CONVOY.replace("[Bergen]", "[Bergen, Suez]")
    found = [it for it in game_of(lost).agenda() if it.clause == "88.32"]
    assert [(it.power, it.due) for it in found] == [
        ("britain", "1943 year start, allotments"),
        ("italy", "1943 year start, allotments"),
    ]
    assert "Suez in Allied hands again" in found[0].averted_by
    assert [it for it in game_of(CONVOY).agenda() if it.clause == "88.32"] == []


def test_the_log_names_the_clause_by_which_an_attack_costs_brps() -> None:
    g = game_of(CONVOY)
    for command, _ in SAILING[:6]:
        g.do(command)
    reports = [it for move in g.log() for it in move.records if isinstance(it.event, Reported)]
    assert [it.clause for it in reports] == ["40.46A", "40.46B"]


def test_the_opening_of_the_persian_route_says_that_the_oil_centers_are_whole() -> None:
    g = game_of(CONVOY.replace("initial supply determination", "unit construction"))
    move = g.do({"do": "open_persian_route", "power": "britain"})
    assert [it.clause for it in move.records if isinstance(it.event, AutoStep)] == ["40.524F"]
