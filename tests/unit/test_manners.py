"""The command line's manners: where errors go, how a command ends, what a pipe gets, what a shell completes."""

from __future__ import annotations

import os
import signal
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
from warcabinet.web.server.serve import hold


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


# -- a server that cannot be ---------------------------------------------------------------------------------------


def refused_to_serve(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """The one line in which it is said why nothing is served."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(folder), "--open", *words])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (BROKEN, "")
    (line,) = told.err.splitlines()
    return line


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.cli.show.errors.width", 1000)  # whoever starts tests may have said how wide
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a page of somebody else was opened"))


@pytest.mark.usefixtures("no_browser")
@pytest.mark.parametrize("where", ["127.0.0.1", "::1"])
def test_a_port_that_is_taken_is_a_line_and_no_browser_is_opened(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A browser that looks for localhost looks at ::1 first."""
    try:
        taken = socket.create_server((where, 0), family=socket.AF_INET6 if ":" in where else socket.AF_INET)
    except OSError:
        pytest.skip(f"this machine has no {where}")
    with taken:
        line = refused_to_serve(capsys, tmp_path / "games", "--port", str(taken.getsockname()[1]))
    assert line.endswith("address already in use; stop what runs there, or name another with --port")
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("no_browser")
@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_a_line(host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As when the network is not there."""
    line = refused_to_serve(capsys, tmp_path / "games", "--host", host)
    assert line.endswith("name an address of this machine with --host")


@pytest.mark.usefixtures("no_browser")
def test_a_folder_that_cannot_be_made_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    line = refused_to_serve(capsys, tmp_path / "file" / "games", "--port", port)
    assert "cannot" in line


def test_a_port_is_held_and_nobody_let_in_before_the_server_is_ready() -> None:
    """Behind a proxy whoever comes meanwhile is sent to another host at once."""
    with hold("127.0.0.1", 0) as held, pytest.raises(ConnectionRefusedError):
        socket.create_connection(held.getsockname(), 5)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("when", ["warcabinet.kernel", "start"])
def test_ctrl_c_is_a_line(when: str, tmp_path: Path) -> None:
    """While the program is still read, as while it serves."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    importing = ["-X", "importtime"] if when != "start" else []
    command = [sys.executable, *importing, "-m", "warcabinet", "serve", str(tmp_path / "games"), "--port", port]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while when not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    lines = [it for it in told.splitlines() if it and not it.startswith(("import time:", "{"))]
    assert (process.returncode, len(lines), lines[0][:7]) == (130, 1, "Stopped"), told


def test_a_game_is_named_alike_in_every_command() -> None:
    """By `-g`: in those that look at one, and in those that make one."""
    without = {"board", "scenarios", "check", "rules", "new-clause", "data", "docs", "bench", "fuzz", "demo", "serve"}
    without |= {"let-in", "rehouse", "backup", "recover", "compare", "plan", "not-judged"}
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
