"""The game as a library: doing, refusing, undoing, explaining, storing."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from warcabinet import Conflict, Game, Refused, WarCabinetError, create_game, open_game
from warcabinet.figures.position import Position
from warcabinet.model import calendar
from warcabinet.model.commands.economy import Spend
from warcabinet.store import export_game, import_game, ledger_csv


@pytest.fixture
def game() -> Game:
    # Mobilizations are left to reports, so that these tests go on without seeing to them.
    return Game.new(
        "classic-1939", seed=3, options={"mobilization": "reported", "set_up": "reported", "forces": "none"}
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.warcabinet"


def test_a_refusal_lists_every_clause_and_changes_nothing(game: Game):
    before = game.state.fingerprint()
    game.advance("Fall 1939, Allied, unit construction")
    there = game.state.fingerprint()
    with pytest.raises(Refused) as refused:
        game.do(Spend("china", 30, "unit construction"))
    assert set(refused.value.clauses) == {"39.11A", "39.22B", "39.22C", "39.31"}
    assert game.state.fingerprint() == there != before


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ({"do": "spend", "power": "germny", "brp": 3, "on": "other"}, "did you mean germany"),
        ({"do": "report_control", "places": ["Brusels"], "by": "germany"}, "did you mean Brussels"),
        ({"do": "spend", "power": "germany", "brp": -3, "on": "other"}, "Expected `int` >= 1"),
        ({"do": "spend", "power": "germany", "brp": "x", "on": "other"}, "Expected `int`"),
        ({"do": "spend", "power": "germany", "brp": 3, "on": "ships"}, "Invalid enum value 'ships'"),
        ({"do": "spend", "power": "germany", "brp": 3, "on": "other", "at": 1}, "unknown field `at`"),
        ({"do": "spnd", "power": "germany"}, "unknown command 'spnd'; did you mean spend"),
        ({"do": "spend", "power": "britain", "brp": 3, "on": "other"}, "WC.1: Britain moves in the allied player turn"),
        ({"do": "correct", "figure": "powers.x.brp", "to": 3, "reason": "r"}, "unknown power 'x'"),
        ({"do": "report_pool", "power": "italy", "unit": "armour 3-5", "count": 1}, "did you mean armor"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_changes(game: Game, command: dict, message: str):
    before = game.state.fingerprint(), game.seq
    with pytest.raises(WarCabinetError) as error:
        game.do(command)
    assert message in str(error.value)
    assert (game.state.fingerprint(), game.seq) == before


def test_a_stale_command_is_a_conflict(game: Game):
    seen = game.seq
    game.do(Spend("germany", 1, "other", seq_seen=seen))
    with pytest.raises(Conflict, match=f"had seen {seen} events"):
        game.do(Spend("germany", 1, "other", seq_seen=seen))


def test_undo_and_redo_restore_the_exact_state_and_leave_a_trace(game: Game):
    start = game.state.fingerprint()
    game.do(Spend("germany", 5, "other"))
    spent = game.state.fingerprint()
    game.do(Spend("germany", 6, "other"))
    game.undo()
    assert game.state.fingerprint() == spent
    game.undo()
    assert game.state.fingerprint() == start
    game.redo()
    assert game.state.fingerprint() == spent
    game.redo()
    assert game.figure("powers.germany.brp") == 139
    assert "DiceSeeded(seed=3)" in str(game.log()[0].records[0].event)
    assert [move.kind for move in game.log()] == ["start", "command", "command", "undo", "undo", "redo", "redo"]
    with pytest.raises(WarCabinetError, match="nothing to redo"):
        game.redo()


def test_a_new_command_ends_what_could_be_redone(game: Game):
    game.do(Spend("germany", 5, "other"))
    game.undo()
    game.do(Spend("germany", 7, "other"))
    with pytest.raises(WarCabinetError, match="nothing to redo"):
        game.redo()
    assert [line.amount for line in game.ledger("brp/germany")] == [150, -7]


def test_undo_takes_automatic_steps_back_with_their_command(game: Game):
    start = game.state.fingerprint()
    game.advance()
    game.advance()
    assert calendar.moment_name(game.state.moment).endswith("declarations of war")
    game.undo()
    game.undo()
    assert game.state.fingerprint() == start
    game.redo()
    assert calendar.moment_name(game.state.moment).endswith("diplomatic phase")


def test_undo_past_a_die_or_a_hand_over_needs_consent(game: Game):
    game.do({"do": "roll", "purpose": "weather"})
    with pytest.raises(WarCabinetError, match="cross a die"):
        game.undo()
    game.undo(consent=True)
    game.advance("Fall 1939, Allied")
    with pytest.raises(WarCabinetError, match="cross a hand-over"):
        game.undo()


def test_dice_are_in_the_log_and_come_from_the_seed():
    faces = []
    for _ in range(2):
        game = Game.new(seed=11)
        move = game.do({"do": "roll", "purpose": "weather"})
        faces.append(move.records[0].event.face)
    assert faces[0] == faces[1] in range(1, 7)


def test_nothing_to_undo_at_the_start(game: Game):
    with pytest.raises(WarCabinetError, match="start of the game"):
        game.undo()


def test_advance_only_goes_forward(game: Game):
    with pytest.raises(WarCabinetError, match="not ahead"):
        game.advance("Summer 1939")
    with pytest.raises(WarCabinetError, match="unknown season"):
        game.advance("Monsoon 1940")


def test_explain_goes_to_the_entries(game: Game):
    game.do(Spend("germany", 5, "other"))
    why = game.explain("level", "germany")
    assert why.value == 145
    lines = game.ledger("brp/germany")
    assert [(line.amount, line.clause) for line in lines] == [(150, "WC.8"), (-5, "39.11")]
    assert sum(line.amount for line in lines) == why.value


def test_the_referee_shows_in_every_explanation(game: Game):
    game.do({"do": "rule", "seat": "referee", "rule": "growth_rate", "args": ["italy"], "is": 20, "reason": "agreed"})
    why = game.explain("base_growth", "italy")
    assert why.value == 15
    assert any("referee: agreed" in reason.note for reason in why.because)


def test_a_correction_shows_in_every_explanation_that_reads_the_figure(game: Game):
    game.do({"do": "correct", "figure": "tracks.rgt", "to": 12, "reason": "miscounted"})
    assert "set by the referee: miscounted" in str(game.explain("growth_rate", "russia"))
    game.do({"do": "report_track", "track": "rgt", "level": 13})
    assert "miscounted" not in str(game.explain("growth_rate", "russia"))
    game.do({"do": "correct", "figure": "control.London", "to": "germany", "reason": "forgotten"})
    assert "set by the referee: forgotten" in str(game.explain("deficit_limit", "britain"))
    game.do({"do": "correct", "figure": "powers.italy.brp", "to": 70, "reason": "typing error"})
    assert game.ledger("brp/italy")[-1].memo == "correction: typing error"


def test_a_game_in_a_file_is_there_again(file: Path):
    game = create_game(
        file, Position("classic-1939", options={"mobilization": "reported", "set_up": "reported"}), seed=5
    )
    game.do(Spend("germany", 5, "other"))
    game.advance("Winter 1939")
    again = open_game(file)
    assert again.state == game.state
    assert again.seq == game.seq
    assert again.verify() == []
    assert again.redecide() == []
    again.undo(consent=True)
    assert open_game(file).state.fingerprint() == again.state.fingerprint()


def test_two_writers_do_not_overwrite_each_other(file: Path):
    one = create_game(file)
    other = open_game(file)
    one.do(Spend("germany", 5, "other"))
    with pytest.raises(Conflict, match="load it again"):
        other.do(Spend("germany", 6, "other"))
    assert open_game(file).figure("powers.germany.brp") == 145


def test_a_file_that_is_there_is_not_overwritten(file: Path):
    file.write_text("precious")
    with pytest.raises(WarCabinetError, match="exists already"):
        create_game(file)
    assert file.read_text() == "precious"


def test_a_position_that_cannot_be_set_up_leaves_no_file(file: Path):
    with pytest.raises(WarCabinetError):
        create_game(file, Position(set={"powers.germany.bse": 1}))
    assert not file.exists()


def _truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:6000])


def _foreign(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("create table songs (name text)")


def _text(file: Path) -> None:
    file.write_text("hello")


def _other_format(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("update meta set value = 'warcabinet-99' where key = 'format'")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_truncated, "cut short"),
        (_foreign, "not a War Cabinet game"),
        (_text, "not an SQLite file"),
        (_other_format, "warcabinet-99; this version reads warcabinet-1"),
    ],
)
def test_a_broken_save_is_refused_with_what_is_wrong(file: Path, damage, message: str):
    create_game(file).journal.close()
    damage(file)
    before = file.read_bytes()
    with pytest.raises(WarCabinetError, match=message):
        open_game(file)
    assert file.read_bytes() == before


def test_verify_finds_a_changed_event(file: Path):
    game = create_game(file)
    game.do(Spend("germany", 5, "other"))
    game.journal.close()
    with sqlite3.connect(file) as db:
        (records,) = db.execute("select records from moves where id = 2").fetchone()
        db.execute("update moves set records = ? where id = 2", (records.replace(b"-5", b"-4"),))
    faults = open_game(file).verify()
    assert any("sum to 1, not zero" in fault for fault in faults)


@pytest.mark.parametrize(
    "change",
    [
        "update moves set records = replace(replace(records, '-5', '-4'), ':5}', ':4}') where id = 2",
        "update moves set records = replace(records, '\"face\":4', '\"face\":6') where id = 3",
        "update moves set command = replace(command, 'germany', 'britain') where id = 2",
        "update moves set seat = 'italy' where id = 2",
        "update moves set checked = '[]' where id = 2",
    ],
)
def test_verify_finds_what_still_adds_up(file: Path, change: str):
    """A posting changed on both sides, a die, an author: no sum betrays them, but the move's mark does."""
    game = create_game(file)
    game.do(Spend("germany", 5, "other"))
    game.do({"do": "roll", "purpose": "weather"}, dice=[4])
    assert game.verify() == []
    game.journal.close()
    with sqlite3.connect(file) as db:
        before = list(db.execute("select * from moves"))
        db.execute(change)
        assert list(db.execute("select * from moves")) != before
    faults = open_game(file).verify()
    assert any("was changed after it was written" in fault for fault in faults)


def test_a_kill_in_the_middle_loses_nothing_acknowledged(file: Path):
    create_game(file)
    script = (
        "import sys, os\n"
        "from warcabinet import open_game\n"
        f"game = open_game({str(file)!r})\n"
        "n = 0\n"
        "while True:\n"
        "    game.do({'do': 'report_brp', 'power': 'germany', 'brp': 1, 'cause': 'other'})\n"
        "    n += 1\n"
        "    print(n, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    acknowledged = 0
    for line in process.stdout:
        acknowledged = int(line)
        if acknowledged == 25:
            process.kill()
            break
    acknowledged += len(process.stdout.readlines())
    process.wait()
    game = open_game(file)
    assert game.verify() == []
    assert 150 + acknowledged <= game.figure("powers.germany.brp") <= 151 + acknowledged


def test_export_and_import_give_the_same_game(file: Path, tmp_path: Path):
    game = create_game(
        file, Position("classic-1939", options={"mobilization": "reported", "set_up": "reported"}), seed=9
    )
    game.do(Spend("germany", 5, "other"))
    game.undo()
    game.advance("1940 year start")
    lines = list(export_game(game))
    copy = import_game(lines, tmp_path / "copy.warcabinet")
    assert copy.state == game.state
    assert list(export_game(copy))[1:] == lines[1:]
    assert copy.verify() == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], "empty"),
        (lambda lines: ["{}"], "line 1"),
        (lambda lines: [lines[0].replace("warcabinet-3", "chess-1"), *lines[1:]], "chess-1"),
        (lambda lines: [lines[0], lines[2], lines[2], lines[-1]], "move 2 where move 1 should stand"),
        (lambda lines: [*lines[:2], lines[2][:40], lines[-1]], "line 3"),
        (lambda lines: lines[:2], "cut short"),
        (lambda lines: [*lines[:2], lines[-1]], "2 moves were written, but 1 are there"),
    ],
)
def test_a_bad_import_says_where_and_writes_nothing(tmp_path: Path, change, message: str):
    game = Game.new()
    game.do(Spend("germany", 5, "other"))
    target = tmp_path / "new.warcabinet"
    with pytest.raises(WarCabinetError, match=message):
        import_game(change(list(export_game(game))), target)
    assert not target.exists()


def test_the_ledger_as_csv_ends_in_the_balances(game: Game):
    game.do(Spend("germany", 5, "other"))
    rows = [line.split(",") for line in ledger_csv(game).splitlines()]
    assert [row[-1] for row in rows if row[-3] == "brp/germany"][-1] == "145"


def test_offers_are_narrowed_by_the_limits_that_refuse(game: Game):
    offer = game.narrow("spend", power="italy")
    assert (offer.fields["brp"].most, offer.fields["brp"].by) == (75, ("39.22B", "39.22C"))
    assert not game.narrow("spend", power="britain").available
    with pytest.raises(WarCabinetError, match="field of spend"):
        game.narrow("spend", pwer="italy")


def test_forecast_is_the_year_start_itself(game: Game):
    game.advance("Winter 1939, Allied, end of player turn")
    total = next(row for row in game.forecast().rows if row.rule == "year_total")
    game.advance("1940 year start")
    assert {power: why.value for power, why in total.cells.items()} == {
        power: game.figure(f"powers.{power}.brp") for power in total.cells
    }


def test_a_mid_war_position_can_be_entered():
    position = Position(
        "classic-1939",
        turn="Summer 1942",
        player="allied",
        phase="unit construction",
        set={"powers.usa.base": 400, "control": {"japan": ["Singapore"]}},
    )
    game = Game.new()
    from warcabinet.game import new_game
    from warcabinet.game.journal import MemoryJournal

    game = new_game(position, MemoryJournal())
    assert calendar.moment_name(game.state.moment) == "Summer 1942, Allied, unit construction"
    assert game.figure("powers.usa.construction_limit") == 133


def test_what_waits_for_nothing_is_not_offered():
    """Orders that need something to work on say so before anyone fills in a form."""
    game = Game.new()
    bare = Game.new("empty")
    closed = {offer.command: offer.refusals[-1].clause for offer in bare.offers("britain") if offer.refusals}
    assert closed["displace"] == "82.56"
    assert closed["move"] == "84.45C"
    assert closed["release"] == "WC.4"
    assert "poland" in game.narrow("deploy").fields["country"].among
    assert "belgium" not in game.narrow("deploy").fields["country"].among
    game.do({"do": "rule", "rule": "growth_rate", "args": ["italy"], "is": 10, "reason": "agreed"})
    assert game.narrow("release").fields["rule"].among == ("growth_rate",)
