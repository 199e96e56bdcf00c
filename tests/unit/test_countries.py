"""Names of countries that stand for several: the message says which ones."""

from __future__ import annotations

import pytest

from warcabinet.figures.position import DueLine, Position, UnitLine, set_up
from warcabinet.figures.table import read
from warcabinet.game.engine import as_command, decide
from warcabinet.game.offers import narrow
from warcabinet.kernel.errors import UnknownName
from warcabinet.views.country_page import country_page


def test_the_dutch_east_indies_are_three_areas() -> None:
    state, _ = set_up(Position("classic-1939"))
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        country_page(state, "dutch_east_indies")
    with pytest.raises(UnknownName, match="java, sumatra and borneo"):
        read(state, "countries.dutch_east_indies.status")
    asked = {"do": "report_result", "country": "Dutch East Indies", "result": 9}
    assert "java, sumatra and borneo" in decide(state, as_command(asked)).refusals[0].text


def test_a_page_says_why_a_country_is_what_it_is_and_what_would_change_it() -> None:
    state, _ = set_up(Position("classic-1939"))
    belgium = country_page(state, "belgium")
    assert (belgium.status, belgium.clause, belgium.value, belgium.prorated) == ("neutral", "82.11A", 15, 7)
    assert {change.clause for change in belgium.changes} >= {"82.21A", "82.41", "83.11", "84.11C", "85.11A"}
    poland = country_page(state, "poland")
    assert poland.status == "independent"
    assert "Germany" in poland.reason
    assert "82.81" in {change.clause for change in poland.changes}
    later, _ = set_up(Position("classic-1939", turn="Spring 1941"))
    assert later.countries["poland"].status == "neutral"
    assert "84.24" in {change.clause for change in country_page(state, "spain").changes}
    assert "83.11" not in {change.clause for change in country_page(state, "communist_china").changes}
    assert next(change.clause for change in country_page(state, "luxembourg").changes) == "87.13B"


def test_the_forces_of_a_conquered_country_do_not_wait_to_be_set_up() -> None:
    fallen = {"countries.belgium": {"status": "conquered", "by": "germany"}}
    state, _ = set_up(Position("classic-1939", turn="Spring 1941", set=fallen))
    belgium = country_page(state, "belgium")
    assert belgium.deployed
    assert {(force.on_board, force.unbuilt) for force in belgium.forces} == {(0, 0)}
    assert not country_page(state, "sweden").deployed


def test_a_part_of_a_name_finds_the_country() -> None:
    state, _ = set_up(Position("classic-1939"))
    with pytest.raises(UnknownName, match="vichy_france"):
        country_page(state, "vichy")


def _told(position: Position, country: str) -> set[str]:
    """The clauses by which a country's page says what would change it and what its own chapter says."""
    page = country_page(set_up(position)[0], country)
    return {it.clause for it in (*page.changes, *page.own_rules)}


def test_what_no_longer_holds_is_off_the_page() -> None:
    fallen = Position(
        "classic-1939",
        turn="Spring 1941",
        set={
            "countries.finland": {"status": "conquered", "by": "russia"},
            "countries.sweden": {"status": "conquered", "by": "germany"},
            "countries.belgium": {"status": "conquered", "by": "germany"},
            "countries.spain": {"status": "independent"},
            "wars": [{"between": ["germany", "spain"], "declared_by": "germany"}],
        },
    )
    assert not {"86.22", "86.25"} & _told(fallen, "finland")
    assert not {"86.43", "86.44"} & _told(fallen, "sweden")
    assert "87.13B" not in _told(fallen, "luxembourg")
    assert "84.24" not in _told(fallen, "spain")


def test_a_declaration_of_war_costs_others_ten_though_one_power_pays_no_more_for_the_second_of_two() -> None:
    war = {"between": ["germany", "norway"], "since": "Spring 1940", "declared_by": "germany"}
    state, _ = set_up(Position("classic-1939", turn="Spring 1940", set={"wars": [war]}))
    assert "for 10 BRPs" in next(it.text for it in country_page(state, "denmark").changes if it.clause == "82.41")


def test_belgium_and_luxembourg_have_one_limit_and_each_page_shows_what_is_in_both() -> None:
    controlled = {"status": "controlled", "by": "germany"}
    position = {"countries.belgium": controlled, "countries.luxembourg": controlled}
    units = (UnitLine(nation="germany", type="infantry", strength="3-3", at="Brussels", count=3),)
    state, _ = set_up(Position("classic-1939", turn="Spring 1940", set=position, units=units))
    pages = [country_page(state, it) for it in ("belgium", "luxembourg")]
    assert [(page.limits[0].present, page.limits[0].most) for page in pages] == [(9, 10), (9, 10)]


def test_the_page_says_of_supply_through_a_country_what_its_judge_lets_pass_beside_the_units_inside() -> None:
    controlled = {"status": "controlled", "by": "germany"}
    units = (UnitLine(nation="germany", type="infantry", strength="3-3", at="Sofia", count=2),)
    phase = {"player": "axis", "phase": "initial supply determination"}
    state, _ = set_up(
        Position("classic-1939", turn="Spring 1941", **phase, set={"countries.bulgaria": controlled}, units=units)
    )
    _, through = country_page(state, "bulgaria").limits
    assert through.most == narrow(state, "report_supply", {"country": "bulgaria"}).fields["factors"].most == 4


def test_portugal_brings_in_spain_only_while_it_is_neutral_itself() -> None:
    neutral = Position("classic-1939", turn="Spring 1941")
    joined = Position(
        "classic-1939", turn="Spring 1941", set={"countries.portugal": {"status": "associated", "by": "germany"}}
    )
    assert "84.24" in _told(neutral, "spain")
    assert "84.24" not in _told(joined, "spain")


def test_a_spain_that_is_on_its_way_to_germany_is_won_by_no_other() -> None:
    due = DueLine(clause="84.24", about="spain", power="germany", due="Summer 1941, Axis, end of diplomatic phase")
    state, _ = set_up(Position("classic-1939", turn="Summer 1941", player="axis", agenda=(due,)))
    told = {change.clause: change.text for change in country_page(state, "spain").changes}
    assert told["84.11C"] == "a 9: it associates, with 30 BRPs"
    assert told["85.11A"] == "a 10: it becomes a minor ally"


def test_an_associates_page_says_that_its_side_may_still_win_it_as_a_minor_ally() -> None:
    standing = {
        "countries.hungary": {"status": "associated", "by": "germany"},
        "countries.greece": {"status": "associated", "by": "britain"},
        "countries.denmark": {"status": "associated", "by": "germany"},
        "countries.rumania": {"status": "allied", "by": "germany"},
    }
    state, _ = set_up(Position("classic-1939", turn="Spring 1941", set=standing))
    told = {
        it: [change.text for change in country_page(state, it).changes if change.clause == "85.11A"]
        for it in ("hungary", "greece", "denmark", "rumania")
    }
    assert told["hungary"] == ["a 10: it becomes a minor ally"]
    assert told["greece"] == ["a -3: it becomes a minor ally"]
    assert not told["denmark"]
    assert not told["rumania"]


def test_pages_name_whoever_may_still_win_a_minor_ally() -> None:
    standing = {
        "powers.france.surrendered": True,
        "countries.ukraine": {"status": "conquered", "by": "germany"},
    }
    state, _ = set_up(Position("classic-1939", turn="Spring 1943", set=standing))
    assert country_page(state, "vichy_france").may_ally_with == ("germany", "britain", "usa")
    assert "a 10: it rises as a minor ally" in {it.text for it in country_page(state, "ukraine").changes}
    before, _ = set_up(Position("classic-1939", turn="Spring 1940"))
    assert "france" in country_page(before, "norway").may_ally_with
    assert not {"84.11C", "85.11A"} & {it.clause for it in country_page(before, "ukraine").changes}


def _changes(country: str, **facts: object) -> dict[str, str]:
    """What a country's page says would change it, by clause."""
    state, _ = set_up(Position("classic-1939", turn="Spring 1941", set=facts))
    return {it.clause: it.text for it in country_page(state, country).changes}


def test_the_victim_of_a_neutral_power_is_told_that_a_war_with_it_brings_association() -> None:
    italys: dict[str, object] = {"between": ["italy", "greece"], "declared_by": "italy"}
    alone = {"countries.greece": {"status": "independent"}, "wars": [italys]}
    assert "84.22" in _changes("greece", **alone)
    at_war = {"between": ["italy", "britain"], "declared_by": "italy"}
    assert "84.22" not in _changes("greece", **{**alone, "wars": [italys, at_war]})
    assert "84.22" not in _changes("greece")


def test_no_page_promises_what_is_refused_of_a_country_that_is_not_there_or_has_lost_its_capital() -> None:
    assert not {"82.21A", "82.21B", "84.11C", "85.11A"} & set(_changes("vichy_france"))
    assert _changes("vichy_france", **{"powers.france.surrendered": True})["82.21A"].startswith("a 7 or 0: 10 BRPs")
    wars = [{"between": ["germany", "spain"], "declared_by": "germany"}]
    attacked = {"countries.spain": {"status": "independent"}, "wars": wars}
    assert _changes("spain", **attacked)["82.21A"].startswith("a 7 or 0: 10 BRPs")
    taken = {**attacked, "control": {"germany": ["Madrid"]}, "books.germany.spain": 30}
    assert not {"82.21A", "82.21B", "84.11C", "85.11A"} & set(_changes("spain", **taken))
    assert "82.21A" in _changes("eastern_poland")
    assert "82.21A" not in _changes("eastern_poland", control={"russia": ["Vilna", "Brest-Litovsk", "Lvov"]})


def test_no_page_says_that_diplomacy_brings_a_country_to_those_who_attacked_it() -> None:
    assert _changes("greece")["84.11C"].startswith("a 9 or -2:")
    wars = [{"between": ["italy", "greece"], "declared_by": "italy"}]
    alone = _changes("greece", **{"countries.greece": {"status": "independent"}, "wars": wars})
    assert (alone["84.11C"][:5], alone["85.11A"][:5]) == ("a -2:", "a -3:")
    joined = {"countries.greece": {"status": "associated", "by": "britain"}}
    assert "85.51B" in _changes("greece", **joined)
    assert "85.51B" not in _changes("greece", **{**joined, "wars": wars})


def test_no_page_promises_anything_for_a_weaker_result_than_a_side_already_has() -> None:
    """Under an 8 another 7 changes nothing (R-0201); under a British -1 a 0 may still be Russia's."""
    assert _changes("spain", **{"countries.spain": {"status": "controlled", "by": "germany"}})["82.21A"][:5] == "a 0: "
    held = {"countries.norway": {"status": "controlled", "by": "britain"}}
    assert _changes("norway", **held)["82.21A"].startswith("a 7 or 0:")
    penetrated = {"countries.spain": {"status": "penetrated", "by": "germany"}}
    assert _changes("spain", **penetrated)["82.21A"].startswith("a 7 or 0:")


def test_the_page_of_a_country_that_waits_for_britain_names_its_return() -> None:
    waiting = {
        "powers.britain.surrendered": True,
        "countries.greece": {"status": "independent"},
        "wars": [
            {"between": ["germany", "britain"], "declared_by": "britain"},
            {"between": ["germany", "greece"], "since": "Winter 1939", "declared_by": "germany"},
        ],
    }
    told = _changes("greece", **waiting)
    assert "82.81C" in told
    assert "84.22" not in told
    assert "82.81C" not in _changes("greece", **{**waiting, "control": {"germany": ["Athens"]}})


def test_a_page_counts_no_invader_as_garrison() -> None:
    """Russians of a border war fight Finland, as Germans do who declared war on it: neither guards it (R-0493)."""
    troops = [
        UnitLine("russia", "infantry", at="Viipuri", strength="3-4"),
        UnitLine("germany", "infantry", at="Helsinki", strength="3-3"),
    ]
    guests, _ = set_up(Position("classic-1939", turn="Spring 1940", units=troops))
    assert country_page(guests, "finland").garrison == ("germany", "russia")
    fought = decide(guests, as_command({"do": "report_border_war", "country": "finland", "escalated": True})).state
    assert country_page(fought, "finland").garrison == ("germany",)
    attacked = {"wars": [{"between": ["germany", "finland"], "since": "Winter 1939", "declared_by": "germany"}]}
    invaded, _ = set_up(Position("classic-1939", turn="Spring 1940", units=troops, set=attacked))
    assert country_page(invaded, "finland").garrison == ("russia",)


def test_a_page_counts_nobody_as_garrison_of_vichy_france_who_cannot_guard_it() -> None:
    """Neither the French whom the surrender left there nor the British who attack a colony (R-0443, R-2505)."""
    troops = [
        UnitLine("france", "infantry", at="Algiers", strength="2-3"),
        UnitLine("britain", "infantry", at="Beirut", strength="1-3"),
    ]
    state, _ = set_up(Position("classic-1939", turn="Summer 1940", units=troops))
    state = decide(state, as_command({"do": "report_surrender", "power": "france"})).state
    page = country_page(state, "vichy_france")
    assert page.garrison == ()
    assert "82.34" not in {it.clause for it in page.changes}


def test_a_part_of_a_country_is_not_said_to_join_anybody() -> None:
    troops = [UnitLine("germany", "infantry", at="Kishinev", strength="3-3")]
    state, _ = set_up(Position("classic-1939", turn="Summer 1940", units=troops))
    assert "82.34" not in {it.clause for it in country_page(state, "bessarabia").changes}


def test_what_a_power_has_cut_off_a_country_is_refused_once() -> None:
    """Bessarabia is Russian soil to Rumanian units, and told of as that alone (82.42)."""
    standing = {
        "countries.rumania": {"status": "allied", "by": "germany"},
        "countries.bessarabia": {"status": "conquered", "by": "russia"},
        "control": {"russia": ["europe/R36", "europe/S36", "europe/S37", "europe/T36", "europe/U36"]},
    }
    troops = [UnitLine("rumania", "infantry", at="Bucharest", strength="1-3")]
    ordered = {"declarations": "ordered"}
    turn = "Fall 1940, Axis, movement"
    state, _ = set_up(Position("classic-1939", turn=turn, units=troops, set=standing, options=ordered))
    move = {"do": "move", "nation": "rumania", "unit": "infantry 1-3", "from": "Bucharest", "to": "europe/U36"}
    assert [it.clause for it in decide(state, as_command(move)).refusals] == ["82.42"]


def test_a_declaration_on_a_vichy_colony_is_led_to_vichy_france() -> None:
    ordered = {"declarations": "ordered"}
    state, _ = set_up(Position("classic-1939", turn="Fall 1940, Axis, declarations of war", options=ordered))
    state = decide(state, as_command({"do": "report_surrender", "power": "france"})).state
    refused = decide(state, as_command({"do": "declare_war", "power": "germany", "on": ["tunisia"]})).refusals
    assert [it.text for it in refused] == ["Tunisia is colony (Vichy France): declare war on Vichy France instead"]


def test_a_refused_country_says_whose_war_still_brings_it_in() -> None:
    """Russia refused Yugoslavia, which Italy attacked: the West has not (82.82)."""
    attack = {"between": ["italy", "yugoslavia"], "since": "Winter 1939", "declared_by": "italy"}
    standing = {"countries.yugoslavia": {"status": "independent"}, "wars": [attack]}
    state, _ = set_up(Position("classic-1939", turn="Spring 1940, Allied, declarations of war", set=standing))
    for command in (
        {"do": "report_war", "between": ["russia", "italy"], "declared_by": "russia"},
        {"do": "decline_association", "power": "russia", "country": "yugoslavia"},
    ):
        state = decide(state, as_command(command)).state
    told = [it.text for it in country_page(state, "yugoslavia").changes if it.clause == "84.22"]
    assert told == [
        "Britain or France or United States, who did not refuse it, at war with its attacker too: it associates"
    ]
    war = as_command({"do": "report_war", "between": ["britain", "italy"], "declared_by": "britain"})
    assert decide(state, war).state.countries["yugoslavia"].by == "britain"


def test_a_country_that_two_sides_attacked_says_whose_war_still_brings_it_in() -> None:
    """Russia and Germany, who fight each other, both attacked Sweden: the West has not (82.82, R-0401)."""
    attacks = [{"between": [it, "sweden"], "since": "Winter 1939", "declared_by": it} for it in ("russia", "germany")]
    wars = [*attacks, {"between": ["germany", "russia"], "declared_by": "russia"}]
    standing = {"countries.sweden": {"status": "independent"}, "wars": wars}
    state, _ = set_up(Position("classic-1939", turn="Spring 1940, Allied, declarations of war", set=standing))
    told = [it.text for it in country_page(state, "sweden").changes if it.clause == "84.22"]
    assert told == [
        "Britain or France or United States, who did not refuse it, at war with its attacker too: it associates"
    ]


def test_a_page_tells_what_a_garrison_means_and_which_results_end_what_was_gained() -> None:
    held = {"countries.norway": {"status": "controlled", "by": "britain", "books": {"britain": 10}}}
    units = (UnitLine("britain", "infantry", "Bergen", "3-4"),)
    page = country_page(set_up(Position("classic-1939", turn="Spring 1941", set=held, units=units))[0], "norway")
    told = {it.clause: it.text for it in page.changes}
    assert "it associates with Britain at once; any other must declare war on Britain too" in told["82.34"]
    assert told["82.33"].startswith("a 3-4 or 5-6:")
    held = {"countries.norway": {"status": "controlled", "by": "germany", "books": {"germany": 10}}}
    page = country_page(set_up(Position("classic-1939", turn="Spring 1941", set=held))[0], "norway")
    told = {it.clause: it.text for it in page.changes}
    assert "82.34" not in told
    assert told["82.33"].startswith("a 3-4 or 1-2:")


@pytest.mark.parametrize(
    ("area", "whole"), [("bessarabia", "Rumania"), ("finnish_border", "Finland"), ("spanish_morocco", "Spain")]
)
def test_a_page_names_the_country_on_which_war_is_declared(area: str, whole: str) -> None:
    """No war is declared on an area that goes with a country (82.41, 83.12D, 83.12E, 83.447)."""
    page = country_page(set_up(Position("classic-1939", turn="Winter 1939"))[0], area)
    told = {it.clause: it.text for it in page.changes}
    assert told["82.41"].startswith(f"a declaration of war on {whole}, for 10 BRPs")
    assert page.reason == f"goes with {whole}"


def test_the_pages_of_poland_and_its_east_speak_of_one_war() -> None:
    """Poland is attacked as the game begins, and its east with it: nobody declares war on it (82.12, R-0421)."""
    page = country_page(set_up(Position("classic-1939"))[0], "eastern_poland")
    assert page.reason == "goes with Poland, at war with Germany"
    told = {it.clause: it.text for it in page.changes}
    assert "82.41" not in told
    assert told["83.12A"].startswith("Vilna and Brest-Litovsk and Lvov in enemy hands")


def test_what_is_cut_off_from_a_country_falls_to_russia_first() -> None:
    """Bessarabia falls by itself to Russia; once it has, to Russia's enemies (83.12D, 85.491)."""
    before = {
        it.clause: it.text
        for it in country_page(set_up(Position("classic-1939", turn="Winter 1939"))[0], "bessarabia").changes
    }
    assert "in Russian hands" in before["83.12D"]
    taken = {"countries.bessarabia": {"status": "conquered", "by": "russia"}}
    after = {
        it.clause: it.text
        for it in country_page(set_up(Position("classic-1939", turn="Winter 1940", set=taken))[0], "bessarabia").changes
    }
    assert "in enemy hands" in after["83.12D"]
