"""Entries in a player's words: what is meant, what is asked back, and whole turns kept by them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from warcabinet.figures.position import BOOKS_ALONE
from warcabinet.game import Game
from warcabinet.game.demo import carry_out, chapters, demo
from warcabinet.game.entering import Entering, understood
from warcabinet.game.typed.entries import Asked, completed, parts, read_entry
from warcabinet.house.books_alone import OF_COUNTERS
from warcabinet.model.calendar import turn_name
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers


@pytest.fixture(scope="module")
def game() -> Game:
    return Game.new("classic-1939", options=BOOKS_ALONE)


MEANT = {
    "germany 45 construction": {"do": "spend", "power": "germany", "brp": 45, "on": "unit construction"},
    "construction 45 germany": {"do": "spend", "power": "germany", "brp": 45, "on": "unit construction"},
    "Germany spends 15 BRPs on construction submarines": {
        "do": "spend",
        "power": "germany",
        "brp": 15,
        "on": "unit construction",
        "note": "submarines",
    },
    "ger 25 off Poland": {"do": "spend", "power": "germany", "brp": 25, "on": "offensive operations", "note": "Poland"},
    "warsaw german": {"do": "report_control", "places": ["Warsaw"], "by": "germany"},
    "russia takes Vilna, Brest-Litovsk and K38": {
        "do": "report_control",
        "places": ["Vilna", "Brest-Litovsk", "K38"],
        "by": "russia",
    },
    'russia takes Vilna "the pact of August"': {
        "do": "report_control",
        "places": ["Vilna"],
        "by": "russia",
        "by_rule": "the pact of August",
    },
    "italy builds 4 inf 2-3": {"do": "build_by_count", "power": "italy", "units": ["4 infantry 2-3"]},
    "france lost 2 inf 2-3 to germany": {
        "do": "report_loss_by_count",
        "power": "france",
        "units": ["2 infantry 2-3"],
        "eliminated_by": "germany",
    },
    "japan mobilizes 3 aaf, 6 nas defer 5": {
        "do": "mobilize",
        "power": "japan",
        "units": ["3 army air", "6 naval air"],
        "defer": 5,
    },
    "italy dow greece": {"do": "declare_war", "power": "italy", "on": ["greece"]},
    "italy france peace": {"do": "report_peace", "between": ["italy", "france"]},
    "hungary 10": {"do": "report_result", "country": "hungary", "result": 10},
    "hungary associated germany": {
        "do": "report_status",
        "country": "hungary",
        "status": "associated",
        "power": "germany",
    },
    "usat 2": {"do": "report_track", "track": "usat", "level": 2},
    "U.S.-Japanese tension +3": {"do": "report_track", "track": "usjt", "level": 3},
    "grant germany italy 6 land": {"do": "grant", "power": "germany", "to": "italy", "brp": 6, "by": "land"},
    "britain -2 submarine warfare": {"do": "report_brp", "power": "britain", "brp": -2, "cause": "submarine warfare"},
    "britain -2 subs": {
        "do": "report_brp",
        "power": "britain",
        "brp": -2,
        "cause": "submarine warfare",
        "note": "subs",
    },
    "usa +5 trade": {"do": "report_brp", "power": "usa", "brp": 5, "cause": "other", "note": "trade"},
    "france surrenders": {"do": "report_surrender", "power": "france"},
    "vichy": {"do": "report_vichy"},
    "next": {"do": "advance"},
    "to construction": {"do": "advance", "to": "Fall 1939, Axis, unit construction"},
    "to allied": {"do": "advance", "to": "Fall 1939, Allied, start of player turn"},
    "to winter": {"do": "advance", "to": "Winter 1939, Axis, start of player turn"},
}


@pytest.mark.parametrize("line", MEANT)
def test_a_line_is_the_order_that_a_player_means(game: Game, line: str) -> None:
    assert read_entry(game.state, line)[0] == MEANT[line]


ASKED = {
    "build 2 inf 3-3": ("which power?", "germany 2 infantry 3-3"),
    "germny 45 construction": ("'germny' is not understood", "Germany"),
    "germany 45 constuction": ("'constuction' is not understood", "construction"),
    "germany 45": ("what is meant", "germany 45 construction"),
    "germany construction": ("how many?", "germany 45 construction"),
    "germany -3 construction": ("cannot be spent", "germany 45 construction"),
    "germany italy 5 construction": ("One power is meant", "germany 45 construction"),
    "dow greece": ("who declares war", "italy dow greece"),
    "germany builds": ("which units?", "germany builds 2 inf 3-3"),
    "grant germany 6": ("who grants to whom?", "grant germany italy 6 land"),
    "britain -2": ("by what?", "britain -2 submarine warfare"),
    "usat": ("how many?", "usat 2"),
    "to nowhere": ("no moment", "to combat"),
    "warsaw german qqqq": ("'qqqq' is not understood", "germany 45 construction"),
    "": ("nothing was typed", "next"),
    'hungary 10 "by rule"': ("not understood here", ""),
    "undo": ("given by itself", ""),
}


@pytest.mark.parametrize("line", ASKED)
def test_what_is_not_understood_whole_is_asked_back(game: Game, line: str) -> None:
    told, right = ASKED[line]
    with pytest.raises(Asked) as asked:
        read_entry(game.state, line)
    assert told in asked.value.text
    assert right in asked.value.right or not right


def test_one_line_may_tell_several_tensions_or_ends_of_war(game: Game) -> None:
    assert parts("usat 9, usjt +4, rgt 6") == ["usat 9", "usjt +4", "rgt 6"]
    assert parts("france peace germany, italy") == ["france peace germany", "france peace italy"]
    assert parts("ger dow denmark, belgium, norway") == ["ger dow denmark, norway", "ger dow belgium"]
    for line in (
        "usat 9",
        "italy france peace",
        "germany 45 construction",
        "germany dow denmark, norway",
        "usat usjt 4",
    ):
        assert parts(line) == [line]
    table = Game.new("classic-1939", options=BOOKS_ALONE)
    assert Entering(table).enter(["italy 2 aaf, 2 inf 1-3", "japan 3 aaf, 6 nas defer 5", "to allied"]).whole
    made = Entering(table).enter(["britain mobilizes arm 4-5, arm 2-5, 4 inf 1-3", "next", "usat 3, usjt 2, rgt 1"])
    assert made.whole, made.text
    assert [table.figure(f"tracks.{it}") for it in ("usat", "usjt", "rgt")] == [3, 2, 1]
    table.undo()
    assert table.figure("tracks.usat") == 0
    stopped = Entering(table).enter(["usat 3, usjt 9999"])
    assert stopped.line == "usat 3, usjt 9999"
    assert table.figure("tracks.usat") == 0


def test_a_chosen_power_need_not_be_named(game: Game) -> None:
    assert read_entry(game.state, "45 construction", "germany")[0]["power"] == "germany"
    assert read_entry(game.state, "warsaw", "germany")[0]["by"] == "germany"


def test_of_two_readings_the_lawful_one_is_taken() -> None:
    """Units without a deed are mobilized where a mobilization is due, and built in unit construction."""
    game = Game.new("classic-1939", options=BOOKS_ALONE)
    assert name_of(type(understood(game.state, "italy 2 aaf, 2 inf 1-3").command)) == "mobilize"
    made = Entering(game).enter(["italy 2 aaf, 2 inf 1-3", "japan 3 aaf, 6 nas defer 5", "to construction"])
    assert made.whole
    assert name_of(type(understood(game.state, "germany 2 inf 3-3").command)) == "build_by_count"


def test_readings_that_stand_no_worse_are_left() -> None:
    game = Game.new("classic-1939", options=BOOKS_ALONE)
    assert [name_of(type(it)) for it in understood(game.state, "germany 2 inf 3-3").others] == ["build_by_count"]
    assert understood(game.state, "italy 2 aaf, 2 inf 1-3").others == ()


COMPLETED = {
    "ger": "germany",
    "germany 15 con": "germany 15 construction",
    "italy dow united st": "italy dow united states",
    "to com": "to combat",
    "germany takes Brest-L": "germany takes Brest-Litovsk",
    "usj": "usjt",
    "italy builds inf": "italy builds infantry",
}


@pytest.mark.parametrize("line", COMPLETED)
def test_the_last_words_are_completed(line: str) -> None:
    assert COMPLETED[line] in completed(line)


@pytest.mark.parametrize("line", ["", "germany ", "warsaw german", "germany", "italy 12", "qqqq", "=", "a" * 2000])
def test_what_is_whole_or_unknown_is_left(line: str) -> None:
    assert all(it.startswith(line) and len(it) > len(line) for it in completed(line))
    assert line == "germany" or not completed(line)


def test_lines_between_two_steps_are_given_all_or_none() -> None:
    game = Game.new("classic-1939", options=BOOKS_ALONE)
    lines = [
        "italy 2 aaf, 2 inf 1-3",
        "japan 3 aaf, 6 nas defer 5",
        "to combat",
        "germany 25 off",
        "italy 300 off",
        "next",
    ]
    made = Entering(game).enter(lines)
    assert (made.given, made.line) == (3, "italy 300 off")
    assert made.refused is not None
    assert "39.22B" in made.refused.clauses
    assert game.figure("powers.germany.brp") == 150
    game.undo()
    assert game.state.place.step.name == "start of player turn"


def test_lines_that_come_twice_are_given_once() -> None:
    game = Game.new("classic-1939", options=BOOKS_ALONE)
    lines = ["italy 2 aaf, 2 inf 1-3", "japan 3 aaf, 6 nas defer 5", "to combat", "germany 25 off"]
    first = Entering(game, key="k").enter(lines)
    again = Entering(game, key="k").enter(lines)
    assert first.given == again.given == 4
    assert [it.id for it in first.moves] == [it.id for it in again.moves]
    assert game.figure("powers.germany.brp") == 125


# -- whole turns ---------------------------------------------------------------------------------------------------

ON = {"unit construction": "construction", "offensive operations": "off", "other": "other"}


def typed(step: dict[str, Any]) -> str:
    """A step of the demonstration as somebody with a paper map would type it; empty where it is about counters."""
    units = ", ".join(step.get("units", ()))
    match step["do"]:
        case "advance":
            return f"to {step['to']}" if "to" in step else "next"
        case "spend":
            return f"{step['power']} {step['brp']} {ON[step['on']]} {step.get('note', '')}".strip()
        case "build":
            return f"{step['power']} builds {units}"
        case "report_loss":
            return f"{step['power']} lost {units} {step.get('eliminated_by', '')}".strip()
        case "mobilize":
            fields = [key for key in step if key not in ("do", "power", "units", "say", "aside", "look")]
            more = " ".join(f"{key.replace('_', ' ')} {step[key] if step[key] is not True else ''}" for key in fields)
            return f"{step['power']} mobilizes {units} {more}"
        case "report_control" if not step.get("by_rule") and not step.get("partisans"):
            return f"{step['by']} takes {', '.join(step['places'])}"
        case "report_track":
            return f"{step['track']} {step['level']}"
        case "report_result" if {*step} <= {"do", "country", "result", "say", "aside", "look"}:
            return f"{step['country']} {step['result']}"
        case "report_brp":
            return f"{step['power']} {step['brp']:+} {step['cause']}"
    return ""


COUNTERS = {name_of(kind) for kind in OF_COUNTERS} - {"build", "report_loss"}


def phases(steps: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The steps between two advances, and each advance by itself."""
    phase: list[dict[str, Any]] = []
    for step in steps:
        if step["do"] == "advance":
            yield phase
            yield [step]
            phase = []
        else:
            phase.append(step)
    yield phase


def entries(phase: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A phase as lines, with the step of each; what a power lost to another, took, or declared, is one line, and so
    are the tensions.
    """
    early: dict[str, tuple[list[str], dict[str, Any]]] = {}
    late: dict[str, tuple[list[str], dict[str, Any]]] = {}
    for number, step in enumerate(it for it in phase if it["do"] not in COUNTERS):
        line = typed(step)
        match step["do"]:
            case "report_loss":
                fate = f"{step.get('eliminated_by', '')} {'for good' if step.get('for_good') else ''}"
                late.setdefault(f"{step['power']} lost {{}} {fate}", ([], {}))[0].extend(step["units"])
            case "report_control" if line:
                late.setdefault(f"{step['by']} takes {{}}", ([], {}))[0].extend(step["places"])
            case "declare_war":
                early.setdefault(f"{step['power']} dow {{}}", ([], {}))[0].extend(step["on"])
            case "report_peace":
                early.setdefault(f"{step['between'][1]} peace {{}}", ([], {}))[0].append(step["between"][0])
            case "report_track":
                early.setdefault("{}", ([], {}))[0].append(line)
            case _:
                early[f"{number}"] = ([line], step)
    for said, (things, step) in (early | dict(sorted(late.items(), key=lambda it: " lost " in it[0]))).items():
        yield (things[0] if said.isdigit() else said.format(", ".join(things))), step


def test_two_years_kept_as_books_give_the_year_starts_of_the_whole_game() -> None:
    """1939 and 1940, typed line by line: every year start has the same BRPs and bases; a turn takes up to 40 lines."""
    whole, books = Game.new("classic-1939"), Game.new("classic-1939", options=BOOKS_ALONE)
    lines: dict[str, int] = {}
    steps = [step for it in chapters("the-war", demo())[:3] for step in it.steps]
    years, going = set(), ""
    for phase in phases(steps):
        for step in phase:
            carry_out(whole, step)
        told = list(entries(phase))
        if told and told[0][0].startswith("to ") and "dice" not in told[0][1]:
            # A phase in which nothing is entered is passed over with the next one.
            going = told[0][0]
            continue
        for line, step in [(going, {}), *told] if told and going else told:
            turn = turn_name(books.state.turn)
            lines[turn] = lines.get(turn, 0) + 1
            if "dice" in step or not line:
                carry_out(books, step)
            else:
                made = Entering(books).enter([line])
                assert made.whole, (line, made.text)
        if told:
            going = ""
            years.add(turn_name(books.state.turn).split()[1])
            assert (books.state.moment, levels(books)) == (whole.state.moment, levels(whole)), turn
        if "1941" in years:
            break
    assert years == {"1939", "1940", "1941"}
    assert max(lines.values()) <= 40, lines


def levels(game: Game) -> dict[str, Any]:
    return {f"{power} {it}": game.figure(f"powers.{power}.{it}") for power in powers() for it in ("brp", "base")}
