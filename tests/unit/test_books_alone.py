"""A table that keeps the books alone: nothing asks where a counter stands, and its books are the whole game's."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.figures.position import BOOKS_ALONE, Position, set_up
from warcabinet.figures.written import written
from warcabinet.game import Game, Refused
from warcabinet.game.demo import carry_out, chapters, demo
from warcabinet.game.engine import as_command, decide
from warcabinet.game.entering import Entering, understood
from warcabinet.house.books_alone import OF_COUNTERS, not_judged, questions, words_taken
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers
from warcabinet.model.pieces import BUILT
from warcabinet.store import create_game

#: What is told of counters, and not entered where only the books are kept.
COUNTERS = {name_of(kind) for kind in OF_COUNTERS} - {"build", "report_loss"}

#: The mobilizations with which the classic game begins.
FIRST = ["italy 2 aaf, 2 inf 1-3", "japan 3 aaf, 6 nas defer 5"]


def as_books(step: dict[str, Any]) -> dict[str, Any] | None:
    """A step of the demonstration as a table of books is told of it; nothing where it is about counters alone."""
    if step["do"] in COUNTERS:
        return None
    kept = {key: value for key, value in step.items() if key not in ("at", "by_rule", "unsupplied")}
    if step["do"] in ("build", "report_loss"):
        return {**kept, "do": f"{step['do']}_by_count"}
    return step


def counted_game() -> Game:
    return Game.new("classic-1939", options=BOOKS_ALONE)


def test_the_first_years_as_books_are_those_of_the_whole_game() -> None:
    """After every order and report of 1939 to 1941, and so in every year start, each level and base is the same."""
    whole, books = Game.new("classic-1939"), counted_game()
    steps = [step for it in chapters("the-war", demo())[:3] for step in it.steps]
    years = set()
    for step in steps:
        carry_out(whole, step)
        if told := as_books(step):
            carry_out(books, told)
        assert (whole.state.moment, _levels(whole)) == (books.state.moment, _levels(books)), step
        years.add(whole.state.year)
    assert years == {1939, 1940, 1941}
    assert not any(True for _ in books.state.pieces.stacks())


def _levels(game: Game) -> dict[str, tuple[Any, Any]]:
    return {power: (game.figure(f"powers.{power}.brp"), game.figure(f"powers.{power}.base")) for power in powers()}


def test_nothing_is_asked_that_needs_a_place() -> None:
    game = counted_game()
    assert {duty.rule for duty in game.duties()} == {"mobilizations_are_made"}
    offered = {offer.command for offer in game.offers()}
    assert "build_by_count" in offered
    assert not offered & {"build", "move", "deploy", "report_units"}
    with pytest.raises(Refused) as refused:
        game.do({"do": "deploy", "by": "britain", "country": "poland"})
    assert "WC.29" in refused.value.clauses
    assert {"81.41D(1)", "82.32", "82.53", "40.221A"} <= {it.clause for it in not_judged()}


FLOWN = {"do": "grant", "power": "usa", "to": "china", "brp": 5, "by": "south africa", "through": "hump"}
#: Positions in which a question is asked, by its clause: the lines that lead there, and the line that it is about.
ASKED: dict[str, tuple[list[str], Any]] = {
    "81.31": ([], "next"),
    "81.41A": ([], "next"),
    "82.53": (["to declarations", "germany dow denmark, norway", "to set-up"], "next"),
    "82.56": (["to declarations", "germany dow denmark, norway", "to set-up"], "next"),
    "82.32": (["hungary controlled germany 5", "to movement"], "next"),
    "82.322": (["finland associated germany", "to combat"], "next"),
    "88.35": (["italy dow britain", "to combat", "italy takes Port Said"], "next"),
    "71.13": (["to allied", "britain mobilizes arm 4-5, arm 2-5, 4 inf 1-3", "to redeployment"], "next"),
    "82.34": (["hungary controlled italy 5", "to declarations"], "germany dow hungary"),
    "81.51A": (["to allied", "britain mobilizes arm 4-5, arm 2-5, 4 inf 1-3", "to declarations"], "russia dow japan"),
    "40.221A": (["to combat"], "grant britain france 5 atlantic"),
    "40.42": (
        ["to combat"],
        {"do": "sail_convoy", "power": "britain", "brp": 5},
    ),
    "40.851": (["to combat"], FLOWN),
}


@pytest.mark.parametrize("clause", ASKED)
def test_what_needs_units_is_asked_and_taken_at_the_players_word(clause: str) -> None:
    lines, line = ASKED[clause]
    game = counted_game()
    made = Entering(game).enter([*FIRST, *lines] if lines else FIRST)
    assert made.whole, made.text
    command = understood(game.state, line).command if isinstance(line, str) else as_command(line)
    asked = {it.clause: it for it in questions(game.state, command)}
    assert clause in asked, asked
    assert asked[clause].text.endswith("?")
    assert asked[clause].rule
    assert clause in {it.clause for it in not_judged()}
    if not decide(game.state, command).refusals:
        move = game.do(command)
        assert asked[clause].text in {it.text for it in words_taken(move.checked)}


def test_a_whole_table_is_asked_nothing() -> None:
    game = Game.new("classic-1939", options={"set_up": "reported"})
    assert not questions(game.state, understood(game.state, "next").command)


def test_a_line_that_comes_too_early_says_to_which_phase_it_belongs() -> None:
    game = counted_game()
    assert Entering(game).enter(FIRST).whole
    made = Entering(game).enter(["germany 15 construction"])
    assert made.refused is not None
    assert made.later == "Fall 1939, Axis, unit construction"
    made = Entering(game).enter(["britain 15 construction"])
    assert made.later == "Fall 1939, Allied, unit construction"
    assert Entering(game).enter(["to construction", "germany 15 construction"]).whole
    assert Entering(game).enter(["germany 300 construction"]).later == ""


def test_units_of_minor_countries_are_rebuilt_by_count() -> None:
    game = counted_game()
    made = Entering(game).enter([*FIRST, "to diplomatic phase", "rumania allied germany", "to construction"])
    before = game.figure("powers.germany.brp")
    made = Entering(game).enter(["rumania builds inf 1-3, aaf"])
    assert made.whole, made.text
    assert before - game.figure("powers.germany.brp") == 3
    stopped = Entering(game).enter(["rumania inf 1-3"])
    assert stopped.refused is not None
    assert "85.481A" in stopped.refused.clauses


def test_a_table_becomes_books_and_a_whole_one_again() -> None:
    game = Game.new("classic-1939", options={"set_up": "reported"})
    before = sum(it.count for it in game.state.pieces.of("germany"))
    game.do({"do": "correct", "figure": "options.forces", "to": "counted", "reason": "our own map"})
    assert sum(game.state.pieces.off("germany", BUILT).values()) == before > 20
    assert not any(True for _ in game.state.pieces.stacks())
    game.do({"do": "correct", "figure": "options.forces", "to": "none", "reason": "back to this one"})
    assert not any(game.state.pieces.off("germany", BUILT).values())


def test_books_are_written_down_and_set_up_again() -> None:
    state, _ = set_up(Position("classic-1939", options=BOOKS_ALONE))
    position = written(state).position
    again, _ = set_up(position)
    assert position.options["forces"] == "counted"
    assert not position.units
    for power in powers():
        assert again.pieces.off(power, BUILT) == state.pieces.off(power, BUILT)


def test_books_in_a_file(tmp_path: Any) -> None:
    game = create_game(str(tmp_path / "b.warcabinet"), Position("classic-1939", options=BOOKS_ALONE))
    assert game.state.options.counted
