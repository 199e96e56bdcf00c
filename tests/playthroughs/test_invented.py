"""Two invented campaigns from their first turn to the end: plans without anything uncertain but dice, by a fixed seed.

They go where the demonstration does not: a Commonwealth that surrenders, Japan at war with Russia, countries that
change sides and change them back, a Britain in deficit; and a start in Summer 1938 with other options and readings.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from warcabinet.figures.table import read
from warcabinet.game import Game, new_game
from warcabinet.game.journal import MemoryJournal, unbalanced
from warcabinet.model.accounts import Annual
from warcabinet.model.commands import name_of
from warcabinet.model.names import powers
from warcabinet.model.state import State
from warcabinet.plans.acting import Broken
from warcabinet.plans.form import read_plan
from warcabinet.plans.one import open_future

FOLDER = Path(__file__).parent / "campaigns"
NAMES = ("the-other-war", "a-year-earlier")
FIGURES: dict[str, dict[int, dict[str, dict[str, Any]]]] = yaml.safe_load(
    (FOLDER / "figures.yml").read_text(encoding="utf-8")
)
SEED = 1939


class Played(NamedTuple):
    """A campaign to its end: the game, what was refused, and every year as it opened and as it closed."""

    game: Game
    broken: list[Broken]
    opened: dict[int, State]
    closed: dict[int, State]


@cache
def played(name: str) -> Played:
    program = read_plan(FOLDER / f"{name}.yaml")
    game = new_game(program.position(), MemoryJournal())
    broken = open_future(program, SEED, 0, game)
    opened: dict[int, State] = {}
    closed: dict[int, State] = {}
    before = game.journal.state_at(game.log()[0].id)
    for move in game.log():
        state = game.journal.state_at(move.id)
        if state.year != before.year:
            opened[state.year], closed[before.year] = state, before
        before = state
    return Played(game, broken, opened, closed)


def books(state: State, power: str) -> dict[str, int]:
    return {it.area: brp for it, brp in state.ledger.of("annual", power).items() if isinstance(it, Annual)}


def level(state: State, power: str) -> int:
    found = read(state, f"powers.{power}.brp")
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_it_is_played_to_the_end(name: str) -> None:
    """By orders and reports alone: nothing is refused, nothing stuck, nothing corrected."""
    game, broken, opened, _ = played(name)
    assert broken == []
    assert max(opened) == game.state.year == 1946
    given = {name_of(move.command) for move in game.log() if move.command is not None}
    assert not given & {"correct", "rule", "release"}


@pytest.mark.parametrize("name", NAMES)
def test_points_and_pieces_balance_after_every_move(name: str) -> None:
    game = played(name).game
    assert [move.id for move in game.log() if unbalanced(game.journal.state_at(move.id))] == []


@pytest.mark.parametrize("name", NAMES)
def test_it_verifies_and_is_decided_again_alike(name: str) -> None:
    game = played(name).game
    assert game.verify() == []
    assert game.redecide() == []


@pytest.mark.parametrize(("name", "year"), [(name, year) for name in NAMES for year in FIGURES[name]])
def test_every_year_opens_as_pinned(name: str, year: int) -> None:
    state, pinned = played(name).opened[year], FIGURES[name][year]
    assert {it: [read(state, f"powers.{it}.base"), level(state, it)] for it in powers()} == pinned["powers"]
    standing = {it: state.countries[it] for it in pinned["countries"]}
    assert {it: f"{at.status} {at.by}".strip() for it, at in standing.items()} == pinned["countries"]
    assert {it: read(state, f"control.{it}") for it in pinned["control"]} == pinned["control"]


# -- Some of those figures, reckoned by hand from the text -------------------------------------------------------------


def test_the_german_base_is_bound_to_conquests() -> None:
    """Over the original base every point takes two points of conquests and minor countries (35.33A, 35.42)."""
    of = {year: state for year, state in played("the-other-war").opened.items() if 1942 <= year <= 1945}
    # Poland 20, Belgium 15, Luxembourg 5, Netherlands 10, Sweden 15, Turkey 20, Spain 30, the Ukraine 10, Paris 20.
    assert sum(books(of[1942], "germany").values()) == 145
    assert read(of[1942], "powers.germany.base") == 150 + 145 // 2
    assert level(of[1942], "germany") == 222 + 145
    # Without Turkey and Spain 95 are left, without the Ukraine and Paris 65: the base goes down with them.
    assert [read(of[year], "powers.germany.base") for year in (1944, 1945)] == [150 + 95 // 2, 150 + 65 // 2]
    # From an original base of 140 the twenty BRPs of Poland allow ten.
    assert read(played("a-year-earlier").opened[1939], "powers.germany.base") == 140 + 20 // 2


def test_britain_opens_a_year_in_deficit() -> None:
    """Of a deficit the growth rate's share comes off the base, the rest off the year's total (35.35, 35.5)."""
    _, _, opened, closed = played("the-other-war")
    # Australia and India took ten each off the base as they surrendered (71.51, 72.51E).
    assert read(opened[1942], "powers.britain.base") == 157
    assert (read(closed[1942], "powers.britain.base"), level(closed[1942], "britain")) == (157 - 10 - 10, -20)
    assert read(closed[1942], "powers.britain.growth_rate") == 40
    # 40 % of 20 are 8; Egypt, Palestine, Hong Kong and Borneo bring 25, the other 12 are still owed.
    assert read(opened[1943], "powers.britain.base") == 137 - 8
    assert level(opened[1943], "britain") == 129 + 25 - 12


def test_both_commonwealth_countries_surrender() -> None:
    """Australia of its own will (71.431), India to an army beside its box (72.43); each is a conquest worth ten."""
    game, _, opened, _ = played("the-other-war")
    assert {it: books(opened[1943], "japan")[it] for it in ("australia", "india")} == {"australia": 10, "india": 10}
    ordered = [move.command for move in game.log() if move.command and name_of(move.command) == "surrender_voluntarily"]
    assert len(ordered) == 1
    assert [game.state.countries[it].clause for it in ("australia", "india")] == ["71.431", "72.43"]


def test_spain_takes_every_side() -> None:
    """Allied by a 10, over to the U.S. by a -3, back by a 9, and conquered with Madrid and Tangier (85.53, 83.13)."""
    game = played("the-other-war").game
    standings = [game.journal.state_at(move.id).countries["spain"] for move in game.log()]
    turns = [it for it, before in zip(standings[1:], standings, strict=False) if it != before]
    assert [(it.status, it.by) for it in turns] == [
        ("allied", "germany"),
        ("allied", "usa"),
        ("associated", "germany"),
        ("conquered", "usa"),
    ]


def test_war_between_japan_and_russia_brings_communist_china_in() -> None:
    """Communist China is Russia's ally from that war on (85.61); Vladivostok is worth its ten to whoever took it."""
    state = played("the-other-war").opened[1942]
    assert (state.countries["communist_china"].status, state.countries["communist_china"].by) == ("allied", "russia")
    assert (books(state, "japan")["vladivostok"], books(state, "russia")["vladivostok"]) == (10, -10)


def test_the_prequel_start_pays_by_its_readings() -> None:
    """Asian colonies count from the first year on, the Philippines not before they are paid for (R-0082, R-0015)."""
    game = played("a-year-earlier").game
    first = game.journal.state_at(game.log()[0].id)
    assert level(first, "britain") == 110 + 5 + 5 + 40
    assert level(first, "usa") == 150
    assert first.readings["R-0015"] == "b"
    # Poland outlasts Summer 1938 and brings three quarters of its 20 (82.81, 84.48A); half of them are lost in Fall.
    # A growth of 10 % of the 175 left over, above a base of 120 after the mobilization; fifty from colonies.
    opened, closed = played("a-year-earlier").opened[1939], played("a-year-earlier").closed[1938]
    assert level(closed, "britain") == 170 + 15 - 10
    assert (read(opened, "powers.britain.base"), level(opened, "britain")) == (120 + 17, 137 + 50)
