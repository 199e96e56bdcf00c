"""The board on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from warcabinet.board import control
from warcabinet.cli.board import board, changed, game_position, render_board, scenario_control
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.store import create_game


def run(*args: str, code: int = 0) -> str:
    outcome = CliRunner().invoke(board, args)
    assert outcome.exit_code == code, outcome.output
    return outcome.output


def test_check_prints_a_line_each_and_the_sum_last() -> None:
    lines = run("check").splitlines()
    assert lines[-1] == f"{len(lines) - 1} passed, 0 failed"
    found = json.loads(run("check", "--json", "-k", "83.12"))
    assert found["failed"] == 0
    assert found["passed"] == len(found["checks"]) == 3


def test_check_fails_when_a_constraint_does(monkeypatch: pytest.MonkeyPatch) -> None:
    from warcabinet.board import checks

    monkeypatch.setattr(checks, "run_all", lambda: [checks.Outcome("1.1", "broken", ("this",))])
    assert run("check", code=1).splitlines()[-1] == "0 passed, 1 failed"


def test_hex_shows_both_boards_when_both_have_it() -> None:
    found = json.loads(run("hex", "Z8", "--json"))
    assert [(h["hex"], h["country"]) for h in found] == [("europe/Z8", "spain"), ("pacific/Z8", "")]
    assert "73.41" in run("hex", "Z8", "--board", "europe")


def test_find() -> None:
    found = json.loads(run("find", "rangoon", "--json"))
    assert (found["hex"], found["country"]) == ("pacific/W12", "burma")
    assert "capital of burma" in found["roles"]
    assert json.loads(run("find", "India", "box", "--json"))["what"] == "box"


def test_path_or_what_cuts_it() -> None:
    found = json.loads(run("path", "Izmir", "Eastern edge in Russia", "--in", "turkey,russia", "--json"))
    assert found["found"]
    assert found["path"][0] == "DD30"
    cut = json.loads(run("path", "Berlin", "Moscow", "--held", "germany,russia", "--json", code=1))
    assert cut["cut"] == ["Q34", "Q35"]
    assert "no land" in run("path", "London", "Paris", code=1)


def test_render_with_changed_control(tmp_path: Path) -> None:
    changes = tmp_path / "changes.yaml"
    changes.write_text("germany: [Poland, Paris, 'europe:K26']\n")
    now = changed(scenario_control("classic-1939"), changes)
    assert now["europe/M35"] == now["europe/N23"] == now["europe/K26"] == "germany"
    assert control.fall_1939()["europe/M35"] == "poland"
    out = tmp_path / "map.svg"
    run("render", "--board", "europe", "-o", str(out), "--control", str(changes), "--title", "Winter 1939")
    assert "held by Germany" in out.read_text()


def test_wrong_files_are_refused_with_what_would_be_right(tmp_path: Path) -> None:
    with pytest.raises(WarCabinetError, match=r"\.svg or \.png"):
        render_board("europe", control.fall_1939(), tmp_path / "map.jpg")
    with pytest.raises(WarCabinetError, match="classic-1939"):
        scenario_control("classic-1938")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("germny: [Paris]\n")
    with pytest.raises(WarCabinetError, match="Germany"):
        changed(control.fall_1939(), wrong)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["path", "Berlin", "Moscow", "--board", "pacific"], "Berlin is on the europe board"),
        (["path", "K28", "pacific:L28", "--board", "europe"], "on the pacific board"),
        (["path", "Berlin", "Tokyo"], "Tokyo is on the pacific board"),
        (["path", "Berlin", "Moscow", "--zoc", "Tokyo"], "Tokyo is on the pacific board"),
        (["path", "Berlin", "Moscow", "--held", "germny"], "did you mean Germany"),
        (["path", "Berlin", "Moscow", "--held", " , "], "--held needs at least one name"),
        (["path", "Berlin", "Moscow", "--in", "Berlin"], "unknown country 'Berlin'"),
        (["path", "europe:A23", "Berlin"], "is no land"),
        (["hex", "Rangoon", "--board", "europe"], "Rangoon is on the pacific board"),
        (["find", "Rangoon", "--board", "europe"], "Rangoon is on the pacific board"),
        (["find", "asia:K28"], "known: europe, pacific"),
        (["check", "-k", "no such text"], "without -k all are run"),
    ],
)
def test_misuse_is_refused_with_what_would_be_right(args: list[str], said: str) -> None:
    outcome = CliRunner().invoke(board, args)
    assert outcome.exit_code == 1
    assert isinstance(outcome.exception, WarCabinetError)
    assert said in str(outcome.exception)


def test_holders_and_countries_go_by_any_name() -> None:
    plain = json.loads(run("path", "Berlin", "Moscow", "--held", "germany,russia", "--json", code=1))
    assert json.loads(run("path", "Berlin", "Moscow", "--held", "Germany, USSR", "--json", code=1)) == plain
    found = json.loads(run("path", "Bucharest", "Galati", "--in", "Romania", "--json"))
    assert found["path"][0] == "W33"


def test_a_line_may_end_at_a_box() -> None:
    found = json.loads(run("path", "Mandalay", "India box", "--in", "burma,india", "--json"))
    assert found["path"][-1] in {"T7", "U6", "V6", "S7", "R8"}


def test_changed_control_counts_on_a_path_and_must_be_land(tmp_path: Path) -> None:
    changes = tmp_path / "changes.yaml"
    changes.write_text("Germany: [Eastern Poland]\n")
    run("path", "Berlin", "Moscow", "--held", "germany,russia", "--control", str(changes))
    with pytest.raises(WarCabinetError, match="needs --held"):
        CliRunner().invoke(board, ["path", "Berlin", "Moscow", "--control", str(changes)], catch_exceptions=False)
    for name in ("North Sea", "India box", "europe:A23"):
        changes.write_text(f"germany: ['{name}']\n")
        with pytest.raises(WarCabinetError, match="is no land that germany could hold"):
            changed(control.fall_1939(), changes)


def test_render_says_what_it_wrote_and_needs_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    found = json.loads(run("render", "-o", str(out), "--level", "1", "--json"))
    assert found == {"file": str(out), "board": "europe", "title": "Fall 1939"}
    with pytest.raises(WarCabinetError, match="there is no folder"):
        render_board("europe", control.fall_1939(), tmp_path / "none" / "map.svg")


def test_a_game_is_drawn_under_its_turn(tmp_path: Path) -> None:
    game = str(tmp_path / "new.warcabinet")
    create_game(game)
    held, turn = game_position(game)
    assert turn == "Fall 1939"
    assert dict(held) == dict(control.fall_1939())
