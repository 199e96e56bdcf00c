"""Games of release 0.1.0 go on: they load, verify, can be taken back and played further."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from warcabinet.cli.main import cli
from warcabinet.conformance.cases import read_cases
from warcabinet.figures.position import Position, set_up
from warcabinet.figures.written import written
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.agenda import Arrival, Caught, Deferment, Joined, OfArea
from warcabinet.model.calendar import parse_turn
from warcabinet.model.commands import name_of
from warcabinet.model.rulings import lapsed_readings
from warcabinet.rules.common.moments import reading_in_force
from warcabinet.store import create_game, export_game, import_game, open_game
from warcabinet.views.words import event_text

#: Commands that tell a table of a reading that is no longer to choose.
SAYING_IT = ("status", "verify")
FIXTURES = Path(__file__).parents[2] / "fixtures"
AS_IT_STOOD = {
    "powers.germany.brp": 71,
    "powers.italy.brp": 40,
    "units.germany.Berlin.infantry 3-3": 2,
    "units.italy.Tobruk.infantry 2-3": 1,
    "pool.germany.infantry 3-3": 3,
    "pool.germany.armor 4-6": 2,
    "pool.russia.infantry 1-3": 2,
    "turn_track.japan.Spring 1942.infantry 1-2": 15,
    "deferred.japan": 10,
    "shipbuilding.japan": 2,
    "powers.italy.growth_rate": 20,  # as the referee ruled
}


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return Path(shutil.copy(FIXTURES / "game-0.1.0.warcabinet", tmp_path / "old.warcabinet"))


def test_an_old_save_stands_as_it_stood(save: Path) -> None:
    game = open_game(save)
    assert {path: game.figure(path) for path in AS_IT_STOOD} == AS_IT_STOOD
    assert [it.of for it in game.state.agenda] == [
        Deferment(parse_turn("Winter 1940"), "earlier"),
        Caught("norway", "axis"),
        OfArea("yugoslavia", retaken=True),
        Arrival(parse_turn("Spring 1942")),
        Deferment(parse_turn("Fall 1941"), "1"),
        OfArea("finland"),
        Joined("finland", "independent", "", 0, 10),
    ]


def test_an_old_save_verifies_and_is_judged_today_as_it_was(save: Path) -> None:
    game = open_game(save)
    assert game.verify() == []
    # What later rules add is all that is told anew: a sum that was settled is remembered for what is reported late
    # (35.72), at a tension of 20 the first Flying Tigers come (78.61), and a country that joins must place its units
    # before play goes on (84.45A). Units that must leave Norway in this player turn are supplied in it alone (82.33).
    assert game.redecide() == [
        "move 14 (report_result): today it would lead to other events",
        "move 15 (advance): today it would lead to other events",
        "move 26 (advance): today it would lead to other events",
        "move 51 (report_track): today it would lead to other events",
        "move 54 (report_result): today it would lead to other events",
    ]
    told = [event_text(record.event) for move in game.log() for record in move.records]
    built = "Germany, 2 infantry 3-3 from the force pool to Berlin (L31): built"
    assert built in told


def test_looking_at_an_old_save_leaves_it_as_it_is(save: Path) -> None:
    before = save.read_bytes()
    game = open_game(save)
    game.verify()
    game.agenda()
    assert save.read_bytes() == before


def test_an_old_save_is_taken_back_and_played_on(save: Path) -> None:
    game = open_game(save)
    stood = game.state.fingerprint()
    game.undo()
    assert open_game(save).figure("powers.germany.brp") == 73
    open_game(save).redo()
    game = open_game(save)
    assert game.state.fingerprint() == stood
    # What 0.1.0 promised falls due: Finland's activation is negated, Yugoslavia pays Italy, units enter the pool.
    game.advance("Fall 1941, Axis, voluntary elimination")
    assert game.figure("countries.finland.status") == "independent"
    assert (game.figure("powers.germany.brp"), game.figure("powers.italy.brp")) == (71, 47)
    game.advance("Spring 1942, Allied, start of player turn")
    assert (game.figure("pool.japan.infantry 1-2"), game.figure("deferred.japan")) == (19, 5)
    again = open_game(save)
    assert again.state.fingerprint() == game.state.fingerprint()
    assert again.verify() == []


def test_old_states_are_reached_though_their_snapshots_are_not_read(save: Path) -> None:
    with sqlite3.connect(save) as db:
        assert db.execute("select count(*) from snapshots").fetchone() > (1,)
    game = open_game(save)
    game.do({"do": "report_track", "track": "usjt", "level": 21})
    with sqlite3.connect(save) as db:
        assert [row[0] for row in db.execute("select move from snapshots")] == [56]
    assert open_game(save).journal.state_at(2).fingerprint() == game.journal.state_at(2).fingerprint()


def test_an_old_move_that_was_changed_is_noticed(save: Path) -> None:
    with sqlite3.connect(save) as db:
        db.execute("update moves set seat = 'someone' where id = 7")
    assert open_game(save).verify() == ["move 7: it, or one before it, was changed after it was written"]


def test_an_old_export_is_read(save: Path, tmp_path: Path) -> None:
    lines = (FIXTURES / "game-0.1.0.jsonl").read_text(encoding="utf-8").splitlines()
    game = import_game(lines, tmp_path / "imported.warcabinet")
    assert game.verify() == []
    assert game.state.fingerprint() == open_game(save).state.fingerprint()
    assert list(export_game(game))[1:] == list(export_game(open_game(save)))[1:]


def test_a_format_to_come_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "new.warcabinet"
    create_game(place)
    with sqlite3.connect(place) as db:
        db.execute("update meta set value = 'warcabinet-9' where key = 'format'")
    with pytest.raises(WarCabinetError, match="has the format warcabinet-9"):
        open_game(place)


@pytest.mark.parametrize("kind", ["warcabinet", "jsonl"])
def test_partisans_raised_under_the_old_name_are_read_and_judged_today_as_they_were(tmp_path: Path, kind: str) -> None:
    """Until 0.2.0 partisans of Moslem Unrest were raised by an order of their own."""
    fixture = FIXTURES / f"partisans-0.2.0.{kind}"
    save = tmp_path / "partisans.warcabinet"
    if kind == "warcabinet":
        shutil.copy(fixture, save)
    else:
        import_game(fixture.read_text().splitlines(), save)
    game = open_game(save)
    assert b"raise_partisans" in fixture.read_bytes()
    assert game.verify() == []
    assert game.redecide() == []
    assert [name_of(it.command) for it in game.log() if it.command is not None].count("build_partisan") == 3
    assert game.figure("units.germany.Cairo.partisan") == 1
    game.redo()
    assert game.figure("units.germany.Tehran.partisan") == 1


def test_the_old_name_is_taken_and_nowhere_offered(tmp_path: Path) -> None:
    game = open_game(Path(shutil.copy(FIXTURES / "partisans-0.2.0.warcabinet", tmp_path / "old.warcabinet")))
    given = {"do": "raise_partisans", "partisans": "persian", "at": "Tehran"}
    move = game.do(given)
    assert move.command is not None
    assert name_of(move.command) == "build_partisan"
    assert "raise_partisans" not in {offer.command for offer in game.offers()}
    assert game.narrow("raise_partisans", at="Cairo").command == "build_partisan"


def test_indian_partisans_raised_under_the_old_name_are_japans_as_they_were(tmp_path: Path) -> None:
    """Until 0.2.0 Indian partisans were raised by an order of their own, which meant Japan where it named nobody."""
    lines = (FIXTURES / "indian-partisans-0.2.0.jsonl").read_text(encoding="utf-8").splitlines()
    assert '"raise_indian_partisan"' in "".join(lines)
    game = import_game(lines, tmp_path / "partisans.warcabinet")
    assert game.verify() == []
    assert game.redecide() == []
    assert [name_of(it.command) for it in game.log() if it.command is not None].count("build_partisan") == 2
    assert (game.figure("units.japan.Dacca.partisan"), game.figure("units.japan.Calcutta.partisan")) == (1, 1)
    game.advance("Winter 1942, Axis, unit construction")
    with pytest.raises(WarCabinetError, match="no Indian partisan is left"):
        game.do({"do": "raise_indian_partisan", "at": "Calcutta"})


def test_a_game_whose_reading_is_no_longer_to_choose_goes_on_and_says_so(tmp_path: Path) -> None:
    """Of the five readings that this table chose at its start and later, two are fixed the other way now."""
    game = import_game((FIXTURES / "readings-0.2.0.jsonl").read_text().splitlines(), tmp_path / "old.warcabinet")
    assert game.verify() == []
    assert lapsed_readings(game.state.readings) == [
        "R-0044: reading a is no longer to choose; reading b holds: With the other hexes, after redeployment",
        "R-0862: reading b is no longer to choose; reading a holds: No: zero is the lowest level of a tension",
    ]
    assert [reading_in_force(game.state, it) for it in ("R-0044", "R-0862", "R-0002", "R-0015")] == ["b", "a", "b", "b"]
    assert game.redecide() == ["move 2 (choose_reading): today refused by WC.6"]
    assert written(game.state).position.readings == {"R-0002": "b", "R-0015": "b", "R-0035": "b"}
    before = game.head.id
    game.advance()
    assert game.head.id > before
    shown = [CliRunner().invoke(cli, [word, "-g", str(tmp_path / "old.warcabinet")]).output for word in SAYING_IT]
    assert all("R-0044: reading a is no longer to choose; reading b holds" in " ".join(it.split()) for it in shown)


def test_no_position_or_case_is_played_by_a_reading_that_is_fixed(tmp_path: Path) -> None:
    told = "R-0044: reading a is no longer to choose; reading b holds: With the other hexes, after redeployment"
    with pytest.raises(WarCabinetError, match=told):
        set_up(Position("classic-1939", readings={"R-0044": "a"}))
    (tmp_path / "case.yaml").write_text(
        "- {id: 83.22A/1, title: t, clauses: ['83.22A'], disputed: R-0044, then_by_reading: {a: {tracks.usat: 0}}}"
    )
    with pytest.raises(WarCabinetError, match=told):
        read_cases(tmp_path / "case.yaml")
