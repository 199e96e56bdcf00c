"""The command line's manners: where errors go, how a command ends, what a pipe gets, what a shell completes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from warcabinet.cli.main import BROKEN, REFUSED, WRONG, cli, main
from warcabinet.figures.position import Position
from warcabinet.store import create_game


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("game") / "game.warcabinet"
    create_game(file, Position("empty", turn="Fall 1940"))
    return str(file)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (("do", "spend", "power=germany", "brp=5", "on=other"), REFUSED),
        (("do", "spnd"), WRONG),
        (("explain", "growth_rte", "italy"), WRONG),
        (("status", "--nonsense"), WRONG),
    ],
)
def test_what_is_wrong_goes_to_standard_error_with_a_status_of_its_kind(
    given: tuple[str, ...], status: int, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*given, "-g", game])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (status, "")
    assert told.err


def test_a_broken_file_is_another_matter(tmp_path: Path, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.warcabinet"
    broken.write_bytes(Path(game).read_bytes()[:9000])
    with pytest.raises(SystemExit) as ended:
        main(["status", "-g", str(broken)])
    assert (ended.value.code, capsys.readouterr().out) == (BROKEN, "")


def test_what_is_piped_is_neither_wrapped_nor_coloured(tmp_path: Path) -> None:
    long = tmp_path / ("a" * 60) / ("b" * 60) / "none.warcabinet"
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"NO_COLOR": "1"}
    command = [sys.executable, "-m", "warcabinet", "status", "-g", str(long)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.stderr.splitlines() == [f"Error there is no game at {long}; start one with: warcabinet new {long}"]


def test_a_port_that_is_taken_is_a_line_and_no_browser_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a page of somebody else was opened"))
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as ended:
        main(["serve", str(tmp_path / "games"), "--port", str(taken.getsockname()[1]), "--open"])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (BROKEN, "")
    assert "address already in use" in told.err
    assert not (tmp_path / "games").exists()


def test_a_game_is_named_alike_in_every_command() -> None:
    """By `-g`: in those that look at one, and in those that make one."""
    without = {"board", "scenarios", "check", "rules", "new-clause", "data", "docs", "bench", "fuzz", "demo", "serve"}
    without |= {"let-in", "rehouse", "backup", "recover", "compare", "plan"}
    names = set(cli.list_commands(None)) - without  # type: ignore[arg-type]
    for name in names:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert any("-g" in parameter.opts for parameter in command.params), name


@pytest.mark.parametrize(
    ("typed", "incomplete", "found"),
    [
        (["do"], "mobil", "mobilize"),
        (["do", "spend"], "ger", "germany"),
        (["forecast"], "BRI", "britain"),
        (["explain"], "growth_r", "growth_rate"),
        (["rules"], "35.33", "35.33A"),
        (["plan", "run"], "as-it", "as-it-happened"),
        (["undo", "--seat"], "ita", "italy"),
        ([], "stat", "status"),
    ],
)
def test_a_shell_completes(typed: list[str], incomplete: str, found: str) -> None:
    completed = ShellComplete(cli, {}, "warcabinet", "_WARCABINET_COMPLETE").get_completions(typed, incomplete)
    assert found in [it.value for it in completed]


@pytest.mark.parametrize("typed", [["status", "-g"], ["new"], ["plan", "run"]])
def test_a_shell_completes_files(typed: list[str]) -> None:
    completed = ShellComplete(cli, {}, "warcabinet", "_WARCABINET_COMPLETE").get_completions(typed, "some")
    assert [it.type for it in completed] == ["file"]


def test_what_later_pythons_took_away_is_not_imported() -> None:
    """`importlib.abc.Traversable` is gone in Python 3.14."""
    root = Path(import_module("warcabinet").__path__[0])
    assert [it.name for it in root.rglob("*.py") if "importlib.abc" in it.read_text(encoding="utf-8")] == []
