"""The chronicle of a game: figures that add up, sentences of what happened, nothing undone, no markup let in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from warcabinet.board import palette
from warcabinet.cli.main import cli
from warcabinet.figures.position import Position
from warcabinet.game import Game, new_game
from warcabinet.game.journal import MemoryJournal
from warcabinet.model.accounts import Brp
from warcabinet.model.ledger import balance
from warcabinet.store import create_game
from warcabinet.views.chronicle import chronicle_page
from warcabinet.views.chronicle.accounts import Books
from warcabinet.views.chronicle.story import seasons
from warcabinet.views.words import place_name

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


def norway(game: Game) -> Game:
    """Germany attacks Norway and takes its capital; the referee corrects a figure."""
    game.do({"do": "declare_war", "power": "germany", "on": ["norway"]})
    game.advance("set-up")
    game.do({"do": "deploy", "by": "britain", "country": "norway"})
    game.advance("Spring 1940, Axis, combat")
    game.do({"do": "spend", "power": "germany", "brp": 15, "on": "offensive operations", "note": HOSTILE})
    game.do({"do": "report_control", "places": ["Oslo"], "by": "germany"})
    game.advance("Spring 1940, Axis, end of player turn")
    game.do({"do": "correct", "figure": "powers.italy.brp", "to": 33, "reason": HOSTILE, "seat": "referee"})
    game.do({"do": "spend", "power": "germany", "brp": 1, "on": "other", "note": "taken back again"})
    game.undo()
    return game


def start() -> Position:
    given = {"powers.germany.brp": 50, "powers.italy.brp": 20}
    return Position(
        "classic-1939",
        turn="Spring 1940",
        player="axis",
        phase="declarations of war",
        set=given,
        options={"forces": "none"},
    )


@pytest.fixture
def game() -> Game:
    return norway(new_game(start(), MemoryJournal()))


def test_rows_add_up_to_what_each_power_has(game: Game) -> None:
    told = seasons(game, Books(game))
    assert [it.title for it in told] == ["Spring 1940"]
    for row in told[0].rows:
        assert row.start + sum(row.moved) == row.end == balance(game.state.ledger, Brp(row.power))
    germany = told[0].rows[0]
    assert (germany.start, germany.moved) == (50, (0, 0, -10, -15, 0, 0))


def test_it_tells_wars_conquests_places_and_the_referee(game: Game) -> None:
    season = seasons(game, Books(game))[0]
    told = [it.text for part in season.parts for it in part.sentences]
    assert "Germany declared war on Norway." in told
    assert any(text.startswith("Germany took Oslo") for text in told)
    assert any(text.startswith("Norway fell to Germany [") for text in told)
    assert season.headline == "Norway fell to Germany"
    assert ("europe/G28", "germany") in season.taken or any("Oslo" in text for text in told)
    assert [(it.text, it.reason) for it in season.interventions] == [("set Italy: BRP level to 33", HOSTILE)]


def test_what_was_undone_is_counted_not_told(game: Game) -> None:
    page = chronicle_page(game, "A game")
    assert "taken back again" not in page
    assert "1 taken back and not told" in page


@pytest.mark.parametrize("short", [False, True])
def test_names_and_notes_cannot_smuggle_markup(game: Game, short: bool) -> None:
    page = chronicle_page(game, HOSTILE, short)
    assert "<script" not in page
    assert "<img" not in page
    assert page.count("&lt;script&gt;") >= 3


def test_it_needs_nothing_from_elsewhere(game: Game) -> None:
    page = chronicle_page(game, "A game")
    assert re.findall(r'(?:src|href)="(?!#)[^"]*"', page) == []
    assert re.findall(r"url\((?!#)[^)]*\)", page) == []
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page


def test_its_maps_have_the_ground_of_the_table(game: Game) -> None:
    """Grid, waterlines, bands and fronts are drawn, and no two maps are cut by one name."""
    page = chronicle_page(game, "A game")
    colours = palette.tokens("light")
    assert all(colours[name] in page for name in ("waterline-3", "grid-sea", "grid-land"))
    names = re.findall(r'<clipPath id="([^"]*)"', page)
    assert names
    assert len(names) == len(set(names))
    assert set(re.findall(r"url\(#([^)]*)\)", page)) <= set(re.findall(r' id="([^"]*)"', page))


def test_a_short_report_has_the_end_and_not_every_season(game: Game) -> None:
    full, short = chronicle_page(game, "A game"), chronicle_page(game, "A game", short=True)
    assert 'id="turn-' in full
    assert 'id="turn-' not in short
    assert "Norway fell to Germany" in short
    assert short.count('class="map"') == 2


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    place, out = tmp_path / "a.warcabinet", tmp_path / "a.html"
    norway(create_game(str(place), start()))
    done = CliRunner().invoke(cli, ["chronicle", "-g", str(place), "-o", str(out), "--short"])
    assert done.exit_code == 0, done.output
    assert "Norway fell to Germany" in out.read_text(encoding="utf-8")


def test_a_game_that_has_just_begun_has_a_chronicle() -> None:
    page = chronicle_page(new_game(Position("classic-1939"), MemoryJournal()), "Just begun")
    assert "Nothing was ordered" in page
    assert "None was thrown." in page


def test_a_refusal_overruled_is_told_with_its_clause_who_and_why() -> None:
    """Sweden is neutral: its hexes are nobody's to take (82.41), unless a rule outside the documents allows it."""
    position = start()
    position.options["declarations"] = "ordered"
    game = new_game(position, MemoryJournal())
    game.advance("Spring 1940, Axis, combat")
    taking = {"do": "report_control", "places": ["Stockholm"], "by": "germany"}
    refused = game.decide(taking).refusals
    assert refused
    game.do({**taking, "by_rule": "a border war", "seat": "axis"})
    told = seasons(game, Books(game))[0].interventions[-1]
    assert told.clauses == tuple(dict.fromkeys(it.clause for it in refused))
    assert (told.seat, told.reason) == ("axis", "Allowed by a border war.")
    assert "Stockholm" in told.text
    assert refused[0].text.partition(";")[0] in told.text


def test_marches_into_what_was_taken_are_arrows_and_units_are_counters() -> None:
    """A corps that is reported to have gone from Berlin to Oslo is drawn on the way and where it stands."""
    position = start()
    position.set["units.germany.Berlin.infantry 3-3"] = 2
    game = new_game(position, MemoryJournal())
    game.do({"do": "declare_war", "power": "germany", "on": ["norway"]})
    game.advance("set-up")
    game.do({"do": "deploy", "by": "britain", "country": "norway"})
    game.advance("Spring 1940, Axis, movement")
    assault = {"do": "report_move", "power": "germany", "units": ["2 infantry 3-3"], "origin": "Berlin", "to": "Oslo"}
    game.do({**assault, "by_rule": "an assault"})
    game.do({"do": "report_control", "places": ["Oslo"], "by": "germany"})
    season = seasons(game, Books(game))[0]
    (oslo,) = (key for key, _ in season.taken if "Oslo" in place_name(key))
    (march,) = season.marches[oslo]
    assert (march.nation, march.count, march.left, place_name(march.origin).startswith("Berlin")) == (
        "germany",
        2,
        False,
        True,
    )
    page = chronicle_page(game, "A game")
    assert page.count("<polygon") == 1
    assert '#unit-infantry"' in page
    assert ">3-3</text>" in page


def test_a_result_that_comes_back_with_a_negated_activation_is_told_as_one() -> None:
    given = {
        "countries.finland": {"status": "independent"},
        "results.finland": "5-6",
        "wars": [{"between": ["russia", "finland"], "since": "Winter 1940", "declared_by": "russia"}],
    }
    options = {"set_up": "reported", "forces": "none"}
    at = Position(
        "classic-1939", turn="Spring 1941", player="axis", phase="diplomatic phase", set=given, options=options
    )
    game = new_game(at, MemoryJournal())
    game.do({"do": "report_result", "country": "finland", "result": 10})
    game.advance("Spring 1941, Axis, voluntary elimination")
    (told,) = seasons(game, Books(game))
    lines = [it.text for part in told.parts for it in part.sentences if "Diplomatic result" in it.text]
    assert len(lines) == 2
    assert "again" not in lines[0]
    assert lines[1].startswith("Diplomatic result for Finland: 5-6, again")
