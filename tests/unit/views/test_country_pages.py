"""The page of a country: how it stands and why, what would change it, what its own chapter says of it."""

from __future__ import annotations

import pytest

from positions import game_at, winter_war
from warcabinet import Game
from warcabinet.figures.position import DueLine, Position, UnitLine, set_up
from warcabinet.figures.table import read
from warcabinet.game.engine import as_command, decide
from warcabinet.game.offers import narrow
from warcabinet.kernel.errors import UnknownName
from warcabinet.model.names import powers
from warcabinet.model.traits import home_hexes
from warcabinet.views.country_page import country_page

WAR = [{"between": ["japan", "britain"], "since": "Winter 1941"}]
BESIDE = {"nation": "japan", "type": "infantry", "strength": "3-3", "at": "pacific/U6", "count": 4}
CANAL = ["europe/LL30", "europe/LL31", "europe/MM30", "europe/MM31"]


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


def told(game: Game, country: str) -> dict[str, str]:
    return {it.clause: it.text for it in country_page(game.state, country).own_rules}


def test_a_page_tells_of_threat_and_surrender() -> None:
    page = told(game_at(turn="Summer 1942", set={"wars": WAR}, units=(BESIDE,)), "india")
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
    at_peace = told(game_at(), "australia")
    assert at_peace["71.43"] == "12 more enemy ground factors beside the box would make it surrender"
    assert "71.51H" not in at_peace
    assert "71.23" not in at_peace
    assert "71.42" not in at_peace
    assert at_peace["71.13"] == "Europe, Burma, Malaya and Singapore: 0 infantry factors, 0 to 3"
    assert at_peace["71.71"].endswith("NN15 (8 hexes off), NN24 (8 hexes off), NN31 (10 hexes off)")
    assert at_peace["71.152"] == "it builds for 9 BRPs a turn: 9 of 9 BRPs left"
    assert {"71.152C", "71.81", "71.91"} <= set(at_peace)
    assert told(game_at(), "india")["72.43"].startswith("12 more")
    assert "72.17" in told(game_at(), "india")


def test_a_page_tells_what_bombs_and_grants_do() -> None:
    war = [*WAR, {"between": ["japan", "usa"], "since": "Winter 1941"}]
    bombed = [{"bombed": "india", "brp": 6, "in": "turn"}]
    game = game_at(turn="Summer 1942", set={"wars": war, "happened": bombed, "control": {"japan": ["Colombo"]}})
    page = told(game, "india")
    assert page["72.162"] == "it builds for 3 BRPs a turn, 2 less this turn: 1 of 1 BRPs left"
    assert "72.163B" in page
    assert "72.163B" not in told(game_at(), "india")
    assert page["72.82"].startswith("Japan holds Colombo")
    assert told(game_at(), "india")["72.82"].startswith("in Japanese hands")


def test_a_garrison_that_is_missing_is_told() -> None:
    alone = game_at(
        turn="Winter 1940", units=[{"nation": "india", "type": "infantry", "strength": "1-2", "at": "Dacca"}]
    )
    lines = [it.text for it in country_page(alone.state, "india").own_rules if it.clause == "72.13"]
    assert lines[0] == "India: 1 infantry factors, 4 to 12"
    assert lines[-1] == "3 infantry factors are missing at home"


def test_a_country_that_surrendered_has_little_to_tell() -> None:
    gone = game_at(set={"countries.australia": {"status": "conquered", "by": "japan"}})
    assert set(told(gone, "australia")) == {"71.53", "71.154"}


def test_pages_tell_what_a_countrys_own_chapter_says() -> None:
    game = game_at(turn="Fall 1939", player="allied", phase="mining", set={"tracks.usat": 3})
    before = {told.clause: told.text for told in country_page(game.state, "norway").own_rules}
    assert "without its consent" in before["86.33"]
    assert "86.36" not in before
    game.do({"do": "mine_waters", "power": "britain"})
    after = {told.clause: told.text for told in country_page(game.state, "norway").own_rules}
    assert "86.33" not in after
    assert "mined" in after["86.36"]
    assert after["86.35B"].endswith("+1")


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
    game = game_at(turn="Fall 1940", player="axis", phase="movement")
    assert clause in {told.clause for told in country_page(game.state, country).own_rules}
    game = game_at(turn="Fall 1940", player="axis", phase="movement", set=past)
    assert clause not in {told.clause for told in country_page(game.state, country).own_rules}


@pytest.mark.parametrize(
    ("country", "by", "clause"),
    [("finland", "germany", "84.23"), ("finland", "italy", "84.23"), ("thailand", "japan", "84.32")],
)
def test_no_page_says_that_a_country_would_join_who_attacked_it(country: str, by: str, clause: str) -> None:
    neutral = game_at(turn="Spring 1941").state
    assert clause in {it.clause for it in country_page(neutral, country).changes}
    facts = {f"countries.{country}": {"status": "independent"}, "wars": [{"between": [by, country], "declared_by": by}]}
    attacked = game_at(turn="Spring 1941", set=facts).state
    assert clause not in {it.clause for it in country_page(attacked, country).changes}


def test_no_page_says_that_spain_would_join_a_germany_that_has_surrendered() -> None:
    state = game_at(turn="Fall 1944", set={"powers.germany.surrendered": True}).state
    assert "84.24" not in {it.clause for it in country_page(state, "spain").changes}


def test_a_conquered_country_has_no_diplomatic_result_in_force() -> None:
    facts = {"results": {"ireland": "8"}, "countries.ireland": {"status": "controlled", "by": "germany"}}
    assert country_page(game_at(turn="Fall 1941", set=facts).state, "ireland").result == "8"
    facts["countries.ireland"] = {"status": "conquered", "by": "britain"}
    assert country_page(game_at(turn="Fall 1941", set=facts).state, "ireland").result == ""


def test_no_page_promises_results_that_an_attack_has_barred() -> None:
    """Germany attacked a Sweden that joined Britain: 9 and 10 are barred for good, and before it joined they were."""
    attacked = [{"between": ["germany", "sweden"], "declared_by": "germany"}]
    joined = {"countries.sweden": {"status": "associated", "by": "britain"}, "wars": attacked}
    changes = country_page(game_at(turn="Spring 1941", set=joined).state, "sweden").changes
    assert {it.clause for it in changes} >= {"85.51A"}
    assert "85.51B" not in {it.clause for it in changes}
    alone = {"countries.sweden": {"status": "independent"}, "wars": attacked}
    told = {it.clause: it.text for it in country_page(game_at(turn="Spring 1941", set=alone).state, "sweden").changes}
    assert told["82.21B"].startswith("a -1: 10 BRPs a year, and its hexes")
    assert told["84.11C"].startswith("a -2: it associates")
    assert told["85.11A"].startswith("a -3: it becomes a minor ally")
    neutral = {it.clause: it.text for it in country_page(game_at(turn="Spring 1941").state, "sweden").changes}
    assert neutral["84.11C"].startswith("a 9 or -2")


def test_the_agenda_names_the_clause_by_which_units_are_supplied_on_their_way_out() -> None:
    """A reversed 8 is no surrender, though the supply ends by the same rule (82.33, 85.52D)."""
    facts = {
        "countries.bulgaria": {"status": "controlled", "by": "germany"},
        "control": {"germany": ["Sofia", "Varna"]},
        "units.germany.Varna.infantry 3-3": 1,
    }
    game = game_at(turn="Spring 1941", player="axis", phase="diplomatic phase", set=facts)
    game.do({"do": "report_result", "country": "bulgaria", "result": 4})
    coming = {it.text: it.clause for it in country_page(game.state, "bulgaria").coming}
    assert coming["Units caught in a country that turned are no longer supplied regardless"] == "82.33"


@pytest.mark.parametrize(
    ("country", "clauses"),
    [
        ("egypt", {"88.11", "88.32", "88.33", "88.342", "88.344", "88.36", "88.37"}),
        ("ethiopia", {"88.11", "88.421A", "88.423D", "88.43", "88.44", "88.46"}),
        ("iraq", {"88.11", "88.52", "88.53", "88.54", "88.55", "88.57"}),
        ("persia", {"88.11", "88.62", "88.63", "88.64", "88.643"}),
        ("arabia", {"88.11", "88.21", "88.57"}),
        ("java", {"89.22", "89.23", "89.24", "89.25", "89.26"}),
        ("philippines", {"89.43", "89.44"}),
        ("thailand", {"89.51A", "89.51B"}),
    ],
)
def test_a_page_tells_what_the_countrys_own_chapter_says(country: str, clauses: set[str]) -> None:
    assert set(told(game_at(), country)) == clauses


def test_pages_follow_the_position() -> None:
    both = game_at(set={"control": {"italy": CANAL}})
    assert "raid" in told(both, "egypt")["88.37B"]
    fallen = {"control": {"britain": ["Ethiopia box"]}, "countries.ethiopia": {"status": "conquered", "by": "britain"}}
    assert "88.432" in told(game_at(set=fallen), "ethiopia")
    assert "88.43" not in told(game_at(set=fallen), "ethiopia")
    joined = game_at(set={"countries.thailand": {"status": "associated", "by": "japan"}})
    assert set(told(joined, "thailand")) == {"89.51C"}
    lost = game_at(set={"countries.philippines": {"status": "conquered", "by": "japan"}})
    assert told(lost, "philippines") == {}
    assert "89.42" in told(game_at(readings={"R-0015": "b"}), "philippines")


def test_communist_china_is_said_to_join_russia_and_nobody_else() -> None:
    assert {it.clause for it in country_page(game_at().state, "communist_china").changes} == {"85.61"}


def test_ethiopia_is_not_said_to_fall_by_its_capture() -> None:
    assert "83.11" not in {it.clause for it in country_page(game_at().state, "ethiopia").changes}


def test_the_dutch_are_said_to_fight_japan_as_soon_as_britain_does() -> None:
    assert country_page(game_at().state, "java").at_war_with == ()
    war = {"between": ["japan", "britain"], "since": "Winter 1941", "declared_by": "japan"}
    page = country_page(game_at(turn="Winter 1941", set={"wars": [war]}).state, "java")
    assert page.at_war_with == ("japan",)
    assert page.reason == "fights alone against Japan"


def test_thailand_attacked_by_japan_is_not_said_to_associate_by_a_war() -> None:
    game = game_at(turn="Winter 1941", player="axis", phase="declarations of war")
    game.do({"do": "declare_war", "power": "japan", "on": ["thailand"]})
    assert {it.clause for it in country_page(game.state, "thailand").changes} == {"83.11"}
    game.do({"do": "declare_war", "power": "japan", "on": ["britain"]})
    assert country_page(game.state, "thailand").status == "independent"


def test_a_page_knows_of_the_border_war() -> None:
    assert country_page(winter_war().state, "finland").reason == "a border war with Russia leaves it neutral"
    escalated = country_page(winter_war(escalated=True).state, "finland")
    assert escalated.reason == "its border war made it nobody's ally; at war with Russia"


def test_russians_in_a_border_hex_are_no_garrison_of_it() -> None:
    game = winter_war()
    game.do({"do": "report_units", "nation": "russia", "unit": "infantry 2-3", "at": "europe/C44", "count": 1})
    page = country_page(game.state, "finnish_border")
    assert not page.garrison
    assert "82.34" not in {it.clause for it in page.changes}


def closed(game: Game, country: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for it in country_page(game.state, country).closed:
        found.setdefault(it.clause, []).append(it.text)
    return found


def test_a_page_lists_what_closes_a_country_and_what_would_open_it() -> None:
    begun = game_at()
    assert "Declare war comes first" in closed(begun, "belgium")["82.41"][0]
    assert "closed to everybody" in closed(begun, "thailand")["89.51B"][0]
    assert set(closed(begun, "java")) == {"89.24", "82.41"}
    assert closed(begun, "poland")["82.41"][0].startswith("closed to Italy, Japan, Britain")
    assert "Report border war" in str(closed(begun, "finland"))


def test_what_a_page_calls_closed_the_judge_refuses_and_nothing_else() -> None:
    """Every power and country, by an order to move there: the page and the judge go by the same rows."""
    state = game_at().state
    for country in ("belgium", "thailand", "java", "poland", "finland", "ireland", "iraq", "egypt", "spain"):
        at = home_hexes(country)[0]
        shut = {
            name
            for it in country_page(state, country).closed
            for name in powers()
            if powers()[name].name in it.text.partition(":")[0] or "everybody" in it.text
        }
        for power in powers():
            move = {"do": "move", "nation": power, "unit": "infantry 1-3", "from": home_hexes(power)[0], "to": at}
            refused = {it.rule for it in decide(state, as_command({**move, "how": "movement", "count": 1})).refusals}
            assert ("ground_is_open" in refused) == (power in shut), (country, power, refused)
