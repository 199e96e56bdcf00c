"""What pages and the command line show of the war economy: sheets, the turn record track, pools, sites, duties."""

from __future__ import annotations

import pytest

from positions import game_at
from warcabinet.figures.position import PoolLine
from warcabinet.game import Game, Refused
from warcabinet.game.forecast import agenda, before_year_start, year_start
from warcabinet.game.mobilization_calendar import mobilization_sheets
from warcabinet.game.pools import buildable, construction_sites, force_pool, turn_record_track
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.accounts import Base, Brp
from warcabinet.model.events import Determined
from warcabinet.model.ledger import balance
from warcabinet.model.unit_lists import counted, parse_count


def test_units_are_counted_from_text() -> None:
    assert parse_count("3 AAF") == ("army air", 3)
    assert counted(("2 infantry 1-2", "infantry 1-2", "armor 3-5")) == {"infantry 1-2": 3, "armor 3-5": 1}
    with pytest.raises(WarCabinetError):
        parse_count("0 armor 3-5")
    with pytest.raises(WarCabinetError):
        parse_count("3 armor")


def test_the_game_says_what_must_be_done_first() -> None:
    game = Game.new()
    duties = {duty.clause: duty.text for duty in game.duties()}
    assert duties.keys() == {"36.351", "82.92"}
    assert duties["36.351"] == "must mobilize now: Italy, Japan"
    with pytest.raises(Refused):
        game.advance()


def test_what_japan_can_mobilize_and_when_it_arrives() -> None:
    (sheet,) = mobilization_sheets(Game.new().state, "japan")
    assert (sheet.due, sheet.open, sheet.base, sheet.size, sheet.defer) == (True, True, 10, 20, 5)
    assert {line.type: line.arrives for line in sheet.arrivals} == {
        "army air": "Fall 1940",
        "naval air": "Fall 1940",
        "armor": "Spring 1941",
        "infantry": "Spring 1940",
        "mechanized infantry": "Fall 1940",
    }


def test_what_calls_for_the_next_mobilization() -> None:
    game = game_at("Fall 1940", set={"mobilizations": {"japan": ["Fall 1939"], "usa.europe": ["Summer 1940"]}})
    calls = {
        (it.power, it.theater): it.next
        for p in ("japan", "usa", "russia", "germany")
        for it in mobilization_sheets(game.state, p)
    }
    assert calls == {
        ("japan", ""): "USJT 10, or the American one by Winter 1940",
        ("usa", "europe"): "effective USAT 20, or Winter 1940",
        ("usa", "pacific"): "effective USJT 10, or Winter 1940",
        ("russia", ""): "RGT 10",
        ("germany", ""): "",
    }


def test_offers_show_each_american_theater_and_why_not() -> None:
    game = game_at(
        "Winter 1940",
        "allied",
        set={"mobilizations": {"japan": ["Fall 1939", "Winter 1940"], "usa.europe": ["Summer 1940"]}},
    )
    found = {offer.known["theater"]: offer for offer in game.offers("usa") if offer.command == "mobilize"}
    assert found["europe"].available
    assert found["pacific"].available
    # A second increase comes only in a turn in which the U.S. declares war, which is open so far (36.341A, R-2330).
    assert found["europe"].fields["shipbuilding"].most == 2
    at_peace = game.narrow("mobilize", power="usa", theater="europe", war_on="")
    assert at_peace.fields["shipbuilding"].most == 1
    (china,) = (offer for offer in game.offers("china") if offer.command == "mobilize")
    assert [refusal.clause for refusal in china.refusals] == ["36.11E"]


def test_the_track_the_pool_and_the_agenda_tell_the_same() -> None:
    pools = (PoolLine("japan", "army air", count=3, arrives="Fall 1940"), PoolLine("japan", "infantry", "1-2", 4))
    game = game_at("Summer 1940", pools=pools)
    assert [(row.turn, row.unit, row.count, row.brp) for row in turn_record_track(game.state)] == [
        ("Fall 1940", "army air", 3, 9)
    ]
    assert [(row.unit, row.unbuilt, row.on_track) for row in force_pool(game.state, "japan")] == [
        ("army air", 0, 3),
        ("infantry 1-2", 4, 0),
    ]
    assert [item.text for item in game.agenda()] == ["3 army air enter the force pool"]


def test_what_britain_may_build_where_and_what_is_left_of_its_limit() -> None:
    pools = (PoolLine("britain", "infantry", "3-4", 20), PoolLine("britain", "army air", count=3))
    game = game_at("Spring 1940", "allied", "unit construction", pools=pools, set={"powers.britain.base": 120})
    game.do({"do": "build", "power": "britain", "at": "London", "units": ["3 army air"]})
    assert game.figure("powers.britain.construction_left") == 31
    assert [(line.unit, line.unbuilt, line.most) for line in buildable(game.state, "britain")] == [
        ("infantry 3-4", 20, 10)
    ]
    sites = construction_sites(game.state, "britain")
    assert {"London", "Cairo", "Singapore"} <= set(sites)
    assert "Paris" not in sites


def test_a_forecast_looks_past_duties_and_reckons_with_their_brps() -> None:
    game = Game.new()
    ahead = before_year_start(game.state)
    assert year_start(ahead).year == 1940
    assert balance(ahead.ledger, Base("britain")) == 120
    assert balance(ahead.ledger, Brp("italy")) == 85
    assert game.figure("powers.italy.brp") == 75


def test_an_automatic_step_waits_for_a_duty() -> None:
    game = game_at(
        "Summer 1940",
        "allied",
        "diplomatic phase",
        set={"mobilizations": {"japan": ["Fall 1939", "Winter 1939", "Spring 1940", "Summer 1940"]}},
    )
    game.advance()
    assert game.state.place.step.name == "end of diplomatic phase"
    game.do({"do": "mobilize", "power": "usa", "theater": "europe", "units": ["10 infantry 2-2"]})
    game.advance()
    assert game.state.place.step.name == "declarations of war"


def test_the_offer_itself_says_what_a_mobilization_brings_and_when() -> None:
    (offer,) = (offer for offer in Game.new().offers("japan") if offer.command == "mobilize")
    assert offer.fields["units"].hint.startswith("20 BRPs of units")
    told, _, listed = offer.fields["units"].hint.partition("; ground units on the list: ")
    assert told.endswith("Spring 1941: armor (2 a factor)")
    assert listed.split(", ") == ["infantry 1-2", "infantry 2-2", "infantry 3-2", "armor 1-3", "armor 2-3"]
    assert {name for name, field in offer.fields.items() if field.shut} == {
        "shipbuilding",
        "deferred",
        "theater",
        "ic_at",
        "oil",
        "war_on",
    }
    (germany,) = (offer for offer in Game.new().offers("germany") if offer.command == "trigger_deferred")
    assert [refusal.clause for refusal in germany.refusals] == ["36.351"]


def test_a_sheet_shows_shipbuilding_and_transports_only_where_they_are_open() -> None:
    peace = game_at("Winter 1940", "allied", set={"mobilizations": {"usa.europe": ["Summer 1940"]}})
    war = game_at("Spring 1942", "allied", set={"wars": [{"between": ["usa", "japan"], "since": "Winter 1941"}]})
    shown = {
        (name, sheet.theater): {line.type for line in sheet.arrivals if line.type.startswith(("transport", "ship"))}
        for name, game in (("peace", peace), ("war", war))
        for sheet in mobilization_sheets(game.state, "usa")
    }
    assert shown == {
        ("peace", "europe"): {"shipbuilding, up to 1"},
        ("peace", "pacific"): {"shipbuilding, up to 1"},
        ("war", "europe"): {"transport", "shipbuilding, up to 1"},
        ("war", "pacific"): {"transport", "shipbuilding, up to 2"},
    }
    (japan,) = mobilization_sheets(game_at("Fall 1941", set={"mobilizations": {"japan": ["Fall 1939"]}}).state, "japan")
    assert "shipbuilding, up to 1" in {line.type for line in japan.arrivals}


def test_options_name_powers_that_exist_and_numbers_that_can_be() -> None:
    with pytest.raises(WarCabinetError, match="narnia"):
        Game.new("prequel", options={"civilian_factories": {"narnia": 1}})
    with pytest.raises(WarCabinetError, match="options"):
        Game.new("prequel", options={"idle_factories": {"japan": -1}})


def test_a_question_about_a_place_that_is_no_key_area_is_answered_with_what_would_be() -> None:
    with pytest.raises(WarCabinetError, match="neither a key economic area nor an industrial center"):
        Game.new().explain("loss_if_captured", "belgium")


def test_offers_name_the_industrial_centers_that_can_rise_or_be_destroyed() -> None:
    war = [{"between": ["germany", "russia"], "since": "Summer 1941", "declared_by": "germany"}]
    told = {"russia": ["Spring 1941", "Summer 1941", "Fall 1941", "Winter 1941", "Spring 1942"]}
    given = {"wars": war, "mobilizations": told, "books.russia.ic_gorki": 20}
    game = game_at("Summer 1942", "allied", "unit construction", set=given)
    game.do({"do": "report_bombing", "power": "russia", "area": "ic_gorki", "brp": 2})
    found = {offer.command: offer for offer in game.offers("russia")}
    assert "ic_moscow" in found["raise_ics"].fields["ics"].among
    assert "ic_gorki" not in found["raise_ics"].fields["ics"].among
    assert found["eliminate_ic"].fields["ic"].among == ("ic_gorki",)


def test_a_forecast_counts_what_the_axis_conquered_in_winter() -> None:
    """It comes in the year start itself, though the Allies take it in their winter turn (83.31A, 83.32)."""
    attacked = {
        "countries.norway": {"status": "independent"},
        "wars": [
            {"between": ["germany", "britain"], "since": "Fall 1939"},
            {"between": ["germany", "norway"], "since": "Winter 1939", "declared_by": "germany"},
        ],
    }
    game = game_at("Winter 1939", "axis", "combat", set=attacked)
    game.do({"do": "report_control", "places": ["Oslo"], "by": "germany"})
    game.advance("Winter 1939, Allied, combat")
    game.do({"do": "report_control", "places": ["Oslo"], "by": "britain"})
    foreseen = {row.rule: row.cells["germany"].value for row in year_start(before_year_start(game.state)).rows}
    due = next(it for it in agenda(game.state) if (it.power, it.about) == ("germany", "norway"))
    assert (due.averted_by, due.due) == ("", "1940 year start, BRP calculations")
    game.advance("Spring 1940, Axis, start of player turn")
    assert game.figure("books.germany.norway") == 10
    assert (foreseen["next_base"], foreseen["year_total"]) == (155, 165)
    assert game.figure("powers.germany.brp") == 165


def test_a_wrong_moment_is_told_with_its_player_turn() -> None:
    with pytest.raises(Refused, match="it is now Fall 1939, Axis, start of player turn"):
        Game.new().do({"do": "mobilize", "power": "britain", "units": ["16 infantry 1-3"]})


def test_what_was_deferred_this_turn_waits_for_the_next() -> None:
    game = Game.new()
    game.do({"do": "mobilize", "power": "japan", "units": ["3 army air", "6 naval air"], "defer": 5})
    with pytest.raises(Refused) as refused:
        game.do({"do": "trigger_deferred", "power": "japan", "units": ["5 naval air"]})
    assert [it.text for it in refused.value.refusals] == [
        "what Japan deferred this turn can be triggered from the next one on"
    ]


def test_a_sheet_says_that_a_level_has_been_reached() -> None:
    set_ = {"tracks.usat": 22, "mobilizations": {"japan": ["Fall 1939"], "usa.europe": []}}
    game = game_at("Spring 1940", "allied", "diplomatic phase", set=set_)
    game.advance(dice=[3])
    game.do({"do": "mobilize", "power": "usa", "theater": "europe", "units": ["10 infantry 2-2"]})
    game.advance()
    assert mobilization_sheets(game.state, "usa")[0].next == "effective USAT 20, which has been reached"


@pytest.mark.parametrize(("place", "power"), [("London", "germany"), ("Copenhagen", "germany"), ("London", "britain")])
def test_a_forecast_reckons_with_what_the_axis_took_in_its_winter_turn(place: str, power: str) -> None:
    """Such conquests are simply added to the year start's total (38.23, 35.64)."""
    options = {"set_up": "reported", "mobilization": "reported"}
    game = game_at("Winter 1940", "axis", "combat", options=options, set={"powers.britain.brp": 50})
    game.do({"do": "report_control", "places": [place], "by": "germany"})
    (total,) = (row for row in year_start(before_year_start(game.state)).rows if row.label == "total")
    game.advance("Winter 1940, Allied, combat")
    (standing,) = (row for row in game.forecast().rows if row.label == "total")
    game.advance("Spring 1941, Axis, start of player turn")
    assert total.cells[power].value == standing.cells[power].value == game.figure(f"powers.{power}.brp")


def test_a_forecast_as_the_position_stands_counts_what_the_year_start_itself_brings() -> None:
    wars = [{"between": ["japan", it], "since": "Winter 1941", "declared_by": "japan"} for it in ("usa", "britain")]
    options = {"set_up": "reported", "mobilization": "reported"}
    game = game_at("Winter 1941", "axis", "combat", options=options, set={"powers.japan.brp": 0, "wars+": wars})
    before = next(row for row in game.forecast().rows if row.label == "total").cells["japan"].value
    game.do({"do": "report_control", "places": ["Manila"], "by": "japan"})
    game.advance("Winter 1941, Allied, combat")
    after = next(row for row in game.forecast().rows if row.label == "total").cells["japan"].value
    assert (before, after) == (115, 125)


def test_a_forecast_reckons_with_a_loss_that_is_told_after_its_moment() -> None:
    """Berlin fell in the Allied winter turn, which is said as the turn ends: its 50 BRPs do not count (38.13)."""
    game = game_at("Winter 1944", "allied", "end of player turn", set={"powers.germany.base": 150})
    game.do({"do": "report_control", "places": ["Berlin"], "by": "russia"})
    (total,) = (row.cells["germany"].value for row in game.forecast().rows if row.label == "total")
    game.advance("1945 year start")
    assert total == game.figure("powers.germany.brp") == 150 - 50


def test_a_level_is_remembered_by_the_bullet_of_the_power_that_it_calls() -> None:
    game = Game.new()
    for track, bullet in (("rgt", "36.11B(2)"), ("usjt", "36.11C(2)")):
        move = game.do({"do": "report_track", "track": track, "level": 10})
        assert [it.clause for it in move.records if isinstance(it.event, Determined)] == [bullet]
