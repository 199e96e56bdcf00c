"""A table that keeps the books alone: nothing asks where a counter stands, and its books are the whole game's."""

from __future__ import annotations

from typing import Any

import pytest

from warcabinet.figures.position import BOOKS_ALONE, Position, set_up
from warcabinet.figures.written import written
from warcabinet.game import Game, Refused
from warcabinet.game.demo import carry_out, chapters, demo
from warcabinet.house.books_alone import OF_COUNTERS, not_judged
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers
from warcabinet.model.pieces import BUILT
from warcabinet.store import create_game

#: What is told of counters, and not entered where only the books are kept.
COUNTERS = {name_of(kind) for kind in OF_COUNTERS} - {"build", "report_loss"}


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
    assert {"81.43", "82.32", "82.53", "40.221A"} <= {it.clause for it in not_judged()}


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
