"""A position typed from paper: every line is understood whole, or told with its number."""

from __future__ import annotations

from warcabinet.game.typed.layout import read_layout


def test_lines_say_units_pools_levels_holders_and_statuses() -> None:
    found = read_layout(
        "Germany\nlevel 381, base 161\nBerlin: 2 armor 4-6, 11 AAF and 1 bomber\nK44 3 inf 3-3  # near Orel\n"
        "Luxembourg 1 infantry 3-3\npool: 6 infantry 3-3\nSummer 1942: 1 armor 5-6\nGermany holds Minsk, K44\n"
        "Belgium, Norway: conquered by Germany\nSweden neutral\nFrance: none"
    )
    assert not found.wrong
    assert found.figures == {
        "powers.germany.brp": 381,
        "powers.germany.base": 161,
        "units.germany.europe/L31.armor 4-6": 2,
        "units.germany.europe/L31.army air": 11,
        "units.germany.europe/L31.bomber": 1,
        "units.germany.europe/K44.infantry 3-3": 3,
        "units.germany.europe/N25.infantry 3-3": 1,
        "units.germany.unbuilt.infantry 3-3": 6,
        "turn_track.germany.Summer 1942.armor 5-6": 1,
        "control": {"germany": ["europe/K40", "europe/K44"]},
        "countries.belgium": {"status": "conquered", "by": "germany"},
        "countries.norway": {"status": "conquered", "by": "germany"},
        "countries.sweden": {"status": "neutral"},
    }
    assert found.nations == ("germany",)
    assert found.none == ("france",)


def test_a_line_may_go_on_with_other_places_and_units_may_stand_between_semicolons() -> None:
    found = read_layout("Germany: Berlin: 2 armor 4-6; 1 AAF; Paris: 1 inf 3-3, pool: 2 inf 3-3; Summer 1942: 1 SS")
    assert not found.wrong
    assert found.figures == {
        "units.germany.europe/L31.armor 4-6": 2,
        "units.germany.europe/L31.army air": 1,
        "units.germany.europe/N23.infantry 3-3": 1,
        "units.germany.unbuilt.infantry 3-3": 2,
        "turn_track.germany.Summer 1942.submarine": 1,
    }
    [line] = read_layout("Germany: Berlin: 2 armor 4-6; Paris").wrong
    assert "which units?" in line.why


def test_surrenders_wars_tensions_and_the_turn() -> None:
    found = read_layout(
        "France: surrendered\nChina: not surrendered\nwar: Germany, Britain\n"
        "War between Germany and Russia since Summer 1941\n"
        "U.S.-Axis tension 22\nusjt: 9\nChinese resistance level -3\nTurn: winter 1941"
    )
    assert not found.wrong
    assert found.figures == {
        "powers.france.surrendered": True,
        "powers.china.surrendered": False,
        "tracks.usat": 22,
        "tracks.usjt": 9,
        "tracks.chinese_resistance": -3,
    }
    assert [(it.between, it.since) for it in found.wars] == [
        (("germany", "britain"), ""),
        (("germany", "russia"), "Summer 1941"),
    ]
    assert found.turn == "Winter 1941"


def test_half_a_war_and_a_minor_that_surrenders_are_told() -> None:
    found = read_layout("war: Germany\nwar: Germany, Germny\nNorway surrendered\nturn: Autumn")
    assert (found.figures, found.wars, found.turn) == ({}, (), "")
    half, wrong, minor, turn = (it.why for it in found.wrong)
    assert "Write two" in half
    assert "germany?" in wrong.lower()
    assert "no major power" in minor
    assert "not a turn" in turn


def test_what_is_not_understood_is_told_and_nothing_of_its_line_counts() -> None:
    found = read_layout(
        "2 armor 4-6\nGermany\nSmolesnk 3 inf 3-3\nBerlin 2 inf 3-3, 3 armr 4-5\nBerlin\nFinland level 3"
    )
    assert not found.figures
    told = {it.line: it.why for it in found.wrong}
    assert list(told) == [1, 3, 4, 5, 6]
    assert "whose?" in told[1]
    assert "Smolensk?" in told[3]
    assert "?" not in read_layout("Germany\nReserve: 2 inf 3-3").wrong[0].why  # nothing is close
    assert "armr" in told[4]
    assert "which units?" in told[5]
    assert "no BRPs" in told[6]


def test_a_hex_of_both_boards_lies_on_the_board_that_is_shown() -> None:
    assert list(read_layout("Japan\nM25: 1 inf 1-2", "pacific").figures) == ["units.japan.pacific/M25.infantry 1-2"]
