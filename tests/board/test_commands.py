"""The board on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from warcabinet.board import control
from warcabinet.cli.board import board, changed, render_board, scenario_control
from warcabinet.kernel.errors import WarCabinetError


def run(*args: str, code: int = 0) -> str:
    outcome = CliRunner().invoke(board, args)
    assert outcome.exit_code == code, outcome.output
    return outcome.output


def test_check_prints_a_line_each_and_the_sum_last() -> None:
    lines = run("check").splitlines()
    assert lines[-1] == f"{len(lines) - 1} passed, 0 failed"
    found = json.loads(run("check", "--json", "-k", "83.12"))
    assert found["failed"] == 0
    assert found["passed"] == len(found["checks"]) == 2


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
    with pytest.raises(WarCabinetError, match="germany"):
        changed(control.fall_1939(), wrong)
